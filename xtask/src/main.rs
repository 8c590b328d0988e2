//! What developers run: `cargo xtask run`, `cargo xtask test`, `cargo xtask bench engine`.

use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask run            play: until there is a server, the simulator
cargo xtask test           everything that must hold: format, lints, tests
cargo xtask bench engine   speed of the engine against a hand-written game";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["run", ref rest @ ..] => run_game(rest),
        ["test"] => test(),
        ["bench", "engine", ref rest @ ..] => {
            let mut command = vec!["bench", "--quiet", "--package", "baize-engine", "--bench", "engine", "--"];
            command.extend(rest);
            cargo(&command)
        }
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}

/// Until there is a server: plays every game of `games/` some hundred times.
fn run_game(rest: &[&str]) -> Result<(), String> {
    const BAIZE: [&str; 6] = ["run", "--quiet", "--release", "--package", "baize", "--"];
    if !rest.is_empty() {
        return cargo(&[&BAIZE[..], rest].concat());
    }
    let mut games: Vec<String> = std::fs::read_dir("games")
        .map_err(|e| format!("games/: {e}"))?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().strip_suffix(".baize")?.to_string()))
        .collect();
    games.sort();
    games.iter().try_for_each(|game| cargo(&[&BAIZE[..], &["simulate", game, "--games", "500"]].concat()))
}

fn test() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])
}

fn cargo(args: &[&str]) -> Result<(), String> {
    eprintln!("$ cargo {}", args.join(" "));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let status = Command::new(cargo).args(args).status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`cargo {}` failed", args.join(" "))) }
}
