//! `baize-laws [MINUTES] [SEED]` writes and plays files for so long, and prints what was found.
//! `baize-laws mutations [FILES] [NAME …]` switches off one check or mask after another and looks for a file that shows what it
//! is good for, among so many for each; what is found is kept in `tests/switches/`.
//! `baize-laws play FILE …` plays files as they are, and `baize-laws write SEED` prints a generated one.
//! `baize-laws without NAME FILE` plays a file with one check or mask switched off and prints the law that it breaks. It also prints
//! what the checker refuses with all checks in place.

use baize_laws::play::{self, Counts};
use baize_laws::sites::{self, Site, Witness};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Panics are caught and told as a broken law.
    std::panic::set_hook(Box::new(|_| {}));
    match words.first().map(String::as_str) {
        Some("mutations") => mutations(&words[1..]),
        Some("without") => without(&words[1..]),
        Some("play") => play_files(&words[1..]),
        Some("write") => write_file(&words[1..]),
        _ => laws(&words),
    }
}

fn laws(words: &[String]) -> ExitCode {
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<f64>().ok());
    let minutes = number(0).unwrap_or(1.0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = number(1).map_or_else(|| now.map_or(1, |time| time.as_secs() << 20), |seed| seed as u64);
    let begun = Instant::now();
    println!("seed {seed}");
    let report = baize_laws::run(seed, &mut || begun.elapsed().as_secs_f64() < minutes * 60.0);
    for failure in &report.failures {
        println!("{failure}\n");
    }
    let constructs: Vec<String> = report.cover.seen.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!("{}\n", constructs.join(", "));
    println!("{}", report.lines(begun.elapsed().as_secs_f64()));
    if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn mutations(words: &[String]) -> ExitCode {
    let most: u64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(4_000);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/switches");
    let all = all_sites();
    let wanted: Vec<&Site> =
        all.iter().filter(|site| words.len() < 2 || words[1..].iter().any(|word| site.key.starts_with(word))).collect();
    let mut found = 0;
    for site in &wanted {
        let path = folder.join(format!("{}.baize", site.key));
        let kept = std::fs::read_to_string(&path).ok().and_then(|text| Witness::read(&text));
        // A change to the laws draws other numbers: the file may show it in another game than before.
        let games = kept
            .iter()
            .flat_map(|kept| std::iter::once(kept.game).chain(0..GAMES).map(|game| Witness { game, ..kept.clone() }));
        if let Some(witness) = games.into_iter().find(|witness| site.is_shown_by(witness).is_ok()) {
            found += 1;
            println!("{}: kept", site.key);
            if kept.as_ref() != Some(&witness) {
                keep(&path, &witness);
            }
            continue;
        }
        let begun = Instant::now();
        let mut tried = 0u64;
        let witness = site.witness(1_000, &mut || {
            tried += 1;
            tried <= most
        });
        let took = begun.elapsed().as_secs_f64();
        match witness {
            Some(witness) => {
                found += 1;
                println!("{}: “{}” after {tried} files, {took:.1} s", site.key, witness.law);
                keep(&path, &witness);
            }
            None => println!("{}: nothing found in {tried} files, {took:.1} s", site.key),
        }
    }
    println!(
        "{found} of {} sites are noticed ({:.1} %)",
        wanted.len(),
        100.0 * found as f64 / wanted.len().max(1) as f64
    );
    if found == wanted.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn keep(path: &Path, witness: &Witness) {
    if let Err(error) = std::fs::write(path, witness.written()) {
        eprintln!("{}: {error}", path.display());
    }
}

/// Checks and plays files as they are.
fn play_files(paths: &[String]) -> ExitCode {
    let mut sound = true;
    for path in paths {
        let source = std::fs::read_to_string(path).unwrap_or_default();
        let Some(program) = baize_laws::compile(&source) else {
            println!("{path}: refused");
            continue;
        };
        let mut counts = Counts::default();
        let broken = (0..GAMES).find_map(|game| Some((game, play::guarded(&program, game, &mut counts).err()?)));
        sound &= broken.is_none();
        match broken {
            Some((game, broken)) => println!("{path}: game {game} breaks “{}”: {}", broken.law, broken.what),
            None => println!("{path}: {GAMES} games keep all laws, {} pairs", counts.pairs),
        }
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the file of a seed, as the search for a witness writes it.
fn write_file(words: &[String]) -> ExitCode {
    let seed = words.first().and_then(|word| word.parse().ok()).unwrap_or(0);
    print!("{}", baize_laws::generate::hostile_file(seed));
    ExitCode::SUCCESS
}

/// Games in which a file is tried.
const GAMES: u64 = 30;

fn without(words: &[String]) -> ExitCode {
    let [name, path] = words else {
        eprintln!("baize-laws without NAME FILE");
        return ExitCode::FAILURE;
    };
    let source = std::fs::read_to_string(path).unwrap_or_default();
    for diagnostic in baize_rules::compile(&source).1 {
        println!("with all in place: {}: {}", diagnostic.code, diagnostic.title);
    }
    for site in all_sites().iter().filter(|site| site.key == *name) {
        for diagnostic in site.off(|| baize_rules::compile(&source).1) {
            println!("without {name}: {}: {}", diagnostic.code, diagnostic.title);
        }
        if let Some(program) = site.off(|| baize_laws::compile(&source)) {
            for reveal in &program.reveals {
                println!("listed at op {}: {}", reveal.pc, reveal.what);
            }
        }
        match (0..GAMES).find_map(|game| Some((game, site.breaks(&source, game)?))) {
            Some((game, broken)) => println!("game {game} breaks “{}”: {}", broken.law, broken.what),
            None => {
                let mut counts = Counts::default();
                if let Some(program) = site.off(|| baize_laws::compile(&source)) {
                    (0..GAMES).for_each(|game| {
                        drop::<Result<(), play::Violation>>(play::guarded(&program, game, &mut counts))
                    });
                }
                println!("{GAMES} games keep all laws: {counts:?}");
            }
        }
    }
    ExitCode::SUCCESS
}

fn all_sites() -> Vec<Site> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for path in rust_files(&crates.join("rules/src/elaborate")) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        all.extend(sites::checks(&name, &std::fs::read_to_string(&path).unwrap_or_default()));
    }
    let mut source = std::fs::read_to_string(crates.join("engine/src/sight.rs")).unwrap_or_default();
    for folder in ["engine/src/sight", "engine/src/observe", "engine/src/present"] {
        for path in rust_files(&crates.join(folder)) {
            source.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
    all.extend(sites::masks(&source));
    all
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    files.sort();
    files
}
