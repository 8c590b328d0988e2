//! The form in which rules are run: every name resolved to a cell, a zone instance, a register or a mask.
//!
//! | program | here |
//! |---|---|
//! | `Num` | [`Expr`] |
//! | `Cards` | [`Set`] |
//! | a condition on one card | [`Test`], mask algebra wherever possible |
//! | `ZoneRef` | [`Spot`] |
//! | `Place` | [`Cell`] |
//! | `Seats` | [`Members`] |
//! | `Text` | [`Script`] |
//! | `Op` | [`Instruction`], at the same pc; while nobody listens most of them are closures: [`CompiledInstruction`] |
//!
//! The tag of each is a byte of its own (`repr(u8)`): one hidden in a field saves space but costs time wherever it is looked at.
//!
//! Bound variables live in numbered registers, given out by nesting depth. What an ask offers is in [`super::question`].

use super::closure::{CompiledInstruction, Cond, Value};
use super::question::{Block, Question};
use baize_rules::program::{
    AnnounceKind, Arith, AskId, AttrId, Cmp, DeckId, Fold, GameEnd, Pc, ValueFormat, VarId, ZoneId,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Number of registers: bound variables that can be in scope at once.
pub const REGISTERS: usize = 32;

/// A register for a number.
pub type Reg = u8;

/// A value. Reads the frame and the registers, changes nothing but registers.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Expr<S> {
    Const(i32),
    /// A cell of the frame.
    Cell(u32),
    /// The cell of an indexed variable, or `none` out of range.
    At {
        cell: Box<Cell<S>>,
        none: i32,
    },
    Reg(Reg),
    Me,
    Lead,
    Neg(Box<Expr<S>>),
    Not(Box<Expr<S>>),
    /// `and` of conditions, in order, and `or`. Those that steps depend on become steps of their own: see `lower::branches`.
    All(Box<[Expr<S>]>),
    Any(Box<[Expr<S>]>),
    Arith(Arith, Box<[Expr<S>; 2]>),
    Cmp(Cmp, Box<[Expr<S>; 2]>),
    /// Compared with a constant that is not `none`.
    CmpConst(Cmp, Box<Expr<S>>, i32),
    If(Box<[Expr<S>; 3]>),
    Count(Box<Set<S>>),
    Empty(Box<Set<S>>),
    NotEmpty(Box<Set<S>>),
    /// Whether any card of a zone instance passes.
    AnyIn(Box<(Spot<S>, Test<S>)>),
    /// `NotEmpty` and `Empty` of a whole zone instance.
    ZoneNonEmpty(Box<Spot<S>>),
    ZoneEmpty(Box<Spot<S>>),
    /// The same of a fixed instance.
    ZoneNonEmptyAt(u32),
    ZoneEmptyAt(u32),
    Holds(Box<(Set<S>, Expr<S>)>),
    CardAttr(AttrId, Box<Expr<S>>),
    /// Whether a card is one of these.
    CardIn(Box<(S, Expr<S>)>),
    PlayerOf(Box<Expr<S>>),
    /// First or last of a list of the frame: of a zone instance that keeps an order.
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
    /// The same where the numbers of the cards say which it is.
    BestFollowing(Box<BestFollowing<S>>),
    OverSeats(Box<SeatFold<S>>),
    /// Counts (or finds any) seats playing whose instance of a family, one per seat from `base`, holds cards.
    SeatsHolding {
        any: bool,
        base: u32,
    },
    /// The number of those seats compared with a constant.
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
    /// Already restricted to the cards that satisfy the condition.
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
    /// The condition is just that the seat's instance of a family, one per seat from here, holds cards.
    pub holding: Option<u32>,
}

impl<S> Expr<S> {
    /// Whether it is a condition by its form: its value is 0 or 1.
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
    /// `len` instances from `base`.
    Family {
        base: u32,
        len: u32,
    },
    /// A stored selection, by slot.
    Picked(u32),
    /// The same, one slot per seat from `base`, of the seat this evaluates to.
    PickedOf {
        base: u32,
        seat: Box<Expr<S>>,
    },
    /// The selection being tested, by pick register.
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

/// A condition on a card, evaluated for a whole set at once.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Test<S> {
    Always,
    Never,
    In(S),
    /// The attribute compares so with a value that does not depend on the card.
    Attr(AttrId, Cmp, Box<Expr<S>>),
    /// The attribute is (or is not) that of the first or last card of a list: to follow suit.
    Follows(Follow<S>),
    /// Lies in a selection that does not depend on the card.
    Within(Box<Set<S>>),
    /// Does not depend on the card at all.
    Free(Cond<S>),
    And(Box<[Test<S>; 2]>),
    Or(Box<[Test<S>; 2]>),
    Not(Box<Test<S>>),
    /// Whoever brought the card is playing.
    Brought,
    /// Card by card, with the card in the register.
    Each(Reg, Cond<S>),
}

