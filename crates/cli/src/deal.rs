//! `baize deal`: shows a table after some random moves, as one viewer sees it. The same seed gives the same table on every
//! machine.

use crate::game_files;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::seats_of;
use baize_engine::input::Input;
use baize_engine::live::LiveTable;
use baize_engine::moves::Move;
use baize_engine::view::Viewer;
use baize_engine::with_sight;
use baize_terminal::Terminal;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Args {
    /// A name in games/ or the path of a rules file.
    game: String,
    #[arg(long)]
    players: Option<usize>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many random moves to make first.
    #[arg(long, default_value_t = 0)]
    moves: u32,
    /// Who looks: a seat (1, 2, …) or `spectator`.
    #[arg(long = "as", value_name = "SEAT|spectator", default_value = "1")]
    viewer: String,
    #[command(flatten)]
    setup: game_files::Setup,
    /// Print JSON for other programs.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode, String> {
    let found = game_files::game(&args.game)?;
    let program = Arc::new(found.program);
    let players = args.players.unwrap_or(usize::from(program.meta.min_players.max(2).min(program.meta.max_players)));
    let game = args.setup.game(program.clone(), players)?;
    let viewer = viewer(&args.viewer, players)?;

    let mut table = LiveTable::new(&game, seed_bytes(args.seed));
    for seat in 0..players as u8 {
        input(&mut table, &Input::Join { seat, person: true })?;
    }
    input(&mut table, &Input::Lead { seat: Some(0) })?;
    input(&mut table, &Input::Start)?;
    let mut chance = FastChance::new(args.seed);
    for _ in 0..args.moves {
        let Some((seat, answer)) = random_move(&table, &mut chance) else { break };
        table.play(seat, &answer).map_err(|r| format!("refused: {}", r.in_words()))?;
    }

    let view = table.view(viewer).ok_or("There is no such viewer.")?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(view).map_err(|e| e.to_string())?);
    } else {
        let definition = table.definition();
        let names: Vec<String> = (1..=players).map(|n| format!("Player {n}")).collect();
        print!(
            "{}",
            Terminal { table: &definition, names: &names, you: None }.write(&game_files::titled(view, &program.phases))
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn input(table: &mut LiveTable, input: &Input) -> Result<(), String> {
    table.input(input).map(|_| ()).map_err(|r| format!("refused: {}", r.in_words()))
}

fn viewer(text: &str, players: usize) -> Result<Viewer, String> {
    if text == "spectator" {
        return Ok(Viewer::Spectator);
    }
    match text.parse::<usize>() {
        Ok(seat) if (1..=players).contains(&seat) => Ok(Viewer::Seat(seat as u8 - 1)),
        _ => Err(format!("`{text}`: a seat from 1 to {players}, or `spectator`.")),
    }
}

/// Expands a number to the seed of a table.
pub fn seed_bytes(seed: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// A random legal move of a random seat that has to answer.
fn random_move(table: &LiveTable, chance: &mut FastChance) -> Option<(u8, Move)> {
    let open = table.open();
    let seat = seats_of(open).nth(chance.below(open.count_ones()) as usize)?;
    let sight = table.sight(Viewer::Seat(seat));
    let answer =
        with_sight!(&sight, s => s.instance().legal(s.frame(), seat)?.sample_with_text(chance, "Something made up"));
    Some((seat, answer))
}
