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
                let flag = flag(&when);
                Some(Rule { bit: 1 << (i % 64), flag, narrow: condition(when, Narrowed { test, if_able }) })
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
                let (cards, first) = one.apply(eval, from(eval));
                let (cards, second) = other.apply(eval, cards);
                (cards, first | second)
            })),
            Err(rules) => Choice(Box::new(move |eval| {
                let (mut cards, mut binding) = (from(eval), 0);
                for rule in &rules {
                    let (left, bit) = rule.apply(eval, cards);
                    cards = left;
                    binding |= bit;
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

type Rules<S> = Vec<Rule<S>>;

struct Rule<S> {
    bit: u64,
    /// Applies at most while this is set, as "when opening and …" does: mostly it is not, and nobody has to be called to find out.
    flag: Option<u32>,
    narrow: Box<Narrow<S>>,
}

impl<S: CardSet> Rule<S> {
    /// What is left, and its bit if it binds.
    #[inline(always)]
    fn apply(&self, eval: Eval<S>, cards: S) -> (S, u64) {
        if self.flag.is_some_and(|flag| eval.frame.cells[flag as usize] == 0) {
            return (cards, 0);
        }
        let (left, binds) = (self.narrow)(eval, cards);
        (left, if binds { self.bit } else { 0 })
    }
}

/// The flag that a condition begins with.
fn flag<S>(when: &Expr<S>) -> Option<u32> {
    match when {
        Expr::Cell(cell) => Some(*cell),
        Expr::All(tests) => flag(tests.first()?),
        _ => None,
    }
}

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
