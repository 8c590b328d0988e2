//! Checks a move, and says precisely why it is refused.

use super::{Candidates, LEGAL_FUEL, Legal};
use crate::cardset::CardSet;
use crate::eval::{Eval, Registers};
use crate::frame::{Frame, Status};
use crate::instance::Instance;
use crate::instance::expr::Script;
use crate::instance::question::{Must, Offer, Slot, SlotKind};
use crate::moves::{CONTINUE, Move, PartValue, Refusal};
use crate::view::RichText;
use std::sync::Arc;

impl<S: CardSet> Instance<S> {
    /// Whether this seat may make this move now.
    pub fn check(&self, frame: &Frame<S>, seat: u8, answer: &Move) -> Result<(), Refusal> {
        match frame.status {
            Status::Lobby => return Err(Refusal::NotStarted),
            Status::Ended => return Err(Refusal::GameOver),
            _ => {}
        }
        if frame.paused {
            return Err(Refusal::Paused);
        }
        if seat as usize >= self.seats {
            return Err(Refusal::SeatUnknown);
        }
        self.check_decision(frame, seat, answer.decision)?;
        self.check_answer(frame, seat, answer, |eval, reason| eval.write_text(reason))
    }

    /// Returns the reason with which a `must` refuses an answer to an open decision; `None` if no `must` refuses it. If the reason reads the
    /// same as `last`, it shares the text.
    pub(crate) fn reason_against(
        &self,
        frame: &Frame<S>,
        seat: u8,
        answer: &Move,
        last: Option<&Arc<RichText>>,
    ) -> Option<Arc<RichText>> {
        let mut found = None;
        let refused = self.check_answer(frame, seat, answer, |eval, reason| {
            found = Some(match last {
                Some(last) if eval.text_matches(reason, last) => last.clone(),
                _ => Arc::new(eval.write_text(reason)),
            });
            RichText::default()
        });
        debug_assert_eq!(found.is_some(), matches!(refused, Err(Refusal::NotLegal(_))));
        found
    }

    /// Whether a move is one of `legal`; cards with the same face are interchangeable.
    pub fn contains(&self, frame: &Frame<S>, legal: &Legal<S>, answer: &Move) -> bool {
        answer.decision == legal.decision
            && self.check_answer(frame, legal.seat, answer, |eval, reason| eval.write_text(reason)).is_ok()
    }

    /// Returns the parts of an alternative, if this seat has this decision open.
    pub(crate) fn asked_slots(
        &self,
        frame: &Frame<S>,
        seat: u8,
        decision: u32,
        alternative: u16,
    ) -> Option<&[Slot<S>]> {
        let asked =
            frame.seats.get(usize::from(seat)).filter(|asked| frame.is_open(seat) && asked.decision == decision)?;
        let question = self.code.questions.get(usize::from(asked.ask))?;
        Some(&question.offers.get(usize::from(alternative))?.slots)
    }

    fn check_decision(&self, frame: &Frame<S>, seat: u8, decision: u32) -> Result<(), Refusal> {
        if frame.is_open(seat) && frame.seats[seat as usize].decision == decision {
            return Ok(());
        }
        if decision == 0 || decision >= frame.next_decision {
            return Err(Refusal::NoDecision);
        }
        if decision == frame.decision && frame.answers.iter().any(|a| a.seat == seat) {
            return Err(Refusal::Answered);
        }
        let open = crate::frame::seats_of(frame.open).any(|s| frame.seats[s as usize].decision == decision);
        // If others still have the decision open, this seat may have had it too, and it was answered or dropped.
        let was_asked = frame.seats[seat as usize].decision == decision;
        Err(match (open, was_asked) {
            (true, true) => Refusal::Answered,
            (true, false) => Refusal::NotYours,
            (false, _) => Refusal::Closed,
        })
    }

    /// Checks an answer to the open decision. `say` writes the reason of a `must`.
    fn check_answer(
        &self,
        frame: &Frame<S>,
        seat: u8,
        answer: &Move,
        say: impl FnOnce(Eval<S>, &Script<S>) -> RichText,
    ) -> Result<(), Refusal> {
        let ask = frame.seats[seat as usize].ask;
        let Some(question) = self.code.questions.get(ask as usize) else { return Err(Refusal::NoDecision) };
        let at = Registers::new(self, seat as i32, LEGAL_FUEL);
        let eval = Eval { frame, at: &at };
        if answer.alternative == CONTINUE {
            let legal = eval.legal(ask, seat);
            return match legal.offers[0].alternative {
                CONTINUE if answer.parts.is_empty() => Ok(()),
                CONTINUE => Err(Refusal::WrongParts),
                _ => Err(Refusal::UnknownAlternative),
            };
        }
        let Some(offer) = question.offers.get(answer.alternative as usize) else {
            return Err(Refusal::UnknownAlternative);
        };
        if offer.slots.len() != answer.parts.len() {
            return Err(Refusal::WrongParts);
        }
        if offer.when.as_ref().is_some_and(|when| !when.holds(eval)) {
            return Err(Refusal::NotNow);
        }
        if offer.if_none && question.offers.iter().any(|o| !o.if_none && eval.offer(o).is_some()) {
            return Err(Refusal::NotNow);
        }
        for (slot, value) in offer.slots.iter().zip(&answer.parts) {
            eval.check_part(slot, value)?;
        }
        match eval.broken_must(offer, answer) {
            Some(rule) => Err(Refusal::NotLegal(say(eval, &rule.reason))),
            None => Ok(()),
        }
    }
}

