//! Tables at which bots sit: what `simulate`, `play`, the ladder and the tests of bots have in common.
//!
//! `baize-bots` cannot name a table. Here is one, and each bot is handed what its seat sees of it.
#![forbid(unsafe_code)]

use baize_bots::{Bot, Valuation};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instance::Game;
use baize_engine::live::{LiveTable, Told};
use baize_engine::moves::{Move, Refusal};
use baize_engine::view::Viewer;

/// A table with a game under way, and the bots at it.
pub struct Arena {
    pub table: LiveTable,
    bots: Vec<Bot>,
}

impl Arena {
    /// Takes all `seats` and starts. Where no bot sits there is a person. Also says what happened first.
    pub fn new(game: &Game, seats: u8, bots: Vec<Bot>, seed: [u8; 32]) -> Result<(Self, Told), Refusal> {
        let mut table = LiveTable::new(game, seed);
        for seat in 0..seats {
            let person = bots.iter().all(|bot| bot.seat() != seat);
            table.input(&Input::Join { seat, person })?;
        }
        table.input(&Input::Lead { seat: Some(0) })?;
        let told = table.input(&Input::Start)?;
        let mut arena = Arena { table, bots };
        arena.show(&told);
        Ok((arena, told))
    }

    /// Lets the bots see what their seats were told. What [`Arena::play`] told they have seen.
    pub fn show(&mut self, told: &Told) {
        for bot in self.bots.iter_mut().filter(|bot| bot.watches()) {
            let viewer = Viewer::Seat(bot.seat());
            if let Some(batch) = told.of(viewer) {
                bot.watch(&self.table.sight(viewer), batch);
            }
        }
    }

    /// The first bot that is asked something.
    pub fn asked(&self) -> Option<&Bot> {
        seats_of(self.table.open()).find_map(|seat| self.bots.iter().find(|bot| bot.seat() == seat))
    }

    /// What a bot answers.
    pub fn decide(&self, bot: &Bot, valuation: &Valuation) -> Option<Move> {
        let viewer = Viewer::Seat(bot.seat());
        bot.decide(&self.table.sight(viewer), self.table.knowledge(viewer)?, valuation)
    }

    pub fn play(&mut self, seat: u8, answer: &Move) -> Result<Told, Refusal> {
        let told = self.table.play(seat, answer)?;
        self.show(&told);
        Ok(told)
    }
}
