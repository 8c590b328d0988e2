//! Reads the JSON form that most collections on the web use. It lists each card once, and packs refer to cards by number:
//!
//! ```json
//! { "white": ["Tea"], "black": [{ "text": "I like _.", "pick": 1 }],
//!   "packs": [{ "name": "Mine", "white": [0], "black": [0] }] }
//! ```
//!
//! Real collections have these variants: `packs` may be called `metadata` and may be an object by key; cards may be texts
//! or objects; instead of numbers in the packs, each card may name its `pack` or `deck`; a file may be one pack without
//! `packs`, or a list or object of such packs. The reader ignores unknown keys (icons, symbols), because other people define
//! this form.

use std::collections::{BTreeMap, HashMap};

use crate::card;
use crate::error::{At, ProblemText};
use crate::node::{Node, Object, member};
use crate::pack::{ANSWER, Card, PROMPT};
use crate::reading::{Decks, Reading};

/// The two lists of cards: the name in this form, and the deck's name.
const LISTS: [(&str, &str); 2] = [("black", PROMPT), ("white", ANSWER)];

/// Whether an object lists cards, and packs that refer to them.
pub(crate) fn is_collection(object: &Object) -> bool {
    is_single(object) && packs_of(object).is_some()
}

/// Whether an object is one pack with its cards.
pub(crate) fn is_single(object: &Object) -> bool {
    !object.has("cards") && LISTS.iter().any(|(list, _)| object.has(list))
}

pub(crate) fn read_single(object: &Object, path: &str, key: Option<&str>, fallback_name: &str, reading: &mut Reading) {
    let heading = match object.get("metadata") {
        Some(Node::Object(about)) => reading.heading(about, &member(path, "metadata"), key, fallback_name, false),
        _ => reading.heading(object, path, key, fallback_name, false),
    };
    let mut decks = Decks::new();
    for (list, deck) in LISTS {
        for listed in read_list(object, path, list, deck, reading) {
            if !reading.room_for_card() {
                return;
            }
            decks.entry(deck.into()).or_default().extend(listed.card);
        }
    }
    let at = if path.is_empty() { At::File } else { At::Path(path.into()) };
    reading.add_pack(at, heading, decks);
}

pub(crate) fn read_collection(object: &Object, reading: &mut Reading) {
    let lists = LISTS.map(|(list, deck)| (list, deck, read_list(object, "", list, deck, reading)));
    let mut used = lists.each_ref().map(|(_, _, cards)| vec![false; cards.len()]);
    let packs = packs_of(object).unwrap_or_default();
    let by_number = packs.iter().any(|pack| LISTS.iter().any(|(list, _)| pack.object.has(list)));
    let tagged = match by_number {
        true => Vec::new(),
        false => lists.iter().map(|(_, _, cards)| cards_by_tag(&packs, cards)).collect(),
    };

    for (nth, pack) in packs.iter().enumerate() {
        let heading = reading.heading(pack.object, &pack.path, Some(pack.key), pack.name_without_one(), false);
        let mut decks = Decks::new();
        for (l, (list, deck, cards)) in lists.iter().enumerate() {
            let chosen = match tagged.get(l) {
                Some(groups) => groups[nth].clone(),
                None => numbered(pack, list, cards.len(), reading),
            };
            for i in chosen {
                if !reading.room_for_card() {
                    return;
                }
                used[l][i] = true;
                decks.entry((*deck).into()).or_default().extend(cards[i].card.clone());
            }
        }
        reading.add_pack(At::Path(pack.path.clone()), heading, decks);
    }
    let unused = used.iter().flatten().filter(|used| !**used).count();
    if unused > 0 {
        reading.note(format!("Left out, as they belong to none of the packs: {unused} of the cards listed."));
    }
}

/// A card of the two lists. `card` is none if it had problems, which the reader has reported.
struct Listed {
    card: Option<Card>,
    /// The pack that the card names, by key, position or name.
    pack: Option<String>,
}

/// A pack that refers to its cards.
struct PackRef<'n> {
    key: &'n str,
    /// The position in a list of packs.
    index: Option<usize>,
    object: &'n Object,
    path: String,
}

impl PackRef<'_> {
    fn name_without_one(&self) -> &str {
        if self.key.is_empty() { "Untitled pack" } else { self.key }
    }

    /// The names with which a card may refer to this pack.
    fn tags(&self) -> impl Iterator<Item = String> {
        let name = match self.object.get("name") {
            Some(Node::Text(name)) => Some(name.clone()),
            _ => None,
        };
        let key = (!self.key.is_empty()).then(|| self.key.to_owned());
        key.into_iter().chain(self.index.map(|i| i.to_string())).chain(name)
    }
}

