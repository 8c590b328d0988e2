//! A player lays picked cards in a zone that takes only a few cards, and then somebody is told what was picked.
//!
//! Everybody sees the cards in that zone. If it is full, the picked cards stay in the player's hand, where nobody else sees them.

use crate::generate::Writer;

impl Writer {
    pub(super) fn tell_of_a_crowded_zone(&mut self) {
        if self.one_in(2) {
            let filled = 1 + self.below(2);
            self.line(format!("draw {filled} from stock to tray"));
        }
        let repeated = self.begin_repeat();
        self.picks(None, |w, picked| {
            w.line(format!("move {} to tray", picked.name));
            if w.below(3) > 0 {
                w.wait();
            }
            w.tell_of(picked);
        });
        self.indent -= usize::from(repeated);
    }
}
