//! Writes the course of the game.

use super::scope::{Index, Kind, Variable, Zone};
use super::{BLOCKS, Context, Secrecy, Writer};

impl Writer {
    pub(super) fn course(&mut self) {
        if self.facts.zones.iter().any(|zone| zone.name == "stock" && zone.ordered) {
            self.line("shuffle stock");
        }
        if !self.one_in(5) {
            let each = 1 + self.below(4);
            self.line(format!("deal stock to hand {each} each from first player"));
        }
        if self.one_in(2) {
            self.line("judge := random player");
        }
        if self.one_in(2) {
            self.line("turn := first player");
        }
        for _ in 0..self.below(if self.short { 2 } else { 4 }) {
            self.step();
        }
        let rounds = if self.short { 2 } else { 2 + self.below(4) };
        self.line(format!("repeat {rounds} times"));
        self.loops += 1;
        self.block(|w| {
            if w.facts.newcomers && w.one_in(2) {
                w.line("admit");
            }
            w.line("turn := next player after turn");
            let steps = if w.short { 1 + w.below(2) } else { 2 + w.below(4) };
            for _ in 0..steps {
                w.step();
            }
            if !w.asked || w.one_in(2) {
                w.ask();
            }
        });
        self.loops -= 1;
        for _ in 0..self.below(if self.short { 1 } else { 3 }) {
            self.step();
        }
        self.end();
    }

    /// Writes one step that can stand here.
    pub(super) fn step(&mut self) {
        self.no_secret_yet = true;
        if self.focus.is_some() && self.one_in(3) && self.focused_step() {
            return;
        }
        let deep = self.blocks >= BLOCKS;
        if self.honest && self.context == Context::Together {
            return self.own_step();
        }
        match self.below(40) {
            0..=3 => self.assign(),
            4..=8 => self.moves(),
            9 | 10 => self.draw(),
            11 => self.cards_elsewhere(),
            12 => self.turns(),
            13 => self.dice_step(),
            14..=16 => self.tell(),
            17..=19 => self.reveal(),
            20 | 21 if !deep => self.branch(),
            22 | 23 if !deep => self.repeat(),
            24 if !deep => self.circle(),
            25..=31 if self.context == Context::Main => self.ask(),
            32 | 37 if self.context == Context::Main && !deep => self.together(),
            33 if self.do_rule() => {}
            34 if self.context == Context::Main => {
                let phase = self.pick(&["phase play", "phase judge \"The judge decides\""]);
                self.line(phase);
            }
            35 if self.loops > 0 && self.one_in(3) => {
                let test = self.open(|w| w.yes_no(1));
                self.line(format!("if {test}"));
                self.block(|w| w.line("stop"));
            }
            36 if self.context == Context::Main && self.one_in(3) => {
                let test = self.open(|w| w.yes_no(2));
                self.line(format!("if {test}"));
                self.block(|w| w.end());
            }
            38 => self.cards_elsewhere(),
            39 if !self.facts.dice.is_empty() => self.dice_step(),
            _ => self.moves(),
        }
    }

    /// Writes a call of a rule. Returns false if there is no rule yet.
    pub(super) fn do_rule(&mut self) -> bool {
        if self.facts.rules.is_empty() {
            return false;
        }
        let at = self.below(self.facts.rules.len() as u32) as usize;
        let (name, takes) = self.facts.rules[at].clone();
        let argument = if takes { self.open(|w| w.player(1)) } else { String::new() };
        self.line(format!("do {name}({argument})"));
        true
    }

    fn assign(&mut self) {
        match self.below(10) {
            0..=4 => {
                let states = self.facts.states.clone();
                let state = &states[self.below(states.len() as u32) as usize];
                let own = state.sealed || self.context == Context::Together;
                let hidden = state.index == [Index::Player] && self.mischief > 0 && self.one_in(6);
                let index = match hidden {
                    true => format!("[{}]", self.hidden_player()),
                    false => self.open(|w| w.indices(&state.index, own, 1)),
                };
                let op = if state.kind == Kind::Number { self.pick(&[":=", "+=", "-="]) } else { ":=" };
                let secrecy = if state.sealed { Secrecy::Mine } else { Secrecy::Open };
                let value = self.known(secrecy, |w| w.value(&state.kind, 2));
                if state.sealed && state.kind == Kind::Number && self.one_in(4) {
                    let owner = self.me.clone().unwrap_or_else(|| "turn".to_owned());
                    let value = self.any(|w| w.number(2));
                    return self.line(format!("{}[{owner}] := reveal {value} to {owner}", state.name));
                }
                let reveal = if self.one_in(6) { "reveal " } else { "" };
                let reveal = if reveal.is_empty() || matches!(state.kind, Kind::Choice(_)) { "" } else { reveal };
                self.line(format!("{}{index} {op} {reveal}{value}", state.name));
            }
            5 => {
                let who = self.open(|w| w.of_player(1));
                let state = self.pick(&["turn", "judge"]);
                self.line(format!("{state} := random player where {who}"));
            }
            _ => self.variable_step(),
        }
    }

