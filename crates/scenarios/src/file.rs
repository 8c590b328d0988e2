//! Reads a file of scenarios. `docs/scenarios.md` explains its form.
//!
//! The reader knows the statements, but not the names of cards, zones and moves: those depend on the game, and
//! `run` looks them up. A line that means nothing is an error here or there.

use crate::slips;
use crate::words::{Word, Words, split};
use baize_engine::instance::PackCard;
use baize_engine::moves::Refusal;

/// Upper bound on the cards in all packs of a file. Without it one line (`answers A 1..4000000000`) could fill the memory.
const MAX_PACK_CARDS: usize = 2_000;
/// Upper bound on the lines that all `as in` lines of a file copy from setups. One `as in` can copy thousands.
const MAX_SETUP_LINES: usize = 20_000;

/// The contents of one file of scenarios.
#[derive(Debug, Default)]
pub struct ScenarioFile {
    pub packs: Vec<ScenarioPack>,
    pub scenarios: Vec<Scenario>,
}

/// A small pack of text cards that a file declares for its scenarios.
#[derive(Debug)]
pub struct ScenarioPack {
    pub name: String,
    pub cards: Vec<PackCard>,
}

#[derive(Debug)]
pub struct Scenario {
    pub title: String,
    pub line: usize,
    /// The rules in `coverage.md` that this scenario tests.
    pub ticks: Vec<Tick>,
    pub players: usize,
    /// Numbers of the seats in which bots sit, counted from 1.
    pub bots: Vec<usize>,
    pub options: Vec<(String, String)>,
    pub preset: Option<String>,
    pub packs: Vec<String>,
    /// For a scenario that expects the table to be impossible: the expected message.
    pub impossible: Option<String>,
    pub statements: Vec<(usize, Statement)>,
}

/// States that a scenario tests a rule of `coverage.md`.
#[derive(Debug)]
pub struct Tick {
    pub line: usize,
    /// The rule's id in `coverage.md`.
    pub id: String,
    /// A few words of that rule, so that a wrong id is noticed.
    pub quote: String,
}

/// One line of a scenario: something happens, or something must hold.
#[derive(Debug)]
pub enum Statement {
    /// Starts the game. With conditions, it takes the first seed after which they hold.
    Start { when: Vec<Vec<Word>>, refused: Option<ExpectedRefusal> },
    /// Puts cards into zones and values into variables.
    Arrange(Vec<(usize, String, Vec<Word>)>),
    /// The next shuffle puts these cards on top, the first one topmost.
    Shuffle(Vec<Word>),
    /// The results of the next random choices: 1 for the first possibility, 2 for the second …
    Picks(Vec<u32>),
    /// A player answers a decision, joins, leaves, becomes absent …
    Act { seat: usize, words: Vec<Word>, refused: Option<ExpectedRefusal> },
    /// Something happens to the whole table, such as `pause`.
    Table { words: Vec<Word>, refused: Option<ExpectedRefusal> },
    /// Plays random legal moves until this holds.
    PlayOn(Vec<Word>),
    /// States what must hold.
    Then(Vec<Word>),
}

/// The refusal that a scenario expects: the reason that players read, or the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedRefusal {
    Reason(String),
    Code(String),
}

/// A mistake in a file, or a line that does not hold: the number of the line, and a message.
pub type Mistake = (usize, String);

/// A line with its number and, if it is `arrange`, the lines indented below it.
type SourceLine = (usize, String, Vec<(usize, String)>);

/// Reads a file of scenarios, or returns every mistake in it.
pub fn read(source: &str) -> Result<ScenarioFile, Vec<Mistake>> {
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
    file: ScenarioFile,
    /// Lines that several scenarios copy with `as in`, by name.
    setups: Vec<(String, Vec<SourceLine>)>,
    section: SectionKind,
    mistakes: Vec<Mistake>,
    /// How many lines `as in` has copied so far.
    repeated: usize,
}

