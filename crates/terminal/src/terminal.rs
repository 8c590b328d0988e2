//! Writes the names of players, cards and zones at one table.

use baize_engine::definition::{DiceLayout, TableDefinition, ZoneLayout};
use baize_engine::view::{CardView, Content, FaceId, Piece, RichText, View};
use baize_narrator::address;

/// Writes views of one table as text: it knows the table's definition and the names of its players.
#[derive(Clone, Copy, Debug)]
pub struct Terminal<'a> {
    pub table: &'a TableDefinition,
    pub names: &'a [String],
    /// The seat of the reader: texts call its player “you”.
    pub you: Option<u8>,
}

impl Terminal<'_> {
    /// Writes a text with the names of players and the labels of faces.
    pub fn line(&self, line: &RichText) -> String {
        let mut said = String::new();
        for piece in address(line, self.you).0 {
            match piece {
                Piece::Seat(seat) => said.push_str(&self.name(seat)),
                Piece::Text(text) | Piece::Written(text) => said.push_str(&text),
                Piece::Face(face) => said.push_str(self.face(face)),
            }
        }
        said
    }

    pub fn name(&self, seat: u8) -> String {
        self.names.get(usize::from(seat)).cloned().unwrap_or_else(|| format!("Player {}", seat + 1))
    }

    pub fn face(&self, face: FaceId) -> &str {
        self.table.faces.get(usize::from(face)).map_or("?", |face| &face.label)
    }

    pub fn card(&self, card: &CardView) -> String {
        match (&card.written, card.face) {
            (Some(text), _) => format!("“{text}”"),
            (None, Some(face)) => self.face(face).to_owned(),
            (None, None) => "▒".to_owned(),
        }
    }

    /// Writes a face of a die: the number, or what the side says.
    pub(crate) fn die_face(layout: &DiceLayout, face: Option<i32>) -> String {
        let Some(face) = face else { return "▒".to_owned() };
        let side = usize::try_from(face.saturating_sub(layout.low)).ok();
        match side.and_then(|side| layout.faces.get(side)) {
            Some(said) => said.word.clone(),
            None => face.to_string(),
        }
    }

    pub(crate) fn zone_title(&self, layout: &ZoneLayout, view: &View) -> String {
        let index = layout.index.iter().filter(|index| !index.seat).map(|index| index.label.clone());
        let index: Vec<String> = index.collect();
        let title = [std::slice::from_ref(&layout.title), &index[..]].concat().join(" ");
        self.owned(&title, layout.owner, view)
    }

    pub(crate) fn owned(&self, title: &str, owner: Option<u8>, view: &View) -> String {
        match owner {
            None => title.to_owned(),
            owner if owner == view.seat => format!("Your {}", title.to_lowercase()),
            Some(owner) => format!("{}: {}", self.name(owner), title.to_lowercase()),
        }
    }

    /// Returns the name of the zone instance at a position of the layout.
    pub fn place(&self, view: &View, zone: usize) -> String {
        self.table.zones.get(zone).map_or_else(String::new, |layout| self.zone_title(layout, view))
    }

    /// Returns the name of an index of a zone: a player, a suit, a number.
    pub fn index(&self, zone: usize, value: i32) -> String {
        match self.table.zones.get(zone).and_then(|layout| layout.index.first()) {
            Some(index) if index.seat => {
                u8::try_from(value).map_or_else(|_| index.label.clone(), |seat| self.name(seat))
            }
            Some(index) => index.label.clone(),
            None => value.to_string(),
        }
    }

    /// Writes the card that a handle stands for in this view.
    pub fn handle(&self, view: &View, handle: u32) -> String {
        let cards = view.zones.iter().filter_map(|zone| match &zone.content {
            Content::Cards(cards) => Some(cards),
            _ => None,
        });
        let card = cards.flatten().find(|card| card.handle == handle);
        card.map_or_else(|| "?".to_owned(), |card| self.card(card))
    }
}
