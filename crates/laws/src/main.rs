//! `baize-laws [MINUTES] [SEED]` writes and plays files for this many minutes, and prints its report.
//! `baize-laws mutations [FILES] [NAME …]` switches off one check or mask after another and searches this many files for a witness: a file that
//! breaks a law then. It writes the witness into `tests/switches/`. There it replaces a witness that a person wrote, and one whose seed now
//! leads to another file.
//! `baize-laws score [FILES] [NAME …]` searches in the same way for every site, and writes nothing.
//! `baize-laws refusals [FILES] [honest]` counts what the checker refuses in generated files, and prints an example of each.
//! `baize-laws play FILE …` plays files as they are, and `baize-laws write SEED` prints a generated one.
//! `baize-laws without NAME FILE` plays a file with one check or mask switched off and prints the law that it breaks. It also prints
//! what the checker refuses with all checks in place.

mod files;

use baize_laws::play::{self, Counts};
use baize_laws::sites::{self, Origin, Site, Witness};
use files::all_sites;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // The run catches panics and reports each as a broken law. This hook prints where the panic happened.
    std::panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            eprintln!("panic in {place}");
        }
    }));
    match words.first().map(String::as_str) {
        Some("mutations") => mutations(&words[1..]),
        Some("score") => score(&words[1..]),
        Some("without") => without(&words[1..]),
        Some("refusals") => refusals(&words[1..]),
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

/// Returns the upper bound on files and the sites that a command line names.
fn wanted_sites(words: &[String]) -> (u64, Vec<Site>) {
    let most = words.first().and_then(|word| word.parse().ok()).unwrap_or(sites::MOST_FILES);
    let named = |site: &Site| words.len() < 2 || words[1..].iter().any(|word| site.key.starts_with(word));
    (most, all_sites().into_iter().filter(named).collect())
}

fn mutations(words: &[String]) -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/switches");
    let (most, wanted) = wanted_sites(words);
    let (mut generated, mut by_hand) = (0, 0);
    for site in &wanted {
        let path = folder.join(format!("{}.baize", site.key));
        let kept = std::fs::read_to_string(&path).ok().and_then(|text| Witness::read(&text));
        // If the laws have changed, their random numbers have, too. Then the file may show the leak in another game than before.
        let games = kept
            .iter()
            .flat_map(|kept| std::iter::once(kept.game).chain(0..GAMES).map(|game| Witness { game, ..kept.clone() }));
        let holds = games.into_iter().find(|witness| site.is_shown_by(witness).is_ok());
        // If the generator has changed, the seed may lead to another file. Then the search starts again.
        if let Some(witness) = holds.as_ref().filter(|witness| site.is_found_again(witness)) {
            generated += 1;
            println!("{}: kept", site.key);
            if kept.as_ref() != Some(witness) {
                keep(&path, witness);
            }
            continue;
        }
        let begun = Instant::now();
        let witness = site.witness(most);
        let took = begun.elapsed().as_secs_f64();
        match (witness, holds) {
            (Some(witness), _) => {
                generated += 1;
                println!("{}: “{}”, {:?}, {took:.1} s", site.key, witness.law, witness.origin);
                keep(&path, &witness);
            }
            (None, Some(holds)) => {
                // The generator does not find this file again, so it counts as one that a person keeps.
                keep(&path, &Witness { origin: Origin::ByHand, ..holds });
                by_hand += 1;
                println!("{}: written by hand; nothing found in {most} files, {took:.1} s", site.key);
            }
            (None, None) => println!("{}: nothing found in {most} files, {took:.1} s", site.key),
        }
    }
    let share = |part: usize| 100.0 * part as f64 / wanted.len().max(1) as f64;
    let (all, noticed) = (wanted.len(), generated + by_hand);
    println!("{noticed} of {all} sites are noticed ({:.1} %)", share(noticed));
    println!("{generated} of them by generated files ({:.1} %)", share(generated));
    if noticed == all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Searches for every site anew, and prints how many files each search took.
fn score(words: &[String]) -> ExitCode {
    let (most, wanted) = wanted_sites(words);
    let mut found = 0;
    for site in &wanted {
        let begun = Instant::now();
        let witness = site.search(most);
        found += usize::from(witness.is_some());
        let what = witness.map_or("nothing".to_owned(), |witness| format!("{:?}", witness.origin));
        println!("{}: {what}, {:.1} s", site.key, begun.elapsed().as_secs_f64());
    }
    let share = 100.0 * found as f64 / wanted.len().max(1) as f64;
    println!("the generator finds {found} of {} sites ({share:.1} %) within {most} files each", wanted.len());
    if found == wanted.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn keep(path: &Path, witness: &Witness) {
    if let Err(error) = std::fs::write(path, witness.written()) {
        eprintln!("{}: {error}", path.display());
    }
}

/// Upper bound on the lines that are printed for each refusal.
const EXAMPLES: usize = 3;

/// Counts by its code what the checker refuses in files as the generator writes them. The generator wants refusals of leaks.
/// Other refusals show what it does not write correctly.
fn refusals(words: &[String]) -> ExitCode {
    let files: u64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(1_000);
    let mut found: BTreeMap<String, (u64, Vec<String>)> = BTreeMap::new();
    let (mut accepted, mut only_leaks) = (0u64, 0u64);
    let only_honest = words.get(1).is_some_and(|word| word == "honest");
    for seed in 0..files {
        let seed = if only_honest { 3 * seed + 2 } else { seed };
        let source = baize_laws::generate::file(seed);
        let (program, diagnostics) = baize_rules::compile(&source);
        accepted += u64::from(program.is_some());
        let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
        only_leaks += u64::from(!errors.is_empty() && errors.iter().all(|error| error.code.starts_with("leak/")));
        for error in errors {
            let start = error.span.start as usize;
            let line = source[..start].matches('\n').count();
            let (count, examples) = found.entry(format!("{}: {}", error.code, error.title)).or_default();
            *count += 1;
            if examples.len() < EXAMPLES {
                examples.push(format!("{seed}: {}", source.lines().nth(line).unwrap_or_default().trim()));
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (what, (count, examples)) in found {
        println!("{count} {what}");
        examples.iter().for_each(|example| println!("    {example}"));
    }
    println!("{accepted} of {files} files are accepted as written; {only_leaks} are refused for leaks alone");
    ExitCode::SUCCESS
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
            Some((game, broken)) => println!("{path}: game {game} breaks “{}”: {}", broken.law, broken.description),
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

/// Number of games in which a file is tried.
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
            Some((game, broken)) => println!("game {game} breaks “{}”: {}", broken.law, broken.description),
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
