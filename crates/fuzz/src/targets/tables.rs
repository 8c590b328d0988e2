//! Makes tables for the targets `moves` and `snapshots`. It prepares all games of the repository once; a byte chooses one.

use crate::files;
use crate::mutate::Generator;
use baize_engine::chance::FastChance;
use baize_engine::input::Input;
use baize_engine::instance::PackCard;
use baize_engine::instantiate;
use baize_engine::live::{GameScene, LiveTable};
use baize_engine::view::Viewer;
use baize_engine::with_sight;
use std::sync::{Arc, OnceLock};

/// Folders with the games. Together they use cards in three widths, dice, sealed answers, `together`, texts and roles.
const FOLDERS: [&str; 2] = ["games", "crates/engine/tests/law_games"];
/// Seats of each table, if the game allows that number.
const SEATS: usize = 3;

/// A prepared game, with its number of seats.
pub struct FuzzGame {
    pub scene: GameScene,
    pub seats: u8,
}

fn fuzz_games() -> &'static [FuzzGame] {
    static PREPARED: OnceLock<Vec<FuzzGame>> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let sources = FOLDERS.iter().flat_map(|folder| files::texts(folder, ".baize"));
        sources.map(|source| prepare(&source)).collect()
    })
}

pub fn fuzz_game(choice: u8) -> &'static FuzzGame {
    let all = fuzz_games();
    &all[usize::from(choice) % all.len()]
}

pub fn game_count() -> u8 {
    fuzz_games().len() as u8
}

fn prepare(source: &str) -> FuzzGame {
    let program = baize_rules::compile(source).0.expect("a game of ours compiles");
    let (low, high) = (usize::from(program.meta.min_players), usize::from(program.meta.max_players));
    let seats = SEATS.clamp(low, high.max(low));
    let instance = instantiate(Arc::new(program), &[], &packs(), seats).expect("a game of ours can be instantiated");
    FuzzGame { scene: GameScene::new(&instance), seats: seats as u8 }
}

/// Makes text cards for games that need packs.
fn packs() -> Vec<PackCard> {
    let card = |deck: &str, text: String, pick: i32| PackCard {
        deck_type: deck.to_owned(),
        text,
        props: vec![("pick".to_owned(), pick)],
    };
    let prompts = (0..12).map(|n| card("prompt", format!("Prompt {n}: ____?"), 1 + n % 3));
    prompts.chain((0..60).map(|n| card("answer", format!("Answer {n}."), 0))).collect()
}

impl FuzzGame {
    /// Makes a table with a player in every seat, after the start of the game.
    pub fn start(&self, seed: u8) -> LiveTable {
        let mut table = self.scene.table([seed; 32]);
        for seat in 0..self.seats {
            table.input(&Input::Join { seat, person: true }).expect("an empty seat is taken");
        }
        table.input(&Input::Lead { seat: Some(0) }).expect("the first leads");
        table.input(&Input::Start).expect("the game begins");
        table
    }

    /// Makes a table after the start and up to `moves` random moves.
    pub fn start_and_play(&self, seed: u8, moves: usize) -> LiveTable {
        let mut table = self.start(seed);
        let mut generator = Generator::new(u64::from(seed));
        for _ in 0..moves {
            if !play_random_move(&mut table, &mut generator) {
                break;
            }
        }
        table
    }
}

/// Plays a random legal move of a seat that has to answer. Returns false if there is none.
pub fn play_random_move(table: &mut LiveTable, generator: &mut Generator) -> bool {
    let open: Vec<u8> = (0..32).filter(|seat| table.open() >> seat & 1 == 1).collect();
    let Some(seat) = open.get(generator.below(open.len())).copied() else { return false };
    let Some(answer) = with_sight!(&table.sight(Viewer::Seat(seat)), sight => {
        let legal = sight.instance().legal(sight.frame(), seat);
        legal.map(|legal| legal.sample_with_text(&mut FastChance::new(generator.word()), "Something to say"))
    }) else {
        return false;
    };
    table.play(seat, &answer).is_ok()
}
