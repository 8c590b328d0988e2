//! The schema, its migrations, and the settings of a connection.

use super::{failed, journal, log_encoding};
use crate::{LogRow, StoreError};
use rusqlite::{Connection, OpenFlags, params};
use std::path::Path;

/// The version of the schema. Every change of the schema raises it.
const VERSION: i64 = 6;

const SCHEMA: &str = "
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  -- Hash of the browser that made the table and of the id that the browser gave it.
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

/// Version 3: the logs of games in segments, and which table references which blob.
const LOGS_AND_BLOBS: &str = "
-- The log rows of each group of commits, until they are flushed.
CREATE TABLE journal (n INTEGER PRIMARY KEY, rows BLOB NOT NULL);
-- Segments of games' logs, with the seq and the time of the last row. Segments of different games are mixed, in the order of the
-- flushes: so a flush writes to the last pages of the table and nowhere else.
CREATE TABLE stretches (
  n INTEGER PRIMARY KEY,
  game INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
  last INTEGER NOT NULL,
  at INTEGER NOT NULL,
  rows BLOB NOT NULL
);
CREATE UNIQUE INDEX stretches_game ON stretches (game, last);
-- Which table references which blob. Purging deletes blobs that no table and no pack references.
CREATE TABLE spoken_of (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  PRIMARY KEY (table_id, hash)
) WITHOUT ROWID;
CREATE INDEX spoken_of_hash ON spoken_of (hash);
-- Whether spoken_of has the references of a table. It lacks those of tables from before version 3; while there is such a table, no
-- blob is deleted.
ALTER TABLE tables ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tables_uncounted ON tables (id) WHERE NOT counted;
";

/// Version 4: makers and origins of packs, orders to tables, and reports. Packs from earlier versions get no maker, and count as
/// uploaded at the time of the migration.
const PACKS_ORDERS_REPORTS: &str = "
CREATE TABLE packs_4 (
  id TEXT PRIMARY KEY,
  hash BLOB NOT NULL,
  info BLOB NOT NULL,
  -- The browser that uploaded the pack, and a keyed hash of the address it came from.
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
-- What operators ask of tables. The server deletes an order when it has carried it out.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key BLOB NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  body BLOB NOT NULL
);
-- Reports by players.
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
-- Values that all nodes of a server share, such as the key for hashing addresses.
CREATE TABLE shared_values (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
";

/// From version 4 to 5: members get numbers. Members from before have none, and stay as long as their table does.
const NUMBERED_MEMBERS: &str = "ALTER TABLE members ADD COLUMN n INTEGER;";

/// From version 5 to 6: what is kept has bounds. Blobs of games from before stay as long as their tables do.
const BOUNDED_TABLES: &str = "
-- A keyed hash of the address from which the table was made, and whether anybody has come to it.
ALTER TABLE tables ADD COLUMN origin BLOB;
ALTER TABLE tables ADD COLUMN used INTEGER NOT NULL DEFAULT 1;
CREATE INDEX tables_origin ON tables (origin) WHERE origin IS NOT NULL;
CREATE INDEX tables_unused ON tables (updated_at) WHERE NOT used;
-- Which game references which blob.
CREATE TABLE game_blobs (
  game INTEGER NOT NULL REFERENCES games (n) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  PRIMARY KEY (game, hash)
) WITHOUT ROWID;
CREATE INDEX game_blobs_hash ON game_blobs (hash);
-- Texts of deleted packs that tables or games still use, for the quotas: without the maker.
CREATE TABLE deleted_packs (
  hash BLOB PRIMARY KEY,
  origin BLOB,
  bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX deleted_packs_origin ON deleted_packs (origin) WHERE origin IS NOT NULL;
";

/// From version 1 to 2: games get numbers, and log rows refer to the number instead of the id.
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

/// Connects to an existing file; it never creates one.
pub fn connect_existing(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    set_up(Connection::open_with_flags(path, flags).map_err(failed)?)
}

fn set_up(connection: Connection) -> Result<Connection, StoreError> {
    // With NORMAL the file survives a power cut undamaged, but SQLite does not sync the WAL with each commit: the writer does that
    // before it sends replies. The busy timeout only matters when another program opens the file. SQLite makes no checkpoints by
    // itself, because a commit would wait for them: the checkpoint thread makes them.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;
             PRAGMA wal_autocheckpoint = 0;",
        )
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Writes the version that the file has already: the smallest possible write.
pub fn rewrite_version(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(failed)
}

/// Migrates the database from any earlier version to this one, or refuses a database of a later version.
///
/// All steps are one transaction: if the process or the machine stops halfway, the database is unchanged.
pub fn prepare(connection: &Connection) -> Result<(), StoreError> {
    if known_version(connection)? == VERSION {
        return Ok(());
    }
    // Foreign keys are off because with them dropping a table would delete the rows that refer to it. They are switched off before the
    // transaction, because SQLite ignores the setting inside one.
    connection.execute_batch("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE;").map_err(failed)?;
    let migrated = migrate(connection).and_then(|()| connection.execute_batch("COMMIT").map_err(failed));
    if migrated.is_err() {
        // This may fail: after some errors SQLite has already rolled back.
        let _ = connection.execute_batch("ROLLBACK");
    }
    migrated.and_then(|()| connection.execute_batch("PRAGMA foreign_keys = ON;").map_err(failed))
}

fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let run = |sql: &str| connection.execute_batch(sql).map_err(failed);
    // Reads the version again: another process may have migrated the database before this one got the lock.
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
    if version <= 4 {
        run(NUMBERED_MEMBERS)?;
    }
    if version <= 5 {
        run(BOUNDED_TABLES)?;
    }
    run(&format!("PRAGMA user_version = {VERSION}"))
}

/// Returns the version of the schema, 0 for an empty file. Fails if the version is later than this program's.
pub fn known_version(connection: &Connection) -> Result<i64, StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    if (0..=VERSION).contains(&version) { Ok(version) } else { Err(crate::version::too_new(version, VERSION)) }
}

