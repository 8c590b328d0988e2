//! Evaluates expressions. An evaluation reads the frame and changes nothing but registers. `crate::legal` and `crate::step` call it.
//!
//! An evaluation can't fail: an index out of range reads as nothing, arithmetic saturates, and every loop costs fuel, so that no rules
//! file can keep the server busy.

mod fold;
mod set;
mod test;

use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::instance::Instance;
pub use crate::instance::context::{Eval, Registers};
use crate::instance::context::{REGISTERS, Reg};
use crate::instance::expr::{self, Expr, Set, Spot, Term};
use crate::instance::options::{arith, compare};
use baize_rules::program::{Cmp, NONE, NONE_VALUE};

/// Budget for the expressions of a view.
pub(crate) const VIEW_FUEL: i64 = 1_000_000;

impl<S: CardSet> Instance<S> {
    /// Evaluates an expression for a view, with `me` and the registers 0, 1 … as given.
    pub fn value(&self, frame: &Frame<S>, expr: &Expr<S>, me: i32, registers: &[i32]) -> i32 {
        self.evaluate_for_view(frame, me, registers, |eval| eval.num(expr))
    }

    /// Evaluates a selection for a view, in order; see [`Instance::value`].
    pub fn selection(&self, frame: &Frame<S>, set: &Set<S>, me: i32, registers: &[i32]) -> List {
        self.evaluate_for_view(frame, me, registers, |eval| eval.ordered(set))
    }

    /// The zone instance that a spot names, or none if there is no such instance.
    pub fn zone_at(&self, frame: &Frame<S>, spot: &Spot<S>, me: i32, registers: &[i32]) -> Option<usize> {
        let zone = self.evaluate_for_view(frame, me, registers, |eval| eval.spot(spot));
        (zone < self.zones()).then_some(zone)
    }

    pub(crate) fn evaluate_for_view<T>(
        &self,
        frame: &Frame<S>,
        me: i32,
        registers: &[i32],
        look: impl FnOnce(Eval<S>) -> T,
    ) -> T {
        let at = Registers::new(self, me, VIEW_FUEL);
        for (reg, value) in registers.iter().enumerate().take(REGISTERS) {
            at.set(reg as Reg, *value);
        }
        look(Eval { frame, at: &at })
    }
}

