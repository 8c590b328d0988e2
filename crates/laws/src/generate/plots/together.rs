//! Plots in which an answer inside `together` decides what others see happen.

use crate::generate::Writer;

impl Writer {
    /// Writes a `together` in which an answer decides what others see happen.
    pub(super) fn answer_inside_together(&mut self) {
        self.line("deal stock to mat 2 each from first player");
        self.line("together s over players");
        self.indent += 1;
        let kept = self.one_in(3);
        if kept {
            self.line("more := no");
        }
        let looped = self.one_in(2);
        if looped {
            self.line("repeat 3 times");
            self.indent += 1;
        }
        let step = self.pick(&[
            "draw 1 from mat[s] to hand[s]",
            "score[s] += 1",
            "turn hand[s] face up",
            "move hand[s] to mat[s]",
        ]);
        if self.one_in(2) {
            self.line(step);
        }
        self.line("ask s \"More?\"");
        self.block(|w| {
            let when = if w.one_in(2) { " when any card in hand[s] where value is 3" } else { "" };
            w.line(format!("more_please{when}"));
            w.block(|w| {
                if kept {
                    w.line("more := yes");
                } else if w.one_in(2) {
                    w.line(step);
                }
            });
            if w.one_in(2) {
                w.line("enough");
                if looped {
                    w.block(|w| w.line("stop"));
                }
            }
        });
        if kept {
            self.line("if more");
            self.block(|w| w.line(step));
        } else if self.one_in(2) {
            self.line(step);
        }
        self.indent -= if looped { 2 } else { 1 };
    }
}
