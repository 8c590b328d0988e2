//! Checks lines about the table: its end, phase, status, header and highlights.

use super::{OUTCOMES, missing_text};
use crate::scenario_table::{Checked, ScenarioTable, unclear, wrong};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::frame::{Status, seats_of};
use baize_engine::sink::RawEvent;
use baize_engine::view::{Content, OutcomeView, Viewer};
use baize_rules::program::Meta;

impl<S: CardSet> ScenarioTable<S> {
    pub(super) fn check_table(&self, words: &mut Words) -> Option<Checked> {
        let yes = |holds: bool, but: String| if holds { Ok(()) } else { wrong(but) };
        let view = || self.view(Viewer::Spectator);
        if words.eat("phase") {
            let phase = view().phase.unwrap_or_default();
            let wanted = words.plain().unwrap_or_default();
            return Some(yes(phase == wanted, format!("the phase is {phase}")));
        }
        let counters = &self.instance.program.show.counters;
        if words.eat("the counter") || words.eat("counter") {
            return Some(self.check_counter(words));
        }
        let lines = || view().status.iter().map(|line| self.line(line)).collect::<Vec<String>>();
        // The first lines are counters, which are always there.
        let status = || lines().split_off(counters.len().min(lines().len()));
        if words.eat("there is no status") {
            return Some(yes(status().is_empty(), format!("the status is {:?}", status())));
        }
        if words.eat("status") {
            let wanted = words.quoted().unwrap_or_default();
            return Some(match status().iter().any(|line| line == wanted) {
                true => Ok(()),
                false => missing_text(wanted, &format!("the status is {:?}", status())),
            });
        }
        if words.eat("the only status is") {
            let wanted = words.quoted().unwrap_or_default();
            return Some(yes(status() == [wanted], format!("the status is {:?}", status())));
        }
        if words.eat("it went through") {
            let wanted: Vec<&str> = std::iter::from_fn(|| words.plain()).collect();
            let phase = |event: &RawEvent| match event {
                RawEvent::Phase { phase } => Some(self.instance.program.phases[*phase as usize].name.as_str()),
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
                false => missing_text(wanted.unwrap_or_default(), &format!("the banner is {banner:?}")),
            });
        }
        if words.eat("outcome") {
            words.eat("is");
            let wanted = words.0.iter().map(Word::text).collect::<Vec<_>>().join(" ");
            words.0 = &[];
            if !could_be_outcome(&wanted) {
                return Some(unclear(format!("`{wanted}` is no outcome. The end is written: {OUTCOMES}")));
            }
            return Some(match view().outcome {
                Some(outcome) => check_outcome(&outcome, &wanted),
                None => wrong("the game is not over"),
            });
        }
        None
    }

    /// Checks `the counter "Pot" is 12`.
    fn check_counter(&self, words: &mut Words) -> Checked {
        let counters = &self.instance.program.show.counters;
        let labels: Vec<String> = counters.iter().map(|counter| counter.label.clone()).collect();
        let Some(label) = words.quoted() else { return unclear("which counter? Its name stands in quotes") };
        let Some(at) = labels.iter().position(|known| known == label) else {
            return unclear(format!("no counter is called \"{label}\"; there is {}", super::quoted(&labels)));
        };
        if !words.eat("is") && !words.eat("shows") {
            return unclear(format!("what about it? Write: the counter \"{label}\" is 3"));
        }
        let wanted = words.0.iter().map(Word::text).collect::<Vec<_>>().join(" ");
        words.0 = &[];
        let view = self.view(Viewer::Spectator);
        let line = view.status.get(at).map(|line| self.line(line)).unwrap_or_default();
        let shown = line.strip_prefix(&format!("{label}: ")).unwrap_or(&line).to_owned();
        if shown == wanted { Ok(()) } else { wrong(format!("it is {shown}")) }
    }

    /// Returns the names of highlighted cards, sorted.
    pub(super) fn highlighted(&self) -> Vec<String> {
        let view = self.view(Viewer::Spectator);
        let cards = view.zones.iter().flat_map(|zone| match &zone.content {
            Content::Cards(cards) => &cards[..],
            _ => &[],
        });
        let mut lit: Vec<String> =
            cards.filter(|card| view.highlights.contains(&card.handle)).map(|card| self.card_as_seen(card)).collect();
        lit.sort();
        lit
    }
}

/// Whether these words are the form of an outcome.
fn could_be_outcome(wanted: &str) -> bool {
    if let "everyone wins" | "everyone loses" | "draw" | "void" | "abandoned" = wanted {
        return true;
    }
    if let Some((score, most)) = wanted.strip_prefix("everyone scores ").and_then(|rest| rest.split_once(" out of ")) {
        return score.parse::<i32>().is_ok() && most.parse::<i32>().is_ok();
    }
    let mut words = wanted.split(' ');
    let head = words.next().unwrap_or_default();
    let seats: Vec<&str> = words.collect();
    let number = |word: &&str| word.parse::<u8>().is_ok() || head == "ranks" && *word == "-";
    let known = ["winner", "winners", "loser", "losers", "ranks"].contains(&head);
    known && seats.iter().all(number) && (!seats.is_empty() || ["winners", "losers"].contains(&head))
}

/// Compares an outcome with `loser 2`, `winners 1 3`, `everyone wins`, `everyone scores 3 out of 9`, or `ranks 1 2 2`: one
/// rank for each seat, `-` for a seat that does not play.
fn check_outcome(outcome: &OutcomeView, wanted: &str) -> Checked {
    let seats = |seats: &[u8]| seats.iter().map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(" ");
    let ranks = outcome.ranks.iter().map(|rank| rank.map_or("-".to_owned(), |rank| rank.to_string()));
    let ranks = ranks.collect::<Vec<_>>().join(" ");
    let ranks = ranks.trim_end_matches([' ', '-']);
    let won = || vec![format!("winner {}", seats(&outcome.winners)), format!("winners {}", seats(&outcome.winners))];
    let hold = match outcome.kind.as_str() {
        "winners" => won(),
        "losers" => ["loser", "losers"].map(|word| format!("{word} {}", seats(&outcome.losers))).to_vec(),
        "ranking" => [vec![format!("ranks {ranks}")], won()].concat(),
        "everyone-scores" => {
            let (score, most) = outcome.score.unwrap_or_default();
            vec![format!("everyone scores {score} out of {most}")]
        }
        other => vec![other.replace('-', " ")],
    };
    if hold.iter().any(|hold| hold == wanted) { Ok(()) } else { wrong(format!("the outcome is {}", hold[0])) }
}

/// Returns the header lines of a rules file that the server obeys.
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
