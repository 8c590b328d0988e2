//! A reference player of High/Low: it counts cards and always takes the best odds. Only a player that looks further ahead can
//! do better.

use crate::games;
use crate::{LadderOptions, legal_moves, median_ms, play};
use baize_bots::{Level, Valuation};
use baize_engine::cardset::CardSet;
use baize_engine::frame::OutcomeKind;
use baize_engine::live::{AnySight, LiveTable};
use baize_engine::moves::{Move, PartValue};
use baize_engine::view::Viewer;
use baize_engine::with_game;
use std::time::Duration;

/// Prints how often this player and bots of each level beat the deck, on the same deals.
pub fn compare(settings: &LadderOptions) {
    let found = games::all().into_iter().find(|found| found.name == "high-low").expect("high-low");
    let game = found.game(2);
    let valuation = with_game!(&game, instance => Valuation::new(instance));
    let (games, threads) = (settings.games, settings.threads);
    let row = |name: &str, level: Option<Level>| {
        let won = |seed: u64| {
            let levels = [level.unwrap_or(Level::Random); 2];
            let (ended, thought) = play(&game, &valuation, &levels, levels[0], seed, |table, seat| match level {
                None => Some(best_odds(table, seat)),
                Some(_) => None,
            });
            (ended.kind == OutcomeKind::EveryoneWins, thought)
        };
        let played: Vec<(bool, Vec<Duration>)> = std::thread::scope(|scope| {
            let won = &won;
            let part =
                |first: usize| scope.spawn(move || (first as u64..games).step_by(threads).map(won).collect::<Vec<_>>());
            let parts: Vec<_> = (0..threads).map(part).collect();
            parts.into_iter().flat_map(|part| part.join().expect("a thread")).collect()
        });
        let wins = played.iter().filter(|(won, _)| *won).count();
        let thought = played.into_iter().flat_map(|(_, thought)| thought).collect();
        println!("| {name} | {:.1} % | {:.2} |", wins as f64 * 100.0 / games as f64, median_ms(thought));
    };
    println!();
    println!("| high-low, all 52 cards | games won of {games} | ms a decision |");
    println!("|---|---|---|");
    row("best odds (reference)", None);
    for level in [Level::Difficult, Level::Medium, Level::Easy, Level::Random] {
        row(level.word(), Some(level));
    }
}

fn best_odds(table: &LiveTable, seat: u8) -> Move {
    let AnySight::Small(sight) = table.sight(Viewer::Seat(seat)) else { panic!("52 cards fit in 64 bits") };
    let (instance, frame) = (sight.instance(), sight.frame());
    let zone = instance.program.zones.iter().position(|zone| zone.name == "piles").expect("piles");
    let rank = instance.program.attrs.iter().position(|attr| attr.name == "rank").expect("rank") as u16;
    let value = |card: u16| instance.cards.attr(rank, i32::from(card));
    let unseen: Vec<i32> = sight.made_up().iter().map(value).collect();
    let odds = |answer: &Move| {
        let [PartValue::Number(pile), PartValue::Number(guess)] = &answer.parts[..] else {
            panic!("a pile and a guess")
        };
        let place = instance.instance_of(zone, &[*pile]).expect("a pile");
        let top = instance.in_order(frame, place).last().copied().expect("a card");
        let higher = unseen.iter().filter(|other| **other > value(top)).count() as f64;
        let lower = unseen.iter().filter(|other| **other < value(top)).count() as f64;
        // A tie draws another card, so ties do not count. If only ties are left, the pile stays open.
        let good = if *guess == 0 { higher } else { lower };
        if higher + lower == 0.0 { 1.0 } else { good / (higher + lower) }
    };
    legal_moves(table, seat).into_iter().max_by(|a, b| odds(a).total_cmp(&odds(b))).expect("a legal move")
}
