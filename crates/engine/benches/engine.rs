//! `cargo xtask bench engine`: compares random play by the compiled rules with random play by a hand-written game.

#[path = "reference.rs"]
mod reference;

use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::{Frame, Status};
use baize_engine::input::Input;
use baize_engine::instance::{Game, Instance};
use baize_engine::instantiate;
use baize_engine::live::GameScene;
use baize_engine::sink::NullSink;
use baize_engine::view::{Answer, Chosen, PartKindView, Viewer};
use baize_engine::with_game;
use baize_rules::program::OptionValue;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Name, seats and preset of each game, and the speed of random play by OpenSpiel's hand-written C++ on a similar core, in
/// millions of moves a second, deals included. OpenSpiel's Liar's Dice is nearest to our preset `quick` (one die each). The last
/// games of the list have no such reference. They are here because they use tables (`market-day`), and powers and folds
/// (`side-pot`).
const GAMES: [(&str, usize, Option<&str>, Option<f64>); 8] = [
    ("hearts", 4, None, Some(1.95)),
    ("crazy-eights", 5, None, Some(1.96)),
    ("go-fish", 2, None, Some(2.4)),
    ("liars-dice", 2, Some("quick"), Some(3.1)),
    ("liars-dice", 2, None, Some(3.1)),
    ("pig", 2, None, Some(8.4)),
    ("market-day", 4, None, None),
    ("side-pot", 4, None, None),
];

fn main() {
    let seconds = argument("--seconds").unwrap_or(2.0);
    let source = source("donkey");

    // With `--game` the program runs only playouts of that game, for a profiler.
    if let Some(name) = std::env::args().skip_while(|a| a != "--game").nth(1) {
        let (name, wanted) = name.split_once(' ').map_or((&*name, None), |(name, preset)| (name, Some(preset)));
        let known = GAMES.into_iter().find(|(game, _, preset, _)| *game == name && *preset == wanted);
        let (_, seats, preset, _) = known.expect("a game of the list, and its preset");
        let rounds = argument("--playouts").unwrap_or(10_000.0) as u64;
        let moves: u64 =
            with_game!(&game(name, seats, preset), instance => (0..rounds).map(|n| playout(instance, n)).sum());
        println!("{moves} moves");
        return;
    }

    let compile = best(5, || {
        let start = Instant::now();
        black_box(baize_rules::compile(black_box(&source)));
        start.elapsed().as_secs_f64()
    });
    let program = Arc::new(baize_rules::compile(&source).0.expect("a correct file"));
    // With a word of one letter a game is one round, as in the reference.
    let options = [("word".to_string(), OptionValue::Text("D".into()))];
    let donkey = instantiate(program, &options, &[], reference::SEATS).expect("four seats");
    let scene = GameScene::new(&donkey);
    let Game::Small(instance) = donkey else { panic!("52 cards fit in 64 bits") };

    if let Some(rounds) = argument("--playouts") {
        let moves: u64 = (0..rounds as u64).map(|n| playout(&instance, n)).sum();
        println!("{moves} moves");
        return;
    }
    if let Some(rounds) = argument("--observed") {
        let moves: u64 = (0..rounds as u64).map(|n| observed_round(&scene, n)).sum();
        println!("{moves} moves");
        return;
    }

    // The slices alternate, so that other load on the machine slows all of them alike.
    let mut ours = Speed::default();
    let mut stepwise = Speed::default();
    let mut theirs = Speed::default();
    let mut observed = Speed::default();
    let mut seed = 1u64;
    let began = Instant::now();
    while began.elapsed().as_secs_f64() < seconds * 3.0 {
        theirs.slice(|n| {
            let mut random = seed * 7919 + n;
            reference::play_round(&mut random).0
        });
        ours.slice(|n| playout(&instance, seed * 104_729 + n));
        stepwise.slice(|n| play_round(&instance, &mut FastChance::new(seed * 104_729 + n)));
        observed.slice(|n| if n % 20 == 0 { observed_round(&scene, seed + n) } else { 0 });
        seed += 1;
    }
    let table = midgame(&instance);
    let clone = best(50, || {
        let start = Instant::now();
        for _ in 0..1000 {
            black_box(black_box(&table).clone());
        }
        start.elapsed().as_secs_f64() / 1000.0
    });

    println!("hand-written    {:>8.2} M moves/s", theirs.best / 1e6);
    println!("compiled rules  {:>8.2} M moves/s (playout: legal moves, a random one, applied)", ours.best / 1e6);
    println!(
        "  step by step  {:>8.2} M moves/s (with a list of legal moves and a move for each step)",
        stepwise.best / 1e6
    );
    println!(
        "  observed        {:>8.3} M moves/s (a table with its views: four players, spectators, replay)",
        observed.best / 1e6
    );
    println!("ratio           {:>8.3}", ours.best / theirs.best);
    println!("median ratio    {:>8.3}", median_ratio(&ours.all, &theirs.all));
    println!("  step by step  {:>8.3}", median_ratio(&stepwise.all, &theirs.all));
    println!("clone mid-game  {:>8.0} ns", clone * 1e9);
    println!("compile a file  {:>8.2} ms", compile * 1e3);
    println!("table           {:>8} bytes", size(&table));
    println!("\nrandom play              M moves/s   OpenSpiel   ratio");
    for (name, seats, preset, reference) in GAMES {
        let speed = measure_playouts(&game(name, seats, preset), seconds);
        let name = format!("{name} {}", preset.unwrap_or_default());
        match reference {
            Some(reference) => {
                println!("{name:<20}{seats:>3} {speed:>12.2} {reference:>11.2} {:>7.2}", speed / reference)
            }
            None => println!("{name:<20}{seats:>3} {speed:>12.2}"),
        }
    }
}

