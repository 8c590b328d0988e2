//! Tests the faces of cards that a rules file defines itself: two different cards never look or read the same.

use baize_engine::definition::{CardFace, Definition, TableDefinition};
use baize_engine::instantiate;
use baize_engine::sight::Scene;
use baize_engine::with_game;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Makes a game with this deck, checks that all its faces differ, and returns them.
fn faces(deck: &str, show: &str) -> Vec<CardFace> {
    let source = format!(
        "game \"Faces\"\nplayers 2\ndeck cards:\n{deck}zones\n  stock: ordered, everyone sees cards, starts with cards\nannounce \"Hello\"\nend draw\n{show}"
    );
    let (program, diagnostics) = baize_rules::compile(&source);
    let program = Arc::new(program.unwrap_or_else(|| panic!("{diagnostics:?}\n{source}")));
    let game = instantiate(program, &[], &[], 2).unwrap();
    let faces = with_game!(&game, instance => TableDefinition::of(&Scene::new(instance.clone())).faces);
    let labels: BTreeSet<&str> = faces.iter().map(|face| face.label.as_str()).collect();
    assert_eq!(labels.len(), faces.len(), "two cards read alike: {labels:?}");
    let seen = |face: &CardFace| {
        let rank = face.attributes.get("rank").filter(|_| face.template == "pips").cloned();
        let sign = face.sign.as_ref().map(|sign| sign.word.clone());
        (face.template.clone(), face.number, rank, sign, face.title.clone(), face.details.clone())
    };
    let looks: BTreeSet<_> = faces.iter().map(seen).collect();
    assert_eq!(looks.len(), faces.len(), "two cards look alike: {looks:?}");
    faces
}

const SUITS: &str = "  attribute suit: coins cups swords batons\n";

#[test]
fn suits_that_a_file_defines_have_signs() {
    for deck in [
        format!("{SUITS}  attribute value: 1..10\n  make suit any, value any\n"),
        format!("  attribute value: 1..10\n{SUITS}  make suit any, value any\n"),
        format!("{SUITS}  attribute rank: 1..10\n  make suit any, rank any\n"),
    ] {
        let faces = faces(&deck, "");
        assert_eq!(faces.len(), 40);
        let five = faces.iter().find(|face| face.label == "5 of cups").expect("a five of cups");
        assert_eq!(five.template, "pips");
        assert_eq!(five.details.as_deref(), Some("cups"));
        let sign = five.sign.as_ref().expect("a sign");
        assert_eq!((sign.word.as_str(), sign.place), ("cups", 1));
    }
}

#[test]
fn rules_choose_the_picture_of_a_sign() {
    let drawn = |deck: &str, show: &str| -> Vec<(String, String, Option<String>)> {
        let sign = |face: CardFace| {
            let sign = face.sign.expect("a sign");
            (face.template, sign.word, sign.picture)
        };
        faces(deck, show).into_iter().map(sign).collect()
    };
    let row = |template: &str, word: &str, picture: Option<&str>| {
        (template.to_owned(), word.to_owned(), picture.map(str::to_owned))
    };
    // A picture may belong to a word of an attribute.
    let deck = "  attribute kind: flower skull\n  make kind flower, 3 copies, called \"Flower\"\n  make kind skull, called \"Skull\"\n";
    assert_eq!(
        drawn(deck, "show\n  sign skull \"☠\"\n"),
        [row("number", "flower", None), row("number", "skull", Some("☠"))]
    );
    // A picture may belong to the name of a card. The card may have no attributes, and the name several words.
    let deck = "  attribute kind: flower skull\n  with 2 Joker\n  make kind any, called \"Short hedge\"\n";
    assert_eq!(
        drawn(deck, "show\n  sign Joker \"🃏\"\n  sign \"Short hedge\" \"❦\"\n"),
        [row("number", "Joker", Some("🃏")), row("number", "flower", Some("❦")), row("number", "skull", Some("❦")),]
    );
    // A word with a picture becomes the sign, whichever attribute it belongs to.
    let deck = "  attribute colour: red blue\n  attribute kind: flower skull\n  make colour any, kind any\n";
    let signs = drawn(deck, "show\n  sign skull \"☠\"\n");
    assert_eq!(signs.iter().filter(|(_, word, _)| word == "skull").count(), 2);
}

