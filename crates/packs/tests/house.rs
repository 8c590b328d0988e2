//! Tests that the pack of the program is large enough, and that its cards fit together.

#![allow(clippy::disallowed_methods)] // Tests read files; the crate does not.

use std::path::Path;

use baize_packs::{Pack, Trust, blanks, merge, parse, to_json};

fn house() -> (String, Pack) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/house.json");
    let source = std::fs::read_to_string(path).unwrap();
    let mut imported = parse(source.as_bytes(), "house", Trust::Operator).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((imported.packs.len(), imported.notes.len()), (1, 0));
    (source, imported.packs.remove(0))
}

#[test]
fn house_pack_is_official_and_canonical() {
    let (source, pack) = house();
    assert_eq!((pack.id.as_str(), pack.name.as_str(), pack.official), ("house", "House", true));
    assert_eq!(source, to_json(&pack), "run the file through to_json");
}

#[test]
fn house_pack_has_enough_cards() {
    let (_, pack) = house();
    let picking = |n| pack.prompts().iter().filter(|card| card.pick() == Some(n)).count();
    assert!(pack.prompts().len() >= 66, "{} prompts", pack.prompts().len());
    assert!(picking(2) >= 14, "{} prompts take two answers", picking(2));
    assert!(picking(3) >= 4, "{} prompts take three answers", picking(3));
    assert!(pack.answers().len() >= 320, "{} answers", pack.answers().len());
    assert_eq!(pack.len(), pack.prompts().len() + pack.answers().len());
}

#[test]
fn house_pack_has_no_duplicates() {
    assert_eq!(merge([&house().1]).dropped, 0);
}

#[test]
fn prompts_are_whole_sentences() {
    let (_, pack) = house();
    for card in pack.prompts() {
        let text = &card.text;
        assert!(text.ends_with(['.', '?', '!', '”']), "{text:?} ends in the air");
        // A surplus answer is appended to the prompt, which reads well only after a question.
        assert!(blanks(text) == card.pick().unwrap() || text.ends_with('?'), "{text:?}");
    }
    let questions = pack.prompts().iter().filter(|card| blanks(&card.text) == 0).count();
    assert!(questions >= 10, "{questions} questions");
}

#[test]
fn answers_fit_into_prompts() {
    let (_, pack) = house();
    for card in pack.answers() {
        let text = &card.text;
        assert!(text.starts_with(char::is_uppercase), "{text:?} begins small");
        assert!(!text.ends_with(['.', '!', '?', ',', ';', ':']), "{text:?} ends a sentence that goes on");
        assert!(!text.contains('_'), "{text:?} looks like a blank");
        assert!(text.chars().count() <= 80, "{text:?} is too long to be read aloud in one breath");
    }
}

#[test]
fn house_pack_has_consistent_typography() {
    let (source, pack) = house();
    assert!(source.lines().count() > pack.len(), "one card a line");
    for card in pack.decks.values().flatten() {
        assert!(!card.text.contains(['\'', '"']), "{:?} has typewriter quotes", card.text);
    }
}
