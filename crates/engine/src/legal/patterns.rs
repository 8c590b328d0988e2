//! Lists selections of cards by pattern (sets and runs). It enumerates faces and not cards: cards with the same face are
//! interchangeable, and the lowest card numbers represent them.

use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::instance::question::{LoweredPartKind, RunPattern, SetPattern};
use crate::view::FaceId;
use baize_rules::program::NONE_VALUE;
use smallvec::SmallVec;

/// A selection of cards.
pub type Pick = SmallVec<[u16; 8]>;

/// Upper bound on listed sets of one pattern; beyond it only one set per value and size is listed.
const MAX_SETS: usize = 5_000;
/// Upper bound on the listed variants of one run.
const MAX_RUN_VARIANTS: usize = 64;

/// Returns the selections of `low..=high` cards, one for each choice of faces, at most `most`.
pub(super) fn picks<S: CardSet>(
    from: &S,
    low: u32,
    high: u32,
    ordered: bool,
    faces: &[FaceId],
    most: usize,
) -> Vec<Pick> {
    let mut found = Vec::new();
    let kinds = by_face(from.iter(), faces);
    for size in low..=high {
        if ordered {
            let mut used = vec![0; kinds.len()];
            sequences(&kinds, size as usize, &mut used, &mut Pick::new(), &mut found, most);
        } else {
            multisets(&kinds, size as usize, &mut Pick::new(), &mut found, most);
        }
    }
    found
}

/// Groups cards by face; groups are sorted by their lowest card, cards ascending.
fn by_face(cards: impl Iterator<Item = u16>, faces: &[FaceId]) -> Vec<Pick> {
    let mut kinds: Vec<(FaceId, Pick)> = Vec::new();
    for card in cards {
        let face = faces[card as usize];
        match kinds.iter_mut().find(|(f, _)| *f == face) {
            Some((_, kind)) => kind.push(card),
            None => kinds.push((face, SmallVec::from_slice(&[card]))),
        }
    }
    kinds.into_iter().map(|(_, kind)| kind).collect()
}

fn multisets(kinds: &[Pick], left: usize, chosen: &mut Pick, found: &mut Vec<Pick>, most: usize) {
    if found.len() >= most {
        return;
    }
    if left == 0 {
        let mut set = chosen.clone();
        set.sort_unstable();
        found.push(set);
        return;
    }
    let Some((kind, rest)) = kinds.split_first() else { return };
    if kinds.iter().map(|k| k.len()).sum::<usize>() < left {
        return;
    }
    for count in (0..=kind.len().min(left)).rev() {
        chosen.extend_from_slice(&kind[..count]);
        multisets(rest, left - count, chosen, found, most);
        chosen.truncate(chosen.len() - count);
    }
}

fn sequences(kinds: &[Pick], left: usize, used: &mut [usize], chosen: &mut Pick, found: &mut Vec<Pick>, most: usize) {
    if found.len() >= most {
        return;
    }
    if left == 0 {
        found.push(chosen.clone());
        return;
    }
    for (at, kind) in kinds.iter().enumerate() {
        if used[at] < kind.len() {
            chosen.push(kind[used[at]]);
            used[at] += 1;
            sequences(kinds, left - 1, used, chosen, found, most);
            used[at] -= 1;
            chosen.pop();
        }
    }
}

