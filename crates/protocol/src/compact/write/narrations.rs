//! Writes what a viewer is told in words.

use super::BatchWriter;
use crate::compact::KINDS;
use crate::compact::texts::Fragment;
use baize_engine::view::{Piece, RichText};
use baize_narrator::{Narration, NarrationKind};

impl BatchWriter<'_> {
    /// Writes each narration as two values: a number for its place and kind, and its text. A text of the rules follows the letter `K` and is
    /// written like any other line; any other text follows the letter `L` and is written in fragments.
    pub(super) fn narrations(&mut self, narrations: &[Narration]) {
        let mut last = None;
        for Narration { after, kind, text } in narrations {
            let letter = if self.is_of_the_rules(*kind, text) { b'K' } else { b'L' };
            if last.replace(letter) != Some(letter) {
                self.letter(letter);
            }
            let kind = NarrationKind::ALL.iter().position(|known| known == kind).unwrap_or_default();
            self.number(i64::from(*after) * KINDS + kind as i64);
            match letter {
                b'K' => self.line(text),
                _ => self.fragments(text),
            }
        }
    }

    fn is_of_the_rules(&self, kind: NarrationKind, text: &RichText) -> bool {
        matches!(kind, NarrationKind::Announcement | NarrationKind::Outcome) && !self.needs_spelling(Some(text)) && {
            // A line that is one plain text is written as its number. A line with holes belongs to the rules if one of their texts fits it.
            matches!(&text.0[..], [Piece::Text(_)]) || self.texts.find(text).is_some()
        }
    }

    fn fragments(&mut self, text: &RichText) {
        self.open();
        for piece in &text.0 {
            match piece {
                Piece::Text(text) => {
                    for fragment in self.texts.fragments(text) {
                        match fragment {
                            Fragment::Number(number) => self.number(-1 - i64::from(number)),
                            Fragment::Text(text) => self.string(text),
                        }
                    }
                }
                piece => self.piece(piece),
            }
        }
        self.close();
    }
}
