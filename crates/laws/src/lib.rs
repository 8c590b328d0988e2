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

/// Number of games to play with each file.
pub const GAMES: u64 = 2;

/// The report has at most this many failures of one law.
const SHRUNK: usize = 6;

/// Writes files and plays them until `go_on` says no.
pub fn run(seed: u64, go_on: &mut dyn FnMut() -> bool) -> Report {
    let mut report = Report::new(seed);
    let mut at = seed;
    while go_on() {
        check_seed(at, &mut report);
        at = at.wrapping_add(1);
    }
    report
}

/// Makes a file from these bytes and plays it.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let seed = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    let mut report = Report::new(seed);
    check_seed(seed, &mut report);
    match report.failures.first() {
        Some(failure) => Err(failure.to_string()),
        None => Ok(()),
    }
}

fn check_seed(seed: u64, report: &mut Report) {
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
            // Shrinking takes long, and further failures of one law are probably the same fault.
            if report.failures.iter().filter(|failure| failure.broken.law == broken.law).count() < SHRUNK {
                let game = seed.wrapping_mul(31).wrapping_add(game);
                // Whoever stops the run while the file is made shorter still knows which file it was.
                eprintln!("file {seed} breaks a law in game {game}: {}: {}", broken.law, broken.description);
                let source = shrink::shrunk(&source, &broken, game);
                report.failures.push(Failure { seed, game, broken, source });
            }
            report.failed += 1;
            return;
        }
    }
}

/// Returns the program of a file, if the file has no errors.
pub fn compile(source: &str) -> Option<Arc<Program>> {
    baize_rules::compile(source).0.map(Arc::new)
}
