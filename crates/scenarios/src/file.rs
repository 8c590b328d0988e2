//! Reads a file of scenarios. Its form is explained in `docs/scenarios.md`.
//!
//! Only the frame of a line is understood here; what cards, zones and moves are called depends on the game and is
//! looked at when the scenario is run. A line that means nothing is an error in either place.

use crate::words::{Word, Words, split};
use baize_engine::instance::PackCard;
use baize_engine::moves::Refusal;

/// Cards in the packs of a file. One line can ask for billions of them.
const MOST_CARDS: usize = 2_000;
/// Lines of all scenarios of a file, those of their setups counted each time. A line `as in` can stand for thousands.
const MOST_LINES: usize = 20_000;

/// All of a file.
#[derive(Debug, Default)]
pub struct File {
    pub packs: Vec<Pack>,
    pub scenarios: Vec<Scenario>,
}

/// A few text cards to play with.
#[derive(Debug)]
pub struct Pack {
    pub name: String,
    pub cards: Vec<PackCard>,
}

#[derive(Debug)]
pub struct Scenario {
    pub title: String,
    pub line: usize,
    /// Which rules it ticks: the rule's id in `coverage.md`, and a few words of it.
    pub ticks: Vec<Tick>,
    pub players: usize,
    /// Seats that bots have, from 1 on.
    pub bots: Vec<usize>,
    pub options: Vec<(String, String)>,
    pub preset: Option<String>,
    pub packs: Vec<String>,
    /// Why there can be no such table, if that is what the scenario is about.
    pub impossible: Option<String>,
    pub steps: Vec<(usize, Step)>,
}

#[derive(Debug)]
pub struct Tick {
    pub line: usize,
    pub id: String,
    pub quote: String,
}

/// One line of what happens, and must hold.
#[derive(Debug)]
pub enum Step {
    /// Starts the game; with conditions, the first seed is taken after which they hold.
    Start {
        when: Vec<Vec<Word>>,
        refused: Option<Refused>,
    },
    /// Puts cards and values where they are said to be.
    Arrange(Vec<(usize, String, Vec<Word>)>),
    /// The next shuffle leaves these cards on top, the first of them topmost.
    Shuffle(Vec<Word>),
    /// What the next random choices are: the first, second … of those possible.
    Picks(Vec<u32>),
    /// A seat answers, or something happens to it.
    Act {
        seat: usize,
        words: Vec<Word>,
        refused: Option<Refused>,
    },
    /// Something happens to the table.
    Table {
        words: Vec<Word>,
        refused: Option<Refused>,
    },
    /// Random legal moves until this holds.
    PlayOn(Vec<Word>),
    Then(Vec<Word>),
}

/// The reason as people read it, or its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    Reason(String),
    Code(String),
}

/// A mistake in a file, or a line of it that does not hold: the line, and what is wrong.
pub type Mistake = (usize, String);

/// A line with its number, and those indented below it if it is `arrange`.
type Source = (usize, String, Vec<(usize, String)>);

