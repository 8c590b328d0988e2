//! The legal cards of an alternative that is one card: by far the commonest there is, and what most of a search asks for.
//!
//! Where the cards come from and what each rule leaves of them are closures, put together when the table is made.

use super::closure::{Use, condition, reading};
use super::code::{Expr, Set, Spot, Test};
use crate::cardset::CardSet;
use crate::eval::Eval;
use std::fmt;

type Choose<S> = dyn Fn(Eval<S>) -> (S, u64) + Send + Sync;
type Narrow<S> = dyn Fn(Eval<S>, S) -> (S, bool) + Send + Sync;

/// The cards, and which of the rules bind, as bits.
pub struct Choice<S>(Box<Choose<S>>);

/// A `must` about the card.
pub struct CardRule<S> {
    pub when: Option<Expr<S>>,
    pub test: Test<S>,
    pub if_able: bool,
}

impl<S> fmt::Debug for Choice<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Choice")
    }
}

impl<S: CardSet> Choice<S> {
    /// Cards of `from` that pass the filter. A rule that says nothing about the card is none.
    pub fn new(from: Set<S>, filter: Option<Test<S>>, rules: Vec<Option<CardRule<S>>>) -> Self {
        let rules: Rules<S> = rules
            .into_iter()
            .enumerate()
            .filter_map(|(i, rule)| {
                let CardRule { when, test, if_able } = rule?;
                let when = when.unwrap_or(Expr::Const(1));
                Some((1 << (i % 64), condition(when, Narrowed { test, if_able })))
            })
            .collect();
        match (from, filter) {
            (Set::Zone(Spot::By { base, low, size, index }), None) => reading!(*index, index => {
                Self::of(rules, move |eval: Eval<S>| {
                    let n = index(eval).wrapping_sub(low) as u32;
                    let at = if n < size { (base + n) as usize } else { eval.frame.sets.len() - 1 };
                    eval.frame.sets[at].clone()
                })
            }),
            (from, None) => Self::of(rules, move |eval| eval.set(&from)),
            (from, Some(filter)) => Self::of(rules, move |eval| eval.restrict(&filter, eval.set(&from))),
        }
    }

    fn of(rules: Rules<S>, from: impl Fn(Eval<S>) -> S + Send + Sync + 'static) -> Self {
        match <[_; 2]>::try_from(rules) {
            Ok([one, other]) => Choice(Box::new(move |eval| {
                let (cards, first) = one.1(eval, from(eval));
                let (cards, second) = other.1(eval, cards);
                (cards, (if first { one.0 } else { 0 }) | if second { other.0 } else { 0 })
            })),
            Err(rules) => Choice(Box::new(move |eval| {
                let (mut cards, mut binding) = (from(eval), 0);
                for (bit, narrow) in &rules {
                    let (left, binds) = narrow(eval, cards);
                    cards = left;
                    binding |= if binds { *bit } else { 0 };
                }
                (cards, binding)
            })),
        }
    }

    #[inline(always)]
    pub fn cards(&self, eval: Eval<S>) -> (S, u64) {
        (self.0)(eval)
    }
}

/// Each with its bit.
type Rules<S> = Vec<(u64, Box<Narrow<S>>)>;

/// What a rule leaves of some cards, and whether it binds: it may not apply, or only if anybody is able.
struct Narrowed<S> {
    test: Test<S>,
    if_able: bool,
}

impl<S: CardSet> Use<S, bool> for Narrowed<S> {
    type Made = Box<Narrow<S>>;

    fn make(self, applies: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> Box<Narrow<S>> {
        let Narrowed { test, if_able } = self;
        Box::new(move |eval, cards| {
            if !applies(eval) {
                return (cards, false);
            }
            let left = eval.restrict(&test, cards.clone());
            // Whether anybody can follow suit is as good as random: better computed than guessed.
            let binds = !(if_able & left.is_empty());
            (S::choose(binds, left, cards), binds)
        })
    }
}
