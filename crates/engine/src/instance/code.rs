//! The compiled form of rules: every name is resolved to a cell, a zone instance, a register or a mask. `crate::build` makes it.
//!
//! | program | here |
//! |---|---|
//! | `Num` | [`Expr`] |
//! | `Selection` | [`Set`] |
//! | a condition on one card | [`Test`], mask algebra wherever possible |
//! | `ZoneRef` | [`Spot`] |
//! | `VarRef` | [`Cell`] |
//! | `Seats` | [`Members`] |
//! | `Text` | [`Script`] |
//! | `Op` | [`Instruction`], at the same pc; playouts run most of them as closures: [`CompiledInstruction`] |
//!
//! The tag of each enum is a byte of its own (`repr(u8)`). A tag that the compiler hides in a field saves space but takes longer to read.
//!
//! Bound variables are in numbered registers, by nesting depth. [`super::question`] has what an ask offers.

use super::closure::{CompiledInstruction, Cond, Value};
use super::question::{Block, Question};
use baize_rules::program::{
    AnnounceKind, Arith, AskId, AttrId, Cmp, DeckId, Fold, GameEnd, Pc, ValueFormat, VarId, ZoneId,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Number of registers, and so of bound variables that can be in scope at once.
pub const REGISTERS: usize = 32;

/// A register for a number.
pub type Reg = u8;

/// An expression whose value is a number. Evaluating it reads the frame and changes nothing but registers.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Expr<S> {
    Const(i32),
    /// A cell of the frame.
    Cell(u32),
    /// The cell of an indexed variable; `none` is the value for an index out of range.
    At {
        cell: Box<Cell<S>>,
        none: i32,
    },
    Reg(Reg),
    Me,
    Lead,
    Neg(Box<Expr<S>>),
    Not(Box<Expr<S>>),
    /// `and` and `or` of conditions, in order. The conditions of branches become instructions of their own: see `build::lower::branches`.
    All(Box<[Expr<S>]>),
    Any(Box<[Expr<S>]>),
    Arith(Arith, Box<[Expr<S>; 2]>),
    Cmp(Cmp, Box<[Expr<S>; 2]>),
    /// A comparison with a constant that is not `none`.
    CmpConst(Cmp, Box<Expr<S>>, i32),
    If(Box<[Expr<S>; 3]>),
    Count(Box<Set<S>>),
    Empty(Box<Set<S>>),
    NotEmpty(Box<Set<S>>),
    /// Whether any card of a zone instance passes a test.
    AnyIn(Box<(Spot<S>, Test<S>)>),
    /// Whether a zone instance has cards, or has none.
    ZoneNonEmpty(Box<Spot<S>>),
    ZoneEmpty(Box<Spot<S>>),
    /// The same for an instance that is known when the table is made.
    ZoneNonEmptyAt(u32),
    ZoneEmptyAt(u32),
    Holds(Box<(Set<S>, Expr<S>)>),
    CardAttr(AttrId, Box<Expr<S>>),
    /// Whether a card is in a fixed set.
    CardIn(Box<(S, Expr<S>)>),
    PlayerOf(Box<Expr<S>>),
    /// The first or last card of a list of the frame, that is, of an ordered zone instance.
    Top {
        list: u32,
        last: bool,
    },
    /// An attribute of that card, as in `suit of first card in trick`.
    TopAttr {
        attr: AttrId,
        list: u32,
        last: bool,
    },
    First(Box<Set<S>>),
    Last(Box<Set<S>>),
    Best {
        highest: bool,
        of: Box<Set<S>>,
        by: AttrId,
    },
    /// The same where the order of card numbers is the order of the attribute.
    BestFollowing(Box<BestFollowing<S>>),
    OverSeats(Box<SeatFold<S>>),
    /// The number of playing seats (or whether there is any) whose instance of a family, one per seat from `base`, holds cards.
    SeatsHolding {
        any: bool,
        base: u32,
    },
    /// A comparison of the number of those seats with a constant.
    HoldersCmp {
        op: Cmp,
        base: u32,
        n: i8,
    },
    OverCards(Box<CardFold<S>>),
    OverRange(Box<RangeFold<S>>),
    FirstSeat(Box<SeatSearch<S>>),
    NextSeat {
        back: bool,
        search: Box<SeatSearch<S>>,
    },
    Present(Box<Expr<S>>),
    Playing(Box<Expr<S>>),
    Person(Box<Expr<S>>),
    DiceCount(Box<Expr<S>>),
    DiceHas(Box<[Expr<S>; 2]>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SeatFold<S> {
    pub op: Fold,
    pub reg: Reg,
    pub cond: Option<Cond<S>>,
    pub value: Value<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CardFold<S> {
    pub op: Fold,
    pub reg: Reg,
    /// The cards that satisfy the condition.
    pub of: Set<S>,
    pub value: Value<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RangeFold<S> {
    pub op: Fold,
    pub reg: Reg,
    pub low: Expr<S>,
    pub high: Expr<S>,
    pub cond: Option<Cond<S>>,
    pub value: Value<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SeatSearch<S> {
    pub reg: Reg,
    pub from: Expr<S>,
    pub cond: Option<Cond<S>>,
    /// Set if the condition is only that the seat's instance of a family, one per seat from this one, holds cards.
    pub holding: Option<u32>,
}

impl<S> Expr<S> {
    /// Whether the expression is a condition by its form, so that its value is 0 or 1.
    pub fn is_condition(&self) -> bool {
        matches!(
            self,
            Expr::Not(_)
                | Expr::All(_)
                | Expr::Any(_)
                | Expr::Cmp(..)
                | Expr::CmpConst(..)
                | Expr::AnyIn(_)
                | Expr::ZoneNonEmpty(_)
                | Expr::ZoneEmpty(_)
                | Expr::ZoneNonEmptyAt(_)
                | Expr::ZoneEmptyAt(_)
                | Expr::HoldersCmp { .. }
                | Expr::Playing(_)
        )
    }
}

/// A selection of cards.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Set<S> {
    Fixed(S),
    Zone(Spot<S>),
    /// The cards of `len` instances from `base`.
    Family {
        base: u32,
        len: u32,
    },
    /// A stored selection: slot of `Frame::picked`.
    Picked(u32),
    /// The stored selection of a seat: one slot per seat from `base`.
    PickedOf {
        base: u32,
        seat: Box<Expr<S>>,
    },
    /// The selection that is being tested, by pick register.
    Bound(Reg),
    One(Box<Expr<S>>),
    Where(Box<(Set<S>, Test<S>)>),
    Union(Box<[Set<S>; 2]>),
    Minus(Box<[Set<S>; 2]>),
    Ends {
        last: bool,
        of: Box<(Set<S>, Expr<S>)>,
    },
    SetsOf {
        attr: AttrId,
        of: Box<(Set<S>, Expr<S>)>,
    },
}

/// A condition on a card that is evaluated for a whole set of cards at once.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Test<S> {
    Always,
    Never,
    In(S),
    /// Compares the attribute with a value that does not depend on the card.
    Attr(AttrId, Cmp, Box<Expr<S>>),
    /// Compares the attribute with that of the first or last card of a list, as in following suit.
    Follows(Follow<S>),
    /// The card is in a selection that does not depend on it.
    Within(Box<Set<S>>),
    /// A condition that does not depend on the card.
    Free(Cond<S>),
    And(Box<[Test<S>; 2]>),
    Or(Box<[Test<S>; 2]>),
    Not(Box<Test<S>>),
    /// The player who brought the card is still playing.
    Brought,
    /// Tests card by card, with the card in the register.
    Each(Reg, Cond<S>),
}

/// Which cards follow another card: those with the same value of an attribute, such as the suit.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow<S> {
    pub attr: AttrId,
    /// The attribute of the card that is followed; usually the same as `attr`.
    pub of: AttrId,
    /// The list whose first or last card is followed.
    pub list: u32,
    pub last: bool,
    /// Selects the cards that do not follow.
    pub not: bool,
    /// Indexed by card: the cards that follow it. Empty for games with many cards and for two different attributes.
    pub alike: Arc<[S]>,
}

/// The best of those cards of an instance that follow another card; it decides who takes a trick. The numbers of cards that can follow are
/// in the order in which the cards are compared, and no two of these cards are equal, so the best one is the highest or lowest bit of a mask.
#[derive(Clone, Debug, PartialEq)]
pub struct BestFollowing<S> {
    pub zone: u32,
    pub follow: Follow<S>,
    /// Counts only cards whose player is still playing.
    pub brought: bool,
    /// Whether the best card has the highest number; otherwise it has the lowest.
    pub last: bool,
}

/// How to find a zone instance.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Spot<S> {
    At(u32),
    /// One dimension: `base + index - low` if that is less than `size`.
    By {
        base: u32,
        low: i32,
        size: u32,
        index: Box<Expr<S>>,
    },
    /// Several dimensions.
    Grid {
        base: u32,
        index: Box<[Term<S>]>,
    },
    /// An index that is always out of range.
    Nowhere,
}

/// One index of a [`Spot::Grid`] or [`Cell::Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct Term<S> {
    pub low: i32,
    pub size: u32,
    pub stride: u32,
    pub value: Expr<S>,
}

