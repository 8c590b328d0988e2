//! Plots about what an answer, or its absence, tells the others.

use crate::generate::Writer;

impl Writer {
    /// Writes an `ask all`. The engine carries its answers out one after another.
    pub(super) fn answers_in_turn(&mut self, effect: &[String]) {
        let over = self.pick(&["players where player is not judge", "players", "players where player is not turn"]);
        self.line("deal stock to brow 1 each from first player");
        let tell = |w: &mut Self| {
            let whose = w.pick(&["judge", "turn", "s"]);
            let viewer = w.pick(&["s", "judge", "turn"]);
            match w.below(5) {
                3 | 4 => w.line(format!("announce \"{{last card of brow[{whose}]}}\" as notice to s")),
                0 => w.line(format!("announce \"{{hand[{whose}]}}\" as notice to {viewer}")),
                1 => w.line(format!("announce \"{{x}}\" as notice to {viewer}")),
                _ => w.line("move x to trick"),
            }
        };
        self.line(format!("ask all s over {over} \"Go?\""));
        self.block(|w| {
            w.line("give: card x from hand[s]");
            w.block(|w| {
                tell(w);
                match w.below(4) {
                    // Answers that run later may find another player in the role.
                    0..=2 => {
                        let role = w.pick(&["judge", "judge", "turn"]);
                        let next =
                            w.pick(&["next player after s", "next player after judge", "next player after turn"]);
                        w.line(format!("{role} := {next}"));
                    }
                    _ => effect.iter().for_each(|line| w.line(line)),
                }
            });
        });
    }

    /// Writes a question with an answer that is impossible because of what the player holds.
    pub(super) fn forced_answers(&mut self) {
        self.line("ask p \"x\"");
        self.block(|w| {
            let to = w.pick(&["mat[p]", "box", "hand[q]"]);
            match w.below(4) {
                0 => {
                    w.line("claim when any card in hand[p] where value is 3");
                    w.block(|w| w.line("score[p] += 1"));
                }
                1 => {
                    w.line("lay: card c from hand[p] where value is 3");
                    w.block(|w| w.line(format!("move c to {to}")));
                }
                2 => {
                    w.line("lay: set s from hand[p] alike in colour, size 2");
                    w.block(|w| w.line(format!("move s to {to}")));
                }
                _ => {
                    w.line("lay: card c from hand[p]");
                    w.block(|w| {
                        w.line("must value of c is 3, else \"Three\"");
                        w.line(format!("move c to {to}"));
                    });
                    w.line("pass if none");
                }
            }
        });
    }
}
