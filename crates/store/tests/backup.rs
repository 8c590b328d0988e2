//! Backups of SQLite: complete, made while a server writes, and refused if they are damaged.

use baize_store::backup::{self, BackupError};
use baize_store::{Commit, GameRow, LogRow, NewTable, SqliteStore, Store, TableQuotas, Write};
use std::fs;
use std::path::Path;

fn row(seq: u64) -> LogRow {
    LogRow { seq, at: 1000 + seq, input: vec![seq as u8; 40], old_batches: seq.to_string().into_bytes() }
}

/// Makes a table with one game.
async fn begun(store: &SqliteStore) -> (i64, i64) {
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
    store.create(table).await.unwrap();
    let open = store.open("abc").await.unwrap().opened_here().unwrap();
    let game = Write::Game(GameRow { id: "g".into(), record: vec![] });
    store.commit(Commit { table: open.id, epoch: open.epoch, writes: vec![game] }).await.unwrap();
    (open.id, open.epoch)
}

fn commit(table: i64, epoch: i64, seq: u64) -> Commit {
    Commit { table, epoch, writes: vec![Write::Log { game: "g".into(), row: row(seq) }] }
}

/// Makes a database, closes it and makes a backup of it.
async fn backed_up(dir: &Path) -> std::path::PathBuf {
    let store = SqliteStore::open(&dir.join("data")).unwrap();
    let (table, epoch) = begun(&store).await;
    for seq in 1..=300 {
        store.commit(commit(table, epoch, seq)).await.unwrap();
    }
    store.close().await.unwrap();
    let file = dir.join("copy.db");
    backup::make(&dir.join("data"), &file).unwrap();
    file
}

/// STORE-29: a backup has everything that was acknowledged before it began, and of later rows a prefix without gaps.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_has_everything_acknowledged_before_it_began() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let store = std::sync::Arc::new(SqliteStore::open(&data).unwrap());
    let (table, epoch) = begun(&store).await;
    let (acknowledged, mut acknowledged_seq) = tokio::sync::watch::channel(0);
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for seq in 1..=6000 {
                store.commit(commit(table, epoch, seq)).await.unwrap();
                acknowledged.send_replace(seq);
            }
        }
    });
    // At some of these moments rows are only in the journal, at others only in segments, at others in both.
    for n in 1..=8u64 {
        acknowledged_seq.wait_for(|seq| *seq >= n * 600).await.unwrap();
        let before = *acknowledged_seq.borrow();
        let file = dir.path().join(format!("copy-{n}.db"));
        let contents = tokio::task::block_in_place(|| backup::make(&data, &file)).unwrap();
        assert_eq!((contents.tables, contents.games), (1, 1));
        assert_eq!(backup::check(&file).unwrap(), contents);
        let place = dir.path().join(format!("restored-{n}"));
        assert_eq!(backup::restore(&file, &place).unwrap(), contents);
        let restored = SqliteStore::open(&place).unwrap();
        let log = restored.log("g", 0, u32::MAX).await.unwrap();
        assert!(log.len() as u64 >= before, "{before} were acknowledged, {} are there", log.len());
        assert_eq!(log, (1..=log.len() as u64).map(row).collect::<Vec<_>>());
        // The restored log can be continued under a new epoch.
        let open = restored.open("abc").await.unwrap().opened_here().unwrap();
        restored.commit(commit(open.id, open.epoch, log.len() as u64 + 1)).await.unwrap();
        restored.close().await.unwrap();
    }
    writing.await.unwrap();
}

/// STORE-29: a backup is readable by its owner only, has a checksum file for `sha256sum`, and overwrites nothing.
#[tokio::test]
async fn a_backup_is_two_files_and_overwrites_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = backed_up(dir.path()).await;
    let mut names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["copy.db", "copy.db.sha256", "data"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let line = fs::read_to_string(dir.path().join("copy.db.sha256")).unwrap();
    assert_eq!(line, format!("{}  copy.db\n", backup::check(&file).unwrap().checksum));
    let data = dir.path().join("data");
    let before = fs::read(&file).unwrap();
    assert_eq!(backup::make(&data, &file), Err(BackupError::Exists(file.clone())));
    assert_eq!(fs::read(&file).unwrap(), before);
    let nothing = backup::make(dir.path(), &dir.path().join("other.db"));
    assert_eq!(nothing, Err(BackupError::NoDatabase(dir.path().join("baize.db"))));
    // The remains of an interrupted backup do not matter.
    fs::write(dir.path().join("next.db.part"), "half of it").unwrap();
    backup::make(&data, &dir.path().join("next.db")).unwrap();
    assert!(!dir.path().join("next.db.part").exists());
    // A backup that cannot be written leaves nothing behind.
    let error = backup::make(&data, &dir.path().join("nowhere/copy.db")).unwrap_err();
    assert!(matches!(error, BackupError::File(..)), "{error}");
}

