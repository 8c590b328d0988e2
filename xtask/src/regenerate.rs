//! `cargo xtask regenerate`: rewrites every generated file that a test compares.
//!
//! The tests write the files: with [`VARIABLE`] (for snapshots [`SNAPSHOTS`]) set, a test writes its file instead of
//! comparing it.

use crate::command::{Command, Purpose};
use crate::process::{cargo_command, run as run_program};

pub const COMMAND: Command = Command {
    name: "regenerate",
    purpose: Purpose::Develop,
    arguments: "[PART …]",
    summary: "write anew what is generated: types, snapshots, lists",
    details: &[
        "Without PART: all of them. Read `git diff` afterwards: a change you did not mean is a fault.",
        "",
        "protocol   TypeScript types, JSON schemas and test vectors of the client, from the Rust types",
        "rules      snapshots of diagnostics, parsed files and lists of reveals",
        "engine     snapshots of views and playthroughs",
        "narrator   what a player is told of each game's beginning",
        "packs      snapshots of imported packs",
        "scenarios  the list of scenarios for each rule in games/scenarios/coverage.md",
        "repository the picture of all crates in docs/ARCHITECTURE.md",
        "replays    a record of each game that has none; a record is never overwritten",
    ],
    run,
};

/// With this variable a test writes its file instead of comparing it.
const VARIABLE: &str = "BAIZE_REGENERATE";
/// The variable with which insta writes snapshots.
const SNAPSHOTS: &str = "INSTA_UPDATE";

/// Tests of one package that write files.
struct TestGroup {
    name: &'static str,
    /// Folder of the package in the workspace.
    folder: &'static str,
    /// Names of test targets: files or folders in the package's `tests`.
    targets: &'static [&'static str],
    /// Part of a name: only tests whose names contain it run.
    filter: Option<&'static str>,
}

const PARTS: [TestGroup; 8] = [
    TestGroup {
        name: "protocol",
        folder: "crates/protocol",
        targets: &["typescript", "compact", "follow"],
        filter: None,
    },
    TestGroup { name: "rules", folder: "crates/rules", targets: &["parse", "meaning", "reveals"], filter: None },
    TestGroup { name: "engine", folder: "crates/engine", targets: &["golden", "views"], filter: None },
    TestGroup { name: "narrator", folder: "crates/narrator", targets: &["every_game"], filter: None },
    TestGroup { name: "packs", folder: "crates/packs", targets: &["cases"], filter: None },
    TestGroup { name: "scenarios", folder: "crates/scenarios", targets: &["games"], filter: None },
    TestGroup { name: "repository", folder: "xtask", targets: &["repository"], filter: Some("picture") },
    TestGroup { name: "replays", folder: "crates/server", targets: &["wire"], filter: Some("old_replays") },
];

fn run(args: &[&str]) -> Result<(), String> {
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    if let Some(unknown) = args.iter().find(|arg| !names.contains(arg)) {
        return Err(format!("there is no part `{unknown}`; there are {}", names.join(", ")));
    }
    for part in PARTS.iter().filter(|part| args.is_empty() || args.contains(&part.name)) {
        let manifest = format!("{}/Cargo.toml", part.folder);
        let mut words = vec!["test", "--quiet", "--manifest-path", &manifest];
        words.extend(part.targets.iter().flat_map(|target| ["--test", target]));
        words.extend(part.filter);
        run_program(cargo_command(&words).env(VARIABLE, "1").env(SNAPSHOTS, "always"))?;
    }
    eprintln!("done; `git diff` shows what changed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    fn sources(part: &TestGroup) -> Vec<String> {
        let folder = root().join(part.folder).join("tests");
        let mut found = Vec::new();
        for target in part.targets {
            let (file, module) = (folder.join(format!("{target}.rs")), folder.join(target).join("main.rs"));
            let text = std::fs::read_to_string(&file).or_else(|_| std::fs::read_to_string(&module));
            found.push(text.unwrap_or_else(|error| panic!("{}: {error}", file.display())));
        }
        found
    }

    #[test]
    fn every_part_names_tests_that_exist() {
        for part in &PARTS {
            assert_eq!(sources(part).len(), part.targets.len());
        }
    }

    #[test]
    fn every_test_that_keeps_a_file_belongs_to_a_part() {
        let mut missing = Vec::new();
        let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
        for package in crates.chain([root().join("xtask")]) {
            let known: Vec<&str> = PARTS
                .iter()
                .filter(|part| package == root().join(part.folder))
                .flat_map(|part| part.targets.iter().copied())
                .collect();
            let mut folders = vec![package.join("tests")];
            while let Some(folder) = folders.pop() {
                for path in std::fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
                    if path.is_dir() {
                        folders.push(path);
                        continue;
                    }
                    let text = std::fs::read_to_string(&path).unwrap_or_default();
                    let keeps = text.contains("insta::assert") || text.contains(VARIABLE);
                    let target = path.strip_prefix(package.join("tests")).unwrap().components().next().unwrap();
                    let target = target.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned();
                    // Shared modules (`tests/vectors/mod.rs`) belong to the files that use them.
                    let shared = path.ends_with("mod.rs");
                    if keeps && !shared && path.extension().is_some_and(|e| e == "rs") && !known.contains(&&*target) {
                        missing.push(path.display().to_string());
                    }
                }
            }
        }
        assert!(missing.is_empty(), "in no part of `cargo xtask regenerate`: {missing:?}");
    }
}
