//! Tests: a migration that stops halfway leaves the database unchanged, wherever it stops.

use super::schema;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The tests stop a migration after every 29th instruction of SQLite's virtual machine.
const EVERY: i32 = 29;

/// Names and scripts of databases of all earlier versions, and an empty one.
fn earlier_databases() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let named = files.filter_map(|path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        name.starts_with("sqlite-").then(|| (name, fs::read_to_string(&path).unwrap()))
    });
    let mut all: Vec<_> = named.chain([("empty".to_owned(), String::new())]).collect();
    all.sort();
    assert!(all.len() > 3, "only {} databases were found", all.len());
    all
}

/// Makes a database from a script, in a folder of its own.
fn make_database(script: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("baize.db");
    let connection = schema::connect(&path).unwrap();
    connection.execute_batch(script).unwrap();
    connection.close().unwrap();
    (dir, path)
}

/// Reads the version, the schema and all rows of a database, except the times that a migration fills in.
fn read_all(path: &Path) -> (i64, Vec<String>) {
    let connection = Connection::open(path).unwrap();
    let version = schema::known_version(&connection).unwrap();
    let mut all = Vec::new();
    let mut names = connection.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").unwrap();
    let names = names.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))).unwrap();
    for (name, sql) in names.map(Result::unwrap) {
        let is_table = sql.as_deref().is_some_and(|sql| sql.starts_with("CREATE TABLE"));
        all.push(format!("{name}: {sql:?}"));
        let Ok(mut rows) = connection.prepare(&format!("SELECT * FROM \"{name}\"")) else { continue };
        let columns: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let mut rows = rows.query([]).unwrap();
        while let (true, Some(row)) = (is_table, rows.next().unwrap()) {
            let kept = (0..columns.len()).filter(|n| !["created_at", "used_at"].contains(&columns[*n].as_str()));
            all.push(format!("{name}: {:?}", kept.map(|n| row.get_ref(n).unwrap()).collect::<Vec<_>>()));
        }
    }
    (version, all)
}

/// The contents of a database before and after its migration.
struct Migration {
    before: (i64, Vec<String>),
    after: (i64, Vec<String>),
}

impl Migration {
    fn of(script: &str) -> Self {
        let (_dir, path) = make_database(script);
        let before = read_all(&path);
        schema::prepare(&schema::connect(&path).unwrap()).unwrap();
        let after = read_all(&path);
        assert!(before.0 < after.0);
        Migration { before, after }
    }

    /// Returns whether the database is migrated. Panics if it is neither as before nor as after the migration, or if it cannot be
    /// migrated from there.
    fn is_done(&self, path: &Path, case: &str) -> bool {
        let found = read_all(path);
        assert!(found == self.before || found == self.after, "{case}: something between: {found:#?}");
        schema::prepare(&schema::connect(path).unwrap()).unwrap();
        assert_eq!(read_all(path), self.after, "{case}, and then once more");
        found == self.after
    }
}

/// STORE-28: SQLite fails in the middle of a migration.
#[test]
fn a_failed_migration_changes_nothing() {
    for (name, script) in earlier_databases() {
        let migration = Migration::of(&script);
        let (_original, original) = make_database(&script);
        // `Migration::of` has shown that the migration succeeds if nobody stops it.
        for stop in 1.. {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("baize.db");
            fs::copy(&original, &path).unwrap();
            let mut connection = schema::connect(&path).unwrap();
            let mut ticks = 0;
            let interrupt = move || {
                ticks += 1;
                ticks >= stop
            };
            connection.progress_handler(EVERY, Some(interrupt)).unwrap();
            let migrated = schema::prepare(&connection);
            drop(connection);
            let done = migration.is_done(&path, &format!("{name}, stopped at point {stop}"));
            assert!(done || migrated.is_err(), "{name}: the migration did nothing and returned no error");
            if migrated.is_ok() {
                assert!(stop > 10, "{name}: only {stop} points to stop at");
                break;
            }
        }
    }
}

/// STORE-28: the process is killed in the middle of a migration. The test copies the files at every point: that is what a killed process
/// leaves behind.
#[test]
fn a_killed_migration_leaves_the_old_or_the_new_schema() {
    let mut spilled = false;
    for (name, script) in earlier_databases() {
        let migration = Migration::of(&script);
        let (_dir, path) = make_database(&script);
        let wal = path.with_extension("db-wal");
        let images = tempfile::tempdir().unwrap();
        let taken = Arc::new(AtomicUsize::new(0));
        let lengths = Arc::new(Mutex::new(Vec::new()));
        let mut connection = schema::connect(&path).unwrap();
        // With a small cache SQLite writes changes to the WAL before the commit, too.
        connection.execute_batch("PRAGMA cache_size = 1").unwrap();
        let take = {
            let (path, wal, images) = (path.clone(), wal.clone(), images.path().to_owned());
            let (taken, lengths) = (taken.clone(), lengths.clone());
            move || {
                let image = images.join(taken.fetch_add(1, Ordering::Relaxed).to_string());
                fs::create_dir(&image).unwrap();
                fs::copy(&path, image.join("baize.db")).unwrap();
                let length = fs::copy(&wal, image.join("baize.db-wal")).unwrap_or(0);
                lengths.lock().unwrap().push(length);
                false
            }
        };
        connection.progress_handler(EVERY, Some(take)).unwrap();
        schema::prepare(&connection).unwrap();
        let whole = fs::read(&wal).unwrap();
        let images_taken = taken.load(Ordering::Relaxed);
        let done: Vec<bool> = (0..images_taken)
            .map(|n| {
                let image = images.path().join(n.to_string()).join("baize.db");
                migration.is_done(&image, &format!("{name}, killed at point {n}"))
            })
            .collect();
        assert!(!done[0] && done.is_sorted(), "{name}: {done:?}");
        // A kill during the commit leaves a WAL that is cut off somewhere.
        let mut done = 0;
        let cuts: Vec<usize> = (0..whole.len()).step_by(1000).chain([whole.len()]).collect();
        for cut in &cuts {
            let dir = tempfile::tempdir().unwrap();
            let image = dir.path().join("baize.db");
            fs::copy(&path, &image).unwrap();
            fs::write(dir.path().join("baize.db-wal"), &whole[..*cut]).unwrap();
            done += usize::from(migration.is_done(&image, &format!("{name}, {cut} bytes of the WAL")));
        }
        assert!(done >= 1 && done < cuts.len(), "{name}: {done} of {} cuts", cuts.len());
        assert!(images_taken > 10, "{name}: {images_taken} points");
        let lengths = lengths.lock().unwrap();
        spilled |= name != "empty" && lengths.iter().max() > lengths.first();
    }
    // A migration of a few pages fits into the smallest cache; the others do not.
    assert!(spilled, "nothing was ever written before the commit");
}
