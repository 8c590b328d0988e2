//! Moves, and why one is refused.

use crate::view::{Line, Piece};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Move {
    /// The decision it answers; a late answer is told that it is closed.
    pub decision: u32,
    /// Index into the ask's alternatives, or [`CONTINUE`].
    pub alternative: u16,
    pub parts: SmallVec<[PartValue; 2]>,
}

/// The alternative offered when the rules leave nothing else: go on without an answer.
pub const CONTINUE: u16 = u16::MAX;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PartValue {
    /// A number, card, seat, value, index of a pile, position of an unseen card, or subset of dice.
    Number(i32),
    /// Several cards; the order counts where the part says so.
    Cards(SmallVec<[u16; 8]>),
    Text(String),
}

impl Move {
    /// An answer without parts.
    #[inline]
    pub fn plain(decision: u32, alternative: u16) -> Self {
        Move { decision, alternative, parts: SmallVec::new() }
    }

    /// An answer of one card, number, seat or value.
    #[inline]
    pub fn number(decision: u32, alternative: u16, value: i32) -> Self {
        Move { decision, alternative, parts: smallvec![PartValue::Number(value)] }
    }

    pub fn cards(decision: u32, alternative: u16, cards: &[u16]) -> Self {
        Move { decision, alternative, parts: smallvec![PartValue::Cards(SmallVec::from_slice(cards))] }
    }
}

/// Why a move or an input was not accepted. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    NotStarted,
    AlreadyStarted,
    GameOver,
    Paused,
    NotPaused,
    /// The decision was answered or dropped before this arrived.
    Closed,
    /// There never was a decision with this id.
    NoDecision,
    NotYours,
    /// This seat has answered; sealed answers are not taken back.
    Answered,
    UnknownAlternative,
    WrongParts,
    /// Not among what this part offers.
    NotACandidate,
    /// One of the game's rules forbids it.
    NotLegal(Line),
    /// The alternative is not offered at this point.
    NotNow,
    TextEmpty,
    TextTooLong,
    SeatUnknown,
    SeatTaken,
    SeatEmpty,
    /// This game takes nobody in after it has begun.
    NoNewcomers,
    TooFewPlayers,
    /// What the game requires to start does not hold.
    Requires(Line),
    /// The decision has no clock that could run out.
    NoClock,
}

impl Refusal {
    /// What the rules say about it, or else its code. For where nobody has a name.
    pub fn in_words(&self) -> String {
        let plain = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Written(text) => text.clone(),
            Piece::Seat(seat) => format!("Player {}", seat + 1),
            Piece::Face(_) => "?".to_owned(),
        };
        match self {
            Refusal::NotLegal(line) | Refusal::Requires(line) => line.0.iter().map(plain).collect(),
            other => other.code().to_owned(),
        }
    }

    /// All codes.
    pub const CODES: [&'static str; 23] = [
        "move/unknown-alternative",
        "move/wrong-parts",
        "move/not-a-candidate",
        "move/not-legal",
        "move/not-now",
        "move/text-empty",
        "move/text-too-long",
        "decision/closed",
        "decision/none",
        "decision/not-yours",
        "decision/answered",
        "decision/no-clock",
        "game/not-started",
        "game/already-started",
        "game/over",
        "game/too-few-players",
        "game/requires",
        "table/paused",
        "table/not-paused",
        "seat/unknown",
        "seat/taken",
        "seat/empty",
        "seat/no-newcomers",
    ];

    /// The code on the wire. Stable.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::NotStarted => "game/not-started",
            Refusal::AlreadyStarted => "game/already-started",
            Refusal::GameOver => "game/over",
            Refusal::Paused => "table/paused",
            Refusal::NotPaused => "table/not-paused",
            Refusal::Closed => "decision/closed",
            Refusal::NoDecision => "decision/none",
            Refusal::NotYours => "decision/not-yours",
            Refusal::Answered => "decision/answered",
            Refusal::UnknownAlternative => "move/unknown-alternative",
            Refusal::WrongParts => "move/wrong-parts",
            Refusal::NotACandidate => "move/not-a-candidate",
            Refusal::NotLegal(_) => "move/not-legal",
            Refusal::NotNow => "move/not-now",
            Refusal::TextEmpty => "move/text-empty",
            Refusal::TextTooLong => "move/text-too-long",
            Refusal::SeatUnknown => "seat/unknown",
            Refusal::SeatTaken => "seat/taken",
            Refusal::SeatEmpty => "seat/empty",
            Refusal::NoNewcomers => "seat/no-newcomers",
            Refusal::TooFewPlayers => "game/too-few-players",
            Refusal::Requires(_) => "game/requires",
            Refusal::NoClock => "decision/no-clock",
        }
    }
}
