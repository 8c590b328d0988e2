//! The legal cards of an alternative that is one card: by far the commonest there is, and what most of a search asks for.
//!
//! Where the cards come from and what each rule leaves of them are closures, put together when the table is made.

use super::closure::{Use, condition};
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
        let source = Source::new(from, filter);
        let mut rules: Vec<(u64, CardRule<S>)> =
            rules.into_iter().enumerate().filter_map(|(i, rule)| Some((1 << (i % 64), rule?))).collect();
        let Some((bit, last)) = rules.pop() else { return Choice(Box::new(move |eval| (source.cards(eval), 0))) };
        let earlier = rules.into_iter().map(|(bit, rule)| Rule::new(bit, rule)).collect();
        let CardRule { when, test, if_able } = last;
        condition(when.unwrap_or(Expr::Const(1)), Chosen { source, earlier, bit, narrowed: Narrowed { test, if_able } })
    }

    #[inline(always)]
    pub fn cards(&self, eval: Eval<S>) -> (S, u64) {
        (self.0)(eval)
    }
}

/// Where the cards come from: mostly the hand of somebody.
enum Source<S> {
    OfCell { hands: Hands, cell: u32 },
    OfMe(Hands),
    Any(Set<S>, Option<Test<S>>),
}

/// A family of instances.
#[derive(Clone, Copy)]
struct Hands {
    base: u32,
    low: i32,
    size: u32,
}

impl Hands {
    #[inline(always)]
    fn of<S: CardSet>(self, index: i32, eval: Eval<S>) -> S {
        let n = index.wrapping_sub(self.low) as u32;
        let sets = &eval.frame.sets;
        if n < self.size { sets[(self.base + n) as usize].clone() } else { S::empty() }
    }
}

impl<S: CardSet> Source<S> {
    fn new(from: Set<S>, filter: Option<Test<S>>) -> Self {
        match (from, filter) {
            (Set::Zone(Spot::By { base, low, size, index }), None) => match (*index, Hands { base, low, size }) {
                (Expr::Cell(cell), hands) => Source::OfCell { hands, cell },
                (Expr::Me, hands) => Source::OfMe(hands),
                (index, _) => Source::Any(Set::Zone(Spot::By { base, low, size, index: Box::new(index) }), None),
            },
            (from, filter) => Source::Any(from, filter),
        }
    }

    #[inline(always)]
    fn cards(&self, eval: Eval<S>) -> S {
        match self {
            Source::OfCell { hands, cell } => hands.of(eval.frame.cells[*cell as usize], eval),
            Source::OfMe(hands) => hands.of(eval.at.me.get(), eval),
            Source::Any(from, None) => eval.set(from),
            Source::Any(from, Some(filter)) => eval.restrict(filter, eval.set(from)),
        }
    }
}

/// A rule before the last.
struct Rule<S> {
    bit: u64,
    /// Applies at most while this is set, as "when opening and …" does: mostly it is not, and nobody has to be called to find out.
    flag: Option<u32>,
    narrow: Box<Narrow<S>>,
}

impl<S: CardSet> Rule<S> {
    fn new(bit: u64, CardRule { when, test, if_able }: CardRule<S>) -> Self {
        let when = when.unwrap_or(Expr::Const(1));
        Rule { bit, flag: flag(&when), narrow: condition(when, Narrowed { test, if_able }) }
    }

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

impl<S: CardSet> Narrowed<S> {
    /// Of a rule that applies.
    #[inline(always)]
    fn narrow(&self, eval: Eval<S>, cards: S) -> (S, bool) {
        let left = eval.restrict(&self.test, cards.clone());
        // Whether anybody can follow suit is as good as random: better computed than guessed.
        let binds = !(self.if_able & left.is_empty());
        (S::choose(binds, left, cards), binds)
    }
}

impl<S: CardSet> Use<S, bool> for Narrowed<S> {
    type Made = Box<Narrow<S>>;

    fn make(self, applies: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> Box<Narrow<S>> {
        Box::new(move |eval, cards| if applies(eval) { self.narrow(eval, cards) } else { (cards, false) })
    }
}

/// The whole choice, in one with its last rule.
struct Chosen<S> {
    source: Source<S>,
    earlier: Vec<Rule<S>>,
    bit: u64,
    narrowed: Narrowed<S>,
}

impl<S: CardSet> Use<S, bool> for Chosen<S> {
    type Made = Choice<S>;

    fn make(self, applies: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> Choice<S> {
        Choice(Box::new(move |eval| {
            let (mut cards, mut binding) = (self.source.cards(eval), 0);
            for rule in &self.earlier {
                let (left, bit) = rule.apply(eval, cards);
                cards = left;
                binding |= bit;
            }
            if !applies(eval) {
                return (cards, binding);
            }
            let (left, binds) = self.narrowed.narrow(eval, cards);
            (left, if binds { binding | self.bit } else { binding })
        }))
    }
}
