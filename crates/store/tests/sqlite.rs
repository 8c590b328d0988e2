//! SQLite passes the contract suite, survives restarts, and groups its commits.

use baize_store::{Commit, GameRow, LogRow, NewTable, SqliteStore, Store, StoreError, TableQuotas, Write, contract};

#[tokio::test]
async fn sqlite_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(dir.path()).unwrap();
    contract::run(&store).await;
    // The suite ends by closing the store, which copies the WAL to the database file and deletes it.
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["baize.db"]);
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(store.blob(&[12; 32]).await.unwrap(), Some(vec![1]));
}

#[tokio::test]
async fn a_restart_keeps_committed_rows() {
    let dir = tempfile::tempdir().unwrap();
    let table = NewTable {
        key: [1; 32],
        code: "abc".into(),
        at: 1,
        record: vec![1],
        members: vec![],
        blobs: vec![],
        origin: None,
        quotas: TableQuotas::default(),
    };
    let row = LogRow { seq: 1, at: 5, input: vec![1], old_batches: vec![2] };
    let epoch = {
        let store = SqliteStore::open(dir.path()).unwrap();
        store.create(table).await.unwrap();
        let open = store.open("abc").await.unwrap().opened_here().unwrap();
        let writes = vec![
            Write::Game(GameRow { id: "g".into(), record: vec![] }),
            Write::Log { game: "g".into(), row: row.clone() },
        ];
        store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await.unwrap();
        open.epoch
    };
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(store.log("g", 0, 10).await.unwrap(), vec![row.clone()]);
    let open = store.open("abc").await.unwrap().opened_here().unwrap();
    let stale =
        Commit { table: open.id, epoch, writes: vec![Write::Log { game: "g".into(), row: LogRow { seq: 2, ..row } }] };
    assert_eq!(store.commit(stale).await, Err(StoreError::Fenced));
}

#[tokio::test]
async fn requests_share_transactions() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(dir.path()).unwrap();
    let waiting: Vec<_> = (0..200u8).map(|n| store.put_blob([n; 32], vec![n])).collect();
    for pending in waiting {
        pending.await.unwrap();
    }
    let commits = store.stats().commits.load(std::sync::atomic::Ordering::Relaxed);
    assert!(commits < 100, "{commits} transactions for 200 jobs");
}

fn row(seq: u64) -> LogRow {
    LogRow { seq, at: 1000 + seq, input: vec![seq as u8; 40], old_batches: seq.to_string().repeat(20).into_bytes() }
}

/// Makes a table with some games.
async fn table_with(store: &SqliteStore, code: &str, games: &[&str]) -> (i64, i64) {
    let mut key = [0; 32];
    key[..code.len()].copy_from_slice(code.as_bytes());
    let table = NewTable {
        key,
        code: code.into(),
        at: 1,
        record: vec![1],
        members: vec![],
        blobs: vec![],
        origin: None,
        quotas: TableQuotas::default(),
    };
    store.create(table).await.unwrap();
    let open = store.open(code).await.unwrap().opened_here().unwrap();
    let game = |id: &&str| Write::Game(GameRow { id: (*id).into(), record: vec![] });
    let writes = games.iter().map(game).collect();
    store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await.unwrap();
    (open.id, open.epoch)
}

fn log(game: &str, seq: u64) -> Write {
    Write::Log { game: game.into(), row: row(seq) }
}

#[tokio::test]
async fn a_log_is_read_whole_from_journal_and_segments() {
    const ROWS: u64 = 3000;
    let dir = tempfile::tempdir().unwrap();
    let expected: Vec<LogRow> = (1..=ROWS).map(row).collect();
    let store = SqliteStore::open(dir.path()).unwrap();
    let (table, epoch) = table_with(&store, "abc", &["one", "two"]).await;
    // More rows than the journal keeps, so that some are flushed and some are not.
    for seq in (1..=ROWS).step_by(50) {
        let both = |seq| [log("one", seq), log("two", seq)];
        let commits: Vec<_> =
            (seq..seq + 50).map(|seq| store.commit(Commit { table, epoch, writes: both(seq).into() })).collect();
        for commit in commits {
            commit.await.unwrap();
        }
        assert_eq!(store.log("two", seq + 48, 10).await.unwrap(), expected[seq as usize + 48..][..1]);
    }
    let whole = async |store: &SqliteStore| {
        let mut read = Vec::new();
        loop {
            let rows = store.log("one", read.last().map_or(0, |row: &LogRow| row.seq), 333).await.unwrap();
            if rows.is_empty() {
                return read;
            }
            read.extend(rows);
        }
    };
    assert_eq!(whole(&store).await, expected);
    assert_eq!(store.commit(Commit { table, epoch, writes: vec![log("one", 7)] }).await, Err(StoreError::Taken));
    drop(store);
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(whole(&store).await, expected);
    assert_eq!(store.commit(Commit { table, epoch, writes: vec![log("one", ROWS)] }).await, Err(StoreError::Taken));
    store.commit(Commit { table, epoch, writes: vec![log("one", ROWS + 1)] }).await.unwrap();
}

