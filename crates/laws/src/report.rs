//! The report of a run.

use crate::cover::Cover;
use crate::play::{Counts, Violation};
use std::fmt;

#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed of the file.
    pub seed: u64,
    /// The seed of the game.
    pub game: u64,
    pub broken: Violation,
    /// The shortest file that breaks the law.
    pub source: String,
}

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub seed: u64,
    pub files: u64,
    /// Files that the checker accepted without a change.
    pub accepted_as_written: u64,
    /// Files that the checker accepted, some of them after repair.
    pub accepted: u64,
    pub counts: Counts,
    pub cover: Cover,
    /// Files that broke a law.
    pub failed: u64,
    /// The first failures of each law.
    pub failures: Vec<Failure>,
}

impl Report {
    pub fn new(seed: u64) -> Self {
        Report { seed, ..Report::default() }
    }

    /// Returns the figures as lines of text, with the pairs per minute.
    pub fn lines(&self, seconds: f64) -> String {
        let share = |part: u64| 100.0 * part as f64 / self.files.max(1) as f64;
        let minutes = (seconds / 60.0).max(1e-9);
        let Counts { games, decisions, inputs, pairs, ended, faults } = self.counts;
        format!(
            "seed {}: {} files, {:.1} % accepted as written, {:.1} % with refused lines taken out\n\
             {games} games ({ended} ended, {faults} of them out of budget), {decisions} decisions, {inputs} inputs\n\
             {pairs} pairs compared, {:.0} a minute; {} files broke a law",
            self.seed,
            self.files,
            share(self.accepted_as_written),
            share(self.accepted),
            pairs as f64 / minutes,
            self.failed,
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Failure { seed, game, broken, source } = self;
        write!(f, "file {seed}, game {game} breaks “{}”: {}\n{source}", broken.law, broken.description)
    }
}
