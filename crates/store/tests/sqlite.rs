//! SQLite keeps the contract, and keeps it through a restart.

use baize_store::{Commit, GameRow, LogRow, NewTable, SqliteStore, Store, StoreError, Write, contract};

#[tokio::test]
async fn sqlite_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(dir.path()).unwrap();
    contract::run(&store).await;
    // The contract ends with closing: the log that SQLite writes ahead is folded into the file and gone.
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["baize.db"]);
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(store.blob(&[12; 32]).await.unwrap(), Some(vec![1]));
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let table = NewTable { key: [1; 32], code: "abc".into(), at: 1, record: vec![1], members: vec![] };
    let row = LogRow { seq: 1, at: 5, input: vec![1], told: vec![2] };
    let epoch = {
        let store = SqliteStore::open(dir.path()).unwrap();
        store.create(table).await.unwrap();
        let open = store.open("abc").await.unwrap().here().unwrap();
        let writes = vec![
            Write::Game(GameRow { id: "g".into(), record: vec![] }),
            Write::Log { game: "g".into(), row: row.clone() },
        ];
        store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await.unwrap();
        open.epoch
    };
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(store.log("g", 0, 10).await.unwrap(), vec![row.clone()]);
    let open = store.open("abc").await.unwrap().here().unwrap();
    let stale =
        Commit { table: open.id, epoch, writes: vec![Write::Log { game: "g".into(), row: LogRow { seq: 2, ..row } }] };
    assert_eq!(store.commit(stale).await, Err(StoreError::Fenced));
}

#[tokio::test]
async fn commits_are_shared() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(dir.path()).unwrap();
    let waiting: Vec<_> = (0..200u8).map(|n| store.put_blob([n; 32], vec![n])).collect();
    for pending in waiting {
        pending.await.unwrap();
    }
    let commits = store.stats().commits.load(std::sync::atomic::Ordering::Relaxed);
    assert!(commits < 100, "{commits} transactions for 200 jobs");
}

/// The tables as version 1 had them.
const VERSION_1: &str = "
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
  id TEXT PRIMARY KEY,
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  record BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX games_table ON games (table_id);
CREATE TABLE events (
  game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  input BLOB NOT NULL,
  told BLOB NOT NULL,
  PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;
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
PRAGMA user_version = 1;
";

#[tokio::test]
async fn a_database_of_version_1_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let old = rusqlite::Connection::open(dir.path().join("baize.db")).unwrap();
    old.execute_batch(VERSION_1).unwrap();
    old.execute_batch(
        "INSERT INTO tables (id, code, key, epoch, running, updated_at, record) VALUES (7, 'abc', x'01', 3, 'g2', 5, x'aa');
         INSERT INTO games VALUES ('g1', 7, x'01'), ('g2', 7, x'02');
         INSERT INTO events VALUES ('g2', 1, 50, x'0a', x'0b'), ('g1', 1, 10, x'01', x'02'), ('g1', 2, 20, x'03', x'04');
         INSERT INTO snapshots VALUES ('g1', 2, x'05');",
    )
    .unwrap();
    drop(old);
    let store = SqliteStore::open(dir.path()).unwrap();
    let row = |seq, at, input, told| LogRow { seq, at, input: vec![input], told: vec![told] };
    assert_eq!(store.log("g1", 0, 10).await.unwrap(), [row(1, 10, 1, 2), row(2, 20, 3, 4)]);
    assert_eq!(store.game("g2").await.unwrap().unwrap().record, [2]);
    assert_eq!(store.snapshot("g1").await.unwrap().unwrap().body, [5]);
    assert_eq!(store.peek("abc").await.unwrap().unwrap().updated_at, 50);
    let open = store.open("abc").await.unwrap().here().unwrap();
    let write = |seq| Write::Log { game: "g2".into(), row: row(seq, 60, 1, 1) };
    let commit = |seq| Commit { table: open.id, epoch: open.epoch, writes: vec![write(seq)] };
    store.commit(commit(2)).await.unwrap();
    assert_eq!(store.commit(commit(2)).await, Err(StoreError::Taken));
    // What belongs to a table goes with it, also what came from the old tables.
    assert_eq!(store.purge(1000).await.unwrap(), 1);
    assert!(store.log("g1", 0, 10).await.unwrap().is_empty() && store.snapshot("g1").await.unwrap().is_none());
    drop(store);
    assert!(SqliteStore::open(dir.path()).is_ok());
}
