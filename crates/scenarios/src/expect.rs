//! What must hold, in words. What players see is taken from their views.

use crate::stage::{Fault, Outcome, Stage, unclear, wrong};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::frame::{Status, seats_of};
use baize_engine::legal::Moves;
use baize_engine::sink::Raw;
use baize_engine::view::{CardView, Content, OutcomeView, Viewer};
use baize_rules::program::{AnnounceKind, Meta};

/// How the end of a game is written.
const OUTCOMES: &str = "`the game is over`, or which end it is: `outcome winner 1`, `outcome winners 1 3`, `outcome loser 2`, `outcome losers 2 3`, `outcome ranks 1 3 2` (seat by seat), `outcome everyone wins`, `outcome everyone loses`, `outcome draw`, `outcome void`";

/// Words of somebody who means the end of a game.
const ENDS: [&str; 13] =
    ["win", "wins", "won", "winner", "winners", "lose", "loses", "lost", "loser", "over", "end", "ends", "ended"];

/// The forms that are used most; all are in `docs/scenarios.md`.
const FORMS: &str = "`hand[1] holds A♠ 2♦`, `hand[1] includes A♠`, `trick is empty`, `count of hand[1] is 3`, `score[1] is 3`, `2 is asked \"…\"`, `nobody is asked`, `1 may play A♠`, `1 may not play A♠`, `1 has 5 moves`, `1 is offered \"Pass\"`, `1 sees hand[2]: count`, `a spectator sees hand[2]: count`, `announced \"…\"`, `phase play`, `status \"…\"`, `1 wears score \"3\"`, `the game goes on`, `the game is over`, `outcome winner 1`, `outcome ranks 1 2`, `the banner is \"…\"`";

impl<S: CardSet> Stage<S> {
    pub fn expect(&self, words: &[Word]) -> Outcome {
        match self.said(words) {
            Some(Err(Fault::Unclear(why))) => self.in_words_of_the_rules(words, Some(why)),
            Some(told) => told,
            None => self.in_words_of_the_rules(words, None),
        }
    }

    /// What is said in the words of scenarios, if it is.
    fn said(&self, words: &[Word]) -> Option<Outcome> {
        let mut words = Words(words);
        let told = self
            .about_seats(&mut words)
            .or_else(|| self.about_telling(&mut words))
            .or_else(|| self.about_the_table(&mut words))
            .or_else(|| self.about_zones(&mut words))?;
        Some(told.and_then(|()| match words.is_empty() {
            true => Ok(()),
            false => unclear(format!("what is `{}`?", words.show())),
        }))
    }

    /// Whatever the rules could ask.
    fn in_words_of_the_rules(&self, words: &[Word], why: Option<String>) -> Outcome {
        let text = Words(words).show();
        let problem = match self.holds(&text) {
            Ok(told) => return told,
            Err(problem) => problem,
        };
        unclear(match why {
            Some(why) => why,
            None => {
                let hint = match is_about_the_end(words) {
                    true => format!("The end is written: {OUTCOMES}"),
                    false => format!(
                        "Behind `then` stands one of: {FORMS}; or a condition in the words of the rules, with players by their numbers (`score[1] > score[2]`). As such it is refused: {problem}"
                    ),
                };
                format!("it can't be told whether “{text}” holds. {hint}")
            }
        })
    }

    /// `2 is asked`, `2 3 are asked "Play a card"`, `2 may play A♠`, `2 wears letters "DO"`, `2 is marked out`,
    /// `2 sees hand[1]: count`, `2 is told "…"`, `2 is offered "Hold 5"`.
    fn about_seats(&self, words: &mut Words) -> Option<Outcome> {
        if words.eat("nobody is asked") {
            return Some(self.asked(&[], None));
        }
        if words.eat("a spectator sees") {
            return Some(self.sees(Viewer::Spectator, words));
        }
        if ["spectator", "spectators", "the"].iter().any(|word| words.0.first().is_some_and(|first| first.is(word)))
            && words.0.iter().take(2).any(|word| word.is("spectator") || word.is("spectators"))
        {
            return Some(unclear(
                "of who only watches it is written: `a spectator sees trick: A♠`, `a spectator sees hand[1]: count`",
            ));
        }
        if words.eat("nobody can tell who brought") {
            return Some(self.anonymous(words));
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
            return Some(self.asked(&seats, words.quoted()));
        }
        let [seat] = seats[..] else { return None };
        let seat = seat - 1;
        *words = ahead;
        Some(self.about_a_seat(seat, words))
    }

