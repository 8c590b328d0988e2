//! `baize replay`: prints a finished game step by step, or the table after one of its steps.

use crate::verify;
use baize_engine::reduce::reduce;
use baize_engine::view::{Batch, Cause, Event};
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
    let mut view = replay.first.clone();
    println!("{} · {}", replay.game, replay.names.join(", "));
    for batch in &replay.batches {
        if args.step == Some(view.seq) {
            break;
        }
        reduce(&mut view, batch).map_err(|error| unusable(&error))?;
        if args.step.is_none() {
            println!("{:>4}  {}", batch.seq, describe_step(&terminal, batch));
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

/// Describes one step in a line: who acted, which cards moved where, what was announced.
fn describe_step(terminal: &Terminal, batch: &Batch) -> String {
    let mut words = vec![match &batch.cause {
        Cause::Start => "the game begins".to_owned(),
        Cause::Move { seat } => terminal.name(*seat),
        Cause::Input { kind, seat: Some(seat) } => format!("{} ({kind})", terminal.name(*seat)),
        Cause::Input { kind, seat: None } => format!("({kind})"),
    }];
    let zone = |zone: &Option<u16>| {
        let layout = zone.and_then(|zone| terminal.table.zones.get(usize::from(zone)));
        match layout {
            Some(layout) => match layout.owner {
                Some(owner) => format!("{} of {}", layout.title, terminal.name(owner)),
                None => layout.title.clone(),
            },
            None => "elsewhere".to_owned(),
        }
    };
    for event in &batch.events {
        match event {
            Event::Moved { from, to, came, count, .. } => {
                let cards: Vec<String> = came.iter().map(|placed| terminal.card(&placed.card)).collect();
                let cards = if cards.len() > 8 { format!("{count} cards") } else { cards.join(" ") };
                words.push(format!("{cards} from {} to {}", zone(from), zone(to)));
            }
            Event::Shuffled { zone: at } => words.push(format!("{} is shuffled", zone(&Some(*at)))),
            Event::Dice { face: Some(face), .. } => words.push(format!("a die shows {face}")),
            Event::Announced { text, .. } => words.push(format!("“{}”", terminal.line(text))),
            _ => {}
        }
    }
    // A deal is many moves of one card each; only the first few are printed.
    let most = 12;
    if words.len() > most {
        let more = words.len() - most;
        words.truncate(most);
        words.push(format!("and {more} more"));
    }
    words.join(" · ")
}
