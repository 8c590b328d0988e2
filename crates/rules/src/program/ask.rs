//! Decisions: who is asked, what can be answered, what happens when nobody answers.

use super::expr::{Num, Seats, Selection, ZoneRef};
use super::text::Text;
use super::{AttrId, BoundId, Pc, VarId, ZoneId};
use crate::span::Span;
use serde::{Deserialize, Serialize};

/// A decision: who is asked, and what can be answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ask {
    pub mode: AskMode,
    pub prompt: Option<Text>,
    /// The prompt reads only what everyone knows, so others may see it too.
    pub prompt_public: bool,
    pub alternatives: Vec<Alternative>,
    /// The move that the engine makes when the chooser can't or doesn't answer. Without it, or if its alternative is
    /// not legal, the engine makes the first legal move.
    pub default: Option<DefaultMove>,
    pub within: Option<TimeLimit>,
    pub absent: AbsentPolicy,
    /// After the chooser has been absent for this many seconds the decision closes and the engine goes on at the pc.
    pub absent_after: Option<(Num, Pc)>,
    /// When the chooser leaves for good the engine makes the default move; otherwise it drops the decision.
    pub gone_default: bool,
    /// The engine tests this after every input while the decision is open, and drops the decision when it holds.
    pub drop_when: Option<Num>,
    /// Where the engine goes on after the body of an alternative, and when the decision is dropped.
    pub after: Pc,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AskMode {
    /// Asks one seat.
    One(Num),
    /// Asks several seats; the engine keeps each answer secret until all have answered.
    All(Seats),
    /// Asks several seats; the first answer wins. A seat that answers with the alternative `pass` is no longer asked.
    /// While the first op of the body runs, `Me` is the seat that answered.
    First(Seats),
}

/// One of the answers to a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alternative {
    pub name: String,
    /// What the player reads. `None`: the name, [`capitalised`](super::capitalised).
    pub label: Option<Text>,
    pub parts: Vec<Part>,
    pub when: Option<Num>,
    /// The engine offers this only when no other alternative is legal.
    pub if_none: bool,
    pub musts: Vec<Must>,
    pub body: Pc,
}

/// What a player picks in an alternative: a card, a number, a player …
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub name: String,
    /// Holds the candidate while the engine tests whether a move is legal; later parts and musts read it too.
    pub bound: BoundId,
    /// Holds the chosen value when the body runs.
    pub var: VarId,
    pub kind: PartKind,
    /// A candidate must satisfy this.
    pub filter: Option<Num>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PartKind {
    Card(Selection),
    /// A card that the chooser sees only from the back, picked by its position in the zone. The variable holds the
    /// card.
    Unseen(ZoneRef),
    /// low..=high different cards. With `ordered` the order in which they are picked matters.
    Cards {
        low: Num,
        high: Num,
        from: Selection,
        ordered: bool,
    },
    /// Cards that are alike in `attr`; wild cards may stand for others. `value` receives the common value. The engine
    /// lists such sets by kind of card, because there can be far too many subsets of a hand.
    Alike {
        from: Selection,
        attr: AttrId,
        /// A card for which this holds is wild; the bound variable holds the card.
        wild: Option<(BoundId, Num)>,
        /// The common value of a set of wild cards alone. `None`: [`NONE_VALUE`](super::NONE_VALUE).
        alone: Option<Num>,
        low: Num,
        high: Num,
        value: (BoundId, VarId),
    },
    /// Cards with consecutive values of `attr`, all equal in `within`; `value` receives the lowest value.
    Run {
        from: Selection,
        attr: AttrId,
        within: Option<AttrId>,
        low: Num,
        high: Num,
        value: (BoundId, VarId),
    },
    Number {
        low: Num,
        high: Num,
    },
    /// One zone of a family with one dimension; the variable holds the index.
    Pile(ZoneId),
    Player(Seats),
    Value(AttrId),
    Choice(Vec<String>),
    YesNo,
    /// A text of at least one and at most this many characters.
    Text(Num),
    /// Any of the dice with this index, or none of them; the variable holds a bit mask of positions.
    Dice(VarId, Vec<Num>),
}

/// A condition that the parts of a move must satisfy, with the reason that is given when they do not. The engine tests
/// the musts of an alternative in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Must {
    pub cond: Num,
    /// The engine ignores the condition if no move satisfies it.
    pub if_able: bool,
    pub when: Option<Num>,
    pub reason: Text,
}

/// The move of a player who can't or doesn't answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DefaultMove {
    pub alternative: u16,
    pub pick: DefaultPick,
}

/// Which candidate of the first part a default move takes. In every later part it takes the first candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DefaultPick {
    First,
    Lowest(AttrId),
    Highest(AttrId),
    /// Picks a random candidate with the table's fair chance.
    Random,
}

/// What the engine does with a decision whose chooser is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AbsentPolicy {
    Wait,
    /// The engine drops the decision at once.
    Skip,
    /// The engine makes the default move at once.
    Default,
}

/// `within 30 seconds, …`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimeLimit {
    /// 0 means that there is no limit.
    pub seconds: Num,
    pub then: TimeoutAction,
}

/// What happens when a time limit is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeoutAction {
    /// The engine makes the default move for everyone who has not answered.
    Default,
    /// The engine drops the decision for everyone who has not answered.
    Skip,
    /// The table pauses; the decision stays open.
    Pause,
    /// The decision closes and the engine goes on here.
    Goto(Pc),
}
