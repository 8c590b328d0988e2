//! Migrations: databases of every earlier version keep all their contents.
//!
//! A file `tests/schemas/DATABASE-VERSION.sql` is a test: it has the schema exactly as that version made it, and the contents
//! that [`contents::check`] looks for. Whoever raises the version adds a file with the schema before.

mod contents;
mod postgres;
mod sqlite;

use std::path::Path;

/// The databases of earlier versions, the oldest first.
fn earlier(database: &str) -> Vec<(i64, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut all: Vec<(i64, String)> = files
        .filter_map(|path| {
            let (of, version) = path.file_stem()?.to_str()?.split_once('-')?;
            let version = version.parse().unwrap_or_else(|_| panic!("{} has no version", path.display()));
            (of == database).then(|| (version, std::fs::read_to_string(&path).unwrap()))
        })
        .collect();
    all.sort();
    let versions: Vec<i64> = all.iter().map(|(version, _)| *version).collect();
    assert_eq!(versions, (1..=all.len() as i64).collect::<Vec<_>>(), "there is a file for each version");
    all
}

/// Checks the message for an operator who starts an old program on a new database.
fn assert_explains_newer_version(error: &str, version: i64, known: i64) {
    let hints = [format!("has version {version}"), format!("up to {known}"), "newer baize".into(), "restore".into()];
    hints.iter().for_each(|words| assert!(error.contains(words), "{words}: {error}"));
}
