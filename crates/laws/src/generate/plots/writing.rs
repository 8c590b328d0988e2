//! Plots in which players write on cards.

use crate::generate::Writer;

impl Writer {
    /// Lets everybody write on a card of the second deck, in a zone of their own.
    pub(super) fn written_on(&mut self) {
        if self.one_in(2) {
            self.line("kept := last card of pile");
        }
        let to = self.pick(&["mat", "hand"]);
        self.line("for each in players");
        let each = 1 + self.below(2);
        self.block(|w| w.line(format!("draw {each} from pile to {to}[each]")));
        self.line("together s over players");
        self.block(|w| {
            w.line("ask s \"Write\"");
            w.block(|w| {
                w.line("fill: text t at most 20 letters");
                w.block(|w| w.line(format!("write t on last card of {to}[s]")));
            });
        });
    }

    pub(super) fn tell_what_is_written(&mut self) {
        if self.one_in(2) {
            self.line("move pile to cave[1]");
        }
        self.wait();
        let fact = self.pick(&[
            "text of first card of extra",
            "extra",
            "count of (extra where card is not blank)",
            "text of kept",
            "filled(kept, extra)",
            "filled(first card of extra, row[1])",
        ]);
        match self.below(4) {
            0 => {
                self.shown_at_the_end =
                    Some(self.pick(&["first card of extra", "text of first card of extra"]).to_owned())
            }
            _ => self.line(format!("announce \"{{{fact}}}\"")),
        }
    }
}
