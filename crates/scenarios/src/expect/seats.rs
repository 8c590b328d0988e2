//! Checks lines about players: what they are asked, may do, see and wear.

use super::secrets::SECRETS;
use super::{OUTCOMES, check_count, is_about_the_end, missing_text, names, quoted};
use crate::scenario_table::{Checked, ScenarioTable, unclear, wrong};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::frame::seats_of;
use baize_engine::legal::Moves;
use baize_engine::view::{CardView, Content, Viewer};

impl<S: CardSet> ScenarioTable<S> {
    /// Checks `2 is asked`, `2 3 are asked "Play a card"`, `2 may play A♠`, `2 wears letters "DO"`, `2 is marked out`,
    /// `2 sees hand[1]: count`, `2 is told "…"`, `2 is offered "Hold 5"`.
    pub(super) fn check_seats(&self, words: &mut Words) -> Option<Checked> {
        if words.eat("nobody is asked") {
            return Some(self.check_asked(&[], None));
        }
        if words.eat("a spectator sees") {
            return Some(self.check_sees(Viewer::Spectator, words));
        }
        if ["spectator", "spectators", "the"].iter().any(|word| words.0.first().is_some_and(|first| first.is(word)))
            && words.0.iter().take(2).any(|word| word.is("spectator") || word.is("spectators"))
        {
            return Some(unclear(
                "of who only watches it is written: `a spectator sees trick: A♠`, `a spectator sees hand[1]: count`",
            ));
        }
        if words.eat("nobody can tell") {
            return Some(self.check_secret(&[], words));
        }
        if words.eat("nobody but") {
            let mut knowing = Vec::new();
            while let Some(number) = words.number::<usize>() {
                match self.seat(number) {
                    Ok(seat) => knowing.push(seat),
                    Err(fault) => return Some(Err(fault)),
                }
            }
            return Some(match words.eat("can tell") {
                true => self.check_secret(&knowing, words),
                false => unclear(SECRETS),
            });
        }
        if words.eat("everyone is shown") {
            return Some(self.check_shown(None, words));
        }
        let mut seats = Vec::new();
        let mut ahead = *words;
        while let Some(number) = ahead.number::<usize>() {
            match self.seat(number) {
                Ok(seat) => seats.push(seat + 1),
                Err(fault) => return Some(Err(fault)),
            }
        }
        if seats.is_empty() {
            return None;
        }
        if ahead.eat("is asked") || ahead.eat("are asked") {
            *words = ahead;
            return Some(self.check_asked(&seats, words.quoted()));
        }
        let [seat] = seats[..] else { return None };
        let seat = seat - 1;
        *words = ahead;
        Some(self.check_seat(seat, words))
    }

    pub(super) fn check_seat(&self, seat: u8, words: &mut Words) -> Checked {
        if words.eat("may only") {
            self.check_may_only(seat, words)
        } else if words.eat("may not") {
            self.check_may(seat, words, false)
        } else if words.eat("may") {
            self.check_may(seat, words, true)
        } else if words.eat("has") {
            let count = words.number::<u64>();
            let legal = self.instance.legal(&self.frame, seat).map_or(0, |legal| legal.count());
            match count {
                Some(count) if words.eat("moves") || words.eat("move") => check_count(legal, count, "moves"),
                _ => unclear("write: 1 has 5 moves"),
            }
        } else if words.eat("is offered") {
            self.check_offered(seat, words, true)
        } else if words.eat("is not offered") {
            self.check_offered(seat, words, false)
        } else if words.eat("wears no") {
            let kind = self.read_badge_kind(words)?;
            match &self.badges(seat, kind)[..] {
                [] => Ok(()),
                worn => wrong(format!("it wears {}", quoted(worn))),
            }
        } else if words.eat("wears") {
            let kind = self.read_badge_kind(words)?;
            let Some(text) = words.quoted() else { return unclear(format!("write: 1 wears {kind} \"…\"")) };
            let worn = self.badges(seat, kind);
            match worn.iter().any(|worn| worn == text) {
                true => Ok(()),
                false => missing_text(text, &format!("it wears {}", quoted(&worn))),
            }
        } else if words.eat("is marked") {
            self.check_marked(seat, words, true)
        } else if words.eat("is not marked") {
            self.check_marked(seat, words, false)
        } else if words.eat("sees") {
            self.check_sees(Viewer::Seat(seat), words)
        } else if words.eat("is told") {
            self.check_told(seat, words)
        } else if words.eat("is shown") {
            self.check_shown(Some(seat), words)
        } else if words.eat("is playing") {
            if self.frame.is_playing(seat as i32) { Ok(()) } else { wrong("it is not") }
        } else if words.eat("is not playing") {
            if self.frame.is_playing(seat as i32) { wrong("it is") } else { Ok(()) }
        } else if is_about_the_end(words.0) {
            unclear(format!("what is `{}`? The end is written: {OUTCOMES}", words.show()))
        } else {
            unclear(format!(
                "what is `{}`? Of a player it can be said that it `is asked`, `may play A♠`, `may not play A♠`, `may only play A♠`, `has 5 moves`, `is offered \"Pass\"`, `sees hand[2]: count`, `is told \"…\"`, `is shown A♠`, `wears score \"3\"`, `is marked out`, `is playing`.",
                words.show()
            ))
        }
    }

