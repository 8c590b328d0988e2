//! What developers run: `cargo xtask run`, `cargo xtask test`, `cargo xtask fuzz`, `cargo xtask bench engine|bots|server`.

mod browser;
mod debian;
mod deny;
mod fuzz;
mod web;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask run [ARGS]     build the browser client, build and start the server, print the link to open;
                           with ARGS: run the program with them (cargo xtask run simulate pig)
cargo xtask test [browser] everything that must hold: format, lints, tests, the browser client;
                           or only the tests in a real browser
cargo xtask bench engine   speed of the engine against a hand-written game
cargo xtask bench bots     each level of bots against the next lower one, in every game

cargo xtask fuzz [TARGET] [--minutes N] [--plain]
                           tries to break the law of a target, or of each in turn, for N minutes each: with libFuzzer if cargo-fuzz
                           is installed, else (or with --plain) with a random driver; --list names the targets;
                           `laws` plays random rules files and holds them against every law of the engine;
                           `mutations [FILES] [NAME …]` switches off one check for leaks or mask after another and looks among so
                           many files for one that breaks a law then;
                           --input FILE runs one input, --seed N repeats a run of the random driver
cargo xtask bench server [PART …] [--seconds N] [--game ID] [--tables N] [--rounds N] [--quota SHARE]
                           what a server on one core carries, played against from another; JSON";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["run"] => web::build().and_then(|()| baize(&["serve", "--games", "games", "--packs", "packs"])),
        ["run", ref rest @ ..] => baize(rest),
        ["test"] => test(),
        ["test", "browser"] => web::build().and_then(|()| browser::test()),
        ["bench", "engine", ref rest @ ..] => {
            cargo(&[&["bench", "--quiet", "--package", "baize-engine", "--bench", "engine", "--"], rest].concat())
        }
        ["bench", "bots", ref rest @ ..] => {
            cargo(&[&["bench", "--quiet", "--package", "baize-bots", "--bench", "ladder", "--"], rest].concat())
        }
        ["bench", "server", ref rest @ ..] => {
            cargo(&[&["bench", "--quiet", "--package", "baize-server", "--bench", "load", "--"], rest].concat())
        }
        ["fuzz", ref rest @ ..] => fuzz::fuzz(rest),
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

fn baize(args: &[&str]) -> Result<(), String> {
    cargo(&[&["run", "--quiet", "--release", "--package", "baize", "--"], args].concat())
}

fn test() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    deny::check()?;
    // The client comes first: the program embeds it, and is then built once.
    web::test()?;
    debian::servers()?;
    cargo(&["test", "--workspace", "--quiet"])?;
    // What crosses the socket once more, with clients at two nodes.
    run(cargo_command(&["test", "--package", "baize-server", "--test", "wire", "--quiet"]).env("BAIZE_NODES", "2"))?;
    browser::test()
}

fn cargo(args: &[&str]) -> Result<(), String> {
    run(&mut cargo_command(args))
}

fn cargo_command(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// The folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Shows a command and runs it.
fn run(command: &mut Command) -> Result<(), String> {
    let shown: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let shown = shown.join(" ");
    eprintln!("$ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{shown}` failed")),
        Err(e) => Err(format!("cannot start `{shown}`: {e}")),
    }
}
