//! The pause before a bot answers, so that it seems to think.

use crate::Level;
use baize_engine::chance::{Chance, FastChance};

/// Returns the pause in milliseconds between a question and a bot's answer. It varies, as it does with people.
///
/// It depends on the level and on chance alone. A pause that grew with the number of legal answers would tell everybody at the
/// table how many cards of a suit the bot holds.
pub fn pause_ms(level: Level, seed: u64) -> u32 {
    let mut chance = FastChance::new(seed);
    let base = match level {
        Level::Random | Level::Easy => 550,
        Level::Medium => 700,
        Level::Difficult => 800,
    };
    // The sum of two random numbers is usually near the middle.
    let mut pause = base + chance.below(400) + chance.below(400);
    if chance.below(8) == 0 {
        // Now and then a person needs longer.
        pause += 600 + chance.below(900);
    }
    pause
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_vary_and_stay_short() {
        let pauses: Vec<u32> = (0..500).map(|seed| pause_ms(Level::Difficult, seed)).collect();
        assert!(pauses.iter().all(|ms| (400..=4_000).contains(ms)));
        let different: std::collections::BTreeSet<_> = pauses.iter().collect();
        assert!(different.len() > 200);
    }
}
