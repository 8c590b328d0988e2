//! Files for `baize fmt`, which may come from anybody.

use crate::target::{Execution, FuzzTarget, magnitude};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "format",
    law: "Formatting a file twice gives the same text as formatting it once, and the formatted file means the same.",
    run,
    seeds: super::rules::seeds,
    words: super::rules::WORDS,
    longest: 16 * 1024,
    tests: 10_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Ok(source) = baize_rules::parse::decode(bytes) else { return Execution::refused("not text") };
    let Ok(once) = baize_rules::format(source) else { return Execution::refused("not laid out") };
    assert_eq!(baize_rules::format(&once).as_ref(), Ok(&once), "laid out twice is not the same");
    let codes = |source: &str| -> Vec<&'static str> {
        let mut codes: Vec<_> = baize_rules::compile(source).1.iter().map(|diagnostic| diagnostic.code).collect();
        codes.sort_unstable();
        codes
    };
    let (before, after) = (codes(source), codes(&once));
    assert_eq!(before, after, "laid out, the file has other diagnostics");
    Execution::accepted((magnitude(once.len()), once == source, before.first().copied()))
}
