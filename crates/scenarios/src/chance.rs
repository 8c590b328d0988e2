//! Chance whose next results a scenario can set.

use baize_engine::chance::{Chance, FastChance};
use std::collections::VecDeque;

/// Uses the results that a scenario set, then falls back to random ones.
#[derive(Clone)]
pub struct ScriptedChance {
    rest: FastChance,
    /// One entry for each of the next shuffles: the cards that lie on top afterwards, the topmost first.
    pub shuffles: VecDeque<Vec<u16>>,
    /// One entry for each of the next random choices: the number of the chosen possibility, counted from 1.
    pub picks: VecDeque<u32>,
    /// Set when a shuffle or a choice does not fit what the scenario set.
    pub mistake: Option<String>,
}

impl ScriptedChance {
    pub fn new(seed: u64) -> Self {
        ScriptedChance { rest: FastChance::new(seed), shuffles: VecDeque::new(), picks: VecDeque::new(), mistake: None }
    }
}

impl Chance for ScriptedChance {
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