    fn about_a_seat(&self, seat: u8, words: &mut Words) -> Outcome {
        if words.eat("may only") {
            self.may_only(seat, words)
        } else if words.eat("may not") {
            self.may(seat, words, false)
        } else if words.eat("may") {
            self.may(seat, words, true)
        } else if words.eat("has") {
            let count = words.number::<u64>();
            let legal = self.instance.legal(&self.frame, seat).map_or(0, |legal| legal.count());
            match count {
                Some(count) if words.eat("moves") || words.eat("move") => same(legal, count, "moves"),
                _ => unclear("write: 1 has 5 moves"),
            }
        } else if words.eat("is offered") {
            self.offered(seat, words, true)
        } else if words.eat("is not offered") {
            self.offered(seat, words, false)
        } else if words.eat("wears no") {
            let kind = self.kind_of_badge(words)?;
            match &self.badges(seat, kind)[..] {
                [] => Ok(()),
                worn => wrong(format!("it wears {}", quoted(worn))),
            }
        } else if words.eat("wears") {
            let kind = self.kind_of_badge(words)?;
            let Some(text) = words.quoted() else { return unclear(format!("write: 1 wears {kind} \"…\"")) };
            let worn = self.badges(seat, kind);
            match worn.iter().any(|worn| worn == text) {
                true => Ok(()),
                false => not_said(text, &format!("it wears {}", quoted(&worn))),
            }
        } else if words.eat("is marked") {
            self.marked(seat, words, true)
        } else if words.eat("is not marked") {
            self.marked(seat, words, false)
        } else if words.eat("sees") {
            self.sees(Viewer::Seat(seat), words)
        } else if words.eat("is told") {
            let Some(text) = words.quoted() else { return unclear("is told what?") };
            let told = |event: &Raw| matches!(event, Raw::Announced { text: line, to: Some(to), .. } if *to == seat && self.line(line) == text);
            if self.events.iter().any(told) { Ok(()) } else { not_said(text, &format!("told was {:?}", self.told())) }
        } else if words.eat("is playing") {
            if self.frame.is_playing(seat as i32) { Ok(()) } else { wrong("it is not") }
        } else if words.eat("is not playing") {
            if self.frame.is_playing(seat as i32) { wrong("it is") } else { Ok(()) }
        } else if is_about_the_end(words.0) {
            unclear(format!("what is `{}`? The end is written: {OUTCOMES}", words.show()))
        } else {
            unclear(format!(
                "what is `{}`? Of a player it can be said that it `is asked`, `may play A♠`, `may not play A♠`, `may only play A♠`, `has 5 moves`, `is offered \"Pass\"`, `sees hand[2]: count`, `is told \"…\"`, `wears score \"3\"`, `is marked out`, `is playing`.",
                words.show()
            ))
        }
    }

