//! The tables, and how a connection is set up.

use super::failed;
use crate::StoreError;
use rusqlite::Connection;
use std::path::Path;

/// Raised with every change of the schema.
const VERSION: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  -- Of the browser that made it and the id that browser gave.
  key BLOB NOT NULL UNIQUE,
  epoch INTEGER NOT NULL DEFAULT 0,
  listed INTEGER NOT NULL DEFAULT 1,
  running TEXT,
  updated_at INTEGER NOT NULL,
  record BLOB NOT NULL
);
CREATE INDEX tables_updated ON tables (updated_at);
CREATE INDEX tables_running ON tables (code) WHERE running IS NOT NULL;
CREATE TABLE members (
  member BLOB NOT NULL,
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  PRIMARY KEY (member, table_id)
) WITHOUT ROWID;
CREATE INDEX members_table ON members (table_id);
CREATE TABLE games (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  record BLOB NOT NULL
);
CREATE INDEX games_table ON games (table_id);
-- Rows lie in the order in which they came, whatever game they are of: what a shared commit adds is a few pages at the end, and
-- not one page for each game. The index beside them is small, and games that are played at the same time are neighbours in it.
CREATE TABLE events (
  game INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  input BLOB NOT NULL,
  told BLOB NOT NULL,
  PRIMARY KEY (game, seq)
);
CREATE TABLE snapshots (
  game_id TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  body BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE chat (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (table_id, n)
) WITHOUT ROWID;
CREATE TABLE blobs (hash BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE packs (
  id TEXT PRIMARY KEY,
  official INTEGER NOT NULL,
  hash BLOB NOT NULL,
  info BLOB NOT NULL
) WITHOUT ROWID;
";

/// Version 1 kept the rows of each game together.
const FROM_1: &str = "
PRAGMA foreign_keys = OFF;
BEGIN;
CREATE TABLE games_2 (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  record BLOB NOT NULL
);
INSERT INTO games_2 (id, table_id, record) SELECT id, table_id, record FROM games;
CREATE TABLE events_2 (
  game INTEGER NOT NULL REFERENCES games_2 (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  input BLOB NOT NULL,
  told BLOB NOT NULL,
  PRIMARY KEY (game, seq)
);
INSERT INTO events_2 (game, seq, at, input, told)
  SELECT games_2.n, seq, at, input, told FROM events JOIN games_2 ON games_2.id = events.game_id ORDER BY games_2.n, seq;
DROP TABLE events;
DROP TABLE games;
ALTER TABLE games_2 RENAME TO games;
ALTER TABLE events_2 RENAME TO events;
CREATE INDEX games_table ON games (table_id);
PRAGMA user_version = 2;
COMMIT;
PRAGMA foreign_keys = ON;
";

pub fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path).map_err(failed)?;
    // FULL: a commit has reached the disk when it returns, also through a power cut. The busy timeout only matters to
    // people who look into the file with another program.
    // When writes go to their places is decided elsewhere: no commit is to wait for it.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;
             PRAGMA wal_autocheckpoint = 0;",
        )
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

pub fn prepare(connection: &Connection) -> Result<(), StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    match version {
        0 => connection
            .execute_batch(&format!("BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"))
            .map_err(failed),
        1 => connection.execute_batch(FROM_1).map_err(failed),
        VERSION => Ok(()),
        newer => Err(StoreError::Failed(format!("the database has version {newer}, this program knows {VERSION}"))),
    }
}
