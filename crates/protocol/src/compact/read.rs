//! Reads the compact form, for clients in Rust (tests and load generators).
//!
//! It has the same structure as `ts/compact.ts`. Unexpected input gives `None`: the sender is a server of another version.

mod decisions;
mod lines;
mod lists;
mod narrations;

use super::texts::TextNumbers;
use super::{ANNOUNCEMENT_KINDS, DecodedBatch, OUTCOME_KINDS};
use baize_engine::view::{
    BadgeView, Batch, CardView, Cause, Content, DecisionView, Event, OutcomeView, Placed, SeatView, StatusView,
    Waiting, ZoneView,
};
use decisions::{alternative, waiting};
use lines::{line, optional_line, word};
use lists::{counted, deserialize, each, element, flag, handles, narrowed, numbers, place, read_u64};
use narrations::narration;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn batch(values: &[Value], texts: &TextNumbers) -> Option<DecodedBatch> {
    let [seq, cause_form, rest @ ..] = values else { return None };
    let mut reader = Reader { rest, texts, waiting: Vec::new() };
    let (mut events, mut narrations, mut clocks) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(letter) = reader.next() {
        match letter.as_str()? {
            letter @ ("K" | "L") => {
                while let Some(place) = reader.next_before_letter() {
                    narrations.push(narration(letter, place, reader.next()?, texts)?);
                }
            }
            letter => reader.event(letter, &mut events, &mut clocks)?,
        }
    }
    let batch = Batch { seq: read_u64(seq)?, cause: cause(cause_form)?, events };
    Some(DecodedBatch { batch, narrations, clocks })
}

