//! SQLite under faults: only stored commits are acknowledged, threads restart after a panic, and a replaced file is noticed.

use baize_store::{
    Commit, Faults, GameRow, LogRow, NewTable, OpenTable, SqliteStore, Store, StoreError, TableQuotas, Write,
};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// The planned fault: its fault point, whether it panics, and how many times it happens.
type Planned = (&'static str, bool, usize);

#[derive(Clone, Default)]
struct InjectedFault(Arc<Mutex<Option<Planned>>>);

impl InjectedFault {
    fn set(&self, point: &'static str, panics: bool, times: usize) {
        *self.0.lock().unwrap() = Some((point, panics, times));
    }

    fn over(&self) {
        *self.0.lock().unwrap() = None;
    }

    fn faults(&self) -> Faults {
        let fault = self.0.clone();
        Faults::new(move |name, _| {
            let panics = match &mut *fault.lock().unwrap() {
                Some((point, panics, times)) if *point == name && *times > 0 => {
                    *times -= 1;
                    *panics
                }
                _ => return Ok(()),
            };
            assert!(!panics, "a fault on purpose");
            Err(io::Error::other("Input/output error"))
        })
    }
}

fn store(dir: &Path) -> (SqliteStore, InjectedFault) {
    let fault = InjectedFault::default();
    (SqliteStore::open_with(dir, fault.faults()).unwrap(), fault)
}

async fn opened(store: &SqliteStore) -> OpenTable {
    let table = NewTable {
        key: [1; 32],
        code: "t".into(),
        at: 1,
        record: vec![1],
        members: vec![],
        blobs: vec![],
        origin: None,
        quotas: TableQuotas::default(),
    };
    store.create(table).await.unwrap();
    let open = store.open("t").await.unwrap().opened_here().unwrap();
    store.commit(commit(&open, vec![Write::Game(GameRow { id: "g".into(), record: vec![] })])).await.unwrap();
    open
}

fn commit(open: &OpenTable, writes: Vec<Write>) -> Commit {
    Commit { table: open.id, epoch: open.epoch, writes }
}

fn row(seq: u64) -> Vec<Write> {
    vec![Write::Log { game: "g".into(), row: LogRow { seq, at: seq, input: vec![1], old_batches: vec![] } }]
}

async fn rows(store: &SqliteStore) -> Vec<u64> {
    store.log("g", 0, 100).await.unwrap().iter().map(|row| row.seq).collect()
}

#[tokio::test]
async fn a_failed_commit_leaves_nothing_and_the_next_succeeds() {
    for point in ["store/write", "store/commit"] {
        let dir = tempfile::tempdir().unwrap();
        let (store, fault) = store(dir.path());
        let open = opened(&store).await;
        fault.set(point, false, usize::MAX);
        for _ in 0..3 {
            assert!(matches!(store.commit(commit(&open, row(1))).await, Err(StoreError::Failed(_))), "{point}");
        }
        assert!(store.check().await.is_err());
        let now = store.stats().health();
        assert!(now.failing.is_some_and(|(_, why)| why.contains("Input/output error")), "{point}");
        assert_eq!(rows(&store).await, [] as [u64; 0]);
        fault.over();
        // The store recovers although nobody commits.
        store.check().await.unwrap();
        assert!(store.stats().health().failing.is_none());
        store.commit(commit(&open, row(1))).await.unwrap();
        assert_eq!(rows(&store).await, [1]);
    }
}

/// After a failed sync it is unknown whether the commit is on disk. So the store checkpoints everything before it writes again.
#[tokio::test]
async fn a_failed_sync_causes_a_full_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let (store, fault) = store(dir.path());
    let open = opened(&store).await;
    fault.set("store/sync", false, 1);
    assert!(store.commit(commit(&open, row(1))).await.is_err());
    let there = rows(&store).await;
    let open = store.open("t").await.unwrap().opened_here().unwrap();
    store.commit(commit(&open, row(2))).await.unwrap();
    assert_eq!(rows(&store).await, [there, vec![2]].concat());
    // The checkpoint has written the first row to the database file: it is there without the WAL.
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(dir.path().join("baize.db"), copy.path().join("baize.db")).unwrap();
    let alone = SqliteStore::open(copy.path()).unwrap();
    assert_eq!(alone.log("g", 0, 100).await.unwrap().first().map(|row| row.seq), Some(1));
}