/// How to find the cell of a variable; the same forms as [`Spot`].
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Cell<S> {
    At(u32),
    By { base: u32, low: i32, size: u32, index: Box<Expr<S>> },
    Grid { base: u32, index: Box<[Term<S>]> },
    Nowhere,
}

/// The playing seats that satisfy a condition, which reads the seat from a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Members<S> {
    pub reg: Reg,
    pub cond: Option<Cond<S>>,
    /// As in [`SeatSearch`].
    pub holding: Option<u32>,
}

/// A text with holes that are filled when it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script<S> {
    pub parts: Vec<ScriptPart<S>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScriptPart<S> {
    Plain(String),
    Value(Expr<S>, ValueFormat),
    /// The first n letters of a text.
    Letters(Expr<S>, String),
    Cards(Set<S>),
    CardText(Expr<S>),
    Filled {
        prompt: Expr<S>,
        answers: Set<S>,
    },
    If(Expr<S>, Script<S>, Script<S>),
}

/// A variable that an instruction writes; values are clamped to `low..=high`.
#[derive(Clone, Debug, PartialEq)]
pub struct Target<S> {
    pub cell: Cell<S>,
    pub var: VarId,
    pub low: i32,
    pub high: i32,
    /// Views show the variable, so the sink is told of changes.
    pub shown: bool,
}

