//! SYNC-1 on the wire: for every game in `games/`, batches that were written in compact form and read again turn each view
//! of every viewer into the next. The batches of one player and a spectator are also stored as vectors for the browser's
//! reader and reducer; `cargo xtask regenerate protocol` rewrites them.

#[path = "../../engine/tests/games/mod.rs"]
mod games;
mod vectors;

use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::live::LiveTable;
use baize_engine::reduce::reduce;
use baize_engine::view::{View, Viewer};
use baize_engine::with_sight;
use baize_narrator::Narrator;
use baize_protocol::compact::{TextNumbers, WireBatch};
use serde_json::{Value, json};

const PLAYERS: usize = 4;
const MOVES: usize = 400;
/// Upper bound on the bytes of the narrations of a batch, on average over a whole game.
const MAX_BYTES_OF_WORDS: usize = 120;
/// How many moves the stored vectors have.
const WRITTEN: usize = 40;

fn started(game: &baize_engine::instance::Game, players: usize) -> LiveTable {
    let mut table = LiveTable::new(game, games::seed(1));
    for seat in 0..players as u8 {
        table.input(&Input::Join { seat, person: true }).unwrap();
    }
    table.input(&Input::Lead { seat: Some(0) }).unwrap();
    table.input(&Input::Start).unwrap();
    table
}

/// Plays a random move. Returns none when the game is over.
fn play(table: &mut LiveTable, chance: &mut FastChance) -> Option<baize_engine::live::StepBatches> {
    let open = table.open();
    let seat = seats_of(open).nth(chance.below(open.count_ones().max(1)) as usize)?;
    let sight = table.sight(Viewer::Seat(seat));
    let answer =
        with_sight!(&sight, s => s.instance().legal(s.frame(), seat).unwrap().sample_with_text(chance, "Made up"));
    Some(table.play(seat, &answer).unwrap())
}

#[test]
fn decoded_batches_turn_each_view_into_the_next() {
    for found in games::all() {
        let players = PLAYERS.clamp(*found.players().start(), *found.players().end());
        let game = found.game(players);
        let mut table = started(&game, players);
        let definition = table.definition();
        let phrases = baize_narrator::phrases(&definition).into_iter().map(|phrase| vec![phrase]);
        let texts = TextNumbers::new(definition.texts.iter().cloned().chain(phrases).collect());
        let narrator = Narrator { table: &definition };
        let mut chance = FastChance::new(9);
        let mut views: Vec<(Viewer, View)> = baize_engine::laws::views(&table);
        let (mut bytes, mut told_bytes, mut count) = (0, 0, 0);
        for _ in 0..MOVES {
            let Some(batches) = play(&mut table, &mut chance) else { break };
            for (viewer, view) in &mut views {
                let step = batches.step_of(*viewer).unwrap();
                let batch = &step.batch;
                let (mut silent, mut written) = (Vec::new(), Vec::new());
                let after = table.view(*viewer).unwrap();
                let narrations = narrator.narrate(after, batch, &step.replaced);
                baize_protocol::compact::write(batch, &[], &[], &texts, &mut silent);
                baize_protocol::compact::write(batch, &narrations, &[], &texts, &mut written);
                let written = String::from_utf8(written).unwrap();
                let wire: WireBatch = serde_json::from_str(&written).unwrap_or_else(|e| panic!("{e}: {written}"));
                let read = wire.read(&texts).unwrap_or_else(|| panic!("unreadable: {written}"));
                assert_eq!(read.batch, *batch, "{written}");
                assert_eq!(read.narrations, narrations, "{written}");
                reduce(view, &read.batch).unwrap_or_else(|e| panic!("{e}: {written}"));
                assert_eq!(Some(&*view), table.view(*viewer), "{written}");
                if matches!(viewer, Viewer::Seat(_)) {
                    if std::env::var_os("BAIZE_SHOW").is_some() {
                        eprintln!("{viewer:?} {written}");
                    }
                    bytes += silent.len();
                    told_bytes += written.len() - silent.len();
                    count += 1;
                }
            }
        }
        let told_bytes = told_bytes / count;
        eprintln!("{}: {} bytes a batch, and {told_bytes} for its words", found.name, bytes / count);
        assert!(told_bytes <= MAX_BYTES_OF_WORDS, "{}: {told_bytes} bytes for the words of a batch", found.name);
    }
}

#[test]
fn vectors_are_up_to_date() {
    for found in games::all() {
        let players = PLAYERS.clamp(*found.players().start(), *found.players().end());
        let mut table = started(&found.game(players), players);
        let known = table.definition().texts;
        let texts = TextNumbers::new(known.clone());
        let mut chance = FastChance::new(11);
        let viewers = [Viewer::Seat(1), Viewer::Spectator];
        let view = |table: &LiveTable, viewer| json!(table.view(viewer).unwrap());
        let first: Vec<Value> = viewers.iter().map(|viewer| view(&table, *viewer)).collect();
        let mut batches: Vec<Vec<Value>> = vec![Vec::new(); viewers.len()];
        let mut half = Vec::new();
        for at in 0..WRITTEN {
            if at == WRITTEN / 2 {
                half = viewers.iter().map(|viewer| view(&table, *viewer)).collect();
            }
            let Some(step) = play(&mut table, &mut chance) else { break };
            for (batches, viewer) in batches.iter_mut().zip(viewers) {
                batches.push(json!(WireBatch::new(step.of(viewer).unwrap(), &[], &[], &texts).unwrap()));
            }
        }
        let followed: Vec<Value> = (0..viewers.len())
            .map(|n| {
                let last = view(&table, viewers[n]);
                json!({ "first": first[n], "batches": batches[n], "half": half.get(n), "last": last })
            })
            .collect();
        let fresh = serde_json::to_string(&json!({ "texts": known, "viewers": followed })).unwrap() + "\n";
        vectors::check_or_write(&format!("{}.json", found.name), &fresh);
    }
}
