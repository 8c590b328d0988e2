//! The state that the readers of all forms of files share: packs and problems so far, and the number of cards.

use std::collections::{BTreeMap, HashSet};

use crate::error::{At, PackErrors, ProblemText, Problems};
use crate::limits;
use crate::node::{Node, Object, member};
use crate::pack::{Card, Pack, is_word, slug};
use crate::text::{clean, quoted};

/// The origin of a file. Only an operator can vouch for a pack, so a player's file can't call itself official.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// `official` is false, whatever the file says.
    Player,
    /// `official` is as the file says.
    Operator,
}

/// The result of reading a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// At least one, each with at least one card.
    pub packs: Vec<Pack>,
    /// What the reader left out and why, in sentences for the author.
    pub notes: Vec<String>,
}

pub(crate) type Decks = BTreeMap<String, Vec<Card>>;

/// The description of a pack.
#[derive(Debug)]
pub(crate) struct Heading {
    pub id: String,
    pub name: String,
    pub description: String,
    pub official: bool,
}

#[derive(Debug)]
pub(crate) struct Reading {
    /// The name for a pack without a name of its own.
    pub name: String,
    pub problems: Problems,
    trust: Trust,
    packs: Vec<Pack>,
    notes: Vec<String>,
    cards: usize,
    pack_count: usize,
    /// The counts of cards and problems before the current pack. If either has grown, the reader does not report the pack as
    /// empty, because its author already gets the problems.
    before: (usize, usize),
}

impl Reading {
    pub fn new(name: &str, trust: Trust) -> Reading {
        // A file with an unusable name is still accepted.
        let name = match clean(name, limits::NAME_CHARS) {
            Ok(name) if !name.is_empty() => name,
            _ => "Untitled pack".into(),
        };
        Reading {
            name,
            problems: Problems::default(),
            trust,
            packs: Vec::new(),
            notes: Vec::new(),
            cards: 0,
            pack_count: 0,
            before: (0, 0),
        }
    }

    /// Adds a sentence for the author about something that is not a problem. Drops a repeated sentence.
    pub fn note(&mut self, note: String) {
        if self.notes.len() < limits::PROBLEMS && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Counts a card. If it returns false, the file has too many cards and the reader must stop.
    pub fn room_for_card(&mut self) -> bool {
        self.cards += 1;
        if self.cards == limits::CARDS + 1 {
            self.problems.add_first(ProblemText::new(
                "There are too many cards in this file.",
                format!("A file may hold {} cards. Split it into several.", limits::CARDS),
            ));
        }
        self.cards <= limits::CARDS
    }

    /// The heading of a pack without a description of its own.
    pub fn plain_heading(&self) -> Heading {
        Heading { id: slug(&self.name), name: self.name.clone(), description: String::new(), official: false }
    }

    /// Reads the heading of a pack in JSON. `strict_id` is for the canonical form; in other forms an `id` is often a number.
    pub fn heading(
        &mut self,
        object: &Object,
        path: &str,
        key: Option<&str>,
        fallback_name: &str,
        strict_id: bool,
    ) -> Heading {
        let name = self.line(object, path, "name", limits::NAME_CHARS).filter(|name| !name.is_empty());
        let name = name.or_else(|| clean(fallback_name, limits::NAME_CHARS).ok()).unwrap_or_else(|| self.name.clone());
        let description = self.line(object, path, "description", limits::DESCRIPTION_CHARS).unwrap_or_default();
        let official = match object.get("official") {
            None => false,
            Some(Node::Bool(marked)) => self.vouch(*marked),
            Some(other) => {
                self.problems.add(
                    At::Path(member(path, "official")),
                    ProblemText::new(
                        format!("“official” must be true or false, and this is {}.", other.kind()),
                        "Leave it out.",
                    ),
                );
                false
            }
        };
        let id = match object.get("id") {
            Some(Node::Text(id)) if is_word(id) => id.clone(),
            Some(other) if strict_id => {
                let shown = match other {
                    Node::Text(id) => quoted(id),
                    other => other.kind().into(),
                };
                self.problems.add(
                    At::Path(member(path, "id")),
                    ProblemText::new(
                        format!("The id of a pack can't be {shown}."),
                        "Use up to 40 small letters a to z, digits and hyphens, or leave it out.",
                    ),
                );
                slug(&name)
            }
            _ => match key {
                Some(key) if key.contains(|c: char| c.is_ascii_alphabetic()) => slug(key),
                _ => slug(&name),
            },
        };
        Heading { id, name, description, official }
    }

    /// Adds a pack. `at` is the place of the problem that it has no cards.
    pub fn add_pack(&mut self, at: At, heading: Heading, decks: Decks) {
        let Heading { id, name, description, official } = heading;
        let mut decks = decks;
        decks.retain(|_, cards| !cards.is_empty());
        if decks.is_empty() && self.before == (self.cards, self.problems.count()) {
            self.problems.add(
                at,
                ProblemText::new(
                    format!("The pack {} has no cards.", quoted(&name)),
                    "Add some, or delete the pack from the file.",
                ),
            );
        }
        self.before = (self.cards, self.problems.count());
        self.pack_count += 1;
        if self.pack_count == limits::PACKS + 1 {
            self.problems.add_first(ProblemText::new(
                "There are too many packs in this file.",
                format!("A file may hold {} packs. Split it into several.", limits::PACKS),
            ));
        }
        if self.pack_count > limits::PACKS {
            return;
        }
        self.packs.push(Pack { id, name, description, official, decks });
    }

    pub fn finish(mut self) -> Result<Imported, PackErrors> {
        let mut ids = HashSet::new();
        for pack in &mut self.packs {
            let base = pack.id.clone();
            let mut n = 1;
            while !ids.insert(pack.id.clone()) {
                n += 1;
                // All characters of an id are ASCII, so this cuts between characters.
                let suffix = format!("-{n}");
                pack.id = format!("{}{suffix}", &base[..base.len().min(limits::WORD_CHARS - suffix.len())]);
            }
        }
        let Reading { problems, packs, notes, .. } = self;
        problems.into_result(Imported { packs, notes })
    }

    fn vouch(&mut self, marked: bool) -> bool {
        if marked && self.trust == Trust::Player {
            self.note(
                "The file calls itself official. Only the operator of the server can do that; the mark was left out."
                    .into(),
            );
            return false;
        }
        marked
    }

    /// Reads a line of text of a heading. Returns none if it is absent, or reports its problem and returns none.
    fn line(&mut self, object: &Object, path: &str, key: &str, max_chars: usize) -> Option<String> {
        let result = match object.get(key)? {
            Node::Text(raw) => clean(raw, max_chars),
            other => Err(ProblemText::new(
                format!("“{key}” must be a text, and this is {}.", other.kind()),
                "Put it in quotation marks.",
            )),
        };
        result.map_err(|fault| self.problems.add(At::Path(member(path, key)), fault)).ok()
    }
}