    pub(super) fn check_asked(&self, seats: &[u8], prompt: Option<&str>) -> Checked {
        let open: Vec<u8> = seats_of(self.frame.open).map(|seat| seat + 1).collect();
        if open != seats {
            return wrong(match open.is_empty() {
                true => "nobody is asked".to_owned(),
                false => format!("asked are {open:?}"),
            });
        }
        let Some(prompt) = prompt else { return Ok(()) };
        for seat in seats_of(self.frame.open) {
            let decision = self.view(Viewer::Seat(seat)).decision;
            let asked = decision.and_then(|decision| decision.prompt.clone()).map(|line| self.line(&line));
            if asked.as_deref() != Some(prompt) {
                return missing_text(prompt, &format!("the question is {asked:?}"));
            }
        }
        Ok(())
    }

    /// Checks that the only alternative has this name, and that exactly these cards are legal.
    pub(super) fn check_may_only(&self, seat: u8, words: &mut Words) -> Checked {
        let Some(legal) = self.instance.legal(&self.frame, seat) else { return wrong("it is asked nothing") };
        let verb = words.plain().unwrap_or_default();
        let [offer] = &legal.offers[..] else { return wrong("there are several alternatives") };
        let offers = &self.instance.code.questions[legal.ask as usize].offers;
        let name = offers.get(offer.alternative as usize).map_or("go on", |offer| &offer.name);
        if name != verb {
            return wrong(format!("it may only {name}"));
        }
        match &offer.moves {
            Moves::Card(cards) => {
                let wanted = self.names(words.0)?;
                words.0 = &[];
                self.same_cards(cards.iter().collect(), wanted)
            }
            Moves::Plain => Ok(()),
            _ => unclear("this can be said of single cards only"),
        }
    }

    pub(super) fn check_may(&self, seat: u8, words: &mut Words, may: bool) -> Checked {
        let answer = self.read_move(seat, words.0)?;
        words.0 = &[];
        match (self.instance.check(&self.frame, seat, &answer), may) {
            (Ok(()), true) | (Err(_), false) => Ok(()),
            (Ok(()), false) => wrong("it may"),
            (Err(refusal), true) => wrong(format!("it may not: {refusal:?}")),
        }
    }

    /// Checks whether an enabled button has this label.
    pub(super) fn check_offered(&self, seat: u8, words: &mut Words, wanted: bool) -> Checked {
        let Some(label) = words.quoted() else { return unclear("is offered what?") };
        let decision = self.view(Viewer::Seat(seat)).decision;
        let offered: Vec<String> =
            decision.iter().flat_map(|d| &d.alternatives).filter(|a| a.legal).map(|a| self.line(&a.label)).collect();
        if offered.iter().any(|offered| offered == label) == wanted {
            Ok(())
        } else {
            missing_text(label, &format!("offered is {offered:?}"))
        }
    }