#[test]
fn names_and_titles_stand_beside_the_sign() {
    let deck = format!("{SUITS}  attribute value: 1..10\n  make suit any, value any\n");
    let titled = faces(&deck, "show\n  face cards: number, title by value\n    8 \"Knave\"\n    10 \"King\"\n");
    let knave = titled.iter().find(|face| face.label == "8 of swords").expect("it is called by its values");
    assert_eq!(
        (knave.number, knave.title.as_deref(), knave.details.as_deref()),
        (Some(8), Some("Knave"), Some("swords"))
    );

    let deck = format!(
        "{SUITS}  attribute value: 1..2\n  make suit cups, value 1, called \"Ace of cups\"\n  make suit coins, value 1..2, called \"Coin\"\n"
    );
    let named = faces(&deck, "");
    let ace = named.iter().find(|face| face.label == "Ace of cups").expect("a name of its own is enough");
    assert_eq!((ace.template.as_str(), ace.number, ace.details.as_deref()), ("number", Some(1), None));
    assert!(named.iter().any(|face| face.label == "Coin (2 of coins)"), "a name that two cards share is not");
}

#[test]
fn other_words_and_numbers_are_readable() {
    let coloured = faces("  attribute colour: red green\n  attribute value: 1..3\n  make colour any, value any\n", "");
    assert!(coloured.iter().any(|face| face.template == "number" && face.label == "red 2" && face.number == Some(2)));
    let priced = faces("  attribute value: 1..3\n  attribute cost: 1..2\n  make value any, cost any\n", "");
    assert!(priced.iter().any(|face| face.label == "3, cost 2" && face.details.as_deref() == Some("cost 2")));
    let words =
        faces("  attribute colour: red green\n  attribute shape: round square\n  make colour any, shape any\n", "");
    assert!(words.iter().any(|face| face.label == "red square" && face.details.as_deref() == Some("red, square")));
    let mixed = faces("  attribute suit: ♦ ♥ ♠ ♣\n  attribute rank: A 2..10 J\n  make suit any, rank A 7..10 J\n", "");
    assert_eq!(mixed.len(), 24);
    assert!(mixed.iter().any(|face| face.label == "A♣" && face.details.is_none()));
}

/// A small game that explains itself and counts.
const EXPLAINED: &str = "game \"Explained\"\nlanguage 1\nplayers 2..3\ndeck cards: standard52\n  with 2 Joker\ndeck answers: packs \"answer\"\n\
    how to play\n  \"Play a card.\" shows hand, die\n  \"Jokers are high.\" shows Joker, A♠\n  \"That is all.\"\n\
    zones\n  box: nobody sees, starts with answers\n  hand[player]: owner sees cards, others see count\n  stock: ordered, everyone sees count, starts with cards\n\
    dice\n  die: faces 1..6\nstate\n  pot: 0..9 = 0\nroll die\ndraw 1 from stock to hand[first player]\npot += 2\n\
    ask first player \"More?\"\n  more\n    pot += 1\nend draw\n\
    show\n  status \"Hello\"\n  counter \"Pot\": pot\n  counter \"Stock\": count of stock at stock\n";

#[test]
fn a_definition_explains_the_game_with_the_faces_of_its_cards() {
    let (program, diagnostics) = baize_rules::compile(EXPLAINED);
    let definition = Definition::of("explained", &program.unwrap_or_else(|| panic!("{diagnostics:?}")));
    assert_eq!(definition.language, 1);
    let lines = &definition.how_to_play;
    assert_eq!(
        (lines[0].zones.as_slice(), lines[0].dice.as_slice()),
        (&["hand".to_owned()][..], &["die".to_owned()][..])
    );
    let labels: Vec<&str> = lines[1].faces.iter().map(|face| face.label.as_str()).collect();
    assert_eq!(labels, ["Joker", "A♠"]);
    assert!(lines[2].zones.is_empty() && lines[2].faces.is_empty());
    let json = serde_json::to_value(&definition).expect("JSON");
    assert_eq!(json["howToPlay"][2], serde_json::json!({ "text": "That is all." }));
}

#[test]
fn counters_are_the_first_status_lines() {
    let (program, _) = baize_rules::compile(EXPLAINED);
    let answer =
        baize_engine::instance::cards::PackCard { deck_type: "answer".into(), text: "Tea".into(), props: Vec::new() };
    let game = instantiate(Arc::new(program.expect("a game")), &[], &[answer], 2).expect("a table");
    let table = with_game!(&game, instance => TableDefinition::of(&Scene::new(instance.clone())));
    let labels: Vec<&str> = table.counters.iter().map(|counter| counter.label.as_str()).collect();
    assert_eq!(labels, ["Pot", "Stock"]);
    assert_eq!(table.counters[0].zone, None);
    let beside = table.counters[1].zone.map(|zone| table.zones[usize::from(zone)].zone.as_str());
    assert_eq!(beside, Some("stock"));
    assert!(table.texts.contains(&vec!["Pot: ".to_owned(), String::new()]));
}
