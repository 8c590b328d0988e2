//! Compiles the rules in the documentation.
//!
//! Every code block in the documentation has a tag:
//!
//! | tag | what must hold |
//! |---|---|
//! | `baize` | a whole file; it compiles |
//! | `baize-fragment FRAME` | compiles inside that [frame](wrap_in_frame); names may be unused |
//! | `baize-error CODE` | a whole file that is refused, with that diagnostic and no other |
//! | `baize-error CODE FRAME` | the same for a fragment |
//! | `sh`, `json`, `text` … | not rules; left alone (`scenarios` are played by a test of that crate) |
//!
//! The text above a refused example names the code, because readers do not see the tag.
//!
//! Other tests check that the reference explains every word of the language, and that links lead somewhere.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use baize_rules::compile;
use baize_rules::diagnostic::{Diagnostic, render};

/// The tables of the parser, included so that a new word without an explanation fails the test.
#[allow(dead_code)]
#[path = "../src/parse/words.rs"]
mod words;

/// Tags of blocks that are not rules.
const OTHER: &[&str] = &["sh", "json", "csv", "text", "rust", "toml", "ts", "scenarios"];

#[test]
fn every_example_does_what_the_page_says() {
    let mut wrong = String::new();
    let mut rules = 0;
    for page in read_pages() {
        for block in find_blocks(&page) {
            let place = format!("{}:{}", page.name, block.line);
            let problem = match block.tag.split_whitespace().collect::<Vec<_>>()[..] {
                ["baize"] => check_compiles(&block.text),
                ["baize-fragment", name] => {
                    wrap_in_frame(name, &block.text).and_then(|file| check_fragment_compiles(&file))
                }
                // Readers do not see the tag and would take the example for a correct one.
                ["baize-error", code, ..] if !block.above.contains(&format!("`{code}`")) => {
                    Err(format!("The text above must say that this is refused with `{code}`."))
                }
                ["baize-error", code] => check_refused(code, &block.text),
                ["baize-error", code, name] => {
                    wrap_in_frame(name, &block.text).and_then(|file| check_refused(code, &file))
                }
                [other] if OTHER.contains(&other) => continue,
                [] => Err("This block has no tag. Is it `baize`, `sh`, `text` …?".to_string()),
                _ => Err(format!("The tag `{}` is not known.", block.tag)),
            };
            rules += 1;
            if let Err(problem) = problem {
                writeln!(wrong, "== {place}\n{problem}").expect("writing to a string");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(rules > 60, "only {rules} examples were found");
}

#[test]
fn every_word_of_the_language_is_explained() {
    assert_shows_every_word("docs/language.md");
}

/// A designer who looks for a spelling on the cheat sheet and does not find it thinks that there is none.
#[test]
fn the_cheat_sheet_has_every_word_of_the_language() {
    assert_shows_every_word("docs/cheat-sheet.md");
}

fn assert_shows_every_word(name: &str) {
    let page = read_page(name);
    let mut shown = BTreeSet::new();
    let mut inside = false;
    for line in page.text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            shown.extend(split_words(line));
        } else {
            // Every second piece between backticks is code.
            shown.extend(line.split('`').skip(1).step_by(2).flat_map(split_words));
        }
    }
    let missing: BTreeSet<&str> =
        words::TABLES.iter().copied().flatten().copied().filter(|word| !shown.contains(word)).collect();
    assert!(missing.is_empty(), "{name} shows no example of {missing:?}");
}

/// The reference lists [`words::RESERVED`], so that designers see which names they can't choose.
#[test]
fn the_list_of_reserved_words_is_complete() {
    let page = read_page("docs/language.md");
    let (_, section) = page.text.split_once("## Reserved words").expect("a section on reserved words");
    let section = section.split("\n## ").next().unwrap_or_default();
    let listed: BTreeSet<&str> = section.split('`').skip(1).step_by(2).flat_map(split_words).collect();
    let missing: Vec<_> = words::RESERVED.iter().filter(|word| !listed.contains(*word)).collect();
    assert!(missing.is_empty(), "not in the list: {missing:?}");
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in read_pages() {
        for link in page.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            if path.contains("://") {
                continue;
            }
            let target = if path.is_empty() {
                page.path.clone()
            } else {
                page.path.parent().expect("a file has a folder").join(path)
            };
            let found = match fs::read_to_string(&target) {
                Ok(text) => anchor.is_empty() || find_anchors(&text).contains(anchor),
                // A folder has nothing to jump to.
                Err(_) => anchor.is_empty() && target.exists(),
            };
            if !found {
                broken.push(format!("{}: {link}", page.name));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

// These functions find the code blocks of the pages.

struct Page {
    path: PathBuf,
    name: String,
    text: String,
}

struct Block {
    line: usize,
    tag: String,
    text: String,
    /// The last line of text above the block.
    above: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read_page(name: &str) -> Page {
    let path = root().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    Page { path, name: name.to_string(), text }
}

fn read_pages() -> Vec<Page> {
    let at_the_root = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
    let mut names: Vec<String> = at_the_root.map(str::to_owned).to_vec();
    let folder = fs::read_dir(root().join("docs")).expect("the folder is part of the repository");
    for entry in folder {
        let name = entry.expect("a readable folder").file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names.sort();
    names.iter().map(|name| read_page(name)).collect()
}

/// Finds the blocks between lines of three backticks. A block in a list is indented like its list.
fn find_blocks(page: &Page) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    let mut above = String::new();
    for (at, line) in page.text.lines().enumerate() {
        let content = line.trim_start();
        match (&mut open, content.strip_prefix("```")) {
            (None, Some(tag)) => {
                let above = std::mem::take(&mut above);
                let block = Block { line: at + 1, tag: tag.trim().to_string(), text: String::new(), above };
                open = Some((line.len() - content.len(), block));
            }
            (Some(_), Some(_)) => found.extend(open.take().map(|(_, block)| block)),
            (Some((margin, block)), None) => {
                block.text.push_str(line.get(*margin..).unwrap_or_default());
                block.text.push('\n');
            }
            (None, None) if !content.is_empty() => above = content.to_string(),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{}: a block is not closed", page.name);
    found
}

fn split_words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Returns the anchors of headings: lower case, with dashes for spaces and without signs.
fn find_anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

// These functions check one block.

fn check_compiles(file: &str) -> Result<(), String> {
    let (program, diagnostics) = compile(file);
    match program {
        Some(_) if diagnostics.is_empty() => Ok(()),
        _ => Err(render_report(file, &diagnostics)),
    }
}

/// Accepts unused names: a fragment declares names for the rest of a game, and its frame declares names for other
/// fragments.
fn check_fragment_compiles(file: &str) -> Result<(), String> {
    let (_, diagnostics) = compile(file);
    match diagnostics.iter().all(|d| d.code == "name/unused") {
        true => Ok(()),
        false => Err(render_report(file, &diagnostics)),
    }
}

fn check_refused(code: &str, file: &str) -> Result<(), String> {
    let (program, diagnostics) = compile(file);
    let codes: BTreeSet<&str> = diagnostics.iter().map(|d| d.code).collect();
    match program {
        Some(_) => Err(format!("Should be refused with `{code}`, but compiles:\n{file}")),
        None if codes.iter().eq([&code]) => Ok(()),
        None => Err(format!("Should be refused with `{code}`, but:\n{}", render_report(file, &diagnostics))),
    }
}

fn render_report(file: &str, diagnostics: &[Diagnostic]) -> String {
    render("example", file, diagnostics)
}

// A frame is the rest of a file around a fragment.

/// The declarations of a small game with cards and dice.
const TABLE: &str = r#"game "Frame"
players 2..6
newcomers play

deck cards: standard52

zones
  stock: ordered, everyone sees count, starts with cards
  hand[player]: ordered, owner sees cards, others see count
  trick: ordered, everyone sees cards, remembers player
  row[1..4]: ordered, everyone sees cards
  answer[player]: ordered, owner sees cards, others see count
  shown[1..12]: ordered, everyone sees cards, remembers player secretly
  waste: ordered, everyone sees cards
  box: ordered, nobody sees

dice
  die: faces 1..6
  five[1..5]: faces 1..6
  cup[player, 1..5]: faces 1..6, owner sees

state
  score[player]: 0..1000 = 0
  bid[player]: 0..100 = 0, owner sees
  passed[player]: yes/no = no
  kept[1..5]: yes/no = no
  open: yes/no = no
  n: 0..10000 = 0
  round: 0..100 = 0
  leader: player
  trump: suit
  best: rank
"#;

/// Variables for frames whose fragments speak of players and a card.
const SOMEBODY: &str = "p := first player\nq := next player after p\nc := last card of trick\n";

/// Completes a fragment to a file.
///
/// - `head`: lines of the header, above everything else;
/// - `decks`: decks, one of which is called `cards`;
/// - `zones`: `zones`, `state` and `dice`, besides a `stock` of standard cards;
/// - `options`: options and presets, each of which is used;
/// - `steps`: the course of the game in [`TABLE`], with `p` and `q` two players and `c` a card;
/// - `together`: what stands below `together p over players` there;
/// - `ask`: what stands below `ask p` there;
/// - `values`: values, each on a line of its own with its type behind `#`;
/// - `show`: what stands below `show` there;
/// - `packs`: the course of a game of prompts and answers.
fn wrap_in_frame(name: &str, fragment: &str) -> Result<String, String> {
    Ok(match name {
        "head" => {
            let players = if fragment.lines().any(|line| line.starts_with("players ")) { "" } else { "players 2..4\n" };
            format!("game \"Frame\"\n{players}{fragment}{}", "announce \"Hello\"\nend draw\n")
        }
        "decks" => format!(
            "game \"Frame\"\nplayers 2..4\noption jokers: yes/no = no\noption blanks: 0..5 = 1\n{fragment}\
             zones\n  stock: ordered, nobody sees, starts with cards\n\
             show\n  status \"{{jokers}} {{blanks}}\"\nend draw\n"
        ),
        "zones" => format!(
            "game \"Frame\"\nplayers 2..4\noption shared: yes/no = no\noption size: 3..10 = 5\ndeck cards: standard52\n\
             zones\n  stock: ordered, nobody sees, starts with cards\n{fragment}\
             show\n  status \"{{shared}} {{size}}\"\nend draw\n"
        ),
        "options" => {
            let names = fragment.lines().filter_map(|line| line.strip_prefix("option ")?.split(':').next());
            let holes: String = names.map(|name| format!("{{{name}}} ")).collect();
            format!("game \"Frame\"\nplayers 2..4\n{fragment}announce \"{holes}\"\nend draw\n")
        }
        "steps" => format!("{TABLE}{SOMEBODY}{fragment}{}", end_if_missing(fragment)),
        "together" => format!("{TABLE}{SOMEBODY}together r over players\n{}end draw\n", indent(fragment)),
        "ask" => format!("{TABLE}{SOMEBODY}ask p \"Your turn\"\n{}end draw\n", indent(fragment)),
        "values" => format!("{TABLE}{SOMEBODY}{}end draw\n", use_values(fragment)?),
        "show" => format!("{TABLE}{SOMEBODY}phase play\nend draw\nshow\n{}", indent(fragment)),
        "packs" => format!("{PACKS}p := first player\n{fragment}{}", end_if_missing(fragment)),
        _ => return Err(format!("There is no frame `{name}`.")),
    })
}

const PACKS: &str = r#"game "Frame"
players 3..8
deck prompts: packs "prompt"
deck answers: packs "answer"
deck blanks:
  with 20 Blank
zones
  prompt_stock: ordered, everyone sees count, starts with prompts
  stock: ordered, everyone sees count, starts with answers
  blank[player]: ordered, owner sees count, others see nothing
  blank_stock: ordered, nobody sees, starts with blanks
  prompt: ordered, everyone sees cards
  hand[player]: ordered, owner sees cards, others see count
  winning: ordered, everyone sees cards
state
  pick: 0..3 = 1
"#;

/// Returns the end of the game, unless the fragment has one at the left margin.
fn end_if_missing(fragment: &str) -> &'static str {
    let ends = fragment.lines().any(|line| line.starts_with("end "));
    if ends { "" } else { "end draw\n" }
}

fn indent(fragment: &str) -> String {
    fragment.lines().map(|line| format!("  {line}\n")).collect()
}

/// Makes of each value a statement in which only its type fits.
fn use_values(fragment: &str) -> Result<String, String> {
    let mut steps = String::new();
    for line in fragment.lines().filter(|line| !line.trim().is_empty()) {
        let (value, ty) = line.rsplit_once('#').ok_or_else(|| format!("What is the type of `{line}`?"))?;
        let (value, ty) = (value.trim(), ty.split('(').next().unwrap_or_default().trim());
        let step = match ty {
            "a number" => format!("n := reveal ({value})"),
            "yes or no" => format!("open := reveal ({value})"),
            "a player" => format!("leader := reveal ({value})"),
            "a suit" => format!("trump := reveal ({value})"),
            "a rank" => format!("best := reveal ({value})"),
            "a card" => format!("trump := reveal suit of ({value})"),
            "cards" => format!("n := reveal count of ({value})"),
            "players" => format!("for r in {value}\n  n += 1"),
            "a text" => format!("announce \"{{{value}}}\""),
            other => return Err(format!("`{other}` is not a type this frame knows.")),
        };
        writeln!(steps, "{step}").expect("writing to a string");
    }
    Ok(steps)
}
