//! Conditions and values that are asked for at almost every move, as closures.
//!
//! What they look at is known when the table is made. A closure that holds it, and the closures of what it is made of, costs a
//! fraction of finding it out from an expression each time. Whatever is not listed here is still an expression, inside.
//!
//! [`condition`] and [`value`] give what they made to a [`Use`], which makes of it a closure by itself or a step that
//! depends on it ([`crate::step::quick`]): so a step and its condition are one closure and not two.

use super::code::{Cell, Expr, Set, Spot, Term, Test};
use super::options::{arith, compare};
use crate::cardset::CardSet;
use crate::eval::Eval;
use baize_rules::program::{Arith, Cmp};
use std::fmt;
use std::sync::Arc;

type Run<S, T> = dyn Fn(Eval<S>) -> T + Send + Sync;

/// Evaluates to a `T`.
pub struct Closure<S, T>(Arc<Held<S, T>>);

/// In a box of its own: behind an `Arc` by itself, where the closure lies would have to be computed from its alignment at every call.
struct Held<S, T>(Box<Run<S, T>>);

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

/// What becomes of a condition or a value.
pub trait Use<S, T> {
    type Made;
    fn make(self, eval: impl Fn(Eval<S>) -> T + Send + Sync + 'static) -> Self::Made;
}

/// A closure by itself.
struct Alone;

impl<S: 'static, T: 'static> Use<S, T> for Alone {
    type Made = Closure<S, T>;

    fn make(self, eval: impl Fn(Eval<S>) -> T + Send + Sync + 'static) -> Closure<S, T> {
        Closure(Arc::new(Held(Box::new(eval))))
    }
}

/// Makes a closure for each way to read a number: variables, registers and constants are read on the spot, everything else is a
/// closure of its own.
macro_rules! reading {
    ($expr:expr, $read:ident => $body:expr) => {
        match $expr {
            Expr::Cell(cell) => {
                let $read = move |eval: $crate::eval::Eval<S>| eval.frame.cells[cell as usize];
                $body
            }
            Expr::Reg(reg) => {
                let $read = move |eval: $crate::eval::Eval<S>| eval.at.get(reg);
                $body
            }
            Expr::Const(n) => {
                let $read = move |_: $crate::eval::Eval<S>| n;
                $body
            }
            Expr::Me => {
                let $read = move |eval: $crate::eval::Eval<S>| eval.at.me.get();
                $body
            }
            expr => {
                let value = $crate::instance::closure::Value::new(expr);
                let $read = move |eval: $crate::eval::Eval<S>| value.get(eval);
                $body
            }
        }
    };
}

pub(crate) use reading;

/// Likewise for the commonest conditions.
macro_rules! testing {
    ($expr:expr, $test:ident => $body:expr) => {
        match $expr {
            Expr::Cell(cell) => {
                let $test = move |eval: Eval<S>| cell_holds(eval, cell);
                $body
            }
            Expr::HoldingAt(zone) => {
                let $test = move |eval: Eval<S>| !bare(eval, zone);
                $body
            }
            Expr::BareAt(zone) => {
                let $test = move |eval: Eval<S>| bare(eval, zone);
                $body
            }
            Expr::HoldersCmp { op, base, n } => {
                let $test = move |eval: Eval<S>| eval.holders_compare(op, base, n);
                $body
            }
            expr => {
                let cond = Cond::new(expr);
                let $test = move |eval: Eval<S>| cond.holds(eval);
                $body
            }
        }
    };
}

impl<S: CardSet> Value<S> {
    pub fn new(expr: Expr<S>) -> Self {
        value(expr, Alone)
    }

    #[inline(always)]
    pub fn get(&self, eval: Eval<S>) -> i32 {
        (self.0.0)(eval)
    }
}

impl<S: CardSet> Cond<S> {
    pub fn new(expr: Expr<S>) -> Self {
        let two = |tests: Box<[Expr<S>]>| <[Expr<S>; 2]>::try_from(tests.into_vec());
        match expr {
            Expr::All(tests) => match two(tests) {
                Ok([a, b]) => both(a, b),
                Err(tests) => condition(Expr::All(tests.into()), Alone),
            },
            Expr::Any(tests) => match two(tests) {
                Ok([a, b]) => either(a, b),
                Err(tests) => condition(Expr::Any(tests.into()), Alone),
            },
            expr => condition(expr, Alone),
        }
    }

