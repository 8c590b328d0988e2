//! Reads the canonical form of a pack, which `to_json` writes. It ignores nothing: it reports an unknown key to the author as
//! a mistake.
//!
//! ```json
//! { "id": "mine", "name": "Mine", "description": "", "official": false,
//!   "cards": { "prompt": [{ "text": "I like _____.", "pick": 1 }], "answer": [{ "text": "Tea" }] } }
//! ```
//!
//! A card may also be only its text, or an object with an id, a type, and its text and numbers under `properties`.

use std::collections::BTreeMap;

use crate::card;
use crate::error::{At, ProblemText, Problems};
use crate::node::{Node, Object, member};
use crate::reading::{Decks, Reading};
use crate::sheet::names_a_number;
use crate::text::quoted;

pub(crate) fn read(object: &Object, path: &str, key: Option<&str>, fallback_name: &str, reading: &mut Reading) {
    for (key, _) in object.iter() {
        if !["id", "name", "description", "official", "cards"].contains(&key) {
            reading.problems.add(
                At::Path(member(path, key)),
                ProblemText::new(
                    format!("A pack has no {}.", quoted(key)),
                    "It may have: id, name, description, official, cards.",
                ),
            );
        }
    }
    let heading = reading.heading(object, path, key, fallback_name, true);
    let path = member(path, "cards");
    let mut decks = Decks::new();
    match object.get("cards") {
        Some(Node::Object(lists)) => {
            for (deck, list) in lists.iter() {
                read_deck(deck, list, &member(&path, deck), &mut decks, reading);
            }
        }
        other => {
            let kind = other.map_or("nothing", Node::kind);
            reading.problems.add(
                At::Path(path),
                ProblemText::new(
                    format!("“cards” must hold a list of cards for each deck, and this is {kind}."),
                    r#"Write: "cards": {"prompt": [ … ], "answer": [ … ]}"#,
                ),
            );
            return;
        }
    }
    reading.add_pack(At::Path(path), heading, decks);
}

fn read_deck(deck: &str, list: &Node, path: &str, decks: &mut Decks, reading: &mut Reading) {
    let deck = match card::deck_name(deck) {
        Ok(deck) => deck,
        Err(fault) => return reading.problems.add(At::Path(path.into()), fault),
    };
    let Node::List(items) = list else {
        return reading.problems.add(
            At::Path(path.into()),
            ProblemText::new(
                format!("A deck must be a list of cards, and this is {}.", list.kind()),
                "Put the cards between square brackets.",
            ),
        );
    };
    let cards = decks.entry(deck.clone()).or_default();
    for (i, item) in items.iter().enumerate() {
        if !reading.room_for_card() {
            return;
        }
        let at = || At::Path(format!("{path}[{i}]"));
        if let Some((text, numbers)) = read_card(item, &at, &mut reading.problems)
            && let Some(card) = card::check(&deck, text, numbers, &at, &mut reading.problems)
        {
            cards.push(card);
        }
    }
}

/// Reads the text and the numbers of a card. Returns none and reports the problem if it has one.
fn read_card<'n>(
    item: &'n Node,
    at: &dyn Fn() -> At,
    problems: &mut Problems,
) -> Option<(&'n str, BTreeMap<String, i64>)> {
    let object = match item {
        Node::Text(text) => return Some((text, BTreeMap::new())),
        Node::Object(object) => object,
        other => {
            problems.add(
                at(),
                ProblemText::new(
                    format!("A card must have a text, and this is {}.", other.kind()),
                    r#"Write a card as: {"text": "Tea"}"#,
                ),
            );
            return None;
        }
    };
    let (object, wrapped) = match object.get("properties") {
        Some(Node::Object(properties)) => {
            for (key, _) in object.iter().filter(|(key, _)| !["id", "type", "properties"].contains(key)) {
                problems.add(at(), unknown(key));
            }
            (properties, true)
        }
        _ => (object, false),
    };
    let mut text = None;
    let mut numbers = BTreeMap::new();
    let mut good = true;
    for (key, value) in object.iter() {
        let fault = match value {
            Node::Null => continue,
            Node::Text(value) if key == "text" => {
                text = Some(value.as_str());
                continue;
            }
            Node::Whole(value) if names_a_number(key) => {
                numbers.insert(key.to_owned(), *value);
                continue;
            }
            other if key == "text" => ProblemText::new(
                format!("“text” must be a text, and this is {}.", other.kind()),
                "Put it in quotation marks.",
            ),
            Node::Text(value) if key == "pick" => ProblemText::new(
                format!("“pick” must be a number, and this is the text {}.", quoted(value)),
                "Remove the quotation marks.",
            ),
            Node::OtherNumber if names_a_number(key) => ProblemText::new(
                format!("The number for {} is not a whole number.", quoted(key)),
                "Cards hold whole numbers only.",
            ),
            _ => unknown(key),
        };
        problems.add(at(), fault);
        good = false;
    }
    if text.is_none() && good {
        problems.add(
            at(),
            ProblemText::new(
                "This card has no text.",
                if wrapped { "Give its properties a “text”." } else { r#"Write a card as: {"text": "Tea"}"# },
            ),
        );
    }
    text.filter(|_| good).map(|text| (text, numbers))
}

fn unknown(key: &str) -> ProblemText {
    ProblemText::new(
        format!("A card can't have {} here.", quoted(key)),
        "A card has a “text”, and besides only whole numbers such as “pick”, under names that mean nothing else (not id, type, card, date).",
    )
}
