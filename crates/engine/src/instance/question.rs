//! The compiled form of asks: a [`Question`] for an `Ask`, an [`Offer`] for an `Alternative`, a [`LoweredPart`] for a `Part`, and a [`Must`].

use super::closure::{CardChoice, Cond};
use super::context::Eval;
use super::context::Reg;
use super::expr::{Cell, Expr, Members, Script, Set, Spot, Test, VariableTarget};
use crate::cardset::CardSet;
use baize_rules::program::{AbsentPolicy, AttrId, DefaultPick, Pc, TimeoutAction, VarId};

/// A compiled ask.
#[derive(Debug)]
pub struct Question<S> {
    pub mode: Mode<S>,
    pub prompt: Option<Script<S>>,
    pub prompt_public: bool,
    pub offers: Vec<Offer<S>>,
    pub default: Option<(u16, DefaultPick)>,
    pub within: Option<(Expr<S>, TimeoutAction)>,
    pub absent: AbsentPolicy,
    pub absent_after: Option<(Expr<S>, Pc)>,
    pub gone_default: bool,
    pub drop_when: DropWhen<S>,
    /// The pc of the ask.
    pub at: Pc,
    pub after: Pc,
    /// The pc at which the sealed answers of an `ask all` are executed.
    pub next_answer: Pc,
    /// The cell of the seat whose answer is being executed.
    pub chose: u32,
    /// Whether the ask is in a `together` block, where it asks the seat of the thread.
    pub threaded: bool,
    /// The cell for the card, if the question has a single alternative that is always offered and consists of one card.
    pub one_card: Option<u32>,
    /// Whether one seat is asked and a random answer can be drawn without listing all answers: see `crate::legal`.
    pub drawable: bool,
}

/// When an open question is dropped.
#[derive(Debug)]
pub enum DropWhen<S> {
    Never,
    /// While the flag in this cell is set.
    Flag(u32),
    When(Cond<S>),
}

impl<S: CardSet> DropWhen<S> {
    #[inline(always)]
    pub fn holds(&self, eval: Eval<S>) -> bool {
        match self {
            DropWhen::Never => false,
            DropWhen::Flag(cell) => eval.frame.cells[*cell as usize] != 0,
            DropWhen::When(cond) => cond.holds(eval),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Mode<S> {
    One(Expr<S>),
    /// Asks the lead, and waits while there is none.
    Lead,
    All(Members<S>),
    First(Members<S>),
}

/// A compiled alternative.
#[derive(Debug)]
pub struct Offer<S> {
    pub name: String,
    pub label: Option<Script<S>>,
    pub parts: Vec<LoweredPart<S>>,
    pub when: Option<Cond<S>>,
    /// The options of this table rule the alternative out.
    pub never: bool,
    pub if_none: bool,
    pub musts: Vec<Must<S>>,
    pub body: Pc,
    pub kind: OfferKind,
    /// The legal cards, if the only part is one card.
    pub choice: Option<CardChoice<S>>,
    /// The alternative withdraws from a decision in which the first answer wins.
    pub pass: bool,
}

/// How `crate::legal` finds the legal answers of an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// No parts: the alternative is legal or not.
    Plain,
    /// One card; all conditions are tests on it.
    Card,
    /// Several parts that do not depend on one another, so that each has candidates of its own.
    Product,
    /// Everything else: answers are listed one by one.
    List,
}

/// A compiled part.
#[derive(Clone, Debug)]
pub struct LoweredPart<S> {
    pub name: String,
    pub kind: LoweredPartKind<S>,
    /// The register of the candidate that is being tested; a pick register if the part is several cards.
    pub reg: Reg,
    /// Where the chosen value is stored.
    pub store: PartTarget<S>,
    pub filter: Option<PartCondition<S>>,
}

#[derive(Clone, Debug)]
pub enum PartTarget<S> {
    Value(VariableTarget<S>),
    /// The place of several cards, and the variable for the value that they have in common.
    Cards {
        place: PickedPlace<S>,
        value: Option<VariableTarget<S>>,
    },
    /// The frame keeps the text; the cell holds its number.
    Text(Cell<S>),
}

#[derive(Clone, Debug)]
pub enum PickedPlace<S> {
    At(u32),
    Of { base: u32, seat: Expr<S> },
    Nowhere,
}

#[derive(Clone, Debug)]
pub enum LoweredPartKind<S> {
    Card(Set<S>),
    Unseen(Spot<S>),
    Cards {
        low: Expr<S>,
        high: Expr<S>,
        from: Set<S>,
        ordered: bool,
    },
    Alike(Box<SetPattern<S>>),
    Run(Box<RunPattern<S>>),
    Number {
        low: Expr<S>,
        high: Expr<S>,
    },
    /// The values `low..=high`, known when the table is made: the index of a family, an attribute, a choice, yes or no.
    Range {
        low: i32,
        high: i32,
        what: RangeOf,
    },
    Player(Members<S>),
    Text(Expr<S>),
    /// A subset of this many dice, as bits.
    Dice {
        dice: VarId,
        count: u32,
    },
}

/// The meaning of the values of a fixed range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeOf {
    Pile(u16),
    Attr(AttrId),
    Choice,
    YesNo,
}

#[derive(Clone, Debug)]
pub struct SetPattern<S> {
    pub from: Set<S>,
    pub attr: AttrId,
    pub wild: Option<Test<S>>,
    pub alone: Option<Expr<S>>,
    pub low: Expr<S>,
    pub high: Expr<S>,
    /// Register of the value that the cards have in common.
    pub value: Reg,
}

#[derive(Clone, Debug)]
pub struct RunPattern<S> {
    pub from: Set<S>,
    pub attr: AttrId,
    pub within: Option<AttrId>,
    pub low: Expr<S>,
    pub high: Expr<S>,
    /// Register of the lowest value.
    pub value: Reg,
}

/// A condition on the parts.
#[derive(Clone, Debug)]
pub struct PartCondition<S> {
    pub cond: Cond<S>,
    /// The condition as a test on a set of cards, if it depends on one part only and that is a card.
    pub test: Option<Test<S>>,
    /// The parts on which the condition depends, as bits.
    pub parts: u32,
    /// Set if the condition is only that some card of an instance has the value in a register: instance, attribute, register.
    pub had: Option<Box<(Spot<S>, AttrId, Reg)>>,
}

impl<S: CardSet> PartCondition<S> {
    #[inline]
    pub fn holds(&self, eval: Eval<S>) -> bool {
        self.cond.holds(eval)
    }
}

/// A compiled `must`.
#[derive(Debug)]
pub struct Must<S> {
    pub cond: PartCondition<S>,
    pub if_able: bool,
    /// When the `must` applies, if that depends on no part; otherwise `cond` includes it.
    pub when: Option<Cond<S>>,
    pub reason: Script<S>,
}

/// A compiled `together` block.
#[derive(Clone, Debug)]
pub struct Block<S> {
    pub over: Members<S>,
    pub body: Pc,
    pub after: Pc,
    pub within: Option<(Expr<S>, TimeoutAction)>,
    pub absent: AbsentPolicy,
}
