//! A bounded run of the law for any file. `cargo xtask fuzz laws --minutes N` runs longer.

use baize_laws::cover::{self, Cover};
use baize_laws::{generate, repair};
use std::path::Path;

/// Files of the bounded run: about half a minute of one core. A number of files and not a time, so that the same is run everywhere.
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

/// Constructs that the generator leaves out, and why.
const LEFT_OUT: [(&str, &str); 3] = [
    ("Broken", "stands for a line that could not be read"),
    ("SeatCount", "the language has no word for it"),
    ("CardDeck", "the language has no word for it"),
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
    let mut cover = Cover::default();
    for seed in 0..2_500 {
        if let Some((source, program)) = repair::repaired(&generate::file(seed)) {
            cover.count(&source, &program);
        }
    }
    let mut missing = Vec::new();
    for tree in ["ast", "program"] {
        let variants = cover::variants(&read_module(&crates, tree));
        assert!(variants.len() > 60, "{tree} has variants");
        for (name, variant) in variants {
            let left_out = LEFT_OUT.iter().any(|(word, _)| *word == variant);
            if !cover.has(tree, &variant) && !left_out {
                missing.push(format!("{tree} {name}::{variant}"));
            }
        }
    }
    assert!(missing.is_empty(), "no accepted file has {}", missing.join(", "));
}
