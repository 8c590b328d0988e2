//! The browser client: installed, checked and built with npm.

use crate::process::{root, run};
use std::path::PathBuf;
use std::process::Command;

pub fn folder() -> PathBuf {
    root().join("web")
}

pub fn npm(args: &[&str]) -> Command {
    let mut npm = Command::new("npm");
    npm.args(args).current_dir(folder());
    npm
}

/// Installs the packages exactly as locked. Does nothing when they are newer than the lock file.
pub fn install() -> Result<(), String> {
    let changed = |path: &str| std::fs::metadata(folder().join(path)).and_then(|m| m.modified()).ok();
    let fresh = changed("node_modules/.package-lock.json") > changed("package-lock.json");
    if fresh { Ok(()) } else { run(&mut npm(&["ci", "--no-audit", "--no-fund"])) }
}

/// Builds `web/dist`, which becomes part of the program.
pub fn build() -> Result<(), String> {
    install()?;
    run(&mut npm(&["run", "build"]))
}
