//! `cargo xtask check`: finds most mistakes within a minute, for use after every change.

use crate::command::{Command, Purpose};
use crate::process::{cargo, duration, run as run_program};
use crate::web;
use std::time::Instant;

pub const COMMAND: Command = Command {
    name: "check",
    purpose: Purpose::Develop,
    arguments: "",
    summary: "layout, lints, types and the fast unit tests, in under a minute when warm",
    details: &[
        "Runs rustfmt, clippy, the unit tests inside the crates, Biome, TypeScript and Vitest. It starts",
        "no server, no database and no browser: `cargo xtask test` does.",
    ],
    run,
};

fn run(args: &[&str]) -> Result<(), String> {
    if let Some(unknown) = args.first() {
        return Err(format!("`check` takes no arguments: {unknown}"));
    }
    let start = Instant::now();
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // `--workspace` selects the same features as `cargo xtask test`, so that both share one build.
    cargo(&["test", "--workspace", "--lib", "--bins", "--quiet"])?;
    web::install()?;
    run_program(&mut web::npm(&["run", "check"]))?;
    eprintln!("all good after {}", duration(start.elapsed()));
    Ok(())
}
