//! Compiles randomly damaged games: each gives a program or an error, and none a panic. The fuzz targets `rules` and
//! `format` state the same laws.

use baize_rules::diagnostic::{Diagnostic, render};

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn read_games() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("games/").map(|e| e.expect("a file").path()).collect();
    paths.sort();
    let texts = paths.iter().filter(|p| p.extension().is_some_and(|e| e == "baize"));
    texts.map(|p| std::fs::read_to_string(p).expect("a text")).collect()
}

fn check_laws(source: &str) {
    let (program, diagnostics) = baize_rules::compile(source);
    let errors = diagnostics.iter().filter(|d| d.severity == baize_rules::diagnostic::Severity::Error).count();
    assert!(program.is_some() == (errors == 0), "neither a program nor an error, or both:\n{source}");
    assert!(
        diagnostics.iter().all(|d: &Diagnostic| (d.span.end as usize) <= source.len()),
        "a place outside of the file"
    );
    let _ = render("noise.baize", source, &diagnostics);
    if let Ok(laid_out) = baize_rules::format(source) {
        assert_eq!(baize_rules::format(&laid_out).as_ref(), Ok(&laid_out), "laid out twice is not the same:\n{source}");
    }
}

/// Words of the language that the test puts in wrong places.
const WORDS: &[&str] = &[
    "hand[p]",
    "p",
    "where",
    "is",
    "not",
    "reveal",
    "random player",
    "count of",
    "first card of",
    "move",
    "to",
    "trick",
    "players",
    "if",
    "then",
    "else",
    "ask",
    "all",
    "first",
    "together",
    "over",
    "A♠",
    "0",
    "999999999",
    "-1",
    "nobody",
    "none",
    "\"{x}\"",
    "(",
    ")",
    "[",
    "]",
    "..",
    ":=",
    "+",
    "*",
    "mod",
    "sum of",
    "max of",
    "value of s",
    "stop",
    "again",
    "end",
    "draw",
    "suit",
    "rank",
    "lead",
];

#[test]
fn damaged_games_give_a_program_or_an_error() {
    let games = read_games();
    let rounds: u64 = std::env::var("NOISE").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    for seed in 1..=rounds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut lines: Vec<String> = games[random.below(games.len())].lines().map(String::from).collect();
        for _ in 0..=random.below(4) {
            let at = random.below(lines.len());
            match random.below(6) {
                0 => drop(lines.remove(at)),
                1 => {
                    let line = lines[random.below(lines.len())].clone();
                    lines.insert(at, line);
                }
                2 => {
                    let other = random.below(lines.len());
                    lines.swap(at, other);
                }
                3 => lines[at].insert_str(0, "  "),
                _ => {
                    let mut words: Vec<String> = lines[at].split(' ').map(String::from).collect();
                    let i = random.below(words.len());
                    words[i] = WORDS[random.below(WORDS.len())].to_string();
                    lines[at] = words.join(" ");
                }
            }
            if lines.is_empty() {
                break;
            }
        }
        let source = lines.join("\n");
        if std::panic::catch_unwind(|| check_laws(&source)).is_err() {
            panic!("seed {seed} breaks the law; the file:\n{source}");
        }
    }
}

#[test]
fn hostile_files_are_refused_with_a_reason() {
    let head = "game \"Big\"\nplayers 2..4\n";
    let defines: String = (1..40).map(|i| format!("define d{i} = d{} + d{}\n", i - 1, i - 1)).collect();
    let zones: String = (0..10_000).map(|i| format!("  z{i}: ordered\n")).collect();
    let rules: String = (1..30).map(|i| format!("rule r{i}(p)\n  do r{}(p)\n  do r{}(p)\n", i - 1, i - 1)).collect();
    let cases = [
        ("ten megabytes", "limit/source", "# ".to_string() + &"x".repeat(10 << 20)),
        (
            "exploding defines",
            "limit/",
            format!("{head}define d0 = 1\n{defines}state\n  x: 0..9\nx := d39\nend draw\n"),
        ),
        (
            "exploding rules",
            "limit/",
            format!("{head}state\n  x: 0..9\nrule r0(p)\n  x += p\n{rules}do r29(1)\nend draw\n"),
        ),
        ("ten thousand zones", "limit/zones", format!("{head}zones\n{zones}\nend draw\n")),
        ("an endless index", "limit/index", format!("{head}state\n  x[1..999999, 1..99999]: 0..9\nend draw\n")),
        (
            "a huge deck",
            "limit/",
            format!(
                "{head}deck c:\n  attribute a: 1..900\n  attribute b: 1..900\n  make a any, b any\nzones\n  z: ordered, starts with c\nend draw\n"
            ),
        ),
        (
            "deep brackets",
            "limit/",
            format!("{head}state\n  x: 0..9\nx := {}1{}\nend draw\n", "(".repeat(9999), ")".repeat(9999)),
        ),
        (
            "many attribute values",
            "limit/values",
            format!("{head}deck c:\n  attribute a: 1..999999999\n  make a 1\nzones\n  z: starts with c\nend draw\n"),
        ),
    ];
    for (what, code, source) in cases {
        let (program, diagnostics) = baize_rules::compile(&source);
        assert!(program.is_none(), "{what} is accepted");
        let codes: Vec<_> = diagnostics.iter().map(|d| d.code).collect();
        assert!(codes.iter().any(|c| c.starts_with(code)), "{what}: {codes:?}");
    }
}
