//! Finds the candidates of one part of an alternative.

use super::patterns::{self, Pick};
use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::instance::question::{LoweredPart, LoweredPartKind, Offer, PartCondition};
use crate::moves::PartValue;

/// Upper bound on listed numbers and selections. A move that is not listed for this reason is still accepted.
pub const MAX_LISTED: usize = 20_000;

/// The candidates of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Candidates<S> {
    Cards(S),
    Range {
        low: i32,
        high: i32,
    },
    /// The numbers `low + i` for each bit `i` that is set.
    Few {
        low: i32,
        bits: u64,
    },
    Values(Vec<i32>),
    /// Any selection of `low..=high` different cards of a set.
    Picks {
        from: S,
        low: u32,
        high: u32,
        ordered: bool,
    },
    /// One of these selections.
    Sets(Vec<Pick>),
    Text {
        most: u32,
    },
}

impl<S: CardSet> Candidates<S> {
    pub fn is_empty(&self) -> bool {
        match self {
            Candidates::Cards(cards) => cards.is_empty(),
            Candidates::Range { low, high } => low > high,
            Candidates::Few { bits, .. } => *bits == 0,
            Candidates::Values(values) => values.is_empty(),
            Candidates::Picks { from, low, high, .. } => low > high || *low as usize > from.len(),
            Candidates::Sets(sets) => sets.is_empty(),
            Candidates::Text { most } => *most == 0,
        }
    }
}

