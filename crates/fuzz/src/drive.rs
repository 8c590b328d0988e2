//! The plain random driver: for machines without libFuzzer, and for the bounded runs in the tests.
//!
//! It keeps a population of inputs, changes one of them at random, runs the target, and keeps what reached something new
//! (see [`Seen`]). A panic is a broken law: the input is made smaller and handed back. Hangs and memory without bound are the
//! business of [`watch`], which ends the whole program.

use crate::files;
use crate::mutate::{Dice, mutate, shrink};
use crate::target::{Seen, Target};
use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Most inputs kept: beyond it a new one takes the place of an old one.
const POPULATION: usize = 4_000;
/// Executions spent on making a failing input smaller.
const SHRINKING: usize = 3_000;

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub executions: u64,
    pub accepted: u64,
    /// Different outcomes reached.
    pub kinds: usize,
}

/// An input that breaks the law, made smaller, and what the panic said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub input: Vec<u8>,
    pub message: String,
}

/// The input that runs now and since when, for whoever watches from another thread.
pub type Current = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

/// One run of one target.
pub struct Run {
    target: &'static Target,
    dice: Dice,
    population: Vec<Vec<u8>>,
    reached: HashSet<Seen>,
    report: Report,
    current: Option<Current>,
}

impl Run {
    pub fn new(target: &'static Target, seed: u64) -> Self {
        let dice = Dice::new(seed);
        Run { target, dice, population: Vec::new(), reached: HashSet::new(), report: Report::default(), current: None }
    }

    /// Shows each input to a watcher before it runs.
    pub fn watched(mut self, current: Current) -> Self {
        self.current = Some(current);
        self
    }

    /// Runs the seeds, the kept corpus and the named cases as they are.
    pub fn start(&mut self) -> Result<(), Fault> {
        let kept = [files::corpus(self.target.name), files::cases(self.target.name)];
        let kept = kept.iter().flat_map(|folder| files::all(folder)).map(|(_, bytes)| bytes);
        for input in (self.target.seeds)().into_iter().chain(kept).chain([Vec::new()]) {
            self.run(&input)?;
            self.population.push(input);
        }
        Ok(())
    }

    /// One changed input.
    pub fn step(&mut self) -> Result<(), Fault> {
        let at = self.dice.below(self.population.len());
        let Target { words, longest, .. } = self.target;
        let input = mutate(&self.population[at], &self.population, words, *longest, &mut self.dice);
        if self.run(&input)? {
            match self.population.len() {
                POPULATION => self.population[at] = input,
                _ => self.population.push(input),
            }
        }
        Ok(())
    }

    pub fn report(&self) -> Report {
        Report { kinds: self.reached.len(), ..self.report.clone() }
    }

    /// Whether something new was reached.
    fn run(&mut self, input: &[u8]) -> Result<bool, Fault> {
        if let Some(current) = &self.current {
            *lock(current) = Some((Instant::now(), input.to_vec()));
        }
        let seen = attempt(self.target, input);
        let seen = seen.map_err(|message| self.smaller(input, &message))?;
        self.report.executions += 1;
        self.report.accepted += u64::from(seen.accepted);
        Ok(self.reached.len() < 4 * POPULATION && self.reached.insert(seen))
    }

    fn smaller(&self, input: &[u8], message: &str) -> Fault {
        let place = |message: &str| message.lines().next().map(str::to_owned);
        let same = |bytes: &[u8]| attempt(self.target, bytes).is_err_and(|other| place(&other) == place(message));
        let input = shrink(input, SHRINKING, same);
        let message = attempt(self.target, &input).err().unwrap_or_else(|| message.to_owned());
        Fault { input, message }
    }
}

/// Runs a target once; the error is what the panic said.
pub fn attempt(target: &Target, input: &[u8]) -> Result<Seen, String> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(input))).map_err(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned())).unwrap_or_default()
    })
}

/// Writes an input where the reader of a report finds it, and says how to run it again.
pub fn keep(target: &Target, input: &[u8]) -> String {
    let hash: u64 =
        input.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    let path = files::artifacts(target.name).join(format!("fault-{hash:016x}"));
    let written = fs::create_dir_all(files::artifacts(target.name)).and_then(|()| fs::write(&path, input));
    match written {
        Ok(()) => format!("cargo xtask fuzz {} --input {}", target.name, shown(path)),
        Err(error) => format!("(the input could not be written to {}: {error})", path.display()),
    }
}

/// A path as one types it at the root of the workspace.
fn shown(path: PathBuf) -> String {
    path.strip_prefix(files::root()).map_or_else(|_| path.clone(), PathBuf::from).display().to_string()
}

/// Ends the program, with the input that runs, once an execution takes too long or the process needs too much memory.
pub fn watch(target: &'static Target, current: &Current, patience: Duration, most_bytes: u64) {
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

/// Memory of this process, where the system tells it.
fn resident() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

fn lock(current: &Current) -> std::sync::MutexGuard<'_, Option<(Instant, Vec<u8>)>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}
