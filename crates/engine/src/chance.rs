//! The source of randomness: fair and verifiable at a table, fast in a search.
//!
//! # Fair chance, exactly
//!
//! A table has a seed of 32 bytes, which is secret until the game has ended. Each shuffle, roll and random choice has its own
//! counter value, 0, 1, 2 …, in the order in which they happen. A player's nonce changes all random results after it.
//!
//! 1. The *nonce hash* starts as 32 zero bytes. A nonce `bytes` from seat `seat` makes it
//!    `SHA-256("baize nonce v1" ‖ hash ‖ seat as u8 ‖ length of bytes as u32 little-endian ‖ bytes)`.
//! 2. The *key* of counter `n` is `SHA-256("baize chance v1" ‖ seed ‖ n as u64 little-endian ‖ nonce hash)`.
//! 3. The *stream* is ChaCha20 (IETF, 20 rounds) under that key with a nonce of 12 zero bytes, from block 0. It is read as
//!    32-bit little-endian words.
//! 4. *A number below `n`* (n ≥ 1): let `limit = 2³² - 2³² mod n`. Take words until one is less than `limit` (as a 33-bit
//!    comparison, so for powers of two the first word is taken); the number is that word mod n. For n = 1 no word is taken.
//! 5. *A shuffle* of a list is Fisher–Yates from the end: for `i` from `len - 1` down to 1, `j` = a number below `i + 1`, swap
//!    entries `i` and `j`. The last entry of the result is the top card.
//! 6. *A roll* of several dice takes one number below the number of faces for each, in index order. *A random seat or card* is a
//!    number below the number of candidates, which are in ascending order.
//!
//! The browser recomputes all of this to verify a game. Its tests use the golden vectors of this file, too.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Makes random numbers for the rules.
pub trait Chance {
    /// Begins a shuffle, roll or random choice. Each has a counter value of its own.
    fn begin(&mut self, counter: u64);
    /// Returns a number in `0..n`, all with equal probability, or 0 if n ≤ 1.
    fn below(&mut self, n: u32) -> u32;
    /// Mixes a player's nonce into all later results.
    fn nonce(&mut self, seat: u8, bytes: &[u8]);

    #[inline]
    fn shuffle(&mut self, list: &mut [u16]) {
        for i in (1..list.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            list.swap(i, j);
        }
    }
}

/// Chance that anybody can verify once the seed is published.
#[derive(Serialize, Deserialize)]
pub struct FairChance {
    seed: [u8; 32],
    nonces: [u8; 32],
    /// Not saved: `begin` makes a new stream from the counter.
    #[serde(skip)]
    stream: Option<Box<Stream>>,
}

struct Stream {
    cipher: ChaCha20,
    block: [u8; 64],
    used: usize,
}

impl Clone for FairChance {
    fn clone(&self) -> Self {
        FairChance { seed: self.seed, nonces: self.nonces, stream: None }
    }
}

impl std::fmt::Debug for FairChance {
    /// The seed must not end up in a log.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("FairChance(secret)")
    }
}

impl FairChance {
    pub fn new(seed: [u8; 32]) -> Self {
        FairChance { seed, nonces: [0; 32], stream: None }
    }

    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    fn word(&mut self) -> u32 {
        // A caller that forgets `begin` gets the stream of counter 0.
        if self.stream.is_none() {
            self.begin(0);
        }
        let Some(stream) = self.stream.as_deref_mut() else { return 0 };
        if stream.used == 64 {
            stream.block = [0; 64];
            stream.cipher.apply_keystream(&mut stream.block);
            stream.used = 0;
        }
        let bytes = &stream.block[stream.used..stream.used + 4];
        stream.used += 4;
        bytes.iter().rev().fold(0, |word, byte| word << 8 | *byte as u32)
    }
}

impl Chance for FairChance {
    fn begin(&mut self, counter: u64) {
        let mut hash = Sha256::new();
        hash.update(b"baize chance v1");
        hash.update(self.seed);
        hash.update(counter.to_le_bytes());
        hash.update(self.nonces);
        let key: [u8; 32] = hash.finalize().into();
        let cipher = ChaCha20::new(&key.into(), &[0; 12].into());
        self.stream = Some(Box::new(Stream { cipher, block: [0; 64], used: 64 }));
    }

