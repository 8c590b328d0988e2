//! What the server can carry: `cargo xtask bench server [PART …] [--seconds N] [--game ID]`.
//!
//! Starts a server as a process of its own on one core, plays against it from another, and writes one JSON object
//! with what each part found. Durability is on, as it always is. Parts: `saturation`, `paced`, `memory`, `most`, `bytes`,
//! `idle`, `reconnect`, `stalled`, `bots`, `shared`; none named: all of them.

mod http;
mod parts;
mod player;
mod process;
mod shared;
mod socket;
mod tables;

use process::{Purpose, ServerProcess};
use serde_json::{Map, Value, json};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

/// A server holds many small things of many ages; this allocator packs them closer than the system's and is faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub struct Settings {
    /// Another server than the one compiled in.
    pub binary: Option<PathBuf>,
    /// How long a part measures.
    pub seconds: f64,
    /// The game that is played where one will do.
    pub game: String,
    pub tables: Option<usize>,
    /// The share of a core that each node of `shared` gets. Without: the nodes have one core together.
    pub quota: Option<f64>,
    /// How often `shared` is measured.
    pub rounds: usize,
}

fn main() -> ExitCode {
    let mut settings =
        Settings { binary: None, seconds: 10.0, game: "donkey".into(), tables: None, quota: None, rounds: 3 };
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
            // What `cargo bench` adds.
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

/// Each part has a server of its own, so that none is measured on what another left behind.
fn part(settings: &Settings, name: &str) -> Result<Value, String> {
    if name == "shared" {
        return shared::run(settings);
    }
    let purpose = if name == "bots" { Purpose::Bots } else { Purpose::Alone };
    let server = ServerProcess::start(settings.binary.as_deref(), purpose, None)?;
    finish(parts::run(name, &server, settings))
}

/// Runs something to its end, or until it has taken too long.
fn finish<T>(work: impl Future<Output = io::Result<T>>) -> Result<T, String> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let most = Duration::from_secs(400);
    let result = LocalSet::new().block_on(&runtime, async { tokio::time::timeout(most, work).await });
    result.map_err(|_| "took too long".to_owned())?.map_err(|e| e.to_string())
}