impl<S: CardSet> Eval<'_, S> {
    /// Returns the value of a selection under a pattern; `None` if it does not fit the pattern.
    pub(crate) fn pattern_value(self, kind: &LoweredPartKind<S>, cards: &[u16]) -> Option<i32> {
        match kind {
            LoweredPartKind::Alike(alike) => self.alike_value(alike, cards),
            LoweredPartKind::Run(run) => self.run_value(run, cards),
            _ => None,
        }
    }

    fn alike_value(self, alike: &SetPattern<S>, cards: &[u16]) -> Option<i32> {
        let chosen = S::from_cards(cards.iter().copied());
        let wild = match &alike.wild {
            Some(wild) => self.restrict(wild, chosen.clone()),
            None => S::empty(),
        };
        let table = self.instance().cards.attrs.get(alike.attr as usize)?;
        let mut values =
            chosen.andnot(&wild).iter().map(|card| table.value(card as i32)).collect::<SmallVec<[i32; 8]>>();
        values.dedup();
        match values[..] {
            [] if chosen.is_empty() => None,
            [] => Some(alike.alone.as_ref().map_or(NONE_VALUE, |alone| self.num(alone))),
            [NONE_VALUE] => None,
            [value] => Some(value),
            _ => None,
        }
    }

    /// Lists all sets of equal cards, including those with wild cards.
    pub(super) fn alike_sets(self, alike: &SetPattern<S>) -> Vec<Pick> {
        let from = self.set(&alike.from);
        let (low, high) = (self.num(&alike.low).max(1) as usize, self.num(&alike.high).max(0) as usize);
        let wild = match &alike.wild {
            Some(wild) => self.restrict(wild, from.clone()),
            None => S::empty(),
        };
        let Some(table) = self.instance().cards.attrs.get(alike.attr as usize) else { return Vec::new() };
        let faces = &self.instance().cards.faces;
        let mut natural: Vec<(i32, u16)> =
            from.andnot(&wild).and(&table.has).iter().map(|card| (table.value(card as i32), card)).collect();
        natural.sort_unstable();
        let wild_kinds = by_face(wild.iter(), faces);
        let wild_count = wild.len();
        let mut found = Vec::new();
        for group in natural.chunk_by(|a, b| a.0 == b.0) {
            let kinds = by_face(group.iter().map(|(_, card)| *card), faces);
            for size in low..=high.min(group.len() + wild_count) {
                // At least one card that is not wild gives the value.
                for wilds in 0..=wild_count.min(size - 1) {
                    if size - wilds > group.len() {
                        continue;
                    }
                    self.at.spend(1);
                    let plain = some_of(&kinds, size - wilds, found.len());
                    let jokers = some_of(&wild_kinds, wilds, found.len());
                    for set in &plain {
                        for extra in &jokers {
                            let mut set = set.clone();
                            set.extend_from_slice(extra);
                            found.push(set);
                        }
                    }
                }
            }
        }
        for size in low..=high.min(wild_count) {
            found.extend(some_of(&wild_kinds, size, found.len()));
        }
        found
    }

    fn run_value(self, run: &RunPattern<S>, cards: &[u16]) -> Option<i32> {
        let all = &self.instance().cards;
        let mut values: SmallVec<[i32; 8]> = cards.iter().map(|card| all.attr(run.attr, *card as i32)).collect();
        values.sort_unstable();
        let lowest = *values.first()?;
        let consecutive = values.windows(2).all(|w| w[0].checked_add(1) == Some(w[1]));
        let together = match run.within {
            None => true,
            Some(within) => {
                let group = all.attr(within, cards[0] as i32);
                group != NONE_VALUE && cards.iter().all(|card| all.attr(within, *card as i32) == group)
            }
        };
        (lowest != NONE_VALUE && consecutive && together).then_some(lowest)
    }

    /// Lists all runs, the lowest value first.
    pub(super) fn runs(self, run: &RunPattern<S>) -> Vec<Pick> {
        let from = self.set(&run.from);
        let (low, high) = (self.num(&run.low).max(1) as usize, self.num(&run.high).max(0) as usize);
        let cards = &self.instance().cards;
        let value = |card: u16| cards.attr(run.attr, card as i32);
        let group = |card: u16| run.within.map_or(0, |within| cards.attr(within, card as i32));
        let mut sorted: Vec<(i32, i32, u16)> = from
            .iter()
            .map(|card| (group(card), value(card), card))
            .filter(|(group, value, _)| *group != NONE_VALUE && *value != NONE_VALUE)
            .collect();
        sorted.sort_unstable();
        let mut found = Vec::new();
        for suit in sorted.chunk_by(|a, b| a.0 == b.0) {
            // One card per face for each value.
            let ranks: Vec<(i32, Pick)> = suit
                .chunk_by(|a, b| a.1 == b.1)
                .map(|same| {
                    let kinds = by_face(same.iter().map(|s| s.2), &cards.faces);
                    (same[0].1, kinds.iter().map(|kind| kind[0]).collect())
                })
                .collect();
            for first in 0..ranks.len() {
                let mut length = 1;
                while first + length < ranks.len() && ranks[first + length].0 == ranks[first].0 + length as i32 {
                    length += 1;
                }
                for size in low..=high.min(length) {
                    self.at.spend(1);
                    if self.at.spent() || found.len() >= MAX_SETS {
                        return found;
                    }
                    add_run_variants(&ranks[first..first + size], &mut found);
                }
            }
        }
        found
    }
}

/// Returns selections of a size; only one that represents all if the list is long already.
fn some_of(kinds: &[Pick], size: usize, listed: usize) -> Vec<Pick> {
    let mut found = Vec::new();
    multisets(kinds, size, &mut Pick::new(), &mut found, if listed < MAX_SETS { MAX_SETS } else { 1 });
    found
}

/// Adds every run with one card for each value, or only the run of the lowest cards if there are too many.
fn add_run_variants(ranks: &[(i32, Pick)], found: &mut Vec<Pick>) {
    let count = ranks.iter().fold(1usize, |n, (_, cards)| n.saturating_mul(cards.len()));
    for mut variant in 0..if count > MAX_RUN_VARIANTS { 1 } else { count } {
        let mut set = Pick::new();
        for (_, cards) in ranks {
            set.push(cards[variant % cards.len()]);
            variant /= cards.len();
        }
        found.push(set);
    }
}
