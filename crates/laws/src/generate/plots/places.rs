//! Plots in which cards go to places that may not exist, or that may be full.

use crate::generate::Writer;

impl Writer {
    /// Writes a loop that lays a card in a place that exists on the first turn, and not on the second.
    pub(super) fn places_in_a_loop(&mut self) {
        let (head, place, change) = match self.below(3) {
            0 => ("for i in 1..2", "row[i]", "i := 9"),
            1 => ("circle i from first player", "mat[i]", "i := nobody"),
            _ => ("for i in colour", "heap[i]", "i := none"),
        };
        self.line(head);
        self.block(|w| {
            w.line("repeat 2 times");
            w.block(|w| {
                w.line("ask p \"x\"");
                w.block(|w| {
                    w.line("play: card c from hand[p]");
                    w.block(|w| {
                        w.line(format!("move c to {place}"));
                        w.line("announce \"{c}\"");
                    });
                });
                w.line(change);
            });
        });
    }

    /// Writes moves to zones that hold only so many cards. The rules choose the cards by faces that nobody may see.
    pub(super) fn full_zones(&mut self) {
        let (from, to) = (self.pick(&["hand[p]", "hand[q]", "cave[1]", "row[1]"]), self.pick(&["tray", "tray", "bin"]));
        let (down, direction) = (self.pick(&["", " face down"]), self.pick(&["up", "down"]));
        self.line(format!("draw 3 from stock to {from}{down}"));
        self.wait();
        let what = match self.below(5) {
            0 => from.to_owned(),
            1 => format!("({from} where colour is red)"),
            2 => format!("highest card of {from} by value"),
            3 => format!("random card of {from}"),
            _ => format!("first card of {from}"),
        };
        match self.below(3) {
            0 => self.line(format!("turn {what} face {direction}")),
            _ => self.line(format!("move {what} to {to}")),
        }
        self.wait();
        if self.one_in(2) {
            self.line(format!("draw 2 from stock to {to}"));
        }
    }
}