/// The heading to which the indented lines belong.
#[derive(Clone, Copy, Default, PartialEq)]
enum SectionKind {
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
        match self.section {
            SectionKind::Pack => self.card(words).map_err(|why| (line, why)),
            SectionKind::Setup => {
                let lines = match words.eat("as in") {
                    true => self.setup_lines(line, words)?,
                    false => vec![(line, text.to_owned(), block)],
                };
                if let Some((_, setup)) = self.setups.last_mut() {
                    setup.extend(lines);
                }
                Ok(())
            }
            SectionKind::Scenario => {
                if self.file.scenarios.is_empty() {
                    return fail("this belongs to no scenario");
                }
                let lines = match words.eat("as in") {
                    true => self.setup_lines(line, words)?,
                    false => vec![(line, text.to_owned(), block)],
                };
                let Some(scenario) = self.file.scenarios.last_mut() else { return Ok(()) };
                for (line, text, block) in lines {
                    let all = split(&text).map_err(|why| (line, why))?;
                    scenario.line(line, Words(&all), block)?;
                }
                Ok(())
            }
        }
    }

    /// Returns the lines of the setup that `as in NAME` names. A setup can name only setups above itself, so none
    /// contains itself.
    fn setup_lines(&mut self, line: usize, mut words: Words) -> Result<Vec<SourceLine>, Mistake> {
        let name = words.plain().unwrap_or_default();
        let above = match self.section {
            SectionKind::Setup => &self.setups[..self.setups.len().saturating_sub(1)],
            _ => &self.setups[..],
        };
        let Some((_, lines)) = above.iter().find(|(setup, _)| setup == name) else {
            return Err((line, format!("there is no setup `{name}` above")));
        };
        if !words.is_empty() {
            return Err((line, format!("what is `{}`?", words.show())));
        }
        self.repeated += lines.iter().map(|(_, _, block)| 1 + block.len()).sum::<usize>();
        if self.repeated > MAX_SETUP_LINES {
            let why = "the setups of this file are used too often: together they stand for too many lines";
            return Err((line, why.to_owned()));
        }
        Ok(lines.clone())
    }

    /// Reads a line that is not indented.
    fn heading(&mut self, line: usize, words: &mut Words) -> Result<(), Mistake> {
        let fail = |why: &str| Err((line, why.to_owned()));
        if words.eat("pack") {
            let Some(name) = words.plain() else { return fail("`pack` needs a name") };
            self.section = SectionKind::Pack;
            self.file.packs.push(ScenarioPack { name: name.to_owned(), cards: Vec::new() });
        } else if words.eat("setup") {
            let Some(name) = words.plain() else { return fail("`setup` needs a name") };
            self.section = SectionKind::Setup;
            self.setups.push((name.to_owned(), Vec::new()));
        } else if words.eat("scenario") {
            let Some(title) = words.quoted() else { return fail("`scenario` needs a title in quotes") };
            self.section = SectionKind::Scenario;
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
                statements: Vec::new(),
            });
        } else {
            return fail("only `scenario`, `setup` and `pack` stand at the margin");
        }
        Ok(())
    }

    /// Reads a line of a pack: the type of the card, its text and its properties (`prompt "____ and ____." pick 2`),
    /// or many numbered cards (`answers A 1..60`). `run` compares the types with the game.
    fn card(&mut self, mut words: Words) -> Result<(), String> {
        let Some((pack, before)) = self.file.packs.split_last_mut() else {
            return Err("this belongs to no pack".into());
        };
        let others: usize = before.iter().map(|pack| pack.cards.len()).sum();
        let too_many = || format!("the packs of a file have at most {MAX_PACK_CARDS} cards together");
        let Some(kind) = words.plain() else {
            return Err("a card of a pack begins with its type: `answer \"Tea\"`".into());
        };
        let room = MAX_PACK_CARDS.saturating_sub(others + pack.cards.len());
        let mut card = |text: &str, mut props: Vec<(String, i32)>| {
            if kind.trim_end_matches('s') == "prompt" && props.iter().all(|(name, _)| name != "pick") {
                props.push(("pick".to_owned(), 1));
            }
            pack.cards.push(PackCard { deck_type: kind.to_owned(), text: text.to_owned(), props });
        };
        if let Some(text) = words.quoted() {
            let mut props = Vec::new();
            while let Some(name) = words.plain() {
                let value = words.number().ok_or_else(|| format!("`{name}` is which number?"))?;
                props.push((name.to_owned(), value));
            }
            if room == 0 {
                return Err(too_many());
            }
            card(text, props);
        } else {
            let name = words.plain().ok_or("a card needs a text in quotes")?;
            let range = words.plain().and_then(|range| range.split_once("..")).ok_or("from where to where?")?;
            let (low, high): (u32, u32) =
                (range.0.parse().map_err(|_| "not a number")?, range.1.parse().map_err(|_| "not a number")?);
            if high.saturating_sub(low) as usize >= room {
                return Err(too_many());
            }
            for n in low..=high {
                card(&format!("{name}{n}"), Vec::new());
            }
        }
        if words.is_empty() { Ok(()) } else { Err(format!("what is `{}`?", words.show())) }
    }

    fn finish(mut self) -> Result<ScenarioFile, Vec<Mistake>> {
        for scenario in &self.file.scenarios {
            let fail = |why: &str| (scenario.line, format!("“{}”: {why}", scenario.title));
            if scenario.players == 0 {
                self.mistakes.push(fail("has no players"));
            }
            // A scenario whose last line checks nothing cannot fail because of that line.
            let looked_at = scenario.impossible.is_some()
                || scenario.statements.last().is_some_and(|(_, statement)| match statement {
                    Statement::Then(_) => true,
                    Statement::Act { refused, .. }
                    | Statement::Table { refused, .. }
                    | Statement::Start { refused, .. } => refused.is_some(),
                    _ => false,
                });
            if !looked_at {
                self.mistakes.push(fail("ends without saying what must hold"));
            }
            let happens = |statement: &Statement| !matches!(statement, Statement::Then(_));
            // A scenario about the cards of the deck needs no statement that changes the table.
            let about_the_deck = scenario.title.starts_with("The deck") || scenario.impossible.is_some();
            if !scenario.statements.iter().any(|(_, statement)| happens(statement)) && !about_the_deck {
                self.mistakes.push(fail("nothing happens"));
            }
            // `start where X` followed by `then X` cannot fail.
            let mut chosen_by: &[Vec<Word>] = &[];
            for (line, statement) in &scenario.statements {
                match statement {
                    Statement::Start { when, .. } => chosen_by = when,
                    Statement::Then(words) if chosen_by.contains(words) => {
                        self.mistakes.push((*line, "this can't fail: the start was chosen so that it holds".into()));
                    }
                    Statement::Then(_) => {}
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
        let setting_up = self.statements.is_empty();
        if words.eat("ticks") {
            let (Some(id), Some(quote)) = (words.plain(), words.quoted()) else {
                return fail("`ticks` needs the id of a rule and a few words of it in quotes".into());
            };
            self.ticks.push(Tick { line, id: id.to_owned(), quote: quote.to_owned() });
        } else if words.eat("players") {
            self.players = words.number().ok_or((line, "how many players?".to_owned()))?;
            while words.eat("bot") {
                self.bots.push(words.number().ok_or((line, "which seat?".to_owned()))?);
            }
        } else if words.eat("option") {
            let (Some(name), true, Some(value)) = (words.plain(), words.eat("="), words.next()) else {
                return fail("write: option NAME = VALUE".into());
            };
            self.options.push((name.to_owned(), value.text().to_owned()));
        } else if words.eat("preset") {
            self.preset = words.plain().map(str::to_owned);
        } else if words.eat("packs") {
            while let Some(name) = words.plain() {
                self.packs.push(name.to_owned());
            }
        } else if words.eat("can't be made:") {
            self.impossible = words.quoted().map(str::to_owned);
        } else {
            let statement = read_statement(line, words, block)?;
            self.statements.push((line, statement));
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

fn read_statement(line: usize, mut words: Words, block: Vec<(usize, String)>) -> Result<Statement, Mistake> {
    let fail = |why: &str| Err((line, why.to_owned()));
    if words.eat("arrange") {
        let mut places = Vec::new();
        for (line, text) in block {
            let Some((place, content)) = text.split_once(':') else {
                let hint = slips::in_place(&text).unwrap_or_else(|| "write: ZONE: CARDS, or NAME: VALUE".to_owned());
                return Err((line, hint));
            };
            places.push((line, place.trim().to_owned(), split(content).map_err(|why| (line, why))?));
        }
        return if places.is_empty() || !words.is_empty() {
            fail("what is arranged stands below, indented")
        } else {
            Ok(Statement::Arrange(places))
        };
    }
    if words.eat("then") {
        return if words.is_empty() { fail("then what?") } else { Ok(Statement::Then(words.0.to_vec())) };
    }
    if words.eat("next shuffle:") {
        return Ok(Statement::Shuffle(words.0.to_vec()));
    }
    if words.eat("next picks:") {
        let mut picks = Vec::new();
        while let Some(pick) = words.number() {
            picks.push(pick);
        }
        return if words.is_empty() && !picks.contains(&0) {
            Ok(Statement::Picks(picks))
        } else {
            fail("picks are numbers from 1 on")
        };
    }
    if words.eat("play on until") {
        return Ok(Statement::PlayOn(words.0.to_vec()));
    }
    let refused = read_refusal(&mut words).map_err(|why| (line, why))?;
    if words.eat("start") {
        let mut when = Vec::new();
        if words.eat("where") {
            when = words.0.split(|word| word.is("and")).map(<[Word]>::to_vec).collect();
            words = Words(&[]);
        }
        return if words.is_empty() {
            Ok(Statement::Start { when, refused })
        } else {
            fail("write: start, or start where …")
        };
    }
    if let Some(seat) = words.number() {
        return if seat == 0 {
            fail("seats are counted from 1")
        } else {
            Ok(Statement::Act { seat, words: words.0.to_vec(), refused })
        };
    }
    Ok(Statement::Table { words: words.0.to_vec(), refused })
}

/// Reads `-> refused "reason"` or `-> refused some/code` at the end of a line.
fn read_refusal(words: &mut Words) -> Result<Option<ExpectedRefusal>, String> {
    let Some(at) = words.0.iter().position(|word| word.is("->")) else { return Ok(None) };
    let mut after = Words(&words.0[at + 1..]);
    words.0 = &words.0[..at];
    if !after.eat("refused") {
        return Err("only `refused` stands behind `->`".into());
    }
    let refused = match after.next() {
        Some(Word::Quoted(reason)) => ExpectedRefusal::Reason(reason.clone()),
        Some(Word::Plain(code)) if Refusal::CODES.contains(&code.as_str()) => ExpectedRefusal::Code(code.clone()),
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
