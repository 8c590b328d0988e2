//! Every game that is found in `games/`, in its quick preset where it has one.

use baize_engine::instance::{Game, PackCard, instantiate};
use std::path::Path;
use std::sync::Arc;

/// A game with its name; `quick` for a short one.
pub fn game(path: &Path, quick: bool, players: usize) -> Game {
    let source = std::fs::read_to_string(path).expect("text");
    let program = Arc::new(baize_rules::compile(&source).0.expect("a correct file"));
    let preset = program.presets.iter().find(|preset| quick && preset.name == "quick");
    let options: Vec<_> = preset
        .iter()
        .flat_map(|preset| &preset.values)
        .map(|(id, value)| (program.options[usize::from(*id)].name.clone(), value.clone()))
        .collect();
    let players = players.clamp(usize::from(program.meta.min_players), usize::from(program.meta.max_players));
    instantiate(program, &options, &pack(), players).expect("a table")
}

/// Names and paths, by name.
pub fn files() -> Vec<(String, std::path::PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let paths = std::fs::read_dir(folder).expect("games/").map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "baize"))
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    assert!(files.len() >= 6);
    files
}

fn pack() -> Vec<PackCard> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/house.json");
    let bytes = std::fs::read(path).expect("packs/house.json");
    let pack =
        baize_packs::parse(&bytes, "house.json", baize_packs::Trust::Operator).expect("a good pack").packs.remove(0);
    let card = |deck: &String, card: &baize_packs::Card| PackCard {
        deck_type: deck.clone(),
        text: card.text.clone(),
        props: card.numbers.iter().map(|(k, v)| (k.clone(), *v as i32)).collect(),
    };
    pack.decks.iter().flat_map(|(deck, cards)| cards.iter().map(move |c| card(deck, c))).collect()
}
