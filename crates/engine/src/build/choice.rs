//! Compiles the legal cards of an alternative whose only part is one card into one closure.
//!
//! This is the most frequent kind of alternative, and searches ask for its legal cards more often than for anything else.

use super::closures::{Consumer, condition};
use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::instance::closure::CardChoice;
use crate::instance::expr::{Expr, Set, Spot, Test};

type NarrowFn<S> = dyn Fn(Eval<S>, S) -> (S, bool) + Send + Sync;

/// A `must` whose condition is a test on the card.
pub struct CardMust<S> {
    pub when: Option<Expr<S>>,
    pub test: Test<S>,
    pub if_able: bool,
}

impl<S: CardSet> CardChoice<S> {
    /// Compiles the choice among the cards of `from` that pass the filter. `musts` has `None` for a `must` that is not about the card; the
    /// position of a `must` in `musts` is its bit.
    pub fn new(from: Set<S>, filter: Option<Test<S>>, musts: Vec<Option<CardMust<S>>>) -> Self {
        let source = Source::new(from, filter);
        let mut musts: Vec<(u64, CardMust<S>)> =
            musts.into_iter().enumerate().filter_map(|(i, must)| Some((1 << (i % 64), must?))).collect();
        let Some((bit, last)) = musts.pop() else { return CardChoice::from_fn(move |eval| (source.cards(eval), 0)) };
        let earlier = musts.into_iter().map(|(bit, must)| EarlierMust::new(bit, must)).collect();
        let CardMust { when, test, if_able } = last;
        condition(
            when.unwrap_or(Expr::Const(1)),
            WholeChoice { source, earlier, bit, narrowed: Narrowed { test, if_able } },
        )
    }
}

/// Where the cards come from: usually the hand of a seat.
enum Source<S> {
    OfCell { hands: Hands, cell: u32 },
    OfMe(Hands),
    Any(Set<S>, Option<Test<S>>),
}

/// The instances of a family with one index.
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

/// One `must` of a choice. The list holds all but the last, which is part of the closure of the whole choice.
struct EarlierMust<S> {
    bit: u64,
    /// A cell that is not 0 whenever the `must` applies, as in "when opening and …". Usually it is 0, and reading it saves a call.
    flag: Option<u32>,
    narrow: Box<NarrowFn<S>>,
}

impl<S: CardSet> EarlierMust<S> {
    fn new(bit: u64, CardMust { when, test, if_able }: CardMust<S>) -> Self {
        let when = when.unwrap_or(Expr::Const(1));
        EarlierMust { bit, flag: flag(&when), narrow: condition(when, Narrowed { test, if_able }) }
    }

    /// Returns the cards that are left, and the bit of this `must` if it restricts them.
    #[inline(always)]
    fn apply(&self, eval: Eval<S>, cards: S) -> (S, u64) {
        if self.flag.is_some_and(|flag| eval.frame.cells[flag as usize] == 0) {
            return (cards, 0);
        }
        let (left, binds) = (self.narrow)(eval, cards);
        (left, if binds { self.bit } else { 0 })
    }
}

/// Returns the cell of the flag with which a condition begins.
fn flag<S>(when: &Expr<S>) -> Option<u32> {
    match when {
        Expr::Cell(cell) => Some(*cell),
        Expr::All(tests) => flag(tests.first()?),
        _ => None,
    }
}

/// The restriction by one `must`: the cards that pass its test, or all of them if it says `if able` and none passes.
struct Narrowed<S> {
    test: Test<S>,
    if_able: bool,
}

impl<S: CardSet> Narrowed<S> {
    /// Restricts the cards by a `must` that applies; also returns whether it does restrict them.
    #[inline(always)]
    fn narrow(&self, eval: Eval<S>, cards: S) -> (S, bool) {
        let left = eval.restrict(&self.test, cards.clone());
        // Whether a hand can follow suit is unpredictable, so a computed choice is faster than a branch.
        let binds = !(self.if_able & left.is_empty());
        (S::select(binds, left, cards), binds)
    }
}

impl<S: CardSet> Consumer<S, bool> for Narrowed<S> {
    type Output = Box<NarrowFn<S>>;

    fn consume(self, applies: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> Box<NarrowFn<S>> {
        Box::new(move |eval, cards| if applies(eval) { self.narrow(eval, cards) } else { (cards, false) })
    }
}

/// The whole choice; it becomes one closure together with its last `must`.
struct WholeChoice<S> {
    source: Source<S>,
    earlier: Vec<EarlierMust<S>>,
    bit: u64,
    narrowed: Narrowed<S>,
}

impl<S: CardSet> Consumer<S, bool> for WholeChoice<S> {
    type Output = CardChoice<S>;

    fn consume(self, applies: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> CardChoice<S> {
        CardChoice::from_fn(move |eval| {
            let (mut cards, mut binding) = (self.source.cards(eval), 0);
            for must in &self.earlier {
                let (left, bit) = must.apply(eval, cards);
                cards = left;
                binding |= bit;
            }
            if !applies(eval) {
                return (cards, binding);
            }
            let (left, binds) = self.narrowed.narrow(eval, cards);
            (left, if binds { binding | self.bit } else { binding })
        })
    }
}
