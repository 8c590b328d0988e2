//! Tests the formatter: shipped games are formatted, and formatting changes nothing but space.

use baize_rules::{compile, format};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read_files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let folder = root().join(folder);
    let paths = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = paths
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a text")))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Returns the whole games in the documentation.
fn read_examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let pages = read_files("docs", "md")
        .into_iter()
        .chain([("README.md".to_owned(), fs::read_to_string(root().join("README.md")).expect("README.md"))]);
    for (name, page) in pages {
        for (at, block) in page.split("\n```baize\n").skip(1).enumerate() {
            let text = block.split("\n```").next().unwrap_or_default();
            found.push((format!("{name}, example {}", at + 1), format!("{text}\n")));
        }
    }
    assert!(found.len() >= 8, "only {} examples were found", found.len());
    found
}

/// Returns what a file means regardless of its layout: the program without spans, and the codes of the diagnostics.
fn describe_meaning(source: &str) -> String {
    let (program, problems) = compile(source);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    let mut text = format!("{program:?} {codes:?}");
    while let Some(at) = text.find("Span { start: ") {
        let end = at + text[at..].find('}').expect("the end of a span");
        text.replace_range(at..=end, "-");
    }
    text
}

fn format_or_panic(source: &str) -> String {
    format(source).unwrap_or_else(|problems| panic!("{}", baize_rules::diagnostic::render("test", source, &problems)))
}

/// Compares two texts; a failure shows the first line that differs.
fn assert_same(found: &str, wanted: &str, name: &str) {
    let mut lines = (1..).zip(found.lines().zip(wanted.lines()));
    if let Some((n, (found, wanted))) = lines.find(|(_, (found, wanted))| found != wanted) {
        panic!("{name}: line {n} is\n{wanted}\ninstead of\n{found}");
    }
    assert_eq!(found.len(), wanted.len(), "{name}: one ends before the other");
}

#[test]
fn every_game_is_formatted() {
    for (name, source) in read_files("games", "baize") {
        assert_same(&format_or_panic(&source), &source, &format!("{name}: run `baize fmt`"));
    }
}

#[test]
fn formatting_changes_only_space_and_is_idempotent() {
    let all = [read_files("games", "baize"), read_examples(), read_files("crates/rules/tests/samples", "baize")];
    let mistakes = read_files("crates/rules/tests/meaning", "baize");
    for (name, source) in all.into_iter().flatten().chain(mistakes) {
        let once = format_or_panic(&source);
        assert_same(&format_or_panic(&once), &once, &format!("{name}: laid out twice is not the same"));
        assert!(describe_meaning(&once) == describe_meaning(&source), "{name}: it means something else");
        let words = |text: &str| text.split_whitespace().collect::<String>();
        assert!(words(&once) == words(&source), "{name}: something was lost or added");
    }
}

#[test]
fn formatting_ignores_the_space_of_the_source() {
    for (name, source) in read_files("games", "baize") {
        let wider: String = source
            .lines()
            .map(|line| {
                let text = line.trim_start();
                let level = (line.len() - text.len()) / 2;
                format!("{}{text} \t\r\n\r\n", "     ".repeat(level))
            })
            .collect();
        let narrow = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        assert_same(&narrow(&format_or_panic(&wider)), &narrow(&source), &name);
    }
}

#[test]
fn formatting_tidies_an_untidy_page() {
    let before = "\u{feff}\n\ngame   \"Disorder\"   #the title\nplayers 2 .. 4\nstate\n\n    score [player] : -5..  10=0\n    open : yes / no = no\n    #  closes the block\ndefine  twice (n)=2*n+ - 1\n#about the rule\nrule add( p )\n   # first\n\n\n   score[ p ]+=twice (\n        3, # three\n   )\n   announce \"{ p } has {score [p]}, {if open then \"a\" else \"b {  score[p]  }\"} {{ }} \\\"\"\ndo add (first player)\n\n\n\nend draw\n\n";
    let before = before.replace("        3, # three\n   )", "        3  # three\n   )");
    let after = "\
game \"Disorder\"  # the title
players 2..4

state
  score[player]: -5..10 = 0
  open: yes/no = no
  #  closes the block

define twice(n) = 2 * n + -1

# about the rule
rule add(p)
  # first

  score[p] += twice(
    3  # three
  )
  announce \"{p} has {score[p]}, {if open then \"a\" else \"b {score[p]}\"} {{ }} \\\"\"

do add(first player)

end draw
";
    assert_eq!(format_or_panic(&before), after);
    assert_eq!(format_or_panic(after), after);
    assert_eq!(describe_meaning(after), describe_meaning(&before));
}

#[test]
fn a_file_that_does_not_parse_is_not_formatted() {
    let problems = format("game \"Broken\"\nplayers 2..4\nmove stock hand\nend draw\n").expect_err("a mistake");
    assert!(problems.iter().any(|problem| problem.code.starts_with("parse/")));
}
