//! The whole changing state of a table in flat arrays, so that it is cheap to copy, save, hash and search.
//!
//! A frame has no handles, no knowledge and no log; those belong to observers. It means nothing without its
//! [`Instance`](crate::instance::Instance), which knows the position of each variable and zone.

use crate::cardset::CardSet;
use crate::moves::Move;
use baize_rules::program::{AskId, MAX_SEATS, Pc};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Cards in order, the top card last.
pub type List = SmallVec<[u16; 16]>;
/// The cards of a zone in a frame in order, the top card last. This is no `SmallVec`, because a frame is usually copied into
/// an old frame whose lists have the capacity already.
pub type Pile = Vec<u16>;

/// Stands for "none" where an id of an ask, a `together` block or a phase can stand.
pub const NO_ID: u16 = u16::MAX;
/// Stands for "none" where a position in the program can stand.
pub const NO_PC: Pc = u32::MAX;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "S: CardSet")]
pub struct Frame<S> {
    /// The elements of every variable, then one cell per ask: the seat whose answer is being executed (see `Question::chose`).
    pub cells: Box<[i32]>,
    /// The cards of each zone instance, then one set that is always empty, which an index out of range reads.
    pub sets: Box<[S]>,
    /// The cards of each zone instance that keeps an order, in that order (see `ZoneInstance::list`).
    pub lists: Box<[Pile]>,
    /// For each card the seat that brought it, or -1; empty if no zone remembers players.
    pub by: Box<[i8]>,
    pub face_down: S,
    /// Selections that parts of several cards have stored, in the order in which the cards were picked.
    pub picked: Box<[List]>,
    pub seats: Box<[SeatFrame]>,
    /// Seats that take part in the game, as bits; the next fields are bits of seats too.
    pub playing: u32,
    pub present: u32,
    pub person: u32,
    /// Newcomers who wait for the next `admit`.
    pub pending: u32,
    /// Seats that are asked something now.
    pub open: u32,
    /// Seats whose thread of a `together` block has not ended.
    pub threads: u32,
    /// The seat of the lead, or -1.
    pub lead: i8,
    pub status: Status,
    /// Moves are refused until the table is resumed.
    pub paused: bool,
    /// The pc of the instruction that waits for an answer, or that runs next.
    pub pc: Pc,
    /// The ask at `pc` while it is open, otherwise [`NO_ID`].
    pub asked: AskId,
    /// The `together` block at `pc` while it runs, otherwise [`NO_ID`].
    pub together: u16,
    /// Id of the decision that is open at `pc`. A `together` block has an id of its own, for its clock.
    pub decision: u32,
    pub next_decision: u32,
    /// Number of consecutive asks that were skipped because nobody was there to answer.
    pub skips: u16,
    pub phase: u16,
    /// Number of answers so far.
    pub moves: u32,
    /// Number of shuffles, rolls and random choices so far; each has a key of its own.
    pub chance: u64,
    /// Sealed answers, sorted by seat.
    pub answers: Vec<SealedAnswer>,
    /// Typed texts. `None` until somebody types one, so that most frames need no memory for it.
    pub texts: Option<Box<Texts>>,
    pub outcome: Option<Ended>,
}

/// What a seat is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatFrame {
    /// The pc of the seat's thread in a `together` block.
    pub pc: Pc,
    /// Valid while the seat's bit in `open` is set.
    pub decision: u32,
    pub ask: AskId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Before the start: players take seats.
    Lobby,
    /// At least one seat is asked something.
    Asking,
    /// The rules wait for somebody to come.
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
    pub typed: Vec<String>,
    /// What is written on blank cards, by card number, ascending.
    pub written: Vec<(u16, String)>,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub kind: OutcomeKind,
    /// Seats as bits, as are the losers.
    pub winners: u32,
    pub losers: u32,
    /// Rank by seat, 1 is best; 0 for seats that were not playing.
    pub ranks: [u8; MAX_SEATS],
    /// What all players reached together, if the kind is [`OutcomeKind::EveryoneScores`].
    pub score: Option<SharedScore>,
    /// The pc of the `End` op, for its banner; [`NO_PC`] if the rules did not end the game.
    pub at: Pc,
    /// The pc of the op that used up the budget of its step.
    pub fault: Option<Pc>,
}

/// A result that all players share: `score` is between 0 and `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedScore {
    pub score: i32,
    pub most: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutcomeKind {
    Winners,
    Losers,
    Ranking,
    EveryoneWins,
    EveryoneLoses,
    Draw,
    Void,
    /// The lead gave the table up.
    Abandoned,
    /// Nobody wins or loses: all players share a score.
    EveryoneScores,
}

impl OutcomeKind {
    /// Returns the word that views use.
    pub fn word(self) -> &'static str {
        match self {
            OutcomeKind::Winners => "winners",
            OutcomeKind::Losers => "losers",
            OutcomeKind::Ranking => "ranking",
            OutcomeKind::EveryoneWins => "everyone-wins",
            OutcomeKind::EveryoneLoses => "everyone-loses",
            OutcomeKind::Draw => "draw",
            OutcomeKind::Void => "void",
            OutcomeKind::Abandoned => "abandoned",
            OutcomeKind::EveryoneScores => "everyone-scores",
        }
    }
}

/// Implemented by hand for `clone_from`, which reuses memory: a table copies its frame at every step.
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

    /// Returns the instance in which a card lies. It skips the last set, which belongs to no zone.
    #[inline]
    pub fn locate(&self, card: u16) -> Option<usize> {
        let zones = &self.sets[..self.sets.len() - 1];
        if S::CAPACITY > 128 {
            return zones.iter().position(|set| set.contains(card));
        }
        // Looking at all sets is faster than leaving the loop early, which the processor would mispredict.
        let mut found = usize::MAX;
        for (zone, set) in zones.iter().enumerate() {
            if set.contains(card) {
                found = zone;
            }
        }
        if found == usize::MAX { None } else { Some(found) }
    }

    /// Returns the text that is written on a blank card.
    pub fn written(&self, card: u16) -> Option<&str> {
        let written = &self.texts.as_ref()?.written;
        let at = written.binary_search_by_key(&card, |(c, _)| *c).ok()?;
        Some(&written[at].1)
    }

    /// Returns the text of a variable of type text.
    pub fn typed_text(&self, value: i32) -> Option<&str> {
        let at = usize::try_from(value).ok()?.checked_sub(1)?;
        self.texts.as_ref()?.typed.get(at).map(String::as_str)
    }
}

/// Whether a value is a seat of the mask.
#[inline]
pub fn has_seat(mask: u32, seat: i32) -> bool {
    (0..MAX_SEATS as i32).contains(&seat) && mask >> seat & 1 == 1
}

/// Iterates over the seats of a mask, ascending.
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
