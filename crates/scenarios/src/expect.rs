//! What must hold, in words. What players see is taken from their views.

mod seats;
mod table;
mod zones;

use crate::stage::{Fault, Outcome, Stage, unclear, wrong};
use crate::words::{Word, Words};
use baize_engine::cardset::CardSet;
use baize_engine::sink::Raw;
use baize_rules::program::AnnounceKind;

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

fn same<T: PartialEq + std::fmt::Display>(is: T, wanted: T, what: &str) -> Outcome {
    if is == wanted { Ok(()) } else { wrong(format!("there are {is} {what}")) }
}
