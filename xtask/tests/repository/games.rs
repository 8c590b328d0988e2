//! No source names a game: a game is a file, and the code treats all of them alike.

use crate::sources::all_sources;
use crate::workspace::{crates, read, root};
use std::path::{Path, PathBuf};

/// The name of a game that is also the word for a suit.
const SUIT: &str = "hearts";

#[test]
fn no_source_outside_tests_names_a_game() {
    let names = game_names();
    let mut faults = Vec::new();
    for path in rust_sources().into_iter().chain(web_sources(&root().join("web/src"))) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (number, line) in (1..).zip(without_test_module(&text).lines()) {
            let line = line.to_lowercase();
            for name in names.iter().filter(|name| has_word(&line, name)) {
                let path = path.strip_prefix(root()).unwrap_or(&path);
                faults.push(format!("  {}:{number} names the game {name}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "these lines must hold for every game:\n{}", faults.join("\n"));
}

/// The file names and titles of all games, in lower case.
fn game_names() -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root().join("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "baize") {
            continue;
        }
        let text = read(&format!("games/{}", path.file_name().unwrap().display()));
        let title =
            text.lines().find_map(|line| line.strip_prefix("game \"")?.strip_suffix('"')).map(str::to_lowercase);
        names.push(title.unwrap_or_else(|| panic!("{} has no title", path.display())));
        names.push(path.file_stem().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    names.dedup();
    names.retain(|name| name != SUIT);
    assert!(names.len() > 10, "the games can't be found: {names:?}");
    names
}

/// All Rust sources except those that only tests compile.
fn rust_sources() -> Vec<PathBuf> {
    let folders = crates();
    let of_crate = |(name, sources): (&String, &'static Vec<crate::sources::Source>)| {
        let src = folders[name].folder.join("src");
        sources.iter().map(move |source| src.join(&source.path)).collect::<Vec<_>>()
    };
    all_sources().iter().flat_map(of_crate).collect()
}

fn web_sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() {
            found.extend(web_sources(&path));
        } else if (name.ends_with(".ts") || name.ends_with(".tsx")) && !name.contains(".test.") {
            found.push(path);
        }
    }
    found
}

/// The text above the tests at the end of a Rust file.
fn without_test_module(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn has_word(line: &str, word: &str) -> bool {
    let is_letter = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + word.len()..].chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

#[test]
fn words_are_found_as_a_whole() {
    assert!(has_word("deal pig | head", "pig") && has_word("games/pig.baize", "pig") && has_word("pig", "pig"));
    assert!(!has_word("a pigeon", "pig") && !has_word("warn", "war") && !has_word("software", "war"));
}