/// Fails unless the schema has this program's version.
pub fn check(connection: &Connection) -> Result<(), StoreError> {
    let version = known_version(connection)?;
    if version == VERSION { Ok(()) } else { Err(crate::version::too_old(version, VERSION)) }
}

/// From version 2 to 3: collects log rows, each of which was a row of the database, into segments.
fn from_2(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(LOGS_AND_BLOBS)?;
    let mut read = connection.prepare("SELECT game, seq, at, input, told FROM events ORDER BY game, seq")?;
    let mut put = connection.prepare("INSERT INTO stretches (game, last, at, rows) VALUES (?, ?, ?, ?)")?;
    let mut rows = read.query([])?;
    // Game, seq and time of the last row, and the rows.
    let mut segment: Option<(i64, u64, u64, Vec<u8>)> = None;
    loop {
        let next = rows.next()?;
        let game = next.map(|row| row.get::<_, i64>(0)).transpose()?;
        let is_full = |bytes: &Vec<u8>| bytes.len() >= journal::MAX_SEGMENT_BYTES;
        if let Some((of_game, last, at, bytes)) = segment.take_if(|s| Some(s.0) != game || is_full(&s.3)) {
            put.execute(params![of_game, last as i64, at as i64, bytes])?;
        }
        let (Some(row), Some(game)) = (next, game) else { break };
        let (seq, at): (i64, i64) = (row.get(1)?, row.get(2)?);
        let row = LogRow { seq: seq as u64, at: at as u64, input: row.get(3)?, old_batches: row.get(4)? };
        let (_, last, at, bytes) = segment.get_or_insert((game, 0, 0, Vec::new()));
        (*last, *at) = (row.seq, row.at);
        log_encoding::encode_row(&row, bytes);
    }
    drop(rows);
    // SQLite refuses to drop a table while a statement that reads it is open.
    drop((read, put));
    connection.execute_batch("DROP TABLE events")
}
