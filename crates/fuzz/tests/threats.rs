//! Checks that the tests, files and fuzz targets that the threat model names exist.

use baize_fuzz::{files, target};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Collects the paths of the files below a folder whose names end in this way.
fn files_below(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            files_below(&path, ending, into);
        } else if path.to_string_lossy().ends_with(ending) {
            into.push(path);
        }
    }
}

/// Collects the names of the functions that `cargo test` runs: those right below `#[test]` or `#[tokio::test…]`, with further attributes
/// and comments between, and not ignored.
fn add_tests<'a>(source: &'a str, into: &mut BTreeSet<&'a str>) {
    let (mut is_test, mut is_ignored) = (false, false);
    for line in source.lines().map(str::trim) {
        is_test |= line == "#[test]" || line.starts_with("#[tokio::test");
        is_ignored |= line.starts_with("#[ignore");
        if line.is_empty() || line.starts_with("#[") || line.starts_with("//") {
            continue;
        }
        let name = line.trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ");
        if let (Some(name), true, false) = (name, is_test, is_ignored) {
            into.insert(name.split(['(', '<']).next().unwrap_or_default());
        }
        (is_test, is_ignored) = (false, false);
    }
}

/// Whether a browser test of this title runs: it is neither skipped nor to be done.
fn is_browser_test(title: &str, source: &str) -> bool {
    let calls = ["test(", "it("]
        .into_iter()
        .flat_map(|call| ["\"", "'", "`"].map(|quote| format!("{call}{quote}{title}{quote}")));
    let runs = |line: &str, call: &String| line.trim_start().starts_with(&call[..]);
    calls.into_iter().any(|call| source.lines().any(|line| runs(line, &call)))
}

#[test]
fn threat_model_names_only_tests_that_exist() {
    let page = fs::read_to_string(files::root().join("docs/threat-model.md")).unwrap();
    let read = |folder: &str, ending: &str| {
        let mut paths = Vec::new();
        files_below(&files::root().join(folder), ending, &mut paths);
        paths.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<String>>()
    };
    let (code, browser) = (read("crates", ".rs"), read("web", ".test.ts").join("\n"));
    let mut tests = BTreeSet::new();
    code.iter().for_each(|source| add_tests(source, &mut tests));
    assert!(tests.len() > 600, "only {} tests are found", tests.len());
    let is_law = |name: &str| code.iter().any(|source| source.contains(&format!("pub fn {name}(")));
    let (mut named, mut missing) = (0, Vec::new());
    // Rows have three columns; the last names the tests of a defence.
    for row in page.lines().filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 2) {
        let shown = row.rsplit(" | ").next().unwrap_or_default();
        for name in shown.split('`').skip(1).step_by(2) {
            named += 1;
            let there = match name {
                path if path.contains('/') => files::root().join(path).exists(),
                law if law.starts_with("laws::") => is_law(&law[6..]),
                title if title.contains(' ') => is_browser_test(title, &browser),
                name => target(name).is_some() || tests.contains(name),
            };
            if !there {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(named > 30, "only {named} names are found: has the form of the page changed?");
    assert!(missing.is_empty(), "docs/threat-model.md names what is not there, or does not run: {missing:?}");
}

#[test]
fn functions_that_do_not_run_are_no_tests() {
    let source = "
#[test]
fn runs() {}
#[tokio::test(flavor = \"multi_thread\")]
// A comment, and another attribute.
#[cfg(unix)]
async fn waits() {}
#[test]
#[ignore = \"slow\"]
fn is_ignored() {}
fn helps() {}
#[test]
const NOTHING: u8 = 0;
fn comes_later() {}
";
    let mut tests = BTreeSet::new();
    add_tests(source, &mut tests);
    assert_eq!(tests.into_iter().collect::<Vec<_>>(), ["runs", "waits"]);
    let browser = "test('a table', () => {});\n  it(`a hand`, f);\ntest.skip('a card', f);\ntest.todo('a pile');\n// test('a deck', f);";
    let runs = ["a table", "a hand", "a card", "a pile", "a deck"].map(|title| is_browser_test(title, browser));
    assert_eq!(runs, [true, true, false, false, false]);
}
