//! How long a bot seems to think.

use crate::Level;
use baize_engine::chance::{Chance, FastChance};

/// A pause in milliseconds before an answer: longer where there is more to choose from, and never twice the same, as with people.
/// An only choice is made at once.
pub fn pause_ms(level: Level, choices: u64, seed: u64) -> u32 {
    let mut chance = FastChance::new(seed);
    if choices <= 1 {
        return 250 + chance.below(250);
    }
    let base = match level {
        Level::Random | Level::Easy => 450,
        Level::Medium => 600,
        Level::Difficult => 700,
    };
    // The sum of two is mostly in the middle.
    let mut pause = base + chance.below(350) + chance.below(350) + 60 * (choices.min(8) as u32);
    // Now and then somebody has to think about it.
    if chance.below(8) == 0 {
        pause += 600 + chance.below(900);
    }
    pause
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_vary_and_stay_short() {
        let pauses: Vec<u32> = (0..500).map(|seed| pause_ms(Level::Difficult, 13, seed)).collect();
        assert!(pauses.iter().all(|ms| (400..=4_000).contains(ms)));
        let different: std::collections::BTreeSet<_> = pauses.iter().collect();
        assert!(different.len() > 200);
        assert!((0..100).all(|seed| pause_ms(Level::Easy, 1, seed) < 600));
    }
}
