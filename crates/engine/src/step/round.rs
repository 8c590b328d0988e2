//! Goes round the table.

use crate::cardset::CardSet;
use crate::eval::{Eval, Registers};
use crate::frame::Frame;
use crate::instance::code::Members;

/// The cells of a `circle`: where it starts, how many seats have been looked at, whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct Round {
    pub start: usize,
    pub step: usize,
    pub seat: usize,
}

impl Round {
    /// Moves on to the next member; false when the round is done.
    pub fn next<S: CardSet>(self, frame: &mut Frame<S>, at: &Registers<S>, members: &Members<S>) -> bool {
        self.next_by(frame, |frame, seat| {
            at.spend(1);
            Eval { frame, at }.is_member(members, seat as i32)
        })
    }

    /// Likewise, of those who hold cards: whose instance of a family, one per seat from `base`, is not empty.
    #[inline(always)]
    pub fn next_holding<S: CardSet>(self, frame: &mut Frame<S>, base: usize) -> bool {
        self.next_by(frame, |frame, seat| !frame.sets[base + seat].is_empty() && frame.playing >> seat & 1 == 1)
    }

    #[inline(always)]
    fn next_by<S>(self, frame: &mut Frame<S>, member: impl Fn(&Frame<S>, usize) -> bool) -> bool {
        let seats = frame.seats.len();
        let mut looked = frame.cells[self.step].max(0) as usize;
        let mut seat = frame.cells[self.start].max(0) as usize + looked;
        if seat >= seats {
            seat -= seats;
            if seat >= seats {
                seat %= seats;
            }
        }
        while looked < seats {
            looked += 1;
            if member(frame, seat) {
                frame.cells[self.step] = looked as i32;
                frame.cells[self.seat] = seat as i32;
                return true;
            }
            seat += 1;
            if seat == seats {
                seat = 0;
            }
        }
        frame.cells[self.step] = seats as i32;
        false
    }
}
