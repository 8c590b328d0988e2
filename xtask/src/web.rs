//! The browser client: installed, checked and built with npm.

use crate::{root, run};
use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    root().join("web")
}

pub fn npm(args: &[&str]) -> Command {
    let mut npm = Command::new("npm");
    npm.args(args).current_dir(folder());
    npm
}

/// Packages, exactly as locked. Skipped when they are newer than the lock file.
fn install() -> Result<(), String> {
    let changed = |path: &str| std::fs::metadata(folder().join(path)).and_then(|m| m.modified()).ok();
    let fresh = changed("node_modules/.package-lock.json") > changed("package-lock.json");
    if fresh { Ok(()) } else { run(&mut npm(&["ci", "--no-audit", "--no-fund"])) }
}

/// `web/dist`, which goes into the binary.
pub fn build() -> Result<(), String> {
    install()?;
    run(&mut npm(&["run", "build"]))
}

/// Format, lints, types and unit tests; and it builds within its budget.
pub fn test() -> Result<(), String> {
    install()?;
    run(&mut npm(&["run", "check"]))?;
    run(&mut npm(&["run", "build"]))
}
