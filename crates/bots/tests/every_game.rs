//! What must hold of bots in every game that is found in `games/`.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

mod games;

use baize_bots::{Bot, Level, Valuation};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instance::Game;
use baize_engine::laws::sight_elsewhere;
use baize_engine::live::{LiveTable, Told};
use baize_engine::view::Viewer;
use baize_engine::with_game;

/// Enough to prefer one move to another, little enough for a test.
const BUDGET: u32 = 1_500;

struct Playing {
    name: String,
    table: LiveTable,
    bots: Vec<Bot>,
    valuation: Valuation,
}

fn games() -> Vec<(String, Game)> {
    games::files().into_iter().map(|(name, path)| (name, games::game(&path, true, 4))).collect()
}

impl Playing {
    fn new(name: &str, game: &Game, levels: &[Level], seed: u8) -> Self {
        let mut table = LiveTable::new(game, [seed; 32]);
        let seats = with_game!(game, instance => instance.seats);
        let mut bots = Vec::new();
        for seat in 0..seats as u8 {
            table.input(&Input::Join { seat, person: false }).expect("a seat");
            let level = levels[usize::from(seat) % levels.len()];
            bots.push(Bot::new(seat, level, u64::from(seed)).with_budget(BUDGET));
        }
        table.input(&Input::Lead { seat: Some(0) }).expect("a lead");
        let told = table.input(&Input::Start).expect("a start");
        let valuation = with_game!(game, instance => Valuation::new(instance));
        let mut playing = Playing { name: name.to_owned(), table, bots, valuation };
        playing.watch(&told);
        playing
    }

    fn watch(&mut self, told: &Told) {
        for bot in &mut self.bots {
            let viewer = Viewer::Seat(bot.seat());
            bot.watch(&self.table.sight(viewer), told.of(viewer).expect("a batch for each seat"));
        }
    }

    /// The next bot that is asked makes its move. False when nobody is asked any more.
    fn step(&mut self, check: impl FnOnce(&Self, &Bot)) -> bool {
        let Some(seat) = seats_of(self.table.open()).next() else { return false };
        check(self, &self.bots[usize::from(seat)]);
        let (viewer, bot) = (Viewer::Seat(seat), &self.bots[usize::from(seat)]);
        let knowledge = self.table.knowledge(viewer).expect("a seat");
        let answer = bot.decide(&self.table.sight(viewer), knowledge, &self.valuation).expect("it is asked");
        let told = self.table.play(seat, &answer);
        let told = told.unwrap_or_else(|refusal| panic!("{}: {answer:?} is refused: {refusal:?}", self.name));
        self.watch(&told);
        true
    }
}

#[test]
fn bots_of_all_levels_play_every_game_to_its_end() {
    for (name, game) in games() {
        let levels = [Level::Difficult, Level::Easy, Level::Medium, Level::Random];
        let mut playing = Playing::new(&name, &game, &levels, 3);
        let mut moves = 0;
        while playing.step(|_, _| ()) {
            moves += 1;
            assert!(moves < 5_000, "{name} goes on and on");
        }
        assert!(playing.table.outcome().is_some(), "{name}");
    }
}

#[test]
fn what_a_bot_cannot_see_does_not_change_its_mind() {
    for (name, game) in games() {
        let mut playing = Playing::new(&name, &game, &[Level::Difficult, Level::Medium, Level::Easy], 7);
        for n in 0..40 {
            let went_on = playing.step(|playing, bot| {
                if n % 4 != 0 {
                    return;
                }
                let viewer = Viewer::Seat(bot.seat());
                let knowledge = playing.table.knowledge(viewer).expect("a seat");
                let here = bot.decide(&playing.table.sight(viewer), knowledge, &playing.valuation);
                for seed in 0..3 {
                    let elsewhere = sight_elsewhere(&playing.table, viewer, seed);
                    let there = bot.decide(&elsewhere, knowledge, &playing.valuation);
                    assert_eq!(here, there, "{name}, move {n}, seat {}", bot.seat());
                }
            });
            if !went_on {
                break;
            }
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_moves() {
    for (name, game) in games() {
        let mut once = Playing::new(&name, &game, &[Level::Difficult, Level::Medium], 11);
        let mut again = Playing::new(&name, &game, &[Level::Difficult, Level::Medium], 11);
        for _ in 0..12 {
            assert_eq!(once.step(|_, _| ()), again.step(|_, _| ()));
            assert_eq!(once.table.state_hash(), again.table.state_hash(), "{name}");
        }
    }
}
