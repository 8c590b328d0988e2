//! Tests that the template for new packs can be read, and that the documentation shows it and reads its own examples.

#![allow(clippy::disallowed_methods)] // Tests read files; the crate does not.

use baize_packs::{TEMPLATE, Trust, parse};
use std::path::Path;

fn read_page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/packs.md");
    std::fs::read_to_string(path).expect("the page")
}

/// Returns the blocks of a page with this tag.
fn blocks<'p>(page: &'p str, tag: &str) -> Vec<&'p str> {
    let fenced = page.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    fenced.filter(|(found, _)| *found == tag).map(|(_, text)| text).collect()
}

#[test]
fn the_template_is_read_without_a_complaint() {
    let imported = parse(TEMPLATE.as_bytes(), "mine", Trust::Player).unwrap_or_else(|errors| panic!("{errors}"));
    let [pack] = &imported.packs[..] else { panic!("{} packs", imported.packs.len()) };
    // The only note says that nobody else sees the column of notes.
    assert!(matches!(&imported.notes[..], [note] if note.contains("notes")), "{:?}", imported.notes);
    let picks: Vec<_> = pack.prompts().iter().map(|card| card.pick()).collect();
    assert_eq!(picks, [Some(1), Some(2), Some(1), Some(2)]);
    assert_eq!(pack.answers().len(), 2);
    assert_eq!(pack.deck("event").len(), 1, "a deck for other rules");
    let rows = TEMPLATE.lines().count() - 1;
    assert_eq!(pack.len(), rows, "each row is a card");
    assert!(TEMPLATE.lines().skip(1).all(|row| !row.ends_with(',')), "each card is explained");
}

#[test]
fn the_page_shows_the_template() {
    assert_eq!(blocks(&read_page(), "csv"), [TEMPLATE]);
}

#[test]
fn the_examples_of_the_page_are_read_without_a_complaint() {
    let page = read_page();
    let examples = blocks(&page, "json");
    assert_eq!(examples.len(), 2, "our form and the compact one");
    for example in examples {
        let imported = parse(example.as_bytes(), "mine", Trust::Player).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!((imported.packs.len(), imported.notes.len()), (1, 0), "{:?}", imported.notes);
        let pack = &imported.packs[0];
        assert_eq!((pack.name.as_str(), pack.answers().len()), ("Mine", 2));
        assert!(!pack.prompts().is_empty());
    }
}
