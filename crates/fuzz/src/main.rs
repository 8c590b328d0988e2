//! What `cargo xtask fuzz` runs where libFuzzer is not used: the plain random driver, and single inputs.

use baize_fuzz::drive::{self, Current, Fault, Report, Run};
use baize_fuzz::{TARGETS, Target, target};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const HELP: &str = "\
baize-fuzz [TARGET] [--minutes N] [--seed N]   tries to break a target's law, or each target's in turn
baize-fuzz TARGET --input FILE                 runs one input
baize-fuzz TARGET --seeds FOLDER               writes the inputs a run starts from, for another driver
baize-fuzz --list                              the targets and their laws";

/// An execution that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// Memory beyond this is memory without bound.
const MOST_BYTES: u64 = 2 << 30;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match Wish::read(&args).and_then(|wish| wish.fulfil()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// What was asked for.
#[derive(Default)]
struct Wish {
    target: Option<&'static Target>,
    minutes: Option<f64>,
    seed: Option<u64>,
    input: Option<String>,
    seeds: Option<String>,
    list: bool,
}

impl Wish {
    fn read(args: &[String]) -> Result<Self, String> {
        let mut wish = Wish::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{HELP}"));
            match arg.as_str() {
                "--minutes" => wish.minutes = Some(number(value()?)?),
                "--seed" => wish.seed = Some(number(value()?)?),
                "--input" => wish.input = Some(value()?.clone()),
                "--seeds" => wish.seeds = Some(value()?.clone()),
                "--list" => wish.list = true,
                name => {
                    let known = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
                    let found = target(name)
                        .ok_or_else(|| format!("there is no target `{name}`; there are: {}\n{HELP}", known()))?;
                    wish.target = Some(found);
                }
            }
        }
        Ok(wish)
    }

    fn fulfil(self) -> Result<(), String> {
        if self.list {
            TARGETS.iter().for_each(|target| println!("{:12} {}", target.name, target.law));
            return Ok(());
        }
        if let Some(file) = &self.input {
            return one(self.target.ok_or(HELP)?, file);
        }
        if let Some(folder) = &self.seeds {
            return write_seeds(self.target.ok_or(HELP)?, Path::new(folder));
        }
        let chosen: Vec<&'static Target> = self.target.map_or_else(|| TARGETS.iter().collect(), |target| vec![target]);
        let minutes = self.minutes.unwrap_or(1.0);
        let seed = self.seed.unwrap_or_else(any_seed);
        let wrong: Vec<String> = chosen.into_iter().filter_map(|target| long(target, minutes, seed).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number\n{HELP}"))
}

/// Another one at every start; a run prints it.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| since.as_nanos() as u64)
}

/// Runs a target until the time is over or its law is broken.
fn long(target: &'static Target, minutes: f64, seed: u64) -> Result<(), String> {
    println!("{}: {} (seed {seed})", target.name, target.law);
    let current = Current::default();
    drive::watch(target, &current, PATIENCE, MOST_BYTES);
    let began = Instant::now();
    let mut run = Run::new(target, seed).watched(current);
    // Thousands of panics while a fault is made smaller are of no use to anybody; the last one is shown.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = until(&mut run, began + Duration::from_secs_f64(minutes * 60.0));
    std::panic::set_hook(hook);
    let Report { executions, accepted, kinds } = run.report();
    let rate = executions as f64 / began.elapsed().as_secs_f64().max(0.001);
    println!(
        "{}: {executions} executions, {rate:.0} a second, {accepted} accepted, {kinds} kinds of outcome",
        target.name
    );
    result.map_err(|Fault { input, message }| {
        let _ = drive::attempt(target, &input);
        format!("{}: the law is broken: {message}\nagain: {}", target.name, drive::keep(target, &input))
    })
}

fn until(run: &mut Run, end: Instant) -> Result<(), Fault> {
    run.start()?;
    while Instant::now() < end {
        run.step()?;
    }
    Ok(())
}

fn one(target: &'static Target, file: &str) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let current = Current::default();
    drive::watch(target, &current, PATIENCE, MOST_BYTES);
    println!("{}: {}", target.name, target.law);
    match drive::attempt(target, &bytes) {
        Ok(seen) => println!("it holds: {}", if seen.accepted { "accepted" } else { "refused" }),
        Err(message) => return Err(format!("{}: the law is broken: {message}", target.name)),
    }
    Ok(())
}

fn write_seeds(target: &Target, folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (at, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{at:03}")), seed).map_err(failed)?;
    }
    let quoted = |word: &&str| word.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    let words: String = target.words.iter().map(|word| format!("\"{}\"\n", quoted(word))).collect();
    std::fs::write(folder.with_extension("words"), words).map_err(failed)
}
