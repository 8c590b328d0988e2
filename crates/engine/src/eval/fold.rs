//! Evaluates sums, counts, extremes and searches over seats, cards and numbers.

use super::Eval;
use crate::cardset::CardSet;
use crate::frame::seats_of;
use crate::instance::expr::{CardFold, Members, RangeFold, SeatFold, SeatSearch};
use baize_rules::program::{Fold, NONE};

/// The accumulator of a fold.
struct Accumulator {
    op: Fold,
    value: i32,
    empty: bool,
}

impl Accumulator {
    fn new(op: Fold) -> Self {
        Accumulator { op, value: 0, empty: true }
    }

    /// Adds a value; returns true when further values can't change the result.
    #[inline]
    fn take(&mut self, value: i32) -> bool {
        let first = std::mem::replace(&mut self.empty, false);
        match self.op {
            Fold::Sum => self.value = self.value.saturating_add(value),
            Fold::Max => self.value = if first { value } else { self.value.max(value) },
            Fold::Min => self.value = if first { value } else { self.value.min(value) },
            Fold::Count => self.value += (value != 0) as i32,
            Fold::Any => {
                self.value |= (value != 0) as i32;
                return self.value != 0;
            }
        }
        false
    }
}

/// Wraps a seat number past the last seat round to the first.
#[inline]
fn wrap_seat(seat: i32, seats: u32) -> u32 {
    if (seat as u32) < seats { seat as u32 } else { seat as u32 % seats }
}

impl<S: CardSet> Eval<'_, S> {
    #[inline(never)]
    pub(crate) fn over_seats(self, fold: &SeatFold<S>) -> i32 {
        let mut total = Accumulator::new(fold.op);
        for seat in seats_of(self.frame.playing) {
            self.at.spend(1);
            self.at.set(fold.reg, seat as i32);
            if fold.cond.as_ref().is_none_or(|c| c.holds(self)) {
                let value = fold.value.get(self);
                if total.take(value) {
                    break;
                }
            }
        }
        total.value
    }

    /// Returns the playing seats whose instance of a family, one per seat from `base`, holds cards. It evaluates no expression per seat,
    /// because rules ask for it after almost every move.
    #[inline]
    pub(crate) fn holding(self, base: u32) -> u32 {
        let sets = &self.frame.sets[base as usize..base as usize + self.instance().seats];
        let holding = sets.iter().rev().fold(0u32, |mask, set| mask << 1 | !set.is_empty() as u32);
        holding & self.frame.playing
    }

    #[inline]
    pub(super) fn seats_holding(self, any: bool, base: u32) -> i32 {
        let holding = self.holding(base);
        if any { (holding != 0) as i32 } else { holding.count_ones() as i32 }
    }

    #[inline(never)]
    pub(crate) fn over_cards(self, fold: &CardFold<S>) -> i32 {
        let mut total = Accumulator::new(fold.op);
        for card in self.set(&fold.of).iter() {
            self.at.spend(1);
            if self.at.spent() {
                break;
            }
            self.at.set(fold.reg, card as i32);
            let value = fold.value.get(self);
            if total.take(value) {
                break;
            }
        }
        total.value
    }

    #[inline(never)]
    pub(crate) fn over_range(self, fold: &RangeFold<S>) -> i32 {
        let mut total = Accumulator::new(fold.op);
        let (low, high) = (self.num(&fold.low), self.num(&fold.high));
        for n in low..=high {
            self.at.spend(1);
            if self.at.spent() {
                break;
            }
            self.at.set(fold.reg, n);
            if fold.cond.as_ref().is_none_or(|c| c.holds(self)) {
                let value = fold.value.get(self);
                if total.take(value) {
                    break;
                }
            }
        }
        total.value
    }

    #[inline(never)]
    pub(crate) fn first_seat(self, search: &SeatSearch<S>) -> i32 {
        let seats = self.instance().seats as u32;
        let from = wrap_seat(self.num(&search.from).max(0), seats);
        self.search(search, from, false)
    }

    #[inline(never)]
    pub(crate) fn next_seat(self, search: &SeatSearch<S>, back: bool) -> i32 {
        let seats = self.instance().seats as u32;
        let after = self.num(&search.from);
        // After nobody (a negative number) the search begins at seat 0.
        let from = match (after < 0, back) {
            (true, _) => 0,
            (false, false) => wrap_seat(after, seats) + 1,
            (false, true) => wrap_seat(after, seats) + seats - 1,
        };
        self.search(search, if from >= seats { from - seats } else { from }, back)
    }

    /// Returns the first playing seat, from `from` on, that satisfies the condition.
    fn search(self, search: &SeatSearch<S>, from: u32, back: bool) -> i32 {
        if let Some(base) = search.holding
            && !back
        {
            let mask = self.holding(base);
            // The seats from `from` on; if there are none, those before it.
            let later = mask & (u32::MAX << from);
            let found = if later != 0 { later } else { mask };
            return if found == 0 { NONE } else { found.trailing_zeros() as i32 };
        }
        let seats = self.instance().seats as u32;
        let mut seat = from;
        for _ in 0..seats {
            if self.frame.playing >> seat & 1 == 1 {
                self.at.spend(1);
                self.at.set(search.reg, seat as i32);
                if search.cond.as_ref().is_none_or(|c| c.holds(self)) {
                    return seat as i32;
                }
            }
            seat = match back {
                false if seat + 1 == seats => 0,
                false => seat + 1,
                true if seat == 0 => seats - 1,
                true => seat - 1,
            };
        }
        NONE
    }

    /// Returns the playing seats that satisfy the condition, as bits.
    pub fn members(self, members: &Members<S>) -> u32 {
        if let Some(base) = members.holding {
            return self.holding(base);
        }
        let Some(cond) = &members.cond else { return self.frame.playing };
        let mut mask = 0;
        for seat in seats_of(self.frame.playing) {
            self.at.spend(1);
            self.at.set(members.reg, seat as i32);
            mask |= (cond.holds(self) as u32) << seat;
        }
        mask
    }

    #[inline]
    pub fn is_member(self, members: &Members<S>, seat: i32) -> bool {
        if !self.frame.is_playing(seat) {
            return false;
        }
        match &members.cond {
            None => true,
            Some(cond) => {
                self.at.set(members.reg, seat);
                cond.holds(self)
            }
        }
    }
}
