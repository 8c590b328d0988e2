//! One seat's player.

use crate::memory::Memory;
use crate::search::Search;
use crate::valuation::Valuation;
use crate::{Level, taste};
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
    /// Moves that it may simulate for one decision.
    budget: u32,
    memory: Memory,
}

impl Bot {
    pub fn new(seat: u8, level: Level, seed: u64) -> Self {
        Bot { seat, level, seed, budget: level.budget(), memory: Memory::default() }
    }

    /// The same with another budget, in simulated moves for a decision.
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

    /// Whether it makes anything of what others do.
    pub fn watches(&self) -> bool {
        self.level.remembers()
    }

    /// Tells the bot what its seat saw of a step: the batch, and how things look now. A bot that is not told plays on, with
    /// less to go by.
    pub fn watch(&mut self, sight: &AnySight, batch: &Batch) {
        if self.level.remembers() {
            self.memory.watch(self.seat, sight, batch);
        }
    }

    /// The answer to its open decision; none if it is asked nothing. `knowledge` is what its seat remembers of cards that went out of
    /// sight; those who remember nothing don't look at it.
    pub fn decide(&self, sight: &AnySight, knowledge: &Knowledge, valuation: &Valuation) -> Option<Move> {
        with_sight!(sight, sight => self.decide_here(sight, knowledge, valuation))
    }

    fn decide_here<S: CardSet>(&self, sight: &Sight<S>, knowledge: &Knowledge, valuation: &Valuation) -> Option<Move> {
        let frame = sight.frame();
        let legal = sight.instance().legal(frame, self.seat)?;
        // Every decision has its own generator: what came before does not change it.
        let mut chance = FastChance::new(self.seed ^ u64::from(legal.decision).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if legal.count() == 1 || taste::decides(sight, self.seat) || chance.below(10) < self.level.slips() {
            return Some(taste::any(sight, &legal, &mut chance));
        }
        let nothing = Knowledge::default();
        let cannot = self.memory.cannot::<S>(sight.instance().zones());
        let beliefs = match self.level.remembers() {
            true => Beliefs { knowledge, cannot: &cannot },
            false => Beliefs { knowledge: &nothing, cannot: &[] },
        };
        let search = Search { sight, beliefs: &beliefs, seat: self.seat, budget: self.budget, valuation };
        Some(search.best(&legal, &mut chance).unwrap_or_else(|| taste::any(sight, &legal, &mut chance)))
    }
}
