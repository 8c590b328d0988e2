//! The `circle` instruction, which goes once round the table. The interpreter and compiled instructions share it.

use crate::cardset::CardSet;
use crate::eval::{Eval, Registers};
use crate::frame::Frame;
use crate::instance::expr::Members;

/// The cells of a `circle`: the starting seat, the number of seats that were looked at, and the seat whose turn it is.
#[derive(Clone, Copy)]
pub(crate) struct CircleCells {
    pub start: usize,
    pub step: usize,
    pub seat: usize,
}

impl CircleCells {
    /// Moves on to the next member; returns false when the circle is done.
    pub fn next<S: CardSet>(self, frame: &mut Frame<S>, at: &Registers<S>, members: &Members<S>) -> bool {
        let member = |frame: &Frame<S>, seat: usize| {
            at.spend(1);
            Eval { frame, at }.is_member(members, seat as i32)
        };
        self.next_by(frame, member).is_some()
    }

    /// Moves on to the next seat that holds cards: whose instance of a family, one per seat from `base`, is not empty. Returns that seat.
    #[inline(always)]
    pub fn next_holding<S: CardSet>(self, frame: &mut Frame<S>, base: usize) -> Option<usize> {
        self.next_by(frame, |frame, seat| holds(frame, base, seat))
    }

    /// Like [`Self::next_holding`] if the very next seat holds cards, as it usually does; otherwise returns `None` and changes nothing.
    #[inline(always)]
    pub fn next_neighbour<S: CardSet>(self, frame: &mut Frame<S>, base: usize) -> Option<usize> {
        let (looked, seat) = self.place(frame);
        if looked >= frame.seats.len() || !holds(frame, base, seat) {
            return None;
        }
        frame.cells[self.step] = looked as i32 + 1;
        frame.cells[self.seat] = seat as i32;
        Some(seat)
    }

    /// Returns the number of seats that were looked at, and the next seat.
    #[inline(always)]
    fn place<S>(self, frame: &Frame<S>) -> (usize, usize) {
        let seats = frame.seats.len();
        let looked = frame.cells[self.step].max(0) as usize;
        let mut seat = frame.cells[self.start].max(0) as usize + looked;
        if seat >= seats {
            seat -= seats;
            if seat >= seats {
                seat %= seats;
            }
        }
        (looked, seat)
    }

    #[inline(always)]
    fn next_by<S>(self, frame: &mut Frame<S>, member: impl Fn(&Frame<S>, usize) -> bool) -> Option<usize> {
        let seats = frame.seats.len();
        let (mut looked, mut seat) = self.place(frame);
        while looked < seats {
            looked += 1;
            if member(frame, seat) {
                frame.cells[self.step] = looked as i32;
                frame.cells[self.seat] = seat as i32;
                return Some(seat);
            }
            seat += 1;
            if seat == seats {
                seat = 0;
            }
        }
        frame.cells[self.step] = seats as i32;
        None
    }
}

#[inline(always)]
fn holds<S: CardSet>(frame: &Frame<S>, base: usize, seat: usize) -> bool {
    !frame.sets[base + seat].is_empty() && frame.playing >> seat & 1 == 1
}
