//! What must hold, in words.

use super::stage::{Outcome, Stage, unclear, wrong};
use super::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::frame::{Ending, NO_ID, Status, seats_of};
use baize_engine::legal::Moves;
use baize_engine::sink::Raw;
use baize_rules::program::{AnnounceKind, NONE, Sight, Who};

impl<S: CardSet> Stage<'_, S> {
    pub fn expect(&self, words: &[Word]) -> Outcome {
        let mut words = Words(words);
        self.about_seats(&mut words)
            .or_else(|| self.about_telling(&mut words))
            .or_else(|| self.about_the_table(&mut words))
            .or_else(|| self.about_zones(&mut words))
            .unwrap_or_else(|| unclear(format!("it can't be told whether “{}” holds", Words(words.0).show())))?;
        if words.is_empty() { Ok(()) } else { unclear(format!("what is `{}`?", words.show())) }
    }

    /// `2 is asked`, `2 3 are asked "Play a card"`, `2 may play A♠`, `2 wears letters "DO"`, `2 is marked out`,
    /// `2 sees hand[1]: count`, `2 is told "…"`.
    fn about_seats(&self, words: &mut Words) -> Option<Outcome> {
        if words.eat("nobody is asked") {
            return Some(self.asked(&[], None));
        }
        if words.eat("a spectator sees") {
            return Some(self.sees(None, words));
        }
        let mut seats = Vec::new();
        let mut ahead = *words;
        while let Some(seat) = ahead.number::<u8>() {
            seats.push(seat);
        }
        if seats.is_empty() || seats.contains(&0) {
            return None;
        }
        if ahead.eat("is asked") || ahead.eat("are asked") {
            *words = ahead;
            return Some(self.asked(&seats, words.quoted()));
        }
        let [seat] = seats[..] else { return None };
        let seat = seat - 1;
        *words = ahead;
        let outcome = if words.eat("may only") {
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
        } else if words.eat("wears no") {
            let kind = words.bare().unwrap_or_default();
            match self.badges(seat).iter().find(|(k, _)| k == kind) {
                Some((_, text)) => wrong(format!("it wears “{text}”")),
                None => Ok(()),
            }
        } else if words.eat("wears") {
            let (Some(kind), Some(text)) = (words.bare(), words.quoted()) else { return Some(unclear("wears what?")) };
            let badges = self.badges(seat);
            match badges.contains(&(kind.to_owned(), text.to_owned())) {
                true => Ok(()),
                false => wrong(format!("it wears {badges:?}")),
            }
        } else if words.eat("is marked") {
            self.marked(seat, words, true)
        } else if words.eat("is not marked") {
            self.marked(seat, words, false)
        } else if words.eat("sees") {
            self.sees(Some(seat), words)
        } else if words.eat("is told") {
            let Some(text) = words.quoted() else { return Some(unclear("is told what?")) };
            let told = |event: &Raw| matches!(event, Raw::Announced { text: line, to: Some(to), .. } if *to == seat && self.line(line) == text);
            if self.events.iter().any(told) { Ok(()) } else { wrong(format!("it was told {:?}", self.told())) }
        } else {
            unclear(format!("what is `{}`?", words.show()))
        };
        Some(outcome)
    }

    fn asked(&self, seats: &[u8], prompt: Option<&str>) -> Outcome {
        let open: Vec<u8> = seats_of(self.frame.open).map(|seat| seat + 1).collect();
        if open != seats {
            return wrong(match open.is_empty() {
                true => "nobody is asked".to_owned(),
                false => format!("{open:?} are asked"),
            });
        }
        let Some(prompt) = prompt else { return Ok(()) };
        for seat in seats_of(self.frame.open) {
            let question = &self.instance.code.questions[self.frame.seats[seat as usize].ask as usize];
            let asked = question.prompt.as_ref().map(|p| self.line(&self.instance.line(&self.frame, p, seat as i32, &[])));
            if asked.as_deref() != Some(prompt) {
                return wrong(format!("the question is {asked:?}"));
            }
        }
        Ok(())
    }

    /// The single cards of an alternative, all of them, and no other move.
    fn may_only(&self, seat: u8, words: &mut Words) -> Outcome {
        let Some(legal) = self.instance.legal(&self.frame, seat) else { return wrong("it is asked nothing") };
        let verb = words.bare().unwrap_or_default();
        let [offer] = &legal.offers[..] else { return wrong("there are several alternatives") };
        let name = |at: u16| self.instance.code.questions[legal.ask as usize].offers.get(at as usize).map_or("continue", |o| &o.name);
        if name(offer.alternative) != verb {
            return wrong(format!("it may only {}", name(offer.alternative)));
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

    /// Kind and text of each badge of a seat.
    fn badges(&self, seat: u8) -> Vec<(String, String)> {
        if !self.frame.is_playing(seat as i32) {
            return Vec::new();
        }
        let at = [seat as i32];
        let badges = self.instance.shown.badges.iter();
        let worn = badges.filter(|b| b.when.as_ref().is_none_or(|w| self.instance.value(&self.frame, w, NONE, &at) != 0));
        let text = |part: &Option<_>| part.as_ref().map(|part| self.line(&self.instance.line(&self.frame, part, NONE, &at)));
        worn.map(|b| (b.kind.clone(), [text(&b.label), text(&b.value)].into_iter().flatten().collect::<Vec<_>>().join(" "))).collect()
    }

    fn marked(&self, seat: u8, words: &mut Words, wanted: bool) -> Outcome {
        let Some(word) = words.bare() else { return unclear("marked how?") };
        if !self.instance.shown.seats.iter().any(|s| s.status == word) {
            return unclear(format!("no seat is ever marked `{word}`"));
        }
        let at = [seat as i32];
        let holds = |s: &baize_engine::instance::ShownSeat<S>| self.instance.value(&self.frame, &s.when, NONE, &at) != 0;
        let marked = self.instance.shown.seats.iter().any(|s| s.status == word && holds(s));
        if marked == wanted { Ok(()) } else { wrong(if marked { "it is" } else { "it is not" }) }
    }

    /// `hand[1]: count`, `hand[1]: cards`, `hand[1]: nothing`, or the cards as they are laid out.
    fn sees(&self, seat: Option<u8>, words: &mut Words) -> Outcome {
        let Some(zone) = words.bare().and_then(|zone| zone.strip_suffix(':')) else { return unclear("write: sees hand[1]: count") };
        for zone in self.zone(zone).map_or_else(|| unclear(format!("no zone is called `{zone}`")), Ok)? {
            let level = self.level(seat, zone);
            let wanted = match words.0 {
                [word] if word.is("count") => Sight::Count,
                [word] if word.is("cards") => Sight::Cards,
                [word] if word.is("nothing") => Sight::Nothing,
                _ => {
                    if level != Sight::Cards {
                        return wrong(format!("it sees {level:?}"));
                    }
                    let shown: Vec<String> = self.laid_out(zone).into_iter().map(|card| self.label(card)).collect();
                    let wanted = self.names(words.0)?;
                    if shown != wanted {
                        return wrong(format!("it sees {}", shown.join(" ")));
                    }
                    continue;
                }
            };
            if level != wanted {
                return wrong(format!("it sees {level:?}"));
            }
        }
        words.0 = &[];
        Ok(())
    }

    fn level(&self, seat: Option<u8>, zone: usize) -> Sight {
        let at = &self.instance.layout.instances[zone];
        let applies = |(who, _): &&(Who, Sight)| match who {
            Who::Everyone => true,
            Who::Owner => seat.map(|seat| seat as i8) == Some(at.owner),
            Who::Others => seat.map(|seat| seat as i8) != Some(at.owner),
            Who::Role(var) => {
                let cell = self.instance.layout.vars[*var as usize].base as usize;
                seat.is_some_and(|seat| self.frame.cells[cell] == seat as i32)
            }
        };
        let clauses = &self.instance.shown.sees[at.zone as usize];
        clauses.iter().rev().find(applies).map_or(Sight::Count, |(_, sight)| *sight)
    }

    /// The cards of a zone as those who see them have them before them.
    fn laid_out(&self, zone: usize) -> Vec<u16> {
        let mut cards = self.instance.in_order(&self.frame, zone).to_vec();
        let sorted = &self.instance.program.zones[self.instance.layout.instances[zone].zone as usize].sorted;
        cards.sort_by_key(|card| sorted.iter().map(|attr| self.instance.cards.attr(*attr, *card as i32)).collect::<Vec<_>>());
        cards
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
        Some(if found == wanted { Ok(()) } else { wrong(format!("announced is {:?}", self.told())) })
    }

    fn told(&self) -> Vec<String> {
        let said = |event: &Raw| match event {
            Raw::Announced { text, kind, to } => Some(format!("{kind:?}{}: {}", to.map_or(String::new(), |s| format!(" to {}", s + 1)), self.line(text))),
            _ => None,
        };
        self.events.iter().filter_map(said).collect()
    }

    /// Phase, status, outcome, clock and so on.
    fn about_the_table(&self, words: &mut Words) -> Option<Outcome> {
        let yes = |holds: bool, but: String| if holds { Ok(()) } else { wrong(but) };
        if words.eat("phase") {
            let phase = self.instance.program.phases.get(self.frame.phase as usize).map_or("", |phase| &phase.name);
            let wanted = words.bare().unwrap_or_default();
            return Some(yes(phase == wanted, format!("the phase is {phase}")));
        }
        if words.eat("status") {
            let shown = self.instance.shown.status.iter();
            let shown = shown.filter(|s| s.when.as_ref().is_none_or(|w| self.instance.value(&self.frame, w, NONE, &[]) != 0));
            let lines: Vec<String> = shown.map(|s| self.line(&self.instance.line(&self.frame, &s.text, NONE, &[]))).collect();
            let wanted = words.quoted().unwrap_or_default();
            return Some(yes(lines.iter().any(|line| line == wanted), format!("the status is {lines:?}")));
        }
        if words.eat("nothing is highlighted") {
            return Some(self.same_cards(self.highlighted(), Vec::new()));
        }
        if words.eat("highlighted") {
            let wanted = self.names(words.0);
            words.0 = &[];
            return Some(wanted.and_then(|wanted| self.same_cards(self.highlighted(), wanted)));
        }
        if words.eat("there is no clock") {
            return Some(yes(self.clock().is_none(), format!("the clock is {:?}", self.clock())));
        }
        if words.eat("the clock is") {
            let seconds = words.number::<i32>();
            words.eat("seconds");
            return Some(yes(seconds.is_some() && self.clock() == seconds, format!("the clock is {:?}", self.clock())));
        }
        if words.eat("the lead is") {
            let lead = words.number::<i8>();
            return Some(yes(lead == Some(self.frame.lead + 1), format!("the lead is {}", self.frame.lead + 1)));
        }
        if words.eat("the table is paused") {
            return Some(yes(self.frame.paused, "it is not".into()));
        }
        if words.eat("the table waits") {
            return Some(yes(self.frame.status == Status::Deserted, format!("it is {:?}", self.frame.status)));
        }
        if words.eat("the game goes on") {
            return Some(yes(!self.frame.ended(), "it is over".into()));
        }
        if words.eat("the banner is") {
            let banner = self.instance.banner(&self.frame).map(|line| self.line(&line));
            return Some(yes(banner.as_deref() == words.quoted(), format!("the banner is {banner:?}")));
        }
        if words.eat("outcome") {
            return Some(self.outcome(words));
        }
        None
    }

    fn highlighted(&self) -> Vec<u16> {
        let on = |h: &&baize_engine::instance::ShownHighlight<S>| {
            h.when.as_ref().is_none_or(|w| self.instance.value(&self.frame, w, NONE, &[]) != 0)
        };
        let lit = self.instance.shown.highlights.iter().filter(on);
        lit.flat_map(|h| self.instance.selection(&self.frame, &h.cards, NONE, &[])).collect()
    }

    /// `outcome loser 2`, `winners 1 3`, `ranks 1 2 2` (one for each seat from the first on, `-` for one that is not in).
    fn outcome(&self, words: &mut Words) -> Outcome {
        let Some(ended) = &self.frame.outcome else { return wrong("the game is not over") };
        let all: Vec<Word> = words.0.to_vec();
        words.0 = &[];
        let seats = |mask: u32| seats_of(mask).map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(" ");
        let said = all.iter().map(Word::text).collect::<Vec<_>>().join(" ");
        let ranks: Vec<String> = ended.ranks[..self.instance.seats].iter().map(|r| if *r == 0 { "-".into() } else { r.to_string() }).collect();
        let ranks = ranks.join(" ").trim_end_matches(" -").to_owned();
        let true_ones = match ended.kind {
            Ending::Winners => vec![format!("winner {}", seats(ended.winners)), format!("winners {}", seats(ended.winners))],
            Ending::Losers => vec![format!("loser {}", seats(ended.losers))],
            Ending::Ranking => vec![format!("ranks {ranks}"), format!("winner {}", seats(ended.winners)), format!("winners {}", seats(ended.winners))],
            Ending::EveryoneWins => vec!["everyone wins".to_owned()],
            Ending::EveryoneLoses => vec!["everyone loses".to_owned()],
            Ending::Draw => vec!["draw".to_owned()],
            Ending::Void => vec!["void".to_owned()],
            Ending::Abandoned => vec!["abandoned".to_owned()],
        };
        if true_ones.contains(&said) { Ok(()) } else { wrong(format!("the outcome is {}", true_ones[0])) }
    }

    /// `hand[1] holds A♠ 2♦`, `trick holds A♠ K♠ in order`, `waste is empty`, `hand[2] includes A♠`, `hand[2] lacks A♠`,
    /// `count of waste is 3`, `letters[1] is 2`.
    fn about_zones(&self, words: &mut Words) -> Option<Outcome> {
        if words.eat("count of") {
            let name = words.bare()?;
            let Some(zones) = self.zone(name) else { return Some(unclear(format!("no zone is called `{name}`"))) };
            let count: usize = zones.iter().map(|zone| self.frame.sets[*zone].len()).sum();
            return Some(if words.eat("is at least") {
                let least = words.number::<usize>();
                if least.is_some_and(|least| count >= least) { Ok(()) } else { wrong(format!("it is {count}")) }
            } else if words.eat("is") {
                words.number::<usize>().map_or_else(|| unclear("is what?"), |wanted| same(count, wanted, "cards"))
            } else {
                unclear("write: count of ZONE is 3")
            });
        }
        let mut ahead = *words;
        let name = ahead.bare()?;
        if let Some(zones) = self.zone(name) {
            *words = ahead;
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
                if held == wanted { Ok(()) } else { wrong(format!("it holds {}", self.labels(cards))) }
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
            _ => unclear("a zone `holds`, `includes`, `lacks` cards or `is empty`"),
        }
    }

    fn same_cards(&self, cards: Vec<u16>, mut wanted: Vec<String>) -> Outcome {
        let mut held: Vec<String> = cards.iter().map(|card| self.label(*card)).collect();
        held.sort();
        wanted.sort();
        if held == wanted { Ok(()) } else { wrong(format!("it is {}", self.labels(cards))) }
    }

    /// Whether the table stands at a decision of a `together` block.
    pub fn in_block(&self) -> bool {
        self.frame.together != NO_ID
    }
}

fn same<T: PartialEq + std::fmt::Display>(is: T, wanted: T, what: &str) -> Outcome {
    if is == wanted { Ok(()) } else { wrong(format!("there are {is} {what}")) }
}