/// Reads a flat list from front to back.
struct Reader<'a> {
    rest: &'a [Value],
    texts: &'a TextNumbers,
    /// The last list of waiting players in this batch, to which a decision may refer.
    waiting: Vec<Waiting>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a Value> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// The next value unless it is the letter of the next event.
    fn next_before_letter(&mut self) -> Option<&'a Value> {
        self.rest.first().filter(|value| !value.is_string())?;
        self.next()
    }

    fn get<T: DeserializeOwned>(&mut self) -> Option<T> {
        deserialize(self.next()?)
    }

    /// All values before the next letter.
    fn read_remaining<T>(&mut self, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
        let mut found = Vec::new();
        while let Some(value) = self.next_before_letter() {
            found.push(read(value)?);
        }
        Some(found)
    }

    fn place(&mut self) -> Option<Option<u16>> {
        place(self.next()?)
    }

    fn event(&mut self, letter: &str, events: &mut Vec<Event>, clocks: &mut Vec<(u32, u64)>) -> Option<()> {
        let texts = self.texts;
        events.push(match letter {
            "m" => self.moved()?,
            "n" | "g" => {
                let (from, to, first) = (self.place()?, self.place()?, self.get::<u32>()?);
                let cards = self.read_remaining(card)?;
                let came = counted(first, cards)?.map(|(at, card)| Placed { at, card }).collect::<Vec<_>>();
                let seen_before = if letter == "g" { &came[..] } else { &[] };
                let gone = seen_before.iter().map(|placed| placed.card.handle).collect();
                Event::Moved { from, to, count: came.len() as u32, gone, came }
            }
            "y" => {
                while let Some(from) = self.next_before_letter() {
                    let (from, to) = (place(from)?, self.place()?);
                    events.push(Event::Moved { from, to, count: 1, gone: Vec::new(), came: Vec::new() });
                }
                return Some(());
            }
            "z" => {
                let (zone, cards) = (self.get()?, content(self.next()?)?);
                Event::Zone { zone, view: ZoneView { content: cards, turned: flag(self.next()?)? } }
            }
            "c" => Event::Cards { zone: self.get()?, cards: each(self.next()?, card)? },
            "t" => Event::Turned { zone: self.get()?, turned: flag(self.next()?)? },
            "x" => Event::Shuffled { zone: self.get()? },
            "v" | "d" => {
                while let Some(of) = self.next_before_letter() {
                    let (of, first): (u16, u16) = (deserialize(of)?, self.get()?);
                    let change = |(element, value): (u16, &Value)| {
                        let value: Option<i32> = deserialize(value)?;
                        Some(match letter {
                            "v" => Event::Value { var: of, element, value },
                            _ => Event::Dice { dice: of, element, face: value },
                        })
                    };
                    match self.next()? {
                        Value::Array(values) => {
                            for change in counted(first, values)?.map(change) {
                                events.push(change?);
                            }
                        }
                        value => events.push(change((first, value))?),
                    }
                }
                return Some(());
            }
            "V" => {
                while let Some(var) = self.next_before_letter() {
                    events.push(Event::Value { var: deserialize(var)?, element: 0, value: deserialize(self.next()?)? });
                }
                return Some(());
            }
            "R" => {
                while let Some(dice) = self.next_before_letter() {
                    let (dice, first): (u16, u16) = (deserialize(dice)?, self.get()?);
                    for (element, face) in counted(first, self.next()?.as_array()?)? {
                        events.push(Event::Rolled { dice, elements: vec![element] });
                        if !face.is_null() {
                            events.push(Event::Dice { dice, element, face: deserialize(face)? });
                        }
                    }
                }
                return Some(());
            }
            "T" => {
                let (dice, faces) = (self.get()?, self.next()?.as_array()?);
                let elements: Vec<u16> = narrowed(numbers(&self.read_remaining(|value| Some(value.clone()))?)?)?;
                events.push(Event::Rolled { dice, elements: elements.clone() });
                for (element, face) in elements.into_iter().zip(faces).filter(|(_, face)| !face.is_null()) {
                    events.push(Event::Dice { dice, element, face: deserialize(face)? });
                }
                return Some(());
            }
            "r" => {
                let (dice, elements) = (self.get()?, self.read_remaining(|value| Some(value.clone()))?);
                Event::Rolled { dice, elements: narrowed(numbers(&elements)?)? }
            }
            "p" => {
                let phase = self.next()?;
                Event::Phase { phase: if phase.is_null() { None } else { Some(word(phase, texts)?) } }
            }
            "l" => Event::Lead { seat: self.place()?.map(|seat| seat as u8) },
            "k" => Event::Paused { paused: flag(self.next()?)? },
            "i" => {
                let (seat, flags): (u8, u8) = (self.get()?, self.get()?);
                let bit = |bit: u8| flags & bit != 0;
                let view = SeatView {
                    playing: bit(1),
                    present: bit(2),
                    person: bit(4),
                    pending: bit(8),
                    turn: bit(16),
                    badges: each(self.next()?, |value| badge(value, texts))?.into(),
                    status: each(self.next()?, |value| mark(value, texts))?.into(),
                };
                Event::Seat { seat, view }
            }
            "b" => {
                let seat = self.get()?;
                let from = match self.rest.first() {
                    Some(Value::Number(_)) => self.get()?,
                    _ => 0,
                };
                Event::Badges { seat, from, badges: self.read_remaining(|value| badge(value, texts))?.into() }
            }
            "f" => {
                let mut of = None;
                while let Some(next) = self.next_before_letter() {
                    let run = match next {
                        Value::Array(run) => run,
                        seat => {
                            of = Some(deserialize(seat)?);
                            self.next()?.as_array()?
                        }
                    };
                    let (seat, (first, values)) = (of?, run.split_first()?);
                    for (at, value) in counted(deserialize::<u16>(first)?, values)? {
                        events.push(Event::Badge { seat, at, value: optional_line(Some(value), texts)? });
                    }
                }
                return Some(());
            }
            "j" => Event::Marks { seat: self.get()?, status: self.read_remaining(|value| mark(value, texts))?.into() },
            "h" => {
                Event::Highlights { handles: narrowed(numbers(&self.read_remaining(|value| Some(value.clone()))?)?)? }
            }
            "S" => Event::Status { from: self.get()?, lines: self.read_remaining(|value| line(value, texts))?.into() },
            "s" => Event::Status { from: 0, lines: self.read_remaining(|value| line(value, texts))?.into() },
            "w" => {
                let entries = self.read_remaining(|value| Some(value.clone()))?;
                self.waiting = match entries.first() {
                    Some(Value::Number(_)) => vec![waiting(&Value::Array(entries), texts)?],
                    _ => entries.iter().map(|entry| waiting(entry, texts)).collect::<Option<_>>()?,
                };
                Event::Waiting { waiting: self.waiting.clone().into() }
            }
            "q" => Event::Decision { decision: self.decision()?.map(Into::into) },
            "P" => Event::Skipped { seat: self.get()? },
            "a" => {
                let text = line(self.next()?, texts)?;
                let kind = match self.next()? {
                    Value::String(kind) => kind.clone(),
                    number => (*ANNOUNCEMENT_KINDS.get(deserialize::<usize>(number)?)?).to_owned(),
                };
                Event::Announced { text, kind }
            }
            "e" => Event::Revealed {
                text: optional_line(Some(self.next()?), texts)?,
                zone: self.place()?,
                faces: self.read_remaining(deserialize)?,
            },
            // Replays that older versions stored have outcomes as objects.
            "o" => Event::Outcome { outcome: self.get()? },
            "O" => Event::Outcome { outcome: Box::new(self.outcome()?) },
            "u" => {
                while let Some(decision) = self.next_before_letter() {
                    clocks.push((deserialize(decision)?, read_u64(self.next()?)?));
                }
                return Some(());
            }
            _ => return None,
        });
        Some(())
    }

    fn outcome(&mut self) -> Option<OutcomeView> {
        let mut outcome = OutcomeView {
            kind: match self.next()? {
                Value::String(kind) => kind.clone(),
                number => (*OUTCOME_KINDS.get(deserialize::<usize>(number)?)?).to_owned(),
            },
            winners: self.get()?,
            losers: self.get()?,
            ranks: self.get()?,
            banner: optional_line(Some(self.next()?), self.texts)?,
            score: None,
            fault: None,
        };
        // One number is a fault, two are a score.
        if let Some(first) = self.next_before_letter() {
            match self.next_before_letter() {
                Some(most) => outcome.score = Some((deserialize(first)?, deserialize(most)?)),
                None => outcome.fault = Some(deserialize(first)?),
            }
        }
        Some(outcome)
    }

    fn moved(&mut self) -> Option<Event> {
        let (from, to) = (self.place()?, self.place()?);
        let (mut count, mut gone, mut came) = (1, Vec::new(), Vec::new());
        match self.next_before_letter() {
            None => {}
            Some(value @ Value::Number(_)) => count = deserialize(value)?,
            Some(list) => {
                gone = handles(list)?;
                if let Some(list) = self.next_before_letter() {
                    came = placed(list)?;
                }
                count = gone.len().max(came.len()) as u32;
                if let Some(odd) = self.next_before_letter() {
                    count = deserialize(odd)?;
                }
            }
        }
        Some(Event::Moved { from, to, count, gone, came })
    }

    fn decision(&mut self) -> Option<Option<DecisionView>> {
        let texts = self.texts;
        let Some(head) = self.next_before_letter() else { return Some(None) };
        let (id, prompt) = match head {
            Value::Number(_) => {
                let waiting = self.waiting.get(deserialize::<usize>(head)?)?;
                (waiting.decision, waiting.prompt.clone())
            }
            _ => (element(head, 0)?, optional_line(head.get(1), texts)?),
        };
        let alternatives = self.read_remaining(|value| alternative(value, texts))?;
        Some(Some(DecisionView { id, prompt, alternatives }))
    }
}

