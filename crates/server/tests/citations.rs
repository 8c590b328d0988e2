//! Every behaviour of `docs/protocol.md` is cited by a test, and no test cites an unknown one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Words like `JOIN-3`.
fn ids(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let is_id = |word: &&str| {
        word.split_once('-').is_some_and(|(name, number)| {
            name.len() >= 3
                && name.chars().all(|c| c.is_ascii_uppercase())
                && !number.is_empty()
                && number.chars().all(|c| c.is_ascii_digit())
        })
    };
    // The name of an encoding has the form of an id.
    words.filter(is_id).filter(|word| *word != "UTF-8").map(str::to_owned).collect()
}

/// The behaviours that the comments of a file cite.
fn comments(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let comments: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("//")).collect();
    ids(&comments.join("\n"))
}

/// The behaviours that the comments of the tests cite, by file.
fn cited() -> BTreeMap<PathBuf, BTreeSet<String>> {
    let mut folders =
        vec![root().join("crates/server/tests"), root().join("crates/protocol/tests"), root().join("crates/cli/tests")];
    let mut found = BTreeMap::new();
    // Tests that need access to the inside of a room.
    for inside in ["month_test.rs", "stranger_tests.rs"] {
        let inside = root().join("crates/room/src/room").join(inside);
        found.insert(inside.clone(), comments(&inside));
    }
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("citations.rs") {
                found.insert(path.clone(), comments(&path));
            }
        }
    }
    found
}

#[test]
fn every_behaviour_is_cited_by_a_test() {
    let protocol = std::fs::read_to_string(root().join("docs/protocol.md")).unwrap();
    let rows = protocol.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let behaviours: BTreeSet<String> = rows.flat_map(ids).collect();
    assert!(behaviours.len() > 50, "the table of behaviours was not found");
    let cited = cited();
    let all: BTreeSet<String> = cited.values().flatten().cloned().collect();
    let missing: Vec<_> = behaviours.difference(&all).collect();
    assert!(missing.is_empty(), "no test cites {missing:?}");
    for (file, ids) in cited {
        let unknown: Vec<_> = ids.difference(&behaviours).collect();
        assert!(unknown.is_empty(), "{} cites {unknown:?}, which docs/protocol.md does not have", file.display());
    }
}
