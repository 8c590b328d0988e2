//! Writes variables, stored selections and texts.

use super::Interpreter;
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::{List, Texts};
use crate::instance::expr::{Cell, VariableTarget};
use crate::instance::question::{LoweredPartKind, PartTarget, PickedPlace};
use crate::moves::{Move, PartValue};
use crate::sink::{RawEvent, Sink};
use baize_rules::program::{AskId, NONE, NONE_VALUE, VarId};

impl<S: CardSet, C: Chance, K: Sink<S>> Interpreter<'_, S, C, K> {
    #[inline(always)]
    pub(super) fn store(&mut self, target: &VariableTarget<S>, value: i32) {
        if !K::ACTIVE
            && let Cell::At(cell) = &target.cell
        {
            self.frame.cells[*cell as usize] = value.max(target.low).min(target.high);
        } else {
            self.store_anywhere(target, value);
        }
    }

    #[inline(never)]
    fn store_anywhere(&mut self, target: &VariableTarget<S>, value: i32) {
        if let Some(cell) = self.eval().cell(&target.cell) {
            if K::ACTIVE && value != value.clamp(target.low, target.high) {
                self.sink.value_clamped(target.var);
            }
            self.put(cell as u32, value.clamp(target.low, target.high), target.var, target.shown);
        }
    }

    /// Sets a cell of a variable, and tells the sink if views show the variable.
    #[inline(always)]
    pub(super) fn put(&mut self, cell: u32, value: i32, var: VarId, shown: bool) {
        let before = std::mem::replace(&mut self.frame.cells[cell as usize], value);
        if K::ACTIVE && shown && before != value {
            let element = cell - self.instance.layout.vars[var as usize].base;
            self.tell(|| RawEvent::CellSet { var, element, value });
        }
    }

    #[inline]
    pub(super) fn add(&mut self, target: &VariableTarget<S>, value: i32) {
        if let Some(cell) = self.eval().cell(&target.cell) {
            let sum = self.frame.cells[cell].saturating_add(value);
            self.store(target, sum);
        }
    }

    /// Stores the parts of an answer where its body reads them. `resolved` says that unseen cards are card numbers already.
    pub(super) fn load(&mut self, ask: AskId, answer: &Move, resolved: bool) {
        let offer = &self.instance.code.questions[ask as usize].offers[answer.alternative as usize];
        for (lowered, value) in offer.parts.iter().zip(&answer.parts) {
            match (&lowered.store, value) {
                (PartTarget::Value(target), PartValue::Number(n)) => {
                    let n = match &lowered.kind {
                        LoweredPartKind::Unseen(spot) if !resolved => {
                            let zone = self.eval().spot(spot);
                            self.eval().card_at(zone, *n)
                        }
                        _ => *n,
                    };
                    // A later part may name a zone by this one: `player r from players, unseen d from hand[r]`.
                    self.at.set(lowered.reg, n);
                    self.store(target, n);
                }
                (PartTarget::Cards { place, value: target }, PartValue::Cards(cards)) => {
                    if let Some(target) = target {
                        let value = self.eval().pattern_value(&lowered.kind, cards).unwrap_or(NONE_VALUE);
                        self.store(target, value);
                    }
                    let at = match place {
                        PickedPlace::At(at) => Some(*at as usize),
                        PickedPlace::Of { base, seat } => {
                            let seat = self.num(seat);
                            (0..self.instance.seats as i32).contains(&seat).then(|| *base as usize + seat as usize)
                        }
                        PickedPlace::Nowhere => None,
                    };
                    if let Some(picked) = at.and_then(|at| self.frame.picked.get_mut(at)) {
                        *picked = List::from_slice(cards);
                    }
                }
                (PartTarget::Text(cell), PartValue::Text(text)) => {
                    if let Some(cell) = self.eval().cell(cell) {
                        let texts = self.frame.texts.get_or_insert_default();
                        texts.typed.push(text.trim().to_owned());
                        self.frame.cells[cell] = texts.typed.len() as i32;
                    }
                }
                // A checked answer has the right kind of value for each part.
                _ => {}
            }
        }
    }

    /// Writes a text on a blank card.
    pub(super) fn write(&mut self, text: i32, card: i32) {
        if !self.instance.cards.blank.has(card) {
            return;
        }
        let Some(text) = self.frame.typed_text(text).map(str::to_owned) else { return };
        let card = card as u16;
        let texts: &mut Texts = self.frame.texts.get_or_insert_default();
        match texts.written.binary_search_by_key(&card, |(c, _)| *c) {
            Ok(at) => texts.written[at].1 = text,
            Err(at) => texts.written.insert(at, (card, text)),
        }
        self.tell(|| RawEvent::Written { card });
    }
}

impl<S: CardSet> crate::eval::Eval<'_, S> {
    /// Returns the card at a position of an instance, in its order; NONE if the position is out of range.
    pub fn card_at(self, zone: usize, at: i32) -> i32 {
        let Ok(at) = usize::try_from(at) else { return NONE };
        let card = match self.list_of(zone) {
            Some(list) => list.get(at).copied(),
            None => self.frame.sets[zone].nth(at),
        };
        card.map_or(NONE, |card| card as i32)
    }
}