    fn variable_step(&mut self) {
        let again: Vec<Variable> = self.scope.iter().filter(|v| v.settable).cloned().collect();
        if !again.is_empty() && self.one_in(2) {
            let variable = &again[self.below(again.len() as u32) as usize];
            let value = self.open(|w| w.value(&variable.kind, 2));
            return self.line(format!("{} := {value}", variable.name));
        }
        let kind = [Kind::Number, Kind::YesNo, Kind::Player, Kind::Card][self.below(4) as usize].clone();
        let name = self.fresh("local");
        let value = match self.below(3) {
            0 => format!("reveal {}", self.any(|w| w.value(&kind, 2))),
            1 if kind == Kind::Card => format!("random card of {}", self.any(|w| w.zone_cards(0))),
            _ => self.open(|w| w.value(&kind, 2)),
        };
        self.line(format!("{name} := {value}"));
        if self.context == Context::Main && self.one_in(2) {
            self.line(format!("announce \"It is {{{name}}}\""));
        }
        self.scope.push(Variable { name, kind, settable: true });
    }

    /// Returns a zone to which cards may go. In a `together` it is a zone of the player.
    pub(super) fn target(&mut self) -> String {
        if self.context == Context::Together {
            let own: Vec<Zone> =
                self.facts.zones.iter().filter(|z| z.index.contains(&Index::Player)).cloned().collect();
            let zone = own[self.below(own.len() as u32) as usize].clone();
            return format!("{}{}", zone.name, self.indices(&zone.index, true, 0));
        }
        let zones = self.facts.zones.clone();
        let zone = &zones[self.below(zones.len() as u32) as usize];
        let own = self.one_in(2);
        let index = self.open(|w| w.indices(&zone.index, own, 1));
        format!("{}{index}", zone.name)
    }