    fn asked(&self, seats: &[u8], prompt: Option<&str>) -> Outcome {
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
                return not_said(prompt, &format!("the question is {asked:?}"));
            }
        }
        Ok(())
    }

    /// The single cards of an alternative, all of them, and no other move.
    fn may_only(&self, seat: u8, words: &mut Words) -> Outcome {
        let Some(legal) = self.instance.legal(&self.frame, seat) else { return wrong("it is asked nothing") };
        let verb = words.bare().unwrap_or_default();
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

    fn may(&self, seat: u8, words: &mut Words, may: bool) -> Outcome {
        let answer = self.read_move(seat, words.0)?;
        words.0 = &[];
        match (self.instance.check(&self.frame, seat, &answer), may) {
            (Ok(()), true) | (Err(_), false) => Ok(()),
            (Ok(()), false) => wrong("it may"),
            (Err(refusal), true) => wrong(format!("it may not: {refusal:?}")),
        }
    }

    /// Whether a button with this label can be pressed.
    fn offered(&self, seat: u8, words: &mut Words, wanted: bool) -> Outcome {
        let Some(label) = words.quoted() else { return unclear("is offered what?") };
        let decision = self.view(Viewer::Seat(seat)).decision;
        let offered: Vec<String> =
            decision.iter().flat_map(|d| &d.alternatives).filter(|a| a.legal).map(|a| self.line(&a.label)).collect();
        if offered.iter().any(|offered| offered == label) == wanted {
            Ok(())
        } else {
            not_said(label, &format!("offered is {offered:?}"))
        }
    }

    /// A kind of badge that this game has.
    fn kind_of_badge<'a>(&self, words: &mut Words<'a>) -> Outcome<&'a str> {
        let kind = words.bare().unwrap_or_default();
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

    /// What the badges of this kind say.
    fn badges(&self, seat: u8, kind: &str) -> Vec<String> {
        let view = self.view(Viewer::Spectator);
        let badges = view.seats[seat as usize].badges.iter().filter(|badge| badge.kind == kind);
        let text = |badge: &baize_engine::view::BadgeView| {
            let parts = [&badge.label, &badge.value].into_iter().flatten();
            parts.map(|line| self.line(line)).collect::<Vec<_>>().join(" ")
        };
        badges.map(text).collect()
    }

    fn marked(&self, seat: u8, words: &mut Words, wanted: bool) -> Outcome {
        let Some(word) = words.bare() else { return unclear("marked how?") };
        if !self.instance.shown.seats.iter().any(|s| s.status == word) {
            return unclear(format!("no seat is ever marked `{word}`"));
        }
        let marked = self.view(Viewer::Spectator).seats[seat as usize].status.iter().any(|status| status.word == word);
        if marked == wanted { Ok(()) } else { wrong(if marked { "it is" } else { "it is not" }) }
    }

    /// `hand[1]: count`, `hand[1]: cards`, `hand[1]: nothing`, or the cards as they are laid out. Of a die its face, or nothing.
    fn sees(&self, viewer: Viewer, words: &mut Words) -> Outcome {
        let Some(zone) = words.bare().and_then(|zone| zone.strip_suffix(':')) else {
            return unclear("write: sees hand[1]: count");
        };
        let view = self.view(viewer);
        if let Some((dice, element)) = self.die(zone) {
            let face = view.dice[dice].faces[element].map_or("nothing".to_owned(), |face| face.to_string());
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
                        return wrong(format!("it sees {seen}"));
                    }
                }
                (_, Content::Cards(cards)) => {
                    let shown: Vec<String> = cards.iter().map(|card| self.seen(card)).collect();
                    if shown != self.names(words.0)? {
                        return wrong(format!("it sees {}", shown.join(" ")));
                    }
                }
                _ => return wrong(format!("it sees {seen}")),
            }
        }
        words.0 = &[];
        Ok(())
    }

    fn seen(&self, card: &CardView) -> String {
        match (&card.written, card.face) {
            (Some(text), _) => text.to_string(),
            (None, Some(face)) => self.label(self.instance.cards.face_cards[face as usize]),
            (None, None) => "a back".to_owned(),
        }
    }

    /// With the cards' bringers exchanged everyone must see exactly the same.
    fn anonymous(&self, words: &mut Words) -> Outcome {
        let Some(zone) = words.bare() else { return unclear("who brought what?") };
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
        let viewers = (0..self.instance.seats as u8).map(Viewer::Seat).chain([Viewer::Spectator]);
        for viewer in viewers {
            if self.view(viewer) != exchanged.view(viewer) {
                return wrong(format!("{viewer:?} can tell"));
            }
        }
        Ok(())
    }

    /// `announced "…" as shout`, `nothing is announced`, `not announced "…"`.
    fn about_telling(&self, words: &mut Words) -> Option<Outcome> {
        let public = |event: &Raw| match event {
            Raw::Announced { text, kind, to: None } => Some((self.line(text), *kind)),
            _ => None,
        };
        let all: Vec<(String, AnnounceKind)> = self.events.iter().filter_map(public).collect();
        if words.eat("nothing is announced") {
            return Some(if all.is_empty() { Ok(()) } else { wrong(format!("announced is {:?}", self.told())) });
        }
        let wanted = !words.eat("not announced");
        if wanted && !words.eat("announced") {
            return None;
        }
        let Some(text) = words.quoted() else { return Some(unclear("announced what?")) };
        let kind = match words.eat("as") {
            false => None,
            true => match words.bare() {
                Some("toast") => Some(AnnounceKind::Toast),
                Some("shout") => Some(AnnounceKind::Shout),
                Some("banner") => Some(AnnounceKind::Banner),
                Some("log") => Some(AnnounceKind::Log),
                _ => return Some(unclear("as toast, shout, banner or log?")),
            },
        };
        let found = all.iter().any(|(said, how)| said == text && kind.is_none_or(|kind| kind == *how));
        Some(if found == wanted { Ok(()) } else { not_said(text, &format!("announced is {:?}", self.told())) })
    }

    fn told(&self) -> Vec<String> {
        let said = |event: &Raw| match event {
            Raw::Announced { text, kind, to } => {
                let to = to.map_or(String::new(), |seat| format!(" to {}", seat + 1));
                Some(format!("{kind:?}{to}: {}", self.line(text)))
            }
            _ => None,
        };
        self.events.iter().filter_map(said).collect()
    }

    /// Phase, status, outcome, clock and so on.
    fn about_the_table(&self, words: &mut Words) -> Option<Outcome> {
        let yes = |holds: bool, but: String| if holds { Ok(()) } else { wrong(but) };
        let view = || self.view(Viewer::Spectator);
        if words.eat("phase") {
            let phase = view().phase.unwrap_or_default();
            let wanted = words.bare().unwrap_or_default();
            return Some(yes(phase == wanted, format!("the phase is {phase}")));
        }
        let status = || view().status.iter().map(|line| self.line(line)).collect::<Vec<String>>();
        if words.eat("there is no status") {
            return Some(yes(status().is_empty(), format!("the status is {:?}", status())));
        }
        if words.eat("status") {
            let wanted = words.quoted().unwrap_or_default();
            return Some(match status().iter().any(|line| line == wanted) {
                true => Ok(()),
                false => not_said(wanted, &format!("the status is {:?}", status())),
            });
        }
        if words.eat("the only status is") {
            let wanted = words.quoted().unwrap_or_default();
            return Some(yes(status() == [wanted], format!("the status is {:?}", status())));
        }
        if words.eat("it went through") {
            let wanted: Vec<&str> = std::iter::from_fn(|| words.bare()).collect();
            let phase = |event: &Raw| match event {
                Raw::Phase { phase } => Some(self.instance.program.phases[*phase as usize].name.as_str()),
                _ => None,
            };
            let phases: Vec<&str> = self.events.iter().filter_map(phase).collect();
            return Some(yes(!wanted.is_empty() && phases == wanted, format!("it went through {phases:?}")));
        }
        if words.eat("the rules say") {
            let Some(wanted) = words.quoted() else { return Some(unclear("say what?")) };
            let header = header(&self.instance.program.meta);
            return Some(yes(header.iter().any(|line| line == wanted), format!("they say {header:?}")));
        }
        if words.eat("nothing is highlighted") {
            let lit = self.highlighted();
            return Some(yes(lit.is_empty(), format!("highlighted is {lit:?}")));
        }
        if words.eat("highlighted") {
            let wanted = self.names(words.0);
            words.0 = &[];
            let lit = self.highlighted();
            return Some(wanted.and_then(|mut wanted| {
                wanted.sort();
                yes(lit == wanted, format!("highlighted is {lit:?}"))
            }));
        }
        let clock = || view().waiting.iter().find_map(|waiting| waiting.clock).map(|clock| clock.seconds);
        if words.eat("there is no clock") {
            return Some(yes(clock().is_none(), format!("the clock is {:?}", clock())));
        }
        if words.eat("the clock is") {
            let seconds = words.number::<u32>();
            words.eat("seconds");
            return Some(yes(seconds.is_some() && clock() == seconds, format!("the clock is {:?}", clock())));
        }
        if words.eat("no card is called") {
            let Some(name) = words.next() else { return Some(unclear("called what?")) };
            let called = |card: &u16| self.label(*card) == name.text();
            let found = (0..self.instance.cards.len() as u16).find(called);
            return Some(yes(found.is_none(), "there is one".into()));
        }
        if words.eat("an absence is waited for") {
            let seconds = words.number::<i32>();
            words.eat("seconds");
            let open = seats_of(self.frame.open).next().map(|seat| self.frame.seats[seat as usize].ask);
            let after = open.and_then(|ask| self.instance.code.questions[ask as usize].absent_after.as_ref());
            let allowed = after.map(|(seconds, _)| self.instance.value(&self.frame, seconds, -1, &[]));
            return Some(yes(seconds.is_some() && allowed == seconds, format!("it is {allowed:?}")));
        }
        if words.eat("the table is paused") {
            return Some(yes(view().paused, "it is not".into()));
        }
        if words.eat("the table waits") {
            return Some(yes(self.frame.status == Status::Deserted, format!("it is {:?}", self.frame.status)));
        }
        if words.eat("the game goes on") {
            return Some(yes(!self.frame.ended(), "it is over".into()));
        }
        if words.eat("the game is over") {
            return Some(yes(self.frame.ended(), "it goes on".into()));
        }
        if words.eat("the banner is") {
            let banner = view().outcome.and_then(|outcome| outcome.banner).map(|line| self.line(&line));
            let wanted = words.quoted();
            return Some(match banner.as_deref() == wanted {
                true => Ok(()),
                false => not_said(wanted.unwrap_or_default(), &format!("the banner is {banner:?}")),
            });
        }
        if words.eat("outcome") {
            words.eat("is");
            let said = words.0.iter().map(Word::text).collect::<Vec<_>>().join(" ");
            words.0 = &[];
            if !could_be_outcome(&said) {
                return Some(unclear(format!("`{said}` is no outcome. The end is written: {OUTCOMES}")));
            }
            return Some(match view().outcome {
                Some(outcome) => is_outcome(&outcome, &said),
                None => wrong("the game is not over"),
            });
        }
        None
    }

    /// The names of highlighted cards, sorted.
    fn highlighted(&self) -> Vec<String> {
        let view = self.view(Viewer::Spectator);
        let cards = view.zones.iter().flat_map(|zone| match &zone.content {
            Content::Cards(cards) => &cards[..],
            _ => &[],
        });
        let mut lit: Vec<String> =
            cards.filter(|card| view.highlights.contains(&card.handle)).map(|card| self.seen(card)).collect();
        lit.sort();
        lit
    }

    /// `hand[1] holds A♠ 2♦`, `trick holds A♠ K♠ in order`, `waste is empty`, `hand[2] includes A♠`, `hand[2] lacks A♠`,
    /// `piles[3] is turned`, `count of hand[1] + laid[1] is 7`, `letters[1] is 2`.
    fn about_zones(&self, words: &mut Words) -> Option<Outcome> {
        if words.eat("count of") {
            let mut count = 0;
            loop {
                let name = words.bare()?;
                let Some(zones) = self.zone(name) else { return Some(unclear(format!("no zone is called `{name}`"))) };
                count += zones.iter().map(|zone| self.frame.sets[*zone].len()).sum::<usize>();
                if !words.eat("+") {
                    break;
                }
            }
            return Some(match words.eat("is") {
                true => {
                    words.number::<usize>().map_or_else(|| unclear("is what?"), |wanted| same(count, wanted, "cards"))
                }
                false => unclear("write: count of ZONE is 3"),
            });
        }
        let mut ahead = *words;
        let name = ahead.bare()?;
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
        if let Some((cell, ty)) = self.variable(name) {
            *words = ahead;
            if !words.eat("is") {
                return Some(unclear("write: NAME is VALUE"));
            }
            let Some(wanted) = words.bare() else { return Some(unclear("is what?")) };
            let value = self.frame.cells[cell];
            return Some(self.read_value(ty, wanted).and_then(|wanted| match wanted == value {
                true => Ok(()),
                false => wrong(format!("it is {}", self.write_value(ty, value))),
            }));
        }
        None
    }

    /// `trick shows 8♠ by 2`: the card lies there, and everybody sees who brought it.
    fn shows(&self, zone: usize, words: &mut Words) -> Outcome {
        let (Some(card), true, Some(seat)) = (words.next(), words.eat("by"), words.number::<u8>()) else {
            return unclear("write: ZONE shows CARD by SEAT");
        };
        let Content::Cards(cards) = &self.view(Viewer::Spectator).zones[zone].content else {
            return wrong("it shows no cards");
        };
        match cards.iter().find(|shown| self.seen(shown) == card.text()) {
            Some(shown) if shown.by.map(|by| by + 1) == Some(seat) => Ok(()),
            Some(shown) => wrong(format!("it is by {:?}", shown.by.map(|by| by + 1))),
            None => wrong("it is not there"),
        }
    }

    fn zone_content(&self, cards: Vec<u16>, words: &mut Words) -> Outcome {
        if words.eat("is empty") {
            return if cards.is_empty() { Ok(()) } else { wrong(format!("it holds {}", self.labels(cards))) };
        }
        let test = words.bare().unwrap_or_default();
        let in_order = words.eat_end("in order");
        let wanted = self.names(words.0)?;
        words.0 = &[];
        if wanted.is_empty() {
            return unclear("which cards?");
        }
        let mut held: Vec<String> = cards.iter().map(|card| self.label(*card)).collect();
        match test {
            "holds" if in_order => {
                if held == wanted {
                    Ok(())
                } else {
                    wrong(format!("it holds {}", self.labels(cards)))
                }
            }
            "holds" => self.same_cards(cards, wanted),
            "includes" => {
                for name in wanted {
                    match held.iter().position(|held| *held == name) {
                        Some(at) => held.swap_remove(at),
                        None => return wrong(format!("it holds {}", self.labels(cards))),
                    };
                }
                Ok(())
            }
            "lacks" => {
                let found = wanted.iter().find(|name| held.contains(name));
                found.map_or(Ok(()), |name| wrong(format!("it holds {name}")))
            }
            _ => unclear("a zone `holds`, `includes`, `lacks` cards, `is empty` or `is turned`"),
        }
    }

    fn same_cards(&self, cards: Vec<u16>, mut wanted: Vec<String>) -> Outcome {
        let mut held: Vec<String> = cards.iter().map(|card| self.label(*card)).collect();
        held.sort();
        wanted.sort();
        if held == wanted { Ok(()) } else { wrong(format!("it is {}", self.labels(cards))) }
    }
}

