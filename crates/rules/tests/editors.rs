//! Tests that the grammar for editors contains every word of the language.

#[allow(dead_code)]
#[path = "../src/parse/words.rs"]
mod words;

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read_json(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Collects the words that the patterns of the grammar give a colour.
fn collect_coloured(grammar: &Value, found: &mut BTreeSet<String>) {
    match grammar {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(pattern) if key == "match" => found.extend(split_pattern(pattern)),
                    _ => collect_coloured(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_coloured(item, found)),
        _ => {}
    }
}

/// Splits `\b(?:after|and|…)\b` into `after`, `and` …
fn split_pattern(pattern: &str) -> Vec<String> {
    let inside = pattern.split("(?:").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or_default();
    inside
        .split('|')
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// Finds the words that the parser expects inside lines, which stand in its source and in no table.
fn find_parser_words() -> BTreeSet<String> {
    let folder = root().join("crates/rules/src/parse");
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the parser") {
        let source = fs::read_to_string(entry.expect("a file").path()).expect("a text");
        for call in ["at_word(\"", "eat_word(\"", "expect_word(\""] {
            found.extend(source.split(call).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
        let compared = source.lines().filter(|line| line.contains("word_at("));
        found.extend(
            compared
                .flat_map(|line| line.split("== \"").skip(1))
                .filter_map(|rest| rest.split('"').next())
                .map(str::to_owned),
        );
        for call in ["eat_words(&[", "one_of(&["] {
            let lists = source.split(call).skip(1).filter_map(|rest| rest.split(']').next());
            found.extend(lists.flat_map(|list| list.split('"').skip(1).step_by(2)).map(str::to_owned));
        }
    }
    found.extend(find_elaborator_words());
    // The parser knows this word of other languages only to say what to write instead.
    found.remove("true");
    found
}

/// Finds the words that the elaborator looks up.
fn find_elaborator_words() -> BTreeSet<String> {
    let folder = root().join("crates/rules/src/elaborate");
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the elaborator") {
        let source = fs::read_to_string(entry.expect("a file").path()).expect("a text");
        let calls = source.split("self.word(").skip(1).filter_map(|rest| rest.split(')').next());
        let lists = calls.filter_map(|call| call.split_once("&[")).filter_map(|(_, rest)| rest.split(']').next());
        found.extend(lists.flat_map(|list| list.split('"').skip(1).step_by(2)).map(str::to_owned));
        let compared = source.split("n == \"").skip(1).filter_map(|rest| rest.split('"').next());
        found.extend(compared.map(str::to_owned));
    }
    for word in ["blank", "leading", "centre", "slate", "weave"] {
        assert!(found.contains(word), "`{word}` was not found in the elaborator");
    }
    found
}

#[test]
fn the_grammar_contains_every_word() {
    let mut known = BTreeSet::new();
    collect_coloured(&read_json("editors/vscode/syntaxes/baize.tmLanguage.json"), &mut known);
    let inside = find_parser_words();
    assert!(inside.len() > 40, "only {} words were found in the parser", inside.len());
    let all = words::TABLES.iter().copied().flatten().map(|word| (*word).to_owned()).chain(inside);
    let missing: BTreeSet<String> = all.filter(|word| !known.contains(word)).collect();
    assert!(missing.is_empty(), "editors/vscode/syntaxes/baize.tmLanguage.json lacks {missing:?}");
}

#[test]
fn the_files_of_the_extension_refer_to_each_other() {
    let package = read_json("editors/vscode/package.json");
    let contributes = &package["contributes"];
    let language = &contributes["languages"][0];
    let grammar = &contributes["grammars"][0];
    assert_eq!(language["extensions"][0], ".baize");
    assert_eq!(grammar["language"], language["id"]);
    let at = |path: &Value| format!("editors/vscode/{}", path.as_str().expect("a path"));
    assert_eq!(read_json(&at(&language["configuration"]))["comments"]["lineComment"], "#");
    assert_eq!(read_json(&at(&grammar["path"]))["scopeName"], grammar["scopeName"]);
}
