//! Counts legal moves and picks one of them: by number, at random, or the default.

use super::patterns::Pick as CardPick;
use super::{Candidates, Legal, LegalOffer, Moves, Parts};
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::instance::Instance;
use crate::moves::{Move, PartValue};
use baize_rules::program::{AttrId, DefaultPick};
use smallvec::{SmallVec, smallvec};

/// The text of a text part that nobody has written.
pub const NO_TEXT: &str = "…";

impl<S: CardSet> Legal<S> {
    /// Returns the number of legal moves; all texts count as one.
    #[inline]
    pub fn count(&self) -> u64 {
        self.offers.iter().fold(0, |n, offer| n.saturating_add(offer.count()))
    }

    /// Returns the `index`-th move, in the order of alternatives, or the last one if there are fewer. Texts are "…".
    #[inline]
    pub fn nth(&self, mut index: u64) -> Move {
        let mut last = &self.offers[0];
        for offer in &self.offers {
            last = offer;
            let count = offer.count();
            if index < count {
                break;
            }
            index -= count;
        }
        let parts = last.nth(index.min(last.count() - 1));
        Move { decision: self.decision, alternative: last.alternative, parts }
    }

    /// Returns a random move; all moves are equally likely.
    #[inline]
    pub fn sample(&self, chance: &mut impl Chance) -> Move {
        if let [offer] = &self.offers[..]
            && let Moves::Card(cards) = &offer.moves
        {
            let at = chance.below(cards.len() as u32) as usize;
            let card = cards.nth(at).unwrap_or_default();
            return Move::number(self.decision, offer.alternative, card as i32);
        }
        let counts: SmallVec<[u64; 6]> = self.offers.iter().map(LegalOffer::count).collect();
        let all = counts.iter().fold(0u64, |all, n| all.saturating_add(*n));
        let mut index = below(chance, all);
        let mut at = 0;
        while at + 1 < counts.len() && index >= counts[at] {
            index -= counts[at];
            at += 1;
        }
        let offer = &self.offers[at];
        let parts = offer.nth(index.min(counts[at].saturating_sub(1)));
        Move { decision: self.decision, alternative: offer.alternative, parts }
    }

    /// Returns a random move with this text in text parts.
    pub fn sample_with_text(&self, chance: &mut impl Chance, text: &str) -> Move {
        let mut answer = self.sample(chance);
        for part in &mut answer.parts {
            if let PartValue::Text(value) = part {
                *value = text.to_owned();
            }
        }
        answer
    }

    /// Returns the declared default if it is legal, otherwise the first legal move. For a random default it returns the first move.
    pub fn default_move(&self, instance: &Instance<S>, default: Option<(u16, DefaultPick)>) -> Move {
        let declared = default.and_then(|(alternative, pick)| {
            let offer = self.offers.iter().find(|o| o.alternative == alternative)?;
            let parts = match pick {
                DefaultPick::First | DefaultPick::Random => offer.nth(0),
                DefaultPick::Lowest(attr) => offer.best(instance, attr, false),
                DefaultPick::Highest(attr) => offer.best(instance, attr, true),
            };
            Some(Move { decision: self.decision, alternative, parts })
        });
        declared.unwrap_or_else(|| self.nth(0))
    }

    /// Returns a random answer of one alternative if it has a legal one, otherwise the first legal move.
    pub(crate) fn random_default(&self, alternative: u16, chance: &mut impl Chance) -> Move {
        match self.offers.iter().find(|o| o.alternative == alternative) {
            Some(offer) => {
                let parts = offer.nth(below(chance, offer.count()));
                Move { decision: self.decision, alternative, parts }
            }
            None => self.nth(0),
        }
    }
}

/// Returns quotient and remainder. Most numbers fit into 32 bits, which divide faster.
#[inline]
pub(super) fn split(index: u64, count: u64) -> (u64, u64) {
    match (u32::try_from(index), u32::try_from(count)) {
        (_, Ok(0 | 1)) => (index, 0),
        (Ok(index), Ok(count)) => (u64::from(index / count), u64::from(index % count)),
        _ => (index / count.max(1), index % count.max(1)),
    }
}

#[inline]
pub(super) fn below(chance: &mut impl Chance, n: u64) -> u64 {
    match u32::try_from(n) {
        Ok(n) => chance.below(n) as u64,
        // The bias is too small to matter.
        Err(_) => (((chance.below(u32::MAX) as u64) << 32) | chance.below(u32::MAX) as u64) % n,
    }
}