impl<S: CardSet> Eval<'_, S> {
    /// Checks that a part offers this value, and binds the value for later parts.
    fn check_part(self, slot: &Slot<S>, value: &PartValue) -> Result<(), Refusal> {
        match (&slot.kind, value) {
            (SlotKind::Text(most), PartValue::Text(text)) => {
                let most = self.num(most).max(0) as usize;
                let text = text.trim();
                if text.is_empty() {
                    return Err(Refusal::TextEmpty);
                }
                if text.chars().count() > most {
                    return Err(Refusal::TextTooLong);
                }
                // With a line break or a control character a text could imitate other lines of the table.
                if text.chars().any(char::is_control) {
                    return Err(Refusal::NotACandidate);
                }
            }
            (SlotKind::Text(_), _) | (_, PartValue::Text(_)) => return Err(Refusal::WrongParts),
            (SlotKind::Alike(_) | SlotKind::Run(_), PartValue::Cards(cards)) => self.check_pattern(slot, cards)?,
            (kind, value) => match (self.candidates(slot), value) {
                (Candidates::Cards(cards), PartValue::Number(card)) if cards.has(*card) => {}
                (Candidates::Range { low, high }, PartValue::Number(n)) if (low..=high).contains(n) => {}
                (Candidates::Few { low, bits }, PartValue::Number(n))
                    if u32::try_from(n.wrapping_sub(low)).is_ok_and(|at| at < 64 && bits >> at & 1 == 1) => {}
                (Candidates::Values(values), PartValue::Number(n)) if values.contains(n) => {}
                (Candidates::Picks { from, low, high, .. }, PartValue::Cards(cards)) => {
                    let fits = (low as usize..=high as usize).contains(&cards.len());
                    if !fits || !different(cards, &from) {
                        return Err(Refusal::NotACandidate);
                    }
                }
                (_, PartValue::Number(_))
                    if matches!(kind, SlotKind::Cards { .. } | SlotKind::Alike(_) | SlotKind::Run(_)) =>
                {
                    return Err(Refusal::WrongParts);
                }
                (_, PartValue::Number(_)) => return Err(Refusal::NotACandidate),
                _ => return Err(Refusal::WrongParts),
            },
        }
        self.bind_slot(slot, value);
        match &slot.filter {
            Some(filter) if !filter.holds(self) => Err(Refusal::NotACandidate),
            _ => Ok(()),
        }
    }

    /// Checks cards against a pattern itself and not against the list of candidates, which names only one of several equal cards.
    fn check_pattern(self, slot: &Slot<S>, cards: &[u16]) -> Result<(), Refusal> {
        let (from, low, high) = match &slot.kind {
            SlotKind::Alike(alike) => (self.set(&alike.from), self.num(&alike.low), self.num(&alike.high)),
            SlotKind::Run(run) => (self.set(&run.from), self.num(&run.low), self.num(&run.high)),
            _ => return Err(Refusal::WrongParts),
        };
        let count = cards.len().min(i32::MAX as usize) as i32;
        let fits = (low.max(1)..=high).contains(&count) && different(cards, &from);
        if fits && self.pattern_value(&slot.kind, cards).is_some() { Ok(()) } else { Err(Refusal::NotACandidate) }
    }

    /// Returns the first `must` that an answer breaks. The parts stay bound, because the reason may read them.
    fn broken_must<'o>(self, offer: &'o Offer<S>, answer: &Move) -> Option<&'o Must<S>> {
        let mut narrowed = None;
        for (i, rule) in offer.musts.iter().enumerate() {
            self.bind(offer, &answer.parts);
            if !self.applies(rule) || rule.cond.holds(self) {
                continue;
            }
            // The answer breaks the `must`. If it says `if able`, check whether the seat is able.
            if rule.if_able {
                let bits = *narrowed.get_or_insert_with(|| self.offer(offer).map_or(0, |(_, bits)| bits));
                if 1u64.checked_shl(i as u32).is_none_or(|bit| bits & bit == 0) {
                    continue;
                }
            }
            self.bind(offer, &answer.parts);
            return Some(rule);
        }
        None
    }
}

fn different<S: CardSet>(cards: &[u16], from: &S) -> bool {
    let chosen = S::from_cards(cards.iter().copied().filter(|c| from.has(*c as i32)));
    chosen.len() == cards.len()
}
