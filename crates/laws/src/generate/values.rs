//! Values of each type, and texts with holes.

use super::scope::{Index, Kind, Zone};
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

    /// A variable of this kind that is in scope.
    pub(super) fn variable(&mut self, kind: &Kind) -> Option<String> {
        let fitting: Vec<String> = self.scope.iter().filter(|v| v.kind == *kind).map(|v| v.name.clone()).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len() as u32) as usize].clone()) }
    }

    /// A state of this kind, with its index.
    fn state(&mut self, kind: &Kind, depth: u32) -> Option<String> {
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
                Index::Range(_) => self.number(depth.min(1)),
                Index::Value(attribute) => self.plain_word(*attribute),
            })
            .collect();
        if words.is_empty() { String::new() } else { format!("[{}]", words.join(", ")) }
    }

    /// Whose something is: most often the player who acts.
    fn open_player(&mut self, depth: u32) -> String {
        match self.me.clone() {
            Some(me) if self.below(2) == 0 => me,
            _ => {
                // Whose it is most often everybody knows.
                let hidden = self.secrecy == Secrecy::Any && self.one_in(3);
                let inside = if hidden { Secrecy::Any } else { Secrecy::Open };
                let secrecy = std::mem::replace(&mut self.secrecy, inside);
                let player = self.player(if hidden { 2 } else { depth.min(1) });
                self.secrecy = secrecy;
                player
            }
        }
    }

    fn define(&mut self, kind: &Kind, depth: u32) -> Option<String> {
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
        if self.secrecy == Secrecy::Any && self.one_in(4) {
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
                format!("count of {name} in 1..3 where {test}")
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
                let cards = self.cards(depth - 1);
                let test = self.of_card(0);
                format!("sum of 1 over card {name} in {cards} where {test}")
            }
            15 => self.text_option().map_or("1".to_owned(), |name| format!("length of {name}")),
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

    /// A random attribute: its place and its name.
    pub(super) fn attribute(&mut self, number: bool) -> Option<(usize, String)> {
        let all = self.facts.attributes.iter().enumerate();
        let fitting: Vec<_> =
            all.filter(|(_, a)| a.number == number && a.name != "pick").map(|(at, a)| (at, a.name.clone())).collect();
        if fitting.is_empty() { None } else { Some(fitting[self.below(fitting.len() as u32) as usize].clone()) }
    }

    pub(super) fn yes_no(&mut self, depth: u32) -> String {
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
            4 | 5 => {
                let not = self.pick(&["", "not "]);
                format!("{} is {not}empty", self.bracketed(depth))
            }
            6..=8 => {
                let (any, cards) = (self.pick(&["any", "no"]), self.cards(depth - 1));
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
            12 => format!("{} and {}", self.yes_no(depth - 1), self.yes_no(0)),
            13 => format!("({} or {})", self.yes_no(depth - 1), self.yes_no(0)),
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

    /// A condition on the card at hand.
    pub(super) fn of_card(&mut self, depth: u32) -> String {
        if self.secrecy == Secrecy::Any && self.one_in(3) {
            let whose = self.me.clone().unwrap_or_else(|| "turn".to_owned());
            let whose = if self.one_in(2) { whose } else { "judge".to_owned() };
            let vowed = self.facts.decks[0].attributes.last().map(|at| self.facts.attributes[*at].name.clone());
            return match (vowed, self.attribute(true)) {
                (Some(name), _) if name != "pick" && self.one_in(2) => format!("{name} is vow[{whose}]"),
                (_, Some((_, name))) => format!("{name} is bid[{whose}]"),
                _ => format!("liar[{whose}]"),
            };
        }
        let number = self.one_in(2);
        match (self.below(5), self.attribute(number)) {
            (0..=2, Some((at, name))) => {
                let op = if number { self.pick(&["is", "<", ">"]) } else { "is" };
                format!("{name} {op} {}", self.word(at, 0))
            }
            (3, _) if depth > 0 => format!("card is {}", self.card(depth - 1)),
            (4, Some((at, name))) => format!("{name} is not {}", self.word(at, 0)),
            _ => match self.attribute(false) {
                Some((at, name)) => format!("{name} is {}", self.plain_word(at)),
                None => "card is not none".to_owned(),
            },
        }
    }

    /// A condition on the player at hand.
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
            5 if self.secrecy != Secrecy::Open => "bid > 2".to_owned(),
            6 if depth > 0 && self.secrecy != Secrecy::Open => format!("any card in hand where {}", self.of_card(0)),
            _ => "player is person".to_owned(),
        }
    }

    /// A player whom not everybody knows.
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
        if self.secrecy == Secrecy::Any && self.one_in(4) {
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
                    let end = if zone.ordered { "last card of" } else { "random card of" };
                    format!("player of {end} {}{at}", zone.name)
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

    pub(super) fn card(&mut self, depth: u32) -> String {
        if let Some(card) = self.variable(&Kind::Card)
            && (depth == 0 || self.one_in(2))
        {
            return card;
        }
        match self.below(8) {
            0 | 1 => {
                let (which, by) = (self.pick(&["highest", "lowest"]), self.one_in(2));
                match self.attribute(by) {
                    Some((_, name)) => format!("{which} card of {} by {name}", self.bracketed(depth)),
                    None => "none".to_owned(),
                }
            }
            2 if self.facts.decks[0].standard => self.pick(&["A♠", "10♥", "K♣"]).to_owned(),
            3 => self.define(&Kind::Card, depth).unwrap_or_else(|| "none".to_owned()),
            _ => {
                let end = self.pick(&["first", "last"]);
                let zone = self.some_zone(|zone| zone.ordered);
                match zone {
                    Some(zone) => format!("{end} card of {zone}"),
                    None => "none".to_owned(),
                }
            }
        }
    }

    /// A zone of which this holds, with its index; preferably one that may be known here.
    pub(super) fn some_zone(&mut self, test: impl Fn(&Zone) -> bool) -> Option<String> {
        let (secrecy, me) = (self.secrecy, self.me.is_some());
        let known = |zone: &&Zone| match secrecy {
            Secrecy::Open => zone.open,
            Secrecy::Mine => zone.open || zone.own && me,
            Secrecy::Any => true,
        };
        let mut fitting: Vec<Zone> = self.facts.zones.iter().filter(|zone| test(zone)).filter(known).cloned().collect();
        if fitting.is_empty() && self.one_in(2) {
            fitting = self.facts.zones.iter().filter(|zone| test(zone)).cloned().collect();
        }
        if fitting.is_empty() {
            return None;
        }
        let zone = fitting[self.below(fitting.len() as u32) as usize].clone();
        let own = zone.own && !zone.open && secrecy != Secrecy::Any || self.one_in(2);
        Some(format!("{}{}", zone.name, self.indices(&zone.index, own, 1)))
    }

    pub(super) fn zone_cards(&mut self, depth: u32) -> String {
        let _ = depth;
        self.some_zone(|_| true).unwrap_or_else(|| "stock".to_owned())
    }

    /// Cards of which the number is asked: a zone whose count is known will do.
    fn counted_cards(&mut self, depth: u32) -> String {
        if self.below(3) > 0 {
            let zones: Vec<Zone> = self.facts.zones.iter().filter(|zone| zone.counted).cloned().collect();
            if !zones.is_empty() {
                let zone = zones[self.below(zones.len() as u32) as usize].clone();
                return format!("{}{}", zone.name, self.indices(&zone.index, false, 1));
            }
        }
        self.bracketed(depth)
    }

    fn bracketed(&mut self, depth: u32) -> String {
        let cards = self.cards(depth.saturating_sub(1));
        if cards.contains(' ') { format!("({cards})") } else { cards }
    }

    pub(super) fn cards(&mut self, depth: u32) -> String {
        if let Some(cards) = self.variable(&Kind::Cards)
            && self.one_in(3)
        {
            return cards;
        }
        if depth == 0 {
            return self.zone_cards(0);
        }
        match self.below(14) {
            0..=3 => format!("{} where {}", self.bracketed(0), self.of_card(depth - 1)),
            4 => format!("{} + {}", self.zone_cards(0), self.zone_cards(0)),
            5 => format!("{} - {}", self.bracketed(0), self.bracketed(depth)),
            6 => {
                let (end, count) = (self.pick(&["first", "last"]), self.one_in(2));
                let count = if count { self.below(3).to_string() } else { format!("({})", self.number(1)) };
                match self.some_zone(|zone| zone.ordered) {
                    Some(zone) => format!("{end} {count} cards of {zone}"),
                    None => "stock".to_owned(),
                }
            }
            7 => match self.attribute(false) {
                Some((_, name)) => format!("sets of 2 alike in {name} of {}", self.zone_cards(0)),
                None => "hand".to_owned(),
            },
            8 => self.define(&Kind::Cards, depth).unwrap_or_else(|| "hand".to_owned()),
            9 if self.secrecy == Secrecy::Any => {
                let deck = self.below(self.facts.decks.len() as u32) as usize;
                self.facts.decks[deck].name.clone()
            }
            10 if self.secrecy == Secrecy::Any => {
                let zones: Vec<String> =
                    self.facts.zones.iter().filter(|z| !z.index.is_empty()).map(|z| z.name.clone()).collect();
                zones[self.below(zones.len() as u32) as usize].clone()
            }
            _ => self.zone_cards(depth - 1),
        }
    }

    fn plain_word(&mut self, attribute: usize) -> String {
        let values = self.facts.attributes[attribute].values.clone();
        values[self.below(values.len() as u32) as usize].clone()
    }

    /// A value of an attribute.
    pub(super) fn word(&mut self, attribute: usize, depth: u32) -> String {
        match self.below(8) {
            0 => self.variable(&Kind::Value(attribute)).unwrap_or_else(|| self.plain_word(attribute)),
            1 | 2 => self.state(&Kind::Value(attribute), depth).unwrap_or_else(|| self.plain_word(attribute)),
            3 if depth > 0 => {
                let name = self.facts.attributes[attribute].name.clone();
                format!("{name} of {}", self.card(depth - 1))
            }
            4 if self.one_in(3) => "none".to_owned(),
            _ => self.plain_word(attribute),
        }
    }

    /// A text whose holes may use what its reader knows.
    pub(super) fn text(&mut self, secrecy: Secrecy) -> String {
        let mut text = String::from("\"So");
        for _ in 0..self.below(3) {
            let hole = self.known(secrecy, |w| w.hole());
            text.push_str(&format!(" {{{hole}}}"));
        }
        text.push('"');
        text
    }

    fn hole(&mut self) -> String {
        match self.below(12) {
            0..=2 => self.number(2),
            3 => self.player(1),
            4 => self.card(1),
            5 => self.cards(1),
            6 => format!("if {} then \"yes\" else \"no\"", self.yes_no(2)),
            7 => self.yes_no(2),
            8 => match self.attribute(false) {
                Some((at, _)) => self.word(at, 1),
                None => "way".to_owned(),
            },
            9 => match self.text_option() {
                Some(name) if self.one_in(2) => name,
                Some(name) => format!("first {} letters of {name}", self.number(0)),
                None => "way".to_owned(),
            },
            10 if self.facts.decks.iter().any(|deck| deck.packs) => {
                if self.one_in(2) {
                    format!("text of {}", self.card(1))
                } else {
                    format!("filled({}, {})", self.card(1), self.zone_cards(0))
                }
            }
            _ => self.number(1),
        }
    }
}
