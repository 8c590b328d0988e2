//! Tables to try moves and snapshots on: several games, made ready once, chosen by a byte.

use crate::files;
use crate::mutate::Dice;
use baize_engine::chance::FastChance;
use baize_engine::input::Input;
use baize_engine::instance::PackCard;
use baize_engine::instantiate;
use baize_engine::live::{GameScene, LiveTable};
use baize_engine::view::Viewer;
use baize_engine::with_sight;
use std::sync::{Arc, OnceLock};

/// Games that together use cards in three widths, dice, sealed answers, `together`, texts and roles.
const GAMES: [&str; 10] = [
    "pig",
    "old-maid",
    "hearts",
    "liars-dice",
    "rummy",
    "cards-against-humanity",
    "backs",
    "curtain",
    "seals",
    "twins",
];
/// Seats of every table, where the game allows it.
const SEATS: usize = 3;

/// A game made ready, with the number of seats.
pub struct Ready {
    pub stage: GameScene,
    pub seats: u8,
}

pub fn ready(choice: u8) -> &'static Ready {
    static READY: OnceLock<Vec<Ready>> = OnceLock::new();
    let all = READY.get_or_init(|| GAMES.iter().map(|game| make(game)).collect());
    &all[usize::from(choice) % all.len()]
}

/// How many there are to choose from.
pub const CHOICES: u8 = GAMES.len() as u8;

fn make(game: &str) -> Ready {
    let ending = format!("/{game}.baize");
    let source = [files::texts("games", &ending), files::texts("crates/engine/tests/law_games", &ending)]
        .concat()
        .swap_remove(0);
    let program = baize_rules::compile(&source).0.expect("a game of ours compiles");
    let (low, high) = (usize::from(program.meta.min_players), usize::from(program.meta.max_players));
    let seats = SEATS.clamp(low, high.max(low));
    let made = instantiate(Arc::new(program), &[], &packs(), seats).expect("a game of ours can be made");
    Ready { stage: GameScene::new(&made), seats: seats as u8 }
}

/// Text cards for games that want packs.
fn packs() -> Vec<PackCard> {
    let card = |deck: &str, text: String, pick: i32| PackCard {
        deck_type: deck.to_owned(),
        text,
        props: vec![("pick".to_owned(), pick)],
    };
    let prompts = (0..12).map(|n| card("prompt", format!("Prompt {n}: ____?"), 1 + n % 3));
    prompts.chain((0..60).map(|n| card("answer", format!("Answer {n}."), 0))).collect()
}

impl Ready {
    /// A table with everybody seated and the game begun.
    pub fn begun(&self, seed: u8) -> LiveTable {
        let mut table = self.stage.table([seed; 32]);
        for seat in 0..self.seats {
            table.input(&Input::Join { seat, person: true }).expect("an empty seat is taken");
        }
        table.input(&Input::Lead { seat: Some(0) }).expect("the first leads");
        table.input(&Input::Start).expect("the game begins");
        table
    }

    /// The same after so many moves at random.
    pub fn played(&self, seed: u8, moves: usize) -> LiveTable {
        let mut table = self.begun(seed);
        let mut dice = Dice::new(u64::from(seed));
        for _ in 0..moves {
            if !any_move(&mut table, &mut dice) {
                break;
            }
        }
        table
    }
}

/// Makes a legal move at random for somebody who is asked; false if nobody can answer.
pub fn any_move(table: &mut LiveTable, dice: &mut Dice) -> bool {
    let open: Vec<u8> = (0..32).filter(|seat| table.open() >> seat & 1 == 1).collect();
    let Some(seat) = open.get(dice.below(open.len())).copied() else { return false };
    let Some(answer) = with_sight!(&table.sight(Viewer::Seat(seat)), sight => {
        let legal = sight.instance().legal(sight.frame(), seat);
        legal.map(|legal| legal.sample_with_text(&mut FastChance::new(dice.word()), "Something to say"))
    }) else {
        return false;
    };
    table.play(seat, &answer).is_ok()
}
