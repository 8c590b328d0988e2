//! `cargo xtask test`: runs all checks part by part, and reports the time of each part and the slowest tests.

mod executables;
mod junit;
mod libtest;
mod report;

use crate::command::{Command, Purpose};
use crate::process::{cargo, duration, run as run_program, target};
use crate::{chromium, debian, deny, web};
use executables::{Executable, ExecutableKind};
use report::TestReport;
use std::time::Instant;

pub const COMMAND: Command = Command {
    name: "test",
    purpose: Purpose::Verify,
    arguments: "[PART …]",
    summary: "everything that must hold; this is what runs on every change",
    details: &[
        "Without PART: all of them, in this order. It stops after the first part that fails.",
        "",
        "format        the layout of the Rust sources",
        "lints         clippy, for everything and for the program as it is shipped",
        "dependencies  licences and sources, where cargo-deny is installed",
        "web           layout, lints, types and unit tests of the browser client",
        "client        the browser client is built, within its budget",
        "rust          all Rust tests, with Postgres, Redis and Caddy",
        "docs          the examples in the Rust documentation",
        "nodes         what crosses the socket once more, with clients at two nodes",
        "browser       the program in a real browser; five games also in Firefox and WebKit",
    ],
    run,
};

/// How many of the slowest tests the report names.
const NAMED: usize = 15;

/// One part of the checks, and one line of the report.
struct TestPart {
    name: &'static str,
    run: fn(&mut TestRun) -> Result<(), String>,
}

const PARTS: [TestPart; 9] = [
    TestPart { name: "format", run: |_| cargo(&["fmt", "--all", "--check"]) },
    TestPart { name: "lints", run: lints },
    TestPart { name: "dependencies", run: |_| deny::check() },
    TestPart { name: "web", run: web_checks },
    // The client is built before the Rust tests, because the program embeds it. So Cargo builds the program only once.
    TestPart { name: "client", run: TestRun::client },
    TestPart { name: "rust", run: rust },
    TestPart { name: "docs", run: |_| cargo(&["test", "--workspace", "--doc", "--quiet"]) },
    TestPart { name: "nodes", run: nodes },
    TestPart { name: "browser", run: browser },
];

/// State that the parts of one run share.
#[derive(Default)]
struct TestRun {
    report: TestReport,
    client_built: bool,
    executables: Option<Vec<Executable>>,
}

impl TestRun {
    /// Builds the browser client if this run has not built it yet.
    fn client(&mut self) -> Result<(), String> {
        if !self.client_built {
            web::build()?;
            self.client_built = true;
        }
        Ok(())
    }

    /// The executables of all Rust tests. Builds them if this run has not built them yet.
    fn executables(&mut self) -> Result<&[Executable], String> {
        if self.executables.is_none() {
            let start = Instant::now();
            self.executables = Some(executables::build(&["--workspace"])?);
            eprintln!("  {:>12}  building the tests", duration(start.elapsed()));
        }
        Ok(self.executables.as_deref().unwrap_or_default())
    }
}

fn run(args: &[&str]) -> Result<(), String> {
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    if let Some(unknown) = args.iter().find(|arg| !names.contains(arg)) {
        return Err(format!("there is no part `{unknown}`; there are {}", names.join(", ")));
    }
    let mut run = TestRun::default();
    let mut result = Ok(());
    for part in PARTS.iter().filter(|part| args.is_empty() || args.contains(&part.name)) {
        eprintln!("== {}", part.name);
        let start = Instant::now();
        result = (part.run)(&mut run);
        let time = start.elapsed();
        eprintln!("== {}: {} after {}", part.name, if result.is_ok() { "ok" } else { "FAILED" }, duration(time));
        run.report.part(part.name, result.is_ok(), time);
        if result.is_err() {
            break;
        }
    }
    eprint!("\n{}", run.report.text(NAMED));
    result
}

fn lints(_: &mut TestRun) -> Result<(), String> {
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // For the whole workspace, Cargo unifies the features of all crates, so `switches` and `fuzzing` are on. The released
    // program has neither, and must compile without them.
    cargo(&["clippy", "--package", "baize", "--", "-D", "warnings"])
}

fn web_checks(run: &mut TestRun) -> Result<(), String> {
    web::install()?;
    let times = junit::file("web")?;
    let checked =
        run_program(&mut web::npm(&["run", "check", "--", "--reporter=default", "--reporter=junit", &times.flag]));
    run.report.tests("web", junit::read(&times.path));
    checked
}

fn rust(run: &mut TestRun) -> Result<(), String> {
    run.client()?;
    debian::servers()?;
    let tests: Vec<Executable> =
        run.executables()?.iter().filter(|one| one.kind == ExecutableKind::Test).cloned().collect();
    let mut failed = Vec::new();
    for test in &tests {
        let outcome = libtest::run(test, &[])?;
        run.report.tests(&test.label(), outcome.times);
        if !outcome.passed {
            failed.push(test.label());
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("tests failed in {}", failed.join(", "))),
    }
}

fn nodes(run: &mut TestRun) -> Result<(), String> {
    debian::servers()?;
    let wire =
        run.executables()?.iter().find(|one| one.kind == ExecutableKind::Test && one.label() == "server wire").cloned();
    let wire = wire.ok_or("the tests of crates/server that cross the socket are gone: tests/wire")?;
    let outcome = libtest::run(&wire, &[("BAIZE_NODES", "2")])?;
    run.report.tests("server wire, two nodes", outcome.times);
    if outcome.passed { Ok(()) } else { Err("tests failed with clients at two nodes".into()) }
}

/// Plays every game in a real browser: `web/e2e`.
fn browser(run: &mut TestRun) -> Result<(), String> {
    let chromium = chromium::find()?;
    debian::browsers()?;
    run.client()?;
    // The tests of the command line need the program, so Cargo builds it for them. `--workspace` selects the same features
    // as the Rust tests, so that Cargo does not build it twice.
    let built = executables::build(&["--workspace", "--test", "commands"])?;
    let program = built.iter().find(|one| one.kind == ExecutableKind::Program && one.name == "baize");
    let program = program.ok_or("the tests of the command line no longer build the program")?;
    let times = junit::file("browser")?;
    let mut e2e = web::npm(&["run", "e2e", "--", "--reporter=default", "--reporter=junit", &times.flag]);
    let passed = run_program(e2e.env("CHROMIUM", chromium).env("BAIZE_BIN", &program.path).env_remove("BAIZE_WEB"));
    run.report.tests("browser", junit::read(&times.path));
    passed
}

/// The folder for outputs and times of tests.
fn folder() -> Result<std::path::PathBuf, String> {
    let folder = target().join("tests");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_every_part_in_order() {
        let help = COMMAND.help();
        let mut rest = help.as_str();
        for part in &PARTS {
            let at = rest.find(&format!("\n{} ", part.name)).unwrap_or_else(|| panic!("{}:\n{help}", part.name));
            rest = &rest[at + 1..];
        }
    }
}