    pub(super) fn down(&mut self) -> &'static str {
        if !self.honest && self.one_in(self.down) { " face down" } else { "" }
    }

    pub(super) fn moves(&mut self) {
        let what = match self.below(5) {
            0 => self.variable(&Kind::Card).unwrap_or_else(|| self.any(|w| w.card(1))),
            1 => self.variable(&Kind::Cards).unwrap_or_else(|| self.any(|w| w.cards(1))),
            3 if self.context == Context::Main && self.one_in(3) => {
                let families: Vec<String> =
                    self.facts.zones.iter().filter(|z| !z.index.is_empty()).map(|z| z.name.clone()).collect();
                families[self.below(families.len() as u32) as usize].clone()
            }
            2 if self.context == Context::Main => format!("random card of {}", self.any(|w| w.zone_cards(0))),
            _ => self.any(|w| w.cards(2)),
        };
        let (to, down) = (self.target(), self.down());
        self.line(format!("move {what} to {to}{down}"));
    }

    fn draw(&mut self) {
        let count = self.open(|w| w.number(1));
        let from = self.any(|w| w.some_zone(|zone| zone.ordered)).unwrap_or_else(|| "stock".to_owned());
        let (to, down) = (self.target(), self.down());
        self.line(format!("draw {count} from {from} to {to}{down}"));
    }

    fn cards_elsewhere(&mut self) {
        match self.below(6) {
            0 => {
                let from = self.some_zone(|zone| zone.ordered).unwrap_or_else(|| "stock".to_owned());
                let start = self.open(|w| w.player(1));
                let over = self.open(|w| w.of_player(1));
                let each = if self.one_in(2) { " 1 each" } else { "" };
                let over = if self.one_in(2) { format!(" over players where {over}") } else { String::new() };
                self.line(format!("deal {from} to hand{each} from {start}{over}"));
            }
            1 => {
                let zone = self.any(|w| w.some_zone(|zone| zone.ordered)).unwrap_or_else(|| "stock".to_owned());
                self.line(format!("shuffle {zone}"));
            }
            2 => {
                let zones: Vec<String> =
                    self.facts.zones.iter().filter(|z| z.of_players()).map(|z| z.name.clone()).collect();
                let zone = &zones[self.below(zones.len() as u32) as usize];
                let to = match self.mischief > 0 && self.one_in(3) {
                    true => {
                        self.pick(&["target", "(if liar then judge else turn)", "(if bid > 2 then player else turn)"])
                    }
                    false => self.pick(&["next player after player", "previous player before player", "judge", "turn"]),
                };
                self.line(format!("pass {zone} to {to}"));
            }
            3 => {
                let deck = self.below(self.facts.decks.len() as u32) as usize;
                let name = self.facts.decks[deck].name.clone();
                let to = self.target();
                self.line(format!("gather {name} to {to}"));
            }
            4 if self.facts.zones.iter().any(|z| z.name == "shown") => {
                let from: Vec<String> =
                    self.facts.zones.iter().filter(|z| z.of_players()).map(|z| z.name.clone()).collect();
                let from = &from[self.below(from.len() as u32) as usize];
                let more =
                    if self.one_in(3) && self.facts.zones.iter().any(|z| z.name == "waste") { ", waste" } else { "" };
                self.line(format!("mix {from}{more} into shown"));
            }
            _ if self.facts.newcomers => self.line("admit"),
            _ => self.moves(),
        }
    }

    /// Writes a step that changes only what belongs to the player of a `together`.
    fn own_step(&mut self) {
        let me = self.me.clone().unwrap_or_else(|| "turn".to_owned());
        match self.below(3) {
            0 => {
                let count = 1 + self.below(2);
                self.line(format!("bid[{me}] += {count}"));
            }
            1 => {
                let (from, to) = (self.target(), self.target());
                self.line(format!("move {from} to {to}"));
            }
            _ => self.line(format!("bid[{me}] := count of hand[{me}]")),
        }
    }

    fn turns(&mut self) {
        if self.honest {
            return self.moves();
        }
        let (what, direction) = (self.any(|w| w.cards(1)), self.pick(&["up", "down"]));
        self.line(format!("turn {what} face {direction}"));
    }

    fn dice_step(&mut self) {
        if self.facts.words_on_dice.is_some() && self.context == Context::Main && self.one_in(3) {
            let step = self.pick(&["roll cup", "roll cup where cup is miss", "clear cup"]);
            return self.line(step);
        }
        if self.facts.dice.is_empty() {
            return self.moves();
        }
        let verb = self.pick(&["roll", "roll", "roll", "clear"]);
        if let Some(picked) = self.picked_dice()
            && self.one_in(2)
        {
            return self.line(format!("{verb} {picked}"));
        }
        let at = self.below(self.facts.dice.len() as u32) as usize;
        let dice = self.facts.dice[at].clone();
        if dice.index.is_empty() || self.one_in(3) {
            return self.line(format!("{verb} {}", dice.name));
        }
        if self.one_in(2) {
            let test = if (dice.open || !self.honest) && self.one_in(2) {
                format!("{} < 3", dice.name)
            } else {
                self.open(|w| w.yes_no(1))
            };
            return self.line(format!("{verb} {} where {test}", dice.name));
        }
        let own = self.context == Context::Together || self.one_in(2);
        let index = self.open(|w| w.indices(&dice.index, own, 1));
        self.line(format!("{verb} {}{index}", dice.name));
    }

    fn tell(&mut self) {
        if self.one_in(3) {
            let to = self.open(|w| w.player(1));
            let me = self.me.replace(to.clone());
            let text = self.text(Secrecy::Mine);
            self.me = me;
            return self.line(format!("announce {text} as notice to {to}"));
        }
        let text = self.text(Secrecy::Open);
        let kind = self.pick(&["", " as toast", " as shout", " as banner", " as log"]);
        self.line(format!("announce {text}{kind}"));
    }

    fn reveal(&mut self) {
        let to = if self.one_in(2) { format!(" to {}", self.open(|w| w.player(1))) } else { String::new() };
        match self.below(5) {
            0 => {
                let kind = [Kind::Number, Kind::YesNo, Kind::Player][self.below(3) as usize].clone();
                let value = self.any(|w| w.value(&kind, 2));
                self.line(format!("reveal {value}{to}"));
            }
            1 => {
                let kind = [Kind::Number, Kind::YesNo, Kind::Player, Kind::Card][self.below(4) as usize].clone();
                let value = self.any(|w| w.value(&kind, 2));
                let name = self.fresh("told");
                // A variable can't keep what one player alone is told, so this reveals the value to everybody.
                self.line(format!("{name} := reveal {value}"));
                if !to.is_empty() && self.one_in(2) {
                    self.line(format!("announce \"It is {{{name}}}\" as notice{to}"));
                }
                self.scope.push(Variable { name, kind, settable: false });
            }
            _ => {
                let cards = self.any(|w| w.cards(1));
                self.line(format!("reveal {cards}{to}"));
            }
        }
    }

    pub(super) fn end(&mut self) {
        let outcome = match self.below(12) {
            0 | 1 => format!("winner {}", self.open(|w| w.player(2))),
            2 => format!("winners players where {}", self.open(|w| w.of_player(1))),
            3 => format!("loser {}", self.open(|w| w.player(1))),
            4 => format!("losers players where {}", self.open(|w| w.of_player(1))),
            5 if self.facts.newest_words => {
                let score = self.open(|w| w.number(1));
                format!("everyone scores {score} out of {}", 4 + self.below(3))
            }
            5 => "everyone wins".to_owned(),
            6 => "everyone loses".to_owned(),
            7 => "void".to_owned(),
            8 => "draw".to_owned(),
            9 if self.facts.newer_words => {
                let then = if self.mischief > 0 { "bid" } else { "score" };
                format!("ranking by count of hand lowest first, then {then} highest first")
            }
            9 => "ranking by count of hand lowest first".to_owned(),
            10 if self.mischief > 0 => "ranking by bid highest first".to_owned(),
            _ => "ranking by score highest first".to_owned(),
        };
        let banner = if self.one_in(2) { format!(", {}", self.text(Secrecy::Open)) } else { String::new() };
        self.line(format!("end {outcome}{banner}"));
    }
}
