//! A bounded run that checks the laws for random files. `cargo xtask fuzz laws --minutes N` runs longer.

use baize_laws::cover::Types;
use baize_laws::{generate, repair};
use std::collections::BTreeSet;
use std::path::Path;

/// Number of files of the bounded run, for about half a minute of one core. It is a number and not a time, so that every machine
/// runs the same files.
const FILES: u64 = 600;
const SEED: u64 = 20_260_101;

#[test]
fn generated_files_keep_all_laws() {
    let mut left = FILES;
    let report = baize_laws::run(SEED, &mut || {
        left = left.saturating_sub(1);
        left > 0
    });
    println!("{}", report.lines(60.0));
    let failures: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(report.accepted * 2 > report.files, "most files are accepted: {}", report.lines(60.0));
    assert!(report.counts.pairs > 10_000, "pairs are compared: {}", report.lines(60.0));
}

#[test]
fn the_same_seed_writes_the_same_file() {
    assert_eq!(generate::file(SEED), generate::file(SEED));
    assert_ne!(generate::file(SEED), generate::file(SEED + 1));
}

/// Constructs that the generator does not write, and why.
const LEFT_OUT: [(&str, &str); 4] = [
    ("StmtKind::Broken", "stands for a line that could not be read"),
    ("ExprKind::Broken", "stands for an expression that could not be read"),
    ("Num::SeatCount", "the language has no word for it"),
    ("Num::CardDeck", "the language has no word for it"),
];

/// The source of a module: its own file and the files in its folder.
fn read_module(crates: &Path, module: &str) -> String {
    let folder = std::fs::read_dir(crates.join(module)).unwrap().map(|entry| entry.unwrap().path());
    let files = folder.chain([crates.join(module).with_extension("rs")]);
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_construct_of_the_language_is_written_and_accepted() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/src");
    let trees = ["ast", "program"];
    let types = trees.map(|tree| Types::of(&read_module(&crates, tree)));
    let mut seen = [BTreeSet::new(), BTreeSet::new()];
    for seed in 0..2_500 {
        if let Some((source, program)) = repair::repaired(&generate::file(seed)) {
            let (file, _) = baize_rules::parse::parse(&source);
            seen[0].extend(types[0].variants_in("File", &format!("{file:?}")));
            seen[1].extend(types[1].variants_in("Program", &format!("{program:?}")));
        }
    }
    let mut missing = Vec::new();
    for ((tree, types), seen) in trees.iter().zip(&types).zip(&seen) {
        let variants = types.variants();
        assert!(variants.len() > 60, "{tree} has variants");
        let left_out = |name: &&String| LEFT_OUT.iter().any(|(variant, _)| *variant == name.as_str());
        missing.extend(variants.difference(seen).filter(|name| !left_out(name)).map(|name| format!("{tree} {name}")));
    }
    assert!(missing.is_empty(), "no accepted file has {}", missing.join(", "));
}
