//! Settings of a table, which anybody may send over HTTP and the socket.

use crate::files;
use crate::target::{Execution, FuzzTarget};
use baize_protocol::table::TableSettings;
use baize_server::fuzzing::Games;
use std::sync::OnceLock;

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "settings",
    law: "Settings make a game or are refused with a reason; other rules accept the part of the settings that fits them.",
    run,
    seeds,
    words: WORDS,
    longest: baize_protocol::limits::SETTINGS_BYTES,
    tests: 30_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Some((first, rest)) = bytes.split_first() else { return Execution::refused("nothing") };
    let Ok(settings) = serde_json::from_slice::<TableSettings>(rest) else { return Execution::refused("no settings") };
    let names = games().games();
    let game = &names[usize::from(*first) % names.len()];
    match games().check(game, &settings) {
        Ok(options) => Execution::accepted((first, options)),
        Err(why) => {
            assert!(!why.is_empty(), "refused without a reason");
            Execution::refused(why.split(['“', '”']).step_by(2).collect::<String>())
        }
    }
}

fn games() -> &'static Games {
    static GAMES: OnceLock<Games> = OnceLock::new();
    GAMES.get_or_init(|| Games::open(&files::root().join("games")).expect("the games can be read"))
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (at, game) in (0u8..).zip(games().games()) {
        for settings in games().examples(game) {
            let json = serde_json::to_vec(&settings).expect("settings can be written");
            seeds.push([&[at], &json[..]].concat());
        }
    }
    seeds
}

const WORDS: &[&str] = &[
    "\"options\":{",
    "\"preset\":",
    "\"activeVariants\":[",
    "\"packIds\":[",
    "true",
    "false",
    "null",
    "0",
    "-1",
    "quick",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\u0000",
];
