//! The tables, and how a connection is set up.

use super::{failed, journal};
use crate::{LogRow, StoreError};
use rusqlite::{Connection, OpenFlags, params};
use std::path::Path;

/// Raised with every change of the schema.
const VERSION: i64 = 4;

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

/// Games' logs, and which table speaks of which blob, as they are since version 3.
const LOGS_AND_BLOBS: &str = "
-- What each shared commit has added to the logs of games, until it is put in its place.
CREATE TABLE journal (n INTEGER PRIMARY KEY, rows BLOB NOT NULL);
-- Rows of one game's log, side by side; the seq and the time of the last. In the order in which they came, whatever game they
-- are of: so what is put in its place is pages at the end.
CREATE TABLE stretches (
  n INTEGER PRIMARY KEY,
  game INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
  last INTEGER NOT NULL,
  at INTEGER NOT NULL,
  rows BLOB NOT NULL
);
CREATE UNIQUE INDEX stretches_game ON stretches (game, last);
-- A blob that no table and no pack speaks of is deleted when old tables are.
CREATE TABLE spoken_of (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  PRIMARY KEY (table_id, hash)
) WITHOUT ROWID;
CREATE INDEX spoken_of_hash ON spoken_of (hash);
-- Whether that is known of a table. As long as there is one from before it was written down, no blob is deleted.
ALTER TABLE tables ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tables_uncounted ON tables (id) WHERE NOT counted;
";

/// Packs of strangers, orders to tables, and reports, as they are since version 4. Packs from before belong to nobody, and are kept
/// as if they had just been uploaded.
const PACKS_ORDERS_REPORTS: &str = "
CREATE TABLE packs_4 (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL,
  info BLOB NOT NULL,
  -- The browser that uploaded it, and a keyed hash of the address it came from.
  maker BLOB,
  origin BLOB,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- When a table last chose it.
  used_at INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO packs_4 (id, hash, info, bytes, created_at, used_at)
  SELECT id, packs.hash, info, coalesce((SELECT length(body) FROM blobs WHERE blobs.hash = packs.hash), 0),
    strftime('%s', 'now') * 1000, strftime('%s', 'now') * 1000 FROM packs;
DROP TABLE packs;
ALTER TABLE packs_4 RENAME TO packs;
CREATE INDEX packs_maker ON packs (maker, id) WHERE maker IS NOT NULL;
CREATE INDEX packs_origin ON packs (origin) WHERE origin IS NOT NULL;
CREATE INDEX packs_hash ON packs (hash);
CREATE INDEX packs_used ON packs (used_at);
-- What the server shall do with tables; a row is gone when it is done.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  body BLOB NOT NULL
);
-- What players reported, as they saw it.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  code TEXT NOT NULL,
  kind TEXT NOT NULL,
  reporter BLOB,
  about BLOB,
  name TEXT NOT NULL,
  body BLOB NOT NULL
);
CREATE INDEX reports_code ON reports (code);
CREATE INDEX reports_about ON reports (about) WHERE about IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter) WHERE reporter IS NOT NULL;
-- Values that belong to this database, such as the key of the hashes of addresses.
CREATE TABLE shared_values (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
";

/// Version 1 kept the rows of each game together.
const FROM_1: &str = "
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
";

pub fn connect(path: &Path) -> Result<Connection, StoreError> {
    set_up(Connection::open(path).map_err(failed)?)
}

/// Connects to a file that is there, and makes none.
pub fn reconnect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    set_up(Connection::open_with_flags(path, flags).map_err(failed)?)
}

fn set_up(connection: Connection) -> Result<Connection, StoreError> {
    // NORMAL: the order of writes holds through a power cut, but a commit may not have reached the disk when it returns: the
    // writer sees to that itself, before anybody is told. The busy timeout only matters to people who look into the
    // file with another program. When writes go to their places is decided elsewhere: no commit is to wait for it.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;
             PRAGMA wal_autocheckpoint = 0;",
        )
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Writes what is there: the smallest change there is.
pub fn touch(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(failed)
}

/// Makes the tables of this version out of those of any earlier one, or refuses a database from the future.
///
/// All steps are one transaction: if the process or the machine stops on the way, the database is as it was before.
pub fn prepare(connection: &Connection) -> Result<(), StoreError> {
    if known_version(connection)? == VERSION {
        return Ok(());
    }
    // SQLite ignores this setting inside a transaction. While it is on, dropping a table deletes the rows that refer to it.
    connection.execute_batch("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE;").map_err(failed)?;
    let migrated = migrate(connection).and_then(|()| connection.execute_batch("COMMIT").map_err(failed));
    if migrated.is_err() {
        // After some errors SQLite has rolled back by itself.
        let _ = connection.execute_batch("ROLLBACK");
    }
    migrated.and_then(|()| connection.execute_batch("PRAGMA foreign_keys = ON;").map_err(failed))
}

fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let run = |sql: &str| connection.execute_batch(sql).map_err(failed);
    // Asked again: another process may have migrated it before this one had the lock.
    let version = known_version(connection)?;
    if version == 0 {
        run(SCHEMA)?;
        run(LOGS_AND_BLOBS)?;
    }
    if version == 1 {
        run(FROM_1)?;
    }
    if version == 1 || version == 2 {
        from_2(connection).map_err(failed)?;
    }
    if version <= 3 {
        run(PACKS_ORDERS_REPORTS)?;
    }
    run(&format!("PRAGMA user_version = {VERSION}"))
}

/// The version of the tables; 0 in an empty file. An error for one that this program does not know.
pub fn known_version(connection: &Connection) -> Result<i64, StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    if (0..=VERSION).contains(&version) { Ok(version) } else { Err(crate::version::too_new(version, VERSION)) }
}

/// Whether the tables are those of this program.
pub fn check(connection: &Connection) -> Result<(), StoreError> {
    let version = known_version(connection)?;
    if version == VERSION { Ok(()) } else { Err(crate::version::too_old(version, VERSION)) }
}

/// Version 2 had a row for each row of a log, and did not know which table speaks of which blob.
fn from_2(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(LOGS_AND_BLOBS)?;
    let mut read = connection.prepare("SELECT game, seq, at, input, told FROM events ORDER BY game, seq")?;
    let mut put = connection.prepare("INSERT INTO stretches (game, last, at, rows) VALUES (?, ?, ?, ?)")?;
    let mut rows = read.query([])?;
    let mut stretch: Option<(i64, u64, u64, Vec<u8>)> = None;
    loop {
        let next = rows.next()?;
        let game = next.map(|row| row.get::<_, i64>(0)).transpose()?;
        let full = |bytes: &Vec<u8>| bytes.len() >= journal::FULL;
        if let Some((of, last, at, bytes)) = stretch.take_if(|s| Some(s.0) != game || full(&s.3)) {
            put.execute(params![of, last as i64, at as i64, bytes])?;
        }
        let (Some(row), Some(game)) = (next, game) else { break };
        let (seq, at): (i64, i64) = (row.get(1)?, row.get(2)?);
        let row = LogRow { seq: seq as u64, at: at as u64, input: row.get(3)?, told: row.get(4)? };
        let (_, last, at, bytes) = stretch.get_or_insert((game, 0, 0, Vec::new()));
        (*last, *at) = (row.seq, row.at);
        super::rows::put(&row, bytes);
    }
    drop(rows);
    // A table that a statement reads can't be dropped.
    drop((read, put));
    connection.execute_batch("DROP TABLE events")
}
