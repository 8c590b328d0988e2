//! Plots in which a player picks a card, something happens to it, and then it is told.

use super::Picked;
use crate::generate::Writer;

impl Writer {
    pub(super) fn tell_in_the_answer(&mut self, effect: &[String]) {
        let effect = effect.to_vec();
        let repeated = self.begin_repeat();
        self.picks(None, |w, picked| {
            if w.one_in(2) {
                w.lay(picked);
            }
            if w.one_in(3) {
                // On the second turn of a loop the effect has already happened when the text is told.
                let head = w.pick(&["repeat 2 times", "for i in 1..2", "for each in players"]);
                w.line(head);
                w.block(|w| {
                    w.tell_of(picked);
                    w.write_effect(&effect);
                    if w.one_in(3) {
                        w.line("i := 9");
                    }
                });
                return;
            }
            if w.one_in(2) {
                w.write_effect(&effect);
            }
            if w.one_in(3) {
                w.wait();
            }
            w.tell_of(picked);
        });
        self.indent -= usize::from(repeated);
    }

    /// Moves what was picked, perhaps to a place that does not exist.
    pub(super) fn lay(&mut self, picked: &Picked) {
        let name = &picked.name;
        let to = match self.below(15) {
            0..=2 => "trick".to_owned(),
            3 => "row[k]".to_owned(),
            4 => "mat[nemo]".to_owned(),
            5 => "heap[trump]".to_owned(),
            6 => "heap[colour of last card of trick]".to_owned(),
            7 => format!("heap[colour of {name}]"),
            8 if !picked.several => format!("row[value of {name}]"),
            9 => "box".to_owned(),
            10 => format!("mat[{}]", picked.who),
            11 => {
                let value = self.pick(&["trump", "red"]);
                return self.line(format!("do put({name}, {value})"));
            }
            12 if self.one_in(2) => "hand[judge]".to_owned(),
            12 | 13 => "tray".to_owned(),
            _ => "row[1]".to_owned(),
        };
        self.line(format!("move {name} to {to}"));
    }

    /// Writes a text or a step that depends on a picked card.
    pub(super) fn tell_of(&mut self, picked: &Picked) {
        let (name, who) = (picked.name.clone(), picked.who.clone());
        let fact = match (picked.several, self.below(4)) {
            (true, _) => format!("sum of value of x over card x in {name}"),
            (false, 0) => format!("value of {name}"),
            (false, 1) => format!("player of {name}"),
            (false, _) => name.clone(),
        };
        let viewer = match self.below(4) {
            0 | 1 => who.clone(),
            2 => self.pick(&["turn", "judge"]).to_owned(),
            _ => self.pick(&["p", "q"]).to_owned(),
        };
        match self.below(10) {
            0 | 1 => self.line(format!("announce \"{{{fact}}}\"")),
            2..=4 => self.line(format!("announce \"{{{fact}}}\" as notice to {viewer}")),
            5 => {
                self.line(format!("ask {viewer} \"It was {{{fact}}}\""));
                self.block(|w| w.line("ok"));
            }
            6 => {
                self.line(format!("ask {viewer} \"Beat it\""));
                let than = if picked.several { fact } else { format!("value of {name}") };
                self.block(|w| {
                    w.line(format!("beat: card d from hand[{viewer}]"));
                    w.block(|w| {
                        w.line(format!("must value of d > {than}, else \"Higher\""));
                        w.line("move d to trick");
                    });
                    w.line("pass");
                });
            }
            7 => {
                let value = if picked.several { fact } else { format!("value of {name}") };
                self.line(format!("bid[{viewer}] := {value}"));
                if self.one_in(2) {
                    self.line(format!("announce \"{{reveal bid[{viewer}]}}\""));
                }
            }
            8 => {
                self.line("ask all s over players \"Go on?\"");
                self.block(|w| {
                    w.line("ok");
                    w.block(|w| w.line(format!("announce \"{{{fact}}}\" as notice to s")));
                });
            }
            _ => {
                let value = if picked.several { fact } else { format!("value of {name}") };
                self.line("together s over players");
                self.block(|w| {
                    w.line("ask s \"Go on?\"");
                    w.block(|w| {
                        w.line("ok");
                        w.block(|w| w.line(format!("bid[s] := {value}")));
                    });
                });
                self.line("announce \"{reveal bid[q]}\"");
            }
        }
    }
}