impl<S: CardSet> LegalOffer<S> {
    #[inline]
    pub fn count(&self) -> u64 {
        match &self.moves {
            Moves::Plain => 1,
            Moves::Card(cards) => cards.len() as u64,
            Moves::Product(parts) => parts.iter().fold(1, |n, part| n.saturating_mul(part.count())),
            Moves::List(list) => list.len() as u64,
        }
    }

    /// Returns the `index`-th answer; the last part varies fastest.
    pub fn nth(&self, mut index: u64) -> Parts {
        match &self.moves {
            Moves::Plain => smallvec![],
            Moves::Card(cards) => smallvec![PartValue::Number(cards.nth(index as usize).unwrap_or_default() as i32)],
            Moves::Product(parts) => {
                let mut values = Parts::with_capacity(parts.len());
                for part in parts.iter().rev() {
                    let (left, at) = split(index, part.count());
                    values.push(part.nth(at));
                    index = left;
                }
                values.reverse();
                values
            }
            Moves::List(list) => {
                let mut parts = list[(index as usize).min(list.len() - 1)].clone();
                for part in &mut parts {
                    if let PartValue::Text(text) = part {
                        *text = NO_TEXT.to_owned();
                    }
                }
                parts
            }
        }
    }

    /// Returns the answer whose first part is highest or lowest by an attribute; later parts take their first candidate.
    fn best(&self, instance: &Instance<S>, attr: AttrId, highest: bool) -> Parts {
        // The wanted card sorts first; of equal cards the earlier one.
        let rank = |card: u16| {
            let value = instance.cards.attr(attr, card as i32) as i64;
            if highest { -value } else { value }
        };
        match &self.moves {
            Moves::Plain => smallvec![],
            Moves::Card(cards) => {
                let best = cards.iter().min_by_key(|card| rank(*card)).unwrap_or_default();
                smallvec![PartValue::Number(best as i32)]
            }
            Moves::Product(parts) => {
                let mut values = self.nth(0);
                match &parts[0] {
                    Candidates::Cards(cards) => {
                        let best = cards.iter().min_by_key(|card| rank(*card)).unwrap_or_default();
                        values[0] = PartValue::Number(best as i32);
                    }
                    Candidates::Picks { from, low, .. } => {
                        let mut cards: CardPick = from.iter().collect();
                        cards.sort_by_key(|card| rank(*card));
                        cards.truncate(*low as usize);
                        values[0] = PartValue::Cards(cards);
                    }
                    Candidates::Sets(sets) => {
                        if let Some(best) = sets.iter().min_by_key(|set| set_rank(set, rank)) {
                            values[0] = PartValue::Cards(best.clone());
                        }
                    }
                    _ => {}
                }
                values
            }
            Moves::List(list) => {
                let key = |parts: &Parts| match parts.first() {
                    Some(PartValue::Number(card)) => u16::try_from(*card).map_or(i64::MAX, rank),
                    Some(PartValue::Cards(set)) => set_rank(set, rank),
                    _ => i64::MAX,
                };
                let best = (0..list.len()).min_by_key(|at| key(&list[*at])).unwrap_or_default();
                self.nth(best as u64)
            }
        }
    }
}

fn set_rank(set: &[u16], rank: impl Fn(u16) -> i64) -> i64 {
    set.iter().map(|card| rank(*card)).min().unwrap_or(i64::MAX)
}

impl<S: CardSet> Candidates<S> {
    #[inline]
    pub fn count(&self) -> u64 {
        match self {
            Candidates::Cards(cards) => cards.len() as u64,
            Candidates::Range { low, high } => (*high as i64 - *low as i64 + 1).max(0) as u64,
            Candidates::Few { bits, .. } => u64::from(bits.count_ones()),
            other => other.count_others(),
        }
    }

    #[inline(never)]
    fn count_others(&self) -> u64 {
        match self {
            Candidates::Values(values) => values.len() as u64,
            Candidates::Picks { from, low, high, ordered } => {
                let n = from.len() as u64;
                (*low..=*high).fold(0u64, |sum, k| sum.saturating_add(count_selections(n, k as u64, *ordered)))
            }
            Candidates::Sets(sets) => sets.len() as u64,
            Candidates::Text { most } => (*most > 0) as u64,
            simple => simple.count(),
        }
    }

