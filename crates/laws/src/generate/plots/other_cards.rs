//! Plots in which the cards of one pile decide which cards of another pile move or are turned, or how many.

use crate::generate::Writer;

impl Writer {
    pub(super) fn moved_by_other_cards(&mut self) {
        match self.below(4) {
            0 => self.picked_by_another_pick(),
            1 => {
                self.line("for each in players");
                self.block(|w| {
                    w.line("draw 2 from stock to grid[each, 1]");
                    w.line("draw 2 from stock to grid[each, 2]");
                });
                self.wait();
                self.line("for each in players");
                self.block(|w| w.moves_by("grid[each, 1]", "grid[each, 2]"));
            }
            2 => {
                self.line("draw 2 from stock to row[1] face down");
                self.line("draw 2 from stock to row[2] face down");
                self.wait();
                self.moves_by("row[1]", "row[2]");
            }
            _ => {
                self.line("draw 3 from stock to stack[1]");
                self.line("draw 3 from stock to stack[2]");
                self.wait();
                let (from, by) = (
                    self.pick(&["stack[1]", "stack[1]", "hand[p]", "row[1]"]),
                    self.pick(&["stack[2]", "stack[2]", "hand[q]", "stack[1]"]),
                );
                self.moves_by(from, by);
            }
        }
        self.wait();
    }

    /// Writes an answer with two parts, in which the card `b` decides which of the cards `a` go.
    fn picked_by_another_pick(&mut self) {
        let who = self.pick(&["p", "turn"]);
        let parts = match self.below(3) {
            0 => format!("2 cards a from hand[{who}], card b from hand[{who}]"),
            1 => format!("card b from hand[{who}], 1..2 cards a from hand[{who}]"),
            _ => format!("2 cards a from hand[{who}], unseen b from stock"),
        };
        self.line("deal stock to hand 2 each from first player");
        self.line(format!("ask {who} \"Play\""));
        self.block(|w| {
            w.line(format!("play: {parts}"));
            w.block(|w| {
                let which = w.pick(&[
                    "a where colour is colour of b",
                    "a where value > value of b",
                    "a where value of b is 1",
                    "first (value of b) cards of a",
                ]);
                let to = w.pick(&["trick", "trick", "box", "row[1]"]);
                w.line(format!("move ({which}) to {to}"));
            });
        });
    }

    /// Writes a step that moves or turns cards of one pile by what lies in another.
    fn moves_by(&mut self, from: &str, by: &str) {
        let which = match self.below(6) {
            0 | 1 => format!("({from} where colour is colour of last card of {by})"),
            2 => format!("first (count of ({by} where colour is red)) cards of {from}"),
            3 => format!("highest card of ({from} where any card x in {by} where value of x is 3) by value"),
            4 => format!("({from} - ({from} where value is value of first card of {by}))"),
            _ => format!("({from} where any card x in {by} where value of x is value of card)"),
        };
        match self.below(3) {
            0 => {
                let direction = self.pick(&["up", "down"]);
                self.line(format!("turn {which} face {direction}"));
            }
            _ => {
                let to = self.pick(&["trick", "trick", "box", "row[1]", "cave[1]"]);
                let down = self.pick(&["", " face down"]);
                self.line(format!("move {which} to {to}{down}"));
            }
        }
    }
}
