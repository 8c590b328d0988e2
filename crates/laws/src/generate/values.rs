//! Writes values of each type. Cards and texts have files of their own ([`super::cards`], [`super::texts`]).

use super::scope::{Index, Kind};
use super::{Secrecy, Writer};

impl Writer {
    pub(super) fn value(&mut self, kind: &Kind, depth: u32) -> String {
        match kind {
            Kind::Number => self.number(depth),
            Kind::YesNo => self.yes_no(depth),
            Kind::Player => self.player(depth),
            Kind::Card => self.card(depth),
            Kind::Cards => self.cards(depth),
            Kind::Value(attribute) => self.word(*attribute, depth),
            Kind::Choice(words) => words[self.below(words.len() as u32) as usize].clone(),
            Kind::Text | Kind::Dice(_) => "0".to_owned(),
        }
    }

    /// Returns a variable of this kind that is in scope.
    pub(super) fn variable(&mut self, kind: &Kind) -> Option<String> {
        if !self.reads_by_name(kind) {
            return None;
        }
        let fitting: Vec<String> = self.scope.iter().filter(|v| v.kind == *kind).map(|v| v.name.clone()).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len() as u32) as usize].clone()) }
    }

    /// Returns a state of this kind, with its index.
    pub(super) fn state(&mut self, kind: &Kind, depth: u32) -> Option<String> {
        let secrecy = self.secrecy;
        let fitting: Vec<_> = self
            .facts
            .states
            .iter()
            .filter(|s| s.kind == *kind && (!s.sealed || secrecy != Secrecy::Open))
            .cloned()
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let state = &fitting[self.below(fitting.len() as u32) as usize];
        let own = state.sealed && secrecy == Secrecy::Mine;
        Some(format!("{}{}", state.name, self.indices(&state.index, own, depth)))
    }

    pub(super) fn indices(&mut self, index: &[Index], own: bool, depth: u32) -> String {
        let words: Vec<String> = index
            .iter()
            .map(|index| match index {
                Index::Player => match (&self.me, own) {
                    (Some(me), true) => me.clone(),
                    _ => self.open_player(depth),
                },
                Index::Range(_) if self.secrecy == Secrecy::Any && self.one_in(4) => {
                    format!("bid[{}]", self.me.clone().unwrap_or_else(|| "turn".to_owned()))
                }
                Index::Range(high) if self.below(3) > 0 || depth == 0 => (1 + self.below(*high)).to_string(),
                // The index is a name and not a written number, because the checker refuses a number outside of the range.
                Index::Range(high) => {
                    let otherwise = (1 + self.below(*high)).to_string();
                    self.variable(&Kind::Number).or_else(|| self.state(&Kind::Number, 0)).unwrap_or(otherwise)
                }
                Index::Value(attribute) => self.plain_word(*attribute),
            })
            .collect();
        if words.is_empty() { String::new() } else { format!("[{}]", words.join(", ")) }
    }

    /// Returns a player as the owner of something. Half of the time it is the player who acts.
    fn open_player(&mut self, depth: u32) -> String {
        match self.me.clone() {
            Some(me) if self.below(2) == 0 => me,
            _ => {
                // Most often everybody knows which player this is.
                let hidden = self.secrecy == Secrecy::Any && self.one_in(3);
                let inside = if hidden { Secrecy::Any } else { Secrecy::Open };
                let secrecy = std::mem::replace(&mut self.secrecy, inside);
                let player = self.player(if hidden { 2 } else { depth.min(1) });
                self.secrecy = secrecy;
                player
            }
        }
    }

    pub(super) fn define(&mut self, kind: &Kind, depth: u32) -> Option<String> {
        let fitting: Vec<_> = self.facts.defines.iter().filter(|d| d.kind == *kind).cloned().collect();
        if fitting.is_empty() || depth == 0 {
            return None;
        }
        let define = &fitting[self.below(fitting.len() as u32) as usize];
        Some(match &define.takes {
            Some(takes) => format!("{}({})", define.name, self.value(takes, 0)),
            None => define.name.clone(),
        })
    }

    pub(super) fn number(&mut self, depth: u32) -> String {
        if self.plain_secret() {
            return format!("bid[{}]", self.me.clone().unwrap_or_else(|| "turn".to_owned()));
        }
        if depth == 0 {
            return match self.below(4) {
                0 => self.variable(&Kind::Number).unwrap_or_else(|| "1".to_owned()),
                1 => self.state(&Kind::Number, 0).unwrap_or_else(|| "2".to_owned()),
                2 => self.option_of(&Kind::Number).unwrap_or_else(|| "1".to_owned()),
                _ => self.below(4).to_string(),
            };
        }
        match self.below(20) {
            0..=2 => self.state(&Kind::Number, depth - 1).unwrap_or_else(|| "1".to_owned()),
            3..=5 => format!("count of {}", self.counted_cards(depth)),
            6 => format!("count of (players where {})", self.of_player(depth - 1)),
            7 => {
                let op = self.pick(&["+", "-", "*", "/", "mod"]);
                if op == "*" && self.facts.newer_words {
                    return format!("(count of {} ^ 2)", self.counted_cards(depth));
                }
                format!("{} {op} {}", self.number(0), self.number(0))
            }
            8 => format!("(if {} then {} else {})", self.yes_no(depth - 1), self.number(0), self.number(0)),
            9 => {
                let fold = self.pick(&["sum", "max", "min"]);
                let name = self.fresh("each");
                let value = self.with(&name, Kind::Player, |w| w.number(depth - 1));
                format!("{fold} of ({value}) over player {name}")
            }
            10 => {
                let name = self.fresh("at");
                let test = self.with(&name, Kind::Number, |w| w.yes_no(depth - 1));
                format!("(count of {name} in 1..3 where {test})")
            }
            11 => match self.attribute(true) {
                Some(attribute) => format!("{} of {}", attribute.1, self.card(depth - 1)),
                None => "3".to_owned(),
            },
            12 => match self.attribute(false) {
                Some(attribute) => format!("position of {} of {}", attribute.1, self.card(depth - 1)),
                None => "2".to_owned(),
            },
            13 => self.die(depth - 1).unwrap_or_else(|| "4".to_owned()),
            14 => {
                let name = self.fresh("each");
                let cards = self.bracketed(depth);
                let test = self.of_card(0);
                format!("(sum of 1 over card {name} in {cards} where {test})")
            }
            15 => self.text_option().map_or("1".to_owned(), |name| format!("length of {name}")),
            16 if self.facts.newer_words => match self.below(3) {
                0 => format!("worth[{}]", self.number(depth - 1)),
                1 => {
                    let both = format!("{}, {}", self.number(depth - 1), self.number(0));
                    // The choice takes no random number, so that the rest of the file stays as it is.
                    let name = if both.len().is_multiple_of(5) { "max" } else { "min" };
                    format!("{name}({both})")
                }
                _ => format!("seat of {}", self.player(depth - 1)),
            },
            16 => format!("-{}", self.number(0)),
            17 => self.picked_dice().map_or("0".to_owned(), |dice| format!("count of {dice}")),
            _ => self.define(&Kind::Number, depth).unwrap_or_else(|| self.number(0)),
        }
    }

    pub(super) fn with<T>(&mut self, name: &str, kind: Kind, body: impl FnOnce(&mut Self) -> T) -> T {
        self.bind(name, kind);
        let value = body(self);
        self.scope.retain(|v| v.name != name);
        value
    }

    pub(super) fn text_option(&mut self) -> Option<String> {
        self.facts.options.iter().find(|o| o.text).map(|o| o.name.clone())
    }

    pub(super) fn picked_dice(&mut self) -> Option<String> {
        self.scope.iter().find(|v| matches!(v.kind, Kind::Dice(_))).map(|v| v.name.clone())
    }

    fn die(&mut self, depth: u32) -> Option<String> {
        let secrecy = self.secrecy;
        let fitting: Vec<_> = self.facts.dice.iter().filter(|d| d.open || secrecy != Secrecy::Open).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let dice = &fitting[self.below(fitting.len() as u32) as usize];
        Some(format!("{}{}", dice.name, self.indices(&dice.index, secrecy == Secrecy::Mine, depth)))
    }

    /// Returns the place and the name of a random attribute.
    pub(super) fn attribute(&mut self, number: bool) -> Option<(usize, String)> {
        let all = self.facts.attributes.iter().enumerate();
        let fitting: Vec<_> =
            all.filter(|(_, a)| a.number == number && a.name != "pick").map(|(at, a)| (at, a.name.clone())).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len() as u32) as usize].clone()) }
    }

    pub(super) fn yes_no(&mut self, depth: u32) -> String {
        if self.one_secret && self.plain_secret() {
            let whose = self.pick(&["turn", "judge"]);
            return match (self.below(2), self.attribute(false)) {
                (0, Some((at, name))) => {
                    let word = self.plain_word(at);
                    format!("any card in hand[{whose}] where {name} is {word}")
                }
                _ => format!("liar[{whose}]"),
            };
        }
        if depth == 0 {
            return match self.below(5) {
                0 => self.variable(&Kind::YesNo).unwrap_or_else(|| "flag".to_owned()),
                1 => self.option_of(&Kind::YesNo).unwrap_or_else(|| "lifted".to_owned()),
                2 => format!("{} > {}", self.number(0), self.below(3)),
                _ => self.state(&Kind::YesNo, 0).unwrap_or_else(|| "flag".to_owned()),
            };
        }
        match self.below(24) {
            0 => self.state(&Kind::YesNo, depth - 1).unwrap_or_else(|| "flag".to_owned()),
            1 | 2 => {
                let op = self.pick(&["is", "is not", "<", "<=", ">", ">="]);
                format!("{} {op} {}", self.number(depth - 1), self.number(0))
            }
            3 => {
                let op = self.pick(&["is", "is not"]);
                format!("{} {op} {}", self.player(depth - 1), self.player(0))
            }
            6 if self.facts.words_on_dice.is_some_and(|open| open || self.secrecy != Secrecy::Open) => {
                let at = self.indices(&[Index::Player, Index::Range(2)], self.secrecy == Secrecy::Mine, depth - 1);
                format!("cup{at} is {}", self.pick(&["hit", "miss", "not hit"]))
            }
            5 if self.facts.newest_words && !self.honest => {
                let (cards, way) = (self.zone_cards(depth - 1), self.pick(&["up", "down"]));
                match self.one_in(2) {
                    true => format!("any card in {cards} where card is face {way}"),
                    false => format!("{} is face {way}", self.card(depth - 1)),
                }
            }
            4 | 5 => {
                let not = self.pick(&["", "not "]);
                format!("{} is {not}empty", self.bracketed(depth))
            }
            6..=8 => {
                let (any, cards) = (self.pick(&["any", "no"]), self.bracketed(depth));
                format!("{any} card in {cards} where {}", self.of_card(depth - 1))
            }
            9 => {
                let any = self.pick(&["any", "no"]);
                format!("{any} player where {}", self.of_player(depth - 1))
            }
            10 => {
                let (any, name) = (self.pick(&["any", "no"]), self.fresh("each"));
                let test = self.with(&name, Kind::Player, |w| w.yes_no(depth - 1));
                format!("{any} player {name} where {test}")
            }
            11 => {
                let what = self.pick(&["present", "playing", "person", "not present", "not person"]);
                format!("{} is {what}", self.player(depth - 1))
            }
            12 => format!("({}) and ({})", self.yes_no(depth - 1), self.yes_no(0)),
            13 => format!("(({}) or ({}))", self.yes_no(depth - 1), self.yes_no(0)),
            14 => format!("not {}", self.yes_no(0)),
            15 | 16 => {
                let number = self.one_in(3);
                match self.attribute(number) {
                    Some((at, name)) => {
                        let op = if self.one_in(3) { "<" } else { "is" };
                        format!("{name} of {} {op} {}", self.card(depth - 1), self.word(at, 0))
                    }
                    None => "flag".to_owned(),
                }
            }
            17 => {
                let op = self.pick(&["in", "not in"]);
                format!("{} {op} {}", self.card(depth - 1), self.zone_cards(depth - 1))
            }
            18 => {
                let named: Vec<String> = self.facts.decks.iter().flat_map(|deck| deck.named.clone()).collect();
                let name = if named.is_empty() {
                    "none".to_owned()
                } else {
                    named[self.below(named.len() as u32) as usize].clone()
                };
                format!("{} is {name}", self.card(depth - 1))
            }
            19 => match self.facts.decks.iter().any(|deck| deck.packs) {
                true => format!("{} is blank", self.card(depth - 1)),
                false => "way is left".to_owned(),
            },
            20 => {
                let (any, name) = (self.pick(&["any", "no"]), self.fresh("at"));
                let test = self.with(&name, Kind::Number, |w| w.yes_no(depth - 1));
                format!("{any} {name} in 1..3 where {test}")
            }
            21 => match (self.attribute(false), self.fresh("at")) {
                (Some((at, word)), name) => {
                    let test = self.with(&name, Kind::Value(at), |w| format!("{name} is {}", w.word(at, 0)));
                    format!("any {name} in {word} where {test}")
                }
                _ => "flag".to_owned(),
            },
            _ => self.define(&Kind::YesNo, depth).unwrap_or_else(|| self.yes_no(0)),
        }
    }

    /// Returns a condition on the player at hand.
    pub(super) fn of_player(&mut self, depth: u32) -> String {
        if self.secrecy == Secrecy::Any && self.one_in(3) {
            return self.pick(&["bid > 2", "liar", "target is player", "bid is 0"]).to_owned();
        }
        match self.below(8) {
            0 => format!("player is not {}", self.player(0)),
            1 => "score > 1".to_owned(),
            2 => "hand is not empty".to_owned(),
            3 => "not done".to_owned(),
            4 => "player is present".to_owned(),
            // The player at hand may be anybody, and nobody else knows this player's secrets.
            5 if !self.honest && self.secrecy != Secrecy::Open => "bid > 2".to_owned(),
            6 if !self.honest && depth > 0 && self.secrecy != Secrecy::Open => {
                format!("any card in hand where {}", self.of_card(0))
            }
            _ => "player is person".to_owned(),
        }
    }

    /// Returns a player in words that depend on something that not everybody knows.
    pub(super) fn hidden_player(&mut self) -> String {
        let whose = self.me.clone().unwrap_or_else(|| "turn".to_owned());
        match (self.below(4), self.attribute(false)) {
            (0 | 1, _) => format!("target[{whose}]"),
            (2, Some((at, name))) => {
                let word = self.plain_word(at);
                format!("(first player where any card in hand where {name} is {word})")
            }
            _ => "(first player where liar)".to_owned(),
        }
    }

    pub(super) fn player(&mut self, depth: u32) -> String {
        if self.plain_secret() {
            return self.hidden_player();
        }
        let known = self.me.clone().or_else(|| self.variable(&Kind::Player));
        if depth == 0 {
            return match self.below(6) {
                0 => "judge".to_owned(),
                1 => "turn".to_owned(),
                2 => "first player".to_owned(),
                _ => self.variable(&Kind::Player).or(known).unwrap_or_else(|| "turn".to_owned()),
            };
        }
        match self.below(16) {
            0..=2 => known.unwrap_or_else(|| "judge".to_owned()),
            3 => format!("next player after {}", self.player(depth - 1)),
            4 => format!("previous player before {}", self.player(depth - 1)),
            5 => format!("(first player where {})", self.of_player(depth - 1)),
            6 => format!("(next player after {} where {})", self.player(0), self.of_player(depth - 1)),
            7 => format!("(first player from {} where {})", self.player(0), self.of_player(depth - 1)),
            8 => "lead".to_owned(),
            9 if self.one_in(4) => "nobody".to_owned(),
            10 => match self.facts.zones.iter().find(|zone| zone.remembers).cloned() {
                Some(zone) if self.secrecy == Secrecy::Any || !zone.secretly => {
                    let at = self.indices(&zone.index, true, 0);
                    match zone.ordered {
                        true => format!("player of last card of {}{at}", zone.name),
                        false => "turn".to_owned(),
                    }
                }
                _ => "turn".to_owned(),
            },
            11 | 14 if self.secrecy != Secrecy::Open => {
                self.state(&Kind::Player, depth - 1).unwrap_or("turn".to_owned())
            }
            12 => self.define(&Kind::Player, depth).unwrap_or_else(|| "judge".to_owned()),
            13 => format!("(if {} then {} else {})", self.yes_no(depth - 1), self.player(0), self.player(0)),
            _ => self.player(0),
        }
    }

    pub(super) fn plain_word(&mut self, attribute: usize) -> String {
        let values = self.facts.attributes[attribute].values.clone();
        values[self.below(values.len() as u32) as usize].clone()
    }

    /// Returns a value of an attribute.
    pub(super) fn word(&mut self, attribute: usize, depth: u32) -> String {
        match self.below(8) {
            0 => self.variable(&Kind::Value(attribute)).unwrap_or_else(|| self.plain_word(attribute)),
            1 | 2 => self.state(&Kind::Value(attribute), depth).unwrap_or_else(|| self.plain_word(attribute)),
            3 if depth > 0 => {
                let name = self.facts.attributes[attribute].name.clone();
                format!("{name} of {}", self.card(depth - 1))
            }
            4 if self.facts.newer_words => {
                let name = self.facts.attributes[attribute].name.clone();
                let direction = self.pick(&["next {} after", "previous {} before"]).replace("{}", &name);
                let wrapping = self.pick(&["", " wrapping"]);
                let word = if depth > 0 { self.word(attribute, depth - 1) } else { self.plain_word(attribute) };
                format!("({direction} {word}{wrapping})")
            }
            4 if self.one_in(3) => "none".to_owned(),
            _ => self.plain_word(attribute),
        }
    }
}