fn source(name: &str) -> String {
    let path = format!("{}/../../games/{name}.baize", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a file of games/")
}

fn game(name: &str, seats: usize, preset: Option<&str>) -> Game {
    let program = baize_rules::compile(&source(name)).0.expect("a correct file");
    let preset = program.presets.iter().find(|known| Some(known.name.as_str()) == preset);
    let values = preset.map(|preset| preset.values.clone()).unwrap_or_default();
    let named = |(id, value): &(u16, OptionValue)| (program.options[usize::from(*id)].name.clone(), value.clone());
    let options: Vec<_> = values.iter().map(named).collect();
    instantiate(Arc::new(program), &options, &[], seats).expect("a game for this number of seats")
}

/// Returns the speed of playouts in the best of many slices, in millions of moves a second.
fn measure_playouts(game: &Game, seconds: f64) -> f64 {
    let mut speed = Speed::default();
    let began = Instant::now();
    let mut seed = 1;
    while began.elapsed().as_secs_f64() < seconds {
        with_game!(game, instance => speed.slice(|n| playout(instance, seed * 104_729 + n)));
        seed += 1;
    }
    speed.best / 1e6
}

/// Returns the number after a flag.
fn argument(flag: &str) -> Option<f64> {
    std::env::args().skip_while(|a| a != flag).nth(1)?.parse().ok()
}

#[derive(Default)]
struct Speed {
    best: f64,
    all: Vec<f64>,
}

impl Speed {
    /// Plays 200 rounds and records the moves per second.
    fn slice(&mut self, mut round: impl FnMut(u64) -> u64) {
        let start = Instant::now();
        let moves: u64 = (0..200).map(&mut round).sum();
        let speed = moves as f64 / start.elapsed().as_secs_f64();
        self.best = self.best.max(speed);
        self.all.push(speed);
    }
}

fn median_ratio(a: &[f64], b: &[f64]) -> f64 {
    let mut ratios: Vec<f64> = a.iter().zip(b).map(|(x, y)| x / y).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(0.0)
}

fn best(times: usize, mut run: impl FnMut() -> f64) -> f64 {
    (0..times).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn start<S: CardSet>(instance: &Instance<S>, chance: &mut FastChance) -> Frame<S> {
    let mut frame = instance.frame();
    for seat in 0..instance.seats as u8 {
        instance.input(&mut frame, &Input::Join { seat, person: true }, chance, &mut NullSink).expect("a free seat");
    }
    instance.start(&mut frame, chance, &mut NullSink).expect("enough players");
    frame
}

fn playout<S: CardSet>(instance: &Instance<S>, seed: u64) -> u64 {
    let mut chance = FastChance::new(seed);
    let mut frame = start(instance, &mut chance);
    u64::from(instance.playout(&mut frame, u32::MAX, &mut chance, &mut FastChance::new(!seed)))
}

fn play_round(instance: &Instance<u64>, chance: &mut FastChance) -> u64 {
    let mut frame = start(instance, chance);
    let mut moves = 0;
    while frame.status == Status::Asking {
        let seat = frame.open.trailing_zeros() as u8;
        let legal = instance.legal(&frame, seat).expect("a seat that is asked");
        let answer = legal.sample(chance);
        instance.play_unchecked(&mut frame, seat, &answer, chance, &mut NullSink);
        moves += 1;
    }
    moves
}

/// Plays a round at a table with observers: each answer is chosen from a view, and all viewers get batches.
fn observed_round(scene: &GameScene, seed: u64) -> u64 {
    let mut chance = FastChance::new(seed);
    let mut secret = [0; 32];
    secret[..8].copy_from_slice(&seed.to_le_bytes());
    let mut table = scene.table(secret);
    for seat in 0..reference::SEATS as u8 {
        table.input(&Input::Join { seat, person: true }).expect("a free seat");
    }
    table.input(&Input::Start).expect("enough players");
    let mut moves = 0;
    while table.outcome().is_none() {
        let seat = table.open().trailing_zeros() as u8;
        let decision = table.view(Viewer::Seat(seat)).and_then(|view| view.decision.as_ref()).expect("a question");
        let alternative = &decision.alternatives[0];
        let parts = alternative.parts.iter().map(|part| match &part.kind {
            PartKindView::Card { options, .. } => Chosen::Card(options[chance.below(options.len() as u32) as usize]),
            other => panic!("another question: {other:?}"),
        });
        let answer = Answer { decision: decision.id, alternative: alternative.index, parts: parts.collect() };
        black_box(table.answer(seat, &answer).expect("a legal move"));
        moves += 1;
    }
    moves
}

fn midgame(instance: &Instance<u64>) -> Frame<u64> {
    let chance = &mut FastChance::new(5);
    let mut frame = start(instance, chance);
    for _ in 0..20 {
        let seat = frame.open.trailing_zeros() as u8;
        let Some(legal) = instance.legal(&frame, seat) else { break };
        let answer = legal.nth(u64::from(chance.below(legal.count() as u32)));
        instance.play_unchecked(&mut frame, seat, &answer, chance, &mut NullSink);
    }
    frame
}

/// Returns the memory of a frame in bytes, heap included.
fn size(frame: &Frame<u64>) -> usize {
    use std::mem::size_of_val;
    size_of_val(frame)
        + size_of_val(&*frame.cells)
        + size_of_val(&*frame.sets)
        + size_of_val(&*frame.lists)
        + frame.lists.iter().map(|l| l.capacity() * 2).sum::<usize>()
        + size_of_val(&*frame.by)
        + size_of_val(&*frame.picked)
        + size_of_val(&*frame.seats)
}
