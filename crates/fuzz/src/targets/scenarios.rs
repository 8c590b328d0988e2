//! Files of scenarios, which may come with anybody's game.

use crate::files;
use crate::target::{Execution, FuzzTarget, magnitude};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "scenarios",
    law: "The reader accepts the text as a file of scenarios, or lists mistakes, each with a line of the text.",
    run,
    seeds,
    words: WORDS,
    longest: 16 * 1024,
    tests: 25_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Ok(source) = std::str::from_utf8(bytes) else { return Execution::refused("not text") };
    let lines = source.lines().count();
    match baize_scenarios::read(source) {
        Ok(file) => {
            assert!(!file.scenarios.is_empty());
            let steps: usize = file.scenarios.iter().map(|scenario| scenario.statements.len()).sum();
            Execution::accepted((file.scenarios.len().min(4), file.packs.len().min(3), magnitude(steps)))
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "refused without a mistake");
            for (line, why) in &mistakes {
                assert!(*line <= lines && !why.is_empty(), "line {line} of {lines}: {why}");
            }
            let kind = |why: &str| why.split(['`', '“', '”']).step_by(2).collect::<String>();
            Execution::refused((kind(&mistakes[0].1), magnitude(mistakes.len())))
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let whole = files::texts("games/scenarios", ".scenarios");
    whole.iter().flat_map(|file| pieces(file)).map(String::into_bytes).collect()
}

/// Returns a few single scenarios of a file, each with the lines above the first one. Whole files are too long to
/// mutate well.
pub fn pieces(file: &str) -> Vec<String> {
    let mut parts = file.split("\nscenario ");
    let head = parts.next().unwrap_or_default();
    parts.take(8).map(|part| format!("{head}\nscenario {part}")).filter(|piece| piece.len() <= TARGET.longest).collect()
}

pub const WORDS: &[&str] = &[
    "scenario \"A\"\n",
    "setup a\n",
    "pack a\n",
    "  players 3",
    "  option ",
    "  preset quick",
    "  packs ",
    "  start",
    "  start where ",
    "  arrange\n",
    "    hand[1]: ",
    "  next shuffle: ",
    "  next picks: ",
    "  play on until ",
    "  then ",
    "  as in ",
    "-> refused ",
    "answers A 1..60",
    "prompts P 1..9",
    "pick 2",
    "bot 2",
    "ticks ",
    "can't be made: ",
    "move/not-legal",
    "\"",
    "A♠",
    "1",
    "0",
    "and",
    "leaves",
    "is away",
    "times out",
    "not ",
    "\n",
    "  ",
    ":",
];