/// Whether somebody who writes this means the end of the game.
fn is_about_the_end(words: &[Word]) -> bool {
    words.iter().any(|word| ENDS.iter().any(|end| word.is(end)))
}

/// `score`, `title` and `count`
fn names(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// Texts as they would stand in a file.
fn quoted(texts: &[String]) -> String {
    match texts.is_empty() {
        true => "nothing".to_owned(),
        false => texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", "),
    }
}

/// A text that nobody reads there. With holes in it, it is one of the rules and not what players read.
fn not_said(wanted: &str, but: &str) -> Outcome {
    wrong(match wanted.contains('{') {
        true => format!(
            "{but}. A scenario has no holes: write what players read, `Player 1` for player 1, numbers and cards as they are"
        ),
        false => but.to_owned(),
    })
}

/// Whether a game could end like this at all.
fn could_be_outcome(said: &str) -> bool {
    if let "everyone wins" | "everyone loses" | "draw" | "void" | "abandoned" = said {
        return true;
    }
    let mut words = said.split(' ');
    let head = words.next().unwrap_or_default();
    let seats: Vec<&str> = words.collect();
    let number = |word: &&str| word.parse::<u8>().is_ok() || head == "ranks" && *word == "-";
    let known = ["winner", "winners", "loser", "losers", "ranks"].contains(&head);
    known && seats.iter().all(number) && (!seats.is_empty() || ["winners", "losers"].contains(&head))
}

