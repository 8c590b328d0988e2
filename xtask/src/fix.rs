//! `cargo xtask fix`: applies the automatic fixes of formatters and linters.

use crate::command::{Command, Purpose};
use crate::process::{cargo, run as run_program};
use crate::web;

pub const COMMAND: Command = Command {
    name: "fix",
    purpose: Purpose::Develop,
    arguments: "",
    summary: "repair layout and lints in Rust and TypeScript",
    details: &["Applies clippy's and Biome's suggestions, then rustfmt. Look at `git diff` afterwards."],
    run,
};

fn run(args: &[&str]) -> Result<(), String> {
    if let Some(unknown) = args.first() {
        return Err(format!("`fix` takes no arguments: {unknown}"));
    }
    cargo(&["clippy", "--fix", "--allow-dirty", "--allow-staged", "--workspace", "--all-targets"])?;
    cargo(&["fmt", "--all"])?;
    web::install()?;
    run_program(&mut web::npm(&["run", "format"]))
}
