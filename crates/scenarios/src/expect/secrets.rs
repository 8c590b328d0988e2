//! Checks lines about what a player was told, and about what a player can't find out.

use super::missing_text;
use crate::scenario_table::{Checked, ScenarioTable, unclear, wrong};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::instance::NO_LIST;
use baize_engine::sink::RawEvent;
use baize_engine::view::{Content, Viewer};

/// Help text: the forms of a line about secrets.
pub(super) const SECRETS: &str = "write: `nobody can tell who brought shown`, `nobody can tell what stock holds`, `nobody but 1 can tell what hand[1] holds`";

/// Upper bound on the cards of one line that are exchanged with others, one after another.
const MAX_EXCHANGES: usize = 100;

impl<S: CardSet> ScenarioTable<S> {
    /// Checks the words after `nobody can tell` or `nobody but 1 can tell`.
    pub(super) fn check_secret(&self, knowing: &[u8], words: &mut Words) -> Checked {
        if words.eat("who brought") {
            return self.check_bringers(knowing, words);
        }
        if words.eat("what") && words.eat_end("holds") {
            return self.check_content(knowing, words);
        }
        unclear(SECRETS)
    }

    /// Everybody who looks at the table: the players and a spectator. Nobody looks from a seat without a player.
    fn viewers(&self) -> impl Iterator<Item = Viewer> {
        let seats = (0..self.instance.seats as u8).filter(|seat| self.frame.is_playing(i32::from(*seat)));
        seats.map(Viewer::Seat).chain([Viewer::Spectator])
    }

    /// Checks that a viewer can tell (`tells`) if and only if the line names it.
    fn check_knowing(&self, knowing: &[u8], viewer: Viewer, tells: bool) -> Checked {
        let knows = matches!(viewer, Viewer::Seat(seat) if knowing.contains(&seat));
        let who = match viewer {
            Viewer::Seat(seat) => (seat + 1).to_string(),
            _ => "a spectator".to_owned(),
        };
        match (tells, knows) {
            (true, false) => wrong(format!("{who} can tell")),
            (false, true) => wrong(format!("{who} can't tell either")),
            _ => Ok(()),
        }
    }

    /// Checks `who brought shown`: exchanges the seats that brought the cards, and checks that only the views of `knowing` change.
    fn check_bringers(&self, knowing: &[u8], words: &mut Words) -> Checked {
        let Some(zone) = words.plain() else { return unclear(SECRETS) };
        let zones = self.zone(zone).map_or_else(|| unclear(format!("no zone is called `{zone}`")), Ok)?;
        let cards: Vec<u16> = zones.iter().flat_map(|zone| self.instance.in_order(&self.frame, *zone)).collect();
        let mut seats: Vec<i8> = cards.iter().map(|card| self.frame.by[*card as usize]).collect();
        seats.sort_unstable();
        seats.dedup();
        if seats.len() < 2 {
            return wrong("there are not two bringers");
        }
        let mut exchanged = self.clone();
        for card in cards {
            let by = &mut exchanged.frame.by[card as usize];
            let at = seats.iter().position(|seat| seat == by).unwrap_or(0);
            *by = seats[(at + 1) % seats.len()];
        }
        for viewer in self.viewers() {
            let tells = self.view(viewer) != exchanged.view(viewer);
            self.check_knowing(knowing, viewer, tells)?;
        }
        Ok(())
    }

    /// Checks `what hand[1] holds`: for each viewer, exchanges a card of the zone for another one that the viewer does not see
    /// either, and checks that only the views of `knowing` change. A viewer who sees all other cards can tell by elimination.
    fn check_content(&self, knowing: &[u8], words: &mut Words) -> Checked {
        let Some(name) = words.plain() else { return unclear(SECRETS) };
        let zone = self.one_zone(name)?;
        let cards = self.instance.in_order(&self.frame, zone);
        if cards.is_empty() {
            return wrong("it is empty");
        }
        for viewer in self.viewers() {
            let view = self.view(viewer);
            let unseen = |zone: usize| match &view.zones[zone].content {
                Content::Cards(cards) => cards.iter().all(|card| card.face.is_none() && card.written.is_none()),
                Content::Count(_) | Content::Nothing => true,
            };
            let others: Vec<u16> = (0..self.instance.zones())
                .filter(|other| *other != zone && unseen(*other))
                .flat_map(|other| self.instance.in_order(&self.frame, other))
                .collect();
            let kind = |card: u16| (self.instance.cards.cards[card as usize].deck, self.label(card));
            let tells = |card: &u16| {
                let (deck, label) = kind(*card);
                let another = others.iter().find(|other| {
                    let (other_deck, other_label) = kind(**other);
                    other_deck == deck && other_label != label
                });
                another.is_none_or(|other| {
                    let mut exchanged = self.clone();
                    exchanged.exchange(*card, *other);
                    view != exchanged.view(viewer)
                })
            };
            let tells = !unseen(zone) || cards.iter().take(MAX_EXCHANGES).any(tells);
            self.check_knowing(knowing, viewer, tells)?;
        }
        Ok(())
    }

