//! Checks the licences, sources and versions of all dependencies against `deny.toml`, if cargo-deny is installed.

use crate::process::{cargo_command, run};
use std::process::Stdio;

/// Fetches the crates of all systems and checks them, then the advisories, whose database is on the network.
pub fn check() -> Result<(), String> {
    let there = cargo_command(&["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("cargo-deny is not installed: licences and sources of dependencies are not checked");
        return Ok(());
    }
    // The lock file has crates for other systems too. A build here fetches none of them, and cargo-deny needs all.
    match run(&mut cargo_command(&["fetch", "--locked"])) {
        Ok(()) => run(&mut cargo_command(&["deny", "--offline", "check", "bans", "licenses", "sources"]))?,
        Err(error) => eprintln!("{error}: licences and sources of dependencies are not checked"),
    }
    advisories()
}

fn advisories() -> Result<(), String> {
    let output = cargo_command(&["deny", "check", "advisories"]).output();
    let output = output.map_err(|error| format!("cannot start cargo-deny: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false if said.contains("failed to fetch advisory database") => {
            eprintln!("the advisories can't be fetched here: not checked");
            Ok(())
        }
        false => Err(format!("`cargo deny check advisories` failed:\n{said}")),
    }
}
