#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use baize_bots::{Bot, Valuation};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::instance::Game;
use baize_engine::live::{LiveTable, StepBatches};
use baize_engine::moves::{Move, Refusal};
use baize_engine::view::Viewer;

/// A table with a running game, and the bots that sit at it.
pub struct BotTable {
    pub table: LiveTable,
    bots: Vec<Bot>,
}

impl BotTable {
    /// Seats players in all `seats` and starts the game. A seat without a bot belongs to a person. Also returns what
    /// the start told each viewer.
    pub fn start(game: &Game, seats: u8, bots: Vec<Bot>, seed: [u8; 32]) -> Result<(Self, StepBatches), Refusal> {
        let mut table = LiveTable::new(game, seed);
        for seat in 0..seats {
            let person = bots.iter().all(|bot| bot.seat() != seat);
            table.input(&Input::Join { seat, person })?;
        }
        table.input(&Input::Lead { seat: Some(0) })?;
        let batches = table.input(&Input::Start)?;
        let mut bot_table = BotTable { table, bots };
        bot_table.show_bots(&batches);
        Ok((bot_table, batches))
    }

    /// Shows each bot what its seat was told. Call it after a change that was made to `table` directly;
    /// [`BotTable::play`] calls it by itself.
    pub fn show_bots(&mut self, batches: &StepBatches) {
        for bot in self.bots.iter_mut().filter(|bot| bot.watches()) {
            let viewer = Viewer::Seat(bot.seat());
            if let Some(batch) = batches.of(viewer) {
                bot.watch(&self.table.sight(viewer), batch);
            }
        }
    }

    /// Returns the bot of the first seat that is asked and has a bot.
    pub fn asked_bot(&self) -> Option<&Bot> {
        seats_of(self.table.open()).find_map(|seat| self.bots.iter().find(|bot| bot.seat() == seat))
    }

    /// Returns the move that this bot chooses, or `None` if its seat is asked nothing.
    pub fn decide(&self, bot: &Bot, valuation: &Valuation) -> Option<Move> {
        let viewer = Viewer::Seat(bot.seat());
        bot.decide(&self.table.sight(viewer), self.table.knowledge(viewer)?, valuation)
    }

    /// Plays a move and shows it to the bots.
    pub fn play(&mut self, seat: u8, answer: &Move) -> Result<StepBatches, Refusal> {
        let batches = self.table.play(seat, answer)?;
        self.show_bots(&batches);
        Ok(batches)
    }
}
