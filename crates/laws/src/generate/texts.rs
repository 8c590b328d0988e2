//! Writes texts with holes.

use super::{Secrecy, Writer};

impl Writer {
    /// Returns a text whose holes use only what its reader knows.
    pub(super) fn text(&mut self, secrecy: Secrecy) -> String {
        let mut text = String::from("\"So");
        for _ in 0..self.below(3) {
            let hole = self.known(secrecy, |w| w.hole());
            text.push_str(&format!(" {{{hole}}}"));
        }
        text.push('"');
        text
    }

    pub(super) fn hole(&mut self) -> String {
        match self.below(12) {
            0..=2 => self.number(2),
            3 if self.facts.newer_words => format!("players where {}", self.of_player(1)),
            3 => self.player(1),
            4 => self.card(1),
            5 => self.cards(1),
            6 => format!("if {} then \"yes\" else \"no\"", self.yes_no(2)),
            7 => self.yes_no(2),
            8 => match self.attribute(false) {
                Some((at, _)) => self.word(at, 1),
                None => "way".to_owned(),
            },
            9 => match self.text_option() {
                Some(name) if self.one_in(2) => name,
                Some(name) => format!("first {} letters of {name}", self.number(0)),
                None => "way".to_owned(),
            },
            10 if self.facts.decks.iter().any(|deck| deck.packs) => {
                if self.one_in(2) {
                    format!("text of {}", self.card(1))
                } else {
                    format!("filled({}, {})", self.card(1), self.zone_cards(0))
                }
            }
            11 if self.facts.newer_words => format!("{} card|cards", self.number(1)),
            _ => self.number(1),
        }
    }
}
