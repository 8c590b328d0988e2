//! How fast games are played at random. Not tests: run them with
//! `cargo test --release -p baize-engine --lib -- --ignored --nocapture speed`.
//! For a profiler `BAIZE_PROFILE=playout` (or `=legal`) plays just once, `BAIZE_MOVES` moves, `BAIZE_GAME` only.

use super::build::make;
use super::donkey_rules::donkey;
use crate::chance::FastChance;
use crate::frame::Frame;
use crate::input::Input;
use crate::instance::{Game, Instance, instantiate};
use crate::sink::NullSink;
use crate::{cardset::CardSet, with_game};
use std::sync::Arc;
use std::time::Instant;

fn moves() -> u64 {
    std::env::var("BAIZE_MOVES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}

/// A frame with every seat taken.
fn seated<S: CardSet>(instance: &Instance<S>) -> Frame<S> {
    let mut frame = instance.frame();
    for seat in 0..instance.seats as u8 {
        let join = Input::Join { seat, person: true };
        instance.input(&mut frame, &join, &mut FastChance::new(0), &mut NullSink).unwrap();
    }
    let lead = Input::Lead { seat: Some(0) };
    instance.input(&mut frame, &lead, &mut FastChance::new(0), &mut NullSink).unwrap();
    frame
}

/// Plays whole games at random until so many moves are made.
fn playout<S: CardSet>(instance: &Instance<S>, start: &Frame<S>, moves: u64, fused: bool) -> u64 {
    let mut made = 0;
    let (mut chance, mut choice) = (FastChance::new(1), FastChance::new(2));
    while made < moves {
        let mut frame = start.clone();
        instance.start(&mut frame, &mut chance, &mut NullSink).unwrap();
        if fused {
            made += instance.playout(&mut frame, u32::MAX, &mut chance, &mut choice) as u64;
            continue;
        }
        while frame.open != 0 {
            let seat = frame.open.trailing_zeros() as u8;
            made += 1;
            let legal = instance.legal(&frame, seat).unwrap();
            let answer = legal.sample(&mut choice);
            instance.play_unchecked(&mut frame, seat, &answer, &mut chance, &mut NullSink);
        }
    }
    made
}

fn measure<S: CardSet>(name: &str, instance: &Instance<S>) {
    let start = seated(instance);
    if let Ok(mode) = std::env::var("BAIZE_PROFILE") {
        println!("{name}: {} moves", playout(instance, &start, moves(), mode == "playout"));
        return;
    }
    let mut best = [f64::MAX; 2];
    for _ in 0..3 {
        for fused in [false, true] {
            let begin = Instant::now();
            let made = playout(instance, &start, moves(), fused);
            let ns = begin.elapsed().as_nanos() as f64 / made as f64;
            best[fused as usize] = best[fused as usize].min(ns);
        }
    }
    let mut frame = start.clone();
    instance.start(&mut frame, &mut FastChance::new(1), &mut NullSink).unwrap();
    let begin = Instant::now();
    for _ in 0..100_000 {
        std::hint::black_box(frame.clone());
    }
    let clone = begin.elapsed().as_nanos() / 100_000;
    println!(
        "{name}: legal, sample, play {:.0} ns a move; playout {:.0} ns ({:.2} M moves/s); clone {clone} ns",
        best[0],
        best[1],
        1e3 / best[1],
    );
}

#[test]
#[ignore]
fn speed_by_hand() {
    let Game::Small(instance) = make(donkey(6), 4) else { panic!() };
    measure("donkey by hand", &instance);
}

#[test]
#[ignore]
fn speed_of_games() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let wanted = std::env::var("BAIZE_GAME").ok();
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if file.extension().is_none_or(|e| e != "baize") || wanted.as_ref().is_some_and(|w| *w != name) {
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap();
        let (Some(program), _) = baize_rules::compile(&source) else { continue };
        let seats = (program.meta.max_players as usize).min(4);
        let packs: Vec<_> = program.decks.iter().filter_map(|d| d.pack_type.clone()).collect();
        let packs: Vec<_> = packs
            .iter()
            .flat_map(|kind| {
                (0..300).map(move |i| crate::instance::PackCard {
                    deck_type: kind.clone(),
                    text: format!("{kind} {i} ____"),
                    props: vec![("pick".into(), 1)],
                })
            })
            .collect();
        let game = instantiate(Arc::new(program), &[], &packs, seats).unwrap();
        if std::env::var("BAIZE_DUMP").is_ok() {
            with_game!(&game, instance => {
                for (pc, line) in instance.code.lines.iter().enumerate() {
                    println!("{pc:3} {:?}", line.step);
                }
                for question in &instance.code.questions {
                    println!("{question:#?}");
                }
            });
            continue;
        }
        with_game!(&game, instance => measure(&format!("{name}, {seats} seats"), instance));
    }
}
