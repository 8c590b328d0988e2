//! The player of one seat: it gets what its seat sees, and returns moves. Servers and simulations call [`Bot::decide`].

use crate::level::Level;
use crate::memory::Memory;
use crate::search::Search;
use crate::taste;
use crate::valuation::Valuation;
use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::live::AnySight;
use baize_engine::moves::Move;
use baize_engine::observe::Knowledge;
use baize_engine::resample::Beliefs;
use baize_engine::sight::Sight;
use baize_engine::view::Batch;
use baize_engine::with_sight;

/// A player at one seat of one table.
#[derive(Clone, Debug)]
pub struct Bot {
    seat: u8,
    level: Level,
    seed: u64,
    /// Number of moves that the bot may simulate for one decision.
    budget: u32,
    memory: Memory,
}

impl Bot {
    pub fn new(seat: u8, level: Level, seed: u64) -> Self {
        Bot { seat, level, seed, budget: level.budget(), memory: Memory::default() }
    }

    /// Sets the budget, in simulated moves for each decision.
    pub fn with_budget(mut self, budget: u32) -> Self {
        self.budget = budget;
        self
    }

    pub fn seat(&self) -> u8 {
        self.seat
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether [`Bot::watch`] has any effect at this bot's level.
    pub fn watches(&self) -> bool {
        self.level.remembers()
    }

    /// Shows the bot what its seat saw of a step: the batch, and the sight after it. A bot that misses a step plays on with less
    /// information.
    pub fn watch(&mut self, sight: &AnySight, batch: &Batch) {
        if self.level.remembers() {
            self.memory.watch(self.seat, sight, batch);
        }
    }

    /// Returns the bot's answer to its open decision, or `None` if it is asked nothing. `knowledge` is what its seat has seen of cards that
    /// are now hidden; bots of a level without memory ignore it.
    pub fn decide(&self, sight: &AnySight, knowledge: &Knowledge, valuation: &Valuation) -> Option<Move> {
        with_sight!(sight, sight => self.decide_here(sight, knowledge, valuation))
    }

    fn decide_here<S: CardSet>(&self, sight: &Sight<S>, knowledge: &Knowledge, valuation: &Valuation) -> Option<Move> {
        let frame = sight.frame();
        let legal = sight.instance().legal(frame, self.seat)?;
        // Each decision has a generator of its own, so that earlier decisions do not change it.
        let mut chance = FastChance::new(self.seed ^ u64::from(legal.decision).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if legal.count() == 1
            || taste::is_matter_of_taste(sight, self.seat)
            || chance.below(10) < self.level.random_of_ten()
        {
            return Some(taste::random_move(sight, &legal, &mut chance));
        }
        let nothing = Knowledge::default();
        let cannot = self.memory.cannot::<S>(sight.instance().zones());
        let beliefs = match self.level.remembers() {
            true => Beliefs { knowledge, cannot: &cannot },
            false => Beliefs { knowledge: &nothing, cannot: &[] },
        };
        let search = Search { sight, beliefs: &beliefs, seat: self.seat, budget: self.budget, valuation };
        Some(search.best(&legal, &mut chance).unwrap_or_else(|| taste::random_move(sight, &legal, &mut chance)))
    }
}
