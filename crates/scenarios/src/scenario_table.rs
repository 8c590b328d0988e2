//! The table of a scenario.

use crate::chance::ScriptedChance;
use crate::conditions::Conditions;
use crate::file::ExpectedRefusal;
use crate::slips;
use crate::words::Word;
use baize_engine::cardset::CardSet;
use baize_engine::definition::TableDefinition;
use baize_engine::frame::{Frame, NO_ID, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::Instance;
use baize_engine::moves::Refusal;
use baize_engine::observe::{Observer, revealed_text};
use baize_engine::sight::Scene;
use baize_engine::sink::RawEvent;
use baize_engine::view::{Piece, RichText, View, Viewer};
use baize_rules::diagnostic::line_column;
use baize_rules::program::{AttrDomain, Dim, NONE, Pc, Type, ValueFormat, VarKind, capitalised};
use std::sync::Arc;

/// Why a line of a scenario fails.
#[derive(Debug)]
pub enum LineFailure {
    /// The line means nothing in this game.
    Unclear(String),
    /// The line is clear, but it does not hold.
    Wrong(String),
}

/// The result of reading or checking a line.
pub type Checked<T = ()> = Result<T, LineFailure>;

pub fn unclear<T>(why: impl Into<String>) -> Checked<T> {
    Err(LineFailure::Unclear(why.into()))
}

pub fn wrong<T>(why: impl Into<String>) -> Checked<T> {
    Err(LineFailure::Wrong(why.into()))
}

/// Upper bound on the cards that one word (`3×12`, `A1..A4`) stands for.
const MAX_CARDS_PER_WORD: usize = 20_000;

/// A table whose cards, values and chance a scenario sets.
#[derive(Clone)]
pub struct ScenarioTable<S> {
    pub instance: Arc<Instance<S>>,
    scene: Arc<Scene<S>>,
    /// The label of each face, as players read it.
    faces: Arc<Vec<String>>,
    /// The compiled conditions that are written in the words of the rules.
    pub(crate) conditions: Arc<Conditions<S>>,
    pub frame: Frame<S>,
    pub chance: ScriptedChance,
    /// The events of the last move or input.
    pub events: Vec<RawEvent>,
}

impl<S: CardSet> ScenarioTable<S> {
    pub fn new(source: &str, instance: &Arc<Instance<S>>) -> Self {
        let scene = Arc::new(Scene::new(instance.clone()));
        let faces = TableDefinition::of(&scene).faces.into_iter().map(|face| face.label).collect();
        ScenarioTable {
            instance: instance.clone(),
            scene,
            faces: Arc::new(faces),
            conditions: Arc::new(Conditions::new(source)),
            frame: instance.frame(),
            chance: ScriptedChance::new(0),
            events: Vec::new(),
        }
    }

    /// Returns the seat with this number. Scenarios count players from 1.
    pub fn seat(&self, number: usize) -> Checked<u8> {
        match number.checked_sub(1) {
            Some(seat) if seat < self.instance.seats => Ok(seat as u8),
            _ => unclear(format!("there is no player {number}: they are counted from 1 to {}", self.instance.seats)),
        }
    }

    pub fn view(&self, viewer: Viewer) -> View {
        Observer::new(&self.scene, &self.frame, viewer, 0).view().clone()
    }

    /// What players read of a revealed value.
    pub fn revealed_text(&self, listed: u16, value: i32, show: &ValueFormat) -> RichText {
        revealed_text(&self.scene, &self.frame, listed, value, show)
    }

    pub fn input(&mut self, input: &Input, refused: Option<&ExpectedRefusal>) -> Checked {
        let before = self.frame.clone();
        let mut events = Vec::new();
        let result = self.instance.input(&mut self.frame, input, &mut self.chance, &mut events);
        self.check_result(before, events, result, refused)
    }

    pub fn play(&mut self, seat: u8, answer: &baize_engine::moves::Move, refused: Option<&ExpectedRefusal>) -> Checked {
        let before = self.frame.clone();
        let mut events = Vec::new();
        let result = self.instance.play(&mut self.frame, seat, answer, &mut self.chance, &mut events);
        self.check_result(before, events, result, refused)
    }

    /// Compares the result of a move or input with the expected one. A refused move must have changed nothing; an
    /// accepted one must not have ended the game by a fault of the rules.
    fn check_result(
        &mut self,
        before: Frame<S>,
        events: Vec<RawEvent>,
        result: Result<(), Refusal>,
        refused: Option<&ExpectedRefusal>,
    ) -> Checked {
        if let Some(mistake) = self.chance.mistake.take() {
            return wrong(mistake);
        }
        match (result, refused) {
            (Ok(()), None) => {
                self.events = events;
                match self.frame.outcome.as_ref().and_then(|o| o.fault) {
                    Some(pc) => wrong(self.out_of_budget(pc)),
                    None => Ok(()),
                }
            }
            (Ok(()), Some(_)) => wrong("it was not refused"),
            (Err(refusal), None) => {
                wrong(format!("it was refused: {}{}", self.refusal(&refusal), self.instead(&refusal)))
            }
            (Err(refusal), Some(wanted)) => {
                if self.frame != before || !events.is_empty() {
                    return wrong("it was refused and changed something all the same");
                }
                let fits = match wanted {
                    ExpectedRefusal::Code(code) => refusal.code() == code,
                    ExpectedRefusal::Reason(reason) => match &refusal {
                        Refusal::NotLegal(line) | Refusal::Requires(line) => self.line(line) == *reason,
                        _ => false,
                    },
                };
                if fits {
                    Ok(())
                } else {
                    wrong(format!("it was refused for another reason: {}", self.refusal(&refusal)))
                }
            }
        }
    }

    /// Names the line of the rules that used up the budget of a step, and quotes it.
    fn out_of_budget(&self, pc: Pc) -> String {
        let source = self.conditions.source();
        let span = self.instance.program.spans.get(pc as usize).copied().unwrap_or_default();
        let (line, _) = line_column(source, span.start as usize);
        let quoted = source.lines().nth(line - 1).unwrap_or_default().trim();
        format!("the rules used up their budget in line {line}, `{quoted}`: nothing in there asks somebody or ends it")
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::NotLegal(line) | Refusal::Requires(line) => format!("\"{}\"", self.line(line)),
            _ => refusal.code().to_owned(),
        }
    }

    /// For the refusal of a player who is not asked: names who is asked, and what.
    fn instead(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::NotYours | Refusal::NoDecision | Refusal::Answered | Refusal::Closed => {
                format!(". {}", capitalised(&self.who_is_asked()))
            }
            _ => String::new(),
        }
    }

    /// Who is asked now, and what: `2 is asked "Play a card"`.
    pub fn who_is_asked(&self) -> String {
        let asked: Vec<String> = seats_of(self.frame.open)
            .map(|seat| {
                let decision = self.view(Viewer::Seat(seat)).decision;
                let prompt = decision.and_then(|decision| decision.prompt.clone()).map(|line| self.line(&line));
                prompt.map_or(format!("{} is asked", seat + 1), |prompt| format!("{} is asked \"{prompt}\"", seat + 1))
            })
            .collect();
        if asked.is_empty() { "nobody is asked anything".to_owned() } else { asked.join(", ") }
    }

    /// Writes out a line of text. Players are named by their seats: `Player 1`.
    pub fn line(&self, line: &RichText) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Written(text) => text.clone(),
            Piece::Seat(seat) => format!("Player {}", seat + 1),
            Piece::Face(face) => self.faces[*face as usize].clone(),
        };
        line.0.iter().map(piece).collect()
    }

    /// Returns the name of a card in scenarios: `A♠`, `12`, `Jester`, or its text.
    pub fn label(&self, card: u16) -> String {
        let info = &self.instance.cards.cards[card as usize];
        if let Some(text) = self.frame.written(card) {
            return text.to_owned();
        }
        if let Some(text) = info.text.as_ref().filter(|t| !t.is_empty()) {
            return text.clone();
        }
        // Several cards may share a name. It is used only if it is also the face, or if there are no attributes.
        let face = &self.faces[self.instance.face(card) as usize];
        if let Some(name) = info.name.as_ref().filter(|name| *name == face || info.attrs.is_empty()) {
            return name.clone();
        }
        self.values(card, true)
    }

    /// Returns the values of a card's attributes in one word, in the order of declaration or in reverse.
    fn values(&self, card: u16, last_first: bool) -> String {
        let info = &self.instance.cards.cards[card as usize];
        let names = info.attrs.iter().map(|(attr, value)| self.instance.attr_name(*attr, *value));
        let mut names: Vec<String> = names.collect();
        if last_first {
            names.reverse();
            // Rank before suit: `A♠`.
            names.sort_by_key(|name| "♠♥♦♣".contains(name.as_str()));
        }
        names.concat()
    }

    /// Whether a scenario may use this name for a card: its label, its face as players read it, or its values.
    fn is_called(&self, card: u16, name: &str) -> bool {
        let unnamed = || self.instance.cards.cards[card as usize].text.is_none();
        self.label(card) == name
            || unnamed()
                && (self.faces[self.instance.face(card) as usize] == name
                    || self.values(card, false) == name
                    || self.values(card, true) == name)
    }

    pub fn labels(&self, cards: impl IntoIterator<Item = u16>) -> String {
        let labels: Vec<String> = cards.into_iter().map(|card| self.label(card)).collect();
        if labels.is_empty() { "nothing".to_owned() } else { labels.join(" ") }
    }

    /// Returns the labels that a list of cards names, with `3×12` and `A1..A4` written out.
    pub fn names(&self, words: &[Word]) -> Checked<Vec<String>> {
        let mut names = Vec::new();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            // A name of several words stands in quotes, so the number of cards is a word of its own: `3×"Short hedge"`.
            if let (Some(times), Some(Word::Quoted(name))) = (word.times(), words.peek()) {
                if times > MAX_CARDS_PER_WORD {
                    return unclear(format!("how many times is `{word}`?"));
                }
                names.extend(std::iter::repeat_n(name.clone(), times));
                words.next();
                continue;
            }
            let plain = matches!(word, Word::Plain(_));
            let (times, name) = match word.text().split_once('×').filter(|_| plain) {
                Some((times, name)) => match times.parse::<usize>() {
                    Ok(times) if times <= MAX_CARDS_PER_WORD => (times, name),
                    _ => return unclear(format!("how many times is `{word}`?")),
                },
                None => (1, word.text()),
            };
            if let Some((from, to)) = name.split_once("..").filter(|_| plain) {
                let digits = |name: &str| name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().ok();
                let stem = from.trim_end_matches(|c: char| c.is_ascii_digit());
                let (Some(low), Some(high)) = (digits(from), digits(to)) else {
                    return unclear(format!("what is `{word}`?"));
                };
                if high.saturating_sub(low) as usize > MAX_CARDS_PER_WORD {
                    return unclear(format!("there are not so many cards as `{word}`"));
                }
                names.extend((low..=high).map(|n| format!("{stem}{n}")));
                continue;
            }
            names.extend(std::iter::repeat_n(name.to_owned(), times));
        }
        let all = || 0..self.instance.cards.len() as u16;
        let label = |name: String| {
            let exactly = all().any(|card| self.label(card) == name);
            match all().find(|card| self.is_called(*card, &name)) {
                _ if exactly => Ok(name),
                Some(card) => Ok(self.label(card)),
                None => {
                    let meant = slips::in_card(&name).filter(|meant| all().any(|card| self.label(card) == *meant));
                    let hint = meant.map_or_else(
                        || self.such_as(),
                        |meant| format!(": cards are written with the sign of their suit, `{meant}`"),
                    );
                    unclear(format!("no card is called `{name}`{hint}"))
                }
            }
        };
        names.into_iter().map(label).collect()
    }

    /// Returns three examples of cards' names in this game, for a message.
    fn such_as(&self) -> String {
        let mut examples: Vec<String> = Vec::new();
        for card in 0..self.instance.cards.len() as u16 {
            // A card of several values is called as players read it, which is easier to read than its values in one word.
            let (label, face) = (self.label(card), &self.faces[self.instance.face(card) as usize]);
            let name = if self.is_called(card, face) { face.clone() } else { label };
            if !examples.contains(&name) {
                examples.push(name);
            }
            if examples.len() == 3 {
                break;
            }
        }
        let quoted = |label: &String| if label.contains(' ') { format!("\"{label}\"") } else { format!("`{label}`") };
        match examples.is_empty() {
            true => String::new(),
            false => format!(": here they are called {} …", examples.iter().map(quoted).collect::<Vec<_>>().join(", ")),
        }
    }

    /// Finds a different card for each name. Prefers cards in `first`.
    pub fn cards(&self, words: &[Word], first: &[u16]) -> Checked<Vec<u16>> {
        let mut taken: Vec<u16> = Vec::new();
        for name in self.names(words)? {
            let all = 0..self.instance.cards.len() as u16;
            let fits = |card: &u16| !taken.contains(card) && self.label(*card) == name;
            let Some(card) = first.iter().copied().find(fits).or_else(|| all.into_iter().find(fits)) else {
                return unclear(format!("there are not so many cards called `{name}`"));
            };
            taken.push(card);
        }
        Ok(taken)
    }

    /// Returns the zones that a word names: `hand[2]`, `piles[3]`, `trick`, or `hand` for the hands of all players.
    pub fn zone(&self, word: &str) -> Option<Vec<usize>> {
        let (name, index) = split_index(word);
        let id = self.instance.program.zones.iter().position(|zone| zone.name == name)?;
        let layout = &self.instance.layout.zones[id];
        if index.is_empty() {
            return Some((layout.base as usize..(layout.base + layout.len) as usize).collect());
        }
        let index = self.index(&self.instance.program.zones[id].dims, &index)?;
        self.instance.instance_of(id, &index).map(|zone| vec![zone])
    }

    pub fn one_zone(&self, word: &str) -> Checked<usize> {
        match self.zone(word).as_deref() {
            Some([zone]) => Ok(*zone),
            Some(_) => unclear(format!("there are several `{word}`: which one?")),
            None => unclear(slips::in_name(word).unwrap_or_else(|| format!("no zone is called `{word}`"))),
        }
    }

    /// Returns the cell and the type of the variable that a word such as `letters[2]` or `leader` names.
    pub fn variable(&self, word: &str) -> Option<(usize, &Type)> {
        let (name, index) = split_index(word);
        let vars = &self.instance.program.vars;
        let declared = |kind: &VarKind| matches!(kind, VarKind::State { .. } | VarKind::Sealed | VarKind::Dice { .. });
        let id = vars.iter().position(|var| var.name == name && declared(&var.kind))?;
        let (var, layout) = (&vars[id], &self.instance.layout.vars[id]);
        let index = self.index(&var.dims, &index)?;
        let mut at = layout.base;
        for (dim, value) in layout.dims.iter().zip(index) {
            let n = u32::try_from(value.checked_sub(dim.low)?).ok().filter(|n| *n < dim.size)?;
            at += n * dim.stride;
        }
        Some((at as usize, &var.ty))
    }

    /// Returns the position in a view of the die that a word such as `die` or `cup[2, 1]` names: the dice, and the die
    /// in them.
    pub fn die(&self, word: &str) -> Option<(usize, usize)> {
        let (cell, _) = self.variable(word)?;
        self.scene.dice.iter().enumerate().find_map(|(at, var)| {
            let layout = &self.instance.layout.vars[*var as usize];
            let element = cell.checked_sub(layout.base as usize)?;
            (element < layout.len as usize).then_some((at, element))
        })
    }

    /// Writes a face of dice at this position in a view: the word of the side, or its number.
    pub fn side_of_die(&self, dice: usize, side: i32) -> String {
        self.words_of_die(dice).get(side as usize).cloned().unwrap_or_else(|| side.to_string())
    }

    /// Returns the words on the sides of dice at this position in a view, with `none` for dice that are not rolled first; nothing if
    /// the sides show numbers.
    pub fn words_of_die(&self, dice: usize) -> Vec<String> {
        let program = &self.instance.program;
        let kind = self.scene.dice.get(dice).map(|var| &program.vars[*var as usize].kind);
        let Some(VarKind::Dice { faces: Some(words), .. }) = kind else { return Vec::new() };
        let values = program.tables.get(usize::from(words.table)).map(|table| &table.values[..]).unwrap_or_default();
        values.iter().map(|value| self.instance.attr_name(words.attr, *value)).collect()
    }

    pub(crate) fn index(&self, dims: &[Dim], index: &[&str]) -> Option<Vec<i32>> {
        if dims.len() != index.len() {
            return None;
        }
        let value = |(dim, text): (&Dim, &&str)| match dim {
            Dim::Player => text.parse::<i32>().ok().and_then(|seat| seat.checked_sub(1)),
            Dim::Range { .. } => text.parse().ok(),
            Dim::Attr(attr) => self.attr_value(*attr, text),
        };
        dims.iter().zip(index).map(value).collect()
    }

    pub fn attr_value(&self, attr: u16, text: &str) -> Option<i32> {
        match &self.instance.program.attrs[attr as usize].values {
            AttrDomain::Names(names) => names.iter().position(|name| name == text).map(|at| at as i32),
            _ => text.parse().ok(),
        }
    }

    /// Reads a value of this type as scenarios write it.
    pub fn read_value(&self, ty: &Type, text: &str) -> Checked<i32> {
        let value = match ty {
            Type::YesNo => ["no", "yes"].iter().position(|word| *word == text).map(|at| at as i32),
            Type::Player if text == "nobody" => Some(NONE),
            Type::Player => {
                text.parse::<i32>().ok().filter(|seat| (1..=self.instance.seats as i32).contains(seat)).map(|s| s - 1)
            }
            Type::Choice(names) => names.iter().position(|name| name == text).map(|at| at as i32),
            Type::Attr(attr) => self.attr_value(*attr, text),
            Type::Number { low, high } | Type::Seconds { low, high } => {
                let number = text.parse::<i32>().ok();
                if number.is_some_and(|number| !(*low..=*high).contains(&number)) {
                    return unclear(format!("it goes from {low} to {high}"));
                }
                number
            }
            _ => None,
        };
        value.map_or_else(|| unclear(format!("`{text}` is not a value it can have")), Ok)
    }

    /// Returns the decision whose clock runs.
    pub fn timed_decision(&self) -> Option<u32> {
        if self.frame.together != NO_ID {
            return Some(self.frame.decision);
        }
        seats_of(self.frame.open).next().map(|seat| self.frame.seats[seat as usize].decision)
    }
}

/// Splits a word into name and index: `hand[2]` into `hand` and `2`, `cup[2, 1]` into `cup`, `2` and `1`.
fn split_index(word: &str) -> (&str, Vec<&str>) {
    match word.strip_suffix(']').and_then(|word| word.split_once('[')) {
        Some((name, index)) => (name, index.split(',').map(str::trim).collect()),
        None => (word, Vec::new()),
    }
}
