//! Lists the combinations of parts that depend on one another.

use super::candidates::MAX_LISTED;
use super::{Candidates, Parts, patterns};
use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::instance::question::Offer;
use crate::moves::PartValue;

impl<S: CardSet> Eval<'_, S> {
    /// Adds every combination that continues the parts chosen so far.
    pub(super) fn combinations(self, offer: &Offer<S>, chosen: &mut Parts, list: &mut Vec<Parts>) {
        let Some(lowered) = offer.parts.get(chosen.len()) else {
            list.push(chosen.clone());
            return;
        };
        let values: Vec<PartValue> = match self.candidates(lowered) {
            Candidates::Cards(cards) => cards.iter().map(|card| PartValue::Number(card as i32)).collect(),
            Candidates::Range { low, high } => {
                (low..=high.min(low.saturating_add(MAX_LISTED as i32))).map(PartValue::Number).collect()
            }
            Candidates::Few { low, bits } => {
                bits.iter().map(|at| PartValue::Number(low.wrapping_add(i32::from(at)))).collect()
            }
            Candidates::Values(values) => values.into_iter().map(PartValue::Number).collect(),
            Candidates::Picks { from, low, high, ordered } => {
                let faces = &self.instance().cards.faces;
                patterns::picks(&from, low, high, ordered, faces, MAX_LISTED)
                    .into_iter()
                    .map(PartValue::Cards)
                    .collect()
            }
            Candidates::Sets(sets) => sets.into_iter().map(PartValue::Cards).collect(),
            Candidates::Text { most: 0 } => return,
            // Rules can't read a text, so any text stands for all.
            Candidates::Text { .. } => vec![PartValue::Text(String::new())],
        };
        for value in values {
            self.at.spend(1);
            if list.len() >= MAX_LISTED || self.at.spent() {
                return;
            }
            self.bind_part(lowered, &value);
            if let Some(filter) = &lowered.filter
                && !filter.holds(self)
            {
                continue;
            }
            chosen.push(value);
            self.combinations(offer, chosen, list);
            if let Some(value) = chosen.pop() {
                // Later parts may have overwritten the register of this part's pattern, so it is bound again.
                self.bind_part(lowered, &value);
            }
        }
    }
}
