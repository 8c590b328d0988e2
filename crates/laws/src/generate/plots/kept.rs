//! Plots in which a variable keeps a card that everybody saw.

use crate::generate::Writer;

impl Writer {
    /// Writes a game in which a variable keeps a card that everybody saw, something happens, and the table is told who brought the card
    /// or where it lies.
    pub(super) fn tell_of_a_kept_card(&mut self, effect: &[String]) {
        let from = self.pick(&["trick", "trick", "trick", "row[1]", "pile"]);
        match (from, self.below(3) > 0) {
            ("trick", true) => {
                self.line("ask p \"play\"");
                self.block(|w| {
                    w.line("play: card c from hand[p]");
                    w.block(|w| w.line("move c to trick"));
                });
            }
            ("pile", _) => {}
            _ => self.line(format!("draw 1 from stock to {from}")),
        }
        self.line(format!("kept := last card of {from}"));
        let tell = |w: &mut Self| match w.below(7) {
            0..=2 => w.line("announce \"{kept} by {player of kept}\""),
            3 => {
                let to = w.pick(&["box", "cave[1]", "trick", "row[1]"]);
                w.line(format!("move kept to {to}"));
            }
            4 => w.line("announce \"{text of kept}\""),
            5 => {
                let direction = w.pick(&["up", "down"]);
                w.line(format!("turn kept face {direction}"));
            }
            _ => {
                w.line("if player of kept is p");
                w.block(|w| w.line("score[p] += 1"));
            }
        };
        if self.plot_extra && self.one_in(2) {
            self.written_on();
        }
        let again = self.pick(&["shown[1]", "row[1]", "trick"]);
        match self.below(8) {
            // The variable gets another card.
            6 => {
                // Mixing the hands does not touch the first card, so its bringer stays known; the bringer of the second card is hidden.
                match self.one_in(2) {
                    true => self.line("mix hand into shown"),
                    false => self.write_effect(effect),
                }
                if self.one_in(2) {
                    self.wait();
                }
                self.line(format!("kept := last card of {again}"));
                tell(self);
            }
            // The variable gets another card at the end of each turn of a loop.
            7 => {
                self.write_effect(effect);
                self.line("repeat 3 times");
                self.block(|w| {
                    tell(w);
                    w.line(format!("kept := last card of {again}"));
                    w.wait();
                });
            }
            0 => {
                let head = self.pick(&["repeat until player of kept is not p, at most 3 times", "repeat 2 times"]);
                self.line(head);
                self.block(|w| {
                    tell(w);
                    effect.iter().for_each(|line| w.line(line));
                    if w.below(3) > 0 {
                        w.wait();
                    }
                });
            }
            1 => {
                let head = self.pick(&[
                    "for each in players where player is not (player of kept)",
                    "for each in players",
                    "circle each from q over players where player is not (player of kept)",
                ]);
                self.line(head);
                self.block(|w| {
                    effect.iter().for_each(|line| w.line(line));
                    w.line("score[each] += 1");
                    if w.below(3) > 0 {
                        w.wait();
                    }
                    if w.one_in(2) {
                        tell(w);
                    }
                });
            }
            _ => {
                self.write_effect(effect);
                if self.one_in(2) {
                    self.wait();
                }
                tell(self);
            }
        }
    }
}
