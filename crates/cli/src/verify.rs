//! `baize verify`: plays a replay again, and compares every shuffle, roll and event with the recorded ones.

use baize_protocol::http::Replay;
use std::io::Read;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// A replay, as `/api/replays/…` gives it; `-` reads it from standard input.
    replay: String,
    /// The commitment you saw before the deal. Without it, only the one in the replay itself is checked.
    #[arg(long)]
    commitment: Option<String>,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let replay = read(&args.replay)?;
    baize_server::verify(&replay).map_err(|error| format!("{}: does not hold: {error}.", args.replay))?;
    if let Some(seen) = &args.commitment
        && !seen.trim().eq_ignore_ascii_case(&replay.commitment)
    {
        return Err(format!("{}: does not hold: it is of another commitment, {}.", args.replay, replay.commitment));
    }
    println!("It holds: game {}, {} steps, all as they follow from the seed.", replay.game, replay.steps.len());
    println!("Committed to {}.", replay.commitment);
    if args.commitment.is_none() {
        println!("Compare that with the commitment you saw before the deal (--commitment does).");
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a replay from a file, or from standard input if the path is `-`.
pub fn read(path: &str) -> Result<Replay, String> {
    let mut text = String::new();
    let result = match path {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| ()),
        path => std::fs::read_to_string(path).map(|read| text = read),
    };
    result.map_err(|e| format!("{path}: {e}"))?;
    serde_json::from_str(&text).map_err(|e| format!("{path}: this is no replay: {e}"))
}