impl<S: CardSet> Eval<'_, S> {
    /// Returns the cards among which a part lets its player pick; `None` if the part is not about cards.
    pub(crate) fn source(self, lowered: &LoweredPart<S>) -> Option<S> {
        match &lowered.kind {
            LoweredPartKind::Card(from) | LoweredPartKind::Cards { from, .. } => Some(self.set(from)),
            LoweredPartKind::Alike(alike) => Some(self.set(&alike.from)),
            LoweredPartKind::Run(run) => Some(self.set(&run.from)),
            _ => None,
        }
    }

    /// Returns the candidates of a part before its filter, given the parts before it.
    pub(super) fn candidates(self, lowered: &LoweredPart<S>) -> Candidates<S> {
        match &lowered.kind {
            LoweredPartKind::Card(from) => Candidates::Cards(self.set(from)),
            LoweredPartKind::Unseen(spot) => {
                let zone = self.spot(spot);
                Candidates::Range { low: 0, high: self.frame.sets[zone].len() as i32 - 1 }
            }
            LoweredPartKind::Cards { low, high, from, ordered } => {
                let from = self.set(from);
                let low = self.num(low).max(0) as u32;
                let high = (self.num(high).max(0) as u32).min(from.len() as u32);
                Candidates::Picks { from, low, high, ordered: *ordered }
            }
            LoweredPartKind::Alike(alike) => Candidates::Sets(self.alike_sets(alike)),
            LoweredPartKind::Run(run) => Candidates::Sets(self.runs(run)),
            LoweredPartKind::Number { low, high } => Candidates::Range { low: self.num(low), high: self.num(high) },
            LoweredPartKind::Range { low, high, .. } => Candidates::Range { low: *low, high: *high },
            LoweredPartKind::Player(members) => Candidates::Few { low: 0, bits: u64::from(self.members(members)) },
            LoweredPartKind::Text(most) => Candidates::Text { most: self.num(most).max(0) as u32 },
            LoweredPartKind::Dice { count, .. } => Candidates::Range { low: 0, high: (1i32 << count) - 1 },
        }
    }

    /// Returns the candidates that satisfy a condition that depends on no other part.
    pub(super) fn narrow(
        self,
        lowered: &LoweredPart<S>,
        found: Candidates<S>,
        cond: &PartCondition<S>,
    ) -> Candidates<S> {
        match (found, &cond.test) {
            (Candidates::Cards(cards), Some(test)) => Candidates::Cards(self.restrict(test, cards)),
            (Candidates::Cards(cards), None) => {
                let mut left = cards.clone();
                for card in cards.iter() {
                    if !self.passes(lowered, &PartValue::Number(card as i32), cond) {
                        left.remove(card);
                    }
                }
                Candidates::Cards(left)
            }
            (Candidates::Range { low, high }, _) if (high as i64 - low as i64) < 64 => {
                let bits = if low > high { 0 } else { u64::MAX >> (63 - (high - low)) };
                self.narrow_few(lowered, low, bits, cond)
            }
            (Candidates::Few { low, bits }, _) => self.narrow_few(lowered, low, bits, cond),
            (Candidates::Range { low, high }, _) => {
                let high = high.min(low.saturating_add(MAX_LISTED as i32));
                let values = (low..=high).filter(|n| self.passes(lowered, &PartValue::Number(*n), cond)).collect();
                Candidates::Values(values)
            }
            (Candidates::Values(mut values), _) => {
                values.retain(|n| self.passes(lowered, &PartValue::Number(*n), cond));
                Candidates::Values(values)
            }
            (Candidates::Picks { from, low, high, ordered }, _) => {
                let faces = &self.instance().cards.faces;
                let mut sets = patterns::picks(&from, low, high, ordered, faces, MAX_LISTED);
                sets.retain(|set| self.passes(lowered, &PartValue::Cards(set.clone()), cond));
                Candidates::Sets(sets)
            }
            (Candidates::Sets(mut sets), _) => {
                sets.retain(|set| self.passes(lowered, &PartValue::Cards(set.clone()), cond));
                Candidates::Sets(sets)
            }
            (Candidates::Text { most }, _) => {
                let most = if cond.holds(self) { most } else { 0 };
                Candidates::Text { most }
            }
        }
    }

    fn narrow_few(self, lowered: &LoweredPart<S>, low: i32, bits: u64, cond: &PartCondition<S>) -> Candidates<S> {
        // The condition asks for values that some card of a zone has, so that one pass over the cards finds all of them.
        if let Some(had) = &cond.had
            && let (spot, attr, reg) = &**had
            && *reg == lowered.reg
            && let Some(table) = self.instance().cards.attrs.get(*attr as usize)
            && table.listed()
        {
            let cards = &self.frame.sets[self.spot(spot)];
            self.at.spend(1);
            let had = cards.iter().fold(0u64, |had, card| {
                let at = table.values[card as usize].wrapping_sub(low) as u32;
                had | 1u64.checked_shl(at).unwrap_or(0)
            });
            let left = bits & had;
            return Candidates::Few { low, bits: left };
        }
        let passes = |at: &u16| self.number_passes(lowered, low.wrapping_add(i32::from(*at)), cond);
        let left = bits.iter().filter(passes).fold(0, |left, at| left | 1 << at);
        Candidates::Few { low, bits: left }
    }

    fn number_passes(self, lowered: &LoweredPart<S>, n: i32, cond: &PartCondition<S>) -> bool {
        if let LoweredPartKind::Unseen(_) = lowered.kind {
            return self.passes(lowered, &PartValue::Number(n), cond);
        }
        self.at.spend(1);
        self.at.set(lowered.reg, n);
        !self.at.spent() && cond.holds(self)
    }

    pub(super) fn passes(self, lowered: &LoweredPart<S>, value: &PartValue, cond: &PartCondition<S>) -> bool {
        self.at.spend(1);
        self.bind_part(lowered, value);
        !self.at.spent() && cond.holds(self)
    }

    /// Puts a candidate into the registers that conditions read.
    pub(crate) fn bind_part(self, lowered: &LoweredPart<S>, value: &PartValue) {
        match (value, &lowered.kind) {
            (PartValue::Number(at), LoweredPartKind::Unseen(spot)) => {
                let zone = self.spot(spot);
                let card = self.card_at(zone, *at);
                self.at.set(lowered.reg, card);
            }
            (PartValue::Number(n), _) => self.at.set(lowered.reg, *n),
            (PartValue::Cards(cards), kind) => {
                self.at.set_pick(lowered.reg, cards);
                if let Some(reg) = kind.value_reg() {
                    let value = self.pattern_value(kind, cards).unwrap_or(baize_rules::program::NONE_VALUE);
                    self.at.set(reg, value);
                }
            }
            (PartValue::Text(_), _) => {}
        }
    }

    pub(super) fn bind(self, offer: &Offer<S>, parts: &[PartValue]) {
        for (lowered, value) in offer.parts.iter().zip(parts) {
            self.bind_part(lowered, value);
        }
    }
}

impl<S> LoweredPartKind<S> {
    fn value_reg(&self) -> Option<crate::instance::context::Reg> {
        match self {
            LoweredPartKind::Alike(alike) => Some(alike.value),
            LoweredPartKind::Run(run) => Some(run.value),
            _ => None,
        }
    }
}
