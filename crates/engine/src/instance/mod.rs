//! Rules ready for one table, as data: options are folded in, cards made, variables and zones laid out.
//!
//! [`instantiate`](crate::instantiate) builds an [`Instance`]. It never changes; the table, its observers and every world that a bot
//! searches share it. This module holds the data; `crate::build` makes it, `crate::eval`, `crate::legal` and `crate::step` run it.

pub mod cards;
pub mod closure;
pub mod code;
pub mod context;
pub mod expr;
pub mod layout;
pub mod options;
pub mod question;
mod shown;

pub use cards::{Card, MAX_CARDS, PackCard};
pub use code::{InstanceCode, LinkedInstruction};
pub use layout::{DimLayout, Layout, NO_LIST, VarLayout, ZoneFamily, ZoneInstance};
pub use shown::{Shown, ShownBadge, ShownHighlight, ShownSeat, ShownStatus, ShownTo};

use crate::cardset::{CardSet, Wide};
use crate::frame::{Frame, List};
use crate::view::FaceId;
use baize_rules::program::{OptionValue, PlayerMemory, Program};
use cards::Cards;
use question::Mode;
use std::fmt;
use std::sync::Arc;

/// Everything about a table that does not change.
#[derive(Debug)]
pub struct Instance<S> {
    pub program: Arc<Program>,
    /// The value of each option, in the order of the program.
    pub options: Vec<OptionValue>,
    /// Number of seats, taken or not.
    pub seats: usize,
    pub cards: Cards<S>,
    pub layout: Layout,
    pub code: InstanceCode<S>,
    pub shown: Shown<S>,
    /// The frame with which every table of this game begins.
    pub(crate) start: Frame<S>,
}

/// An instance with card sets of the width that its number of cards needs.
#[derive(Clone, Debug)]
pub enum Game {
    Small(Arc<Instance<u64>>),
    Medium(Arc<Instance<u128>>),
    Large(Arc<Instance<Wide>>),
}

/// Runs the same expression on the instance inside a [`Game`].
#[macro_export]
macro_rules! with_game {
    ($game:expr, $instance:ident => $body:expr) => {
        match $game {
            $crate::instance::Game::Small($instance) => $body,
            $crate::instance::Game::Medium($instance) => $body,
            $crate::instance::Game::Large($instance) => $body,
        }
    };
}

/// Why a table can't be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstantiateError {
    UnknownOption(String),
    OptionOutOfRange {
        option: String,
        low: i32,
        high: i32,
        value: i32,
    },
    /// An option got a value of the wrong type: it takes a text if `text` is true, otherwise a number.
    OptionType {
        option: String,
        text: bool,
    },
    SeatsOutOfRange {
        low: u8,
        high: u8,
        seats: usize,
    },
    TooManyCards,
    /// No chosen pack has cards for this deck.
    NoPackCards {
        deck: String,
        card_type: String,
    },
    /// A variable or zone with too many elements.
    TooBig(String),
    /// An expression nested deeper than the engine evaluates.
    TooDeep,
}

impl InstantiateError {
    /// Returns the stable code that clients receive.
    pub fn code(&self) -> &'static str {
        match self {
            InstantiateError::UnknownOption(_) => "option/unknown",
            InstantiateError::OptionOutOfRange { .. } => "option/out-of-range",
            InstantiateError::OptionType { .. } => "option/wrong-type",
            InstantiateError::SeatsOutOfRange { .. } => "table/seats",
            InstantiateError::TooManyCards => "table/too-many-cards",
            InstantiateError::NoPackCards { .. } => "table/no-pack-cards",
            InstantiateError::TooBig(_) => "table/too-big",
            InstantiateError::TooDeep => "table/too-deep",
        }
    }
}

impl fmt::Display for InstantiateError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            InstantiateError::UnknownOption(name) => write!(f, "This game has no option “{name}”."),
            InstantiateError::OptionOutOfRange { option, low, high, value } => {
                write!(f, "“{option}” must be from {low} to {high}, not {value}.")
            }
            InstantiateError::OptionType { option, text: true } => write!(f, "“{option}” takes a text."),
            InstantiateError::OptionType { option, text: false } => write!(f, "“{option}” takes a number."),
            InstantiateError::SeatsOutOfRange { low, high, seats } => match low == high {
                true => write!(f, "This game has {low} seats, not {seats}."),
                false => write!(f, "This game has {low} to {high} seats, not {seats}."),
            },
            InstantiateError::TooManyCards => write!(f, "That would be more than {MAX_CARDS} cards."),
            InstantiateError::NoPackCards { deck, card_type } => {
                write!(f, "Choose a pack with “{card_type}” cards for the deck “{deck}”.")
            }
            InstantiateError::TooBig(name) => write!(f, "“{name}” has too many elements."),
            InstantiateError::TooDeep => write!(f, "An expression of the rules is nested too deeply."),
        }
    }
}

impl std::error::Error for InstantiateError {}

impl<S: CardSet> Instance<S> {
    /// Returns the frame of a table at which nobody sits yet.
    pub fn frame(&self) -> Frame<S> {
        self.start.clone()
    }

    /// Returns the number of zone instances. A frame has one more set, which is always empty.
    pub fn zones(&self) -> usize {
        self.layout.instances.len()
    }

    /// Whether everyone may know who brought the cards of an instance.
    pub(crate) fn remembers_openly(&self, zone: usize) -> bool {
        let zone = self.layout.instances[zone].zone;
        self.program.zones[usize::from(zone)].remembers == PlayerMemory::Public
    }

    pub fn face(&self, card: u16) -> FaceId {
        self.cards.faces.get(card as usize).copied().unwrap_or_default()
    }

    /// Returns the cards of a zone instance in its order, or ascending if it has no order.
    pub fn in_order(&self, frame: &Frame<S>, zone: usize) -> List {
        match self.layout.instances.get(zone).map(|z| z.list) {
            Some(NO_LIST) => frame.sets[zone].iter().collect(),
            Some(list) => List::from_slice(&frame.lists[list as usize]),
            None => List::new(),
        }
    }

    /// Returns the instance of a zone with these index values.
    pub fn instance_of(&self, zone: usize, index: &[i32]) -> Option<usize> {
        let layout = self.layout.zones.get(zone)?;
        let mut at = layout.base;
        for (dim, value) in layout.dims.iter().zip(index) {
            let n = value.checked_sub(dim.low)?;
            if n < 0 || n as u32 >= dim.size {
                return None;
            }
            at += n as u32 * dim.stride;
        }
        Some(at as usize)
    }

    /// Returns the ask whose sealed answers a frame keeps: the open one, or the one whose answers are being executed.
    pub(crate) fn sealed_ask(&self, frame: &Frame<S>) -> Option<u16> {
        let questions = &self.code.questions;
        let sealed =
            |ask: u16| questions.get(usize::from(ask)).is_some_and(|question| matches!(question.mode, Mode::All(_)));
        if sealed(frame.asked) {
            return Some(frame.asked);
        }
        let bodies = |ask: &u16| questions[usize::from(*ask)].offers.iter().map(|offer| offer.body).min();
        let around = |ask: &u16| bodies(ask).is_some_and(|body| body <= frame.pc);
        (0..questions.len() as u16).filter(|ask| sealed(*ask)).filter(around).max_by_key(bodies)
    }
}
