//! Randomness from a seed that the shell hands in.

use crate::identity::hash;

/// Random bytes from a secret seed. They are hashes of it, so nobody who sees some of them can compute the seed or the others.
#[derive(Debug)]
pub struct Entropy {
    seed: [u8; 32],
    drawn: u64,
}

impl Entropy {
    pub fn new(seed: [u8; 32]) -> Self {
        Entropy { seed, drawn: 0 }
    }

    pub fn bytes(&mut self) -> [u8; 32] {
        self.drawn += 1;
        hash(&[b"baize entropy v1", &self.seed, &self.drawn.to_le_bytes()])
    }

    pub fn eight_bytes(&mut self) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..] = self.bytes();
        [a, b, c, d, e, f, g, h]
    }

    pub fn number(&mut self) -> u64 {
        u64::from_le_bytes(self.eight_bytes())
    }
}
