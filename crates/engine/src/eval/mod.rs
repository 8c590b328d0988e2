//! Evaluates expressions: reads the frame, changes nothing but registers.
//!
//! Nothing here can fail. Out-of-range indices read as nothing, arithmetic saturates, and every loop
//! costs fuel, so that no rules file can keep the server busy.

mod fold;
mod set;
mod test;

use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::instance::Instance;
use crate::instance::code::{Cell, Expr, REGISTERS, Reg, Set, Spot, Term};
use crate::instance::options::{arith, compare};
use baize_rules::program::{Cmp, NONE, NONE_VALUE};

/// What an evaluation works with besides the frame.
#[derive(Clone, Debug)]
pub struct Registers {
    values: [i32; REGISTERS],
    picks: Vec<List>,
    /// The seat whose decision or thread this is; NONE outside.
    pub me: i32,
    /// What is left of the budget; below 0 loops stop early and the step is void.
    pub fuel: i64,
}

impl Registers {
    #[inline]
    pub fn new(me: i32, fuel: i64) -> Self {
        Registers { values: [0; REGISTERS], picks: Vec::new(), me, fuel }
    }

    #[inline]
    pub fn get(&self, reg: Reg) -> i32 {
        self.values[reg as usize % REGISTERS]
    }

    #[inline]
    pub fn set(&mut self, reg: Reg, value: i32) {
        self.values[reg as usize % REGISTERS] = value;
    }

    pub fn pick(&self, reg: Reg) -> &[u16] {
        self.picks.get(reg as usize).map_or(&[], |cards| cards)
    }

    pub fn set_pick(&mut self, reg: Reg, cards: &[u16]) {
        if self.picks.len() <= reg as usize {
            self.picks.resize(reg as usize + 1, List::new());
        }
        let pick = &mut self.picks[reg as usize];
        pick.clear();
        pick.extend_from_slice(cards);
    }
}

/// An evaluation in progress.
pub struct Eval<'a, S> {
    pub instance: &'a Instance<S>,
    pub frame: &'a Frame<S>,
    pub at: &'a mut Registers,
}

/// Enough for anything a view shows.
const VIEW_FUEL: i64 = 1_000_000;

impl<S: CardSet> Instance<S> {
    /// The value of a lowered expression, for those who look at a table: with `me` and registers 0, 1 … as given.
    pub fn value(&self, frame: &Frame<S>, expr: &Expr<S>, me: i32, registers: &[i32]) -> i32 {
        self.looking(frame, me, registers, |mut eval| eval.num(expr))
    }

    /// The cards of a lowered selection, in order; see [`Instance::value`].
    pub fn selection(&self, frame: &Frame<S>, set: &Set<S>, me: i32, registers: &[i32]) -> List {
        self.looking(frame, me, registers, |mut eval| eval.ordered(set))
    }

    pub(crate) fn looking<T>(
        &self,
        frame: &Frame<S>,
        me: i32,
        registers: &[i32],
        look: impl FnOnce(Eval<S>) -> T,
    ) -> T {
        let mut at = Registers::new(me, VIEW_FUEL);
        for (reg, value) in registers.iter().enumerate().take(REGISTERS) {
            at.set(reg as Reg, *value);
        }
        look(Eval { instance: self, frame, at: &mut at })
    }
}

impl<'a, S: CardSet> Eval<'a, S> {
    #[inline]
    pub fn holds(&mut self, expr: &Expr<S>) -> bool {
        self.num(expr) != 0
    }

    /// Leaves are most of what there is, and need no call.
    #[inline(always)]
    pub fn num(&mut self, expr: &Expr<S>) -> i32 {
        match expr {
            Expr::Cell(cell) => self.frame.cells[*cell as usize],
            Expr::Reg(reg) => self.at.get(*reg),
            Expr::Const(n) => *n,
            Expr::Me => self.at.me,
            expr => self.compound(expr),
        }
    }

