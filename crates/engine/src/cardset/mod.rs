//! Sets of cards by card number.
//!
//! The engine is generic over [`CardSet`] and compiled once for each of three widths. So a game of at most 64 cards tests
//! legality with single machine words, and a game with 20,000 cards from packs still works.

mod wide;

pub use wide::Wide;

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// A set of cards. The small sets are machine words and cheap to pass by value.
pub trait CardSet:
    Clone + Debug + Default + PartialEq + Eq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// A set can hold the cards `0..CAPACITY`.
    const CAPACITY: usize;

    fn empty() -> Self;
    fn single(card: u16) -> Self;
    /// Returns the cards `0..count`.
    fn below(count: usize) -> Self;
    fn insert(&mut self, card: u16);
    fn remove(&mut self, card: u16);
    fn contains(&self, card: u16) -> bool;
    fn and(&self, other: &Self) -> Self;
    fn or(&self, other: &Self) -> Self;
    fn andnot(&self, other: &Self) -> Self;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    /// Whether the set has `n` cards or more.
    fn at_least(&self, n: usize) -> bool;
    /// Returns the lowest card number.
    fn first(&self) -> Option<u16>;
    /// Returns the highest card number.
    fn last(&self) -> Option<u16>;
    /// Returns the `n`-th card in ascending order, counting from 0.
    fn nth(&self, n: usize) -> Option<u16>;
    /// Iterates over the cards in ascending order.
    fn iter(&self) -> impl Iterator<Item = u16> + '_;

    /// Returns one card. `choose` gets the number of cards and returns the position of the wanted card in ascending order.
    #[inline]
    fn choose_card(&self, choose: impl FnOnce(u32) -> u32) -> Option<u16> {
        if self.is_empty() { None } else { self.nth(choose(self.len() as u32) as usize) }
    }

    /// Returns `a` if `first` is set, else `b`. Machine words do it without a branch, which a processor could mispredict.
    #[inline]
    fn select(first: bool, a: Self, b: Self) -> Self {
        if first { a } else { b }
    }

    #[inline]
    fn intersects(&self, other: &Self) -> bool {
        !self.and(other).is_empty()
    }

    #[inline]
    fn is_subset(&self, other: &Self) -> bool {
        self.andnot(other).is_empty()
    }

    fn from_cards(cards: impl IntoIterator<Item = u16>) -> Self {
        let mut set = Self::empty();
        for card in cards {
            set.insert(card);
        }
        set
    }

    /// Whether the value is the number of a card of this set. `NONE_VALUE` and numbers out of range are not.
    #[inline]
    fn has(&self, card: i32) -> bool {
        card >= 0 && (card as usize) < Self::CAPACITY && self.contains(card as u16)
    }
}

/// Iterates over the cards of one machine word in ascending order.
#[derive(Clone, Debug)]
pub struct Bits<W>(W);

macro_rules! word_set {
    ($word:ty) => {
        impl Iterator for Bits<$word> {
            type Item = u16;

            #[inline]
            fn next(&mut self) -> Option<u16> {
                if self.0 == 0 {
                    return None;
                }
                let card = self.0.trailing_zeros() as u16;
                self.0 &= self.0 - 1;
                Some(card)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let n = self.0.count_ones() as usize;
                (n, Some(n))
            }
        }

        impl CardSet for $word {
            const CAPACITY: usize = <$word>::BITS as usize;

            #[inline]
            fn empty() -> Self {
                0
            }
            #[inline]
            fn select(first: bool, a: Self, b: Self) -> Self {
                b ^ ((a ^ b) & (0 as $word).wrapping_sub(first as $word))
            }
            #[inline]
            fn single(card: u16) -> Self {
                // A number that does not fit into the word gives the empty set.
                (1 as $word).checked_shl(card as u32).unwrap_or(0)
            }
            #[inline]
            fn below(count: usize) -> Self {
                if count >= Self::CAPACITY { <$word>::MAX } else { (1 << count) - 1 }
            }
            #[inline]
            fn insert(&mut self, card: u16) {
                *self |= Self::single(card);
            }
            #[inline]
            fn remove(&mut self, card: u16) {
                *self &= !Self::single(card);
            }
            #[inline]
            fn contains(&self, card: u16) -> bool {
                *self & Self::single(card) != 0
            }
            #[inline]
            fn and(&self, other: &Self) -> Self {
                self & other
            }
            #[inline]
            fn or(&self, other: &Self) -> Self {
                self | other
            }
            #[inline]
            fn andnot(&self, other: &Self) -> Self {
                self & !other
            }
            #[inline]
            fn len(&self) -> usize {
                self.count_ones() as usize
            }
            #[inline]
            fn is_empty(&self) -> bool {
                *self == 0
            }
            #[inline]
            fn at_least(&self, n: usize) -> bool {
                // For small n, clearing bits is faster than a population count.
                if n > 6 {
                    return self.count_ones() as usize >= n;
                }
                let mut word = *self;
                for _ in 1..n {
                    word &= word.wrapping_sub(1);
                }
                n == 0 || word != 0
            }
            #[inline]
            fn first(&self) -> Option<u16> {
                if *self == 0 { None } else { Some(self.trailing_zeros() as u16) }
            }
            #[inline]
            fn last(&self) -> Option<u16> {
                if *self == 0 { None } else { Some((<$word>::BITS - 1 - self.leading_zeros()) as u16) }
            }
            #[inline]
            fn nth(&self, n: usize) -> Option<u16> {
                let (mut n, mut word, mut low) = (n as u32, *self, 0);
                // A word of 128 bits has two halves.
                while low < <$word>::BITS {
                    let half = word as u64;
                    if n < half.count_ones() {
                        return Some((low + Counts::of(half).find_bit(n)) as u16);
                    }
                    n -= half.count_ones();
                    low += 64;
                    word = word.checked_shr(64).unwrap_or(0);
                }
                None
            }
            #[inline]
            fn choose_card(&self, choose: impl FnOnce(u32) -> u32) -> Option<u16> {
                if *self == 0 {
                    return None;
                }
                if Self::CAPACITY > 64 {
                    return self.nth(choose(self.count_ones()) as usize);
                }
                // `Counts` has the number of cards already, so there is no need for a population count.
                let counts = Counts::of(*self as u64);
                let n = choose(counts.total());
                (n < counts.total()).then(|| counts.find_bit(n) as u16)
            }
            #[inline]
            fn iter(&self) -> impl Iterator<Item = u16> + '_ {
                Bits(*self)
            }
        }
    };
}