/// The player whom a zone remembers for the cards that an instruction moves.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Bringer<S> {
    /// The seat whose answer is being executed.
    Seat(Expr<S>),
    /// Outside of answers: the owner of the zone that the card comes from.
    Owner,
}

#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Instruction<S> {
    Set(Box<(Target<S>, Expr<S>)>),
    Add(Box<(Target<S>, Expr<S>)>),
    Jump(Pc),
    /// Continues with the next line if the condition holds, otherwise at this pc.
    Unless(Expr<S>, Pc),
    Circle(Box<Circle<S>>),
    CountTo(Box<CountTo<S>>),
    /// Moves one card; the most frequent kind of move. The card usually lies in `from`, but need not.
    MoveOne {
        card: Expr<S>,
        path: Box<Path<S>>,
    },
    /// Moves all cards of an instance.
    MoveAll(Box<Path<S>>),
    Move {
        what: Box<Set<S>>,
        path: Box<Path<S>>,
    },
    Draw {
        count: Expr<S>,
        path: Box<Path<S>>,
    },
    Deal(Box<Deal<S>>),
    Pass(Box<Pass<S>>),
    /// See `Op::RanOut`.
    RanOut,
    Gather {
        deck: DeckId,
        to: Spot<S>,
    },
    Shuffle(Spot<S>),
    Mix {
        from: Box<[ZoneId]>,
        to: ZoneId,
    },
    Turn {
        what: Box<Set<S>>,
        down: bool,
    },
    Roll(Box<Roll<S>>),
    RandomSeat(Box<(Target<S>, Members<S>)>),
    RandomCard(Box<(Target<S>, Set<S>)>),
    Announce {
        text: Box<Script<S>>,
        kind: AnnounceKind,
        to: Option<Box<Expr<S>>>,
    },
    RevealValue(Box<RevealValue<S>>),
    RevealCards {
        what: Box<Set<S>>,
        to: Option<Box<Expr<S>>>,
        site: u16,
    },
    Write {
        text: Expr<S>,
        card: Expr<S>,
    },
    Phase(u16),
    Admit,
    Ask(AskId),
    NextAnswer(AskId),
    Together(u16),
    ThreadEnd,
    Return,
    End(Box<EndInstruction<S>>),
}

