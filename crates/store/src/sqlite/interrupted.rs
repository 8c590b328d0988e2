//! A migration that stops on the way leaves the database as it was, wherever it stops.

use super::schema;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Instructions of SQLite's machine between two places where a migration is stopped.
const EVERY: i32 = 29;

/// Databases of all earlier versions, and an empty one.
fn earlier() -> Vec<(String, String)> {
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

/// A folder with the database that a script makes.
fn made(script: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("baize.db");
    let connection = schema::connect(&path).unwrap();
    connection.execute_batch(script).unwrap();
    connection.close().unwrap();
    (dir, path)
}

/// Everything in a database, except the times that a migration fills in.
fn state(path: &Path) -> (i64, Vec<String>) {
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

/// What a database is before and after it was brought up to date.
struct Ends {
    before: (i64, Vec<String>),
    after: (i64, Vec<String>),
}

impl Ends {
    fn of(script: &str) -> Self {
        let (_dir, path) = made(script);
        let before = state(&path);
        schema::prepare(&schema::connect(&path).unwrap()).unwrap();
        let after = state(&path);
        assert!(before.0 < after.0);
        Ends { before, after }
    }

    /// Whether it is the new state. It is the old one otherwise; and from either one it goes on.
    fn has_changed(&self, path: &Path, place: &str) -> bool {
        let found = state(path);
        assert!(found == self.before || found == self.after, "{place}: something between: {found:#?}");
        schema::prepare(&schema::connect(path).unwrap()).unwrap();
        assert_eq!(state(path), self.after, "{place}, and then once more");
        found == self.after
    }
}

/// STORE-28: an error in the midst of a migration.
#[test]
fn a_migration_that_fails_anywhere_changes_nothing() {
    for (name, script) in earlier() {
        let ends = Ends::of(&script);
        let (_original, original) = made(&script);
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
            let changed = ends.has_changed(&path, &format!("{name}, stopped at place {stop}"));
            assert!(changed || migrated.is_err(), "{name}: nothing was done, and nobody was told");
            if migrated.is_ok() {
                assert!(stop > 10, "{name}: only {stop} places to stop at");
                break;
            }
        }
    }
}

/// STORE-28: the process is killed in the midst of a migration. What it leaves is what its files are at that moment.
#[test]
fn a_migration_that_is_killed_anywhere_leaves_the_old_or_the_new_tables() {
    for (name, script) in earlier() {
        let ends = Ends::of(&script);
        let (_dir, path) = made(&script);
        let log = path.with_extension("db-wal");
        let images = tempfile::tempdir().unwrap();
        let taken = Arc::new(AtomicUsize::new(0));
        let lengths = Arc::new(Mutex::new(Vec::new()));
        let mut connection = schema::connect(&path).unwrap();
        // With a small cache, changes are written to the log of writes before the commit, too.
        connection.execute_batch("PRAGMA cache_size = 1").unwrap();
        let take = {
            let (path, log, images) = (path.clone(), log.clone(), images.path().to_owned());
            let (taken, lengths) = (taken.clone(), lengths.clone());
            move || {
                let image = images.join(taken.fetch_add(1, Ordering::Relaxed).to_string());
                fs::create_dir(&image).unwrap();
                fs::copy(&path, image.join("baize.db")).unwrap();
                let length = fs::copy(&log, image.join("baize.db-wal")).unwrap_or(0);
                lengths.lock().unwrap().push(length);
                false
            }
        };
        connection.progress_handler(EVERY, Some(take)).unwrap();
        schema::prepare(&connection).unwrap();
        let whole = fs::read(&log).unwrap();
        let images_taken = taken.load(Ordering::Relaxed);
        let changed: Vec<bool> = (0..images_taken)
            .map(|n| {
                let image = images.path().join(n.to_string()).join("baize.db");
                ends.has_changed(&image, &format!("{name}, killed at place {n}"))
            })
            .collect();
        assert!(!changed[0] && changed.is_sorted(), "{name}: {changed:?}");
        // The commit itself: so much of the log had reached the file.
        let mut changed = 0;
        let cuts: Vec<usize> = (0..whole.len()).step_by(1000).chain([whole.len()]).collect();
        for cut in &cuts {
            let dir = tempfile::tempdir().unwrap();
            let image = dir.path().join("baize.db");
            fs::copy(&path, &image).unwrap();
            fs::write(dir.path().join("baize.db-wal"), &whole[..*cut]).unwrap();
            changed += usize::from(ends.has_changed(&image, &format!("{name}, {cut} bytes of the log")));
        }
        assert!(changed >= 1 && changed < cuts.len(), "{name}: {changed} of {} cuts", cuts.len());
        assert!(images_taken > 10, "{name}: {images_taken} moments");
        if name != "empty" {
            let lengths = lengths.lock().unwrap();
            assert!(lengths.iter().max() > lengths.first(), "{name}: nothing was written before the commit");
        }
    }
}
