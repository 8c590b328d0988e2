//! Reads every file in `games/`.
#![allow(dead_code)] // Each test that includes this module uses only a part of it.

use baize_engine::instance::{Game, PackCard};
use baize_engine::instantiate;
use baize_rules::program::{OptionValue, Program};
use std::path::Path;
use std::sync::Arc;

/// Number of moves of a deep test.
pub const STEPS: u64 = 150;

/// A file in `games/`.
pub struct TestGame {
    pub name: String,
    pub source: String,
    pub program: Arc<Program>,
}

/// Returns all files, sorted by name.
pub fn all() -> Vec<TestGame> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("games/").map(|e| e.expect("a file").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "baize"));
    paths.sort();
    assert!(!paths.is_empty(), "there are games");
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let source = std::fs::read_to_string(&path).expect("a text");
            let (program, problems) = baize_rules::compile(&source);
            let program =
                program.unwrap_or_else(|| panic!("{}", baize_rules::diagnostic::render(&name, &source, &problems)));
            TestGame { name, source, program: Arc::new(program) }
        })
        .collect()
}

impl TestGame {
    /// Returns every number of players that the game allows.
    pub fn players(&self) -> std::ops::RangeInclusive<usize> {
        usize::from(self.program.meta.min_players)..=usize::from(self.program.meta.max_players)
    }

    /// Makes an instance with the default options.
    pub fn game(&self, players: usize) -> Game {
        self.game_with(players, &[])
    }

    /// Makes an instance with the `quick` preset, or with the default options if there is none.
    pub fn quick_preset(&self, players: usize) -> Game {
        let preset = self.program.presets.iter().find(|preset| preset.name == "quick");
        let option =
            |(id, value): &(u16, OptionValue)| (self.program.options[usize::from(*id)].name.clone(), value.clone());
        let options: Vec<_> = preset.iter().flat_map(|preset| &preset.values).map(option).collect();
        self.game_with(players, &options)
    }

    pub fn game_with(&self, players: usize, options: &[(String, OptionValue)]) -> Game {
        let packs = pack();
        instantiate(self.program.clone(), options, &packs, players)
            .unwrap_or_else(|e| panic!("{} {players}: {e}", self.name))
    }
}

/// Makes text cards of every type that a deck may ask for.
fn pack() -> Vec<PackCard> {
    let card = |deck: &str, text: String, pick: i32| PackCard {
        deck_type: deck.to_string(),
        text,
        props: vec![("pick".to_string(), pick)],
    };
    let answers = (0..400).map(|i| card("answer", format!("Answer {i}"), 0));
    let prompts = (0..60)
        .map(|i| card("prompt", format!("Prompt {i}: _____"), 1 + i32::from(i % 4 == 1) + 2 * i32::from(i % 9 == 2)));
    answers.chain(prompts).collect()
}

pub fn seed(seed: u64) -> [u8; 32] {
    let mut bytes = [3; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// Returns the number of deep games with so many players.
pub fn deep(players: usize) -> u64 {
    let default = if players <= 5 { 5 } else { 2 };
    std::env::var("CONFORMANCE_DEEP").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
