//! Plots with steps that name cards by their deck, or count hidden cards.

use crate::generate::Writer;

impl Writer {
    /// Writes steps that name cards by their faces, wherever the cards lie, that take cards from a zone without order, or that count cards.
    pub(super) fn tell_of_the_deck(&mut self, effect: &[String]) {
        if self.plot_extra && self.one_in(2) {
            match self.below(3) {
                0 => self.line("move pile to stock"),
                1 => self.line("move pile to hand[q]"),
                _ => self.written_on(),
            }
            self.line("shuffle stock");
            self.line("deal stock to hand 2 each from first player");
        }
        if self.below(4) > 0 {
            self.line("draw 2 from stock to row[1]");
        }
        if self.below(4) > 0 {
            self.wait();
        }
        let to = self.pick(&["box", "trick", "cave[1]", "row[1]"]);
        let whose = "(first player where any card in hand where value is 3)";
        let test = "any card x in hand[p] where value of x is 3";
        match self.below(16) {
            0 => self.line(format!("move random card of cards to {to}")),
            1 => self.line(format!("move first card of cards to {to}")),
            2 => {
                self.line("kept := first card of cards");
                self.write_effect(effect);
                self.line(format!("move kept to {to}"));
            }
            3 => self.line(format!("gather extra to {to}")),
            4 => self.line(format!("draw 1 from hand[p] to {to}")),
            5 => {
                self.line("draw 4 from stock to cave[1]");
                self.line("move (cave[1] where colour is red) to cave[2]");
                self.line("move cave[2] to box");
            }
            6 => self.line("announce \"{text of first card of extra}\""),
            7 => self.line("announce \"{extra}\""),
            8 => self.line("announce \"{count of (extra where card is not blank)}\""),
            9 => self.line(format!(
                "move (if flag then highest card of (row[1] where ({test})) by value else last card of row[1]) to {to}"
            )),
            10 => self.line(format!(
                "turn (if flag then last card of (row[1] where ({test})) else last card of row[1]) face down"
            )),
            11 => self.line(format!("announce \"{{count of (mine of {whose})}}\"")),
            12 => self.line(format!("move (lying of {whose}) to {to}")),
            13 => self.line(format!("draw 1 from stock to (lying of {whose})")),
            14 => {
                self.line("ask p \"take\"");
                self.block(|w| {
                    w.line("take: card c from cards");
                    w.block(|w| w.line("move c to trick"));
                });
            }
            _ => self.line(format!("move hand[p] to {to}")),
        }
        if self.one_in(2) {
            self.wait();
        }
    }
}
