//! Rules made ready for one table: options folded in, cards made, variables and zones laid out.
//!
//! [`instantiate`] is the only way in. What it returns never changes and is shared by the table, its
//! observers and every world a bot searches.

pub mod cards;
pub mod choice;
pub mod closure;
pub mod code;
pub mod layout;
mod lower;
pub mod options;
pub mod question;

pub use cards::{Card, MAX_CARDS, PackCard};
pub use layout::{DimLayout, Layout, NO_LIST, VarLayout, ZoneInstance, ZoneLayout};
pub use lower::{Code, Line, Shown, ShownBadge, ShownHighlight, ShownSeat, ShownStatus, ShownTo};

use crate::cardset::{CardSet, Wide};
use crate::frame::{Frame, List, NO_ID, Pile, SeatFrame, Status};
use crate::view::FaceId;
use baize_rules::program::{MAX_SEATS, Num, OptionValue, PlayerMemory, Program};
use cards::Cards;
use lower::Lower;
use options::Known;
use std::fmt;
use std::sync::Arc;

/// Everything about a table that does not change.
#[derive(Debug)]
pub struct Instance<S> {
    pub program: Arc<Program>,
    /// The value of each option, in the order of the program.
    pub options: Vec<OptionValue>,
    /// How many seat slots there are.
    pub seats: usize,
    pub cards: Cards<S>,
    pub layout: Layout,
    pub code: Code<S>,
    pub shown: Shown<S>,
    /// The frame every table of this game begins with.
    start: Frame<S>,
}

/// An instance of whichever width its number of cards needs.
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

/// Why a table cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstantiateError {
    UnknownOption(String),
    OptionOutOfRange {
        option: String,
        low: i32,
        high: i32,
        value: i32,
    },
    /// A number was given for a text (`text` is true) or the other way round.
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
    /// The code on the wire. Stable.
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

/// Makes rules ready for a table with so many seat slots.
pub fn instantiate(
    program: Arc<Program>,
    options: &[(String, OptionValue)],
    packs: &[PackCard],
    seats: usize,
) -> Result<Game, InstantiateError> {
    let (low, high) = (program.meta.min_players, program.meta.max_players);
    if seats < low as usize || seats > high as usize || seats > MAX_SEATS || seats == 0 {
        return Err(InstantiateError::SeatsOutOfRange { low, high, seats });
    }
    let options = options::choose(&program, options)?;
    let cards = cards::make(&program, &options, seats, packs)?;
    Ok(match cards.len() {
        0..=64 => Game::Small(Arc::new(Instance::new(program, options, cards, seats)?)),
        65..=128 => Game::Medium(Arc::new(Instance::new(program, options, cards, seats)?)),
        _ => Game::Large(Arc::new(Instance::new(program, options, cards, seats)?)),
    })
}

impl<S: CardSet> Instance<S> {
    /// A value in the words of this instance's program, made ready to be looked at: for what is asked from outside of the rules.
    pub fn ready(&self, value: &Num) -> Result<code::Expr<S>, InstantiateError> {
        let mut lower = Lower::new(&self.program, &self.options, self.seats, &self.cards, &self.layout);
        let value = lower.num(value);
        lower.finish().map(|()| value)
    }

    fn new(
        program: Arc<Program>,
        options: Vec<OptionValue>,
        cards: Vec<Card>,
        seats: usize,
    ) -> Result<Self, InstantiateError> {
        let layout = Layout::new(&program, seats, cards.len())?;
        let cards = Cards::new(&program, cards);
        let known = Known { options: &options, seats, card: None };
        let start = starting_frame(&program, &layout, &cards, &known);
        let mut lower = Lower::new(&program, &options, seats, &cards, &layout);
        let (code, shown) = (lower.code(), lower.shown());
        lower.finish()?;
        Ok(Instance { code, shown, program, options, seats, cards, layout, start })
    }

    /// A table before anybody sits down.
    pub fn frame(&self) -> Frame<S> {
        self.start.clone()
    }

    /// How many zone instances there are. A frame has one set more, which is no zone.
    pub fn zones(&self) -> usize {
        self.layout.instances.len()
    }

    /// Whether everyone may know who brought the cards of an instance there.
    pub(crate) fn remembers_openly(&self, zone: usize) -> bool {
        let zone = self.layout.instances[zone].zone;
        self.program.zones[usize::from(zone)].remembers == PlayerMemory::Public
    }

    pub fn face(&self, card: u16) -> FaceId {
        self.cards.faces.get(card as usize).copied().unwrap_or_default()
    }

    /// The cards of a zone instance in its order (ascending where it has none).
    pub fn in_order(&self, frame: &Frame<S>, zone: usize) -> List {
        match self.layout.instances.get(zone).map(|z| z.list) {
            Some(NO_LIST) => frame.sets[zone].iter().collect(),
            Some(list) => List::from_slice(&frame.lists[list as usize]),
            None => List::new(),
        }
    }

    /// The instance of a zone with these index values.
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
}

fn starting_frame<S: CardSet>(program: &Program, layout: &Layout, cards: &Cards<S>, known: &Known) -> Frame<S> {
    let mut sets = vec![S::empty(); layout.instances.len() + 1];
    let mut lists = vec![Pile::new(); layout.lists as usize];
    let mut placed = S::empty();
    for (zone, at) in program.zones.iter().zip(&layout.zones) {
        let Some(deck) = zone.starts_with.and_then(|d| cards.decks.get(d as usize)) else { continue };
        if at.len == 0 {
            continue;
        }
        // A card lies in one place only, even if two zones start with its deck.
        let here = deck.andnot(&placed);
        placed = placed.or(&here);
        if at.listed {
            lists[layout.instances[at.base as usize].list as usize] = here.iter().collect();
        }
        sets[at.base as usize] = here;
    }
    Frame {
        cells: layout.initial(program, known).into(),
        sets: sets.into(),
        lists: lists.into(),
        by: vec![-1; if layout.remembers { cards.len() } else { 0 }].into(),
        face_down: S::empty(),
        picked: vec![List::new(); layout.picked as usize].into(),
        seats: vec![SeatFrame::default(); known.seats].into(),
        playing: 0,
        present: 0,
        person: 0,
        pending: 0,
        open: 0,
        threads: 0,
        lead: -1,
        status: Status::Lobby,
        paused: false,
        pc: 0,
        asked: NO_ID,
        together: NO_ID,
        decision: 0,
        next_decision: 1,
        skips: 0,
        phase: NO_ID,
        moves: 0,
        chance: 0,
        answers: Vec::new(),
        texts: None,
        outcome: None,
    }
}