impl<'a, S: CardSet> Eval<'a, S> {
    #[inline(always)]
    pub fn instance(self) -> &'a Instance<S> {
        self.at.instance()
    }

    /// Whether a condition holds. The most frequent conditions are tested inline.
    #[inline(always)]
    pub fn holds(self, expr: &Expr<S>) -> bool {
        match expr {
            Expr::Cell(cell) => self.frame.cells[*cell as usize] != 0,
            Expr::ZoneNonEmptyAt(zone) => !self.frame.sets[*zone as usize].is_empty(),
            Expr::ZoneEmptyAt(zone) => self.frame.sets[*zone as usize].is_empty(),
            expr => self.test(expr),
        }
    }

    #[inline]
    fn all(self, tests: &[Expr<S>]) -> bool {
        tests.iter().all(|test| self.holds(test))
    }

    #[inline]
    fn any(self, tests: &[Expr<S>]) -> bool {
        tests.iter().any(|test| self.holds(test))
    }

    /// Compares the number of seats that hold cards with `n`. It stops counting when the result is certain.
    #[inline]
    pub(crate) fn holders_compare(self, op: Cmp, base: u32, n: i8) -> bool {
        let hands = &self.frame.sets[base as usize..];
        let (mut count, mut playing) = (0, self.frame.playing);
        for hand in &hands[..self.frame.seats.len().min(hands.len())] {
            count += (playing & 1 != 0 && !hand.is_empty()) as i32;
            if count > n as i32 {
                break;
            }
            playing >>= 1;
        }
        compare_const(op, count, n as i32)
    }

    /// Whether a condition holds that [`Self::holds`] does not test inline.
    #[inline(never)]
    fn test(self, test: &Expr<S>) -> bool {
        match test {
            Expr::Cell(cell) => self.frame.cells[*cell as usize] != 0,
            Expr::ZoneNonEmptyAt(zone) => !self.frame.sets[*zone as usize].is_empty(),
            Expr::ZoneEmptyAt(zone) => self.frame.sets[*zone as usize].is_empty(),
            Expr::AnyIn(both) => {
                let cards = &self.frame.sets[self.spot(&both.0)];
                !self.restrict(&both.1, cards.clone()).is_empty()
            }
            Expr::HoldersCmp { op, base, n } => self.holders_compare(*op, *base, *n),
            Expr::All(tests) => self.all(tests),
            Expr::Any(tests) => self.any(tests),
            Expr::CmpConst(op, a, n) => compare_const(*op, self.num(a), *n),
            Expr::Cmp(op, ab) => compare(*op, self.num(&ab[0]), self.num(&ab[1])),
            Expr::Not(a) => !self.holds(a),
            Expr::ZoneNonEmpty(spot) => !self.frame.sets[self.spot(spot)].is_empty(),
            Expr::ZoneEmpty(spot) => self.frame.sets[self.spot(spot)].is_empty(),
            Expr::Playing(seat) => self.frame.is_playing(self.num(seat)),
            test => self.compound(test) != 0,
        }
    }

    /// Evaluates a number. Most expressions are leaves, which need no call. A fourth case here would make the compiler emit a jump table.
    #[inline(always)]
    pub fn num(self, expr: &Expr<S>) -> i32 {
        match expr {
            Expr::Cell(cell) => self.frame.cells[*cell as usize],
            Expr::Reg(reg) => self.at.get(*reg),
            Expr::Const(n) => *n,
            expr => self.compound(expr),
        }
    }

    fn compound(self, expr: &Expr<S>) -> i32 {
        match expr {
            Expr::Const(n) => *n,
            Expr::Cell(cell) => self.frame.cells[*cell as usize],
            Expr::At { cell, none } => match self.cell(cell) {
                Some(cell) => self.frame.cells[cell],
                None => *none,
            },
            Expr::Reg(reg) => self.at.get(*reg),
            Expr::Me => self.at.me.get(),
            Expr::Lead => self.frame.lead as i32,
            Expr::Neg(a) => self.num(a).saturating_neg(),
            Expr::ZoneNonEmptyAt(zone) => !self.frame.sets[*zone as usize].is_empty() as i32,
            Expr::ZoneEmptyAt(zone) => self.frame.sets[*zone as usize].is_empty() as i32,
            Expr::All(_)
            | Expr::Any(_)
            | Expr::AnyIn(_)
            | Expr::HoldersCmp { .. }
            | Expr::Cmp(..)
            | Expr::CmpConst(..)
            | Expr::Not(_) => self.test(expr) as i32,
            Expr::Arith(op, ab) => {
                let (a, b) = (self.num(&ab[0]), self.num(&ab[1]));
                arith(*op, a, b)
            }
            Expr::If(abc) => {
                let at = if self.holds(&abc[0]) { 1 } else { 2 };
                self.num(&abc[at])
            }
            Expr::Count(set) => self.set(set).len() as i32,
            Expr::Empty(set) => self.set(set).is_empty() as i32,
            Expr::NotEmpty(set) => !self.set(set).is_empty() as i32,
            Expr::ZoneNonEmpty(spot) => {
                let zone = self.spot(spot);
                !self.frame.sets[zone].is_empty() as i32
            }
            Expr::ZoneEmpty(spot) => {
                let zone = self.spot(spot);
                self.frame.sets[zone].is_empty() as i32
            }
            Expr::Holds(both) => {
                let card = self.num(&both.1);
                self.set(&both.0).has(card) as i32
            }
            Expr::CardAttr(attr, card) => {
                let card = self.num(card);
                self.at.instance().cards.attrs[*attr as usize].value(card)
            }
            Expr::CardIn(both) => {
                let card = self.num(&both.1);
                both.0.has(card) as i32
            }
            Expr::Facing { card, down } => {
                let card = u16::try_from(self.num(card)).ok();
                card.is_some_and(|card| self.frame.face_down.contains(card) == *down) as i32
            }
            Expr::PlayerOf(card) => self.player_of(self.num(card)),
            Expr::Top { list, last } => self.top(*list, *last),
            Expr::TopAttr { attr, list, last } => {
                let list = &self.frame.lists[*list as usize];
                let card = if *last { list.last() } else { list.first() };
                card.map_or(NONE_VALUE, |card| self.at.instance().cards.attrs[*attr as usize].values[*card as usize])
            }
            Expr::First(set) => self.end(set, false),
            Expr::Last(set) => self.end(set, true),
            Expr::Best { highest, of, by } => self.best(of, *by, *highest),
            Expr::BestFollowing(best) => self.best_following(best),
            Expr::OverSeats(fold) => self.over_seats(fold),
            Expr::SeatsHolding { any, base } => self.seats_holding(*any, *base),
            Expr::OverCards(fold) => self.over_cards(fold),
            Expr::OverRange(fold) => self.over_range(fold),
            Expr::FirstSeat(search) => self.first_seat(search),
            Expr::NextSeat { back, search } => self.next_seat(search, *back),
            Expr::Present(seat) => {
                let seat = self.num(seat);
                self.frame.is_present(seat) as i32
            }
            Expr::Playing(seat) => {
                let seat = self.num(seat);
                self.frame.is_playing(seat) as i32
            }
            Expr::Person(seat) => {
                let seat = self.num(seat);
                self.frame.is_person(seat) as i32
            }
            Expr::Table(table, at) => {
                let at = self.num(at);
                self.at.instance().program.tables.get(usize::from(*table)).map_or(0, |table| table.value(at))
            }
            Expr::DiceCount(set) => self.num(set).count_ones() as i32,
            Expr::DiceHas(ab) => {
                let (set, at) = (self.num(&ab[0]), self.num(&ab[1]));
                ((0..32).contains(&at) && set >> at & 1 == 1) as i32
            }
        }
    }

    /// Returns the seat that brought a card, or NONE.
    #[inline(always)]
    pub(crate) fn player_of(self, card: i32) -> i32 {
        // NONE becomes a huge index, which is out of range.
        self.frame.by.get(card as u32 as usize).map_or(NONE, |seat| *seat as i32)
    }

    /// Returns the first or last card of a list.
    #[inline(always)]
    pub(crate) fn top(self, list: u32, last: bool) -> i32 {
        let list = &self.frame.lists[list as usize];
        let card = if last { list.last() } else { list.first() };
        card.map_or(NONE, |card| *card as i32)
    }

    /// Returns a zone instance; for an index out of range, the set of the frame that is always empty.
    #[inline(always)]
    pub fn spot(self, spot: &Spot<S>) -> usize {
        match spot {
            Spot::At(zone) => *zone as usize,
            Spot::By { base, low, size, index } => {
                let n = self.num(index).wrapping_sub(*low) as u32;
                if n < *size { (*base + n) as usize } else { self.frame.sets.len() - 1 }
            }
            spot => self.spot_with_several_indices(spot),
        }
    }

    #[inline(never)]
    fn spot_with_several_indices(self, spot: &Spot<S>) -> usize {
        let at = if let Spot::Grid { base, index } = spot { self.grid(*base, index) } else { None };
        at.unwrap_or(self.frame.sets.len() - 1)
    }

    #[inline(always)]
    pub fn cell(self, cell: &expr::Cell<S>) -> Option<usize> {
        match cell {
            expr::Cell::At(cell) => Some(*cell as usize),
            expr::Cell::By { base, low, size, index } => {
                let n = self.num(index).wrapping_sub(*low) as u32;
                (n < *size).then(|| (*base + n) as usize)
            }
            expr::Cell::Grid { base, index } => self.grid(*base, index),
            expr::Cell::Nowhere => None,
        }
    }

    #[inline(never)]
    fn grid(self, base: u32, index: &[Term<S>]) -> Option<usize> {
        let mut at = base;
        for term in index {
            let n = self.num(&term.value).wrapping_sub(term.low) as u32;
            if n >= term.size {
                return None;
            }
            at += n * term.stride;
        }
        Some(at as usize)
    }
}

/// Compares a value with a constant that is not `none`.
#[inline(always)]
fn compare_const(op: Cmp, a: i32, n: i32) -> bool {
    match op {
        Cmp::Eq => a == n,
        Cmp::Ne => a != n,
        Cmp::Lt => a < n && a != NONE_VALUE,
        Cmp::Le => a <= n && a != NONE_VALUE,
        Cmp::Gt => a > n,
        Cmp::Ge => a >= n && a != NONE_VALUE,
    }
}
