//! Checks lines about zones.

use crate::scenario_table::{Checked, ScenarioTable, unclear, wrong};
use crate::words::Words;
use baize_engine::cardset::CardSet;
use baize_engine::view::{Content, Viewer};

impl<S: CardSet> ScenarioTable<S> {
    /// Checks `hand[1] holds A♠ 2♦`, `trick holds A♠ K♠ in order`, `waste is empty`, `hand[2] includes A♠`, `hand[2] lacks A♠`,
    /// `piles[3] is turned`. Counts and values are conditions in the words of the rules.
    pub(super) fn check_zones(&self, words: &mut Words) -> Option<Checked> {
        let mut ahead = *words;
        let name = ahead.plain()?;
        if let Some(zones) = self.zone(name) {
            *words = ahead;
            if let [zone] = zones[..] {
                if words.eat("shows") {
                    return Some(self.shows(zone, words));
                }
                let turned = || self.view(Viewer::Spectator).zones[zone].turned;
                if words.eat("is turned") {
                    return Some(if turned() { Ok(()) } else { wrong("it is not") });
                }
                if words.eat("is not turned") {
                    return Some(if turned() { wrong("it is") } else { Ok(()) });
                }
            }
            let cards: Vec<u16> = zones.iter().flat_map(|zone| self.instance.in_order(&self.frame, *zone)).collect();
            return Some(self.zone_content(cards, words));
        }
        None
    }

    /// Checks `trick shows 8♠ by 2`: the card lies there, and everybody sees who brought it.
    pub(super) fn shows(&self, zone: usize, words: &mut Words) -> Checked {
        let (Some(card), true, Some(seat)) = (words.next(), words.eat("by"), words.number::<u8>()) else {
            return unclear("write: ZONE shows CARD by SEAT");
        };
        let Content::Cards(cards) = &self.view(Viewer::Spectator).zones[zone].content else {
            return wrong("it shows no cards");
        };
        let wanted = self.names(std::slice::from_ref(card))?;
        match cards.iter().find(|shown| wanted.contains(&self.card_as_seen(shown))) {
            Some(shown) if shown.by.map(|by| by + 1) == Some(seat) => Ok(()),
            Some(shown) => wrong(format!("it is by {:?}", shown.by.map(|by| by + 1))),
            None => wrong("it is not there"),
        }
    }

    pub(super) fn zone_content(&self, cards: Vec<u16>, words: &mut Words) -> Checked {
        if words.eat("is empty") {
            return if cards.is_empty() { Ok(()) } else { wrong(format!("it holds {}", self.labels(cards))) };
        }
        let test = words.plain().unwrap_or_default();
        let in_order = words.eat_end("in order");
        let wanted = self.names(words.0)?;
        words.0 = &[];
        if wanted.is_empty() {
            return unclear("which cards?");
        }
        let mut found_labels: Vec<String> = cards.iter().map(|card| self.label(*card)).collect();
        match test {
            "holds" if in_order => {
                if found_labels == wanted {
                    Ok(())
                } else {
                    wrong(format!("it holds {}", self.labels(cards)))
                }
            }
            "holds" => self.same_cards(cards, wanted),
            "includes" => {
                for name in wanted {
                    match found_labels.iter().position(|label| *label == name) {
                        Some(at) => found_labels.swap_remove(at),
                        None => return wrong(format!("it holds {}", self.labels(cards))),
                    };
                }
                Ok(())
            }
            "lacks" => {
                let found = wanted.iter().find(|name| found_labels.contains(name));
                found.map_or(Ok(()), |name| wrong(format!("it holds {name}")))
            }
            _ => unclear("a zone `holds`, `includes`, `lacks` cards, `is empty` or `is turned`"),
        }
    }

    pub(super) fn same_cards(&self, cards: Vec<u16>, mut wanted: Vec<String>) -> Checked {
        let mut found_labels: Vec<String> = cards.iter().map(|card| self.label(*card)).collect();
        found_labels.sort();
        wanted.sort();
        if found_labels == wanted { Ok(()) } else { wrong(format!("it is {}", self.labels(cards))) }
    }
}
