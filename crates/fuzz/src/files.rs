//! Paths of the repository's files: seeds, stored corpora, named cases.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the folder with inputs that once broke a law. Their names say how. A test runs all of them.
pub fn cases(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(target)
}

/// Returns the folder with further inputs to start from.
pub fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// Returns the folder into which a driver writes inputs that break a law.
pub fn artifacts(target: &str) -> PathBuf {
    root().join("fuzz/artifacts").join(target)
}

/// Returns the files of a folder, sorted by name. Returns none if there is no such folder.
pub fn all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| fs::read(&path).ok().map(|bytes| (path, bytes))).collect()
}

/// Returns the contents of the files in a folder of the workspace whose names have this ending.
pub fn files_with_ending(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let files = all(&root().join(folder)).into_iter();
    files.filter(|(path, _)| path.to_string_lossy().ends_with(ending)).map(|(_, bytes)| bytes).collect()
}

/// Returns the files like [`files_with_ending`], as texts.
pub fn texts(folder: &str, ending: &str) -> Vec<String> {
    files_with_ending(folder, ending).into_iter().filter_map(|bytes| String::from_utf8(bytes).ok()).collect()
}

/// Returns the files like [`texts`], each with its name without the ending.
pub fn named_texts(folder: &str, ending: &str) -> Vec<(String, String)> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned());
    let files = all(&root().join(folder)).into_iter();
    files.filter_map(|(path, bytes)| Some((name(&path)?, String::from_utf8(bytes).ok()?))).collect()
}
