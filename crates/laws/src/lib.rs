#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod cover;
pub mod generate;
pub mod play;
pub mod repair;
pub mod report;
pub mod shrink;
pub mod sites;

pub use play::{Counts, Violation};
pub use report::{Failure, Report};

use baize_rules::program::Program;
use std::sync::Arc;

/// Games of each file.
pub const GAMES: u64 = 2;

/// Failures of one law that are made short and reported.
const SHRUNK: usize = 6;

/// Writes files and plays them until `go_on` says no.
pub fn run(seed: u64, go_on: &mut dyn FnMut() -> bool) -> Report {
    let mut report = Report::new(seed);
    let mut at = seed;
    while go_on() {
        one(at, &mut report);
        at = at.wrapping_add(1);
    }
    report
}

/// One file, made and played from these bytes.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let seed = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    let mut report = Report::new(seed);
    one(seed, &mut report);
    match report.failures.first() {
        Some(failure) => Err(failure.to_string()),
        None => Ok(()),
    }
}

fn one(seed: u64, report: &mut Report) {
    let written = generate::file(seed);
    report.files += 1;
    if compile(&written).is_some() {
        report.accepted_as_written += 1;
    }
    let Some((source, program)) = repair::repaired(&written) else { return };
    report.accepted += 1;
    report.cover.count(&source, &program);
    for game in 0..GAMES {
        let mut counts = Counts::default();
        let played = play::guarded(&program, seed.wrapping_mul(31).wrapping_add(game), &mut counts);
        report.counts.add(&counts);
        if let Err(broken) = played {
            // The same fault again is not worth the time.
            if report.failures.iter().filter(|failure| failure.broken.law == broken.law).count() < SHRUNK {
                let game = seed.wrapping_mul(31).wrapping_add(game);
                let source = shrink::shrunk(&source, &broken, game);
                report.failures.push(Failure { seed, game, broken, source });
            }
            report.failed += 1;
            return;
        }
    }
}

/// The program of a file without errors.
pub fn compile(source: &str) -> Option<Arc<Program>> {
    baize_rules::compile(source).0.map(Arc::new)
}