/// Where cards come from and go to.
#[derive(Clone, Debug, PartialEq)]
pub struct Path<S> {
    pub from: Spot<S>,
    pub to: Spot<S>,
    pub face_down: bool,
    pub by: Bringer<S>,
}

/// Counts a variable up; see `Op::CountTo`.
#[derive(Clone, Debug, PartialEq)]
pub struct CountTo<S> {
    pub var: Cell<S>,
    pub high: Expr<S>,
    pub exit: Pc,
}

/// Once round the table; see `Op::Circle`.
#[derive(Clone, Debug, PartialEq)]
pub struct Circle<S> {
    pub start: Cell<S>,
    pub step: Cell<S>,
    pub seat: Cell<S>,
    pub member: Members<S>,
    pub exit: Pc,
}

/// See `Op::Pass`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass<S> {
    pub zone: ZoneId,
    pub giver: Reg,
    pub to: Expr<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Deal<S> {
    pub from: Spot<S>,
    /// The family of zones that is dealt to, one instance per seat.
    pub to: ZoneId,
    pub each: Option<Expr<S>>,
    pub start: Expr<S>,
    pub seats: Members<S>,
    pub by: Bringer<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Roll<S> {
    pub dice: VarId,
    /// Leading indices. All dice with these indices are rolled.
    pub index: Vec<Expr<S>>,
    /// Rolls only dice that satisfy the condition, which reads the remaining indices from these registers.
    pub cond: Option<(SmallVec<[Reg; 2]>, Cond<S>)>,
    /// The cell of the die, if there is exactly one.
    pub one: Option<Cell<S>>,
    /// Clears the dice instead of rolling them.
    pub clear: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RevealValue<S> {
    pub target: Target<S>,
    pub value: Expr<S>,
    pub show: ValueFormat,
    pub to: Option<Expr<S>>,
    pub site: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EndInstruction<S> {
    pub outcome: OutcomeRule<S>,
    pub banner: Option<Script<S>>,
    /// The declaration in the program, for code that shows what a game is about.
    pub source: GameEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutcomeRule<S> {
    /// One seat, which need not be playing.
    Winner(Expr<S>),
    Loser(Expr<S>),
    Winners(Members<S>),
    Losers(Members<S>),
    Ranking {
        reg: Reg,
        by: Expr<S>,
        highest_first: bool,
    },
    EveryoneWins,
    EveryoneLoses,
    Draw,
    Void,
}

/// Everything that the interpreter and playouts run.
#[derive(Debug)]
pub struct InstanceCode<S> {
    /// Indexed by pc; the synthetic lines of branches follow.
    pub lines: Vec<CodeLine<S>>,
    /// For each synthetic line the pc of the op it was made for.
    pub origins: Vec<Pc>,
    /// Indexed by line: the instruction as a closure, for playouts and searches.
    pub compiled: Vec<CompiledInstruction<S>>,
    pub questions: Vec<Question<S>>,
    pub blocks: Vec<Block<S>>,
    /// The cell of the hook's seat, and the pc of its body.
    pub on_leave: Option<(u32, Pc)>,
    pub on_join: Option<(u32, Pc)>,
    /// Indexed by zone: the maximum number of cards of an instance.
    pub holds: Vec<Option<Expr<S>>>,
    /// Conditions for starting a table, each with the reason that a refusal gives.
    pub requires: Vec<(Expr<S>, Script<S>)>,
    /// Whether some ask can be dropped by a condition, so that open decisions have to be checked after every move.
    pub drops: bool,
}

/// An instruction and the pc of the next one. It fills a cache line, so that the address of a line is the pc shifted.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct CodeLine<S> {
    pub instruction: Instruction<S>,
    /// The next line in normal play; jumps have been followed.
    pub next: Pc,
    /// The next line when no sink is active: also skips instructions that only announce or reveal.
    pub next_unobserved: Pc,
}

impl<S> InstanceCode<S> {
    pub fn instruction(&self, pc: Pc) -> Option<&Instruction<S>> {
        self.lines.get(pc as usize).map(|line| &line.instruction)
    }

    /// Returns the pc of the op that a line was made for.
    pub fn origin(&self, pc: Pc) -> Pc {
        let ops = self.lines.len() - self.origins.len();
        (pc as usize).checked_sub(ops).and_then(|at| self.origins.get(at)).copied().unwrap_or(pc)
    }
}
