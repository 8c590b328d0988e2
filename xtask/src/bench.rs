//! `cargo xtask bench`: measures the engine, the bots or the server.

use crate::command::{Command, Purpose};
use crate::process::cargo;

pub const COMMAND: Command = Command {
    name: "bench",
    purpose: Purpose::Verify,
    arguments: "engine | bots | server [OPTIONS]",
    summary: "measure the engine, the bots or the server",
    details: &[
        "engine [--seconds N]  moves a second against a hand-written game, in one run",
        "bots                  each level of bots against the next lower one, in every game",
        "server [PART …] [--seconds N] [--game ID] [--tables N] [--rounds N] [--quota SHARE]",
        "                      what a server on one core carries, played against from another; JSON",
        "",
        "Benchmarks are built like the released program, with fat link-time optimisation.",
    ],
    run,
};

/// The name, the package and the Cargo target of each benchmark.
const BENCHES: [(&str, &str, &str); 3] =
    [("engine", "baize-engine", "engine"), ("bots", "baize-bots", "ladder"), ("server", "baize-server", "load")];

fn run(args: &[&str]) -> Result<(), String> {
    let name = args.first().copied().unwrap_or_default();
    let (_, package, target) =
        BENCHES.into_iter().find(|(known, ..)| *known == name).ok_or("name one: engine, bots or server")?;
    cargo(&[&["bench", "--package", package, "--bench", target, "--"], &args[1..]].concat())
}
