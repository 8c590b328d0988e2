//! Measures how much load the server can carry: `cargo xtask bench server [PART …] [--seconds N] [--game ID]`.
//!
//! Starts a server as a separate process on one core, plays against it from another core, and prints one JSON object
//! with the results of each part. Durability is on, as always. Parts: `saturation`, `paced`, `memory`, `most`, `bytes`,
//! `idle`, `reconnect`, `stalled`, `bots`, `shared`; by default all of them.

mod http;
mod parts;
mod player;
mod process;
mod shared;
mod socket;
mod tables;

use process::{ProcessPurpose, ServerProcess};
use serde_json::{Map, Value, json};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

/// A server holds many small objects of different ages; this allocator packs them closer than the system's and is
/// faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub struct BenchOptions {
    /// Path of another server program, to measure it instead of the one compiled in.
    pub binary: Option<PathBuf>,
    /// How long each part measures.
    pub seconds: f64,
    /// The game for parts that play only one.
    pub game: String,
    pub tables: Option<usize>,
    /// The share of a core that each node of `shared` gets. Default: all nodes share one core.
    pub quota: Option<f64>,
    /// How often `shared` is measured.
    pub rounds: usize,
}

fn main() -> ExitCode {
    let mut settings =
        BenchOptions { binary: None, seconds: 10.0, game: "donkey".into(), tables: None, quota: None, rounds: 3 };
    let mut wanted: Vec<String> = Vec::new();
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "serve") {
        return match process::serve(&words) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        match word.as_str() {
            "--server" => settings.binary = Some(value().into()),
            "--seconds" => settings.seconds = value().parse().unwrap_or(settings.seconds),
            "--game" => settings.game = value(),
            "--quota" => settings.quota = value().parse().ok(),
            "--rounds" => settings.rounds = value().parse().unwrap_or(settings.rounds),
            "--tables" => settings.tables = value().parse().ok(),
            // `cargo bench` adds this argument.
            "--bench" => {}
            part if parts::NAMES.contains(&part) => wanted.push(part.to_owned()),
            other => {
                eprintln!("no part `{other}`; there are: {}", parts::NAMES.join(", "));
                return ExitCode::from(2);
            }
        }
    }
    if wanted.is_empty() {
        wanted = parts::NAMES.iter().map(|name| (*name).to_owned()).collect();
    }
    let files = process::raise_file_limit();
    let mut found = Map::new();
    found.insert("files".into(), json!(files));
    let mut good = true;
    for name in wanted {
        eprintln!("{name} …");
        let value = part(&settings, &name).unwrap_or_else(|error| {
            good = false;
            json!({ "failed": error })
        });
        eprintln!("{name}: {value}");
        found.insert(name, value);
    }
    println!("{}", serde_json::to_string_pretty(&Value::Object(found)).unwrap_or_default());
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Each part starts a new server, so that the previous part does not influence it.
fn part(settings: &BenchOptions, name: &str) -> Result<Value, String> {
    if name == "shared" {
        return shared::run(settings);
    }
    let purpose = if name == "bots" { ProcessPurpose::Bots } else { ProcessPurpose::Alone };
    let server = ServerProcess::start(settings.binary.as_deref(), purpose, None)?;
    finish(parts::run(name, &server, settings))
}

/// Runs a future to its end, or until a timeout.
fn finish<T>(work: impl Future<Output = io::Result<T>>) -> Result<T, String> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let most = Duration::from_secs(400);
    let result = LocalSet::new().block_on(&runtime, async { tokio::time::timeout(most, work).await });
    result.map_err(|_| "took too long".to_owned())?.map_err(|e| e.to_string())
}
