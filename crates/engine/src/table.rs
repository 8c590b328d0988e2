//! A table. Nothing else holds the seed and what is hidden.
//!
//! [`Core`] is a table of one width; [`LiveTable`](crate::live::LiveTable) hides the width and adds observers. A step that exceeds its
//! budget is rolled back, and the game ends void and names the op at fault.

use crate::cardset::CardSet;
#[cfg(test)]
use crate::cardset::Wide;
#[cfg(test)]
use crate::chance::Chance;
use crate::chance::FairChance;
use crate::frame::{Ended, Frame, NO_PC, OutcomeKind};
use crate::input::Input;
#[cfg(test)]
use crate::instance::Game;
use crate::instance::Instance;
use crate::legal::Legal;
use crate::moves::{Move, Refusal};
#[cfg(test)]
use crate::sink::RawEvent;
use crate::sink::Sink;
use baize_rules::program::{MAX_SEATS, Pc};
use baize_rules::span::Span;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Version of the rules' semantics. Raise it whenever the same log would lead to another game.
pub const SEMANTICS: u32 = 1;

/// Version of the format in which a table is saved. Raise it whenever a field of the frame is added, removed or moved. A table that
/// was saved in another format is played again from its log.
pub const SAVE_FORMAT: u32 = 2;

/// A table whose card sets are of type `S`.
#[derive(Clone, Debug)]
pub struct Core<S> {
    pub instance: Arc<Instance<S>>,
    /// Only this crate may read the frame; everyone else gets views.
    pub(crate) frame: Frame<S>,
    chance: FairChance,
}

/// A table without observers, for the tests of this crate. It is not compiled otherwise, because a [`LiveTable`] does the same
/// and compiling this type for three widths takes long.
///
/// [`LiveTable`]: crate::live::LiveTable
#[cfg(test)]
#[derive(Clone, Debug)]
pub enum Table {
    Small(Core<u64>),
    Medium(Core<u128>),
    Large(Core<Wide>),
}

/// The legal moves of a seat at a table of any width.
#[cfg(test)]
#[derive(Clone, Debug)]
pub enum AnyLegal {
    Small(Legal<u64>),
    Medium(Legal<u128>),
    Large(Legal<Wide>),
}

/// Runs the same expression on the core inside a [`Table`].
#[cfg(test)]
#[macro_export]
macro_rules! with_table {
    ($table:expr, $core:ident => $body:expr) => {
        match $table {
            $crate::table::Table::Small($core) => $body,
            $crate::table::Table::Medium($core) => $body,
            $crate::table::Table::Large($core) => $body,
        }
    };
}

/// A table can't be serialised. The caller must report it and never store an empty record instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaveError;

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the table cannot be written down")
    }
}

impl std::error::Error for SaveError {}

/// Why a saved table can't be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The table was saved with another value of [`SAVE_FORMAT`].
    Format(u32),
    /// The bytes are damaged, or belong to another game.
    Damaged,
}

#[derive(Serialize)]
struct SavedRef<'a, S: CardSet> {
    frame: &'a Frame<S>,
    chance: &'a FairChance,
}

#[derive(Deserialize)]
#[serde(bound = "S: CardSet")]
struct Saved<S> {
    frame: Frame<S>,
    chance: FairChance,
}

impl<S: CardSet> Core<S> {
    pub fn new(instance: Arc<Instance<S>>, seed: [u8; 32]) -> Self {
        let frame = instance.frame();
        Core { instance, frame, chance: FairChance::new(seed) }
    }

    /// Returns the seed, which must stay secret until the game has ended.
    pub fn seed(&self) -> &[u8; 32] {
        self.chance.seed()
    }

    pub fn play<K: Sink<S>>(&mut self, seat: u8, answer: &Move, sink: &mut K) -> Result<(), Refusal> {
        let before = self.frame.clone();
        self.play_after(seat, answer, &before, sink)
    }

    pub fn input<K: Sink<S>>(&mut self, input: &Input, sink: &mut K) -> Result<(), Refusal> {
        let before = self.frame.clone();
        self.input_after(input, &before, sink)
    }

    /// Does the same for a caller that has a copy of the current frame, to which a faulty step is rolled back.
    pub(crate) fn play_after<K: Sink<S>>(
        &mut self,
        seat: u8,
        answer: &Move,
        before: &Frame<S>,
        sink: &mut K,
    ) -> Result<(), Refusal> {
        self.instance.check(&self.frame, seat, answer)?;
        self.instance.play_unchecked(&mut self.frame, seat, answer, &mut self.chance, sink);
        self.undo_fault(before, sink);
        Ok(())
    }

    pub(crate) fn input_after<K: Sink<S>>(
        &mut self,
        input: &Input,
        before: &Frame<S>,
        sink: &mut K,
    ) -> Result<(), Refusal> {
        self.instance.input(&mut self.frame, input, &mut self.chance, sink)?;
        self.undo_fault(before, sink);
        Ok(())
    }

    pub fn legal(&self, seat: u8) -> Option<Legal<S>> {
        self.instance.legal(&self.frame, seat)
    }

    /// Rolls back a step that exceeded its budget, and ends the game.
    fn undo_fault<K: Sink<S>>(&mut self, before: &Frame<S>, sink: &mut K) {
        let Some(fault) = self.frame.outcome.as_ref().and_then(|o| o.fault) else { return };
        self.frame.clone_from(before);
        sink.rollback();
        self.end_void(fault, sink);
    }

