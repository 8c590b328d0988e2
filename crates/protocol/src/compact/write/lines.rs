//! Writes words and lines, by the number of their text where it has one.

use super::BatchWriter;
use crate::compact::texts::HoleContent;
use baize_engine::view::{Piece, RichText};

impl BatchWriter<'_> {
    /// Writes a zone or a seat, or -1 for none.
    pub(super) fn place(&mut self, at: Option<u16>) {
        self.number(at.map_or(-1, i64::from));
    }

    pub(super) fn word(&mut self, word: &str) {
        match self.texts.number(word) {
            Some(number) => self.number(i64::from(number)),
            None => self.string(word),
        }
    }

    pub(super) fn line(&mut self, line: &RichText) {
        if let [Piece::Text(text)] = &line.0[..]
            && let Some(number) = self.texts.number(text)
        {
            return self.number(i64::from(number));
        }
        let found = self.texts.find(line);
        if let (None, [Piece::Text(text)]) = (&found, &line.0[..]) {
            return self.string(text);
        }
        if let Some((number, holes)) = found {
            self.open_text(number);
            for filling in holes {
                match filling {
                    HoleContent::Text(text) => self.filling(text),
                    HoleContent::Piece(Piece::Seat(seat)) => self.number(-1 - i64::from(*seat)),
                    HoleContent::Piece(piece) => self.piece(piece),
                }
            }
            self.close_text();
        } else {
            self.open();
            line.0.iter().for_each(|piece| self.piece(piece));
            self.close();
        }
    }

    /// Writes the filling of a hole: a number as such, a known text by its number, any other text in full.
    pub(super) fn filling(&mut self, text: &str) {
        match (plain_number(text), self.texts.number(text)) {
            (Some(n), _) => self.number(n),
            (None, Some(number)) => {
                self.open_text(number);
                self.close_text();
            }
            (None, None) => self.string(text),
        }
    }

    /// Writes a line, or -1 for none.
    pub(super) fn optional_line(&mut self, line: Option<&RichText>) {
        match line {
            Some(line) => self.line(line),
            None => self.number(-1),
        }
    }

    /// Writes a line of a list that ends at the next event's letter. A text in full goes into a list of its own, because the
    /// reader takes any text for a letter.
    pub(super) fn listed_line(&mut self, line: &RichText) {
        match &line.0[..] {
            [Piece::Text(text)] if self.needs_spelling(Some(line)) => {
                self.open();
                self.string(text);
                self.close();
            }
            _ => self.line(line),
        }
    }

    /// Whether a line has no number and has to be written in full.
    pub(super) fn needs_spelling(&self, line: Option<&RichText>) -> bool {
        let Some(line) = line else { return false };
        let [Piece::Text(text)] = &line.0[..] else { return false };
        self.texts.number(text).is_none() && self.texts.find(line).is_none()
    }

    pub(super) fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(text) => self.string(text),
            Piece::Seat(seat) => self.number(i64::from(*seat)),
            Piece::Face(face) => {
                self.open();
                self.number(i64::from(*face));
                self.close();
            }
            Piece::Written(text) => {
                self.open_marked(b'w');
                self.string(text);
                self.close_marked();
            }
        }
    }
}

/// The number that a text consists of, if the number written out is the same text (no leading zero).
fn plain_number(text: &str) -> Option<i64> {
    let short = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    (short && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}
