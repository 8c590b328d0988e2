//! The program behind `cargo xtask fuzz` for the random driver and for single inputs.

use baize_fuzz::drive::{self, Counterexample, CurrentInput, FuzzRun, RunSummary};
use baize_fuzz::{FuzzTarget, TARGETS, target};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const HELP: &str = "\
baize-fuzz [TARGET] [--minutes N] [--seed N]   tries to break a target's law, or each target's in turn
baize-fuzz TARGET --input FILE                 runs one input
baize-fuzz TARGET --seeds FOLDER               writes the inputs a run starts from, words and length, for another driver
baize-fuzz --list                              the targets and their laws";

/// An execution that takes longer counts as a hang.
const TIMEOUT: Duration = Duration::from_secs(30);
/// A process that uses more memory counts as a fault.
const MAX_BYTES: u64 = 2 << 30;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match Options::read(&args).and_then(|options| options.execute()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments of the command line.
#[derive(Default)]
struct Options {
    target: Option<&'static FuzzTarget>,
    minutes: Option<f64>,
    seed: Option<u64>,
    input: Option<String>,
    seeds: Option<String>,
    list: bool,
}

impl Options {
    fn read(args: &[String]) -> Result<Self, String> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{HELP}"));
            match arg.as_str() {
                "--minutes" => options.minutes = Some(number(value()?)?),
                "--seed" => options.seed = Some(number(value()?)?),
                "--input" => options.input = Some(value()?.clone()),
                "--seeds" => options.seeds = Some(value()?.clone()),
                "--list" => options.list = true,
                name => {
                    let known = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
                    let found = target(name)
                        .ok_or_else(|| format!("there is no target `{name}`; there are: {}\n{HELP}", known()))?;
                    options.target = Some(found);
                }
            }
        }
        Ok(options)
    }

    fn execute(self) -> Result<(), String> {
        if self.list {
            TARGETS.iter().for_each(|target| println!("{:12} {}", target.name, target.law));
            return Ok(());
        }
        if let Some(file) = &self.input {
            return run_input(self.target.ok_or(HELP)?, file);
        }
        if let Some(folder) = &self.seeds {
            return write_seeds(self.target.ok_or(HELP)?, Path::new(folder));
        }
        let chosen: Vec<&'static FuzzTarget> =
            self.target.map_or_else(|| TARGETS.iter().collect(), |target| vec![target]);
        let minutes = self.minutes.unwrap_or(1.0);
        let seed = self.seed.unwrap_or_else(any_seed);
        let wrong: Vec<String> = chosen.into_iter().filter_map(|target| run_for(target, minutes, seed).err()).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number\n{HELP}"))
}

/// Returns a different seed at every start. The run prints it.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| since.as_nanos() as u64)
}

/// Runs a target until the time is over, or until its law is broken.
fn run_for(target: &'static FuzzTarget, minutes: f64, seed: u64) -> Result<(), String> {
    println!("{}: {} (seed {seed})", target.name, target.law);
    let current = CurrentInput::default();
    drive::watch(target, &current, TIMEOUT, MAX_BYTES);
    let began = Instant::now();
    let mut run = FuzzRun::new(target, seed).watched(current);
    // Shrinking causes thousands of panics. Only the last one, below, is printed.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = run_until(&mut run, began + Duration::from_secs_f64(minutes * 60.0));
    std::panic::set_hook(hook);
    let RunSummary { executions, accepted, kinds } = run.report();
    let rate = executions as f64 / began.elapsed().as_secs_f64().max(0.001);
    println!(
        "{}: {executions} executions, {rate:.0} a second, {accepted} accepted, {kinds} kinds of outcome",
        target.name
    );
    result.map_err(|Counterexample { input, message }| {
        let _ = drive::attempt(target, &input);
        format!("{}: the law is broken: {message}\nagain: {}", target.name, drive::keep(target, &input))
    })
}

fn run_until(run: &mut FuzzRun, end: Instant) -> Result<(), Counterexample> {
    run.start()?;
    while Instant::now() < end {
        run.step()?;
    }
    Ok(())
}

fn run_input(target: &'static FuzzTarget, file: &str) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let current = CurrentInput::default();
    drive::watch(target, &current, TIMEOUT, MAX_BYTES);
    println!("{}: {}", target.name, target.law);
    match drive::attempt(target, &bytes) {
        Ok(seen) => println!("it holds: {}", if seen.accepted { "accepted" } else { "refused" }),
        Err(message) => return Err(format!("{}: the law is broken: {message}", target.name)),
    }
    Ok(())
}

fn write_seeds(target: &FuzzTarget, folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (at, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{at:03}")), seed).map_err(failed)?;
    }
    let quoted = |word: &&str| word.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
    let words: String = target.words.iter().map(|word| format!("\"{}\"\n", quoted(word))).collect();
    std::fs::write(folder.with_extension("words"), words).map_err(failed)?;
    std::fs::write(folder.with_extension("longest"), target.longest.to_string()).map_err(failed)
}
