//! Checks whether the game can go on from a saved table: every index is in range, every card lies in at most one zone, and
//! every value is in the range of its variable.
//!
//! A checksum only finds damaged snapshots. These checks find snapshots that another program wrote or that belong to another
//! game. Such a snapshot must be refused, because the engine indexes by the numbers of a frame without checking them again.

use crate::cardset::CardSet;
use crate::frame::{Ended, Frame, NO_ID, NO_PC, SealedAnswer, Status, seats_of};
use crate::instance::{Instance, NO_LIST};
use crate::moves::PartValue;
use crate::observe::SavedObserver;
use crate::view::Viewer;
use baize_rules::program::Pc;

/// Upper bound on the counters of a frame. They count moves and decisions from 0, so no table reaches it; a counter beyond
/// it could overflow.
const MAX_COUNTER: u32 = u32::MAX / 2;

impl<S: CardSet> Instance<S> {
    /// Whether the rules can go on from this frame.
    pub(crate) fn is_sound(&self, frame: &Frame<S>) -> bool {
        self.has_shape(frame)
            && self.cells_are_sound(frame)
            && self.cards_are_sound(frame)
            && self.seats_are_sound(frame)
            && self.course_is_sound(frame)
            && frame.outcome.as_ref().is_none_or(|ended| self.outcome_is_sound(ended))
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

    /// Whether each cell of a variable holds a value of the variable's range, none, or its first value, and each cell of an
    /// ask its first value, none or a seat.
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

    /// Whether every card lies in at most one zone, and the list of each ordered zone has exactly the cards of its set.
    fn cards_are_sound(&self, frame: &Frame<S>) -> bool {
        let mut placed = S::empty();
        for (zone, set) in frame.sets.iter().enumerate() {
            let Some(instance) = self.layout.instances.get(zone) else {
                // The last set belongs to no zone and is always empty.
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
        let has_cards = |list: &[u16]| list.iter().all(|card| self.has_card(*card));
        frame.face_down.is_subset(&self.cards.all)
            && frame.picked.iter().all(|list| has_cards(list))
            && frame.by.iter().all(|seat| (-1..self.seats as i8).contains(seat))
    }

    fn seats_are_sound(&self, frame: &Frame<S>) -> bool {
        let all = frame.playing | frame.present | frame.person | frame.pending | frame.open | frame.threads;
        all.checked_shr(self.seats as u32).is_none_or(|rest| rest == 0)
            && (-1..self.seats as i8).contains(&frame.lead)
            && seats_of(frame.open).all(|seat| {
                let open = &frame.seats[usize::from(seat)];
                usize::from(open.ask) < self.code.questions.len() && open.decision < MAX_COUNTER
            })
            && frame.seats.iter().all(|seat| self.is_pc(seat.pc))
    }

    /// Whether a line of the code has this pc, or it stands for no line.
    fn is_pc(&self, pc: Pc) -> bool {
        pc == NO_PC || (pc as usize) < self.code.instructions.len()
    }

    fn course_is_sound(&self, frame: &Frame<S>) -> bool {
        let id_fits = |id: u16, len: usize| id == NO_ID || usize::from(id) < len;
        id_fits(frame.asked, self.code.questions.len())
            && id_fits(frame.together, self.code.blocks.len())
            && id_fits(frame.phase, self.program.phases.len())
            && self.is_pc(frame.pc)
            && (frame.status == Status::Ended) == frame.outcome.is_some()
            && (frame.status != Status::Asking || frame.open != 0)
            && (frame.threads == 0 || frame.together != NO_ID)
            && [frame.decision, frame.next_decision, frame.moves].iter().all(|count| *count < MAX_COUNTER)
            && u32::from(frame.skips) < u32::from(u16::MAX)
            && frame.chance < u64::from(MAX_COUNTER)
    }

    fn outcome_is_sound(&self, ended: &Ended) -> bool {
        (ended.winners | ended.losers).checked_shr(self.seats as u32).is_none_or(|rest| rest == 0)
            && ended.score.is_none_or(|shared| (0..=shared.most).contains(&shared.score) && shared.most > 0)
            && self.is_pc(ended.at)
            && ended.fault.is_none_or(|fault| (fault as usize) < self.program.spans.len())
    }

    /// Whether a sealed answer has the parts of an alternative that its question offers, or is a `continue`.
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
            && answer.parts.len() == offer.parts.len()
            && answer.parts.iter().all(part_is_sound)
    }

    /// Whether the observers belong to this game, stand in the order of their viewers, and have seen equally many steps.
    pub(crate) fn observers_are_sound(&self, observers: &[SavedObserver]) -> bool {
        let seat_fits = |viewer: Viewer| !matches!(viewer, Viewer::Seat(seat) if usize::from(seat) >= self.seats);
        let faces = self.cards.faces.iter().map(|face| usize::from(*face) + 1).max().unwrap_or_default();
        observers.is_sorted_by(|a, b| a.viewer < b.viewer)
            && observers.iter().all(|observer| {
                seat_fits(observer.viewer)
                    && observer.seq == observers[0].seq
                    && observer.seq < u64::from(MAX_COUNTER)
                    && observer.handles.are_sound(self.cards.len(), MAX_COUNTER)
                    && observer.knowledge.is_sound(self.zones(), faces, self.seats, self.cards.len())
            })
    }
}

/// Whether a list has every card of a set exactly once, and no other card.
fn is_order_of<S: CardSet>(list: &[u16], set: &S) -> bool {
    let mut left = set.clone();
    list.len() == set.len()
        && list.iter().all(|card| {
            let found = left.contains(*card);
            left.remove(*card);
            found
        })
}
