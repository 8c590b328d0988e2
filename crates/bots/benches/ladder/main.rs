//! `cargo xtask bench bots`: each level against the next lower one, in every game, as a table for `docs/bots.md`.
//!
//! `--games N` games for each pair (1000), `--game NAME` only this one, `--quick` a tenth.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

#[path = "../../tests/games/mod.rs"]
mod games;
mod odds;

use baize_bots::{Bot, Level, Valuation};
use baize_engine::chance::FastChance;
use baize_engine::frame::{Ended, Ending, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::Game;
use baize_engine::live::LiveTable;
use baize_engine::moves::Move;
use baize_engine::view::Viewer;
use baize_engine::{with_game, with_sight};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PAIRS: [(Level, Level); 3] =
    [(Level::Difficult, Level::Medium), (Level::Medium, Level::Easy), (Level::Easy, Level::Random)];

fn main() {
    let games = argument("--games").and_then(|n| n.parse().ok()).unwrap_or(1_000u64);
    let games = if std::env::args().any(|a| a == "--quick") { games / 10 } else { games };
    let only = argument("--game");
    println!(
        "| game | better | worse | games | mean rank (better) | mean rank (worse) | p | losses of the better | ms a decision |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, path) in games::files() {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let game = games::game(&path, true, 4);
        let valuation = with_game!(&game, instance => Valuation::new(instance));
        for (better, worse) in PAIRS {
            let sum = play_many(&game, &valuation, &[better, worse, better, worse], games);
            println!("{}", sum.row(&name, better, worse));
        }
    }
    if only.is_none_or(|only| only == "high-low") {
        odds::compare(games);
    }
}

fn argument(flag: &str) -> Option<String> {
    std::env::args().skip_while(|a| a != flag).nth(1)
}

/// What became of many games.
#[derive(Default)]
pub struct Sum {
    games: u64,
    /// By level, better one first: ranks, in each game the mean of both seats.
    ranks: [Vec<f64>; 2],
    losses: [u64; 2],
    pub all_won: u64,
    thought: Duration,
    decisions: u64,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.games += other.games;
        for (mine, theirs) in self.ranks.iter_mut().zip(other.ranks) {
            mine.extend(theirs);
        }
        self.losses[0] += other.losses[0];
        self.losses[1] += other.losses[1];
        self.all_won += other.all_won;
        self.thought += other.thought;
        self.decisions += other.decisions;
    }

    fn row(&self, name: &str, better: Level, worse: Level) -> String {
        let mean = |ranks: &[f64]| ranks.iter().sum::<f64>() / ranks.len().max(1) as f64;
        let losses = self.losses[0] + self.losses[1];
        let share = match losses {
            0 => "–".to_owned(),
            _ => format!("{:.1} %", self.losses[0] as f64 * 100.0 / losses as f64),
        };
        format!(
            "| {name} | {better} | {worse} | {} | {:.3} | {:.3} | {} | {share} | {:.2} |",
            self.games,
            mean(&self.ranks[0]),
            mean(&self.ranks[1]),
            self.significance(),
            self.thought.as_secs_f64() * 1e3 / self.decisions.max(1) as f64,
        )
    }

    /// How likely a difference of ranks like this would be by luck (paired, one-sided, normal).
    fn significance(&self) -> String {
        let differences: Vec<f64> =
            self.ranks[1].iter().zip(&self.ranks[0]).map(|(worse, better)| worse - better).collect();
        let n = differences.len().max(2) as f64;
        let mean = differences.iter().sum::<f64>() / n;
        let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
        if variance == 0.0 {
            return "–".to_owned();
        }
        let p = upper_tail(mean / (variance / n).sqrt());
        if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
    }
}

/// P(Z > z) for a normal Z (Abramowitz and Stegun 26.2.17).
fn upper_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - upper_tail(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let poly =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly
}

/// Plays games on all cores; seats change places from game to game.
pub fn play_many(game: &Game, valuation: &Valuation, levels: &[Level], games: u64) -> Sum {
    let next = AtomicU64::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let seats = with_game!(game, instance => instance.seats);
    let mut sum = Sum::default();
    let parts: Vec<Sum> = std::thread::scope(|scope| {
        let work = || {
            let mut sum = Sum::default();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= games {
                    return sum;
                }
                let seated: Vec<Level> = (0..seats).map(|seat| levels[(seat + n as usize) % levels.len()]).collect();
                let (ended, thought, decisions) = play(game, valuation, &seated, n, |_, _| None);
                sum.note(&seated, levels[0], &ended, thought, decisions);
            }
        };
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a thread")).collect()
    });
    parts.into_iter().for_each(|part| sum.add(part));
    sum
}

impl Sum {
    fn note(&mut self, seated: &[Level], better: Level, ended: &Ended, thought: Duration, decisions: u64) {
        self.games += 1;
        self.thought += thought;
        self.decisions += decisions;
        self.all_won += u64::from(ended.kind == Ending::EveryoneWins);
        let mut ranks = [(0.0, 0.0); 2];
        for (seat, level) in seated.iter().enumerate() {
            let side = usize::from(*level != better);
            ranks[side].0 += f64::from(ended.ranks[seat]);
            ranks[side].1 += 1.0;
            self.losses[side] += u64::from(ended.losers >> seat & 1);
        }
        for (all, (sum, n)) in self.ranks.iter_mut().zip(ranks) {
            all.push(sum / f64::max(n, 1.0));
        }
    }
}

/// One game. `other` may answer in the place of a bot.
pub fn play(
    game: &Game,
    valuation: &Valuation,
    levels: &[Level],
    seed: u64,
    other: impl Fn(&LiveTable, u8) -> Option<Move>,
) -> (Ended, Duration, u64) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&FastChance::new(seed).word().to_le_bytes());
    let mut table = LiveTable::new(game, bytes);
    for seat in 0..levels.len() as u8 {
        table.input(&Input::Join { seat, person: false }).expect("a seat");
    }
    table.input(&Input::Lead { seat: Some(0) }).expect("a lead");
    let mut bots: Vec<Bot> = (0u8..).zip(levels).map(|(seat, level)| Bot::new(seat, *level, seed)).collect();
    let mut told = table.input(&Input::Start).expect("a start");
    let (mut thought, mut decisions) = (Duration::ZERO, 0);
    loop {
        for bot in bots.iter_mut().filter(|bot| bot.watches()) {
            let viewer = Viewer::Seat(bot.seat());
            bot.watch(&table.sight(viewer), told.of(viewer).expect("a batch"));
        }
        let Some(seat) = seats_of(table.open()).next() else { break };
        let viewer = Viewer::Seat(seat);
        let began = Instant::now();
        let answer = other(&table, seat).unwrap_or_else(|| {
            let knowledge = table.knowledge(viewer).expect("a seat");
            bots[usize::from(seat)].decide(&table.sight(viewer), knowledge, valuation).expect("it is asked")
        });
        // Of the first side, which is the one that is looked at.
        if levels[usize::from(seat)] == levels[0] {
            thought += began.elapsed();
            decisions += 1;
        }
        told = table.play(seat, &answer).expect("a legal move");
    }
    (table.outcome().cloned().expect("an end"), thought, decisions)
}

/// The legal moves of a seat.
pub fn legal_moves(table: &LiveTable, seat: u8) -> Vec<Move> {
    let sight = table.sight(Viewer::Seat(seat));
    with_sight!(&sight, sight => {
        let legal = sight.instance().legal(sight.frame(), seat).expect("it is asked");
        (0..legal.count()).map(|n| legal.nth(n)).collect()
    })
}