/// STORE-30: every kind of damage is found before anything is restored, and the message says so.
#[tokio::test]
async fn a_damaged_backup_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = backed_up(dir.path()).await;
    let (good, beside) = (fs::read(&file).unwrap(), dir.path().join("copy.db.sha256"));
    let checksum = fs::read_to_string(&beside).unwrap();
    let place = dir.path().join("restored");
    let refused = |what: &str| {
        assert!(backup::check(&file).is_err(), "{what}");
        let error = backup::restore(&file, &place).unwrap_err().to_string();
        assert!(!place.join("baize.db").exists(), "{what}");
        error
    };
    // A single flipped bit anywhere.
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(&file, &bad).unwrap();
        let error = refused(&format!("a bit of byte {at}"));
        assert!(error.contains("is damaged (its checksum is") && error.contains("use another backup"), "{error}");
    }
    fs::write(&file, &good[..good.len() / 2]).unwrap();
    assert!(refused("cut off").contains("is damaged"));
    fs::write(&file, "").unwrap();
    assert!(refused("empty").contains("is damaged"));
    // With a new checksum for the damaged file, only SQLite and the encoding of the logs can show the damage.
    let sealed = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        fs::write(&beside, "").unwrap();
        let why = backup::check(&file).unwrap_err().to_string();
        let sum = why.split("its checksum is ").nth(1).unwrap().split(',').next().unwrap().to_owned();
        fs::write(&beside, sum).unwrap();
    };
    sealed(&good[..good.len() - 4096]);
    assert!(refused("cut off").contains("is damaged"));
    let mut bad = good.clone();
    // Damages every page but the first, without which SQLite does not recognise a database.
    bad[4096..].iter_mut().for_each(|byte| *byte = !*byte);
    sealed(&bad);
    assert!(refused("other pages").contains("is damaged"));
    sealed(b"This is a letter, and no database, however long it may go on.");
    assert!(refused("no database").contains("not a database"));
    fs::remove_file(&beside).unwrap();
    let error = refused("no checksum");
    assert!(error.contains("copy.db.sha256 is missing") && error.contains("copy it here"), "{error}");
    fs::write(&beside, checksum).unwrap();
    fs::write(&file, &good).unwrap();
    backup::restore(&file, &place).unwrap();
    assert_eq!(fs::read(place.join("baize.db")).unwrap(), good);
}

/// STORE-30: a log that cannot be decoded is damage, too, although SQLite finds nothing wrong.
#[tokio::test]
async fn a_damaged_database_makes_no_backup() {
    let dir = tempfile::tempdir().unwrap();
    backed_up(dir.path()).await;
    let data = dir.path().join("data");
    let spoil = |sql: &str| rusqlite::Connection::open(data.join("baize.db")).unwrap().execute_batch(sql).unwrap();
    let refused = || {
        let error = backup::make(&data, &dir.path().join("next.db")).unwrap_err().to_string();
        assert!(!dir.path().join("next.db").exists() && !dir.path().join("next.db.part").exists());
        error
    };
    spoil("INSERT INTO journal (rows) VALUES (x'ff')");
    assert!(refused().contains("baize.db is damaged (the journal can't be read)"), "{}", refused());
    spoil("DELETE FROM journal; UPDATE stretches SET rows = x'ffff'");
    assert!(refused().contains("the log of a game can't be read"), "{}", refused());
    spoil(
        "DELETE FROM stretches; PRAGMA foreign_keys = OFF; INSERT INTO members (member, table_id) VALUES (x'01', 77)",
    );
    assert!(refused().contains("refers to one that is not there"), "{}", refused());
    spoil("DELETE FROM members; PRAGMA user_version = 999");
    assert!(refused().contains("newer baize"), "{}", refused());
}

/// STORE-30: files of another database in the folder prevent a restore, because SQLite would read them.
#[tokio::test]
async fn restore_refuses_a_folder_with_a_database() {
    let dir = tempfile::tempdir().unwrap();
    let file = backed_up(dir.path()).await;
    for left in ["baize.db", "baize.db-wal", "baize.db-shm", "baize.db-journal"] {
        let place = dir.path().join(format!("with-{left}"));
        fs::create_dir(&place).unwrap();
        fs::write(place.join(left), "what was there").unwrap();
        assert_eq!(backup::restore(&file, &place), Err(BackupError::Exists(place.join(left))));
        let names: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [left]);
        assert_eq!(fs::read_to_string(place.join(left)).unwrap(), "what was there");
    }
}

/// STORE-30: a backup of any earlier version can be restored, and the server migrates it.
#[test]
fn backups_of_earlier_versions_are_restored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    for version in 1..=4 {
        let dir = tempfile::tempdir().unwrap();
        let script = fs::read_to_string(folder.join(format!("sqlite-{version}.sql"))).unwrap();
        let old = rusqlite::Connection::open(dir.path().join("baize.db")).unwrap();
        old.execute_batch(&script).unwrap();
        drop(old);
        let file = dir.path().join("copy.db");
        assert_eq!(backup::make(dir.path(), &file).unwrap().tables, 2);
        let place = dir.path().join("restored");
        backup::restore(&file, &place).unwrap();
        drop(SqliteStore::open(&place).unwrap());
    }
}
