//! Replays: files for `baize verify` and `baize replay`, which may come from a person who wants to cheat.

use crate::target::{Execution, FuzzTarget};
use baize_engine::input::Input;
use baize_engine::reduce::reduce;
use baize_engine::table::SEMANTICS;
use baize_engine::view::Viewer;
use baize_protocol::http::Replay;
use baize_terminal::Terminal;
use serde_json::json;

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "replays",
    law: "The reader refuses the text, or it is a replay that holds or fails verification, and that can be shown as far as it is whole.",
    run,
    seeds,
    words: WORDS,
    longest: 16 * 1024,
    tests: 15_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Ok(replay) = serde_json::from_slice::<Replay>(bytes) else { return Execution::refused("no replay") };
    let verified = baize_server::verify(&replay);
    let shown = match baize_server::replayed(&replay) {
        Ok(table) => {
            let definition = table.definition();
            let terminal = Terminal { table: &definition, names: &replay.names, you: None };
            let mut view = replay.first.clone();
            let _ = terminal.write(&view);
            let mut steps = 0;
            for batch in replay.batches.iter().take(40) {
                if reduce(&mut view, batch).is_err() {
                    break;
                }
                let _ = terminal.write(&view);
                steps += 1;
            }
            Some(steps)
        }
        Err(_) => None,
    };
    match verified {
        Ok(()) => Execution::accepted(shown),
        Err(wrong) => Execution::refused((std::mem::discriminant(&wrong), shown.map(|steps: u32| steps.min(3)))),
    }
}

/// Small games for the seeds.
const SOURCES: [&str; 2] = [
    "game \"Tiny\"\nplayers 2..3\ndeck cards: standard52\nzones\n  stock: ordered, everyone sees count, starts with cards\n  hand[player]: owner sees cards, others see count\nstate\n  score[player]: 0..9 = 0\nshuffle stock\ndeal stock to hand 2 each from first player\nask all p over players \"Play a card\"\n  play: card c from hand[p]\n    move c to stock\nend ranking by score highest first\n",
    "game \"Dice\"\nplayers 1..4\nstate\n  turn: player = first player\ndice\n  die: 1..6\nrepeat 2\n  ask turn \"Roll\"\n    roll:\n      roll die\n  turn := next player after turn\nend draw\n",
];

fn seeds() -> Vec<Vec<u8>> {
    SOURCES.iter().filter_map(|source| record(source)).collect()
}

/// Plays a game with default moves, and writes its replay as the server does.
fn record(source: &str) -> Option<Vec<u8>> {
    let seed = "00".repeat(32);
    let mut replay = Replay {
        game: "fuzz-1".into(),
        definition_id: "fuzz".into(),
        game_definition: String::new(),
        table_definition: String::new(),
        names: vec!["Ann".into(), "Bo".into()],
        commitment: baize_server::fuzzing::commitment(&[0; 32]),
        seed,
        semantics: SEMANTICS,
        source: source.into(),
        options: json!([]),
        packs: Vec::new(),
        seats: 2,
        steps: Vec::new(),
        first: Default::default(),
        batches: Vec::new(),
        narrations: Vec::new(),
    };
    let table = baize_server::replayed(&replay).ok()?;
    let mut table = table.only(&[Viewer::Replay]);
    replay.first = table.view(Viewer::Replay)?.clone();
    let joins = (0..2).map(|seat| Input::Join { seat, person: true });
    for input in joins.chain([Input::Lead { seat: Some(0) }, Input::Start]) {
        let batches = table.input(&input).ok()?;
        replay.steps.push(json!({ "Input": input }));
        replay.batches.push(batches.of(Viewer::Replay)?.clone());
    }
    for _ in 0..20 {
        let Some(seat) = (0..2).find(|seat| table.open() >> seat & 1 == 1) else { break };
        let answer = table.default_move(seat)?;
        let batches = table.play(seat, &answer).ok()?;
        replay.steps.push(json!({ "Move": { "seat": seat, "answer": answer } }));
        replay.batches.push(batches.of(Viewer::Replay)?.clone());
    }
    if table.outcome().is_none() {
        let batches = table.input(&Input::Abandon).ok()?;
        replay.steps.push(json!({ "Input": "Abandon" }));
        replay.batches.push(batches.of(Viewer::Replay)?.clone());
    }
    Some(serde_json::to_vec(&replay).expect("a replay can be written"))
}

const WORDS: &[&str] = &[
    "{\"Input\":\"Start\"}",
    "{\"Input\":{\"Leave\":{\"seat\":0}}}",
    "{\"Move\":{\"seat\":0,\"answer\":",
    "\"Number\":",
    "\"Cards\":[",
    "null",
    "true",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"seats\":255",
    "\"moved\"",
    "\"zone\"",
    "\"handle\"",
    "\"face\"",
    "65535",
    "4294967295",
    "-1",
];
