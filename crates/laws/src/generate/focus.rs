//! The focus of a file is a group of constructs that the file has often. Some constructs leak only together with others, and
//! random files seldom have both.

use super::scope::{Kind, Zone};
use super::{Context, Writer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    /// Writes cards that lie face down where they are seen, and go from there.
    Backs,
    /// Writes piles that are mixed, some of them face down.
    Mixing,
    /// Writes cards that are picked as a set, with wild ones among them.
    Sets,
    /// Writes texts that players write on cards.
    Writing,
    /// Writes cards that are turned.
    Turning,
    /// Writes values that are told to one player.
    Telling,
    /// Writes rules that take a player.
    Rules,
    /// Writes games that end before their last line.
    Ends,
    /// Writes highlighted cards.
    Highlights,
}

impl Focus {
    const ALL: [Focus; 9] = [
        Focus::Backs,
        Focus::Mixing,
        Focus::Sets,
        Focus::Writing,
        Focus::Turning,
        Focus::Telling,
        Focus::Rules,
        Focus::Ends,
        Focus::Highlights,
    ];

    /// Gives half of the files a focus. Honest files lose it again.
    pub fn of(seed: u64) -> Option<Self> {
        Focus::ALL.get((seed / 12 % 18) as usize).copied()
    }

    /// Gives nearly every file a focus. The search for witnesses uses this.
    pub fn of_hostile(seed: u64) -> Option<Self> {
        Focus::ALL.get((seed / 12 % 10) as usize).copied()
    }
}

impl Writer {
    /// Whether the writer prefers a construct of this focus here. True half of the time in a file that has this focus.
    pub(super) fn favours(&mut self, focus: Focus) -> bool {
        self.focus == Some(focus) && self.one_in(2)
    }

    /// Writes a step of the file's focus. Returns false if the focus has no step for this place.
    pub(super) fn focused_step(&mut self) -> bool {
        match self.focus {
            Some(Focus::Backs) => self.backs(),
            Some(Focus::Writing) if self.context == Context::Main => match self.below(4) {
                2 => self.each_draws(),
                0 => {
                    let to = self.seen_zone();
                    self.line(format!("move stock where card is blank to {to}"));
                }
                1 => {
                    let to = self.seen_zone();
                    self.line(format!("move stock to {to} face down"));
                }
                _ => self.ask(),
            },
            Some(Focus::Mixing) if self.context == Context::Main => match self.below(3) {
                0 => self.each_draws(),
                _ => {
                    let zones: Vec<Zone> = self.facts.zones.iter().filter(|zone| zone.of_players()).cloned().collect();
                    let at = self.below(zones.len() as u32) as usize;
                    self.line(format!("mix {} into shown", zones[at].name));
                }
            },
            Some(Focus::Turning) => self.turn_some(),
            Some(Focus::Telling) if self.context == Context::Main => self.tell_one(),
            Some(Focus::Sets) if self.context == Context::Main => self.ask(),
            Some(Focus::Ends) if self.context == Context::Main => {
                let test = self.open(|w| w.yes_no(1));
                self.line(format!("if {test}"));
                self.block(|w| match w.one_in(2) {
                    true => {
                        let (who, player) = (w.pick(&["winner", "loser"]), w.hidden_player());
                        w.line(format!("end {who} {player}"));
                    }
                    false => w.end(),
                });
            }
            Some(Focus::Highlights) => {
                let (owner, to) = (self.pick(&["turn", "judge"]), self.seen_zone());
                match self.one_in(2) {
                    true => self.line(format!("draw 2 from stock to {to}")),
                    false => {
                        let number = 1 + self.below(4);
                        self.line(format!("bid[{owner}] := {number}"));
                    }
                }
            }
            Some(Focus::Rules) => return self.do_rule(),
            _ => return false,
        }
        true
    }

    /// Returns a zone whose cards somebody sees, with its index.
    pub(super) fn seen_zone(&mut self) -> String {
        let seen: Vec<Zone> = self.facts.zones.iter().filter(|zone| zone.open || zone.own).cloned().collect();
        if seen.is_empty() {
            return self.target();
        }
        let zone = seen[self.below(seen.len() as u32) as usize].clone();
        self.instance(&zone)
    }

