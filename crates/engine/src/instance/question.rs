//! What asks offer, in the form in which it is run. The counterpart of the program's `Ask`, `Alternative`, `Part` and `Must`.

use super::closure::{CardChoice, Cond};
use super::code::{Cell, Expr, Members, Reg, Script, Set, Spot, Target, Test};
use super::context::Eval;
use crate::cardset::CardSet;
use baize_rules::program::{AbsentPolicy, AttrId, DefaultPick, Pc, TimeoutAction, VarId};

/// An ask.
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
    /// Where it is asked.
    pub at: Pc,
    pub after: Pc,
    /// Where the sealed answers of an `ask all` are taken up.
    pub next_answer: Pc,
    /// The cell that holds the seat whose answer's body runs.
    pub chose: u32,
    /// Inside a `together` block: asked of the thread's own seat.
    pub threaded: bool,
    /// Answered by one card of an alternative that is always there, and there is no other: the cell for the card.
    pub one_card: Option<u32>,
    /// Asked of one seat, and a random answer can be drawn without listing all: see [`crate::legal`].
    pub drawable: bool,
}

/// When a question is no longer one.
#[derive(Debug)]
pub enum DropWhen<S> {
    Never,
    /// While a flag is set.
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
    /// Of the lead; waits while there is none.
    Lead,
    All(Members<S>),
    First(Members<S>),
}

/// An alternative.
#[derive(Debug)]
pub struct Offer<S> {
    pub name: String,
    pub label: Option<Script<S>>,
    pub slots: Vec<Slot<S>>,
    pub when: Option<Cond<S>>,
    /// With the options of this table it is never offered.
    pub never: bool,
    pub if_none: bool,
    pub musts: Vec<Must<S>>,
    pub body: Pc,
    pub form: Form,
    /// Of one card: which cards.
    pub choice: Option<CardChoice<S>>,
    /// Withdraws from a decision in which the first answer wins.
    pub pass: bool,
}

/// How the legal answers of an alternative are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No parts: legal or not.
    Plain,
    /// One card, all conditions as tests on it.
    Card,
    /// Parts that do not depend on one another: each has its own candidates.
    Product,
    /// Everything else is listed.
    List,
}

/// A part.
#[derive(Clone, Debug)]
pub struct Slot<S> {
    pub name: String,
    pub kind: SlotKind<S>,
    /// Where the candidate is while it is tested: a register, or a pick register if it is several cards.
    pub reg: Reg,
    /// Where the chosen value goes.
    pub store: Store<S>,
    pub filter: Option<Condition<S>>,
}

#[derive(Clone, Debug)]
pub enum Store<S> {
    Value(Target<S>),
    /// A slot for several cards, and the target of the pattern's value.
    Cards {
        slot: PickSlot<S>,
        value: Option<Target<S>>,
    },
    /// A text: kept in the arena, its number in the cell.
    Text(Cell<S>),
}

#[derive(Clone, Debug)]
pub enum PickSlot<S> {
    At(u32),
    Of { base: u32, seat: Expr<S> },
    Nowhere,
}

#[derive(Clone, Debug)]
pub enum SlotKind<S> {
    Card(Set<S>),
    Unseen(Spot<S>),
    Cards {
        low: Expr<S>,
        high: Expr<S>,
        from: Set<S>,
        ordered: bool,
    },
    Alike(Box<Alike<S>>),
    Run(Box<Run<S>>),
    Number {
        low: Expr<S>,
        high: Expr<S>,
    },
    /// Values `low..=high`, fixed when the table is made: index of a family, attribute, choice, yes/no.
    Range {
        low: i32,
        high: i32,
        what: RangeOf,
    },
    Player(Members<S>),
    Text(Expr<S>),
    /// Subsets of this many dice.
    Dice {
        dice: VarId,
        count: u32,
    },
}

/// What the values of a fixed range stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeOf {
    Pile(u16),
    Attr(AttrId),
    Choice,
    YesNo,
}

#[derive(Clone, Debug)]
pub struct Alike<S> {
    pub from: Set<S>,
    pub attr: AttrId,
    pub wild: Option<Test<S>>,
    pub alone: Option<Expr<S>>,
    pub low: Expr<S>,
    pub high: Expr<S>,
    /// Register of the common value.
    pub value: Reg,
}

#[derive(Clone, Debug)]
pub struct Run<S> {
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
pub struct Condition<S> {
    pub cond: Cond<S>,
    /// The same for a whole set of cards, if it depends on a single card part only.
    pub test: Option<Test<S>>,
    /// The parts it depends on, as bits.
    pub parts: u32,
    /// If it asks no more than whether some card of an instance has the value in a register: where, which attribute, which register.
    pub had: Option<Box<(Spot<S>, AttrId, Reg)>>,
}

impl<S: CardSet> Condition<S> {
    #[inline]
    pub fn holds(&self, eval: Eval<S>) -> bool {
        self.cond.holds(eval)
    }
}

/// A `must`. Its condition already holds wherever its `when` does not.
#[derive(Debug)]
pub struct Must<S> {
    pub cond: Condition<S>,
    pub if_able: bool,
    /// Only if it depends on no part (else it is in the condition).
    pub when: Option<Cond<S>>,
    pub reason: Script<S>,
}

/// A `together` block.
#[derive(Clone, Debug)]
pub struct Block<S> {
    pub over: Members<S>,
    pub body: Pc,
    pub after: Pc,
    pub within: Option<(Expr<S>, TimeoutAction)>,
    pub absent: AbsentPolicy,
}
