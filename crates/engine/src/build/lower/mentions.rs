//! Finds the bound variables that an expression reads.

use baize_rules::program::{BoundId, Num, Selection};

/// Something that may read bound variables.
pub(super) trait Reads {
    /// Calls `found` for each bound variable that is read, including those that the expression binds itself.
    fn reads(&self, found: &mut dyn FnMut(BoundId));
}

pub(super) fn mentions(expr: &impl Reads, bound: BoundId) -> bool {
    let mut yes = false;
    expr.reads(&mut |b| yes |= b == bound);
    yes
}

impl Reads for Num {
    fn reads(&self, found: &mut dyn FnMut(BoundId)) {
        match self {
            Num::Const(_)
            | Num::Option(_)
            | Num::OptionLength(_)
            | Num::Var(_)
            | Num::Me
            | Num::Lead
            | Num::SeatCount => {}
            Num::CardLiteral(..) => {}
            Num::Bound(b) => found(*b),
            Num::At(_, index) => index.iter().for_each(|i| i.reads(found)),
            Num::Neg(a) | Num::Not(a) | Num::CardAttr(_, a) | Num::CardDeck(_, a) | Num::CardNamed(_, a) => {
                a.reads(found)
            }
            Num::CardMatches(_, _, a) | Num::CardBlank(a) | Num::PlayerOf(a) | Num::DiceCount(a) | Num::Table(_, a) => {
                a.reads(found)
            }
            Num::SeatPresent(a) | Num::SeatPlaying(a) | Num::SeatPerson(a) => a.reads(found),
            Num::CardFacing { card, .. } => card.reads(found),
            Num::And(a, b) | Num::Or(a, b) | Num::Arith(_, a, b) | Num::Cmp(_, a, b) | Num::DiceHas(a, b) => {
                a.reads(found);
                b.reads(found);
            }
            Num::If(a, b, c) => {
                a.reads(found);
                b.reads(found);
                c.reads(found);
            }
            Num::Count(of) | Num::IsEmpty(of) | Num::End { of, .. } | Num::Best { of, .. } => of.reads(found),
            Num::Holds(of, card) => {
                of.reads(found);
                card.reads(found);
            }
            Num::OverSeats { cond, value, .. } => {
                cond.reads(found);
                value.reads(found);
            }
            Num::OverCards { of, cond, value, .. } => {
                of.reads(found);
                cond.reads(found);
                value.reads(found);
            }
            Num::OverRange { low, high, cond, value, .. } => {
                low.reads(found);
                high.reads(found);
                cond.reads(found);
                value.reads(found);
            }
            Num::FirstSeat { from: start, cond, .. } | Num::NextSeat { after: start, cond, .. } => {
                start.reads(found);
                cond.reads(found);
            }
        }
    }
}

impl Reads for Option<Box<Num>> {
    fn reads(&self, found: &mut dyn FnMut(BoundId)) {
        if let Some(num) = self {
            num.reads(found);
        }
    }
}

impl Reads for Selection {
    fn reads(&self, found: &mut dyn FnMut(BoundId)) {
        match self {
            Selection::Zone(zone) => zone.index.iter().for_each(|i| i.reads(found)),
            Selection::Family(_) | Selection::Deck(_) | Selection::Picked(_) => {}
            Selection::Bound(b) => found(*b),
            Selection::One(card) => card.reads(found),
            Selection::Where { of, cond, .. } => {
                of.reads(found);
                cond.reads(found);
            }
            Selection::Union(a, b) | Selection::Minus(a, b) => {
                a.reads(found);
                b.reads(found);
            }
            Selection::Ends { count: n, of, .. } | Selection::SetsOf { size: n, of, .. } => {
                n.reads(found);
                of.reads(found);
            }
        }
    }
}