    /// Returns the `index`-th candidate, if the part's values are numbers. `index` must be less than the count.
    #[inline]
    pub fn number(&self, index: u64) -> Option<i32> {
        match self {
            Candidates::Cards(cards) => cards.nth(index as usize).map(i32::from),
            Candidates::Range { low, .. } => Some((*low as i64 + index as i64) as i32),
            Candidates::Few { low, bits } => {
                CardSet::nth(bits, index as usize).map(|at| low.wrapping_add(i32::from(at)))
            }
            Candidates::Values(values) => values.get(index as usize).copied(),
            Candidates::Picks { .. } | Candidates::Sets(_) | Candidates::Text { .. } => None,
        }
    }

    /// Returns the `index`-th candidate. `index` must be less than the count.
    pub fn nth(&self, index: u64) -> PartValue {
        match self {
            Candidates::Picks { from, low, high, ordered } => {
                PartValue::Cards(nth_pick(from, *low, *high, *ordered, index))
            }
            Candidates::Sets(sets) => PartValue::Cards(sets.get(index as usize).cloned().unwrap_or_default()),
            Candidates::Text { .. } => PartValue::Text(NO_TEXT.to_owned()),
            number => PartValue::Number(number.number(index).unwrap_or_default()),
        }
    }
}

/// Returns the number of ways to choose `k` of `n`, ordered or not, saturating.
fn count_selections(n: u64, k: u64, ordered: bool) -> u64 {
    if k > n {
        return 0;
    }
    let mut result = 1u128;
    for i in 0..k {
        result = result.saturating_mul((n - i) as u128);
        if !ordered {
            // The division is exact: a product of i + 1 consecutive numbers is divisible by (i + 1)!.
            result /= (i + 1) as u128;
        }
        if result > u64::MAX as u128 {
            return u64::MAX;
        }
    }
    result as u64
}

/// Returns the `index`-th selection: smaller ones first, then by card number.
fn nth_pick<S: CardSet>(from: &S, low: u32, high: u32, ordered: bool, mut index: u64) -> CardPick {
    let mut cards: Vec<u16> = from.iter().collect();
    let mut size = low;
    while size < high {
        let here = count_selections(cards.len() as u64, size as u64, ordered);
        if index < here {
            break;
        }
        index -= here;
        size += 1;
    }
    let mut pick = CardPick::new();
    if ordered {
        for left in (0..size as u64).rev() {
            let block = count_selections(cards.len() as u64 - 1, left, true).max(1);
            let at = ((index / block) as usize).min(cards.len() - 1);
            index %= block;
            pick.push(cards.remove(at));
        }
    } else {
        let mut at = 0;
        for left in (0..size as usize).rev() {
            while at + left + 1 < cards.len() {
                let block = count_selections((cards.len() - at - 1) as u64, left as u64, false);
                if index < block {
                    break;
                }
                index -= block;
                at += 1;
            }
            pick.extend(cards.get(at).copied());
            at += 1;
        }
    }
    pick
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn picks_are_counted_and_numbered_without_listing_them() {
        for (ordered, low, high, count) in [(false, 0, 2, 22), (false, 3, 3, 20), (true, 1, 2, 36), (true, 3, 3, 120)] {
            let picks = Candidates::Picks { from: 0b1101_0110_1000_u64, low, high, ordered };
            assert_eq!(picks.count(), count);
            let all: BTreeSet<Vec<u16>> = (0..count)
                .map(|i| match picks.nth(i) {
                    PartValue::Cards(cards) => cards.to_vec(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(all.len() as u64, count, "all different");
            for pick in all {
                assert!((low as usize..=high as usize).contains(&pick.len()));
                assert!(pick.iter().all(|c| 0b1101_0110_1000_u64.contains(*c)));
                assert!(ordered || pick.is_sorted());
                assert_eq!(pick.iter().collect::<BTreeSet<_>>().len(), pick.len());
            }
        }
    }

    #[test]
    fn huge_counts_saturate() {
        let picks = Candidates::Picks { from: u128::MAX, low: 0, high: 128, ordered: true };
        assert_eq!(picks.count(), u64::MAX);
        picks.nth(u64::MAX - 1);
    }
}
