//! The difficulty levels of bots.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Plays random legal moves. It is the baseline for measuring the other levels; no table offers it.
    Random,
    /// Knows the rules, plays plausibly, errs often.
    Easy,
    /// Searches worlds that fit what lies on the table now. Remembers nothing.
    Medium,
    /// Searches as `Medium` does, remembers every card that it saw, and infers from moves which cards others do not hold.
    Difficult,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Random, Level::Easy, Level::Medium, Level::Difficult];

    pub fn word(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Difficult => "difficult",
        }
    }

    /// Returns the number of moves that the bot may simulate for one decision.
    pub(crate) fn budget(self) -> u32 {
        match self {
            Level::Random => 0,
            Level::Easy => 2_000,
            Level::Medium => 5_000,
            Level::Difficult => 40_000,
        }
    }

    /// Returns how many of ten decisions the bot makes at random.
    pub(crate) fn random_of_ten(self) -> u32 {
        match self {
            Level::Random => 10,
            Level::Easy => 5,
            Level::Medium | Level::Difficult => 0,
        }
    }

    pub(crate) fn remembers(self) -> bool {
        self == Level::Difficult
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let levels = Level::ALL.map(Level::word);
        Level::ALL
            .into_iter()
            .find(|level| level.word() == word)
            .ok_or_else(|| format!("there is no level '{word}': it is one of {}", levels.join(", ")))
    }
}
