//! Saved tables, as they come from a damaged disk or from anybody who can write to the database.

use super::tables::{fuzz_game, game_count, play_random_move};
use crate::mutate::Generator;
use crate::target::{Execution, FuzzTarget};
use baize_engine::input::Input;
use baize_engine::laws;
use baize_engine::table::LoadError;

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "snapshots",
    law: "The engine refuses the bytes, or loads a table that everybody can look at, play on, and save again.",
    run,
    seeds,
    words: &[],
    longest: 16 * 1024,
    tests: 4_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Some((game, saved)) = bytes.split_first() else { return Execution::refused("nothing") };
    let table = match fuzz_game(*game).scene.load(saved) {
        Ok(table) => table,
        Err(LoadError::Damaged) => return Execution::refused("damaged"),
        Err(LoadError::Format(_)) => return Execution::refused("format"),
    };
    let mut table = table;
    let mut views = laws::views(&table);
    let _ = laws::all(&table, 1);
    let mut generator = Generator::new(2);
    let mut moves = 0;
    while moves < 5 && play_random_move(&mut table, &mut generator) {
        moves += 1;
    }
    if let Ok(batches) = table.input(&Input::Abandon) {
        let _ = laws::batches_lead_to_views(&mut views, &batches, &table);
    }
    let again = table.save().expect("a table can be saved");
    assert!(fuzz_game(*game).scene.load(&again).is_ok(), "a table that was played on can't be loaded again");
    Execution::accepted((game % game_count(), moves, table.outcome().is_some()))
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for game in 0..game_count() {
        for moves in [0, 1, 3, 9, 40] {
            let saved = fuzz_game(game).start_and_play(moves as u8, moves).save().expect("a table can be saved");
            seeds.push([&[game], &saved[..]].concat());
        }
    }
    seeds
}
