//! The commands for developers. `cargo xtask` lists them by purpose. Each file with a `COMMAND` is one of them.

mod bench;
mod changelog;
mod check;
mod chromium;
mod command;
mod debian;
mod deny;
mod dist;
mod fix;
mod fuzz;
mod licences;
mod pictures;
mod process;
mod regenerate;
mod release;
mod run;
mod test;
mod web;

use command::Command;
use std::process::ExitCode;

/// All commands. The help lists them from this table.
const COMMANDS: &[Command] = &[
    run::COMMAND,
    check::COMMAND,
    fix::COMMAND,
    test::COMMAND,
    regenerate::COMMAND,
    pictures::COMMAND,
    fuzz::COMMAND,
    bench::COMMAND,
    dist::COMMAND,
    release::COMMAND,
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words[..] {
        [] | ["help" | "--help" | "-h"] => {
            print!("{}", command::overview(COMMANDS));
            return ExitCode::SUCCESS;
        }
        ["help", name] | [name, "--help" | "-h"] => {
            command::find(COMMANDS, name).map(|found| print!("{}", found.help()))
        }
        [name, ref rest @ ..] => command::find(COMMANDS, name).and_then(|found| (found.run)(rest)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}
