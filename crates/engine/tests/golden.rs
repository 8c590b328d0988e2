//! Compares a playthrough of every game in `games/` with a snapshot: what players see and do in the first moves of one table,
//! and the exact number of positions after each of the next moves. A difference means that a rule, a view or a shuffle has
//! changed.

mod games;

use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::{Frame, Status, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::Instance;
use baize_engine::live::LiveTable;
use baize_engine::sink::NullSink;
use baize_engine::view::{Event, Viewer};
use baize_engine::{cardset::CardSet, with_game, with_sight};
use baize_terminal::Terminal;
use std::fmt::Write;

const MOVES: u32 = 24;

#[test]
fn playthroughs_match_their_snapshots() {
    for found in games::all() {
        let players = (*found.players().start()).max(3).min(*found.players().end());
        let game = found.game(players);
        let mut out = format!("{} with {players} players\n", found.program.meta.title);
        let mut table = LiveTable::new(&game, games::seed(1));
        let mut log = Vec::new();
        for seat in 0..players as u8 {
            log.push(Input::Join { seat, person: true });
        }
        log.extend([Input::Lead { seat: Some(0) }, Input::Start]);
        for input in log {
            table.input(&input).expect("a table that can start");
        }
        let names: Vec<String> = (1..=players).map(|n| format!("P{n}")).collect();
        let definition = table.definition();
        let terminal = Terminal { table: &definition, names: &names, you: None };
        let mut chance = FastChance::new(9);
        for step in 0..MOVES {
            let open = table.open();
            let Some(seat) = seats_of(open).nth(chance.below(open.count_ones().max(1)) as usize) else { break };
            if step % 8 == 0 {
                let view = table.view(Viewer::Seat(seat)).expect("a view");
                writeln!(out, "\n===== P{} sees\n{}", seat + 1, terminal.write(view)).expect("a string");
            }
            let sight = table.sight(Viewer::Seat(seat));
            let answer = with_sight!(&sight, s => {
                s.instance().legal(s.frame(), seat).expect("a seat that is asked has a legal move").sample_with_text(&mut chance, "Made up")
            });
            let batches = table.play(seat, &answer).expect("a legal move");
            writeln!(out, "P{} {:?} {:?}", seat + 1, answer.alternative, answer.parts).expect("a string");
            for event in &batches.of(Viewer::Spectator).expect("a batch").events {
                if let Event::Announced { text, kind, .. } = event {
                    writeln!(out, "   {kind}: {}", terminal.line(text)).expect("a string");
                }
            }
        }
        writeln!(out, "\n===== a spectator sees\n{}", terminal.write(table.view(Viewer::Spectator).expect("a view")))
            .expect("a string");
        let counts = with_game!(&game, instance => count_positions(instance, players));
        writeln!(out, "\nways to play on after 0, 1, 2 … moves: {counts:?}").expect("a string");
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("snapshots/golden");
        settings.bind(|| insta::assert_snapshot!(found.name.clone(), out));
    }
}

/// Returns the exact number of positions after 0, 1, 2 … moves, until there are more than 30,000.
fn count_positions<S: CardSet>(instance: &Instance<S>, players: usize) -> Vec<u64> {
    let mut chance = FastChance::new(3);
    let mut frame = instance.frame();
    for seat in 0..players as u8 {
        instance
            .input(&mut frame, &Input::Join { seat, person: true }, &mut chance, &mut NullSink)
            .expect("a free seat");
    }
    instance.input(&mut frame, &Input::Lead { seat: Some(0) }, &mut chance, &mut NullSink).expect("a seat");
    instance.start(&mut frame, &mut chance, &mut NullSink).expect("enough players");
    let mut level: Vec<Frame<S>> = vec![frame];
    let mut counts = vec![1];
    while counts.len() < 6 {
        let mut next = Vec::new();
        for frame in &level {
            if frame.status != Status::Asking {
                continue;
            }
            let seat = frame.open.trailing_zeros() as u8;
            let legal = instance.legal(frame, seat).expect("a seat that is asked has a legal move");
            for i in 0..legal.count().min(3000) {
                let mut copy = frame.clone();
                // Every branch has the same chance, so that the number is always the same.
                instance.play_unchecked(&mut copy, seat, &legal.nth(i), &mut FastChance::new(7), &mut NullSink);
                next.push(copy);
            }
            if next.len() > 30_000 {
                return counts;
            }
        }
        counts.push(next.len() as u64);
        level = next;
    }
    counts
}
