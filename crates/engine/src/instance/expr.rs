//! The compiled form of expressions: every name is resolved to a cell, a zone instance, a register or a mask.
//!
//! | program | here |
//! |---|---|
//! | `Num` | [`Expr`] |
//! | `Selection` | [`Set`] |
//! | a condition on one card | [`Test`], mask algebra wherever possible |
//! | `ZoneRef` | [`Spot`] |
//! | `VarRef` | [`Cell`], to write [`VariableTarget`] |
//! | `Seats` | [`Members`] |
//! | `Text` | [`Script`] |
//!
//! The tag of each enum is a byte of its own (`repr(u8)`). A tag that the compiler hides in a field saves space but takes longer to read.

use super::closure::{Cond, Value};
use super::context::Reg;
use baize_rules::program::{Arith, AttrId, Cmp, Fold, TableId, ValueFormat, VarId};
use std::sync::Arc;

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
    /// Like `ZoneNonEmpty` and `ZoneEmpty`, for an instance that is known when the table is made.
    ZoneNonEmptyAt(u32),
    ZoneEmptyAt(u32),
    Holds(Box<(Set<S>, Expr<S>)>),
    CardAttr(AttrId, Box<Expr<S>>),
    /// Whether a card is in a fixed set.
    CardIn(Box<(S, Expr<S>)>),
    /// Whether a card lies face down (`down`) or face up.
    Facing {
        card: Box<Expr<S>>,
        down: bool,
    },
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
    /// Like `Best`, where the order of card numbers is the order of the attribute.
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
    /// The number at this place of a table of the rules.
    Table(TableId, Box<Expr<S>>),
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
    /// A stored selection: place in `Frame::picked`.
    Picked(u32),
    /// The stored selection of a seat: one place per seat from `base`.
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
    /// The card lies face down (`down`) or face up.
    Facing {
        down: bool,
    },
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
    Players(Members<S>),
    CardText(Expr<S>),
    Filled {
        prompt: Expr<S>,
        answers: Set<S>,
    },
    If(Expr<S>, Script<S>, Script<S>),
}

/// A variable that an instruction writes; values are clamped to `low..=high`.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableTarget<S> {
    pub cell: Cell<S>,
    pub var: VarId,
    pub low: i32,
    pub high: i32,
    /// Views show the variable, so the sink is told of changes.
    pub shown: bool,
}