/// The packs beside the cards, if there are any. A `metadata` of plain values describes the file and has no packs.
fn packs_of(object: &Object) -> Option<Vec<PackRef<'_>>> {
    ["packs", "metadata"].into_iter().find_map(|place| {
        let packs: Vec<PackRef<'_>> = match object.get(place)? {
            Node::List(items) => items
                .iter()
                .enumerate()
                .filter_map(|(i, item)| {
                    let path = format!("{place}[{i}]");
                    item.as_object().map(|object| PackRef { key: "", index: Some(i), object, path })
                })
                .collect(),
            Node::Object(items) => items
                .iter()
                .filter_map(|(key, item)| {
                    let path = member(place, key);
                    item.as_object().map(|object| PackRef { key, index: None, object, path })
                })
                .collect(),
            _ => Vec::new(),
        };
        (!packs.is_empty()).then_some(packs)
    })
}

fn read_list(object: &Object, path: &str, list: &str, deck: &str, reading: &mut Reading) -> Vec<Listed> {
    let path = member(path, list);
    match object.get(list) {
        None => Vec::new(),
        Some(Node::List(items)) => items
            .iter()
            .enumerate()
            .map(|(i, item)| read_card(item, deck, &|| At::Path(format!("{path}[{i}]")), reading))
            .collect(),
        Some(other) => {
            reading.problems.add(
                At::Path(path),
                ProblemText::new(
                    format!("“{list}” must be a list of cards, and this is {}.", other.kind()),
                    "Put the cards between square brackets.",
                ),
            );
            Vec::new()
        }
    }
}

fn read_card(item: &Node, deck: &str, at: &dyn Fn() -> At, reading: &mut Reading) -> Listed {
    let mut numbers = BTreeMap::new();
    let mut pack = None;
    let text = match item {
        Node::Text(text) => Some(text.as_str()),
        Node::Object(object) => {
            let pick = match object.get("pick") {
                None => Ok(None),
                Some(Node::Whole(pick)) => Ok(Some(*pick)),
                Some(Node::Text(pick)) => pick.trim().parse().map(Some).map_err(|_| "a text"),
                Some(other) => Err(other.kind()),
            };
            match pick {
                // Some collections give answers a `pick`, which means nothing.
                Ok(pick) => numbers.extend(pick.filter(|_| deck == PROMPT).map(|pick| ("pick".to_owned(), pick))),
                Err(kind) => reading.problems.add(
                    at(),
                    ProblemText::new(format!("“pick” must be a number, and this is {kind}."), "Write 1, 2 or 3."),
                ),
            }
            pack = match object.get("pack").or_else(|| object.get("deck")) {
                Some(Node::Text(name)) => Some(name.clone()),
                Some(Node::Whole(n)) => Some(n.to_string()),
                _ => None,
            };
            match object.get("text") {
                Some(Node::Text(text)) => Some(text.as_str()),
                _ => None,
            }
        }
        _ => None,
    };
    let card = match text {
        Some(text) => card::check(deck, text, numbers, at, &mut reading.problems),
        None => {
            let fault = ProblemText::new(
                "This card has no text.",
                r#"Write a card as a text in quotation marks, or as: {"text": "I like _.", "pick": 1}"#,
            );
            reading.problems.add(at(), fault);
            None
        }
    };
    Listed { card, pack }
}

/// The cards to which a pack refers by number.
fn numbered(pack: &PackRef<'_>, list: &str, len: usize, reading: &mut Reading) -> Vec<usize> {
    let mut chosen = Vec::new();
    let items = match pack.object.get(list) {
        None => return chosen,
        Some(Node::List(items)) => items,
        Some(other) => {
            reading.problems.add(
                At::Path(member(&pack.path, list)),
                ProblemText::new(
                    format!("“{list}” must be a list of card numbers, and this is {}.", other.kind()),
                    "Put the numbers between square brackets.",
                ),
            );
            return chosen;
        }
    };
    for (i, item) in items.iter().enumerate() {
        let fault = match item {
            Node::Whole(n) => match usize::try_from(*n) {
                Ok(n) if n < len => {
                    chosen.push(n);
                    continue;
                }
                _ => ProblemText::new(
                    format!("There is no card number {n}."),
                    match len {
                        0 => format!("The file lists no “{list}” cards."),
                        _ => format!("The “{list}” cards of this file are numbered from 0 to {}.", len - 1),
                    },
                ),
            },
            other => ProblemText::new(
                format!("A pack names its cards by number, and this is {}.", other.kind()),
                format!("Put the card into the “{list}” list at the top, and its position in that list here."),
            ),
        };
        reading.problems.add(At::Path(format!("{}[{i}]", member(&pack.path, list))), fault);
    }
    chosen
}

/// For each pack, the cards that name it. It passes over the cards once, not once for each pack, because a file may have
/// many of both.
fn cards_by_tag(packs: &[PackRef<'_>], cards: &[Listed]) -> Vec<Vec<usize>> {
    let mut owner = HashMap::new();
    for (nth, pack) in packs.iter().enumerate() {
        for tag in pack.tags() {
            owner.entry(tag).or_insert(nth);
        }
    }
    let mut groups = vec![Vec::new(); packs.len()];
    for (i, card) in cards.iter().enumerate() {
        if let Some(nth) = card.pack.as_ref().and_then(|tag| owner.get(tag)) {
            groups[*nth].push(i);
        }
    }
    groups
}