#[tokio::test]
async fn a_crash_loses_no_row() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(dir.path()).unwrap();
    let (table, epoch) = table_with(&store, "abc", &["one"]).await;
    let running = Write::Table { record: vec![], at: 1, listed: true, running: Some("one".into()) };
    store.commit(Commit { table, epoch, writes: vec![running, log("one", 1)] }).await.unwrap();
    store.commit(Commit { table, epoch, writes: vec![log("one", 2)] }).await.unwrap();
    // Copies the files of a store that is still open, as a crash leaves them.
    let after = tempfile::tempdir().unwrap();
    for name in ["baize.db", "baize.db-wal"] {
        std::fs::copy(dir.path().join(name), after.path().join(name)).unwrap();
    }
    let store = SqliteStore::open(after.path()).unwrap();
    assert_eq!(store.log("one", 0, 10).await.unwrap(), [row(1), row(2)]);
    assert_eq!(store.peek("abc").await.unwrap().unwrap().updated_at, row(2).at);
    assert_eq!(store.commit(Commit { table, epoch, writes: vec![log("one", 2)] }).await, Err(StoreError::Taken));
    store.commit(Commit { table, epoch, writes: vec![log("one", 3)] }).await.unwrap();
    // A table whose game is played is not old, even if the log rows are only in the journal.
    assert_eq!(store.purge(500).await.unwrap(), 0);
    assert_eq!(store.log("one", 2, 10).await.unwrap(), [row(3)]);
}

/// A commit that makes the WAL longer also waits for the file system. So the store preallocates the WAL; and it makes a short
/// one that it finds longer, without damaging its contents.
#[tokio::test]
async fn the_store_preallocates_the_wal() {
    let dir = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(dir.path()).unwrap();
    let (table, epoch) = table_with(&store, "abc", &["one"]).await;
    let length = |dir: &tempfile::TempDir| std::fs::metadata(dir.path().join("baize.db-wal")).unwrap().len();
    let room = length(&dir);
    for seq in 1..=50 {
        store.commit(Commit { table, epoch, writes: vec![log("one", seq)] }).await.unwrap();
    }
    assert_eq!(length(&dir), room);
    // A crash before the WAL was preallocated leaves its header and whole frames.
    let after = tempfile::tempdir().unwrap();
    std::fs::copy(dir.path().join("baize.db"), after.path().join("baize.db")).unwrap();
    let mut short = std::fs::read(dir.path().join("baize.db-wal")).unwrap();
    let used = short.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    short.truncate(32 + (used - 32).next_multiple_of(24 + 4096));
    assert!((short.len() as u64) < room);
    std::fs::write(after.path().join("baize.db-wal"), short).unwrap();
    let store = SqliteStore::open(after.path()).unwrap();
    store.commit(Commit { table, epoch, writes: vec![log("one", 51)] }).await.unwrap();
    assert_eq!(length(&after), room);
    let again = tempfile::tempdir().unwrap();
    for name in ["baize.db", "baize.db-wal"] {
        std::fs::copy(after.path().join(name), again.path().join(name)).unwrap();
    }
    let store = SqliteStore::open(again.path()).unwrap();
    let rows: Vec<LogRow> = (1..=51).map(row).collect();
    assert_eq!(store.log("one", 0, 100).await.unwrap(), rows);
}

/// Nobody should start two servers on one folder. If somebody does, the server that opened a table last has it.
#[tokio::test]
async fn a_store_notices_a_second_program_on_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (SqliteStore::open(dir.path()).unwrap(), SqliteStore::open(dir.path()).unwrap());
    let (table, old) = table_with(&first, "abc", &["one"]).await;
    first.commit(Commit { table, epoch: old, writes: vec![log("one", 1)] }).await.unwrap();
    let epoch = second.open("abc").await.unwrap().opened_here().unwrap().epoch;
    assert_eq!(first.commit(Commit { table, epoch: old, writes: vec![log("one", 2)] }).await, Err(StoreError::Fenced));
    assert_eq!(second.commit(Commit { table, epoch, writes: vec![log("one", 1)] }).await, Err(StoreError::Taken));
    second.commit(Commit { table, epoch, writes: vec![log("one", 2)] }).await.unwrap();
    // Each store flushes what both have written.
    second.purge(0).await.unwrap();
    second.commit(Commit { table, epoch, writes: vec![log("one", 3)] }).await.unwrap();
    first.purge(0).await.unwrap();
    assert_eq!(first.log("one", 0, 10).await.unwrap(), [row(1), row(2), row(3)]);
    assert_eq!(second.commit(Commit { table, epoch, writes: vec![log("one", 3)] }).await, Err(StoreError::Taken));
    assert_eq!(second.log("one", 0, 10).await.unwrap(), [row(1), row(2), row(3)]);
}