    /// Reads the kind of a badge, which must be one that this game has.
    pub(super) fn read_badge_kind<'a>(&self, words: &mut Words<'a>) -> Checked<&'a str> {
        let kind = words.plain().unwrap_or_default();
        let mut kinds: Vec<&str> = self.instance.shown.badges.iter().map(|badge| badge.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        match kinds.contains(&kind) {
            true => Ok(kind),
            false if kinds.is_empty() => unclear("no player of this game wears a badge: `show` has no line `badge …`"),
            false => unclear(format!(
                "no player ever wears `{kind}`. The kinds of badges here are {}; what is written on one stands behind it in quotes, label and value: `1 wears {} \"…\"`",
                names(&kinds),
                kinds[0]
            )),
        }
    }

    /// Returns the texts of a player's badges of this kind.
    pub(super) fn badges(&self, seat: u8, kind: &str) -> Vec<String> {
        let view = self.view(Viewer::Spectator);
        let badges = view.seats[seat as usize].badges.iter().filter(|badge| badge.kind == kind);
        let text = |badge: &baize_engine::view::BadgeView| {
            let parts = [&badge.label, &badge.value].into_iter().flatten();
            parts.map(|line| self.line(line)).collect::<Vec<_>>().join(" ")
        };
        badges.map(text).collect()
    }

    pub(super) fn check_marked(&self, seat: u8, words: &mut Words, wanted: bool) -> Checked {
        let Some(word) = words.plain() else { return unclear("marked how?") };
        if !self.instance.shown.seats.iter().any(|s| s.status == word) {
            return unclear(format!("no seat is ever marked `{word}`"));
        }
        let marked = self.view(Viewer::Spectator).seats[seat as usize].status.iter().any(|status| status.word == word);
        if marked == wanted { Ok(()) } else { wrong(if marked { "it is" } else { "it is not" }) }
    }

    /// Checks `hand[1]: count`, `hand[1]: cards`, `hand[1]: nothing`, or the cards in order, `back` for one that lies face
    /// down. For a die: its face, or `nothing`.
    pub(super) fn check_sees(&self, viewer: Viewer, words: &mut Words) -> Checked {
        let Some(zone) = words.plain().and_then(|zone| zone.strip_suffix(':')) else {
            return unclear("write: sees hand[1]: count");
        };
        let view = self.view(viewer);
        if let Some((dice, element)) = self.die(zone) {
            let face = view.dice[dice].faces[element].map_or("nothing".to_owned(), |face| self.side_of_die(dice, face));
            let wanted = words.next().map(Word::text).unwrap_or_default();
            return if face == wanted { Ok(()) } else { wrong(format!("it sees {face}")) };
        }
        for zone in self.zone(zone).map_or_else(|| unclear(format!("no zone is called `{zone}`")), Ok)? {
            let seen = match &view.zones[zone].content {
                Content::Nothing => "nothing",
                Content::Count(_) => "count",
                Content::Cards(_) => "cards",
            };
            match (words.0, &view.zones[zone].content) {
                ([word], _) if ["nothing", "count", "cards"].contains(&word.text()) => {
                    if seen != word.text() {
                        return wrong(match &view.zones[zone].content {
                            Content::Cards(cards) if cards.is_empty() => {
                                "it would see the cards, but there are none: write that the zone `is empty`".to_owned()
                            }
                            _ => format!("it sees {seen}"),
                        });
                    }
                }
                (_, Content::Cards(cards)) => {
                    let shown: Vec<String> = cards.iter().map(|card| self.card_as_seen(card)).collect();
                    if shown != self.names_and_backs(words.0)? {
                        return wrong(format!("it sees {}", shown.join(" ")));
                    }
                }
                _ => return wrong(format!("it sees {seen}")),
            }
        }
        words.0 = &[];
        Ok(())
    }

    pub(super) fn card_as_seen(&self, card: &CardView) -> String {
        match (&card.written, card.face) {
            (Some(text), _) => text.to_string(),
            (None, Some(face)) => self.label(self.instance.cards.face_cards[face as usize]),
            (None, None) => "back".to_owned(),
        }
    }
}
