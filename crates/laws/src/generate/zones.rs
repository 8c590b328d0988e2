//! Writes the zones of a file, and who sees them.

use super::Writer;
use super::focus::Focus;
use super::scope::{Deck, Index, Kind, Zone};

impl Writer {
    pub(super) fn zones(&mut self) {
        self.line("zones");
        self.indent += 1;
        for deck in self.facts.decks.clone() {
            let name = if deck.name == "cards" { "stock" } else { "store" };
            let ordered = self.honest || !self.one_in(6);
            self.zone(name, vec![], ordered, Some(&deck));
        }
        self.zone("hand", vec![Index::Player], false, None);
        let word = self.facts.decks[0].attributes.last().copied();
        let mut others = vec![
            ("mat", vec![Index::Player]),
            ("row", vec![Index::Range(3)]),
            ("trick", vec![]),
            ("waste", vec![]),
            ("cave", vec![]),
            ("grid", vec![Index::Range(2), Index::Range(2)]),
            ("cell", vec![Index::Player, Index::Range(2)]),
        ];
        let word = word.filter(|word| self.facts.attributes[*word].name != "pick");
        others.extend(word.map(|word| ("heap", vec![Index::Value(word)])));
        for (name, index) in others {
            if self.one_in(2) || self.honest && name == Self::OPEN_ZONE {
                self.zone(name, index, false, None);
            }
        }
        if self.focus == Some(Focus::Mixing) || self.one_in(2) {
            self.zone("shown", vec![Index::Range(4)], true, None);
        }
        self.indent -= 1;
    }

    /// Writes one line of `zones`.
    pub(super) fn zone(&mut self, name: &str, index: Vec<Index>, ordered: bool, deck: Option<&Deck>) {
        let owned = index.contains(&Index::Player);
        let mut clauses: Vec<String> = Vec::new();
        let is_open = self.honest && name == Self::OPEN_ZONE;
        let ordered = ordered || is_open || self.one_in(2);
        if ordered {
            clauses.push("ordered".to_owned());
        }
        let mut zone = Zone {
            name: name.to_owned(),
            index,
            ordered,
            remembers: false,
            secretly: false,
            open: false,
            counted: true,
            own: false,
        };
        match is_open {
            true => {
                clauses.push("everyone sees cards".to_owned());
                zone.open = true;
            }
            false => self.sees(&mut clauses, &mut zone, owned),
        }
        let secretly = name == "shown";
        if secretly || deck.is_none() && self.one_in(5) {
            zone.remembers = true;
            zone.secretly = secretly || self.one_in(3);
            clauses.push(format!("remembers player{}", if zone.secretly { " secretly" } else { "" }));
        }
        if deck.is_none() && !self.honest && self.one_in(10) {
            clauses.push(format!("holds at most {}", 2 + self.below(4)));
        }
        if self.one_in(6) {
            let attributes = &self.facts.attributes;
            let names: Vec<String> = attributes.iter().take(2).map(|attribute| attribute.name.clone()).collect();
            if !names.is_empty() {
                clauses.push(format!("sorted by {}", names.join(" then ")));
            }
        }
        if self.one_in(12) {
            let shapes = ["fan", "pile", "row", "slots", "grid 2x2", "towards player"];
            let shape = self.pick(&shapes[..if owned { 4 } else { 6 }]);
            clauses.push(format!("as {shape}"));
        }
        if self.one_in(12) {
            clauses.push("titled \"Here\"".to_owned());
        }
        if self.one_in(12) && !self.honest {
            let hidden = self.mischief > 0 && self.one_in(2);
            let test = match (hidden, self.attribute(false)) {
                (true, Some((at, name))) => format!("any card in stock where {name} is {}", self.word(at, 0)),
                _ => self.pick(&["flag", "lifted", "count of stock > 2"]).to_owned(),
            };
            clauses.push(format!("turned when {test}"));
        }
        if let Some(deck) = deck {
            clauses.push(format!("starts with {}", deck.name));
        }
        let index = self.index(&zone.index);
        self.line(format!("{name}{index}: {}", clauses.join(", ")));
        self.facts.zones.push(zone);
    }

    /// Adds the clauses that say who sees what of a zone, or of dice.
    pub(super) fn sees(&mut self, clauses: &mut Vec<String>, zone: &mut Zone, owned: bool) {
        let sort = match (self.focus, self.below(4)) {
            (Some(Focus::Backs | Focus::Mixing | Focus::Turning | Focus::Writing), 0 | 1) => 0,
            (Some(Focus::Mixing), 2) => 4,
            _ if self.honest && owned => self.below(4),
            _ if self.honest => [0, 4, 5][self.below(3) as usize],
            _ => self.below(10),
        };
        match sort {
            0 => {
                clauses.push("everyone sees cards".to_owned());
                (zone.open, zone.counted, zone.own) = (true, true, owned);
            }
            1..=3 if owned => {
                clauses.push("owner sees cards".to_owned());
                clauses.push("others see count".to_owned());
                zone.own = true;
            }
            4 => {
                clauses.push("nobody sees".to_owned());
                zone.counted = false;
            }
            5 => {
                clauses.push("everyone sees count".to_owned());
            }
            _ => self.mixed_sees(clauses, zone, owned),
        }
    }

    /// Adds several clauses. Later ones override earlier ones.
    pub(super) fn mixed_sees(&mut self, clauses: &mut Vec<String>, zone: &mut Zone, owned: bool) {
        let states = ["lifted", "flag"];
        for _ in 0..1 + self.below(3) {
            let who = match self.below(if owned { 8 } else { 5 }) {
                0 => self.pick(&["everyone sees", "everyone sees", "players see", "spectators see"]),
                1 => "everyone sees",
                2 => "judge sees",
                3 => "turn sees",
                4 if owned => "others see",
                4 => "judge sees",
                5 | 6 => "owner sees",
                _ => "others see",
            };
            let what = self.pick(&["cards", "cards", "count", "nothing"]);
            let when = match self.below(8) {
                0 if owned && self.facts.newest_words => " when done".to_owned(),
                0 => format!(" when {}", self.pick(&states)),
                1 => self.option_of(&Kind::YesNo).map(|name| format!(" when {name}")).unwrap_or_default(),
                _ => String::new(),
            };
            if when.is_empty() && who.starts_with("everyone") {
                (zone.open, zone.counted) = (what == "cards", what != "nothing");
                zone.own = zone.open && owned;
            } else {
                zone.open &= what == "cards";
                zone.counted &= what != "nothing";
                zone.own = if who.starts_with("owner") && when.is_empty() {
                    what == "cards"
                } else {
                    zone.own && what == "cards"
                };
            }
            clauses.push(format!("{who} {what}{when}"));
        }
    }
}