pub fn read(source: &str) -> Result<File, Vec<Mistake>> {
    let mut reader = Reader::default();
    let mut lines = source.lines().enumerate().map(|(n, text)| (n + 1, text)).peekable();
    while let Some((line, text)) = lines.next() {
        let mut block = Vec::new();
        if text.trim() == "arrange" {
            let below = |inner: &str| indent(inner) > indent(text) || inner.trim().is_empty();
            while let Some((line, inner)) = lines.next_if(|(_, inner)| below(inner)) {
                if !inner.trim().is_empty() && !inner.trim().starts_with('#') {
                    block.push((line, inner.to_owned()));
                }
            }
        }
        if let Err(mistake) = reader.line(line, text, block) {
            reader.mistakes.push(mistake);
        }
    }
    reader.finish()
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[derive(Default)]
struct Reader {
    file: File,
    /// Beginnings that several scenarios share.
    setups: Vec<(String, Vec<Source>)>,
    under: Under,
    mistakes: Vec<Mistake>,
    /// Lines that came from setups so far.
    repeated: usize,
}

/// What indented lines belong to.
#[derive(Clone, Copy, Default, PartialEq)]
enum Under {
    #[default]
    Scenario,
    Pack,
    Setup,
}

impl Reader {
    fn line(&mut self, line: usize, text: &str, block: Vec<(usize, String)>) -> Result<(), Mistake> {
        let fail = |why: &str| Err((line, why.to_owned()));
        let all = split(text).map_err(|why| (line, why))?;
        let mut words = Words(&all);
        if words.is_empty() {
            return Ok(());
        }
        if indent(text) == 0 {
            self.heading(line, &mut words)?;
            return if words.is_empty() { Ok(()) } else { fail("there is something left on this line") };
        }
        match self.under {
            Under::Pack => self.card(words).map_err(|why| (line, why)),
            Under::Setup => {
                if let Some((_, lines)) = self.setups.last_mut() {
                    lines.push((line, text.to_owned(), block));
                }
                Ok(())
            }
            Under::Scenario => {
                let Some(scenario) = self.file.scenarios.last_mut() else { return fail("this belongs to no scenario") };
                if !words.eat("as in") {
                    return scenario.line(line, words, block);
                }
                let name = words.bare().unwrap_or_default();
                let Some((_, lines)) = self.setups.iter().find(|(setup, _)| setup == name) else {
                    return Err((line, format!("there is no setup `{name}` above")));
                };
                self.repeated += lines.iter().map(|(_, _, block)| 1 + block.len()).sum::<usize>();
                if self.repeated > MOST_LINES {
                    return fail("the setups of this file are used too often: together they stand for too many lines");
                }
                for (line, text, block) in lines {
                    let all = split(text).map_err(|why| (*line, why))?;
                    scenario.line(*line, Words(&all), block.clone())?;
                }
                Ok(())
            }
        }
    }

    /// What stands at the margin.
    fn heading(&mut self, line: usize, words: &mut Words) -> Result<(), Mistake> {
        let fail = |why: &str| Err((line, why.to_owned()));
        if words.eat("pack") {
            let Some(name) = words.bare() else { return fail("`pack` needs a name") };
            self.under = Under::Pack;
            self.file.packs.push(Pack { name: name.to_owned(), cards: Vec::new() });
        } else if words.eat("setup") {
            let Some(name) = words.bare() else { return fail("`setup` needs a name") };
            self.under = Under::Setup;
            self.setups.push((name.to_owned(), Vec::new()));
        } else if words.eat("scenario") {
            let Some(title) = words.quoted() else { return fail("`scenario` needs a title in quotes") };
            self.under = Under::Scenario;
            self.file.scenarios.push(Scenario {
                title: title.to_owned(),
                line,
                ticks: Vec::new(),
                players: 0,
                bots: Vec::new(),
                options: Vec::new(),
                preset: None,
                packs: Vec::new(),
                impossible: None,
                steps: Vec::new(),
            });
        } else {
            return fail("only `scenario`, `setup` and `pack` stand at the margin");
        }
        Ok(())
    }

    /// `prompt "Why ____?"`, `prompt "____ and ____." pick 2`, `answer "Tea"`, `answers A 1..60`.
    fn card(&mut self, mut words: Words) -> Result<(), String> {
        let Some((pack, before)) = self.file.packs.split_last_mut() else {
            return Err("this belongs to no pack".into());
        };
        let others: usize = before.iter().map(|pack| pack.cards.len()).sum();
        let too_many = || format!("the packs of a file have at most {MOST_CARDS} cards together");
        let kind = words.bare().unwrap_or_default();
        let room = MOST_CARDS.saturating_sub(others + pack.cards.len());
        let mut card = |deck: &str, text: &str, pick: i32| {
            let props = if deck == "prompt" { vec![("pick".to_owned(), pick)] } else { Vec::new() };
            pack.cards.push(PackCard { deck_type: deck.to_owned(), text: text.to_owned(), props });
        };
        match kind {
            "prompt" | "answer" => {
                let text = words.quoted().ok_or("a card needs a text in quotes")?;
                let pick = if words.eat("pick") { words.number().ok_or("how many?")? } else { 1 };
                if room == 0 {
                    return Err(too_many());
                }
                card(kind, text, pick);
            }
            "answers" | "prompts" => {
                let name = words.bare().ok_or("what are they called?")?;
                let range = words.bare().and_then(|range| range.split_once("..")).ok_or("from where to where?")?;
                let (low, high): (u32, u32) =
                    (range.0.parse().map_err(|_| "not a number")?, range.1.parse().map_err(|_| "not a number")?);
                if high.saturating_sub(low) as usize >= room {
                    return Err(too_many());
                }
                for n in low..=high {
                    card(kind.trim_end_matches('s'), &format!("{name}{n}"), 1);
                }
            }
            _ => return Err("a pack has lines with `prompt`, `answer`, `prompts` or `answers`".into()),
        }
        if words.is_empty() { Ok(()) } else { Err(format!("what is `{}`?", words.show())) }
    }

    fn finish(mut self) -> Result<File, Vec<Mistake>> {
        for scenario in &self.file.scenarios {
            let fail = |why: &str| (scenario.line, format!("“{}”: {why}", scenario.title));
            if scenario.players == 0 {
                self.mistakes.push(fail("has no players"));
            }
            // What happens last and is not looked at could as well be left out, so that nothing could fail.
            let looked_at = scenario.impossible.is_some()
                || scenario.steps.last().is_some_and(|(_, step)| match step {
                    Step::Then(_) => true,
                    Step::Act { refused, .. } | Step::Table { refused, .. } | Step::Start { refused, .. } => {
                        refused.is_some()
                    }
                    _ => false,
                });
            if !looked_at {
                self.mistakes.push(fail("ends without saying what must hold"));
            }
            let happens = |step: &Step| !matches!(step, Step::Then(_));
            // What is said of the cards alone needs no story.
            let about_the_deck = scenario.title.starts_with("The deck") || scenario.impossible.is_some();
            if !scenario.steps.iter().any(|(_, step)| happens(step)) && !about_the_deck {
                self.mistakes.push(fail("nothing happens"));
            }
            // What the start was chosen by holds anyway.
            let mut chosen_by: &[Vec<Word>] = &[];
            for (line, step) in &scenario.steps {
                match step {
                    Step::Start { when, .. } => chosen_by = when,
                    Step::Then(words) if chosen_by.contains(words) => {
                        self.mistakes.push((*line, "this can't fail: the start was chosen so that it holds".into()));
                    }
                    Step::Then(_) => {}
                    _ => chosen_by = &[],
                }
            }
            if let Some(same) = self.file.scenarios.iter().find(|s| s.title == scenario.title && s.line < scenario.line)
            {
                self.mistakes.push(fail(&format!("has the title of line {}", same.line)));
            }
        }
        if self.file.scenarios.is_empty() {
            self.mistakes.push((0, "there is no scenario in this file".into()));
        }
        if self.mistakes.is_empty() { Ok(self.file) } else { Err(self.mistakes) }
    }
}

impl Scenario {
    fn line(&mut self, line: usize, mut words: Words, block: Vec<(usize, String)>) -> Result<(), Mistake> {
        let fail = |why: String| Err((line, why));
        let setting_up = self.steps.is_empty();
        if words.eat("ticks") {
            let (Some(id), Some(quote)) = (words.bare(), words.quoted()) else {
                return fail("`ticks` needs the id of a rule and a few words of it in quotes".into());
            };
            self.ticks.push(Tick { line, id: id.to_owned(), quote: quote.to_owned() });
        } else if words.eat("players") {
            self.players = words.number().ok_or((line, "how many players?".to_owned()))?;
            while words.eat("bot") {
                self.bots.push(words.number().ok_or((line, "which seat?".to_owned()))?);
            }
        } else if words.eat("option") {
            let (Some(name), true, Some(value)) = (words.bare(), words.eat("="), words.next()) else {
                return fail("write: option NAME = VALUE".into());
            };
            self.options.push((name.to_owned(), value.text().to_owned()));
        } else if words.eat("preset") {
            self.preset = words.bare().map(str::to_owned);
        } else if words.eat("packs") {
            while let Some(name) = words.bare() {
                self.packs.push(name.to_owned());
            }
        } else if words.eat("can't be made:") {
            self.impossible = words.quoted().map(str::to_owned);
        } else {
            let step = step(line, words, block)?;
            self.steps.push((line, step));
            return Ok(());
        }
        if !words.is_empty() {
            return fail(format!("what is `{}`?", words.show()));
        }
        if !setting_up {
            return fail("this belongs above what happens".into());
        }
        Ok(())
    }
}

fn step(line: usize, mut words: Words, block: Vec<(usize, String)>) -> Result<Step, Mistake> {
    let fail = |why: &str| Err((line, why.to_owned()));
    if words.eat("arrange") {
        let mut places = Vec::new();
        for (line, text) in block {
            let Some((place, content)) = text.split_once(':') else { return Err((line, "write: ZONE: CARDS".into())) };
            places.push((line, place.trim().to_owned(), split(content).map_err(|why| (line, why))?));
        }
        return if places.is_empty() || !words.is_empty() {
            fail("what is arranged stands below, indented")
        } else {
            Ok(Step::Arrange(places))
        };
    }
    if words.eat("then") {
        return if words.is_empty() { fail("then what?") } else { Ok(Step::Then(words.0.to_vec())) };
    }
    if words.eat("next shuffle:") {
        return Ok(Step::Shuffle(words.0.to_vec()));
    }
    if words.eat("next picks:") {
        let mut picks = Vec::new();
        while let Some(pick) = words.number() {
            picks.push(pick);
        }
        return if words.is_empty() && !picks.contains(&0) {
            Ok(Step::Picks(picks))
        } else {
            fail("picks are numbers from 1 on")
        };
    }
    if words.eat("play on until") {
        return Ok(Step::PlayOn(words.0.to_vec()));
    }
    let refused = refused(&mut words).map_err(|why| (line, why))?;
    if words.eat("start") {
        let mut when = Vec::new();
        if words.eat("where") {
            when = words.0.split(|word| word.is("and")).map(<[Word]>::to_vec).collect();
            words = Words(&[]);
        }
        return if words.is_empty() {
            Ok(Step::Start { when, refused })
        } else {
            fail("write: start, or start where …")
        };
    }
    if let Some(seat) = words.number() {
        return if seat == 0 {
            fail("seats are counted from 1")
        } else {
            Ok(Step::Act { seat, words: words.0.to_vec(), refused })
        };
    }
    Ok(Step::Table { words: words.0.to_vec(), refused })
}

/// `-> refused "reason"` or `-> refused code/of-it` at the end of a line.
fn refused(words: &mut Words) -> Result<Option<Refused>, String> {
    let Some(at) = words.0.iter().position(|word| word.is("->")) else { return Ok(None) };
    let mut after = Words(&words.0[at + 1..]);
    words.0 = &words.0[..at];
    if !after.eat("refused") {
        return Err("only `refused` stands behind `->`".into());
    }
    let refused = match after.next() {
        Some(Word::Quoted(reason)) => Refused::Reason(reason.clone()),
        Some(Word::Bare(code)) if Refusal::CODES.contains(&code.as_str()) => Refused::Code(code.clone()),
        other => {
            let found = other.map_or_else(|| "why?".to_owned(), |word| format!("`{word}` is no reason."));
            let codes = Refusal::CODES.join(", ");
            return Err(format!(
                "{found} Behind `refused` stands the reason that the rules give, in quotes, or one of these codes: {codes}"
            ));
        }
    };
    if after.is_empty() { Ok(Some(refused)) } else { Err("nothing comes after the reason".into()) }
}
