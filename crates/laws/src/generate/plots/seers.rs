//! Plots in which the rules change who sees a zone.

use crate::generate::Writer;

impl Writer {
    /// Writes a change that may decide who sees a zone; then a viewer is told what lies there.
    pub(super) fn change_who_sees_a_zone(&mut self, effect: &[String]) {
        self.line("draw 2 from stock to box");
        self.line("move hand[p] to mat[q]");
        self.write_effect(effect);
        let viewer = self.pick(&["judge", "turn", "p", "q"]);
        match self.below(3) {
            0 => self.line(format!("announce \"{{box}}\" as notice to {viewer}")),
            1 => self.line(format!("announce \"{{count of (mat[q] where colour is red)}}\" as notice to {viewer}")),
            _ => {
                self.line(format!("ask {viewer} \"Of {{count of (box where colour is red)}}\""));
                self.block(|w| w.line("ok"));
            }
        }
    }
}