    fn end_void<K: Sink<S>>(&mut self, fault: Pc, sink: &mut K) {
        let ended = Ended {
            kind: OutcomeKind::Void,
            winners: 0,
            losers: 0,
            ranks: [0; MAX_SEATS],
            at: NO_PC,
            score: None,
            fault: Some(fault),
        };
        crate::step::Interpreter::new(&self.instance, &mut self.frame, &mut self.chance, sink).end(ended);
    }

    /// Returns the place in the source of the op at which the budget ran out.
    pub fn fault(&self) -> Option<Span> {
        let pc = self.frame.outcome.as_ref()?.fault?;
        self.instance.program.spans.get(pc as usize).copied()
    }

    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        let saved = SavedRef { frame: &self.frame, chance: &self.chance };
        postcard::to_extend(&saved, SAVE_FORMAT.to_le_bytes().to_vec()).map_err(|_| SaveError)
    }

    pub fn load(instance: Arc<Instance<S>>, bytes: &[u8]) -> Result<Self, LoadError> {
        let (version, rest) = bytes.split_first_chunk::<4>().ok_or(LoadError::Damaged)?;
        let version = u32::from_le_bytes(*version);
        if version != SAVE_FORMAT {
            return Err(LoadError::Format(version));
        }
        let saved: Saved<S> = postcard::from_bytes(rest).map_err(|_| LoadError::Damaged)?;
        if !instance.is_sound(&saved.frame) {
            return Err(LoadError::Damaged);
        }
        Ok(Core { instance, frame: saved.frame, chance: saved.chance })
    }

    /// Returns a hash of the state; equal states have equal hashes, whatever path led to them.
    pub fn state_hash(&self) -> Result<[u8; 32], SaveError> {
        let bytes = postcard::to_stdvec(&self.frame).map_err(|_| SaveError)?;
        Ok(Sha256::digest(bytes).into())
    }
}

#[cfg(test)]
impl Table {
    pub fn new(game: &Game, seed: [u8; 32]) -> Self {
        match game {
            Game::Small(instance) => Table::Small(Core::new(instance.clone(), seed)),
            Game::Medium(instance) => Table::Medium(Core::new(instance.clone(), seed)),
            Game::Large(instance) => Table::Large(Core::new(instance.clone(), seed)),
        }
    }

    /// Starts the game with the seats that are taken.
    pub fn start(&mut self) -> Result<Vec<RawEvent>, Refusal> {
        self.input(&Input::Start)
    }

    /// Makes a move and returns its events in order. A refused move changes nothing.
    pub fn play(&mut self, seat: u8, answer: &Move) -> Result<Vec<RawEvent>, Refusal> {
        let mut events = Vec::new();
        with_table!(self, core => core.play(seat, answer, &mut events))?;
        Ok(events)
    }

    pub fn input(&mut self, input: &Input) -> Result<Vec<RawEvent>, Refusal> {
        let mut events = Vec::new();
        with_table!(self, core => core.input(input, &mut events))?;
        Ok(events)
    }

    pub fn legal(&self, seat: u8) -> Option<AnyLegal> {
        match self {
            Table::Small(core) => core.legal(seat).map(AnyLegal::Small),
            Table::Medium(core) => core.legal(seat).map(AnyLegal::Medium),
            Table::Large(core) => core.legal(seat).map(AnyLegal::Large),
        }
    }

    /// Returns the move that is made for a seat that can't or doesn't answer.
    pub fn default_move(&self, seat: u8) -> Option<Move> {
        with_table!(self, core => core.instance.default_move(&core.frame, seat))
    }

    /// Returns the seats with an open decision, as bits.
    pub fn open(&self) -> u32 {
        with_table!(self, core => core.frame.open)
    }

    pub fn outcome(&self) -> Option<&Ended> {
        with_table!(self, core => core.frame.outcome.as_ref())
    }

    pub fn fault(&self) -> Option<Span> {
        with_table!(self, core => core.fault())
    }

    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        with_table!(self, core => core.save())
    }

    pub fn load(game: &Game, bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(match game {
            Game::Small(instance) => Table::Small(Core::load(instance.clone(), bytes)?),
            Game::Medium(instance) => Table::Medium(Core::load(instance.clone(), bytes)?),
            Game::Large(instance) => Table::Large(Core::load(instance.clone(), bytes)?),
        })
    }

    pub fn state_hash(&self) -> Result<[u8; 32], SaveError> {
        with_table!(self, core => core.state_hash())
    }
}

#[cfg(test)]
macro_rules! with_legal {
    ($legal:expr, $inner:ident => $body:expr) => {
        match $legal {
            AnyLegal::Small($inner) => $body,
            AnyLegal::Medium($inner) => $body,
            AnyLegal::Large($inner) => $body,
        }
    };
}

#[cfg(test)]
impl AnyLegal {
    pub fn count(&self) -> u64 {
        with_legal!(self, legal => legal.count())
    }

    pub fn nth(&self, index: u64) -> Move {
        with_legal!(self, legal => legal.nth(index))
    }

    pub fn sample(&self, chance: &mut impl Chance) -> Move {
        with_legal!(self, legal => legal.sample(chance))
    }
}
