//! The whole changing state of a table, flat: what is copied, saved, hashed and searched.
//!
//! A frame holds no handles, no knowledge and no log; those belong to observers. It means nothing without the
//! [`Instance`](crate::instance::Instance) it was made from, which knows where each variable and zone lies.

use crate::cardset::CardSet;
use crate::moves::Move;
use baize_rules::program::{AskId, MAX_SEATS, Pc};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Cards in order, the top card last.
pub type List = SmallVec<[u16; 16]>;
/// The same where it lasts as long as the table: a frame is mostly copied into another, which has the memory for it.
pub type Pile = Vec<u16>;

/// No ask, no together block, no phase.
pub const NO_ID: u16 = u16::MAX;
/// No place in the program.
pub const NO_PC: Pc = u32::MAX;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "S: CardSet")]
pub struct Frame<S> {
    /// Every variable's elements, then one cell per ask: the seat whose answer's body runs (see `Instance::chose`).
    pub cells: Box<[i32]>,
    /// The cards of each zone instance, then one that is always empty: what an index out of range reads.
    pub sets: Box<[S]>,
    /// The same cards in order, for instances that keep one (see `ZoneInstance::list`).
    pub lists: Box<[Pile]>,
    /// For each card the seat it is remembered by, or -1; empty if no zone remembers.
    pub by: Box<[i8]>,
    pub face_down: S,
    /// Selections stored by parts that pick several cards, in the order picked.
    pub picked: Box<[List]>,
    pub seats: Box<[SeatFrame]>,
    /// Seats that are in, as bits; likewise the next three.
    pub playing: u32,
    pub present: u32,
    pub person: u32,
    /// Newcomers waiting for the next `admit`.
    pub pending: u32,
    /// Seats that are asked something now.
    pub open: u32,
    /// Seats whose thread of a `together` block has not ended.
    pub threads: u32,
    /// The seat that runs the table; -1: nobody.
    pub lead: i8,
    pub status: Status,
    /// Moves are refused until the table is resumed.
    pub paused: bool,
    /// Where the rules stand: the op that waits, or that will run next.
    pub pc: Pc,
    /// The ask at `pc` while it is open, else [`NO_ID`].
    pub asked: AskId,
    /// The `together` block at `pc` while it runs, else [`NO_ID`].
    pub together: u16,
    /// Id of the decision open at `pc` (of a together block: the one its clock quotes).
    pub decision: u32,
    pub next_decision: u32,
    /// Asks passed over in a row because nobody who could answer was there.
    pub skips: u16,
    pub phase: u16,
    /// Answers given so far.
    pub moves: u32,
    /// Shuffles, rolls and random choices made so far: each has its own key.
    pub chance: u64,
    /// Sealed answers, in seat order.
    pub answers: Vec<SealedAnswer>,
    /// What people typed; `None` until somebody does, so that most frames carry nothing.
    pub texts: Option<Box<Texts>>,
    pub outcome: Option<Ended>,
}

/// What a seat is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatFrame {
    /// Where its thread stands, inside a `together` block.
    pub pc: Pc,
    /// Valid while the seat's bit in `open` is set.
    pub decision: u32,
    pub ask: AskId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Seats are being taken.
    Lobby,
    /// At least one seat is asked something.
    Asking,
    /// Nobody who could be asked is there.
    Deserted,
    Ended,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SealedAnswer {
    pub seat: u8,
    pub answer: Move,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    /// Answers to text parts; a variable of type text holds the position + 1.
    pub said: Vec<String>,
    /// What is written on blank cards, by card number, ascending.
    pub written: Vec<(u16, String)>,
}

/// How the table ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub kind: Ending,
    /// Seats as bits; likewise the losers.
    pub winners: u32,
    pub losers: u32,
    /// Rank by seat, 1 is best; 0 for seats that were not playing.
    pub ranks: [u8; MAX_SEATS],
    /// The `End` op, for its banner; [`NO_PC`] when the rules did not end it.
    pub at: Pc,
    /// The op that used up the budget of its step.
    pub fault: Option<Pc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    Winners,
    Losers,
    Ranking,
    EveryoneWins,
    EveryoneLoses,
    Draw,
    Void,
    /// The lead gave the table up.
    Abandoned,
}

