//! Tests of the parser: correct samples, mistakes with their messages, and random damage.
//!
//! Each file in `mistakes/` is a test: its first line says what is wrong, and the snapshot shows what its author reads.
//! A file has one mistake, which gives one diagnostic, unless its first line says otherwise. Each file in `samples/` must
//! parse, and together they use every spelling of the language.

#[path = "parse/noise.rs"]
mod noise;
#[path = "parse/outline.rs"]
mod outline;

use std::fs;
use std::path::{Path, PathBuf};

use baize_rules::diagnostic::render;
use baize_rules::parse::{decode, parse};
use outline::outline;

fn read_files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is part of the repository")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "baize"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a readable text"))
        })
        .collect()
}

/// Returns the number of mistakes that the first line of a file announces: 4 for `# a card written with letters (4
/// mistakes)`.
fn announced_mistakes(source: &str) -> usize {
    let first = source.lines().next().unwrap_or("");
    assert!(first.starts_with("# "), "the first line says what the mistake is");
    first
        .rsplit_once('(')
        .and_then(|(_, count)| count.strip_suffix(" mistakes)"))
        .map_or(1, |count| count.parse().expect("a number of mistakes"))
}

fn assert_snapshot(name: &str, text: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn every_mistake_gives_its_diagnostic_once() {
    for (name, source) in read_files("mistakes") {
        let problems = parse(&source).1;
        let text = render(&format!("{name}.baize"), &source, &problems);
        assert_snapshot(&name, text.clone());
        assert_eq!(problems.len(), announced_mistakes(&source), "{name}:\n{text}");
    }
}

#[test]
fn every_sample_parses() {
    for (name, source) in read_files("samples") {
        let (file, problems) = parse(&source);
        assert!(problems.is_empty(), "{}", render(&name, &source, &problems));
        let lines = file.decls.iter().map(outline).chain(file.play.iter().map(outline));
        let text: String = lines.map(|line| line + "\n").collect();
        assert_snapshot(&format!("outline-{name}"), text);
    }
}

/// The samples must contain every variant of the syntax tree: nobody would notice if an untested spelling broke.
#[test]
fn samples_use_every_spelling() {
    let everything: String = read_files("samples").iter().map(|(_, source)| outline(&parse(source).0)).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ast");
    let sources = fs::read_dir(folder).expect("the syntax tree").map(|entry| entry.expect("a readable folder").path());
    let ast: String = sources.map(|path| fs::read_to_string(path).expect("a readable text")).collect();
    assert!(ast.contains("pub enum StmtKind"), "the source of the syntax tree was not found");
    let mut in_enum = false;
    for line in ast.lines() {
        in_enum = line.starts_with("pub enum") || in_enum && line != "}";
        let variant: String =
            line.strip_prefix("    ").unwrap_or("").chars().take_while(|c| c.is_alphanumeric()).collect();
        if in_enum && variant.starts_with(char::is_uppercase) && variant != "Broken" {
            let used = everything.match_indices(&variant).any(|(at, _)| {
                let before = everything[..at].chars().next_back();
                let after = everything[at + variant.len()..].chars().next();
                !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
            });
            assert!(used, "no sample uses {variant}");
        }
    }
}

/// The syntax tree does not record brackets, so both sides of each line must give the same tree.
#[test]
fn operators_bind_as_documented() {
    for (plain, bracketed) in [
        ("a or b and c", "a or (b and c)"),
        ("a and b or c", "(a and b) or c"),
        ("not a and b", "(not a) and b"),
        ("not a is b", "not (a is b)"),
        ("not not a", "not (not a)"),
        ("a is b + c", "a is (b + c)"),
        ("a + b * c - d", "(a + (b * c)) - d"),
        ("a - b - c", "(a - b) - c"),
        ("a mod b * c", "(a mod b) * c"),
        ("-a * b", "(-a) * b"),
        ("- -a", "-(-a)"),
        ("c in hand[p] and d", "(c in hand[p]) and d"),
        ("n in 1..x + 1", "n in (1..(x + 1))"),
        ("suit of c is led", "(suit of c) is led"),
        ("suit of first card of trick", "suit of (first card of trick)"),
        ("value of c + value of d", "(value of c) + (value of d)"),
        ("count of hand[p] > 3", "(count of hand[p]) > 3"),
        ("count of trick where suit is led or open", "count of (trick where (suit is led or open))"),
        ("first card of trick where suit is led", "first card of (trick where (suit is led))"),
        ("c in trick where suit is led and open", "c in (trick where ((suit is led) and open))"),
        ("any card in trick where a or b", "any card in trick where (a or b)"),
        ("first player q where A♠ in hand[q] and open", "first player q where ((A♠ in hand[q]) and open)"),
        ("next player after p where hand is not empty", "next player after (p) where (hand is not empty)"),
        ("highest card of trick where suit is led by rank", "highest card of (trick where suit is led) by rank"),
        ("if a then b else c or d", "if a then b else (c or d)"),
        ("reveal a or b", "reveal (a or b)"),
        (
            "sum of value of c + 1 over card c in hand[p] where open",
            "sum of ((value of c) + 1) over card c in hand[p] where (open)",
        ),
        ("first n + 1 cards of stock", "first (n + 1) cards of stock"),
        ("first letters letters of word", "first (letters) letters of word"),
        ("no is b", "(no) is b"),
        ("hand[p] is not empty or b", "(hand[p] is not empty) or b"),
        ("first + last", "(first) + (last)"),
        ("rank is card", "(rank) is (card)"),
    ] {
        let [left, right] = [plain, bracketed].map(|value| {
            let source = format!("game \"T\"\ndefine x = {value}\n");
            let (file, problems) = parse(&source);
            assert!(problems.is_empty(), "{}", render(value, &source, &problems));
            outline(&file)
        });
        assert_eq!(left, right, "`{plain}` is not `{bracketed}`");
    }
}

#[test]
fn line_ends_blank_lines_and_comments_change_nothing() {
    for (name, source) in read_files("samples") {
        let plain = outline(&parse(&source).0);
        assert_eq!(plain, outline(&parse(&source.replace('\n', "\r\n")).0), "{name} with CRLF");
        assert_eq!(plain, outline(&parse(&source.replace('\n', "   # note\n\n \n")).0), "{name} with comments");
        assert_eq!(plain, outline(&parse(&format!("\u{feff}{source}")).0), "{name} with a byte order mark");
        assert_eq!(plain, outline(&parse(source.trim_end()).0), "{name} without its last line end");
    }
}

#[test]
fn a_line_continues_inside_brackets() {
    let split = "game \"T\"\ndefine x = (a or\nb\n      or f(c,\n  d))\nif hand[\n p] is empty\n  stop\n";
    let (file, problems) = parse(split);
    assert!(problems.is_empty(), "{}", render("split", split, &problems));
    let joined = "game \"T\"\ndefine x = (a or b or f(c, d))\nif hand[p] is empty\n  stop\n";
    assert_eq!(outline(&file), outline(&parse(joined).0));
}

#[test]
fn decode_names_the_line_that_is_not_utf8() {
    assert_eq!(decode("♠".as_bytes()).expect("UTF-8"), "♠");
    let problem = decode(b"game \"X\"\n\xff").expect_err("not UTF-8");
    assert_eq!((problem.code, problem.span.start), ("source/not-utf8", 9));
    assert!(problem.title.contains("Line 2"));
}
