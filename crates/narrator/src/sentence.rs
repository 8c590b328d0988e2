//! Builds the rich text of a narration piece by piece.

use baize_engine::definition::{TableDefinition, ZoneLayout};
use baize_engine::view::{CardView, FaceId, Piece, RichText};

/// A sentence names at most this many cards. If there are more, it says how many.
pub(crate) const MAX_NAMED_CARDS: usize = 8;

/// A rich text under construction. Like the engine's rich texts it has no empty text and no two texts side by side.
#[derive(Debug, Default)]
pub(crate) struct Sentence(Vec<Piece>);

impl Sentence {
    /// Whether what comes next is the first word of a sentence.
    pub(crate) fn begins_sentence(&self) -> bool {
        match self.0.last() {
            None => true,
            Some(Piece::Text(text)) => [". ", "! ", "? "].iter().any(|end| text.ends_with(end)),
            Some(_) => false,
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }

    pub(crate) fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => self.text(&text),
            piece => self.0.push(piece),
        }
    }

    pub(crate) fn seat(&mut self, seat: u8) {
        self.0.push(Piece::Seat(seat));
    }

    pub(crate) fn line(&mut self, line: &RichText) {
        line.0.iter().for_each(|piece| self.piece(piece.clone()));
    }

    /// Names the cards if the viewer sees all of them and they are few; otherwise tells how many they are.
    pub(crate) fn cards(&mut self, cards: &[CardView], count: u32) {
        let named = cards.len() == count as usize && (1..=MAX_NAMED_CARDS).contains(&cards.len());
        let known = |card: &CardView| card.face.is_some() || card.written.is_some();
        match count {
            _ if named && cards.iter().all(known) => {
                for (at, card) in cards.iter().enumerate() {
                    self.text(if at == 0 { "" } else { ", " });
                    match (&card.written, card.face) {
                        (Some(words), _) => self.piece(Piece::Written(words.to_string())),
                        (None, face) => face.into_iter().for_each(|face| self.piece(Piece::Face(face))),
                    }
                }
            }
            1 => self.text("a card"),
            count => self.text(&format!("{count} cards")),
        }
    }

    pub(crate) fn faces(&mut self, faces: &[FaceId]) {
        let card = |face: &FaceId| CardView { handle: 0, face: Some(*face), written: None, by: None };
        self.cards(&faces.iter().map(card).collect::<Vec<_>>(), faces.len() as u32);
    }

    /// Names a zone as players do: “the stock”, “Ben’s hand”, “the heap ♠”.
    pub(crate) fn zone(&mut self, table: &TableDefinition, zone: u16) {
        let Some(layout) = table.zones.get(usize::from(zone)) else { return self.text("the table") };
        match layout.owner.or_else(|| seat_of(layout)) {
            Some(owner) => {
                self.seat(owner);
                self.text("’s ");
            }
            None if starts_with_article(&layout.title) => {}
            None => self.text("the "),
        }
        self.zone_title(layout);
    }

    /// Writes the title of a zone in the middle of a sentence, with its index.
    pub(crate) fn zone_title(&mut self, layout: &ZoneLayout) {
        let mut letters = layout.title.chars();
        if is_capitalised(&layout.title) {
            let first = letters.next().into_iter().flat_map(char::to_lowercase);
            first.for_each(|letter| self.text(letter.encode_utf8(&mut [0; 4])));
        }
        self.text(letters.as_str());
        for index in layout.index.iter().filter(|index| !index.seat) {
            self.text(" ");
            self.text(&index.label);
        }
    }

    pub(crate) fn finish(self) -> RichText {
        RichText(self.0)
    }
}

fn seat_of(layout: &ZoneLayout) -> Option<u8> {
    layout.index.iter().find(|index| index.seat).and_then(|index| u8::try_from(index.value).ok())
}

fn starts_with_article(title: &str) -> bool {
    ["the ", "The ", "a ", "A "].iter().any(|article| title.starts_with(article))
}

/// Whether a title begins with a capital letter that it loses in the middle of a sentence. Abbreviations keep theirs.
fn is_capitalised(title: &str) -> bool {
    let mut letters = title.chars();
    letters.next().is_some() && letters.next().is_none_or(|second| !second.is_uppercase())
}