impl Ending {
    /// The word views use.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Winners => "winners",
            Ending::Losers => "losers",
            Ending::Ranking => "ranking",
            Ending::EveryoneWins => "everyone-wins",
            Ending::EveryoneLoses => "everyone-loses",
            Ending::Draw => "draw",
            Ending::Void => "void",
            Ending::Abandoned => "abandoned",
        }
    }
}

/// Written out for the sake of `clone_from`: a table is copied at every step, and where there is one already no memory is needed.
impl<S: Clone> Clone for Frame<S> {
    fn clone(&self) -> Self {
        Frame {
            cells: self.cells.clone(),
            sets: self.sets.clone(),
            lists: self.lists.clone(),
            by: self.by.clone(),
            face_down: self.face_down.clone(),
            picked: self.picked.clone(),
            seats: self.seats.clone(),
            answers: self.answers.clone(),
            texts: self.texts.clone(),
            outcome: self.outcome.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, from: &Self) {
        let mut to = Frame {
            cells: std::mem::take(&mut self.cells),
            sets: std::mem::take(&mut self.sets),
            lists: std::mem::take(&mut self.lists),
            by: std::mem::take(&mut self.by),
            face_down: from.face_down.clone(),
            picked: std::mem::take(&mut self.picked),
            seats: std::mem::take(&mut self.seats),
            answers: std::mem::take(&mut self.answers),
            texts: from.texts.clone(),
            outcome: from.outcome.clone(),
            ..*from
        };
        to.cells.clone_from(&from.cells);
        to.sets.clone_from(&from.sets);
        to.lists.clone_from(&from.lists);
        to.by.clone_from(&from.by);
        to.picked.clone_from(&from.picked);
        to.seats.clone_from(&from.seats);
        to.answers.clone_from(&from.answers);
        *self = to;
    }
}

impl<S: CardSet> Frame<S> {
    #[inline]
    pub fn is_playing(&self, seat: i32) -> bool {
        has_seat(self.playing, seat)
    }

    #[inline]
    pub fn is_present(&self, seat: i32) -> bool {
        has_seat(self.present, seat)
    }

    #[inline]
    pub fn is_person(&self, seat: i32) -> bool {
        has_seat(self.person, seat)
    }

    #[inline]
    pub fn is_open(&self, seat: u8) -> bool {
        has_seat(self.open, seat as i32)
    }

    pub fn started(&self) -> bool {
        self.status != Status::Lobby
    }

    pub fn ended(&self) -> bool {
        self.status == Status::Ended
    }

    /// The instance a card lies in, among the first `zones`. The last set is no zone.
    #[inline]
    pub fn locate(&self, card: u16) -> Option<usize> {
        let zones = &self.sets[..self.sets.len() - 1];
        if S::CAPACITY > 128 {
            return zones.iter().position(|set| set.contains(card));
        }
        // Looking at all of them is cheaper than a branch that can't be foretold.
        let mut found = usize::MAX;
        for (zone, set) in zones.iter().enumerate() {
            if set.contains(card) {
                found = zone;
            }
        }
        if found == usize::MAX { None } else { Some(found) }
    }

    /// What somebody wrote on a blank card.
    pub fn written(&self, card: u16) -> Option<&str> {
        let written = &self.texts.as_ref()?.written;
        let at = written.binary_search_by_key(&card, |(c, _)| *c).ok()?;
        Some(&written[at].1)
    }

    /// The text a variable of type text stands for.
    pub fn said(&self, value: i32) -> Option<&str> {
        let at = usize::try_from(value).ok()?.checked_sub(1)?;
        self.texts.as_ref()?.said.get(at).map(String::as_str)
    }
}

/// Whether a value names a seat of the mask.
#[inline]
pub fn has_seat(mask: u32, seat: i32) -> bool {
    (0..MAX_SEATS as i32).contains(&seat) && mask >> seat & 1 == 1
}

/// The seats of a mask, ascending.
#[inline]
pub fn seats_of(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let seat = mask.trailing_zeros() as u8;
        mask &= mask - 1;
        Some(seat)
    })
}