    fn compound(&mut self, expr: &Expr<S>) -> i32 {
        match expr {
            Expr::Const(n) => *n,
            Expr::Cell(cell) => self.frame.cells[*cell as usize],
            Expr::At { cell, none } => match self.cell(cell) {
                Some(cell) => self.frame.cells[cell],
                None => *none,
            },
            Expr::Reg(reg) => self.at.get(*reg),
            Expr::Me => self.at.me,
            Expr::Lead => self.frame.lead as i32,
            Expr::Neg(a) => self.num(a).saturating_neg(),
            Expr::Not(a) => (self.num(a) == 0) as i32,
            Expr::And(ab) => (self.num(&ab[0]) != 0 && self.num(&ab[1]) != 0) as i32,
            Expr::Or(ab) => (self.num(&ab[0]) != 0 || self.num(&ab[1]) != 0) as i32,
            Expr::Arith(op, ab) => {
                let (a, b) = (self.num(&ab[0]), self.num(&ab[1]));
                arith(*op, a, b)
            }
            Expr::Cmp(op, ab) => {
                let (a, b) = (self.num(&ab[0]), self.num(&ab[1]));
                compare(*op, a, b) as i32
            }
            Expr::CmpConst(op, a, n) => {
                let a = self.num(a);
                let yes = match op {
                    Cmp::Eq => a == *n,
                    Cmp::Ne => a != *n,
                    Cmp::Lt => a < *n && a != NONE_VALUE,
                    Cmp::Le => a <= *n && a != NONE_VALUE,
                    Cmp::Gt => a > *n,
                    Cmp::Ge => a >= *n && a != NONE_VALUE,
                };
                yes as i32
            }
            Expr::If(abc) => {
                let at = if self.num(&abc[0]) != 0 { 1 } else { 2 };
                self.num(&abc[at])
            }
            Expr::Count(set) => self.set(set).len() as i32,
            Expr::Empty(set) => self.set(set).is_empty() as i32,
            Expr::NotEmpty(set) => !self.set(set).is_empty() as i32,
            Expr::Holding(spot) => {
                let zone = self.spot(spot);
                !self.frame.sets[zone].is_empty() as i32
            }
            Expr::Bare(spot) => {
                let zone = self.spot(spot);
                self.frame.sets[zone].is_empty() as i32
            }
            Expr::Holds(both) => {
                let card = self.num(&both.1);
                self.set(&both.0).has(card) as i32
            }
            Expr::CardAttr(attr, card) => {
                let card = self.num(card);
                self.instance.cards.attrs[*attr as usize].value(card)
            }
            Expr::CardIn(both) => {
                let card = self.num(&both.1);
                both.0.has(card) as i32
            }
            Expr::PlayerOf(card) => {
                let card = self.num(card);
                self.frame.by.get(card as u32 as usize).map_or(NONE, |seat| *seat as i32)
            }
            Expr::First(set) => self.end(set, false),
            Expr::Last(set) => self.end(set, true),
            Expr::Best { highest, of, by } => self.best(of, *by, *highest),
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
            Expr::DiceCount(set) => self.num(set).count_ones() as i32,
            Expr::DiceHas(ab) => {
                let (set, at) = (self.num(&ab[0]), self.num(&ab[1]));
                ((0..32).contains(&at) && set >> at & 1 == 1) as i32
            }
        }
    }

    /// A zone instance; out of range: the one that is always empty.
    #[inline]
    pub fn spot(&mut self, spot: &Spot<S>) -> usize {
        let nowhere = self.frame.sets.len() - 1;
        match spot {
            Spot::At(zone) => *zone as usize,
            Spot::By { base, low, size, index } => {
                let n = self.num(index).wrapping_sub(*low) as u32;
                if n < *size { (*base + n) as usize } else { nowhere }
            }
            Spot::Grid { base, index } => self.grid(*base, index).unwrap_or(nowhere),
            Spot::Nowhere => nowhere,
        }
    }

    #[inline]
    pub fn cell(&mut self, cell: &Cell<S>) -> Option<usize> {
        match cell {
            Cell::At(cell) => Some(*cell as usize),
            Cell::By { base, low, size, index } => {
                let n = self.num(index).wrapping_sub(*low) as u32;
                (n < *size).then(|| (*base + n) as usize)
            }
            Cell::Grid { base, index } => self.grid(*base, index),
            Cell::Nowhere => None,
        }
    }

    fn grid(&mut self, base: u32, index: &[Term<S>]) -> Option<usize> {
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
