//! Checks that the files and tests exist that the documents name.

use crate::workspace::root;
use std::path::{Path, PathBuf};

#[test]
fn every_source_that_a_document_names_exists() {
    let mut faults = Vec::new();
    for (name, text) in documents() {
        for quoted in quoted(&text).filter(|text| is_source(text) && text.contains('/')) {
            if !places(quoted).iter().any(|place| place.exists()) {
                faults.push(format!("{name}: there is no {quoted}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_test_that_a_document_names_exists() {
    let mut code = String::new();
    read_sources(&root().join("crates"), &mut code);
    read_sources(&root().join("xtask"), &mut code);
    let mut faults = Vec::new();
    for (name, text) in documents() {
        for quoted in quoted(&text).filter(|text| is_test_name(text)) {
            if !code.contains(&format!("fn {quoted}(")) {
                faults.push(format!("{name}: there is no test {quoted}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// All pages of `docs`: name and text.
fn documents() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = entries.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages
        .map(|path| (path.file_name().unwrap().display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

fn read_sources(folder: &Path, into: &mut String) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            read_sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *into += &std::fs::read_to_string(&path).unwrap();
        }
    }
}

/// Whether a quoted text is the name of a test. Names of tests are whole sentences; names of settings and metrics have fewer
/// words.
fn is_test_name(text: &str) -> bool {
    let words = text.split('_').count();
    let plain = text.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_');
    words >= 5 && plain && !text.starts_with("baize_") && !text.starts_with("max_")
}

/// All texts between backquotes.
pub fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

pub fn is_source(text: &str) -> bool {
    [".rs", ".ts", ".tsx"].iter().any(|end| text.ends_with(end)) && !text.contains([' ', '*', '…'])
}

/// The places to which a path in a document may refer: documents name crates with and without `crates/`.
fn places(path: &str) -> Vec<PathBuf> {
    let (root, mut found) = (root(), Vec::new());
    found.push(root.join(path));
    found.push(root.join("crates").join(path));
    for entry in std::fs::read_dir(root.join("crates")).unwrap() {
        found.push(entry.unwrap().path().join("src").join(path));
    }
    found
}
