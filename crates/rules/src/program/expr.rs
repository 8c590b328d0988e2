//! Expressions: numbers, selections of cards, sets of seats.

use super::{AttrId, BoundId, DeckId, OptionId, TableId, VarId, ZoneId};
use serde::{Deserialize, Serialize};

/// An expression whose value is an `i32`. It reads the table and changes nothing. Arithmetic saturates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Num {
    Const(i32),
    Option(OptionId),
    /// Length of a text option, in characters.
    OptionLength(OptionId),
    /// A variable without index; of a [`VarKind::SeatLocal`](super::var::VarKind::SeatLocal) the element of `Me`.
    Var(VarId),
    /// An element of an indexed variable. An index out of range reads as `nobody`, `none` or 0, whichever fits the type.
    At(VarId, Vec<Num>),
    Bound(BoundId),
    /// The seat whose decision, `together` thread or `ask all` body the engine evaluates.
    Me,
    /// The seat of the lead, who runs the table now.
    Lead,
    /// How many seats the table has, whether somebody plays in them or not.
    SeatCount,
    Neg(Box<Num>),
    Not(Box<Num>),
    And(Box<Num>, Box<Num>),
    Or(Box<Num>, Box<Num>),
    Arith(Arith, Box<Num>, Box<Num>),
    /// With [`NONE_VALUE`](super::NONE_VALUE) on either side `<`, `<=`, `>` and `>=` are false; `Eq` and `Ne` compare
    /// it like any other value.
    Cmp(Cmp, Box<Num>, Box<Num>),
    If(Box<Num>, Box<Num>, Box<Num>),
    Count(Selection),
    IsEmpty(Selection),
    /// `c in SEL`
    Holds(Selection, Box<Num>),
    /// Attribute of a card; [`NONE_VALUE`](super::NONE_VALUE) when there is no card.
    CardAttr(AttrId, Box<Num>),
    /// 1 if the card comes from this deck.
    CardDeck(DeckId, Box<Num>),
    /// 1 if the card has this name (`Joker`, `called "Jester"`).
    CardNamed(String, Box<Num>),
    /// The card of a deck with these attributes (`A♠`), the first of its copies; [`NONE`](super::NONE) if the deck has
    /// no such card.
    CardLiteral(DeckId, Vec<(AttrId, i32)>),
    /// 1 if the card comes from this deck and has these attributes. Unlike a comparison with the literal it accepts
    /// every copy.
    CardMatches(DeckId, Vec<(AttrId, i32)>, Box<Num>),
    /// 1 if the deck gives the card no text, so that a player can write on it. It stays 1 when somebody has written on it.
    CardBlank(Box<Num>),
    /// 1 if the card lies face down (`down`) or face up; 0 when there is no card.
    CardFacing {
        card: Box<Num>,
        down: bool,
    },
    /// The player whom the zone of the card remembers; [`NONE`](super::NONE) if it remembers nobody.
    PlayerOf(Box<Num>),
    /// First (earliest) or last (newest) card of a selection in the order of its zone; [`NONE`](super::NONE) when it is
    /// empty.
    End {
        last: bool,
        of: Selection,
    },
    /// The card with the highest or lowest value of `by`. Of equal cards the earliest in the order of the zone wins, or
    /// the one with the lowest card number. A card without the attribute counts as lower than any other.
    Best {
        highest: bool,
        of: Selection,
        by: AttrId,
    },
    /// A fold over the seats that take part (`players`); `bound` holds the seat.
    OverSeats {
        op: Fold,
        bound: BoundId,
        cond: Option<Box<Num>>,
        value: Box<Num>,
    },
    /// A fold over the cards of a selection; `bound` holds the card.
    OverCards {
        op: Fold,
        bound: BoundId,
        of: Selection,
        cond: Option<Box<Num>>,
        value: Box<Num>,
    },
    /// A fold over low..=high; `bound` holds the number.
    OverRange {
        op: Fold,
        bound: BoundId,
        low: Box<Num>,
        high: Box<Num>,
        cond: Option<Box<Num>>,
        value: Box<Num>,
    },
    /// The first seat that takes part and satisfies `cond`, clockwise from `from` inclusive; [`NONE`](super::NONE) if
    /// there is none.
    FirstSeat {
        bound: BoundId,
        from: Box<Num>,
        cond: Option<Box<Num>>,
    },
    /// Like `FirstSeat`, beginning with the neighbour of `after` and ending with `after` itself; `back` goes counterclockwise.
    /// If `after` is [`NONE`](super::NONE) the search begins with seat 0.
    NextSeat {
        bound: BoundId,
        after: Box<Num>,
        back: bool,
        cond: Option<Box<Num>>,
    },
    SeatPresent(Box<Num>),
    SeatPlaying(Box<Num>),
    SeatPerson(Box<Num>),
    /// How many dice the player picked, given the bit mask of a `dice` part.
    DiceCount(Box<Num>),
    /// `DiceHas(mask, position)`: 1 if the player picked the die at this position, counted from 0.
    DiceHas(Box<Num>, Box<Num>),
    /// The number at this place of a table.
    Table(TableId, Box<Num>),
}