fn cause(value: &Value) -> Option<Cause> {
    Some(match value {
        Value::String(_) => Cause::Start,
        Value::Number(_) => Cause::Move { seat: deserialize(value)? },
        _ => Cause::Input { kind: element(value, 0)?, seat: element(value, 1) },
    })
}

fn card(value: &Value) -> Option<CardView> {
    Some(match value {
        Value::Number(_) => CardView { handle: deserialize(value)?, face: None, written: None, by: None },
        _ => CardView {
            handle: element(value, 0)?,
            face: element(value, 1),
            by: element(value, 2),
            written: element(value, 3),
        },
    })
}

fn placed(value: &Value) -> Option<Vec<Placed>> {
    match &value.as_array()?[..] {
        [first, cards @ ..] if first.is_number() => {
            let first: u32 = deserialize(first)?;
            counted(first, cards)?.map(|(at, value)| Some(Placed { at, card: card(value)? })).collect()
        }
        each => each.iter().map(|value| Some(Placed { at: element(value, 0)?, card: card(value.get(1)?)? })).collect(),
    }
}

fn content(value: &Value) -> Option<Content> {
    Some(match value {
        Value::Null => Content::Nothing,
        Value::Number(_) => Content::Count(deserialize(value)?),
        _ => Content::Cards(each(value, card)?),
    })
}

fn badge(value: &Value, texts: &TextNumbers) -> Option<BadgeView> {
    Some(BadgeView {
        kind: word(value.get(0)?, texts)?,
        label: optional_line(value.get(1), texts)?,
        value: optional_line(value.get(2), texts)?,
    })
}

fn mark(value: &Value, texts: &TextNumbers) -> Option<StatusView> {
    Some(StatusView { word: word(value.get(0)?, texts)?, label: optional_line(value.get(1), texts)? })
}
