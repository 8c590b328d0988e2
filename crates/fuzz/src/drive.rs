//! The random driver, for machines without libFuzzer and for the bounded runs in the tests.
//!
//! It keeps a population of inputs, mutates one of them, runs the target, and keeps the mutated input if it reached
//! something new (see [`Execution`]). A panic means a broken law: the driver shrinks the input and returns it. [`watch`]
//! looks for hangs and unbounded memory, and ends the whole program.

use crate::files;
use crate::mutate::{Generator, mutate, shrink};
use crate::target::{Execution, FuzzTarget};
use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Upper bound on the population. When it is reached, a new input replaces an old one.
const POPULATION: usize = 4_000;
/// How many executions the driver spends on shrinking an input.
const SHRINKING: usize = 3_000;

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    pub executions: u64,
    pub accepted: u64,
    /// How many different executions the run reached.
    pub kinds: usize,
}

/// A shrunk input that breaks the law, and the message of the panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub input: Vec<u8>,
    pub message: String,
}

/// The input that runs now, and when it started. [`watch`] reads it from another thread.
pub type CurrentInput = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

/// One run of one target.
pub struct FuzzRun {
    target: &'static FuzzTarget,
    generator: Generator,
    population: Vec<Vec<u8>>,
    reached: HashSet<Execution>,
    report: RunSummary,
    current: Option<CurrentInput>,
}

impl FuzzRun {
    pub fn new(target: &'static FuzzTarget, seed: u64) -> Self {
        let generator = Generator::new(seed);
        FuzzRun {
            target,
            generator,
            population: Vec::new(),
            reached: HashSet::new(),
            report: RunSummary::default(),
            current: None,
        }
    }

    /// Publishes each input in `current` before it runs.
    pub fn watched(mut self, current: CurrentInput) -> Self {
        self.current = Some(current);
        self
    }

    /// Runs the seeds, the stored corpus and the named cases without mutation.
    pub fn start(&mut self) -> Result<(), Counterexample> {
        let kept = [files::corpus(self.target.name), files::cases(self.target.name)];
        let kept = kept.iter().flat_map(|folder| files::all(folder)).map(|(_, bytes)| bytes);
        for input in (self.target.seeds)().into_iter().chain(kept).chain([Vec::new()]) {
            self.run(&input)?;
            self.population.push(input);
        }
        Ok(())
    }

    /// Mutates one input and runs it.
    pub fn step(&mut self) -> Result<(), Counterexample> {
        let at = self.generator.below(self.population.len());
        let FuzzTarget { words, longest, .. } = self.target;
        let input = mutate(&self.population[at], &self.population, words, *longest, &mut self.generator);
        if self.run(&input)? {
            match self.population.len() {
                POPULATION => self.population[at] = input,
                _ => self.population.push(input),
            }
        }
        Ok(())
    }

    pub fn report(&self) -> RunSummary {
        RunSummary { kinds: self.reached.len(), ..self.report.clone() }
    }

    /// Runs an input. Returns whether it reached something new.
    fn run(&mut self, input: &[u8]) -> Result<bool, Counterexample> {
        if let Some(current) = &self.current {
            *lock(current) = Some((Instant::now(), input.to_vec()));
        }
        let seen = attempt(self.target, input);
        let seen = seen.map_err(|message| self.shrink_input(input, &message))?;
        self.report.executions += 1;
        self.report.accepted += u64::from(seen.accepted);
        Ok(self.reached.len() < 4 * POPULATION && self.reached.insert(seen))
    }

    fn shrink_input(&self, input: &[u8], message: &str) -> Counterexample {
        let place = |message: &str| message.lines().next().map(str::to_owned);
        let same = |bytes: &[u8]| attempt(self.target, bytes).is_err_and(|other| place(&other) == place(message));
        let input = shrink(input, SHRINKING, same);
        let message = attempt(self.target, &input).err().unwrap_or_else(|| message.to_owned());
        Counterexample { input, message }
    }
}

/// Runs a target once. The error is the message of the panic.
pub fn attempt(target: &FuzzTarget, input: &[u8]) -> Result<Execution, String> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(input))).map_err(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned())).unwrap_or_default()
    })
}

/// Writes an input to a file, and returns the command that runs it again.
pub fn keep(target: &FuzzTarget, input: &[u8]) -> String {
    let hash: u64 =
        input.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    let path = files::artifacts(target.name).join(format!("fault-{hash:016x}"));
    let written = fs::create_dir_all(files::artifacts(target.name)).and_then(|()| fs::write(&path, input));
    match written {
        Ok(()) => format!("cargo xtask fuzz {} --input {}", target.name, shown(path)),
        Err(error) => format!("(the input could not be written to {}: {error})", path.display()),
    }
}

/// Returns the path relative to the root of the workspace.
fn shown(path: PathBuf) -> String {
    path.strip_prefix(files::root()).map_or_else(|_| path.clone(), PathBuf::from).display().to_string()
}

/// Starts a thread that ends the program when an execution takes too long or the process uses too much memory. It writes
/// the running input to a file first.
pub fn watch(target: &'static FuzzTarget, current: &CurrentInput, patience: Duration, most_bytes: u64) {
    let current = current.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let running = lock(&current).clone();
            let Some((since, input)) = running else { continue };
            let wrong = match since.elapsed() > patience {
                true => Some(format!("takes more than {} s", patience.as_secs())),
                false => {
                    resident().filter(|bytes| *bytes > most_bytes).map(|bytes| format!("needs {} MB", bytes >> 20))
                }
            };
            if let Some(wrong) = wrong {
                eprintln!("{}: {wrong}\nagain: {}", target.name, keep(target, &input));
                std::process::exit(1);
            }
        }
    });
}

/// Returns the resident memory of this process in bytes. None on systems without `/proc`.
fn resident() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

fn lock(current: &CurrentInput) -> std::sync::MutexGuard<'_, Option<(Instant, Vec<u8>)>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}