impl Num {
    /// Whether the test holds for this expression or for one inside it.
    pub fn any(&self, test: &mut dyn FnMut(&Num) -> bool) -> bool {
        if test(self) {
            return true;
        }
        let opt =
            |num: &Option<Box<Num>>, test: &mut dyn FnMut(&Num) -> bool| num.as_ref().is_some_and(|num| num.any(test));
        match self {
            Num::Const(_)
            | Num::Option(_)
            | Num::OptionLength(_)
            | Num::Var(_)
            | Num::Bound(_)
            | Num::Me
            | Num::Lead
            | Num::SeatCount
            | Num::CardLiteral(..) => false,
            Num::At(_, index) => index.iter().any(|num| num.any(test)),
            Num::Neg(a)
            | Num::Not(a)
            | Num::CardAttr(_, a)
            | Num::CardDeck(_, a)
            | Num::CardNamed(_, a)
            | Num::CardMatches(_, _, a)
            | Num::CardBlank(a)
            | Num::CardFacing { card: a, .. }
            | Num::PlayerOf(a)
            | Num::SeatPresent(a)
            | Num::SeatPlaying(a)
            | Num::SeatPerson(a)
            | Num::DiceCount(a)
            | Num::Table(_, a) => a.any(test),
            Num::And(a, b) | Num::Or(a, b) | Num::Arith(_, a, b) | Num::Cmp(_, a, b) | Num::DiceHas(a, b) => {
                a.any(test) || b.any(test)
            }
            Num::If(a, b, c) => a.any(test) || b.any(test) || c.any(test),
            Num::Count(of) | Num::IsEmpty(of) | Num::End { of, .. } | Num::Best { of, .. } => of.any(test),
            Num::Holds(of, card) => of.any(test) || card.any(test),
            Num::OverSeats { cond, value, .. } => opt(cond, test) || value.any(test),
            Num::OverCards { of, cond, value, .. } => of.any(test) || opt(cond, test) || value.any(test),
            Num::OverRange { low, high, cond, value, .. } => {
                low.any(test) || high.any(test) || opt(cond, test) || value.any(test)
            }
            Num::FirstSeat { from, cond, .. } => from.any(test) || opt(cond, test),
            Num::NextSeat { after, cond, .. } => after.any(test) || opt(cond, test),
        }
    }
}

impl Selection {
    /// Whether the test holds for an expression inside this selection.
    pub fn any(&self, test: &mut dyn FnMut(&Num) -> bool) -> bool {
        match self {
            Selection::Family(_) | Selection::Deck(_) | Selection::Picked(_) | Selection::Bound(_) => false,
            Selection::Zone(zone) => zone.index.iter().any(|num| num.any(test)),
            Selection::One(card) => card.any(test),
            Selection::Where { of, cond, .. } => of.any(test) || cond.any(test),
            Selection::Union(a, b) | Selection::Minus(a, b) => a.any(test) || b.any(test),
            Selection::Ends { count, of, .. } => count.any(test) || of.any(test),
            Selection::SetsOf { size, of, .. } => size.any(test) || of.any(test),
        }
    }
}

/// A selection of cards. It has an order (of its zone, or as picked), which [`Selection::Ends`], [`Num::End`] and moves
/// to ordered zones use; everything else treats it as a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Selection {
    Zone(ZoneRef),
    /// All zones of one name with an index: `hand` for all `hand[p]`.
    Family(ZoneId),
    /// All the cards of a deck, wherever they are.
    Deck(DeckId),
    /// The cards that a player picked in a part, in the order in which they were picked.
    Picked(VarId),
    /// The candidate cards of a part while the engine tests whether a move is legal.
    Bound(BoundId),
    One(Box<Num>),
    Where {
        of: Box<Selection>,
        bound: BoundId,
        cond: Box<Num>,
    },
    Union(Box<Selection>, Box<Selection>),
    Minus(Box<Selection>, Box<Selection>),
    /// The first or last `count` cards in the order of the zone.
    Ends {
        last: bool,
        count: Box<Num>,
        of: Box<Selection>,
    },
    /// As many disjoint groups of `size` cards with equal `attr` as there are, lowest card numbers first. Cards without
    /// the attribute belong to no group.
    SetsOf {
        size: Box<Num>,
        attr: AttrId,
        of: Box<Selection>,
    },
}

/// One zone; `index` picks it out of its family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ZoneRef {
    pub zone: ZoneId,
    pub index: Vec<Num>,
}

/// The seats that take part and satisfy the condition; `bound` holds the seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seats {
    pub bound: BoundId,
    pub cond: Option<Num>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero; a division by zero gives 0.
    Div,
    Mod,
    Min,
    Max,
    /// A negative exponent gives 0.
    Power,
}

impl Arith {
    /// Computes the value. Results beyond the range of `i32` stay at its end.
    #[inline]
    pub fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Arith::Add => a.saturating_add(b),
            Arith::Sub => a.saturating_sub(b),
            Arith::Mul => a.saturating_mul(b),
            Arith::Div if b == 0 => 0,
            Arith::Div => a.saturating_div(b),
            Arith::Mod if b == 0 => 0,
            Arith::Mod => a.wrapping_rem(b),
            Arith::Min => a.min(b),
            Arith::Max => a.max(b),
            Arith::Power => u32::try_from(b).map_or(0, |b| a.saturating_pow(b)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How a fold combines the values of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fold {
    Sum,
    /// 0 when there are no elements.
    Max,
    /// 0 when there are no elements.
    Min,
    Count,
    Any,
}