    #[inline(always)]
    pub fn holds(&self, eval: Eval<S>) -> bool {
        (self.0.0)(eval)
    }
}

/// Makes a value of an expression.
pub fn value<S: CardSet, U: Use<S, i32>>(expr: Expr<S>, user: U) -> U::Made {
    match expr {
        Expr::Const(n) => user.make(move |_| n),
        Expr::Cell(cell) => user.make(move |eval| eval.frame.cells[cell as usize]),
        Expr::Reg(reg) => user.make(move |eval| eval.at.get(reg)),
        Expr::Me => user.make(move |eval| eval.at.me.get()),
        Expr::At { cell, none } => match *cell {
            Cell::By { base, low, size, index } => reading!(*index, index => user.make(move |eval| {
                let n = index(eval).wrapping_sub(low) as u32;
                if n < size { eval.frame.cells[(base + n) as usize] } else { none }
            })),
            Cell::Grid { base, index } if index.len() == 2 => {
                let (mut terms, size) = (index.into_iter(), |term: &Term<S>| (term.low, term.size, term.stride));
                let (Some(a), Some(b)) = (terms.next(), terms.next()) else { return user.make(move |_| none) };
                let ((low_a, size_a, stride_a), (low_b, size_b, stride_b)) = (size(&a), size(&b));
                reading!(a.value, a => reading!(b.value, b => user.make(move |eval| {
                    let (a, b) = (a(eval).wrapping_sub(low_a) as u32, b(eval).wrapping_sub(low_b) as u32);
                    if a < size_a && b < size_b {
                        eval.frame.cells[(base + a * stride_a + b * stride_b) as usize]
                    } else {
                        none
                    }
                })))
            }
            cell => user.make(move |eval| eval.cell(&cell).map_or(none, |cell| eval.frame.cells[cell])),
        },
        Expr::Top { list, last } => user.make(move |eval| eval.top(list, last)),
        Expr::CardAttr(attr, card) => reading!(*card, card => {
            user.make(move |eval| eval.instance().cards.attrs[attr as usize].value(card(eval)))
        }),
        Expr::PlayerOf(card) => match *card {
            Expr::Top { list, last } => user.make(move |eval| eval.player_of(eval.top(list, last))),
            Expr::BestFollowing(best) => user.make(move |eval| eval.player_of(eval.best_following(&best))),
            card => {
                let card = Value::new(card);
                user.make(move |eval| eval.player_of(card.get(eval)))
            }
        },
        Expr::Best { highest, of, by } => user.make(move |eval| eval.best(&of, by, highest)),
        Expr::BestFollowing(best) => user.make(move |eval| eval.best_following(&best)),
        Expr::Count(set) => match *set {
            Set::Zone(Spot::At(zone)) => user.make(move |eval| eval.frame.sets[zone as usize].len() as i32),
            Set::Zone(spot) => user.make(move |eval| eval.frame.sets[eval.spot(&spot)].len() as i32),
            set => user.make(move |eval| eval.set(&set).len() as i32),
        },
        Expr::OverSeats(fold) => user.make(move |eval| eval.over_seats(&fold)),
        Expr::OverCards(fold) => user.make(move |eval| eval.over_cards(&fold)),
        Expr::OverRange(fold) => user.make(move |eval| eval.over_range(&fold)),
        Expr::FirstSeat(search) => user.make(move |eval| eval.first_seat(&search)),
        Expr::NextSeat { back, search } => user.make(move |eval| eval.next_seat(&search, back)),
        Expr::Arith(op, parts) => {
            let [a, b] = *parts;
            reading!(a, a => reading!(b, b => match op {
                Arith::Add => user.make(move |eval| a(eval).saturating_add(b(eval))),
                op => user.make(move |eval| arith(op, a(eval), b(eval))),
            }))
        }
        Expr::If(parts) => {
            let [cond, yes, no] = *parts;
            let cond = Cond::new(cond);
            reading!(yes, yes => reading!(no, no => {
                user.make(move |eval| if cond.holds(eval) { yes(eval) } else { no(eval) })
            }))
        }
        expr if expr.is_condition() => {
            let cond = Cond::new(expr);
            user.make(move |eval| cond.holds(eval) as i32)
        }
        expr => user.make(move |eval| eval.num(&expr)),
    }
}

/// Makes a condition of an expression.
pub fn condition<S: CardSet, U: Use<S, bool>>(expr: Expr<S>, user: U) -> U::Made {
    match expr {
        Expr::Cell(cell) => user.make(move |eval| cell_holds(eval, cell)),
        Expr::HoldingAt(zone) => user.make(move |eval| !bare(eval, zone)),
        Expr::BareAt(zone) => user.make(move |eval| bare(eval, zone)),
        Expr::HoldersCmp { op, base, n } => user.make(move |eval| eval.holders_compare(op, base, n)),
        Expr::Not(inner) => {
            let inner = Cond::new(*inner);
            user.make(move |eval| !inner.holds(eval))
        }
        // Some card of a zone does not follow the first: a CUT, a trump.
        Expr::AnyIn(both) => match *both {
            (Spot::At(zone), Test::Follows(follow)) => user.make(move |eval| {
                let cards = eval.frame.sets[zone as usize].clone();
                !eval.follow(&follow, cards).is_empty()
            }),
            both => {
                let expr = Expr::AnyIn(Box::new(both));
                user.make(move |eval| eval.holds(&expr))
            }
        },
        Expr::CmpConst(op, a, n) => reading!(*a, a => match op {
            Cmp::Eq => user.make(move |eval| a(eval) == n),
            Cmp::Ne => user.make(move |eval| a(eval) != n),
            Cmp::Gt => user.make(move |eval| a(eval) > n),
            op => user.make(move |eval| compare(op, a(eval), n)),
        }),
        Expr::Cmp(op, ab) => {
            let [a, b] = *ab;
            reading!(a, a => reading!(b, b => match op {
                Cmp::Eq => user.make(move |eval| a(eval) == b(eval)),
                op => user.make(move |eval| compare(op, a(eval), b(eval))),
            }))
        }
        Expr::Playing(seat) => reading!(*seat, seat => user.make(move |eval| eval.frame.is_playing(seat(eval)))),
        Expr::Holding(spot) => user.make(move |eval| !eval.frame.sets[eval.spot(&spot)].is_empty()),
        Expr::Bare(spot) => user.make(move |eval| eval.frame.sets[eval.spot(&spot)].is_empty()),
        Expr::OverSeats(fold) => user.make(move |eval| eval.over_seats(&fold) != 0),
        Expr::OverRange(fold) => user.make(move |eval| eval.over_range(&fold) != 0),
        Expr::All(tests) => series(tests, user, Expr::All, and),
        Expr::Any(tests) => series(tests, user, Expr::Any, or),
        expr => user.make(move |eval| eval.holds(&expr)),
    }
}

/// The first by itself, and a condition of the rest.
fn series<S: CardSet, U: Use<S, bool>>(
    tests: Box<[Expr<S>]>,
    user: U,
    of_rest: fn(Box<[Expr<S>]>) -> Expr<S>,
    join: fn(Expr<S>, Cond<S>, U) -> U::Made,
) -> U::Made {
    let mut tests = tests.into_iter();
    let first = tests.next().unwrap_or(Expr::Const(1));
    let rest: Box<[Expr<S>]> = tests.collect();
    match <[Expr<S>; 1]>::try_from(rest.into_vec()) {
        Ok([last]) => join(first, Cond::new(last), user),
        Err(rest) if rest.is_empty() => condition(first, user),
        Err(rest) => join(first, Cond::new(of_rest(rest.into())), user),
    }
}

fn and<S: CardSet, U: Use<S, bool>>(first: Expr<S>, rest: Cond<S>, user: U) -> U::Made {
    testing!(first, first => user.make(move |eval| first(eval) && rest.holds(eval)))
}

fn or<S: CardSet, U: Use<S, bool>>(first: Expr<S>, rest: Cond<S>, user: U) -> U::Made {
    testing!(first, first => user.make(move |eval| first(eval) || rest.holds(eval)))
}

/// Two by themselves.
fn both<S: CardSet>(first: Expr<S>, second: Expr<S>) -> Cond<S> {
    testing!(first, first => testing!(second, second => Alone.make(move |eval| first(eval) && second(eval))))
}

fn either<S: CardSet>(first: Expr<S>, second: Expr<S>) -> Cond<S> {
    testing!(first, first => testing!(second, second => Alone.make(move |eval| first(eval) || second(eval))))
}

#[inline(always)]
fn cell_holds<S>(eval: Eval<S>, cell: u32) -> bool {
    eval.frame.cells[cell as usize] != 0
}

#[inline(always)]
fn bare<S: CardSet>(eval: Eval<S>, zone: u32) -> bool {
    eval.frame.sets[zone as usize].is_empty()
}
