//! Records the raw events of one step, with the state that observers need to follow them one by one.
//!
//! Raw events leave out what nobody may know from the event itself (the order after a shuffle, the origin of a mixed pile). Observers
//! need the result to tell what each viewer sees of it, so the recorder notes it from the frame at that moment. A recording never leaves the
//! engine.

use crate::cardset::CardSet;
use crate::frame::{Frame, List};
use crate::instance::{Instance, NO_LIST};
use crate::sink::{RawEvent, Sink};
use std::sync::Arc;

/// A sink for the events of one step.
#[derive(Debug)]
pub struct Recorder<S> {
    instance: Arc<Instance<S>>,
    pub(super) notes: Vec<Note>,
    op: u32,
}

/// A raw event, with the state after it that observers need.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub raw: RawEvent,
    /// Number of the op in the step; moves with the same number belong together.
    pub op: u32,
    /// For a moved card: the seat that brought it.
    pub by: i8,
    /// For a shuffle or a mix: the changed zones with their cards in order.
    pub piles: Vec<(u16, List)>,
    /// For a mix: the seat that brought each of those cards, in the same order.
    pub bringers: Vec<i8>,
    /// For a roll: the faces of the dice.
    pub faces: Vec<i32>,
    /// For a moved or written card: the text on it.
    pub text: Option<String>,
}

impl<S: CardSet> Recorder<S> {
    pub fn new(instance: &Arc<Instance<S>>) -> Self {
        Self { instance: instance.clone(), notes: Vec::with_capacity(8), op: 0 }
    }

    fn pile(&self, frame: &Frame<S>, zone: u16) -> (u16, List) {
        let at = usize::from(zone);
        (
            zone,
            match self.instance.layout.instances[at].list {
                NO_LIST => frame.sets[at].iter().collect(),
                list => List::from_slice(&frame.lists[list as usize]),
            },
        )
    }
}

impl<S: CardSet> Sink<S> for Recorder<S> {
    const ACTIVE: bool = true;

    fn event(&mut self, frame: &Frame<S>, raw: RawEvent) {
        let mut note =
            Note { op: self.op, by: -1, piles: Vec::new(), bringers: Vec::new(), faces: Vec::new(), text: None, raw };
        match &note.raw {
            RawEvent::CardMoved { card, .. } => {
                note.by = frame.by.get(usize::from(*card)).copied().unwrap_or(-1);
                note.text = frame.written(*card).map(str::to_owned);
            }
            RawEvent::Shuffled { zone } => note.piles = vec![self.pile(frame, *zone)],
            RawEvent::Mixed { to, .. } => {
                note.piles = to.iter().map(|(zone, _)| self.pile(frame, *zone)).collect();
                let cards = note.piles.iter().flat_map(|(_, cards)| cards);
                note.bringers = cards.filter_map(|card| frame.by.get(usize::from(*card)).copied()).collect();
            }
            RawEvent::Rolled { dice, elements } => {
                let base = self.instance.layout.vars[*dice as usize].base;
                note.faces = elements.iter().map(|element| frame.cells[(base + element) as usize]).collect();
            }
            RawEvent::Written { card } => note.text = frame.written(*card).map(str::to_owned),
            _ => {}
        }
        self.notes.push(note);
    }

    fn next_op(&mut self) {
        self.op = self.op.wrapping_add(1);
    }

    fn rollback(&mut self) {
        self.notes.clear();
    }
}
