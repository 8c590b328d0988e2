//! `cargo xtask fuzz`: runs libFuzzer through cargo-fuzz if it is installed, else the random driver of `crates/fuzz`.

use crate::command::{Command, Purpose};
use crate::process::{cargo, cargo_command, root, run as run_program};
use std::process::{Command as Program, Stdio};

pub const COMMAND: Command = Command {
    name: "fuzz",
    purpose: Purpose::Verify,
    arguments: "[TARGET] [--minutes N] [--plain]",
    summary: "give random bytes to everything that reads bytes of strangers",
    details: &[
        "Runs each target, or only TARGET, for N minutes (1 by default). It uses libFuzzer if cargo-fuzz is",
        "installed. Otherwise, or with --plain, it uses a random driver.",
        "",
        "--list                        list the targets",
        "TARGET --input FILE           run one input",
        "TARGET --seed N               repeat a run of the random driver",
        "laws [--minutes N] [--seed N] play random rules files and check every law of the engine",
        "mutations [FILES] [NAME …]    switch off one check for leaks or one mask after another, and search",
        "                              FILES random files for one that then breaks a law",
    ],
    run: fuzz,
};

/// libFuzzer reports an execution that takes longer as a hang.
const TIMEOUT_SECONDS: u32 = 30;
/// libFuzzer reports a process that uses more memory as a fault.
const MAX_MEGABYTES: u32 = 2048;

fn fuzz(args: &[&str]) -> Result<(), String> {
    if let ["laws", rest @ ..] = args {
        return run_laws(rest);
    }
    if let ["mutations", rest @ ..] = args {
        return cargo(&[&["run", "--package", "baize-laws", "--", "mutations"], rest].concat());
    }
    let plain: Vec<&str> = args.iter().copied().filter(|arg| *arg != "--plain").collect();
    let single = args.iter().any(|arg| matches!(*arg, "--list" | "--input" | "--seed" | "--seeds" | "--plain"));
    if single || !has_libfuzzer() {
        run_driver(&plain)?;
        let all = plain.first().is_none_or(|first| matches!(*first, "--minutes" | "--seed"));
        return if all { run_laws(args) } else { Ok(()) };
    }
    let (mut target, mut minutes) = (None, 1.0);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--minutes" => {
                let given = rest.next().and_then(|given| given.parse::<f64>().ok());
                minutes = given.ok_or("--minutes needs a number")?;
            }
            name => target = Some(name),
        }
    }
    let seconds = (minutes * 60.0).ceil() as u64;
    for name in target.map_or_else(list_targets, |name| Ok(vec![name.to_owned()]))? {
        run_libfuzzer(&name, seconds)?;
    }
    // Without a target's name, the laws run after all targets.
    if target.is_none() { run_laws(args) } else { Ok(()) }
}

/// Plays random rules files and checks every law of the engine. `baize-laws` is a program of its own: it generates the
/// files from a seed, so libFuzzer could not guide it, and it can switch off checks, which no other program may.
fn run_laws(args: &[&str]) -> Result<(), String> {
    let value = |name: &str| args.iter().position(|arg| *arg == name).and_then(|at| args.get(at + 1)).copied();
    let mut words = vec!["run", "--package", "baize-laws", "--", value("--minutes").unwrap_or("1")];
    words.extend(value("--seed"));
    cargo(&words)
}

/// Runs the random driver. The profile `dev` is optimised and checks assertions and overflow.
fn run_driver(args: &[&str]) -> Result<(), String> {
    cargo(&[&["run", "--package", "baize-fuzz", "--"], args].concat())
}

fn has_libfuzzer() -> bool {
    let found = Program::new("cargo").args(["fuzz", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// The names of all targets, from the driver's list.
fn list_targets() -> Result<Vec<String>, String> {
    let output = cargo_command(&["run", "--package", "baize-fuzz", "--", "--list"]).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("the targets can't be listed: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

/// Runs a target with libFuzzer. No sanitizer is needed, because our code has no `unsafe`, so a stable compiler is enough.
fn run_libfuzzer(name: &str, seconds: u64) -> Result<(), String> {
    let corpus = format!("fuzz/corpus/{name}");
    run_driver(&[name, "--seeds", &corpus])?;
    // Without this limit libFuzzer makes no input longer than the longest one that it starts from.
    let longest = std::fs::read_to_string(root().join(format!("{corpus}.longest")));
    let longest = longest.map_err(|error| format!("{corpus}.longest: {error}"))?;
    let limits = [
        format!("-max_len={longest}"),
        format!("-max_total_time={seconds}"),
        format!("-timeout={TIMEOUT_SECONDS}"),
        format!("-rss_limit_mb={MAX_MEGABYTES}"),
    ];
    let mut command = Program::new("cargo");
    command.current_dir(root()).args(["fuzz", "run", "--sanitizer", "none", name, &corpus]);
    let kept = [format!("crates/fuzz/corpus/{name}"), format!("crates/fuzz/cases/{name}")];
    command.args(kept.iter().filter(|folder| root().join(folder).is_dir()));
    command.arg("--").args(limits).arg(format!("-dict={corpus}.words")).arg("-print_final_stats=1");
    let done = run_program(&mut command);
    done.map_err(|error| {
        format!("{error}\nto run the input again: cargo xtask fuzz {name} --input fuzz/artifacts/{name}/…")
    })
}
