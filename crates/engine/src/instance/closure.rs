//! Conditions and values that are asked for at almost every move, as closures.
//!
//! What they look at is known when the table is made. A closure that holds it, and the closures of what it is made of, costs a
//! fraction of finding it out from an expression each time. Whatever is not listed here is still an expression, inside.

use super::code::{Cell, Expr, Set, Spot, Term, Test};
use super::options::{arith, compare};
use crate::cardset::CardSet;
use crate::eval::Eval;
use baize_rules::program::{Arith, Cmp};
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

/// Makes a closure for each way to read a number: variables, registers and constants are read on the spot, everything else is a
/// closure of its own.
macro_rules! reading {
    ($expr:expr, $read:ident => $body:expr) => {
        match $expr {
            Expr::Cell(cell) => {
                let $read = move |eval: Eval<S>| eval.frame.cells[cell as usize];
                $body
            }
            Expr::Reg(reg) => {
                let $read = move |eval: Eval<S>| eval.at.get(reg);
                $body
            }
            Expr::Const(n) => {
                let $read = move |_: Eval<S>| n;
                $body
            }
            expr => {
                let value = Value::new(expr);
                let $read = move |eval: Eval<S>| value.get(eval);
                $body
            }
        }
    };
}

impl<S: CardSet> Value<S> {
    pub fn new(expr: Expr<S>) -> Self {
        match expr {
            Expr::Const(n) => Self::of(move |_| n),
            Expr::Cell(cell) => Self::of(move |eval| eval.frame.cells[cell as usize]),
            Expr::Reg(reg) => Self::of(move |eval| eval.at.get(reg)),
            Expr::At { cell, none } => match *cell {
                Cell::By { base, low, size, index } => reading!(*index, index => Self::of(move |eval| {
                    let n = index(eval).wrapping_sub(low) as u32;
                    if n < size { eval.frame.cells[(base + n) as usize] } else { none }
                })),
                Cell::Grid { base, index } if index.len() == 2 => {
                    let (mut terms, size) = (index.into_iter(), |term: &Term<S>| (term.low, term.size, term.stride));
                    let (Some(a), Some(b)) = (terms.next(), terms.next()) else { return Self::of(move |_| none) };
                    let ((low_a, size_a, stride_a), (low_b, size_b, stride_b)) = (size(&a), size(&b));
                    reading!(a.value, a => reading!(b.value, b => Self::of(move |eval| {
                        let (a, b) = (a(eval).wrapping_sub(low_a) as u32, b(eval).wrapping_sub(low_b) as u32);
                        if a < size_a && b < size_b {
                            eval.frame.cells[(base + a * stride_a + b * stride_b) as usize]
                        } else {
                            none
                        }
                    })))
                }
                cell => Self::of(move |eval| eval.cell(&cell).map_or(none, |cell| eval.frame.cells[cell])),
            },
            Expr::Top { list, last } => Self::of(move |eval| eval.top(list, last)),
            Expr::CardAttr(attr, card) => reading!(*card, card => {
                Self::of(move |eval| eval.instance().cards.attrs[attr as usize].value(card(eval)))
            }),
            Expr::PlayerOf(card) => match *card {
                Expr::Top { list, last } => Self::of(move |eval| eval.player_of(eval.top(list, last))),
                Expr::Best { highest, of, by } => Self::of(move |eval| eval.player_of(eval.best(&of, by, highest))),
                card => {
                    let card = Self::new(card);
                    Self::of(move |eval| eval.player_of(card.get(eval)))
                }
            },
            Expr::Best { highest, of, by } => Self::of(move |eval| eval.best(&of, by, highest)),
            Expr::Count(set) => match *set {
                Set::Zone(Spot::At(zone)) => Self::of(move |eval| eval.frame.sets[zone as usize].len() as i32),
                Set::Zone(spot) => Self::of(move |eval| eval.frame.sets[eval.spot(&spot)].len() as i32),
                set => Self::of(move |eval| eval.set(&set).len() as i32),
            },
            Expr::OverSeats(fold) => Self::of(move |eval| eval.over_seats(&fold)),
            Expr::OverCards(fold) => Self::of(move |eval| eval.over_cards(&fold)),
            Expr::OverRange(fold) => Self::of(move |eval| eval.over_range(&fold)),
            Expr::FirstSeat(search) => Self::of(move |eval| eval.first_seat(&search)),
            Expr::NextSeat { back, search } => Self::of(move |eval| eval.next_seat(&search, back)),
            Expr::Arith(op, parts) => {
                let [a, b] = *parts;
                reading!(a, a => reading!(b, b => match op {
                    Arith::Add => Self::of(move |eval| a(eval).saturating_add(b(eval))),
                    op => Self::of(move |eval| arith(op, a(eval), b(eval))),
                }))
            }
            Expr::If(parts) => {
                let [cond, yes, no] = *parts;
                let cond = Cond::new(cond);
                reading!(yes, yes => reading!(no, no => {
                    Self::of(move |eval| if cond.holds(eval) { yes(eval) } else { no(eval) })
                }))
            }
            expr if expr.is_condition() => {
                let cond = Cond::new(expr);
                Self::of(move |eval| cond.holds(eval) as i32)
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
            Expr::CmpConst(op, a, n) => reading!(*a, a => match op {
                Cmp::Eq => Self::of(move |eval| a(eval) == n),
                Cmp::Ne => Self::of(move |eval| a(eval) != n),
                Cmp::Gt => Self::of(move |eval| a(eval) > n),
                op => Self::of(move |eval| compare(op, a(eval), n)),
            }),
            Expr::Cmp(op, ab) => {
                let [a, b] = *ab;
                reading!(a, a => reading!(b, b => match op {
                    Cmp::Eq => Self::of(move |eval| a(eval) == b(eval)),
                    op => Self::of(move |eval| compare(op, a(eval), b(eval))),
                }))
            }
            Expr::Playing(seat) => reading!(*seat, seat => Self::of(move |eval| eval.frame.is_playing(seat(eval)))),
            Expr::Holding(spot) => Self::of(move |eval| !eval.frame.sets[eval.spot(&spot)].is_empty()),
            Expr::Bare(spot) => Self::of(move |eval| eval.frame.sets[eval.spot(&spot)].is_empty()),
            Expr::OverSeats(fold) => Self::of(move |eval| eval.over_seats(&fold) != 0),
            Expr::OverRange(fold) => Self::of(move |eval| eval.over_range(&fold) != 0),
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
