//! Licences, sources and versions of everything we depend on: `deny.toml`, checked by cargo-deny where it is installed.

use crate::process::{cargo_command, run};
use std::process::Stdio;

/// Advisories come last: their database is on the network, which a machine that runs the tests may not have.
pub fn check() -> Result<(), String> {
    let there = cargo_command(&["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("cargo-deny is not installed: licences and sources of dependencies are not checked");
        return Ok(());
    }
    run(&mut cargo_command(&["deny", "--offline", "check", "bans", "licenses", "sources"]))?;
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
