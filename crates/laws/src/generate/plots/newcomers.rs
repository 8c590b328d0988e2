//! Plots in which somebody is told something, another person takes that seat or the lead, and is told it again.

use super::PlotKind;
use crate::generate::Writer;

impl Writer {
    /// Returns the steps of the hook that clears up after a player who leaves, or `None` if the file has no such hook.
    pub(super) fn newcomers_hook(&mut self) -> Option<(&'static str, Vec<String>)> {
        let lines = match self.below(5) {
            0 => return None,
            1 => vec!["move hand[one] to stock".to_owned(), "bid[one] := 0".to_owned()],
            2 => vec!["gather cards to stock".to_owned(), "shuffle stock".to_owned()],
            3 => vec!["bid[one] := 0".to_owned()],
            _ => vec![
                "move hand[one] to stock".to_owned(),
                "move mat[one] to stock".to_owned(),
                "bid[one] := 0".to_owned(),
                "shuffle stock".to_owned(),
            ],
        };
        Some(("leaves", lines))
    }

    /// Writes the rule that tells a player again what the player was told before. A variable can't keep what only one player was
    /// told, but a rule can take it as an argument.
    pub(super) fn reminding_rule(&mut self, kind: PlotKind, effect: &[String]) {
        if !matches!(kind, PlotKind::Newcomers | PlotKind::Lead) {
            return;
        }
        let who = if kind == PlotKind::Lead { "lead" } else { "r" };
        self.line("rule remind(c, r)");
        self.block(|w| {
            w.between_told_and_reminded(effect);
            match w.below(3) {
                0 => {
                    w.line(format!("ask {who} \"It was {{c}}\""));
                    w.block(|w| w.line("ok"));
                }
                _ => w.line(format!("announce \"It was {{c}}\" as notice to {who}")),
            }
        });
    }

    pub(super) fn tell_a_newcomer(&mut self, effect: &[String]) {
        self.line("repeat 6 times");
        self.block(|w| match w.below(3) {
            0 => w.reminded_of_a_pick(effect),
            _ => {
                let who = w.pick(&["p", "q", "turn", "judge"]);
                w.reminded(who);
            }
        });
    }

    pub(super) fn tell_the_lead(&mut self) {
        self.line("repeat 4 times");
        self.block(|w| match w.below(4) {
            0 => {
                w.line("ask lead \"Pick\"");
                w.block(|w| {
                    w.line("pick: card c from hand[lead]");
                    w.block(|w| {
                        w.wait();
                        w.line("announce \"{c}\" as notice to lead");
                    });
                });
            }
            _ => w.reminded("lead"),
        });
    }

    fn reminded(&mut self, who: &str) {
        let value = self.pick(&[
            "last card of stock",
            "first card of stock",
            "count of (hand[q] where colour is red)",
            "value of last card of stock",
        ]);
        self.line(format!("do remind(reveal {value} to {who}, {who})"));
        if self.one_in(2) {
            self.wait();
        }
    }

    /// Writes a question in which a player keeps one of its cards in mind, and is then told which.
    fn reminded_of_a_pick(&mut self, effect: &[String]) {
        self.line("circle r from first player");
        self.block(|w| {
            w.line("ask r \"Keep one in mind\"");
            w.block(|w| {
                w.line("keep: card c from hand[r]");
                w.block(|w| {
                    w.between_told_and_reminded(effect);
                    w.line("announce \"Your card was {c}\" as notice to r");
                });
                w.line("pass");
            });
        });
    }

    fn between_told_and_reminded(&mut self, effect: &[String]) {
        if self.below(3) > 0 {
            self.line("ask first player \"Go\"");
            self.block(|w| w.line("ok"));
        }
        if self.below(4) > 0 {
            effect.iter().for_each(|line| self.line(line));
        }
    }
}
