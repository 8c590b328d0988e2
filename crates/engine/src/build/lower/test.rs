//! Lowers conditions on one card into mask operations wherever possible.
//!
//! "suit is led" over a hand is one mask and one `and`. Only conditions that masks can't express are tested card by card.

use super::{Binding, Lower, mentions};
use crate::cardset::CardSet;
use crate::instance::closure::Cond;
use crate::instance::expr::{Expr, Follow, Set, Test};
use baize_rules::program::{AttrId, BoundId, Cmp, Num, Selection};
use std::sync::Arc;

impl<S: CardSet> Lower<'_, S> {
    /// Lowers a condition into a test on the card `bound`.
    pub fn test(&mut self, cond: &Num, bound: BoundId) -> Test<S> {
        self.deeper(Test::Never, |lower| lower.test_here(cond, bound))
    }

    fn test_here(&mut self, cond: &Num, bound: BoundId) -> Test<S> {
        if !mentions(cond, bound) {
            return match self.num(cond) {
                Expr::Const(0) => Test::Never,
                Expr::Const(_) => Test::Always,
                expr => Test::Free(Cond::new(expr)),
            };
        }
        match cond {
            Num::Not(a) => {
                let inner = self.test(a, bound);
                inner.not(&self.cards.all)
            }
            Num::And(a, b) => self.test(a, bound).and(self.test(b, bound)),
            Num::Or(a, b) => self.test(a, bound).or(self.test(b, bound)),
            // The branch is split only if its condition does not depend on the card. Otherwise each level of nesting would be
            // lowered twice.
            Num::If(test, a, b) if !mentions(&**test, bound) => {
                let yes = self.test(test, bound);
                let no = yes.clone().not(&self.cards.all);
                yes.and(self.test(a, bound)).or(no.and(self.test(b, bound)))
            }
            Num::Cmp(op, a, b) => match (&**a, &**b) {
                (Num::CardAttr(attr, card), value) if is(card, bound) && !mentions(value, bound) => {
                    self.attr_test(*attr, *op, value).unwrap_or_else(|| self.each(cond, bound))
                }
                (value, Num::CardAttr(attr, card)) if is(card, bound) && !mentions(value, bound) => {
                    self.attr_test(*attr, mirrored(*op), value).unwrap_or_else(|| self.each(cond, bound))
                }
                (Num::Bound(card), value) | (value, Num::Bound(card))
                    if *card == bound && !mentions(value, bound) && matches!(op, Cmp::Eq | Cmp::Ne) =>
                {
                    let same = match self.set(&Selection::One(Box::new(value.clone()))) {
                        Set::Fixed(set) => Test::In(set),
                        set => Test::Within(Box::new(set)),
                    };
                    if *op == Cmp::Eq { same } else { same.not(&self.cards.all) }
                }
                // The source compares a condition with yes or no, as in `(suit is led) is no`.
                (inner, Num::Const(n @ (0 | 1))) if is_condition(inner) && matches!(op, Cmp::Eq | Cmp::Ne) => {
                    let inner = self.test(inner, bound);
                    if (*n == 1) == (*op == Cmp::Eq) { inner } else { inner.not(&self.cards.all) }
                }
                _ => self.each(cond, bound),
            },
            Num::SeatPlaying(seat) if matches!(&**seat, Num::PlayerOf(card) if is(card, bound)) => Test::Brought,
            Num::CardMatches(deck, attrs, card) if is(card, bound) => Test::In(self.matching(*deck, attrs)),
            Num::CardDeck(deck, card) if is(card, bound) => {
                Test::In(self.cards.decks.get(*deck as usize).cloned().unwrap_or_default())
            }
            Num::CardNamed(name, card) if is(card, bound) => Test::In(self.named(name)),
            Num::CardBlank(card) if is(card, bound) => Test::In(self.cards.blank.clone()),
            Num::CardFacing { card, down } if is(card, bound) => Test::Facing { down: *down },
            Num::Holds(of, card) if is(card, bound) && !mentions(of, bound) => match self.set(of) {
                Set::Fixed(set) => Test::In(set),
                set => Test::Within(Box::new(set)),
            },
            _ => self.each(cond, bound),
        }
    }

    /// Lowers the comparison of an attribute with a value; `None` if the values are too far apart to be kept as masks.
    fn attr_test(&mut self, attr: AttrId, op: Cmp, value: &Num) -> Option<Test<S>> {
        let table = self.cards.attrs.get(attr as usize).filter(|t| t.listed())?;
        Some(match self.num(value) {
            Expr::Const(value) => Test::In(table.compare(op, value, &self.cards.all)),
            Expr::TopAttr { attr: of, list, last } if matches!(op, Cmp::Eq | Cmp::Ne) => {
                let alike = if attr == of { table.alike.clone() } else { Arc::default() };
                Test::Follows(Follow { attr, of, list, last, not: op == Cmp::Ne, alike })
            }
            value => Test::Attr(attr, op, Box::new(value)),
        })
    }

    fn each(&mut self, cond: &Num, bound: BoundId) -> Test<S> {
        // The register of a part holds its candidate already.
        if let Some(Binding::Reg(reg)) = self.lookup(bound) {
            return Test::Each(reg, Cond::new(self.num(cond)));
        }
        self.binding(bound, |lower, reg| Test::Each(reg, Cond::new(lower.num(cond))))
    }
}

fn is(card: &Num, bound: BoundId) -> bool {
    *card == Num::Bound(bound)
}

fn is_condition(num: &Num) -> bool {
    matches!(
        num,
        Num::Not(_)
            | Num::And(..)
            | Num::Or(..)
            | Num::Cmp(..)
            | Num::IsEmpty(_)
            | Num::Holds(..)
            | Num::CardMatches(..)
            | Num::CardDeck(..)
            | Num::CardNamed(..)
            | Num::CardBlank(_)
            | Num::CardFacing { .. }
    )
}

fn mirrored(op: Cmp) -> Cmp {
    match op {
        Cmp::Eq | Cmp::Ne => op,
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Gt => Cmp::Lt,
        Cmp::Ge => Cmp::Le,
    }
}