    /// Puts each of two cards where the other one lies.
    fn exchange(&mut self, a: u16, b: u16) {
        let frame = &mut self.frame;
        let other = |card: u16| if card == a { b } else { a };
        for zone in 0..self.instance.zones() {
            if frame.sets[zone].contains(a) != frame.sets[zone].contains(b) {
                let here = if frame.sets[zone].contains(a) { a } else { b };
                frame.sets[zone].remove(here);
                frame.sets[zone].insert(other(here));
            }
            let list = self.instance.layout.instances[zone].list;
            if list != NO_LIST {
                for card in frame.lists[list as usize].iter_mut().filter(|card| **card == a || **card == b) {
                    *card = other(*card);
                }
            }
        }
        if frame.by.len() > usize::from(a.max(b)) {
            frame.by.swap(a.into(), b.into());
        }
        if frame.face_down.contains(a) != frame.face_down.contains(b) {
            let down = if frame.face_down.contains(a) { a } else { b };
            frame.face_down.remove(down);
            frame.face_down.insert(other(down));
        }
    }

    /// Checks `is told "…"`: the last line told this player alone, or revealed to this player alone, exactly this.
    pub(super) fn check_told(&self, seat: u8, words: &mut Words) -> Checked {
        let Some(text) = words.quoted() else { return unclear("is told what?") };
        let alone = |event: &&RawEvent| match event {
            RawEvent::Announced { to, .. } | RawEvent::RevealedValue { to, .. } => *to == Some(seat),
            _ => false,
        };
        let texts: Vec<String> = self.events.iter().filter(alone).filter_map(|event| self.read_text(event)).collect();
        match texts.iter().any(|texts| texts == text) {
            true => Ok(()),
            false => missing_text(text, &format!("told was {texts:?}")),
        }
    }

    /// What players read of an announcement or of a revealed value.
    fn read_text(&self, event: &RawEvent) -> Option<String> {
        match event {
            RawEvent::Announced { text, .. } => Some(self.line(text)),
            RawEvent::RevealedValue { listed, value, show, .. } => {
                Some(self.line(&self.revealed_text(*listed, *value, show)))
            }
            _ => None,
        }
    }

    /// Checks `is shown A♠ K♠`, `is shown nothing`: the cards that the last line revealed to one player, or to everyone.
    pub(super) fn check_shown(&self, to: Option<u8>, words: &mut Words) -> Checked {
        let cards = self.events.iter().filter_map(|event| match event {
            RawEvent::RevealedCards { cards, to: seat, .. } if *seat == to => Some(cards.iter().copied()),
            _ => None,
        });
        let cards: Vec<u16> = cards.flatten().collect();
        if words.eat("nothing") {
            return if cards.is_empty() { Ok(()) } else { wrong(format!("shown was {}", self.labels(cards))) };
        }
        let wanted = self.names(words.0)?;
        words.0 = &[];
        if wanted.is_empty() {
            return unclear("is shown which cards?");
        }
        self.same_cards(cards, wanted)
    }

    /// The labels that a list of cards names, with `back` for a card that lies face down.
    pub(super) fn names_and_backs(&self, words: &[Word]) -> Checked<Vec<String>> {
        let mut names = Vec::new();
        for word in words.split_inclusive(|word| word.times().is_none()) {
            match word {
                [Word::Plain(text)] if text == "back" => names.push(text.clone()),
                [Word::Plain(text)] if text.ends_with("×back") => {
                    let times = text.trim_end_matches("back").trim_end_matches('×').parse::<usize>();
                    let Some(times) = times.ok().filter(|times| *times <= self.instance.cards.len()) else {
                        return unclear(format!("how many times is `{text}`?"));
                    };
                    names.extend(std::iter::repeat_n("back".to_owned(), times));
                }
                word => names.extend(self.names(word)?),
            }
        }
        Ok(names)
    }
}
