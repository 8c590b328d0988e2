//! Checks a move, and says precisely why it is refused.

use super::{Candidates, LEGAL_FUEL, Legal, Moves, Parts};
use crate::cardset::CardSet;
use crate::eval::{Eval, Registers};
use crate::frame::{Frame, Status};
use crate::instance::Instance;
use crate::instance::expr::Script;
use crate::instance::question::{LoweredPart, LoweredPartKind, Must, Offer};
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
        self.check_offered(frame, seat, answer)
    }

    /// Checks an answer to the open decision. As long as the budget lasts, the rules are asked about this one answer. If it runs out for
    /// the answer or for the list of all answers, the list decides, because then one answer alone may cost less than all together,
    /// and the table would accept what it does not offer.
    fn check_offered(&self, frame: &Frame<S>, seat: u8, answer: &Move) -> Result<(), Refusal> {
        let at = Registers::new(self, seat as i32, LEGAL_FUEL);
        let checked = self.check_answer(Eval { frame, at: &at }, seat, answer, |eval, reason| eval.write_text(reason));
        let all_at = Registers::new(self, seat as i32, LEGAL_FUEL);
        let legal = Eval { frame, at: &all_at }.legal(frame.seats[seat as usize].ask, seat);
        if !at.spent() && !all_at.spent() {
            return checked;
        }
        at.refuel(LEGAL_FUEL);
        match (Eval { frame, at: &at }).lists(&legal, answer) {
            true => Ok(()),
            false => Err(checked.err().unwrap_or(Refusal::NotACandidate)),
        }
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
        let at = Registers::new(self, seat as i32, LEGAL_FUEL);
        let refused = self.check_answer(Eval { frame, at: &at }, seat, answer, |eval, reason| {
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
        answer.decision == legal.decision && self.check_offered(frame, legal.seat, answer).is_ok()
    }

    /// Returns the parts of an alternative, if this seat has this decision open.
    pub(crate) fn asked_parts(
        &self,
        frame: &Frame<S>,
        seat: u8,
        decision: u32,
        alternative: u16,
    ) -> Option<&[LoweredPart<S>]> {
        let asked =
            frame.seats.get(usize::from(seat)).filter(|asked| frame.is_open(seat) && asked.decision == decision)?;
        let question = self.code.questions.get(usize::from(asked.ask))?;
        Some(&question.offers.get(usize::from(alternative))?.parts)
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

    /// Checks one answer to the open decision. `say` writes the reason of a `must`.
    fn check_answer(
        &self,
        eval: Eval<S>,
        seat: u8,
        answer: &Move,
        say: impl FnOnce(Eval<S>, &Script<S>) -> RichText,
    ) -> Result<(), Refusal> {
        let ask = eval.frame.seats[seat as usize].ask;
        let Some(question) = self.code.questions.get(ask as usize) else { return Err(Refusal::NoDecision) };
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
        if offer.parts.len() != answer.parts.len() {
            return Err(Refusal::WrongParts);
        }
        if offer.when.as_ref().is_some_and(|when| !when.holds(eval)) {
            return Err(Refusal::NotNow);
        }
        if offer.if_none && question.offers.iter().any(|o| !o.if_none && eval.offer(o).is_some()) {
            return Err(Refusal::NotNow);
        }
        for (lowered, value) in offer.parts.iter().zip(&answer.parts) {
            eval.check_part(lowered, value)?;
        }
        match eval.broken_must(offer, answer) {
            Some(must) => Err(Refusal::NotLegal(say(eval, &must.reason))),
            None => Ok(()),
        }
    }
}

impl<S: CardSet> Eval<'_, S> {
    /// Checks that a part offers this value, and binds the value for later parts.
    fn check_part(self, lowered: &LoweredPart<S>, value: &PartValue) -> Result<(), Refusal> {
        match (&lowered.kind, value) {
            (LoweredPartKind::Text(most), text @ PartValue::Text(_)) => {
                check_text(text, self.num(most).max(0) as usize)?
            }
            (LoweredPartKind::Text(_), _) | (_, PartValue::Text(_)) => return Err(Refusal::WrongParts),
            (LoweredPartKind::Alike(_) | LoweredPartKind::Run(_), PartValue::Cards(cards)) => {
                self.check_pattern(lowered, cards)?
            }
            (kind, value) => match (self.candidates(lowered), value) {
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
                    if matches!(
                        kind,
                        LoweredPartKind::Cards { .. } | LoweredPartKind::Alike(_) | LoweredPartKind::Run(_)
                    ) =>
                {
                    return Err(Refusal::WrongParts);
                }
                (_, PartValue::Number(_)) => return Err(Refusal::NotACandidate),
                _ => return Err(Refusal::WrongParts),
            },
        }
        self.bind_part(lowered, value);
        match &lowered.filter {
            Some(filter) if !filter.holds(self) => Err(Refusal::NotACandidate),
            _ => Ok(()),
        }
    }

    /// Checks cards against a pattern itself and not against the list of candidates, which names only one of several equal cards.
    fn check_pattern(self, lowered: &LoweredPart<S>, cards: &[u16]) -> Result<(), Refusal> {
        let (from, low, high) = match &lowered.kind {
            LoweredPartKind::Alike(alike) => (self.set(&alike.from), self.num(&alike.low), self.num(&alike.high)),
            LoweredPartKind::Run(run) => (self.set(&run.from), self.num(&run.low), self.num(&run.high)),
            _ => return Err(Refusal::WrongParts),
        };
        let count = cards.len().min(i32::MAX as usize) as i32;
        let fits = (low.max(1)..=high).contains(&count) && different(cards, &from);
        if fits && self.pattern_value(&lowered.kind, cards).is_some() { Ok(()) } else { Err(Refusal::NotACandidate) }
    }

    /// Whether an answer is among the legal ones. A list names one of several cards that look the same in one zone; the others may be named
    /// as well, as far as the part lets its player pick them.
    fn lists(self, legal: &Legal<S>, answer: &Move) -> bool {
        let Some(offer) = legal.offers.iter().find(|offer| offer.alternative == answer.alternative) else {
            return false;
        };
        let question = &self.instance().code.questions[usize::from(legal.ask)];
        let lowered = question.offers.get(usize::from(answer.alternative)).map_or(&[][..], |offer| &offer.parts);
        if lowered.len() != answer.parts.len() {
            return false;
        }
        match &offer.moves {
            Moves::Plain => true,
            Moves::Card(cards) => matches!(answer.parts[..], [PartValue::Number(card)] if cards.has(card)),
            Moves::Product(parts) => {
                let values = lowered.iter().zip(&answer.parts);
                parts
                    .iter()
                    .zip(values)
                    .all(|(candidates, (lowered, value))| self.has_candidate(lowered, candidates, value))
            }
            Moves::List(list) => {
                let may_be_picked = lowered.iter().zip(&answer.parts).all(|(lowered, value)| {
                    let fits = self.may_be_picked(lowered, value);
                    self.bind_part(lowered, value);
                    fits
                });
                let looks = |parts: &[PartValue]| -> Vec<_> {
                    lowered.iter().zip(parts).map(|(lowered, value)| self.looks(lowered, value)).collect()
                };
                let wanted = looks(&answer.parts);
                may_be_picked && list.iter().any(|parts: &Parts| looks(parts) == wanted)
            }
        }
    }

    fn has_candidate(self, lowered: &LoweredPart<S>, candidates: &Candidates<S>, value: &PartValue) -> bool {
        match (candidates, value) {
            (Candidates::Cards(cards), PartValue::Number(card)) => cards.has(*card),
            (Candidates::Range { low, high }, PartValue::Number(n)) => (low..=high).contains(&n),
            (Candidates::Few { low, bits }, PartValue::Number(n)) => {
                u32::try_from(n.wrapping_sub(*low)).is_ok_and(|at| at < 64 && bits >> at & 1 == 1)
            }
            (Candidates::Values(values), PartValue::Number(n)) => values.contains(n),
            (Candidates::Picks { from, low, high, .. }, PartValue::Cards(cards)) => {
                (*low as usize..=*high as usize).contains(&cards.len()) && different(cards, from)
            }
            (Candidates::Sets(sets), PartValue::Cards(cards)) => {
                let looks = |cards: &[u16]| self.looks_of_cards(lowered, cards);
                let wanted = looks(cards);
                self.may_be_picked(lowered, value) && sets.iter().any(|set| looks(set) == wanted)
            }
            (Candidates::Text { most }, value) => *most > 0 && check_text(value, *most as usize).is_ok(),
            _ => false,
        }
    }

    /// Whether the cards of a part are among those from which its player picks; true for parts that are not about cards.
    fn may_be_picked(self, lowered: &LoweredPart<S>, value: &PartValue) -> bool {
        match (value, self.source(lowered)) {
            (PartValue::Number(card), Some(from)) => from.has(*card),
            (PartValue::Cards(cards), Some(from)) => different(cards, &from),
            (PartValue::Text(_), _) => match &lowered.kind {
                LoweredPartKind::Text(most) => check_text(value, self.num(most).max(0) as usize).is_ok(),
                _ => false,
            },
            (PartValue::Number(_), None) => true,
            (PartValue::Cards(_), None) => false,
        }
    }

    /// Returns a value with each card replaced by its place and its looks. All texts look the same, because the rules can't read them.
    fn looks(self, lowered: &LoweredPart<S>, value: &PartValue) -> Vec<Look> {
        match (value, &lowered.kind) {
            (PartValue::Number(card), LoweredPartKind::Card(_)) => vec![self.look(*card as u16)],
            (PartValue::Number(n), _) => vec![(None, Some(*n))],
            (PartValue::Cards(cards), _) => self.looks_of_cards(lowered, cards),
            (PartValue::Text(_), _) => Vec::new(),
        }
    }

    fn looks_of_cards(self, lowered: &LoweredPart<S>, cards: &[u16]) -> Vec<Look> {
        let mut looks: Vec<Look> = cards.iter().map(|card| self.look(*card)).collect();
        if !matches!(lowered.kind, LoweredPartKind::Cards { ordered: true, .. }) {
            looks.sort_unstable();
        }
        looks
    }

    fn look(self, card: u16) -> Look {
        let shown = !self.frame.face_down.contains(card) && usize::from(card) < self.instance().cards.len();
        (self.frame.locate(card), shown.then(|| i32::from(self.instance().face(card))))
    }

    /// Returns the first `must` that an answer breaks. The parts stay bound, because the reason may read them.
    fn broken_must<'o>(self, offer: &'o Offer<S>, answer: &Move) -> Option<&'o Must<S>> {
        let mut narrowed = None;
        for (i, must) in offer.musts.iter().enumerate() {
            self.bind(offer, &answer.parts);
            if !self.applies(must) || must.cond.holds(self) {
                continue;
            }
            // The answer breaks the `must`. If it says `if able`, check whether the seat is able.
            if must.if_able {
                let bits = *narrowed.get_or_insert_with(|| self.offer(offer).map_or(0, |(_, bits)| bits));
                if 1u64.checked_shl(i as u32).is_none_or(|bit| bits & bit == 0) {
                    continue;
                }
            }
            self.bind(offer, &answer.parts);
            return Some(must);
        }
        None
    }
}

/// The zone of a card and its face, if the card does not lie face down; for numbers, the number.
type Look = (Option<usize>, Option<i32>);

fn check_text(value: &PartValue, most: usize) -> Result<(), Refusal> {
    let PartValue::Text(text) = value else { return Err(Refusal::WrongParts) };
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
    Ok(())
}

fn different<S: CardSet>(cards: &[u16], from: &S) -> bool {
    let chosen = S::from_cards(cards.iter().copied().filter(|c| from.has(*c as i32)));
    chosen.len() == cards.len()
}
