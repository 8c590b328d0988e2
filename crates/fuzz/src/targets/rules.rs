//! Rules files, which anybody may write and send to a designer.

use crate::files;
use crate::target::{Execution, FuzzTarget, magnitude};
use baize_rules::diagnostic::render;
use std::collections::BTreeSet;

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "rules",
    law: "The bytes give a program or an error, never both, and every diagnostic points into the file and can be shown.",
    run,
    seeds,
    words: WORDS,
    longest: 16 * 1024,
    tests: 12_000,
};

fn run(bytes: &[u8]) -> Execution {
    let source = match baize_rules::parse::decode(bytes) {
        Ok(source) => source,
        Err(_) => return Execution::refused("not text"),
    };
    let (program, diagnostics) = baize_rules::compile(source);
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    assert!(program.is_some() != failed, "a program and an error, or neither");
    for diagnostic in &diagnostics {
        let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
        assert!(source.get(start..end).is_some(), "{} points outside of the file", diagnostic.code);
    }
    let _ = render("fuzz.baize", source, &diagnostics);
    let codes: BTreeSet<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    match program {
        Some(program) => Execution::accepted((codes, magnitude(program.code.len()))),
        None => Execution::refused(codes),
    }
}

/// Returns every rules file of the repository: games, samples, and files with errors.
pub fn seeds() -> Vec<Vec<u8>> {
    let folders = [
        "games",
        "crates/engine/tests/law_games",
        "crates/rules/tests/samples",
        "crates/rules/tests/mistakes",
        "crates/rules/tests/meaning",
    ];
    folders.iter().flat_map(|folder| files::files_with_ending(folder, ".baize")).collect()
}

/// Words of the language.
pub const WORDS: &[&str] = &[
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
    "end draw",
    "suit",
    "rank",
    "lead",
    "repeat",
    "until",
    "owner sees cards",
    "others see count",
    "everyone sees cards",
    "turn sees",
    "announce",
    "must",
    "sealed",
    "deal",
    "shuffle",
    "roll",
    "define ",
    "rule ",
    "for each player",
    "next player after",
    "highest card of",
    "option",
    "preset",
    "limit",
    "within",
    "mix",
    "pass",
    "circle",
    "admit",
    "face down",
    "state",
    "zones",
    "deck",
    "attribute",
    "make",
    "any",
    "game \"",
    "note \"",
    "\n",
    "  ",
    "#",
];
