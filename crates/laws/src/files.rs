//! The source files in which the sites lie. The program `baize-laws` and `tests/switches.rs` share this list, so that neither leaves out a
//! file that the other reads.

use baize_laws::sites::{self, Site};
use std::path::{Path, PathBuf};

/// The folder of the checks for leaks.
const CHECKS: &str = "rules/src/elaborate";
/// Folders of the engine that decide who sees what.
const MASKS: [&str; 3] = ["engine/src/sight", "engine/src/observe", "engine/src/present"];
/// Files outside of these folders that read who sees what.
const READERS: [&str; 5] = [
    "engine/src/sight.rs",
    "engine/src/live.rs",
    "engine/src/resample.rs",
    "engine/src/definition/slots.rs",
    "engine/src/definition/preview.rs",
];

pub fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of the checker in which checks for leaks lie.
pub fn checked_files() -> Vec<PathBuf> {
    rust_files(&crates().join(CHECKS))
}

/// The files of the engine that decide or read who sees what.
pub fn masked_files() -> Vec<PathBuf> {
    let inside = MASKS.iter().flat_map(|folder| rust_files(&crates().join(folder)));
    READERS.iter().map(|file| crates().join(file)).chain(inside).collect()
}

/// All sites, in the order of their files.
pub fn all_sites() -> Vec<Site> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let checks = checked_files();
    let checks = checks.iter().flat_map(|path| sites::checks(&name(path), &read(path)));
    let masked: String = masked_files().iter().map(read).collect();
    checks.chain(sites::masks(&masked)).collect()
}

/// The source files of a folder. A folder inside it would be left out, so there may be none.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let inside: Vec<&PathBuf> = entries.iter().filter(|path| path.is_dir()).collect();
    assert!(inside.is_empty(), "the sites in {inside:?} are not looked for");
    let mut files: Vec<PathBuf> =
        entries.into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    files.sort();
    files
}
