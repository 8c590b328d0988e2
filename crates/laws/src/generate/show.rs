//! Writes the `show` block: badges, counters, highlights, status lines and the like.

use super::focus::Focus;
use super::{Secrecy, Writer};

impl Writer {
    pub(super) fn show(&mut self) {
        if self.one_in(2) && self.focus != Some(Focus::Highlights) {
            return;
        }
        self.me = None;
        self.scope.clear();
        self.line("show");
        self.indent += 1;
        for _ in 0..1 + self.below(4) {
            let when = if self.one_in(3) { format!(" when {}", self.open(|w| w.yes_no(1))) } else { String::new() };
            match if self.favours(Focus::Highlights) { 4 } else { self.below(10) } {
                9 => {
                    let value = self.open(|w| w.number(1));
                    let at = self.pick(&["", " at stock"]);
                    self.line(format!("counter \"Pot\": {value}{at}"));
                }
                0 | 1 => {
                    let kind = self.pick(&["score", "count", "letters", "row"]);
                    let value = self.open(|w| w.number(1));
                    let label = if kind == "row" { " \"Line\"" } else { "" };
                    self.line(format!("badge {kind}{label}: {value}{when}"));
                }
                2 => {
                    let kind = self.pick(&["title", "mark"]);
                    let (label, test) = (self.text(Secrecy::Open), self.open(|w| w.of_player(1)));
                    self.line(format!("badge {kind} {label} when {test}"));
                }
                3 => {
                    let word = self.pick(&["safe", "out", "passed", "leading"]);
                    let test = self.open(|w| w.of_player(1));
                    self.line(format!("seat {word} \"Here\" when {test}"));
                }
                4 => {
                    let cards = match self.below(5) {
                        2 if self.mischief > 0 => {
                            let zone = self.seen_zone();
                            format!("{zone} where {}", self.hidden_test())
                        }
                        0 => self.facts.decks[0].name.clone(),
                        1 => {
                            let test = self.open(|w| w.of_card(0));
                            format!("{} where {test}", self.facts.decks[0].name)
                        }
                        _ => self.open(|w| w.cards(1)),
                    };
                    self.line(format!("highlight {cards}{when}"));
                }
                5 => {
                    let text = self.text(Secrecy::Open);
                    self.line(format!("status {text}{when}"));
                }
                6 => self.line("hint worth score - count of hand"),
                7 => {
                    let line = self.pick(&["theme cloth green, back weave, emblem \"♠\"", "zone stock: side, small"]);
                    self.line(line);
                }
                _ => self.faces(),
            }
        }
        self.indent -= 1;
    }

    fn faces(&mut self) {
        let deck = &self.facts.decks[0];
        if deck.standard && self.facts.newer_words {
            return self.line("name A \"Ace\"");
        }
        if deck.standard {
            return self.line("face cards: pips");
        }
        if deck.packs {
            return self.line("face cards: text");
        }
        if self.one_in(2) {
            return self.line("sign red \"✿\"");
        }
        self.line("face cards: number, title by value");
        self.block(|w| w.line("1 \"King\""));
    }
}
