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
        let open = store.open("abc").await.unwrap().unwrap();
        let writes = vec![
            Write::Game(GameRow { id: "g".into(), record: vec![] }),
            Write::Log { game: "g".into(), row: row.clone() },
        ];
        store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await.unwrap();
        open.epoch
    };
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(store.log("g", 0, 10).await.unwrap(), vec![row.clone()]);
    let open = store.open("abc").await.unwrap().unwrap();
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
