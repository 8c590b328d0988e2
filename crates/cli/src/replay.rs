//! `baize replay`: prints a finished game step by step, or the table after one of its steps.

use crate::verify;
use baize_narrator::Narrator;
use baize_terminal::Terminal;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// A replay, as `/api/replays/…` gives it; `-` reads it from standard input.
    file: String,
    /// Show the whole table, everything face up, after this many steps.
    #[arg(long)]
    step: Option<u64>,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let replay = verify::read(&args.file)?;
    let unusable = |error: &dyn std::fmt::Display| format!("{}: can't be shown: {error}.", args.file);
    let definition = baize_server::replayed(&replay).map_err(|error| unusable(&error))?.definition();
    let terminal = Terminal { table: &definition, names: &replay.names, you: None };
    let narrator = Narrator { table: &definition };
    let mut view = replay.first.clone();
    println!("{} · {}", replay.game, replay.names.join(", "));
    for batch in &replay.batches {
        if args.step == Some(view.seq) {
            break;
        }
        let narrations = narrator.follow(&mut view, batch).map_err(|error| unusable(&error))?;
        if args.step.is_none() {
            let lines: Vec<String> = narrations.iter().map(|narration| terminal.line(&narration.text)).collect();
            println!("{:>4}  {}", batch.seq, lines.join(" · "));
        }
    }
    match args.step {
        Some(step) if step != view.seq => Err(format!("{}: it has {} steps.", args.file, replay.batches.len())),
        _ => {
            print!("\n{}", terminal.write(&view));
            Ok(ExitCode::SUCCESS)
        }
    }
}
