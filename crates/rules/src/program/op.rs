//! Ops: what the rules do, one after another. The engine lowers each op to an instruction.

use super::ask::{AbsentPolicy, TimeLimit};
use super::expr::{Num, Seats, Selection, ZoneRef};
use super::text::{Text, ValueFormat};
use super::var::VarRef;
use super::{AskId, BoundId, DeckId, Pc, VarId, ZoneId};
use crate::span::Span;
use serde::{Deserialize, Serialize};

/// One op. After it the engine runs the next one, unless the comment says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    /// Stores the value, clamped to the range of the variable's type.
    Set(VarRef, Num),
    /// Adds the value; the sum is clamped likewise.
    Add(VarRef, Num),
    Jump(Pc),
    /// Jumps when the value is 0.
    Unless(Num, Pc),
    /// Head of a loop once round the table, clockwise from `start` inclusive ([`NONE`](super::NONE): from seat 0). Puts
    /// the next seat that belongs to `member` into `seat`, or jumps to `exit` after the last one. Whether a seat
    /// belongs is tested when its turn comes. `step` counts the seats that were tested; the code before the loop sets
    /// it to 0.
    Circle {
        start: VarId,
        step: VarId,
        seat: VarId,
        member: Seats,
        exit: Pc,
    },
    /// Head of a counting loop: adds 1 to `var`, or jumps to `exit` when `var` has reached `high`. The code before the
    /// loop sets `var` to one less than the first value.
    CountTo {
        var: VarId,
        high: Num,
        exit: Pc,
    },
    /// Moves cards, which keep the order of the selection; in an ordered zone they come to lie on top.
    Move {
        what: Selection,
        to: ZoneRef,
        face_down: bool,
    },
    /// Moves up to `count` cards, from the top of an ordered zone; from an unordered one lowest card numbers first.
    Draw {
        count: Num,
        from: ZoneRef,
        to: ZoneRef,
        face_down: bool,
    },
    /// Deals from the top of `from` to the zones of the family `to`, one card at a time round the `seats`, beginning
    /// with seat `start`. Without `each` it deals until `from` is empty.
    Deal {
        from: ZoneRef,
        to: ZoneId,
        each: Option<Num>,
        start: Num,
        seats: Seats,
    },
    /// Hands the cards of each player's `zone` to the same zone of the player that `to` names, all at the same time;
    /// `bound` holds the giver. Where `to` is nobody, the cards stay.
    Pass {
        zone: ZoneId,
        bound: BoundId,
        to: Num,
    },
    /// Marks where `repeat until …, at most …` ends because of its bound. It does nothing; `simulate` counts it.
    RanOut,
    /// Moves all cards of a deck, wherever they are, in the order of their card numbers. It turns them face up and
    /// forgets who brought them.
    Gather {
        deck: DeckId,
        to: ZoneRef,
    },
    Shuffle(ZoneRef),
    /// Moves each non-empty zone of the `from` families, as one pile, to a zone of the family `to`, in random order;
    /// `to` is indexed by a range and filled from its lowest index. Piles for which there is no room stay. Each card
    /// remembers the owner of the zone it came from ([`NONE`](super::NONE) if that zone has no owner).
    Mix {
        from: Vec<ZoneId>,
        to: ZoneId,
    },
    Turn {
        what: Selection,
        down: bool,
    },
    /// Rolls the dice whose index begins with `index` and for which `cond` holds; the bound variables hold the rest of
    /// the index. With `clear` the dice show nothing instead.
    Roll {
        dice: VarId,
        index: Vec<Num>,
        cond: Option<(Vec<BoundId>, Num)>,
        clear: bool,
    },
    /// Stores a random seat of these, or [`NONE`](super::NONE) if there is none, by the table's fair chance.
    RandomSeat {
        to: VarId,
        among: Seats,
    },
    /// Stores a random card of these, or [`NONE`](super::NONE) if there is none, by the table's fair chance.
    RandomCard {
        to: VarId,
        among: Selection,
    },
    Announce {
        text: Text,
        kind: AnnounceKind,
        to: Option<Num>,
    },
    /// Stores the value and tells it to everyone, or to one seat. `listed` is an index into
    /// [`Program::reveals`](super::Program::reveals).
    RevealValue {
        to_var: VarId,
        value: Num,
        show: ValueFormat,
        to: Option<Num>,
        listed: u16,
    },
    /// Shows cards once where they lie, to everyone or to one seat. `listed` is an index into
    /// [`Program::reveals`](super::Program::reveals).
    RevealCards {
        what: Selection,
        to: Option<Num>,
        listed: u16,
    },
    /// Writes the text of a `text` part on a blank card.
    Write {
        text: VarId,
        card: Num,
    },
    /// Index into [`Program::phases`](super::Program::phases).
    Phase(u16),
    /// Newcomers who wait take their seats.
    Admit,
    /// Opens a decision and waits. The engine goes on at the body of the chosen alternative, or at
    /// [`Ask::after`](super::ask::Ask::after).
    Ask(AskId),
    /// `ask all`: takes the next stored answer in the order of seats, loads its parts, sets `Me` and jumps to its body.
    /// When no answer is left the engine runs the next op.
    NextAnswer(AskId),
    /// Starts a thread for each seat at the body, waits until all have ended, then jumps to `after`. Index into
    /// [`Program::togethers`](super::Program::togethers).
    Together(u16),
    /// The end of a thread of `together`.
    ThreadEnd,
    /// The end of a hook.
    Return,
    End(Box<GameEnd>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnnounceKind {
    Toast,
    Shout,
    Banner,
    Notice,
    /// The text appears only in the log of the game.
    Log,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameEnd {
    pub outcome: Outcome,
    pub banner: Option<Text>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// One seat, whether it still takes part or not.
    Winner(Num),
    Loser(Num),
    Winners(Seats),
    Losers(Seats),
    /// Seats by the value of `by`, in which `bound` holds the seat. Rank 1 is best; equal values share a rank.
    Ranking {
        bound: BoundId,
        by: Num,
        highest_first: bool,
        /// Further values, each of which decides between seats that are equal in all before it; and whether the highest
        /// comes first.
        #[serde(default)]
        then: Vec<(Num, bool)>,
    },
    EveryoneWins,
    EveryoneLoses,
    /// A result that all players share: the score, from 0 to `most`.
    EveryoneScores {
        score: Num,
        most: Num,
    },
    Draw,
    Void,
}

/// A `together` block: several seats run the same steps at the same time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TogetherBlock {
    pub over: Seats,
    pub body: Pc,
    pub after: Pc,
    pub within: Option<TimeLimit>,
    pub absent: AbsentPolicy,
    pub span: Span,
}

/// Steps that the engine runs when a player leaves or joins, up to [`Op::Return`]. They open no decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hook {
    /// Holds the seat of that player.
    pub seat: VarId,
    pub body: Pc,
}

/// A name for what is going on, shown to everybody.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Phase {
    pub name: String,
    pub title: String,
}