/// `loser 2`, `winners 1 3`, `everyone wins`, `ranks 1 2 2` (one for each seat from the first on, `-` for one that is not in).
fn is_outcome(outcome: &OutcomeView, said: &str) -> Outcome {
    let seats = |seats: &[u8]| seats.iter().map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(" ");
    let ranks = outcome.ranks.iter().map(|rank| rank.map_or("-".to_owned(), |rank| rank.to_string()));
    let ranks = ranks.collect::<Vec<_>>().join(" ");
    let ranks = ranks.trim_end_matches([' ', '-']);
    let won = || vec![format!("winner {}", seats(&outcome.winners)), format!("winners {}", seats(&outcome.winners))];
    let hold = match outcome.kind.as_str() {
        "winners" => won(),
        "losers" => ["loser", "losers"].map(|word| format!("{word} {}", seats(&outcome.losers))).to_vec(),
        "ranking" => [vec![format!("ranks {ranks}")], won()].concat(),
        other => vec![other.replace('-', " ")],
    };
    if hold.iter().any(|hold| hold == said) { Ok(()) } else { wrong(format!("the outcome is {}", hold[0])) }
}

/// The header lines that the server goes by.
fn header(meta: &Meta) -> Vec<String> {
    let either = |holds: bool, yes: &str, no: &str| if holds { yes.to_owned() } else { no.to_owned() };
    let mut lines = vec![
        either(meta.newcomers_play, "newcomers play", "newcomers watch"),
        either(meta.host_absent_pauses, "host absent pause", "host absent continue"),
        either(meta.leavers_become_bots, "leavers become bots", "leavers go"),
    ];
    if meta.start_when_full {
        lines.push("start when full".to_owned());
    }
    if let Some(seconds) = meta.grace {
        lines.push(format!("grace {seconds} seconds"));
    }
    lines
}

fn same<T: PartialEq + std::fmt::Display>(is: T, wanted: T, what: &str) -> Outcome {
    if is == wanted { Ok(()) } else { wrong(format!("there are {is} {what}")) }
}
