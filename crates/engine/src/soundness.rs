//! Whether a saved table is one that this game can go on from: nothing in it points outside, every card lies in one place, and
//! every value is one that its variable can have.
//!
//! A checksum tells a damaged snapshot from a whole one. This tells a snapshot of ours from one that somebody else has written, or
//! that is of another game: it must be refused, for the engine indexes what it has checked once without looking again.

use crate::cardset::CardSet;
use crate::frame::{Ended, Frame, NO_ID, NO_PC, SealedAnswer, Status, seats_of};
use crate::instance::{Instance, NO_LIST};
use crate::moves::PartValue;
use crate::observe::SavedObserver;
use crate::view::Viewer;
use baize_rules::program::Pc;

/// Counters in a frame start at 0 and count moves and cards. So far no table can come, and beyond it they could overflow.
const MOST: u32 = u32::MAX / 2;

impl<S: CardSet> Instance<S> {
    /// Whether the rules can go on from this frame.
    pub(crate) fn is_sound(&self, frame: &Frame<S>) -> bool {
        self.has_shape(frame)
            && self.cells_are_sound(frame)
            && self.cards_are_sound(frame)
            && self.seats_are_sound(frame)
            && self.course_is_sound(frame)
            && frame.outcome.as_ref().is_none_or(|ended| self.ending_is_sound(ended))
            && frame.answers.iter().all(|answer| self.answer_is_sound(frame, answer))
            && frame.texts.as_ref().is_none_or(|texts| {
                texts.written.is_sorted_by(|a, b| a.0 < b.0)
                    && texts.written.iter().all(|(card, _)| self.has_card(*card))
            })
    }

    fn has_shape(&self, frame: &Frame<S>) -> bool {
        let model = self.frame();
        frame.cells.len() == model.cells.len()
            && frame.sets.len() == model.sets.len()
            && frame.lists.len() == model.lists.len()
            && frame.by.len() == model.by.len()
            && frame.picked.len() == model.picked.len()
            && frame.seats.len() == model.seats.len()
    }

    /// A cell holds what it began with, nothing, or a value of its variable; the cells of asks hold a seat.
    fn cells_are_sound(&self, frame: &Frame<S>) -> bool {
        let model = self.frame();
        let variables = self.layout.vars.iter().all(|var| {
            let cells = var.base as usize..(var.base + var.len) as usize;
            cells.into_iter().all(|cell| {
                let value = frame.cells[cell];
                (var.low..=var.high).contains(&value) || value == var.none || value == model.cells[cell]
            })
        });
        let asks = frame.cells.iter().zip(&model.cells).skip(self.layout.cells as usize);
        variables && asks.into_iter().all(|(value, first)| value == first || (-1..self.seats as i32).contains(value))
    }

    fn has_card(&self, card: u16) -> bool {
        usize::from(card) < self.cards.len()
    }

    /// Every card lies in one zone at most; what keeps an order keeps it of the cards it has.
    fn cards_are_sound(&self, frame: &Frame<S>) -> bool {
        let mut placed = S::empty();
        for (zone, set) in frame.sets.iter().enumerate() {
            let Some(instance) = self.layout.instances.get(zone) else {
                // The last set is no zone.
                if set.is_empty() {
                    continue;
                }
                return false;
            };
            if !set.is_subset(&self.cards.all) || placed.intersects(set) {
                return false;
            }
            placed = placed.or(set);
            if instance.list != NO_LIST && !is_order_of(&frame.lists[instance.list as usize], set) {
                return false;
            }
        }
        let known = |list: &[u16]| list.iter().all(|card| self.has_card(*card));
        frame.face_down.is_subset(&self.cards.all)
            && frame.picked.iter().all(|list| known(list))
            && frame.by.iter().all(|seat| (-1..self.seats as i8).contains(seat))
    }

    fn seats_are_sound(&self, frame: &Frame<S>) -> bool {
        let all = frame.playing | frame.present | frame.person | frame.pending | frame.open | frame.threads;
        all.checked_shr(self.seats as u32).is_none_or(|rest| rest == 0)
            && (-1..self.seats as i8).contains(&frame.lead)
            && seats_of(frame.open).all(|seat| {
                let asked = &frame.seats[usize::from(seat)];
                usize::from(asked.ask) < self.code.questions.len() && asked.decision < MOST
            })
            && frame.seats.iter().all(|seat| self.is_place(seat.pc))
    }

    /// A line of the rules, or none.
    fn is_place(&self, pc: Pc) -> bool {
        pc == NO_PC || (pc as usize) < self.code.lines.len()
    }

    fn course_is_sound(&self, frame: &Frame<S>) -> bool {
        let id_fits = |id: u16, len: usize| id == NO_ID || usize::from(id) < len;
        id_fits(frame.asked, self.code.questions.len())
            && id_fits(frame.together, self.code.blocks.len())
            && id_fits(frame.phase, self.program.phases.len())
            && self.is_place(frame.pc)
            && (frame.status == Status::Ended) == frame.outcome.is_some()
            && (frame.status != Status::Asking || frame.open != 0)
            && (frame.threads == 0 || frame.together != NO_ID)
            && [frame.decision, frame.next_decision, frame.moves].iter().all(|count| *count < MOST)
            && u32::from(frame.skips) < u32::from(u16::MAX)
            && frame.chance < u64::from(MOST)
    }

    fn ending_is_sound(&self, ended: &Ended) -> bool {
        (ended.winners | ended.losers).checked_shr(self.seats as u32).is_none_or(|rest| rest == 0)
            && self.is_place(ended.at)
            && ended.fault.is_none_or(|fault| (fault as usize) < self.program.spans.len())
    }

    /// A sealed answer is one of those that its question offers.
    fn answer_is_sound(&self, frame: &Frame<S>, SealedAnswer { seat, answer }: &SealedAnswer) -> bool {
        let Some(ask) = self.sealed_ask(frame) else { return false };
        let question = self.code.questions.get(usize::from(ask));
        let Some(offer) = question.and_then(|question| question.offers.get(usize::from(answer.alternative))) else {
            return usize::from(*seat) < self.seats && answer.alternative == crate::moves::CONTINUE;
        };
        let part_is_sound = |part: &PartValue| match part {
            PartValue::Cards(cards) => cards.iter().all(|card| self.has_card(*card)),
            PartValue::Number(_) | PartValue::Text(_) => true,
        };
        usize::from(*seat) < self.seats
            && answer.parts.len() == offer.slots.len()
            && answer.parts.iter().all(part_is_sound)
    }

    /// Whether these are those who look at a table of this game, in their order and after the same number of steps.
    pub(crate) fn observers_are_sound(&self, observers: &[SavedObserver]) -> bool {
        let seat_fits = |viewer: Viewer| !matches!(viewer, Viewer::Seat(seat) if usize::from(seat) >= self.seats);
        let faces = self.cards.faces.iter().map(|face| usize::from(*face) + 1).max().unwrap_or_default();
        observers.is_sorted_by(|a, b| a.viewer < b.viewer)
            && observers.iter().all(|observer| {
                seat_fits(observer.viewer)
                    && observer.seq == observers[0].seq
                    && observer.seq < u64::from(MOST)
                    && observer.handles.are_sound(self.cards.len(), MOST)
                    && observer.knowledge.is_sound(self.zones(), faces, self.seats, self.cards.len())
            })
    }
}

/// Whether a list has every card of a set once.
fn is_order_of<S: CardSet>(list: &[u16], set: &S) -> bool {
    let mut left = set.clone();
    list.len() == set.len()
        && list.iter().all(|card| {
            let there = left.contains(*card);
            left.remove(*card);
            there
        })
}