#[tokio::test]
async fn threads_restart_after_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let (store, fault) = store(dir.path());
    let mut open = opened(&store).await;
    for (n, point) in ["store/write", "store/commit", "store/sync"].into_iter().enumerate() {
        fault.set(point, true, 1);
        assert!(store.commit(commit(&open, row(10 * n as u64 + 1))).await.is_err(), "{point}");
        // The epochs of other tables stay valid.
        store.commit(commit(&open, row(10 * n as u64 + 2))).await.unwrap();
        open = store.open("t").await.unwrap().opened_here().unwrap();
        store.commit(commit(&open, row(10 * n as u64 + 3))).await.unwrap();
    }
    fault.set("store/read", true, 1);
    assert!(store.log("g", 0, 100).await.is_err());
    let there = rows(&store).await;
    assert!([2, 3, 12, 13, 22, 23].iter().all(|seq| there.contains(seq)), "{there:?}");
    assert!(!there.contains(&1) && !there.contains(&11), "{there:?}");
    assert_eq!(store.stats().restarts.load(SeqCst), 4);
    assert!(store.stats().health().failing.is_none());
    // A checkpoint that panics is made again later. The store makes one only after many commits.
    fault.set("store/checkpoint", true, 1);
    let mut seq = 100;
    while store.stats().restarts.load(SeqCst) < 5 {
        let waiting: Vec<_> = (0..200).map(|n| store.commit(commit(&open, row(seq + n)))).collect();
        seq += 200;
        for done in waiting {
            done.await.unwrap();
        }
    }
    store.commit(commit(&open, row(seq))).await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn the_store_does_not_write_to_a_missing_file() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _fault) = store(dir.path());
    let open = opened(&store).await;
    let (here, away) = (dir.path().join("baize.db"), dir.path().join("away.db"));
    std::fs::rename(&here, &away).unwrap();
    assert!(store.commit(commit(&open, row(1))).await.is_err());
    assert!(store.check().await.is_err());
    assert!(!here.exists(), "no empty database is made in its place");
    std::fs::rename(&away, &here).unwrap();
    store.check().await.unwrap();
    store.commit(commit(&open, row(1))).await.unwrap();
    assert_eq!(rows(&store).await, [1]);
}

/// If another database replaces the file, only somebody who opened a table in it can write to it.
#[cfg(unix)]
#[tokio::test]
async fn the_store_notices_a_replaced_database() {
    let other = tempfile::tempdir().unwrap();
    {
        let (store, _) = store(other.path());
        let open = opened(&store).await;
        store.commit(commit(&open, row(7))).await.unwrap();
    }
    let dir = tempfile::tempdir().unwrap();
    let (store, _fault) = store(dir.path());
    let open = opened(&store).await;
    store.commit(commit(&open, row(1))).await.unwrap();
    std::fs::rename(other.path().join("baize.db"), dir.path().join("baize.db")).unwrap();
    // Both databases have the same epoch number; still the log of the one must not continue in the other.
    assert_eq!(store.commit(commit(&open, row(8))).await, Err(StoreError::Fenced));
    let again = store.open("t").await.unwrap().opened_here().unwrap();
    assert_eq!(rows(&store).await, [7]);
    store.commit(commit(&again, row(8))).await.unwrap();
    assert_eq!(rows(&store).await, [7, 8]);
    assert!(dir.path().join("baize.db-wal.replaced").exists(), "the old log of writes is out of the way");
    drop(store);
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(rows(&store).await, [7, 8]);
}

/// Somebody cuts the database off, and later copies a backup over it. Regression: the store went on and acknowledged commits that
/// nobody could ever read, because the file was still the same one.
#[tokio::test]
async fn the_store_does_not_write_to_a_file_that_was_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let (path, backup) = (dir.path().join("baize.db"), dir.path().join("backup.db"));
    {
        let (store, _) = store(dir.path());
        let open = opened(&store).await;
        store.commit(commit(&open, row(1))).await.unwrap();
    }
    std::fs::copy(&path, &backup).unwrap();
    let (store, _fault) = store(dir.path());
    let open = store.open("t").await.unwrap().opened_here().unwrap();
    store.commit(commit(&open, row(2))).await.unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    for rest in [length / 2, 0] {
        std::fs::File::options().write(true).open(&path).unwrap().set_len(rest).unwrap();
        let refused = store.commit(commit(&open, row(3))).await.unwrap_err();
        assert!(refused.to_string().contains("a part of the file is gone"), "{refused}");
        assert!(store.check().await.is_err() && store.stats().health().failing.is_some());
    }
    std::fs::copy(&backup, &path).unwrap();
    assert_eq!(store.commit(commit(&open, row(3))).await, Err(StoreError::Fenced), "the backup is another database");
    let again = store.open("t").await.unwrap().opened_here().unwrap();
    assert_eq!(rows(&store).await, [1]);
    store.commit(commit(&again, row(2))).await.unwrap();
    drop(store);
    let store = SqliteStore::open(dir.path()).unwrap();
    assert_eq!(rows(&store).await, [1, 2]);
}