    /// Returns a zone with an index. Most often everybody knows which instance it is.
    fn instance(&mut self, zone: &Zone) -> String {
        if zone.of_players() && self.mischief > 0 && self.one_in(3) {
            return format!("{}[{}]", zone.name, self.hidden_player());
        }
        let own = self.context == Context::Together || self.one_in(2);
        let index = self.open(|w| w.indices(&zone.index, own, 0));
        format!("{}{index}", zone.name)
    }

    /// Returns a number that only one player may know.
    pub(super) fn hidden_number(&mut self) -> String {
        format!("bid[{}]", self.pick(&["judge", "turn", "first player", "next player after turn"]))
    }

    /// Returns a condition on the card at hand that depends on a sealed number.
    pub(super) fn hidden_test(&mut self) -> String {
        match self.attribute(true) {
            Some((_, name)) => format!("{name} is {}", self.hidden_number()),
            None => format!("{} > 1", self.hidden_number()),
        }
    }

    /// Writes a loop in which everybody draws to a zone of their own.
    fn each_draws(&mut self) {
        let zones: Vec<Zone> = self.facts.zones.iter().filter(|zone| zone.of_players()).cloned().collect();
        let at = self.below(zones.len() as u32) as usize;
        let (name, down) = (self.fresh("p"), self.pick(&["", " face down"]));
        self.line(format!("for {name} in players"));
        let zone = zones[at].name.clone();
        self.block(|w| w.line(format!("draw 2 from stock to {zone}[{name}]{down}")));
    }

    /// Writes a step that lays cards face down where they are seen, turns them, or moves them away.
    fn backs(&mut self) {
        let (from, to) = (self.seen_zone(), self.seen_zone());
        match self.below(10) {
            0..=2 => self.line(format!("draw 2 from stock to {to} face down")),
            3 => self.line(format!("move {from} to {to} face down")),
            4 => self.line(format!("draw 1 from {from} to {to}")),
            5 => self.line(format!("move random card of {from} to {to}")),
            6 => self.line("gather cards to stock"),
            7 if self.context == Context::Main => self.line("mix hand into shown"),
            _ => self.turn_some(),
        }
    }

    fn turn_some(&mut self) {
        let zone = self.seen_zone();
        let which = match (self.below(4), self.attribute(true)) {
            (0, Some((_, name))) => format!("highest card of {zone} by {name}"),
            (1, _) => zone,
            (2, _) => format!("{zone} where {}", self.hidden_test()),
            _ => format!("{zone} where {}", self.any(|w| w.of_card(0))),
        };
        let direction = self.pick(&["up", "down"]);
        self.line(format!("turn {which} face {direction}"));
    }

    fn tell_one(&mut self) {
        let kind = [Kind::Number, Kind::YesNo, Kind::Player][self.below(3) as usize].clone();
        let (value, to) = (self.any(|w| w.value(&kind, 1)), self.open(|w| w.player(1)));
        self.line(format!("reveal {value} to {to}"));
    }

    /// Returns a card to write on: the first or the last card of a zone, or of some of its cards.
    pub(super) fn page(&mut self) -> String {
        let owned = self.one_in(2);
        let fits = |zone: &&Zone| zone.ordered && (!owned || zone.of_players());
        let ordered: Vec<Zone> = self.facts.zones.iter().filter(fits).cloned().collect();
        let zone = match ordered.is_empty() {
            true => "stock".to_owned(),
            false => {
                let at = self.below(ordered.len() as u32) as usize;
                self.instance(&ordered[at])
            }
        };
        match self.below(4) {
            0 => format!("last card of (last {} cards of {zone})", self.open(|w| w.number(0))),
            1 if !self.honest => format!("last card of (first {} cards of {zone})", self.hidden_number()),
            2 => format!("last card of {zone}"),
            _ => format!("first card of {zone}"),
        }
    }
}
