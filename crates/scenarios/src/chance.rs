//! Chance that can be told beforehand what comes next.

use baize_engine::chance::{Chance, FastChance};
use std::collections::VecDeque;

/// Random, except for what a scenario says.
#[derive(Clone)]
pub struct Told {
    rest: FastChance,
    /// For the next shuffles: the cards that come to lie on top, the topmost first.
    pub shuffles: VecDeque<Vec<u16>>,
    /// For the next random choices: which of those possible, from 1 on.
    pub picks: VecDeque<u32>,
    pub mistake: Option<String>,
}

impl Told {
    pub fn new(seed: u64) -> Self {
        Told { rest: FastChance::new(seed), shuffles: VecDeque::new(), picks: VecDeque::new(), mistake: None }
    }
}

impl Chance for Told {
    fn begin(&mut self, counter: u64) {
        self.rest.begin(counter);
    }

    fn below(&mut self, n: u32) -> u32 {
        match self.picks.pop_front() {
            Some(pick) if pick <= n => pick - 1,
            Some(pick) => {
                self.mistake.get_or_insert(format!("the next pick is {pick}, but there are only {n} to pick from"));
                0
            }
            None => self.rest.below(n),
        }
    }

    fn nonce(&mut self, _: u8, _: &[u8]) {}

    fn shuffle(&mut self, list: &mut [u16]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.rest.below(i as u32 + 1) as usize);
        }
        let Some(top) = self.shuffles.pop_front() else { return };
        for (place, card) in top.iter().enumerate() {
            let end = list.len() - place;
            match list[..end].iter().rposition(|c| c == card) {
                Some(at) => list[at..end].rotate_left(1),
                None => {
                    self.mistake.get_or_insert("the next shuffle is not of the cards that were said".to_owned());
                    return;
                }
            }
        }
    }
}