/// A disk that never answers does not keep the program from ending.
#[test]
fn dropping_a_hanging_store_returns() {
    let dir = tempfile::tempdir().unwrap();
    let hanging = Arc::new(AtomicUsize::new(0));
    let (struck, release) = (hanging.clone(), Arc::new(Mutex::new(())));
    let held = release.lock().unwrap();
    let gate = release.clone();
    let faults = Faults::new(move |name, _| {
        if name == "store/sync" && struck.fetch_add(1, SeqCst) == 0 {
            drop(gate.lock());
        }
        Ok(())
    });
    let store = SqliteStore::open_with(dir.path(), faults).unwrap();
    drop(store.put_blob([1; 32], vec![1]));
    while hanging.load(SeqCst) == 0 {
        std::thread::yield_now();
    }
    drop(store);
    drop(held);
}

/// When a database replaces another at run time, the store restricts its permissions, keeps the WALs of all databases before it, and
/// restricts theirs, too.
#[cfg(unix)]
#[tokio::test]
async fn replaced_databases_become_private_and_old_wals_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let (store, _fault) = store(dir.path());
    let mut open = opened(&store).await;
    for _ in 0..2 {
        let other = tempfile::tempdir().unwrap();
        drop(opened(&SqliteStore::open(other.path()).unwrap()).await);
        for name in ["baize.db", "baize.db-wal"] {
            let file = [other.path(), dir.path()][usize::from(name == "baize.db-wal")].join(name);
            std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
        }
        std::fs::rename(other.path().join("baize.db"), dir.path().join("baize.db")).unwrap();
        assert_eq!(store.commit(commit(&open, row(8))).await, Err(StoreError::Fenced));
        open = store.open("t").await.unwrap().opened_here().unwrap();
        store.commit(commit(&open, row(8))).await.unwrap();
    }
    for name in ["baize.db", "baize.db-wal", "baize.db-shm", "baize.db-wal.replaced", "baize.db-wal.replaced.2"] {
        let mode = std::fs::metadata(dir.path().join(name)).unwrap_or_else(|_| panic!("{name}")).permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

/// The reader skips reads whose callers are gone, so that they delay neither other reads nor the end of the program.
#[tokio::test]
async fn the_reader_skips_abandoned_reads() {
    let dir = tempfile::tempdir().unwrap();
    let (reads, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(())));
    let (counted, passed) = (reads.clone(), gate.clone());
    let faults = Faults::new(move |name, _| {
        if name == "store/read" {
            counted.fetch_add(1, SeqCst);
            drop(passed.lock());
        }
        Ok(())
    });
    let store = SqliteStore::open_with(dir.path(), faults).unwrap();
    store.put_blob([1; 32], vec![1]).await.unwrap();
    let held = gate.lock().unwrap();
    let first = store.blob(&[1; 32]);
    while reads.load(SeqCst) == 0 {
        std::thread::yield_now();
    }
    (0..300).for_each(|_| drop(store.blob(&[1; 32])));
    let last = store.blob(&[1; 32]);
    drop(held);
    assert_eq!((first.await.unwrap(), last.await.unwrap()), (Some(vec![1]), Some(vec![1])));
    assert_eq!(reads.load(SeqCst), 2);
}

/// The store bounds the number of waiting reads, and answers those that wait.
#[tokio::test]
async fn too_many_reads_at_once_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let gate = Arc::new(Mutex::new(()));
    let passed = gate.clone();
    let faults = Faults::new(move |name, _| {
        if name == "store/read" {
            drop(passed.lock());
        }
        Ok(())
    });
    let store = SqliteStore::open_with(dir.path(), faults).unwrap();
    let held = gate.lock().unwrap();
    let mut waiting: Vec<_> = (0..65_536).map(|_| store.blob(&[1; 32])).collect();
    let refused = store.blob(&[1; 32]);
    let last = waiting.pop().unwrap();
    drop((waiting, held));
    assert!(refused.await.is_err());
    assert_eq!(last.await, Ok(None));
    assert_eq!(store.blob(&[1; 32]).await, Ok(None));
}
