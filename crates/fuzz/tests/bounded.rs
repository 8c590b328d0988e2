//! Runs every target with a fixed seed and a bounded number of executions, with the same result on every machine.
//!
//! `BAIZE_SEED=… cargo test -p baize-fuzz` uses another seed; `cargo xtask fuzz TARGET --minutes N` runs longer.

use baize_fuzz::drive::{Counterexample, FuzzRun, attempt, keep};
use baize_fuzz::{TARGETS, files, target};

/// Makes one test for each target. `every_target_has_a_test_and_a_libfuzzer_program` fails if one is missing.
macro_rules! targets {
    ($($name:ident,)*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            run_bounded(stringify!($name));
        })*
    };
}

targets! {
    rules,
    format,
    packs,
    scenarios,
    scenario_runs,
    frames,
    messages,
    batches,
    settings,
    moves,
    snapshots,
    replays,
    peer_messages,
}

fn run_bounded(name: &str) {
    let target = target(name).expect("a target");
    let seed = std::env::var("BAIZE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut run = FuzzRun::new(target, seed);
    let mut result = run.start();
    for _ in 0..target.tests {
        result = result.and_then(|()| run.step());
    }
    let report = run.report();
    eprintln!("{name}, seed {seed}: {report:?}");
    if let Err(Counterexample { input, message }) = result {
        panic!("{}\nbroken with seed {seed}: {message}\nagain: {}", target.law, keep(target, &input));
    }
    assert!(report.accepted > 0 && report.accepted < report.executions, "nothing is told apart: {report:?}");
    assert!(report.kinds >= 3, "hardly anything is reached: {report:?}");
}

#[test]
fn every_target_has_a_test_and_a_libfuzzer_program() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, TESTED);
    let manifest = std::fs::read_to_string(files::root().join("fuzz/Cargo.toml")).unwrap();
    for target in TARGETS {
        let path = files::root().join(format!("fuzz/fuzz_targets/{}.rs", target.name));
        let program = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(program.contains(&format!("baize_fuzz::run(\"{}\", bytes)", target.name)), "{}", path.display());
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "fuzz/Cargo.toml lacks {}", target.name);
        assert!(target.law.ends_with('.') && target.law.len() > 30, "{} has no law", target.name);
    }
}

/// Runs the inputs that once broke a law, whose names say what went wrong, and the stored corpus.
#[test]
fn named_cases_and_the_corpus_break_no_law() {
    let mut broken = Vec::new();
    for target in TARGETS {
        for (path, bytes) in
            [files::cases(target.name), files::corpus(target.name)].iter().flat_map(|it| files::all(it))
        {
            if let Err(message) = attempt(target, &bytes) {
                broken.push(format!("{}: {message}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    for parent in [files::cases(""), files::corpus("")] {
        for folder in std::fs::read_dir(&parent).unwrap().flatten() {
            let name = folder.file_name().to_string_lossy().into_owned();
            assert!(target(&name).is_some() || name == "README.md", "{name} belongs to no target");
        }
    }
}

/// The corpus has inputs for every target, so that a run starts from more than the seeds, and stays small in git. The reader
/// refuses some of them and accepts others, except where no accepted input is so small.
#[test]
fn the_corpus_is_small_and_varied() {
    const MAX_BYTES: usize = 4096;
    for target in TARGETS {
        let inputs = files::all(&files::corpus(target.name));
        let bytes: usize = inputs.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes < MAX_BYTES, "{}: {bytes} bytes", target.name);
        let accepted =
            inputs.iter().filter(|(_, bytes)| attempt(target, bytes).is_ok_and(|seen| seen.accepted)).count();
        let has_small_seed = (target.seeds)().iter().any(|seed| !seed.is_empty() && seed.len() < MAX_BYTES);
        assert!(accepted < inputs.len() && (accepted > 0 || !has_small_seed), "{}: {accepted} accepted", target.name);
    }
}

/// The seeds of this target are tables that the engine saved, so it must load them.
#[test]
fn engine_loads_the_tables_that_it_saved() {
    let target = target("snapshots").unwrap();
    for (at, seed) in (target.seeds)().iter().enumerate() {
        assert!(attempt(target, seed).is_ok_and(|seen| seen.accepted), "seed {at} is refused");
    }
}

/// Tests the driver with a law that does not hold.
#[test]
fn driver_finds_and_shrinks_a_planted_fault() {
    use baize_fuzz::{Execution, FuzzTarget};
    static PLANTED: FuzzTarget = FuzzTarget {
        name: "planted",
        law: "No bytes contain the word and a zero behind it.",
        run: |bytes| {
            let at = bytes.windows(4).position(|four| four == b"word");
            assert!(at.is_none_or(|at| !bytes[at + 4..].contains(&0)), "planted");
            Execution::accepted(at)
        },
        seeds: || vec![b"some text".to_vec()],
        words: &["word", "\0"],
        longest: 100,
        tests: 0,
    };
    let mut run = FuzzRun::new(&PLANTED, 1);
    let mut result = run.start();
    for _ in 0..100_000 {
        result = result.and_then(|()| run.step());
    }
    assert_eq!(result, Err(Counterexample { input: b"word\0".to_vec(), message: "planted".into() }));
}
