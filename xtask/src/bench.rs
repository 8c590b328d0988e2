//! `cargo xtask bench`: measures the engine, the bots, a room, the server or the first minute of a visitor.

use crate::command::{Command, Purpose};
use crate::process::{cargo, run as run_program};
use crate::{chromium, run as play, web};
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "bench",
    purpose: Purpose::Verify,
    arguments: "engine | bots | room | server | first-minute [OPTIONS]",
    summary: "measure the engine, bots, a room, the server or a visitor's first minute",
    details: &[
        "engine [--seconds N]  moves a second against a hand-written game, in one run",
        "bots                  each level of bots against the next lower one, in every game",
        "room [--moves N] [--game ID]",
        "                      what a move costs in a room, without sockets and without a store",
        "server [PART …] [--seconds N] [--game ID] [--tables N] [--rounds N] [--quota SHARE]",
        "                      what a server on one core carries, played against from another; JSON",
        "first-minute [--game ID] [--times N] [--base ADDRESS]",
        "                      taps and seconds of a new visitor with a phone: from the first page to",
        "                      the first card alone, and from a link to the seat. Uses the program that",
        "                      BAIZE_BIN names, or the server at ADDRESS.",
        "",
        "All but the last are built like the released program, with fat link-time optimisation.",
    ],
    run,
};

/// The name, the package and the Cargo target of each benchmark.
const BENCHES: [(&str, &str, &str); 4] = [
    ("engine", "baize-engine", "engine"),
    ("bots", "baize-bots", "ladder"),
    ("room", "baize-room", "room"),
    ("server", "baize-server", "load"),
];

fn run(args: &[&str]) -> Result<(), String> {
    let name = args.first().copied().unwrap_or_default();
    if name == "first-minute" {
        return first_minute(&args[1..]);
    }
    let (_, package, target) = BENCHES
        .into_iter()
        .find(|(known, ..)| *known == name)
        .ok_or("name one: engine, bots, room, server or first-minute")?;
    cargo(&[&["bench", "--package", package, "--bench", target, "--"], &args[1..]].concat())
}

fn first_minute(args: &[&str]) -> Result<(), String> {
    let chromium = chromium::find()?;
    web::refresh()?;
    let program = match std::env::var_os("BAIZE_BIN") {
        Some(given) => PathBuf::from(given),
        None => play::build()?,
    };
    let words = [&["run", "--silent", "first-minute", "--"], args].concat();
    run_program(web::npm(&words).env("CHROMIUM", chromium).env("BAIZE_BIN", program))
}
