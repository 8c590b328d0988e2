//! Tests bots in every game in `games/`.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

#[path = "../../engine/tests/games/mod.rs"]
mod games;

use baize_bot_table::BotTable;
use baize_bots::{Bot, Level, Valuation};
use baize_engine::instance::Game;
use baize_engine::laws::sight_with_changed_secrets;
use baize_engine::view::Viewer;
use baize_engine::{instantiate, with_game, with_sight};
use std::sync::Arc;

/// Budget of a bot, in simulated moves. It is large enough to prefer one move to another, and small enough for a test.
const BUDGET: u32 = 1_500;

/// Makes an instance of each game with the `quick` preset and four players, or the nearest number that it allows.
fn games() -> Vec<(String, Game)> {
    let four = |found: &games::TestGame| 4.clamp(*found.players().start(), *found.players().end());
    games::all().into_iter().map(|found| (found.name.clone(), found.quick_preset(four(&found)))).collect()
}

/// Seats bots of these levels in turn and starts the game.
fn bot_table(game: &Game, levels: &[Level], seed: u8) -> (BotTable, Valuation) {
    let (seats, valuation) = with_game!(game, instance => (instance.seats as u8, Valuation::new(instance)));
    let bots = (0..seats).zip(levels.iter().cycle());
    let bots = bots.map(|(seat, level)| Bot::new(seat, *level, u64::from(seed)).with_budget(BUDGET)).collect();
    let (bot_table, _) = BotTable::start(game, seats, bots, [seed; 32]).expect("a start");
    (bot_table, valuation)
}

/// Plays the move of the next bot that is asked; returns false if no bot is asked.
fn step(name: &str, bot_table: &mut BotTable, valuation: &Valuation) -> bool {
    let Some(bot) = bot_table.asked_bot() else { return false };
    let (seat, answer) = (bot.seat(), bot_table.decide(bot, valuation).expect("it is asked"));
    if let Err(refusal) = bot_table.play(seat, &answer) {
        panic!("{name}: {answer:?} is refused: {refusal:?}");
    }
    true
}

#[test]
fn bots_of_all_levels_play_every_game_to_its_end() {
    for (name, game) in games() {
        let levels = [Level::Difficult, Level::Easy, Level::Medium, Level::Random];
        let (mut bot_table, valuation) = bot_table(&game, &levels, 3);
        let mut moves = 0;
        while step(&name, &mut bot_table, &valuation) {
            moves += 1;
            assert!(moves < 5_000, "{name} does not end");
        }
        assert!(bot_table.table.outcome().is_some(), "{name}");
    }
}

/// Upper bound on the positions that are compared for each game and level.
const POSITIONS: usize = 6;

#[test]
fn decisions_do_not_depend_on_hidden_cards() {
    let mut looked_at = 0;
    for (name, game) in games() {
        for level in [Level::Difficult, Level::Medium, Level::Easy] {
            let (mut bot_table, valuation) = bot_table(&game, &[level], 7);
            let mut positions = 0;
            for n in 0..60 {
                let Some(bot) = bot_table.asked_bot() else { break };
                let viewer = Viewer::Seat(bot.seat());
                let sight = bot_table.table.sight(viewer);
                let choices = with_sight!(&sight, sight => {
                    sight.instance().legal(sight.frame(), bot.seat()).map_or(0, |legal| legal.count())
                });
                if choices > 1 && n % 3 == 0 && positions < POSITIONS {
                    positions += 1;
                    let knowledge = bot_table.table.knowledge(viewer).expect("a seat");
                    let here = bot.decide(&sight, knowledge, &valuation);
                    for seed in 0..3 {
                        let changed = sight_with_changed_secrets(&bot_table.table, viewer, seed);
                        let there = bot.decide(&changed, knowledge, &valuation);
                        assert_eq!(here, there, "{name}, {level}, move {n}, seat {}", bot.seat());
                    }
                }
                step(&name, &mut bot_table, &valuation);
            }
            looked_at += positions;
        }
    }
    // A game of pure luck may have no real choice, but most games have many.
    assert!(looked_at > 100, "only {looked_at} positions");
}

#[test]
fn the_same_seed_makes_the_same_moves() {
    for (name, game) in games() {
        let (mut once, valuation) = bot_table(&game, &[Level::Difficult, Level::Medium], 11);
        let (mut again, _) = bot_table(&game, &[Level::Difficult, Level::Medium], 11);
        for _ in 0..12 {
            assert_eq!(step(&name, &mut once, &valuation), step(&name, &mut again, &valuation));
            assert_eq!(once.table.state_hash(), again.table.state_hash(), "{name}");
        }
    }
}

const TOGETHER: &str = "game \"Together\"
players 2
state
  found: 0..30 = 0
repeat 5 times
  circle p from first player
    ask p \"How many?\"
      few
        found += 1
      many
        found += 3
end everyone scores found out of 30
";

#[test]
fn bots_play_for_a_higher_shared_score() {
    let program = baize_rules::compile(TOGETHER).0.expect("accepted");
    let game = instantiate(Arc::new(program), &[], &[], 2).expect("a game");
    let (mut bot_table, valuation) = bot_table(&game, &[Level::Difficult], 5);
    while step("Together", &mut bot_table, &valuation) {}
    let shared = bot_table.table.outcome().and_then(|ended| ended.score).expect("a score");
    assert_eq!((shared.score, shared.most), (30, 30));
}
