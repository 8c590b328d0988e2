//! `cargo xtask bench bots`: plays each level against the next lower one in every game, and prints a table for `docs/bots.md`.
//!
//! - `--games N`: the number of games for each pair of levels (1000).
//! - `--seconds N`: a time limit for each pair; at least 30 games are played.
//! - `--game NAME`: plays only this game.
//! - `--pair LEVEL`: plays only this level against the next lower one.
//! - `--threads N`: the number of threads (one for each core).
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

#[path = "../../../engine/tests/games/mod.rs"]
mod games;
mod odds;

use baize_bot_table::BotTable;
use baize_bots::{Bot, Level, Valuation};
use baize_engine::chance::FastChance;
use baize_engine::frame::{Ended, OutcomeKind};
use baize_engine::instance::Game;
use baize_engine::live::LiveTable;
use baize_engine::moves::Move;
use baize_engine::view::Viewer;
use baize_engine::{with_game, with_sight};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PAIRS: [(Level, Level); 3] =
    [(Level::Difficult, Level::Medium), (Level::Medium, Level::Easy), (Level::Easy, Level::Random)];

/// Number of games of a pair that are played even after the time limit.
const FEWEST: u64 = 30;

struct LadderOptions {
    games: u64,
    seconds: Option<u64>,
    game: Option<String>,
    pair: Option<String>,
    threads: usize,
}

fn main() {
    let number = |flag: &str| argument(flag).and_then(|n| n.parse::<u64>().ok());
    let settings = LadderOptions {
        games: number("--games").unwrap_or(1_000),
        seconds: number("--seconds"),
        game: argument("--game"),
        pair: argument("--pair"),
        threads: number("--threads")
            .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |n| n.max(1) as usize),
    };
    println!(
        "| game | better | worse | games | mean rank (better) | mean rank (worse) | p | losses of the better | ms a decision |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let wanted = |name: &str| settings.game.as_ref().is_none_or(|only| only == name);
    for found in games::all().into_iter().filter(|found| wanted(&found.name)) {
        let game = found.quick_preset(4.clamp(*found.players().start(), *found.players().end()));
        let valuation = with_game!(&game, instance => Valuation::new(instance));
        for (better, worse) in PAIRS {
            if settings.pair.as_ref().is_some_and(|only| *only != better.word()) {
                continue;
            }
            let sum = play_many(&game, &valuation, &[better, worse, better, worse], &settings);
            println!("{}", sum.row(&found.name, better, worse));
        }
    }
    if wanted("high-low") {
        odds::compare(&settings);
    }
}

fn argument(flag: &str) -> Option<String> {
    std::env::args().skip_while(|a| a != flag).nth(1)
}

/// The results of many games.
#[derive(Default)]
pub struct LadderResults {
    games: u64,
    /// The mean rank of a level's seats in each game: first for the better level, then for the worse one.
    ranks: [Vec<f64>; 2],
    losses: [u64; 2],
    pub all_won: u64,
    /// CPU time of each decision of the better level that had more than one legal answer.
    thought: Vec<Duration>,
}

impl LadderResults {
    fn add(&mut self, other: LadderResults) {
        self.games += other.games;
        for (mine, theirs) in self.ranks.iter_mut().zip(other.ranks) {
            mine.extend(theirs);
        }
        self.losses[0] += other.losses[0];
        self.losses[1] += other.losses[1];
        self.all_won += other.all_won;
        self.thought.extend(other.thought);
    }

    fn row(mut self, name: &str, better: Level, worse: Level) -> String {
        let median = median_ms(std::mem::take(&mut self.thought));
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
            median,
        )
    }

    /// Returns the probability that luck alone makes such a difference of ranks (paired, one-sided z-test).
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

/// Returns P(Z > z) for a standard normal Z (Abramowitz and Stegun 26.2.17).
fn upper_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - upper_tail(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let poly =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly
}

/// Plays games on several threads. From game to game each level moves on by one seat.
fn play_many(game: &Game, valuation: &Valuation, levels: &[Level], settings: &LadderOptions) -> LadderResults {
    let next = AtomicU64::new(0);
    let begun = Instant::now();
    let seats = with_game!(game, instance => instance.seats);
    let mut sum = LadderResults::default();
    let parts: Vec<LadderResults> = std::thread::scope(|scope| {
        let work = || {
            let mut sum = LadderResults::default();
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let late = settings.seconds.is_some_and(|most| begun.elapsed() > Duration::from_secs(most));
                if n >= settings.games || (n >= FEWEST && late) {
                    return sum;
                }
                let seated: Vec<Level> = (0..seats).map(|seat| levels[(seat + n as usize) % levels.len()]).collect();
                let (ended, thought) = play(game, valuation, &seated, levels[0], n, |_, _| None);
                sum.note(&seated, levels[0], &ended, thought);
            }
        };
        let workers: Vec<_> = (0..settings.threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a thread")).collect()
    });
    parts.into_iter().for_each(|part| sum.add(part));
    sum
}

impl LadderResults {
    fn note(&mut self, seated: &[Level], better: Level, ended: &Ended, thought: Vec<Duration>) {
        self.games += 1;
        self.thought.extend(thought);
        self.all_won += u64::from(ended.kind == OutcomeKind::EveryoneWins);
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

/// Plays one game; returns its outcome and the CPU time of each decision of the level `timed`. `other` may answer instead of
/// a bot.
pub fn play(
    game: &Game,
    valuation: &Valuation,
    levels: &[Level],
    timed: Level,
    seed: u64,
    other: impl Fn(&LiveTable, u8) -> Option<Move>,
) -> (Ended, Vec<Duration>) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&FastChance::new(seed).word().to_le_bytes());
    // Each seat has a seed of its own, so that bots of one level do not make the same random choices.
    let bot = |(seat, level): (u8, &Level)| Bot::new(seat, *level, seed ^ u64::from(seat) << 56);
    let bots = (0u8..).zip(levels).map(bot).collect();
    let (mut bot_table, _) = BotTable::start(game, levels.len() as u8, bots, bytes).expect("a start");
    let mut thought = Vec::new();
    while let Some(bot) = bot_table.asked_bot() {
        let seat = bot.seat();
        let sight = bot_table.table.sight(Viewer::Seat(seat));
        let choices =
            with_sight!(&sight, sight => sight.instance().legal(sight.frame(), seat).map_or(0, |l| l.count()));
        let began = cpu();
        let answer = other(&bot_table.table, seat).or_else(|| bot_table.decide(bot, valuation)).expect("it is asked");
        if bot.level() == timed && choices > 1 {
            thought.push(cpu().saturating_sub(began));
        }
        bot_table.play(seat, &answer).expect("a legal move");
    }
    (bot_table.table.outcome().cloned().expect("an end"), thought)
}

/// Returns the median in milliseconds.
pub fn median_ms(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |median| median.as_secs_f64() * 1e3)
}

/// Returns the CPU time of this thread, which other load on the machine does not change.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the legal moves of a seat.
pub fn legal_moves(table: &LiveTable, seat: u8) -> Vec<Move> {
    let sight = table.sight(Viewer::Seat(seat));
    with_sight!(&sight, sight => {
        let legal = sight.instance().legal(sight.frame(), seat).expect("it is asked");
        (0..legal.count()).map(|n| legal.nth(n)).collect()
    })
}
