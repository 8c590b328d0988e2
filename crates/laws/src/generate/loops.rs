//! Writes branches and loops.

use super::scope::Kind;
use super::{Context, Secrecy, Writer};

impl Writer {
    pub(super) fn steps(&mut self, most: u32) {
        self.blocks += 1;
        for _ in 0..1 + self.below(most) {
            self.step();
        }
        self.blocks -= 1;
    }

    pub(super) fn branch(&mut self) {
        let secrecy = if self.context == Context::Together { Secrecy::Mine } else { Secrecy::Open };
        let test = self.known(secrecy, |w| w.yes_no(2));
        self.line(format!("if {test}"));
        self.block(|w| w.steps(2));
        if self.one_in(3) {
            let test = self.known(secrecy, |w| w.yes_no(1));
            self.line(format!("else if {test}"));
            self.block(|w| w.steps(1));
        }
        if self.one_in(3) {
            self.line("else");
            self.block(|w| w.steps(2));
        }
    }

    pub(super) fn repeat(&mut self) {
        let body = |w: &mut Self| {
            w.loops += 1;
            w.block(|w| w.steps(2));
            w.loops -= 1;
        };
        match self.below(6) {
            0 => {
                let count = if self.one_in(2) { "2".to_owned() } else { self.open(|w| w.number(1)) };
                self.line(format!("repeat {count} times"));
                body(self);
            }
            1 => {
                let test = self.open(|w| w.yes_no(2));
                self.line(format!("repeat until {test}, at most 3 times"));
                body(self);
            }
            2 => {
                let test = self.open(|w| w.of_player(1));
                let (name, test) =
                    (self.fresh("p"), if self.one_in(2) { format!(" where {test}") } else { String::new() });
                self.line(format!("for {name} in players{test}"));
                self.loops += 1;
                let me = self.me.clone();
                if self.context != Context::Together {
                    self.me = Some(name.clone());
                }
                self.block(|w| {
                    w.bind(&name, Kind::Player);
                    w.steps(2);
                });
                self.me = me;
                self.loops -= 1;
            }
            3 => {
                let (name, high) = (self.fresh("i"), self.open(|w| w.number(0)));
                let high = if self.one_in(2) { "3".to_owned() } else { high };
                let test = if self.one_in(4) { format!(" where {name} > 1") } else { String::new() };
                self.line(format!("for {name} in 1..{high}{test}"));
                self.loops += 1;
                self.block(|w| {
                    w.bind(&name, Kind::Number);
                    w.steps(2);
                });
                self.loops -= 1;
            }
            4 => match self.attribute(false) {
                Some((at, word)) => {
                    let name = self.fresh("s");
                    self.line(format!("for {name} in {word}"));
                    self.loops += 1;
                    self.block(|w| {
                        w.bind(&name, Kind::Value(at));
                        w.steps(2);
                    });
                    self.loops -= 1;
                }
                None => self.moves(),
            },
            _ if self.context == Context::Main => {
                let test = self.open(|w| w.yes_no(2));
                self.line(format!("repeat until {test}"));
                self.loops += 1;
                self.block(|w| w.ask());
                self.loops -= 1;
            }
            _ => self.moves(),
        }
    }

    pub(super) fn circle(&mut self) {
        let (name, from) = (self.fresh("p"), self.open(|w| w.player(1)));
        let over = if self.one_in(2) {
            format!(" over players where {}", self.open(|w| w.of_player(1)))
        } else {
            String::new()
        };
        let stop = if self.one_in(3) { format!(", stop when {}", self.open(|w| w.yes_no(1))) } else { String::new() };
        self.line(format!("circle {name} from {from}{over}{stop}"));
        let me = self.me.replace(name.clone());
        self.loops += 1;
        self.block(|w| {
            w.bind(&name, Kind::Player);
            w.steps(3);
            if w.one_in(6) {
                w.line("if flag");
                w.block(|w| {
                    w.line("flag := no");
                    w.line("again");
                });
            }
        });
        self.loops -= 1;
        self.me = me;
    }
}
