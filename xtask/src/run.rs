//! `cargo xtask run`: builds the browser client and the server, starts the server and opens its link in a browser.

use crate::command::{Command, Purpose};
use crate::process::{cargo, duration, root, target};
use crate::{debian, web};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command as Program, Stdio};
use std::time::Instant;

pub const COMMAND: Command = Command {
    name: "run",
    purpose: Purpose::Play,
    arguments: "[--no-open] | ARGS",
    summary: "build everything, start the server and open it in a browser",
    details: &[
        "The first build takes a few minutes; after that only what changed is built.",
        "A browser is opened in a desktop session, never over SSH or where CI is set.",
        "",
        "--no-open  only print the link",
        "ARGS       run the program with them instead, without building the browser client:",
        "           cargo xtask run check games/GAME.baize, cargo xtask run simulate GAME;",
        "           `cargo xtask run help` lists what there is",
    ],
    run,
};

/// The profile in `Cargo.toml` that is fast to build.
const PROFILE: &str = "local";

fn run(args: &[&str]) -> Result<(), String> {
    let start = Instant::now();
    match args {
        [] | ["--no-open"] => {
            say("Step 1 of 2: the browser client, with npm.");
            web::refresh()?;
            say("Step 2 of 2: the server, with Cargo. The first time this takes minutes, then seconds.");
            let program = build()?;
            say(&format!("Built in {}. Starting the server.", duration(start.elapsed())));
            let mut server = Program::new(program);
            server.args(["serve", "--games", "games", "--packs", "packs"]).current_dir(root());
            match opener(std::env::consts::OS, |name| std::env::var(name).ok(), debian::on_path) {
                Some(opener) if args.is_empty() => serve_and_open(&mut server, opener),
                _ => become_program(&mut server),
            }
        }
        _ => {
            let program = build()?;
            become_program(Program::new(program).args(args))
        }
    }
}

fn say(what: &str) {
    eprintln!("{what}");
}

/// Builds the program and returns its path. The program contains the browser client of the last build.
pub fn build() -> Result<PathBuf, String> {
    cargo(&["build", "--profile", PROFILE, "--package", "baize"])?;
    Ok(target().join(PROFILE).join(format!("baize{}", std::env::consts::EXE_SUFFIX)))
}

/// Replaces this process by the program, so that the program gets signals and input and sets the exit status.
fn become_program(program: &mut Program) -> Result<(), String> {
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(program);
        Err(format!("cannot start the program: {error}"))
    }
    #[cfg(not(unix))]
    {
        let status = program.status().map_err(|error| format!("cannot start the program: {error}"))?;
        std::process::exit(status.code().unwrap_or(1));
    }
}

/// Prints the server's output, and opens the first link in it.
fn serve_and_open(server: &mut Program, opener: &[&str]) -> Result<(), String> {
    let mut child =
        server.stdout(Stdio::piped()).spawn().map_err(|error| format!("cannot start the server: {error}"))?;
    let mut opener = Some(opener);
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
        println!("{line}");
        if let Some(link) = link(&line)
            && let Some(words) = opener.take()
        {
            // Ignores a failure: the link in the terminal still works.
            let discarded = || Stdio::null();
            let _ = Program::new(words[0]).args(&words[1..]).arg(link).stdout(discarded()).stderr(discarded()).spawn();
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the server ended with {status}")),
        Err(error) => Err(format!("the server is lost: {error}")),
    }
}

/// The first link in a line.
fn link(line: &str) -> Option<&str> {
    line.split_whitespace().find(|word| word.starts_with("http://") || word.starts_with("https://"))
}

/// The command that opens a link in the browser of this desktop session, if there is one.
fn opener(
    system: &str,
    variable: impl Fn(&str) -> Option<String>,
    installed: impl Fn(&str) -> bool,
) -> Option<&'static [&'static str]> {
    let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if ["CI", "SSH_CONNECTION", "SSH_TTY"].into_iter().any(set) {
        return None;
    }
    match system {
        "macos" => Some(&["open"]),
        "windows" => Some(&["cmd", "/c", "start", ""]),
        _ if (set("DISPLAY") || set("WAYLAND_DISPLAY")) && installed("xdg-open") => Some(&["xdg-open"]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_is_found_in_what_the_server_prints() {
        let line = "Open http://127.0.0.1:8080 in a browser. Stop with Ctrl+C.";
        assert_eq!(link(line), Some("http://127.0.0.1:8080"));
        assert_eq!(link("nothing to open"), None);
    }

    #[test]
    fn browser_is_opened_only_in_a_desktop_session() {
        let with = |system: &str, set: &[&str]| {
            opener(system, |name| set.contains(&name).then(|| "1".to_owned()), |_| true).is_some()
        };
        assert!(with("linux", &["DISPLAY"]) && with("linux", &["WAYLAND_DISPLAY"]) && with("macos", &[]));
        assert!(!with("linux", &[]), "no desktop");
        assert!(!with("linux", &["DISPLAY", "CI"]) && !with("macos", &["CI"]), "a build machine");
        assert!(!with("linux", &["DISPLAY", "SSH_CONNECTION"]), "the desktop is elsewhere");
        assert!(opener("linux", |_| Some("1".into()), |_| false).is_none());
    }
}
