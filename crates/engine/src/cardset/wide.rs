//! The card set of games with more than 128 cards.
//!
//! Hands hold few cards and draw piles many. So a small set is a sorted list, and a large one a shared bit map: copies of a
//! table share the bit map of a draw pile until one of them changes it.

use super::CardSet;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;
use std::sync::Arc;

/// Upper bound on the cards of a list. With more cards the set becomes a bit map.
const MAX_LISTED: usize = 64;

#[derive(Clone, Debug)]
pub struct Wide(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// The cards in ascending order.
    Few(SmallVec<[u16; 12]>),
    /// A bit map of more than [`MAX_LISTED`] / 2 cards. The last words may be zero.
    Many { words: Arc<Vec<u64>>, len: usize },
}

use Repr::{Few, Many};

impl Wide {
    fn from_words(words: Vec<u64>) -> Self {
        let len = words.iter().map(|w| w.count_ones() as usize).sum();
        if len <= MAX_LISTED {
            let mut few = SmallVec::new();
            few.extend(bits(&words));
            Wide(Few(few))
        } else {
            Wide(Many { words: Arc::new(words), len })
        }
    }
}

fn bits(words: &[u64]) -> impl Iterator<Item = u16> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros() as u16;
            word &= word - 1;
            Some((i * 64) as u16 + bit)
        })
    })
}

#[inline]
fn word_has(words: &[u64], card: u16) -> bool {
    words.get(card as usize / 64).is_some_and(|w| w >> (card % 64) & 1 == 1)
}

impl Default for Wide {
    fn default() -> Self {
        Wide(Few(SmallVec::new()))
    }
}

impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Wide {}

/// Writes both representations as the list of their cards.
impl Serialize for Wide {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.iter().collect::<Vec<u16>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Wide {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Wide::from_cards(Vec::<u16>::deserialize(deserializer)?))
    }
}

impl CardSet for Wide {
    const CAPACITY: usize = u16::MAX as usize + 1;

    fn empty() -> Self {
        Self::default()
    }

    fn single(card: u16) -> Self {
        let mut few = SmallVec::new();
        few.push(card);
        Wide(Few(few))
    }

    fn below(count: usize) -> Self {
        let mut words = vec![u64::MAX; count / 64];
        words.push((1 << (count % 64)) - 1);
        Self::from_words(words)
    }

    fn insert(&mut self, card: u16) {
        match &mut self.0 {
            Few(few) => {
                let Err(at) = few.binary_search(&card) else { return };
                if few.len() < MAX_LISTED {
                    few.insert(at, card);
                } else {
                    let mut words = vec![0u64; few.last().map_or(0, |&c| c).max(card) as usize / 64 + 1];
                    for &c in few.iter().chain([&card]) {
                        words[c as usize / 64] |= 1 << (c % 64);
                    }
                    *self = Self::from_words(words);
                }
            }
            Many { words, len } => {
                if !word_has(words, card) {
                    let words = Arc::make_mut(words);
                    if words.len() <= card as usize / 64 {
                        words.resize(card as usize / 64 + 1, 0);
                    }
                    words[card as usize / 64] |= 1 << (card % 64);
                    *len += 1;
                }
            }
        }
    }

    fn remove(&mut self, card: u16) {
        match &mut self.0 {
            Few(few) => {
                if let Ok(at) = few.binary_search(&card) {
                    few.remove(at);
                }
            }
            Many { words, len } => {
                if word_has(words, card) {
                    Arc::make_mut(words)[card as usize / 64] &= !(1 << (card % 64));
                    *len -= 1;
                    // Half of the limit, so that a pile near the limit does not change its representation with every card.
                    if *len <= MAX_LISTED / 2 {
                        let mut few = SmallVec::new();
                        few.extend(bits(words));
                        self.0 = Few(few);
                    }
                }
            }
        }
    }

    fn contains(&self, card: u16) -> bool {
        match &self.0 {
            Few(few) => few.binary_search(&card).is_ok(),
            Many { words, .. } => word_has(words, card),
        }
    }

    fn and(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Few(few), _) => Wide(Few(few.iter().copied().filter(|&c| other.contains(c)).collect())),
            (_, Few(few)) => Wide(Few(few.iter().copied().filter(|&c| self.contains(c)).collect())),
            (Many { words: a, .. }, Many { words: b, .. }) => {
                Self::from_words(a.iter().zip(b.iter()).map(|(a, b)| a & b).collect())
            }
        }
    }

    fn or(&self, other: &Self) -> Self {
        let (big, small) = if self.len() >= other.len() { (self, other) } else { (other, self) };
        match (&big.0, &small.0) {
            (Many { words: a, .. }, Many { words: b, .. }) => {
                let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
                let mut words = Vec::clone(long);
                for (word, other) in words.iter_mut().zip(short.iter()) {
                    *word |= other;
                }
                Self::from_words(words)
            }
            _ => {
                let mut union = big.clone();
                for card in small.iter() {
                    union.insert(card);
                }
                union
            }
        }
    }

    fn andnot(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Few(few), _) => Wide(Few(few.iter().copied().filter(|&c| !other.contains(c)).collect())),
            (_, Few(few)) => {
                let mut rest = self.clone();
                for &card in few {
                    rest.remove(card);
                }
                rest
            }
            (Many { words: a, .. }, Many { words: b, .. }) => {
                let b = b.iter().copied().chain(std::iter::repeat(0));
                Self::from_words(a.iter().zip(b).map(|(a, b)| a & !b).collect())
            }
        }
    }

    fn len(&self) -> usize {
        match &self.0 {
            Few(few) => few.len(),
            Many { len, .. } => *len,
        }
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn at_least(&self, n: usize) -> bool {
        self.len() >= n
    }

    fn first(&self) -> Option<u16> {
        self.iter().next()
    }

    fn last(&self) -> Option<u16> {
        match &self.0 {
            Few(few) => few.last().copied(),
            Many { words, .. } => {
                let at = words.iter().rposition(|&w| w != 0)?;
                Some((at * 64) as u16 + 63 - words[at].leading_zeros() as u16)
            }
        }
    }

    fn nth(&self, n: usize) -> Option<u16> {
        match &self.0 {
            Few(few) => few.get(n).copied(),
            Many { words, .. } => {
                let mut left = n;
                for (i, word) in words.iter().enumerate() {
                    let here = word.count_ones() as usize;
                    if left < here {
                        return word.nth(left).map(|bit| (i * 64) as u16 + bit);
                    }
                    left -= here;
                }
                None
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        // One of the two parts is always empty.
        let (few, words): (&[u16], &[u64]) = match &self.0 {
            Few(few) => (few, &[]),
            Many { words, .. } => (&[], words),
        };
        few.iter().copied().chain(bits(words))
    }
}