/// To follow suit, and the like.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow<S> {
    pub attr: AttrId,
    /// The attribute of the card that is followed: mostly the same.
    pub of: AttrId,
    /// That card is the first or last of this list.
    pub list: u32,
    pub last: bool,
    /// Those that do not follow.
    pub not: bool,
    /// By card: the cards that follow it. Empty for big games and for two attributes: then it has to be found out.
    pub alike: Arc<[S]>,
}

/// The best of those cards of an instance that follow another, as who takes a trick. All that can follow it are numbered in the order in
/// which they are compared, and no two of them are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct BestFollowing<S> {
    pub zone: u32,
    pub follow: Follow<S>,
    /// Only cards whose bringer is still playing.
    pub brought: bool,
    /// The best has the highest number, else the lowest.
    pub last: bool,
}

/// A zone instance.
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
    /// An index that is out of range whatever happens.
    Nowhere,
}

/// One index of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Term<S> {
    pub low: i32,
    pub size: u32,
    pub stride: u32,
    pub value: Expr<S>,
}

/// Where a value is kept; the same forms as [`Spot`].
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Cell<S> {
    At(u32),
    By { base: u32, low: i32, size: u32, index: Box<Expr<S>> },
    Grid { base: u32, index: Box<[Term<S>]> },
    Nowhere,
}

/// Seats that play and satisfy a condition, with the seat in a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Members<S> {
    pub reg: Reg,
    pub cond: Option<Cond<S>>,
    /// As in [`SeatSearch`].
    pub holding: Option<u32>,
}

/// A text with holes.
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

/// A variable that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Target<S> {
    pub cell: Cell<S>,
    pub var: VarId,
    pub low: i32,
    pub high: i32,
    /// Told to the sink.
    pub shown: bool,
}

/// Who moves a card by this step, where zones remember that.
#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Bringer<S> {
    /// The seat whose decision this is part of.
    Seat(Expr<S>),
    /// No decision: the owner of the zone the card comes from.
    Owner,
}

#[derive(Clone, Debug, PartialEq)]
#[repr(u8)]
pub enum Instruction<S> {
    Set(Box<(Target<S>, Expr<S>)>),
    Add(Box<(Target<S>, Expr<S>)>),
    Jump(Pc),
    /// Goes on if the condition holds, else there.
    Unless(Expr<S>, Pc),
    Circle(Box<Circle<S>>),
    CountTo(Box<CountTo<S>>),
    /// One card, by far the commonest move. It likely lies in `from`, where it was chosen, but need not.
    MoveOne {
        card: Expr<S>,
        path: Box<Path<S>>,
    },
    /// All cards of an instance.
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

/// Where cards go.
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
    /// First instance of the family, one per seat.
    pub to: ZoneId,
    pub each: Option<Expr<S>>,
    pub start: Expr<S>,
    pub seats: Members<S>,
    pub by: Bringer<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Roll<S> {
    pub dice: VarId,
    /// Leading indices; the rest are all rolled.
    pub index: Vec<Expr<S>>,
    /// With the indices that are left in these registers.
    pub cond: Option<(SmallVec<[Reg; 2]>, Cond<S>)>,
    /// If it is one die and no more: where it lies.
    pub one: Option<Cell<S>>,
    /// They show nothing instead.
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
    /// As written, for those who show what a game is about.
    pub source: GameEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OutcomeRule<S> {
    /// One seat, playing or not.
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

/// Everything that runs.
#[derive(Debug)]
pub struct Code<S> {
    /// Indexed by pc; the synthetic lines of branches follow.
    pub lines: Vec<CodeLine<S>>,
    /// For each synthetic line the pc of the op it was made for.
    pub origins: Vec<Pc>,
    /// Indexed by line: the instruction as a closure, for playouts and searches.
    pub compiled: Vec<CompiledInstruction<S>>,
    pub questions: Vec<Question<S>>,
    pub blocks: Vec<Block<S>>,
    /// Cell of the hook's seat, and where it begins.
    pub on_leave: Option<(u32, Pc)>,
    pub on_join: Option<(u32, Pc)>,
    /// By zone: how many cards an instance holds at most.
    pub holds: Vec<Option<Expr<S>>>,
    /// What must hold for a table to start, and the reason to give.
    pub requires: Vec<(Expr<S>, Script<S>)>,
    /// Some ask is dropped by a condition, so open ones are looked at after every move.
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

impl<S> Code<S> {
    pub fn instruction(&self, pc: Pc) -> Option<&Instruction<S>> {
        self.lines.get(pc as usize).map(|line| &line.instruction)
    }

    /// The op of the program that a line was made for.
    pub fn origin(&self, pc: Pc) -> Pc {
        let ops = self.lines.len() - self.origins.len();
        (pc as usize).checked_sub(ops).and_then(|at| self.origins.get(at)).copied().unwrap_or(pc)
    }
}
