//! Reads `arrange`: puts cards into zones and values into variables.

use crate::scenario_table::{Checked, LineFailure, ScenarioTable, unclear};
use crate::slips;
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::frame::Frame;
use baize_engine::instance::NO_LIST;

impl<S: CardSet> ScenarioTable<S> {
    /// Puts cards into zones and values into variables. A card that has to leave its zone goes to the zone with
    /// `the rest`, or back to the zone in which its deck starts. `face down` at the end of a line lays its cards with their
    /// backs up; all others lie face up.
    pub fn arrange(&mut self, places: &[(usize, String, Vec<Word>)]) -> Result<(), (usize, LineFailure)> {
        let mut placed: Vec<(usize, Vec<u16>)> = Vec::new();
        let mut tops: Vec<(usize, Vec<u16>)> = Vec::new();
        let mut backs: Vec<u16> = Vec::new();
        let mut rests: Vec<(usize, Option<u16>)> = Vec::new();
        let mut used: Vec<u16> = Vec::new();
        for (line, place, words) in places {
            let at = |fault: LineFailure| (*line, fault);
            if let Some(zone) = place.strip_prefix("top of ") {
                let zone = self.one_zone(zone).map_err(at)?;
                let mut words = Words(words);
                let down = words.eat_end("face down");
                let here: Vec<u16> = self.instance.in_order(&self.frame, zone).to_vec();
                let cards = self.cards_not(words.0, &here, &used).map_err(at)?;
                used.extend(&cards);
                backs.extend(cards.iter().filter(|_| down));
                tops.push((zone, cards));
            } else if let Some((cell, ty)) = self.variable(place) {
                let [word] = &words[..] else {
                    let hint = slips::in_number(words).unwrap_or_else(|| format!("write one value: `{place}: 3`"));
                    return Err(at(LineFailure::Unclear(hint)));
                };
                let words = self.die(place).map(|(dice, _)| self.words_of_die(dice)).unwrap_or_default();
                let value = match words.iter().position(|side| side == word.text()) {
                    Some(side) => side as i32,
                    None => self.read_value(ty, word.text()).map_err(at)?,
                };
                self.frame.cells[cell] = value;
            } else {
                if place == "the rest" || place.starts_with("the rest of ") {
                    let zone = Words(words).show();
                    let hint = format!("the zone stands first: `{zone}: {place}`");
                    return Err(at(LineFailure::Unclear(hint)));
                }
                let zone = self.one_zone(place).map_err(at)?;
                let mut words = Words(words);
                if words.eat_end("the rest") {
                    rests.push((zone, None));
                } else if words.0.len() >= 4
                    && words.0[words.0.len() - 4..words.0.len() - 1].iter().map(Word::text).eq(["the", "rest", "of"])
                {
                    let deck = words.0[words.0.len() - 1].text();
                    let Some(deck) = self.instance.program.decks.iter().position(|d| d.name == deck) else {
                        return Err(at(LineFailure::Unclear(format!("no deck is called `{deck}`"))));
                    };
                    words.0 = &words.0[..words.0.len() - 4];
                    rests.push((zone, Some(deck as u16)));
                }
                let down = words.eat_end("face down");
                let here: Vec<u16> = self.instance.in_order(&self.frame, zone).to_vec();
                let cards = match words.eat("nothing") {
                    true => Vec::new(),
                    false => self.cards_not(words.0, &here, &used).map_err(at)?,
                };
                used.extend(&cards);
                backs.extend(cards.iter().filter(|_| down));
                placed.push((zone, cards));
            }
        }
        let first = places.first().map_or(0, |(line, ..)| *line);
        let mut homeless: Vec<u16> = Vec::new();
        for (zone, _) in &placed {
            homeless.extend(self.instance.in_order(&self.frame, *zone).iter().filter(|card| !used.contains(card)));
        }
        let zones = self.instance.zones();
        let put = |frame: &mut Frame<S>, card: u16, to: usize| {
            for zone in 0..zones {
                frame.sets[zone].remove(card);
                let list = self.instance.layout.instances[zone].list;
                if list != NO_LIST {
                    frame.lists[list as usize].retain(|c| *c != card);
                }
            }
            frame.sets[to].insert(card);
            match backs.contains(&card) {
                true => frame.face_down.insert(card),
                false => frame.face_down.remove(card),
            }
            let list = self.instance.layout.instances[to].list;
            if list != NO_LIST {
                frame.lists[list as usize].push(card);
            }
            if let Some(by) = frame.by.get_mut(card as usize) {
                *by = -1;
            }
        };
        for card in homeless {
            let deck = self.instance.cards.cards[card as usize].deck;
            let own =
                rests.iter().find(|(_, of)| *of == Some(deck)).or_else(|| rests.iter().find(|(_, of)| of.is_none()));
            match own {
                Some((to, _)) => put(&mut self.frame, card, *to),
                // The card goes below all others in the zone in which its deck starts.
                None => {
                    let start = self.start_of(deck);
                    let Some(start) = start.filter(|start| placed.iter().all(|(zone, _)| zone != start)) else {
                        let text = format!(
                            "{} has to make way: say where the others go, on a line of its own, such as `{zone}: the rest`",
                            self.label(card),
                            zone = self.zone_for_the_rest(&placed)
                        );
                        return Err((first, LineFailure::Unclear(text)));
                    };
                    put(&mut self.frame, card, start);
                    let list = self.instance.layout.instances[start].list;
                    if list != NO_LIST {
                        self.frame.lists[list as usize].rotate_right(1);
                    }
                }
            }
        }
        for (zone, cards) in &placed {
            for card in cards {
                put(&mut self.frame, *card, *zone);
            }
        }
        for (zone, cards) in &tops {
            for card in cards.iter().rev() {
                put(&mut self.frame, *card, *zone);
            }
        }
        Ok(())
    }

    /// Returns the name of a zone that can take the cards that have to leave their zones. A message suggests it.
    fn zone_for_the_rest(&self, placed: &[(usize, Vec<u16>)]) -> &str {
        let zones = &self.instance.program.zones;
        let base = |at: usize| self.instance.layout.zones[at].base as usize;
        let free = |at: &usize| zones[*at].dims.is_empty() && placed.iter().all(|(zone, _)| *zone != base(*at));
        (0..zones.len()).find(free).map_or("hand[2]", |at| &zones[at].name)
    }

    /// The zone in which a deck lies when the game starts.
    fn start_of(&self, deck: u16) -> Option<usize> {
        let zone = self.instance.program.zones.iter().position(|zone| zone.starts_with == Some(deck))?;
        Some(self.instance.layout.zones[zone].base as usize)
    }

    fn cards_not(&self, words: &[Word], here: &[u16], used: &[u16]) -> Checked<Vec<u16>> {
        let free: Vec<u16> =
            here.iter().copied().chain(0..self.instance.cards.len() as u16).filter(|c| !used.contains(c)).collect();
        let cards = self.cards(words, &free)?;
        match cards.iter().find(|card| used.contains(card)) {
            Some(card) => unclear(format!("there are not so many cards called `{}`", self.label(*card))),
            None => Ok(cards),
        }
    }
}
