#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod admin;
mod check;
mod deal;
mod dev;
mod fmt;
mod game_files;
mod pack;
mod play;
mod replay;
mod serve;
mod simulate;
mod test;
mod verify;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A server has many small allocations of very different ages. This allocator needs less memory for them than the system's,
/// and is faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(name = "baize", version, about = "An online table for card and dice games where a game is one text file.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check rules files and say what is wrong with them.
    Check(check::Args),
    /// Play the scenarios of a game and say which of them do not hold.
    Test(test::Args),
    /// Lay out rules files as they should be.
    Fmt(fmt::Args),
    /// Play many games at random and report on them.
    Simulate(simulate::Args),
    /// Deal a table, make some random moves, and show what one viewer sees.
    Deal(deal::Args),
    /// Play against bots, here in the terminal.
    Play(play::Args),
    /// Work on one game: serve it, read it again whenever it is saved, and say what is wrong with it.
    Dev(dev::Args),
    /// Serve tables to browsers.
    Serve(Box<serve::Args>),
    /// Look after a server: tables, packs, makers, reports, backups.
    Admin(admin::Args),
    /// Show a finished game, step by step.
    Replay(replay::Args),
    /// Check that a finished game was dealt and played fairly.
    Verify(verify::Args),
    /// Check, import and merge packs of text cards.
    #[command(subcommand)]
    Pack(pack::PackCommand),
}

fn main() -> ExitCode {
    exit_quietly_on_broken_pipe();
    let result = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Deal(args) => deal::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Dev(args) => dev::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Admin(args) => admin::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Pack(command) => pack::run(&command),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}

/// Ends the program without an error when the reader of its output is gone, as in `baize deal GAME | head`.
fn exit_quietly_on_broken_pipe() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<String>().is_some_and(|why| why.contains("Broken pipe")) {
            std::process::exit(0);
        }
        default_hook(panic);
    }));
}
