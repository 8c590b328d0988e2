//! Plays games between bots, with each level in every seat, and counts the results of each level.

use crate::deal::seed_bytes;
use baize_bot_table::BotTable;
use baize_bots::{Bot, Level, Valuation};
use baize_engine::frame::Ended;
use baize_engine::instance::Game;
use baize_engine::moves::Move;
use baize_engine::with_game;
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of one level over all its seats.
#[derive(Serialize)]
pub struct LevelReport {
    pub level: String,
    /// How many seats the level had over all games.
    pub seats: u64,
    pub wins: u64,
    pub losses: u64,
    /// Its share of all wins, with a 95 % confidence interval.
    pub share_of_wins: Share,
    pub share_of_losses: Share,
    pub mean_rank: Share,
}

/// A figure and its 95 % confidence interval.
#[derive(Serialize)]
pub struct Share {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The counts of one level.
#[derive(Default, Clone)]
pub struct LevelTally {
    seats: u64,
    wins: u64,
    losses: u64,
    rank: f64,
    rank_squares: f64,
}

pub type Levels = BTreeMap<Level, LevelTally>;

/// The levels of a game's seats. They move by one seat from game to game.
pub fn seated(levels: &[Level], game: u64) -> Vec<Level> {
    (0..levels.len()).map(|seat| levels[(seat + game as usize) % levels.len()]).collect()
}

pub fn valuation(game: &Game) -> Valuation {
    with_game!(game, instance => Valuation::new(instance))
}

/// Plays one game. Returns its moves and its end.
pub fn play(
    game: &Game,
    levels: &[Level],
    valuation: &Valuation,
    seed: u64,
) -> Result<(Vec<(u8, Move)>, Ended), String> {
    let refused = |r: baize_engine::moves::Refusal| format!("refused: {}", r.in_words());
    let bot = |(seat, level): (u8, &Level)| Bot::new(seat, *level, seed.wrapping_add(u64::from(seat)));
    let bots = (0u8..).zip(levels).map(bot).collect();
    let (mut bot_table, _) = BotTable::start(game, levels.len() as u8, bots, seed_bytes(seed)).map_err(refused)?;
    let mut moves = Vec::new();
    while let Some(bot) = bot_table.asked_bot() {
        let (seat, answer) = (bot.seat(), bot_table.decide(bot, valuation));
        let answer = answer.ok_or("a seat is asked nothing")?;
        bot_table.play(seat, &answer).map_err(refused)?;
        moves.push((seat, answer));
    }
    let ended = bot_table.table.outcome().cloned().ok_or("the table waits, although everyone is there")?;
    Ok((moves, ended))
}

pub fn add(levels: &mut Levels, seated: &[Level], ended: &Ended) {
    for (seat, level) in seated.iter().enumerate() {
        let tally = levels.entry(*level).or_default();
        let rank = f64::from(ended.ranks[seat]);
        tally.seats += 1;
        tally.wins += u64::from(ended.winners >> seat & 1);
        tally.losses += u64::from(ended.losers >> seat & 1);
        tally.rank += rank;
        tally.rank_squares += rank * rank;
    }
}

pub fn merge(into: &mut Levels, from: &Levels) {
    for (level, other) in from {
        let tally = into.entry(*level).or_default();
        tally.seats += other.seats;
        tally.wins += other.wins;
        tally.losses += other.losses;
        tally.rank += other.rank;
        tally.rank_squares += other.rank_squares;
    }
}

pub fn report(levels: &Levels) -> Vec<LevelReport> {
    let wins: u64 = levels.values().map(|tally| tally.wins).sum();
    let losses: u64 = levels.values().map(|tally| tally.losses).sum();
    let one = |(level, tally): (&Level, &LevelTally)| LevelReport {
        level: level.to_string(),
        seats: tally.seats,
        wins: tally.wins,
        losses: tally.losses,
        share_of_wins: share(tally.wins, wins),
        share_of_losses: share(tally.losses, losses),
        mean_rank: mean(tally),
    };
    levels.iter().map(one).collect()
}

/// A share with Wilson's confidence interval.
pub fn share(n: u64, of: u64) -> Share {
    if of == 0 {
        return Share { value: 0.0, low: 0.0, high: 0.0 };
    }
    let (z, of, value) = (1.96, of as f64, n as f64 / of as f64);
    let middle = value + z * z / (2.0 * of);
    let spread = z * (value * (1.0 - value) / of + z * z / (4.0 * of * of)).sqrt();
    let scale = 1.0 + z * z / of;
    // Rounding may exceed the possible range a little.
    Share { value, low: ((middle - spread) / scale).max(0.0), high: ((middle + spread) / scale).min(1.0) }
}

fn mean(tally: &LevelTally) -> Share {
    let n = (tally.seats as f64).max(1.0);
    let value = tally.rank / n;
    let spread = (tally.rank_squares / n - value * value).max(0.0).sqrt();
    let error = 1.96 * spread / n.sqrt();
    Share { value, low: value - error, high: value + error }
}

pub fn print(levels: &[LevelReport]) {
    println!("  level      seats   share of wins          share of losses        mean rank");
    for level in levels {
        let percent = |s: &Share| format!("{:>5.1}% ({:.1}–{:.1})", s.value * 100.0, s.low * 100.0, s.high * 100.0);
        let rank = format!("{:.2} ({:.2}–{:.2})", level.mean_rank.value, level.mean_rank.low, level.mean_rank.high);
        let (wins, losses) = (percent(&level.share_of_wins), percent(&level.share_of_losses));
        println!("  {:<9} {:>6}   {wins:<22} {losses:<22} {rank}", level.level, level.seats);
    }
}
