//! Writes conditions that take long to work out, beside conditions on what the player may not know.
//!
//! `a and b` is false if either of them is, but a long `b` is worked out only if `a` holds. So whether the budget runs out can
//! tell something about `a`.

use crate::generate::Writer;

impl Writer {
    pub(super) fn tell_by_the_budget(&mut self) {
        let each = 1 + self.below(2);
        self.line(format!("deal stock to brow {each} each from first player"));
        let who = self.pick(&["p", "turn", "judge"]);
        self.line(format!("ask {who} \"Whose?\""));
        self.block(|w| {
            let test = w.long_condition(who);
            match w.below(3) {
                0 => {
                    w.line("name: player r from players");
                    w.block(|w| {
                        w.line(format!("must {test}, else \"Not that one\""));
                        w.line("announce \"{r}\"");
                    });
                }
                _ => {
                    w.line(format!("name: player r from players where {test}"));
                    w.block(|w| w.line("announce \"{r}\""));
                }
            }
            if w.below(4) > 0 {
                w.line("pass");
            }
        });
    }

    /// Returns a condition on the player `r` with three parts, in any order and with any brackets.
    fn long_condition(&mut self, who: &str) -> String {
        let zone = self.pick(&["brow", "brow", "hand", "mat"]);
        let colour = self.pick(&["red", "blue", "green"]);
        let hidden = match self.below(2) {
            0 => format!("count of ({zone}[r] where colour is {colour}) > 0"),
            _ => format!("(any card in {zone}[r] where colour is {colour})"),
        };
        let times = self.pick(&["3", "3000", "2000000"]);
        let long = format!("(sum of 1 over i in 1..{times}) > 2");
        let apart = format!("r is not {who}");
        let word = self.pick(&["and", "and", "and", "or"]);
        match self.below(4) {
            0 => format!("({hidden} {word} {long}) and {apart}"),
            1 => format!("{apart} and ({hidden} {word} {long})"),
            2 => format!("({long} {word} {hidden}) and {apart}"),
            _ => format!("{hidden} and ({long} {word} {apart})"),
        }
    }
}
