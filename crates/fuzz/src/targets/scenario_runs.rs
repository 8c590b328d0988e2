//! Plays scenarios, as `baize test` does with a file that may come from anybody.

use super::scenarios::{self, pieces};
use crate::files;
use crate::target::{Execution, FuzzTarget, magnitude};
use baize_rules::program::Program;
use std::sync::{Arc, OnceLock};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "scenario_runs",
    law: "Every scenario that the reader accepts holds, or fails at one of its lines with a reason.",
    run,
    seeds,
    words: scenarios::WORDS,
    longest: 8 * 1024,
    tests: 4_000,
};

/// A game whose scenarios the target plays.
struct ScenarioGame {
    name: String,
    source: String,
    program: Arc<Program>,
}

/// Plays the scenarios of an input. The first line of the input is the name of a game. If no game has that name, the first byte
/// chooses one.
fn run(bytes: &[u8]) -> Execution {
    let Some(first) = bytes.first() else { return Execution::refused("nothing") };
    let Ok(text) = std::str::from_utf8(bytes) else { return Execution::refused("not text") };
    let (name, text) = text.split_once('\n').unwrap_or_default();
    let Ok(file) = baize_scenarios::read(text) else { return Execution::refused("mistakes") };
    let by_name = games().iter().position(|game| game.name == name);
    let game = by_name.unwrap_or(usize::from(*first) % games().len());
    let ScenarioGame { source, program, .. } = &games()[game];
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
        true => Execution::accepted((game, magnitude(file.scenarios[0].statements.len()))),
        false => Execution::refused(kinds),
    }
}

fn games() -> &'static [ScenarioGame] {
    static GAMES: OnceLock<Vec<ScenarioGame>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let compile = |(name, source): (String, String)| {
            let program = baize_rules::compile(&source).0.expect("a game of ours compiles");
            ScenarioGame { name, source, program: Arc::new(program) }
        };
        files::named_texts("games", ".baize").into_iter().map(compile).collect()
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (name, file) in files::named_texts("games/scenarios", ".scenarios") {
        let inputs = pieces(&file).into_iter().map(|piece| format!("{name}\n{piece}").into_bytes());
        seeds.extend(inputs.filter(|input| input.len() < TARGET.longest).take(5));
    }
    seeds
}
