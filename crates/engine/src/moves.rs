//! Moves, and the reasons why one is refused.

use crate::view::{Piece, RichText};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// An answer to a decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Move {
    /// The decision that the move answers. A late move is refused because its decision is closed.
    pub decision: u32,
    /// Index into the ask's alternatives, or [`CONTINUE`].
    pub alternative: u16,
    pub parts: SmallVec<[PartValue; 2]>,
}

/// The alternative that is offered when nothing else is legal: continue without an answer.
pub const CONTINUE: u16 = u16::MAX;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PartValue {
    /// A number, card, seat, value, index of a pile, position of an unseen card, or subset of dice.
    Number(i32),
    /// Several cards. The order counts if the part says so.
    Cards(SmallVec<[u16; 8]>),
    Text(String),
}

impl Move {
    /// Makes an answer without parts.
    #[inline]
    pub fn plain(decision: u32, alternative: u16) -> Self {
        Move { decision, alternative, parts: SmallVec::new() }
    }

    /// Makes an answer of one card, number, seat or value.
    #[inline]
    pub fn number(decision: u32, alternative: u16, value: i32) -> Self {
        Move { decision, alternative, parts: smallvec![PartValue::Number(value)] }
    }

    pub fn cards(decision: u32, alternative: u16, cards: &[u16]) -> Self {
        Move { decision, alternative, parts: smallvec![PartValue::Cards(SmallVec::from_slice(cards))] }
    }
}

/// Why a move or an input is refused. A refusal changes nothing.
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
    /// This seat has answered already, and sealed answers can't be taken back.
    Answered,
    UnknownAlternative,
    WrongParts,
    /// The part does not offer this value.
    NotACandidate,
    /// A `must` of the game forbids the move.
    NotLegal(RichText),
    /// The alternative is not offered at this point.
    NotNow,
    TextEmpty,
    TextTooLong,
    SeatUnknown,
    SeatTaken,
    SeatEmpty,
    /// This game admits nobody after it has begun.
    NoNewcomers,
    TooFewPlayers,
    /// A condition for starting the game does not hold.
    Requires(RichText),
    /// The decision has no clock that could run out.
    NoClock,
}

impl Refusal {
    /// Returns the reason that the rules give, or else the code, for logs in which players have no names.
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

    /// Lists all codes.
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

    /// Returns the stable code that clients receive.
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
