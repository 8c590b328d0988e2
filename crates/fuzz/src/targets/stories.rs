//! Scenarios that are played, as `baize test` does with a file from anybody.

use super::scenarios::{self, pieces};
use crate::files;
use crate::target::{Execution, FuzzTarget, magnitude};
use baize_rules::program::Program;
use std::sync::{Arc, OnceLock};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "stories",
    law: "Every scenario that can be read holds, or fails at one of its lines with a reason.",
    run,
    seeds,
    words: scenarios::WORDS,
    longest: 8 * 1024,
    tests: 4_000,
};

/// Games that are fast to play. The first byte of an input chooses one.
const GAMES: [&str; 6] = ["pig", "high-low", "war", "old-maid", "liars-dice", "cards-against-humanity"];

fn run(bytes: &[u8]) -> Execution {
    let Some((first, rest)) = bytes.split_first() else { return Execution::refused("nothing") };
    let Ok(text) = std::str::from_utf8(rest) else { return Execution::refused("not text") };
    let Ok(file) = baize_scenarios::read(text) else { return Execution::refused("mistakes") };
    let (source, program) = &programs()[usize::from(*first) % GAMES.len()];
    let lines = text.lines().count();
    let mut kinds = Vec::new();
    for scenario in file.scenarios.iter().take(2) {
        let ended = baize_scenarios::run(source, program, &file, scenario);
        if let Err((line, why)) = &ended {
            assert!(*line <= lines && !why.is_empty(), "line {line} of {lines}: {why}");
        }
        kinds.push(ended.err().map(|(_, why)| why.split(['`', '“', '”']).step_by(2).take(1).collect::<String>()));
    }
    match kinds.iter().all(Option::is_none) {
        true => Execution::accepted((*first, magnitude(file.scenarios[0].statements.len()))),
        false => Execution::refused(kinds),
    }
}

fn programs() -> &'static [(String, Arc<Program>)] {
    static PROGRAMS: OnceLock<Vec<(String, Arc<Program>)>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let read = |game: &&str| {
            let source = files::texts("games", &format!("/{game}.baize")).swap_remove(0);
            let program = baize_rules::compile(&source).0.expect("a game of ours compiles");
            (source, Arc::new(program))
        };
        GAMES.iter().map(read).collect()
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (at, game) in (0u8..).zip(GAMES) {
        for file in files::texts("games/scenarios", &format!("/{game}.scenarios")) {
            let few = pieces(&file).into_iter().filter(|piece| piece.len() < TARGET.longest).take(5);
            seeds.extend(few.map(|piece| [&[at], piece.as_bytes()].concat()));
        }
    }
    seeds
}
