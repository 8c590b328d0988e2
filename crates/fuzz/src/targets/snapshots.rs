//! Saved tables: whoever can write to the database, and disks that forget.

use super::tables::{CHOICES, any_move, ready};
use crate::mutate::Dice;
use crate::target::{Seen, Target};
use baize_engine::input::Input;
use baize_engine::laws;
use baize_engine::table::LoadError;

pub const TARGET: Target = Target {
    name: "snapshots",
    law: "Any bytes are refused, or they are a table that everybody can look at, play on, and save again.",
    run,
    seeds,
    words: &[],
    longest: 16 * 1024,
    tests: 4_000,
};

fn run(bytes: &[u8]) -> Seen {
    let Some((game, saved)) = bytes.split_first() else { return Seen::refused("nothing") };
    let table = match ready(*game).stage.load(saved) {
        Ok(table) => table,
        Err(LoadError::Damaged) => return Seen::refused("damaged"),
        Err(LoadError::Semantics(_)) => return Seen::refused("semantics"),
    };
    let mut table = table;
    let mut views = laws::views(&table);
    let _ = laws::all(&table, 1);
    let mut dice = Dice::new(2);
    let mut moves = 0;
    while moves < 5 && any_move(&mut table, &mut dice) {
        moves += 1;
    }
    if let Ok(told) = table.input(&Input::Abandon) {
        let _ = laws::batches_lead_to_views(&mut views, &told, &table);
    }
    let again = table.save().expect("a table can be saved");
    assert!(ready(*game).stage.load(&again).is_ok(), "a table that was played on can't be loaded again");
    Seen::accepted((game % CHOICES, moves, table.outcome().is_some()))
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for game in 0..CHOICES {
        for moves in [0, 1, 3, 9, 40] {
            let saved = ready(game).played(moves as u8, moves).save().expect("a table can be saved");
            seeds.push([&[game], &saved[..]].concat());
        }
    }
    seeds
}
