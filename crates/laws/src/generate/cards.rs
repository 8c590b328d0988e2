//! Writes values that are a card or cards, and conditions on a card.

use super::scope::{Kind, Zone};
use super::{Secrecy, Writer};

impl Writer {
    /// Returns a condition on the card at hand.
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
                // The first value is the lowest number and the last value the highest, so both conditions can hold.
                let op = if number { self.pick(&["is", "<", ">"]) } else { "is" };
                let values = &self.facts.attributes[at].values;
                let word = match op {
                    "<" => values.last().cloned().unwrap_or_default(),
                    ">" => values.first().cloned().unwrap_or_default(),
                    _ => self.word(at, 0),
                };
                format!("{name} {op} {word}")
            }
            (3, _) if depth > 0 => format!("card is {}", self.card(depth - 1)),
            (4, Some((at, name))) => format!("{name} is not {}", self.word(at, 0)),
            _ => match self.attribute(false) {
                Some((at, name)) => format!("{name} is {}", self.plain_word(at)),
                None => "card is not none".to_owned(),
            },
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
            4 | 5 if self.facts.newer_words => {
                let place = if self.one_in(2) {
                    self.pick(&["1", "2", "3"]).to_owned()
                } else {
                    format!("({})", self.number(0))
                };
                match self.some_zone(|zone| zone.ordered) {
                    Some(zone) => format!("card {place} of {zone}"),
                    None => "none".to_owned(),
                }
            }
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

    /// Returns a zone that passes the test, with its index; preferably one whose cards may be known here.
    pub(super) fn some_zone(&mut self, test: impl Fn(&Zone) -> bool) -> Option<String> {
        let (secrecy, me, any) = (self.secrecy, self.me.is_some(), self.any_zone);
        let known = |zone: &&Zone| match secrecy {
            _ if any => true,
            Secrecy::Open => zone.open,
            Secrecy::Mine => zone.open || zone.own && me,
            Secrecy::Any => true,
        };
        let mut fitting: Vec<Zone> = self.facts.zones.iter().filter(|zone| test(zone)).filter(known).cloned().collect();
        if fitting.is_empty() && !self.honest && self.one_in(2) {
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
        let otherwise = if self.honest { Self::OPEN_ZONE } else { "stock" };
        self.some_zone(|_| true).unwrap_or_else(|| otherwise.to_owned())
    }

    /// Returns cards to be counted. The zone's cards need not be known, only its count.
    pub(super) fn counted_cards(&mut self, depth: u32) -> String {
        if self.below(3) > 0 {
            let zones: Vec<Zone> = self.facts.zones.iter().filter(|zone| zone.counted).cloned().collect();
            if !zones.is_empty() {
                let zone = zones[self.below(zones.len() as u32) as usize].clone();
                return format!("{}{}", zone.name, self.indices(&zone.index, false, 1));
            }
        }
        self.bracketed(depth)
    }

    pub(super) fn bracketed(&mut self, depth: u32) -> String {
        self.bracketed_cards(depth.saturating_sub(1))
    }

    /// Returns cards, in brackets where needed so that a `where` behind them is not part of them.
    pub(super) fn bracketed_cards(&mut self, depth: u32) -> String {
        let cards = self.cards(depth);
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
            5 if !self.any_zone => format!("{} - {}", self.bracketed(0), self.bracketed(depth)),
            6 => {
                let (end, count) = (self.pick(&["first", "last"]), self.one_in(2));
                let count = if count { self.below(3).to_string() } else { format!("({})", self.number(1)) };
                match self.some_zone(|zone| zone.ordered) {
                    Some(zone) => format!("{end} {count} cards of {zone}"),
                    None => self.zone_cards(0),
                }
            }
            7 => match self.attribute(false) {
                Some((_, name)) => format!("sets of 2 alike in {name} of {}", self.zone_cards(0)),
                None => self.zone_cards(0),
            },
            8 => self.define(&Kind::Cards, depth).unwrap_or_else(|| self.zone_cards(0)),
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
}