    fn below(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        let limit = (1u64 << 32) - (1u64 << 32) % n as u64;
        loop {
            let word = self.word();
            if (word as u64) < limit {
                return word % n;
            }
        }
    }

    fn nonce(&mut self, seat: u8, bytes: &[u8]) {
        let mut hash = Sha256::new();
        hash.update(b"baize nonce v1");
        hash.update(self.nonces);
        hash.update([seat]);
        hash.update((bytes.len() as u32).to_le_bytes());
        hash.update(bytes);
        self.nonces = hash.finalize().into();
    }
}

/// Fast chance (wyrand) for the worlds that bots search. Its numbers can be predicted, so no table may use it.
#[derive(Clone, Debug)]
pub struct FastChance(u64);

impl FastChance {
    pub fn new(seed: u64) -> Self {
        FastChance(seed)
    }

    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = self.0 as u128 * (self.0 ^ 0xe703_7ed1_a0b4_28db) as u128;
        (wide >> 64) as u64 ^ wide as u64
    }
}

impl Chance for FastChance {
    #[inline]
    fn begin(&mut self, _: u64) {}

    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        // The bias of at most n / 2³² does not matter to a search.
        (((self.word() >> 32) * n as u64) >> 32) as u32
    }

    fn nonce(&mut self, _: u8, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed() -> [u8; 32] {
        std::array::from_fn(|i| i as u8)
    }

    /// An independent implementation of the description above computed these numbers.
    #[test]
    fn fair_chance_matches_the_golden_vectors() {
        let mut chance = FairChance::new(seed());
        chance.begin(0);
        let mut deck: Vec<u16> = (0..52).collect();
        chance.shuffle(&mut deck);
        #[rustfmt::skip]
        let expected = [
            39, 7, 9, 48, 40, 19, 34, 20, 31, 4, 43, 33, 17, 50, 1, 13, 22, 16,
            6, 36, 30, 51, 3, 37, 44, 46, 38, 25, 0, 5, 29, 11, 21, 49, 18, 42,
            12, 27, 28, 47, 32, 15, 10, 35, 8, 14, 2, 45, 26, 41, 24, 23,
        ];
        assert_eq!(deck, expected);
        chance.begin(1);
        let dice: Vec<u32> = (0..10).map(|_| chance.below(6) + 1).collect();
        assert_eq!(dice, [5, 1, 4, 4, 4, 2, 4, 6, 4, 5]);
        chance.nonce(0, b"hello");
        chance.nonce(3, b"");
        chance.begin(2);
        let after: Vec<u32> = (0..10).map(|_| chance.below(100)).collect();
        assert_eq!(after, [93, 91, 2, 11, 5, 62, 33, 81, 43, 34]);
    }

    #[test]
    fn each_counter_has_its_own_stream_and_copies_have_the_same_streams() {
        let mut a = FairChance::new(seed());
        let mut b = a.clone();
        a.begin(5);
        let first: Vec<u32> = (0..40).map(|_| a.below(1000)).collect();
        b.begin(4);
        assert_ne!(first, (0..40).map(|_| b.below(1000)).collect::<Vec<_>>());
        b.begin(5);
        assert_eq!(first, (0..40).map(|_| b.below(1000)).collect::<Vec<_>>());
        let bytes = postcard::to_stdvec(&a).unwrap();
        let mut c: FairChance = postcard::from_bytes(&bytes).unwrap();
        c.begin(5);
        assert_eq!(first, (0..40).map(|_| c.below(1000)).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_are_distributed_evenly() {
        let mut chance = FairChance::new(seed());
        let mut counts = [0; 6];
        chance.begin(9);
        for _ in 0..60_000 {
            counts[chance.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|c| (9_600..10_400).contains(c)), "{counts:?}");
        let mut fast = FastChance::new(1);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[fast.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|c| (9_600..10_400).contains(c)), "{counts:?}");
    }
}
