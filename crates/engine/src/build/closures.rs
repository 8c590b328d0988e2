//! Turns expressions into closures.
//!
//! Everything an expression reads is known when the table is made, so a closure over cells and zones costs a fraction of decoding
//! the expression at every call. Expressions without a case of their own stay expressions inside a closure.
//!
//! [`condition`] and [`value`] hand their closure to a [`Consumer`]. The consumer stores it as it is, or makes it part of a bigger
//! closure (an instruction and its condition become one closure, see [`super::instructions`]), which saves a call.

use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::instance::closure::{Closure, Cond, Value};
use crate::instance::expr::{Cell, Expr, Set, Spot, Term, Test};
use crate::instance::options::{arith, compare};
use baize_rules::program::{Arith, Cmp};

/// Takes the closure that [`condition`] or [`value`] made, and builds its output from it.
pub trait Consumer<S, T> {
    type Output;
    fn consume(self, eval: impl Fn(Eval<S>) -> T + Send + Sync + 'static) -> Self::Output;
}

/// Stores the closure as it is.
struct IntoClosure;

impl<S: 'static, T: 'static> Consumer<S, T> for IntoClosure {
    type Output = Closure<S, T>;

    fn consume(self, eval: impl Fn(Eval<S>) -> T + Send + Sync + 'static) -> Closure<S, T> {
        Closure::from_fn(eval)
    }
}

/// Compiles `$body` once for each way to read a number: it reads variables, registers and constants directly, and calls a closure for
/// every other expression.
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

/// The same as `reading` for the most frequent conditions.
macro_rules! testing {
    ($expr:expr, $test:ident => $body:expr) => {
        match $expr {
            Expr::Cell(cell) => {
                let $test = move |eval: Eval<S>| cell_holds(eval, cell);
                $body
            }
            Expr::ZoneNonEmptyAt(zone) => {
                let $test = move |eval: Eval<S>| !zone_empty(eval, zone);
                $body
            }
            Expr::ZoneEmptyAt(zone) => {
                let $test = move |eval: Eval<S>| zone_empty(eval, zone);
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
        value(expr, IntoClosure)
    }
}

impl<S: CardSet> Cond<S> {
    pub fn new(expr: Expr<S>) -> Self {
        let two = |tests: Box<[Expr<S>]>| <[Expr<S>; 2]>::try_from(tests.into_vec());
        match expr {
            Expr::All(tests) => match two(tests) {
                Ok([a, b]) => both(a, b),
                Err(tests) => condition(Expr::All(tests.into()), IntoClosure),
            },
            Expr::Any(tests) => match two(tests) {
                Ok([a, b]) => either(a, b),
                Err(tests) => condition(Expr::Any(tests.into()), IntoClosure),
            },
            expr => condition(expr, IntoClosure),
        }
    }
}

/// Compiles an expression that is a number.
pub fn value<S: CardSet, U: Consumer<S, i32>>(expr: Expr<S>, consumer: U) -> U::Output {
    match expr {
        Expr::Const(n) => consumer.consume(move |_| n),
        Expr::Cell(cell) => consumer.consume(move |eval| eval.frame.cells[cell as usize]),
        Expr::Reg(reg) => consumer.consume(move |eval| eval.at.get(reg)),
        Expr::Me => consumer.consume(move |eval| eval.at.me.get()),
        Expr::At { cell, none } => match *cell {
            Cell::By { base, low, size, index } => reading!(*index, index => consumer.consume(move |eval| {
                let n = index(eval).wrapping_sub(low) as u32;
                if n < size { eval.frame.cells[(base + n) as usize] } else { none }
            })),
            Cell::Grid { base, index } if index.len() == 2 => {
                let (mut terms, size) = (index.into_iter(), |term: &Term<S>| (term.low, term.size, term.stride));
                let (Some(a), Some(b)) = (terms.next(), terms.next()) else { return consumer.consume(move |_| none) };
                let ((low_a, size_a, stride_a), (low_b, size_b, stride_b)) = (size(&a), size(&b));
                reading!(a.value, a => reading!(b.value, b => consumer.consume(move |eval| {
                    let (a, b) = (a(eval).wrapping_sub(low_a) as u32, b(eval).wrapping_sub(low_b) as u32);
                    if a < size_a && b < size_b {
                        eval.frame.cells[(base + a * stride_a + b * stride_b) as usize]
                    } else {
                        none
                    }
                })))
            }
            cell => consumer.consume(move |eval| eval.cell(&cell).map_or(none, |cell| eval.frame.cells[cell])),
        },
        Expr::Top { list, last } => consumer.consume(move |eval| eval.top(list, last)),
        Expr::CardAttr(attr, card) => reading!(*card, card => {
            consumer.consume(move |eval| eval.instance().cards.attrs[attr as usize].value(card(eval)))
        }),
        Expr::PlayerOf(card) => match *card {
            Expr::Top { list, last } => consumer.consume(move |eval| eval.player_of(eval.top(list, last))),
            Expr::BestFollowing(best) => consumer.consume(move |eval| eval.player_of(eval.best_following(&best))),
            card => {
                let card = Value::new(card);
                consumer.consume(move |eval| eval.player_of(card.get(eval)))
            }
        },
        Expr::Best { highest, of, by } => consumer.consume(move |eval| eval.best(&of, by, highest)),
        Expr::BestFollowing(best) => consumer.consume(move |eval| eval.best_following(&best)),
        Expr::Count(set) => match *set {
            Set::Zone(Spot::At(zone)) => consumer.consume(move |eval| eval.frame.sets[zone as usize].len() as i32),
            Set::Zone(spot) => consumer.consume(move |eval| eval.frame.sets[eval.spot(&spot)].len() as i32),
            set => consumer.consume(move |eval| eval.set(&set).len() as i32),
        },
        Expr::OverSeats(fold) => consumer.consume(move |eval| eval.over_seats(&fold)),
        Expr::OverCards(fold) => consumer.consume(move |eval| eval.over_cards(&fold)),
        Expr::OverRange(fold) => consumer.consume(move |eval| eval.over_range(&fold)),
        Expr::FirstSeat(search) => consumer.consume(move |eval| eval.first_seat(&search)),
        Expr::NextSeat { back, search } => consumer.consume(move |eval| eval.next_seat(&search, back)),
        Expr::Arith(op, parts) => {
            let [a, b] = *parts;
            reading!(a, a => reading!(b, b => match op {
                Arith::Add => consumer.consume(move |eval| a(eval).saturating_add(b(eval))),
                op => consumer.consume(move |eval| arith(op, a(eval), b(eval))),
            }))
        }
        Expr::If(parts) => {
            let [cond, yes, no] = *parts;
            let cond = Cond::new(cond);
            reading!(yes, yes => reading!(no, no => {
                consumer.consume(move |eval| if cond.holds(eval) { yes(eval) } else { no(eval) })
            }))
        }
        expr if expr.is_condition() => {
            let cond = Cond::new(expr);
            consumer.consume(move |eval| cond.holds(eval) as i32)
        }
        expr => consumer.consume(move |eval| eval.num(&expr)),
    }
}

/// Compiles an expression that is a condition.
pub fn condition<S: CardSet, U: Consumer<S, bool>>(expr: Expr<S>, consumer: U) -> U::Output {
    match expr {
        Expr::Cell(cell) => consumer.consume(move |eval| cell_holds(eval, cell)),
        Expr::ZoneNonEmptyAt(zone) => consumer.consume(move |eval| !zone_empty(eval, zone)),
        Expr::ZoneEmptyAt(zone) => consumer.consume(move |eval| zone_empty(eval, zone)),
        Expr::HoldersCmp { op, base, n } => consumer.consume(move |eval| eval.holders_compare(op, base, n)),
        Expr::Not(inner) => {
            let inner = Cond::new(*inner);
            consumer.consume(move |eval| !inner.holds(eval))
        }
        // Frequent in trick games: whether some card of the trick does not follow the first.
        Expr::AnyIn(both) => match *both {
            (Spot::At(zone), Test::Follows(follow)) => consumer.consume(move |eval| {
                let cards = eval.frame.sets[zone as usize].clone();
                !eval.follow(&follow, cards).is_empty()
            }),
            both => {
                let expr = Expr::AnyIn(Box::new(both));
                consumer.consume(move |eval| eval.holds(&expr))
            }
        },
        Expr::CmpConst(op, a, n) => reading!(*a, a => match op {
            Cmp::Eq => consumer.consume(move |eval| a(eval) == n),
            Cmp::Ne => consumer.consume(move |eval| a(eval) != n),
            Cmp::Gt => consumer.consume(move |eval| a(eval) > n),
            op => consumer.consume(move |eval| compare(op, a(eval), n)),
        }),
        Expr::Cmp(op, ab) => {
            let [a, b] = *ab;
            reading!(a, a => reading!(b, b => match op {
                Cmp::Eq => consumer.consume(move |eval| a(eval) == b(eval)),
                op => consumer.consume(move |eval| compare(op, a(eval), b(eval))),
            }))
        }
        Expr::Playing(seat) => reading!(*seat, seat => consumer.consume(move |eval| eval.frame.is_playing(seat(eval)))),
        Expr::ZoneNonEmpty(spot) => consumer.consume(move |eval| !eval.frame.sets[eval.spot(&spot)].is_empty()),
        Expr::ZoneEmpty(spot) => consumer.consume(move |eval| eval.frame.sets[eval.spot(&spot)].is_empty()),
        Expr::OverSeats(fold) => consumer.consume(move |eval| eval.over_seats(&fold) != 0),
        Expr::OverRange(fold) => consumer.consume(move |eval| eval.over_range(&fold) != 0),
        Expr::All(tests) => series(tests, consumer, Expr::All, and),
        Expr::Any(tests) => series(tests, consumer, Expr::Any, or),
        expr => consumer.consume(move |eval| eval.holds(&expr)),
    }
}

/// Compiles a list of conditions as its first one, joined with one closure for the rest.
fn series<S: CardSet, U: Consumer<S, bool>>(
    tests: Box<[Expr<S>]>,
    consumer: U,
    of_rest: fn(Box<[Expr<S>]>) -> Expr<S>,
    join: fn(Expr<S>, Cond<S>, U) -> U::Output,
) -> U::Output {
    let mut tests = tests.into_iter();
    let first = tests.next().unwrap_or(Expr::Const(1));
    let rest: Box<[Expr<S>]> = tests.collect();
    match <[Expr<S>; 1]>::try_from(rest.into_vec()) {
        Ok([last]) => join(first, Cond::new(last), consumer),
        Err(rest) if rest.is_empty() => condition(first, consumer),
        Err(rest) => join(first, Cond::new(of_rest(rest.into())), consumer),
    }
}

fn and<S: CardSet, U: Consumer<S, bool>>(first: Expr<S>, rest: Cond<S>, consumer: U) -> U::Output {
    testing!(first, first => consumer.consume(move |eval| first(eval) && rest.holds(eval)))
}

fn or<S: CardSet, U: Consumer<S, bool>>(first: Expr<S>, rest: Cond<S>, consumer: U) -> U::Output {
    testing!(first, first => consumer.consume(move |eval| first(eval) || rest.holds(eval)))
}

/// Compiles two conditions into one closure.
fn both<S: CardSet>(first: Expr<S>, second: Expr<S>) -> Cond<S> {
    testing!(first, first => testing!(second, second => IntoClosure.consume(move |eval| first(eval) && second(eval))))
}

fn either<S: CardSet>(first: Expr<S>, second: Expr<S>) -> Cond<S> {
    testing!(first, first => testing!(second, second => IntoClosure.consume(move |eval| first(eval) || second(eval))))
}

#[inline(always)]
fn cell_holds<S>(eval: Eval<S>, cell: u32) -> bool {
    eval.frame.cells[cell as usize] != 0
}

#[inline(always)]
fn zone_empty<S: CardSet>(eval: Eval<S>, zone: u32) -> bool {
    eval.frame.sets[zone as usize].is_empty()
}
