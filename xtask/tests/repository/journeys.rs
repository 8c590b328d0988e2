//! Checks that the journeys through the code in `docs/ARCHITECTURE.md` name files and functions that exist.
//!
//! Each step of a journey is an item of a numbered list. It names files in backquotes (`crates/…/x.rs`), and functions with
//! parentheses (`Type::name()`), each of which one of the step's files defines.

use crate::documents::{is_source, quoted};
use crate::workspace::{read, root};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
const SECTION: &str = "## Four journeys\n";

struct Journey {
    title: String,
    steps: Vec<String>,
}

#[test]
fn every_file_and_function_of_the_journeys_exists() {
    let journeys = journeys(&read(DOCUMENT));
    assert_eq!(journeys.len(), 4, "{DOCUMENT} has four journeys, each below a heading `### `");
    let mut faults = Vec::new();
    for journey in &journeys {
        assert!(journey.steps.len() >= 4, "“{}” is a numbered list of at least four steps", journey.title);
        for (index, step) in journey.steps.iter().enumerate() {
            let step_name = format!("“{}”, step {}", journey.title, index + 1);
            faults.extend(check(step).into_iter().map(|fault| format!("{step_name}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn journeys(text: &str) -> Vec<Journey> {
    let section = text.split_once(SECTION).unwrap_or_else(|| panic!("{DOCUMENT} has no section {SECTION}")).1;
    let section = section.split("\n## ").next().unwrap();
    section.split("\n### ").skip(1).map(journey).collect()
}

fn journey(text: &str) -> Journey {
    let mut lines = text.lines();
    let title = lines.next().unwrap().to_owned();
    let mut steps: Vec<String> = Vec::new();
    for line in lines {
        let numbered = line.split_once(". ").is_some_and(|(number, _)| number.parse::<usize>().is_ok());
        match steps.last_mut() {
            _ if numbered => steps.push(line.to_owned()),
            Some(step) if line.starts_with(' ') => *step += &format!("\n{line}"),
            _ => {}
        }
    }
    Journey { title, steps }
}

fn check(step: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut files, mut functions) = (Vec::new(), Vec::new());
    for quoted in quoted(step) {
        if is_source(quoted) {
            match std::fs::read_to_string(root().join(quoted)) {
                Ok(text) => files.push(text),
                Err(_) => faults.push(format!("there is no file {quoted}")),
            }
        } else if let Some(function) = quoted.strip_suffix("()") {
            functions.push(function);
        }
    }
    if faults.is_empty() && (files.is_empty() || functions.is_empty()) {
        faults.push("it names no file (`crates/…/x.rs`) or no function (`name()`)".to_owned());
    }
    for function in functions {
        let name = function.rsplit("::").next().unwrap();
        let owner = function.rsplit("::").nth(1);
        let known = |text: &String| defines(text, name) && owner.is_none_or(|owner| text.contains(owner));
        if faults.is_empty() && !files.iter().any(known) {
            faults.push(format!("no file of this step defines {function}()"));
        }
    }
    faults
}

/// Whether a source in Rust or TypeScript defines a function of this name.
fn defines(text: &str, name: &str) -> bool {
    let before = ["fn ", "function ", "const ", "macro_rules! "];
    // Methods of classes in TypeScript have no keyword.
    let methods = ["  ", "  private ", "  async ", "  private async "];
    text.match_indices(name).any(|(at, _)| {
        let (start, end) = (&text[..at], &text[at + name.len()..]);
        let ends = !end.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        let is_method = end.starts_with('(') || end.starts_with(" = (");
        ends && before.iter().any(|word| start.ends_with(word))
            || is_method && methods.iter().any(|word| start.ends_with(&format!("\n{word}")))
    })
}

#[test]
fn steps_that_name_nothing_or_something_wrong_are_found() {
    assert_eq!(check("`rules` compiles it"), ["it names no file (`crates/…/x.rs`) or no function (`name()`)"]);
    assert_eq!(
        check("`crates/rules/src/nothing.rs` has `compile()`"),
        ["there is no file crates/rules/src/nothing.rs"]
    );
    assert_eq!(check("`crates/rules/src/lib.rs` has `compil()`"), ["no file of this step defines compil()"]);
    assert!(check("`crates/rules/src/lib.rs` has `compile()`").is_empty());
}
