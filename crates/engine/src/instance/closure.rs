//! Conditions and values that are asked for at almost every move, as closures.
//!
//! What they look at is known when the table is made. A closure that holds it, and the closures of what it is made of, costs a
//! fraction of finding it out from an expression each time.

use super::code::{Expr, Spot, Test};
use crate::cardset::CardSet;
use crate::eval::Eval;
use std::fmt;
use std::sync::Arc;

type Run<S, T> = dyn Fn(Eval<S>) -> T + Send + Sync;

/// Evaluates to a `T`.
pub struct Closure<S, T>(Arc<Run<S, T>>);

/// A condition.
pub type Cond<S> = Closure<S, bool>;
/// A value.
pub type Value<S> = Closure<S, i32>;

impl<S, T> Clone for Closure<S, T> {
    fn clone(&self) -> Self {
        Closure(self.0.clone())
    }
}

impl<S, T> fmt::Debug for Closure<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Closure")
    }
}

impl<S, T> PartialEq for Closure<S, T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<S: CardSet, T: 'static> Closure<S, T> {
    fn of(eval: impl Fn(Eval<S>) -> T + Send + Sync + 'static) -> Self {
        Closure(Arc::new(eval))
    }
}

impl<S: CardSet> Value<S> {
    pub fn new(expr: Expr<S>) -> Self {
        match expr {
            Expr::Const(n) => Self::of(move |_| n),
            Expr::Cell(cell) => Self::of(move |eval| eval.frame.cells[cell as usize]),
            Expr::Top { list, last } => Self::of(move |eval| eval.top(list, last)),
            Expr::PlayerOf(card) => match *card {
                Expr::Top { list, last } => Self::of(move |eval| eval.player_of(eval.top(list, last))),
                Expr::Best { highest, of, by } => Self::of(move |eval| eval.player_of(eval.best(&of, by, highest))),
                card => {
                    let card = Self::new(card);
                    Self::of(move |eval| eval.player_of(card.get(eval)))
                }
            },
            Expr::Best { highest, of, by } => Self::of(move |eval| eval.best(&of, by, highest)),
            Expr::FirstSeat(search) => Self::of(move |eval| eval.first_seat(&search)),
            Expr::NextSeat { back, search } => Self::of(move |eval| eval.next_seat(&search, back)),
            Expr::If(parts) => {
                let [cond, yes, no] = *parts;
                let cond = Cond::new(cond);
                match (yes, no) {
                    (Expr::Cell(yes), Expr::Cell(no)) => Self::of(move |eval| {
                        let cell = if cond.holds(eval) { yes } else { no };
                        eval.frame.cells[cell as usize]
                    }),
                    (yes, no) => {
                        let (yes, no) = (Self::new(yes), Self::new(no));
                        Self::of(move |eval| if cond.holds(eval) { yes.get(eval) } else { no.get(eval) })
                    }
                }
            }
            expr => Self::of(move |eval| eval.num(&expr)),
        }
    }

    #[inline(always)]
    pub fn get(&self, eval: Eval<S>) -> i32 {
        (self.0)(eval)
    }
}

impl<S: CardSet> Cond<S> {
    pub fn new(expr: Expr<S>) -> Self {
        match expr {
            Expr::Cell(cell) => Self::of(move |eval| cell_holds(eval, cell)),
            Expr::HoldingAt(zone) => Self::of(move |eval| !bare(eval, zone)),
            Expr::BareAt(zone) => Self::of(move |eval| bare(eval, zone)),
            Expr::HoldersCmp { op, base, n } => Self::of(move |eval| eval.holders_compare(op, base, n)),
            Expr::Not(inner) => {
                let inner = Self::new(*inner);
                Self::of(move |eval| !inner.holds(eval))
            }
            // Some card of a zone does not follow the first: a CUT, a trump.
            Expr::AnyIn(both) => match *both {
                (Spot::At(zone), Test::Follows { attr, of, list, last, not }) => Self::of(move |eval| {
                    let cards = eval.frame.sets[zone as usize].clone();
                    !eval.follow(attr, of, list, last, not, cards).is_empty()
                }),
                both => {
                    let expr = Expr::AnyIn(Box::new(both));
                    Self::of(move |eval| eval.holds(&expr))
                }
            },
            Expr::All(tests) => Self::series(tests, Self::and),
            Expr::Any(tests) => Self::series(tests, Self::or),
            expr => Self::of(move |eval| eval.holds(&expr)),
        }
    }

    #[inline(always)]
    pub fn holds(&self, eval: Eval<S>) -> bool {
        (self.0)(eval)
    }

    /// Joined from the last to the first.
    fn series(tests: Box<[Expr<S>]>, join: fn(Expr<S>, Self) -> Self) -> Self {
        let mut tests = tests.into_iter().rev();
        let last = Self::new(tests.next().unwrap_or(Expr::Const(1)));
        tests.fold(last, |rest, first| join(first, rest))
    }

    fn and(first: Expr<S>, rest: Self) -> Self {
        match first {
            Expr::Cell(cell) => Self::of(move |eval| cell_holds(eval, cell) && rest.holds(eval)),
            Expr::HoldingAt(zone) => Self::of(move |eval| !bare(eval, zone) && rest.holds(eval)),
            Expr::BareAt(zone) => Self::of(move |eval| bare(eval, zone) && rest.holds(eval)),
            first => {
                let first = Self::new(first);
                Self::of(move |eval| first.holds(eval) && rest.holds(eval))
            }
        }
    }

    fn or(first: Expr<S>, rest: Self) -> Self {
        match first {
            Expr::Cell(cell) => Self::of(move |eval| cell_holds(eval, cell) || rest.holds(eval)),
            Expr::HoldingAt(zone) => Self::of(move |eval| !bare(eval, zone) || rest.holds(eval)),
            Expr::BareAt(zone) => Self::of(move |eval| bare(eval, zone) || rest.holds(eval)),
            first => {
                let first = Self::new(first);
                Self::of(move |eval| first.holds(eval) || rest.holds(eval))
            }
        }
    }
}

#[inline(always)]
fn cell_holds<S>(eval: Eval<S>, cell: u32) -> bool {
    eval.frame.cells[cell as usize] != 0
}

#[inline(always)]
fn bare<S: CardSet>(eval: Eval<S>, zone: u32) -> bool {
    eval.frame.sets[zone as usize].is_empty()
}
