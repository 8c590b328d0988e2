//! The canonical layout: shipped games have it, and laying out changes nothing but space.

use baize_rules::{compile, format};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
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

/// Whole games written as examples in the documentation.
fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let pages = files("docs", "md")
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

/// What a file means, whatever its layout: the program without places in the text, or the codes of what is wrong.
fn meaning(source: &str) -> String {
    let (program, problems) = compile(source);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code).collect();
    let mut text = format!("{program:?} {codes:?}");
    while let Some(at) = text.find("Span { start: ") {
        let end = at + text[at..].find('}').expect("the end of a span");
        text.replace_range(at..=end, "-");
    }
    text
}

fn laid_out(source: &str) -> String {
    format(source).unwrap_or_else(|problems| panic!("{}", baize_rules::diagnostic::render("test", source, &problems)))
}

/// Tells the first line that differs.
fn same(found: &str, wanted: &str, name: &str) {
    let mut lines = (1..).zip(found.lines().zip(wanted.lines()));
    if let Some((n, (found, wanted))) = lines.find(|(_, (found, wanted))| found != wanted) {
        panic!("{name}: line {n} is\n{wanted}\ninstead of\n{found}");
    }
    assert_eq!(found.len(), wanted.len(), "{name}: one ends before the other");
}

#[test]
fn every_game_is_laid_out() {
    for (name, source) in files("games", "baize") {
        same(&laid_out(&source), &source, &format!("{name}: run `baize fmt`"));
    }
}

#[test]
fn nothing_but_space_changes_and_once_is_enough() {
    let all = [files("games", "baize"), examples(), files("crates/rules/tests/samples", "baize")];
    let mistakes = files("crates/rules/tests/meaning", "baize");
    for (name, source) in all.into_iter().flatten().chain(mistakes) {
        let once = laid_out(&source);
        same(&laid_out(&once), &once, &format!("{name}: laid out twice is not the same"));
        assert!(meaning(&once) == meaning(&source), "{name}: it means something else");
        let words = |text: &str| text.split_whitespace().collect::<String>();
        assert!(words(&once) == words(&source), "{name}: something was lost or added");
    }
}

/// Whatever space a game is written with, it comes out the same.
#[test]
fn any_space_leads_to_the_same_layout() {
    for (name, source) in files("games", "baize") {
        let wider: String = source
            .lines()
            .map(|line| {
                let text = line.trim_start();
                let level = (line.len() - text.len()) / 2;
                format!("{}{text} \t\r\n\r\n", "     ".repeat(level))
            })
            .collect();
        let narrow = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        same(&narrow(&laid_out(&wider)), &narrow(&source), &name);
    }
}

#[test]
fn a_page_in_disorder() {
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
    assert_eq!(laid_out(&before), after);
    assert_eq!(laid_out(after), after);
    assert_eq!(meaning(after), meaning(&before));
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone() {
    let problems = format("game \"Broken\"\nplayers 2..4\nmove stock hand\nend draw\n").expect_err("a mistake");
    assert!(problems.iter().any(|problem| problem.code.starts_with("parse/")));
}