word_set!(u64);
word_set!(u128);

/// The number 1 in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A word, and for each of its bytes the number of bits that are set up to the end of that byte. It finds the n-th set bit
/// without branches: it computes the counts of all bytes at once, then looks the bit up in a table for its byte. A branch
/// would be mispredicted, because `n` is random.
struct Counts {
    word: u64,
    sums: u64,
}

impl Counts {
    #[inline]
    fn of(word: u64) -> Self {
        let pairs = word - ((word >> 1) & every(0x55));
        let fours = (pairs & every(0x33)) + ((pairs >> 2) & every(0x33));
        Counts { word, sums: ((fours + (fours >> 4)) & every(0x0f)).wrapping_mul(ONES) }
    }

    #[inline]
    fn total(&self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// Returns the position of the `n`-th set bit. At least `n + 1` bits must be set.
    #[inline]
    fn find_bit(&self, n: u32) -> u32 {
        let &Counts { word, sums } = self;
        // One bit for each byte that ends before the wanted bit.
        let before = (((every(n as u64) | every(0x80)) - sums) & every(0x80)) >> 7;
        let at = ((before.wrapping_mul(ONES) >> 56) << 3) as u32 & 63;
        let in_byte = n.wrapping_sub(((sums << 8) >> at) as u32 & 0xff) & 7;
        at + BIT_IN_BYTE[in_byte as usize][(word >> at & 0xff) as usize] as u32
    }
}

/// Repeats a byte eight times.
#[inline]
const fn every(byte: u64) -> u64 {
    byte * ONES
}

/// Indexed by n and byte: the position of the n-th set bit of the byte.
static BIT_IN_BYTE: [[u8; 256]; 8] = bit_in_byte();

const fn bit_in_byte() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Changes a set and a `BTreeSet` at random in the same way, and compares all operations.
    fn check_against_model<S: CardSet>(cards: u16) {
        let mut seed = 7u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        let (mut a, mut model_a) = (S::empty(), BTreeSet::new());
        let (mut b, mut model_b) = (S::empty(), BTreeSet::new());
        for step in 0..4000 {
            let card = (next() % cards as u32) as u16;
            match next() % 4 {
                0 | 1 => {
                    a.insert(card);
                    model_a.insert(card);
                }
                2 => {
                    a.remove(card);
                    model_a.remove(&card);
                }
                _ => {
                    b.insert(card);
                    model_b.insert(card);
                }
            }
            if step % 97 == 0 {
                (a, b) = (b, a);
                (model_a, model_b) = (model_b, model_a);
            }
            if step % 7 == 0 {
                let list = |s: &S| s.iter().collect::<Vec<_>>();
                assert_eq!(list(&a), model_a.iter().copied().collect::<Vec<_>>());
                assert_eq!(list(&a.and(&b)), model_a.intersection(&model_b).copied().collect::<Vec<_>>());
                assert_eq!(list(&a.or(&b)), model_a.union(&model_b).copied().collect::<Vec<_>>());
                assert_eq!(list(&a.andnot(&b)), model_a.difference(&model_b).copied().collect::<Vec<_>>());
                assert_eq!(a.len(), model_a.len());
                assert_eq!(a.is_empty(), model_a.is_empty());
                for n in [0, 1, 2, 4, 6, 7, model_a.len(), model_a.len() + 1] {
                    assert_eq!(a.at_least(n), model_a.len() >= n);
                }
                assert_eq!(a.first(), model_a.first().copied());
                assert_eq!(a.last(), model_a.last().copied());
                let n = next() as usize % (model_a.len() + 1);
                assert_eq!(a.nth(n), model_a.iter().nth(n).copied());
                assert_eq!(a.contains(card), model_a.contains(&card));
                assert_eq!(S::from_cards(list(&a)), a, "equal sets compare equal however they were made");
                assert_eq!(a.intersects(&b), !model_a.is_disjoint(&model_b));
            }
        }
    }

    #[test]
    fn every_width_behaves_like_a_btree_set() {
        check_against_model::<u64>(64);
        check_against_model::<u128>(128);
        check_against_model::<Wide>(64);
        check_against_model::<Wide>(3000);
    }

    #[test]
    fn numbers_out_of_range_are_no_cards() {
        assert!(!u64::MAX.has(64));
        assert!(!u64::MAX.has(-1));
        assert_eq!(u64::single(200), 0);
        assert_eq!(<u64 as CardSet>::below(64), u64::MAX);
        assert_eq!(<u64 as CardSet>::below(3), 0b111);
        assert_eq!(Wide::below(100).len(), 100);
        assert!(!Wide::below(100).has(-1));
    }
}
