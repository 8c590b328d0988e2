//! `cargo xtask check`: finds most mistakes soon, for use after every change.

use crate::command::{Command, Purpose};
use crate::process::{cargo, duration, output, root};
use crate::web;
use std::collections::BTreeSet;
use std::process::Command as Program;
use std::time::Instant;

pub const COMMAND: Command = Command {
    name: "check",
    purpose: Purpose::Develop,
    arguments: "[--all]",
    summary: "layout, lints, types and the unit tests of what changed",
    details: &[
        "Runs rustfmt and clippy on all crates with their tests, the unit tests inside the crates that",
        "differ from the commit before the last one, and Biome, TypeScript and Vitest if a file that they",
        "read has changed since they passed. It starts no server, no database and no browser: `cargo xtask",
        "test` does, and runs the tests of every crate.",
        "",
        "--all   runs the unit tests inside all crates, and the checks of the client in any case",
    ],
    run,
};

fn run(args: &[&str]) -> Result<(), String> {
    let all = match args {
        [] => false,
        ["--all"] => true,
        _ => return Err(format!("`check` takes only --all: {}", args.join(" "))),
    };
    let start = Instant::now();
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // Building the unit tests of all crates takes minutes after a change of a crate that many others use. Clippy has checked that
    // they compile.
    match changed_files().filter(|_| !all) {
        Some(files) => unit_tests(&files)?,
        None => cargo(&["test", "--workspace", "--lib", "--bins", "--quiet"])?,
    }
    match all {
        true => web::check()?,
        false => web::check_if_changed()?,
    }
    eprintln!("all good after {}", duration(start.elapsed()));
    Ok(())
}

/// The files that differ from the commit before the last one, new ones included. `None` outside of a Git repository.
fn changed_files() -> Option<String> {
    let git = |args: &[&str]| output(Program::new("git").args(args).current_dir(root())).ok();
    let edited = git(&["diff", "--name-only", "HEAD~1"])?;
    Some(edited + "\n" + &git(&["ls-files", "--others", "--exclude-standard"])?)
}

fn unit_tests(files: &str) -> Result<(), String> {
    let folders = folders(files);
    if folders.is_empty() {
        return Ok(());
    }
    let mut words = vec!["test".to_owned(), "--quiet".into(), "--bins".into()];
    // Cargo refuses `--lib` if no package has a library.
    if folders.iter().any(|folder| root().join(folder).join("src/lib.rs").exists()) {
        words.push("--lib".into());
    }
    words.extend(folders.iter().flat_map(|folder| ["--package".to_owned(), package(folder)]));
    cargo(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The folders of the crates to which files belong.
fn folders(files: &str) -> BTreeSet<String> {
    let folder = |file: &str| {
        let mut parts = file.split('/');
        match (parts.next()?, parts.next()?, parts.next()) {
            ("xtask", _, _) => Some("xtask".to_owned()),
            ("crates", name, Some(_)) => Some(format!("crates/{name}")),
            _ => None,
        }
    };
    let found = files.lines().filter_map(folder);
    // A deleted crate has files in the difference and no manifest.
    found.filter(|folder| root().join(folder).join("Cargo.toml").exists()).collect()
}

fn package(folder: &str) -> String {
    match folder.rsplit('/').next() {
        Some("cli") => "baize".to_owned(),
        Some("xtask") => "xtask".to_owned(),
        name => format!("baize-{}", name.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lead_to_their_crates() {
        let files = "docs/bots.md\ncrates/engine/src/live.rs\ncrates/engine/README.md\nxtask/src/main.rs\ncrates/gone/src/lib.rs\nCargo.toml\n";
        assert_eq!(folders(files).into_iter().collect::<Vec<_>>(), ["crates/engine", "xtask"]);
    }

    #[test]
    fn every_crate_has_the_package_of_its_folder() {
        let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
        for path in crates.chain([root().join("xtask")]) {
            let folder = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
            assert!(manifest.contains(&format!("name = \"{}\"", package(&folder))), "{folder}");
        }
    }
}
