//! Checks `then` lines. What a player sees is read from the player's view.

mod seats;
mod secrets;
mod table;
mod zones;

use crate::conditions::Evaluation;
use crate::scenario_table::{Checked, LineFailure, ScenarioTable, unclear, wrong};
use crate::slips;
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::sink::RawEvent;
use baize_rules::program::AnnounceKind;

/// Tells an author how to write the end of a game.
const OUTCOMES: &str = "`the game is over`, or which end it is: `outcome winner 1`, `outcome winners 1 3`, `outcome loser 2`, `outcome losers 2 3`, `outcome ranks 1 3 2` (seat by seat), `outcome everyone wins`, `outcome everyone loses`, `outcome everyone scores 3 out of 9`, `outcome draw`, `outcome void`";

/// Words that suggest that an author means the end of a game.
const ENDS: [&str; 13] =
    ["win", "wins", "won", "winner", "winners", "lose", "loses", "lost", "loser", "over", "end", "ends", "ended"];

/// The most common forms. `docs/scenarios.md` lists all of them.
const FORMS: &str = "`hand[1] holds A♠ 2♦`, `hand[1] includes A♠`, `trick is empty`, `count of hand[1] is 3`, `score[1] is 3`, `2 is asked \"…\"`, `nobody is asked`, `1 may play A♠`, `1 may not play A♠`, `1 has 5 moves`, `1 is offered \"Pass\"`, `1 sees hand[2]: count`, `a spectator sees hand[2]: count`, `nobody but 1 can tell what hand[1] holds`, `announced \"…\"`, `phase play`, `status \"…\"`, `the counter \"Pot\" is 12`, `1 wears score \"3\"`, `the game goes on`, `the game is over`, `outcome winner 1`, `outcome ranks 1 2`, `the banner is \"…\"`";

impl<S: CardSet> ScenarioTable<S> {
    /// Checks a `then` line: in the words of scenarios, or else as a condition in the words of the rules.
    pub fn expect(&self, words: &[Word]) -> Checked {
        match self.check_scenario_words(words) {
            Some(Err(LineFailure::Unclear(why))) => self.check_condition(words, Some(why)),
            Some(checked) => checked,
            None => self.check_condition(words, None),
        }
    }

    /// Checks a line in the words of scenarios. None if it is not written in them.
    fn check_scenario_words(&self, words: &[Word]) -> Option<Checked> {
        let mut words = Words(words);
        let checked = self
            .check_seats(&mut words)
            .or_else(|| self.check_announcements(&mut words))
            .or_else(|| self.check_table(&mut words))
            .or_else(|| self.check_zones(&mut words))?;
        Some(checked.and_then(|()| match words.is_empty() {
            true => Ok(()),
            false => unclear(format!("what is `{}`?", words.show())),
        }))
    }

    /// Checks a condition in the words of the rules. `why` is the message if it is not one.
    fn check_condition(&self, words: &[Word], why: Option<String>) -> Checked {
        let text = Words(words).show();
        let problem = match self.conditions.evaluate(&self.instance, &self.frame, &text) {
            Ok(Evaluation::Holds) => return Ok(()),
            Ok(Evaluation::Fails(Some(shown))) => return wrong(format!("it is {}", self.line(&shown))),
            Ok(Evaluation::Fails(None)) => return wrong("it is not so"),
            Err(problem) => problem,
        };
        if let Some(slip) = slips::in_condition(words) {
            return unclear(slip);
        }
        unclear(match why {
            Some(why) => why,
            None if is_about_the_end(words) => {
                format!("it can't be told whether “{text}” holds. The end is written: {OUTCOMES}")
            }
            None => format!(
                "it can't be told whether “{text}” holds: {problem}\n      Behind `then` stands a condition in the words of the rules, with players by their numbers (`score[1] > score[2]`), or one of: {FORMS}"
            ),
        })
    }

    /// Checks `announced "…" as shout`, `nothing is announced`, `not announced "…"`.
    fn check_announcements(&self, words: &mut Words) -> Option<Checked> {
        let public = |event: &RawEvent| match event {
            RawEvent::Announced { text, kind, to: None } => Some((self.line(text), *kind)),
            _ => None,
        };
        let all: Vec<(String, AnnounceKind)> = self.events.iter().filter_map(public).collect();
        if words.eat("nothing is announced") {
            return Some(if all.is_empty() {
                Ok(())
            } else {
                wrong(format!("announced is {:?}", self.announcements()))
            });
        }
        let wanted = !words.eat("not announced");
        if wanted && !words.eat("announced") {
            return None;
        }
        let Some(text) = words.quoted() else { return Some(unclear("announced what?")) };
        let kind = match words.eat("as") {
            false => None,
            true => match words.plain() {
                Some("toast") => Some(AnnounceKind::Toast),
                Some("shout") => Some(AnnounceKind::Shout),
                Some("banner") => Some(AnnounceKind::Banner),
                Some("log") => Some(AnnounceKind::Log),
                _ => return Some(unclear("as toast, shout, banner or log?")),
            },
        };
        let found = all.iter().any(|(announced, how)| announced == text && kind.is_none_or(|kind| kind == *how));
        Some(if found == wanted {
            Ok(())
        } else {
            missing_text(text, &format!("announced is {:?}", self.announcements()))
        })
    }

    fn announcements(&self) -> Vec<String> {
        let announcement = |event: &RawEvent| match event {
            RawEvent::Announced { text, kind, to } => {
                let to = to.map_or(String::new(), |seat| format!(" to {}", seat + 1));
                Some(format!("{kind:?}{to}: {}", self.line(text)))
            }
            _ => None,
        };
        self.events.iter().filter_map(announcement).collect()
    }
}

/// Whether an author who writes this probably means the end of the game.
fn is_about_the_end(words: &[Word]) -> bool {
    words.iter().any(|word| ENDS.iter().any(|end| word.is(end)))
}

/// Joins names: `score`, `title` and `count`.
fn names(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// Joins texts as a scenario would write them.
fn quoted(texts: &[String]) -> String {
    match texts.is_empty() {
        true => "nothing".to_owned(),
        false => texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", "),
    }
}

/// Fails because players read another text. A wanted text with `{` was copied from the rules, so the message explains
/// that scenarios have no holes.
fn missing_text(wanted: &str, but: &str) -> Checked {
    wrong(match wanted.contains('{') {
        true => format!(
            "{but}. A scenario has no holes: write what players read, `Player 1` for player 1, numbers and cards as they are"
        ),
        false => but.to_owned(),
    })
}

fn check_count<T: PartialEq + std::fmt::Display>(is: T, wanted: T, what: &str) -> Checked {
    if is == wanted { Ok(()) } else { wrong(format!("there are {is} {what}")) }
}
