//! Where the repository's files are: seeds, kept corpora, named cases.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Inputs that once broke a law, each with a name that says how. A test replays all of them.
pub fn cases(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(target)
}

/// Inputs worth starting from that no file of the repository gives.
pub fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// Where a driver writes what breaks a law.
pub fn artifacts(target: &str) -> PathBuf {
    root().join("fuzz/artifacts").join(target)
}

/// The files of a folder in the order of their names; none if there is no such folder.
pub fn all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes))).collect()
}

/// The contents of the files under a folder of the workspace whose names end in this.
pub fn under(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let files = all(&root().join(folder)).into_iter();
    files.filter(|(path, _)| path.to_string_lossy().ends_with(ending)).map(|(_, bytes)| bytes).collect()
}

/// The same, as texts.
pub fn texts(folder: &str, ending: &str) -> Vec<String> {
    under(folder, ending).into_iter().filter_map(|bytes| String::from_utf8(bytes).ok()).collect()
}
