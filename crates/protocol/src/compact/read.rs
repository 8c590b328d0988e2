//! Reads the compact form, for clients in Rust (tests and load generators).
//!
//! It has the same structure as `ts/compact.ts`. Unexpected input gives `None`: the sender is a server of another version.

use super::texts::TextNumbers;
use super::{ANNOUNCEMENT_KINDS, DecodedBatch, OUTCOME_KINDS};
use baize_engine::view::{
    AlternativeView, BadgeView, Batch, Blocked, CardView, Cause, Clock, Content, DecisionView, Event, Handle,
    OutcomeView, PartKindView, PartView, Piece, Placed, RichText, SeatView, StatusView, Waiting, ZoneView,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

pub(super) fn batch(values: &[Value], texts: &TextNumbers) -> Option<DecodedBatch> {
    let [seq, cause_form, rest @ ..] = values else { return None };
    let mut reader = Reader { rest, texts, waiting: Vec::new() };
    let (mut events, mut clocks) = (Vec::new(), Vec::new());
    while let Some(letter) = reader.next() {
        reader.event(letter.as_str()?, &mut events, &mut clocks)?;
    }
    Some(DecodedBatch { batch: Batch { seq: read_u64(seq)?, cause: cause(cause_form)?, events }, clocks })
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
    fn rest<T>(&mut self, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
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
                let cards = self.rest(card)?;
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
                let elements: Vec<u16> = narrowed(numbers(&self.rest(|value| Some(value.clone()))?)?)?;
                events.push(Event::Rolled { dice, elements: elements.clone() });
                for (element, face) in elements.into_iter().zip(faces).filter(|(_, face)| !face.is_null()) {
                    events.push(Event::Dice { dice, element, face: deserialize(face)? });
                }
                return Some(());
            }
            "r" => {
                let (dice, elements) = (self.get()?, self.rest(|value| Some(value.clone()))?);
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
                Event::Badges { seat, from, badges: self.rest(|value| badge(value, texts))?.into() }
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
            "j" => Event::Marks { seat: self.get()?, status: self.rest(|value| mark(value, texts))?.into() },
            "h" => Event::Highlights { handles: narrowed(numbers(&self.rest(|value| Some(value.clone()))?)?)? },
            "S" => Event::Status { from: self.get()?, lines: self.rest(|value| line(value, texts))?.into() },
            "s" => Event::Status { from: 0, lines: self.rest(|value| line(value, texts))?.into() },
            "w" => {
                let entries = self.rest(|value| Some(value.clone()))?;
                self.waiting = match entries.first() {
                    Some(Value::Number(_)) => vec![waiting(&Value::Array(entries), texts)?],
                    _ => entries.iter().map(|entry| waiting(entry, texts)).collect::<Option<_>>()?,
                };
                Event::Waiting { waiting: self.waiting.clone().into() }
            }
            "q" => Event::Decision { decision: self.decision()?.map(Into::into) },
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
                faces: self.rest(deserialize)?,
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
        Some(OutcomeView {
            kind: match self.next()? {
                Value::String(kind) => kind.clone(),
                number => (*OUTCOME_KINDS.get(deserialize::<usize>(number)?)?).to_owned(),
            },
            winners: self.get()?,
            losers: self.get()?,
            ranks: self.get()?,
            banner: optional_line(Some(self.next()?), self.texts)?,
            fault: match self.next_before_letter() {
                Some(fault) => Some(deserialize(fault)?),
                None => None,
            },
        })
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
        let alternatives = self.rest(|value| alternative(value, texts))?;
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

fn word(value: &Value, texts: &TextNumbers) -> Option<String> {
    match value {
        Value::String(word) => Some(word.clone()),
        number => match texts.get(deserialize(number)?)? {
            [word] => Some(word.clone()),
            _ => None,
        },
    }
}

fn line(value: &Value, texts: &TextNumbers) -> Option<RichText> {
    let mut made = RichText::default();
    match value {
        Value::String(_) | Value::Number(_) => made.0.push(Piece::Text(word(value, texts)?)),
        _ => match &value.as_array()?[..] {
            [number, holes @ ..] if number.as_i64().is_some_and(|n| n < 0) => {
                let around = texts.get(u32::try_from(-1 - number.as_i64()?).ok()?)?;
                if around.len() != holes.len() + 1 {
                    return None;
                }
                append_text(&mut made, &around[0]);
                for (hole, after) in holes.iter().zip(&around[1..]) {
                    match (hole, hole.as_i64()) {
                        (_, Some(seat @ ..0)) => made.0.push(Piece::Seat(u8::try_from(-1 - seat).ok()?)),
                        (_, Some(number)) => append_text(&mut made, &number.to_string()),
                        (Value::String(text), _) => append_text(&mut made, text),
                        _ => match element::<i64>(hole, 0) {
                            Some(number @ ..0) => append_text(&mut made, &word(&Value::from(-1 - number), texts)?),
                            _ => made.0.push(piece(hole)?),
                        },
                    }
                    append_text(&mut made, after);
                }
            }
            pieces => made.0 = pieces.iter().map(piece).collect::<Option<_>>()?,
        },
    }
    Some(made)
}

/// Appends a text. Adjacent texts become one piece.
fn append_text(line: &mut RichText, text: &str) {
    match line.0.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(last)) => last.push_str(text),
        _ => line.0.push(Piece::Text(text.to_owned())),
    }
}

fn optional_line(value: Option<&Value>, texts: &TextNumbers) -> Option<Option<RichText>> {
    match value.filter(|value| value.as_i64() != Some(-1)) {
        None => Some(None),
        Some(value) => line(value, texts).map(Some),
    }
}

fn piece(value: &Value) -> Option<Piece> {
    Some(match value {
        Value::String(text) => Piece::Text(text.clone()),
        Value::Number(_) => Piece::Seat(deserialize(value)?),
        Value::Array(_) => Piece::Face(element(value, 0)?),
        _ => Piece::Written(deserialize(value.get("w")?)?),
    })
}

/// Numbers the values from `first` on. Returns none if the numbers exceed the type.
fn counted<T, V>(first: T, values: V) -> Option<impl Iterator<Item = (T, V::Item)>>
where
    T: Copy + TryFrom<u64> + Into<u64>,
    V: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let values = values.into_iter();
    let start = first.into();
    T::try_from(start.checked_add(values.len() as u64)?).ok()?;
    Some((start..).zip(values).filter_map(|(n, value)| Some((T::try_from(n).ok()?, value))))
}

/// Upper bound on the numbers in a list, so that a short run can't fill the memory.
const MAX_LIST: i64 = 1 << 16;

/// Reads numbers. A negative number -n stands for the run from the number before it up to n.
fn numbers(values: &[Value]) -> Option<Vec<i64>> {
    let mut found: Vec<i64> = Vec::new();
    for value in values {
        match value.as_i64()? {
            n @ 0.. => found.push(n),
            last => {
                let (first, last) = (found.last()?.checked_add(1)?, last.checked_neg()?);
                found.extend(first..=last.min(first.saturating_add(MAX_LIST)));
                if found.len() as i64 > MAX_LIST {
                    return None;
                }
            }
        }
    }
    Some(found)
}

fn handles(value: &Value) -> Option<Vec<Handle>> {
    narrowed(numbers(value.as_array()?)?)
}

fn narrowed<T: TryFrom<i64>>(numbers: Vec<i64>) -> Option<Vec<T>> {
    numbers.into_iter().map(|n| T::try_from(n).ok()).collect()
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

fn waiting(value: &Value, texts: &TextNumbers) -> Option<Waiting> {
    let decision: u32 = element(value, 1)?;
    let clock = element(value, 3).map(|seconds| Clock { decision: element(value, 4).unwrap_or(decision), seconds });
    Some(Waiting { seat: element(value, 0)?, decision, prompt: optional_line(value.get(2), texts)?, clock })
}

fn alternative(value: &Value, texts: &TextNumbers) -> Option<AlternativeView> {
    let mut made = AlternativeView {
        index: element(value, 0)?,
        name: word(value.get(1)?, texts)?,
        label: line(value.get(2)?, texts)?,
        legal: true,
        parts: Vec::new(),
        combinations: None,
    };
    for more in &value.as_array()?[3..] {
        match more {
            Value::Array(_) => made.parts.push(part(more, texts)?),
            Value::Object(_) => made.combinations = Some(deserialize(more.get("c")?)?),
            _ => made.legal = false,
        }
    }
    Some(made)
}

fn part(value: &Value, texts: &TextNumbers) -> Option<PartView> {
    let rest = value.as_array()?.get(2..)?;
    let kind = match value.get(1)?.as_u64()? {
        0 => {
            let (options, reasons) = rest.split_first()?;
            let mut blocked = Vec::new();
            for run in reasons {
                let (reason, cards) = run.as_array()?.split_first()?;
                let reason = optional_line(Some(reason), texts)?.map(Arc::new);
                let cards: Vec<Handle> = narrowed(numbers(cards)?)?;
                blocked.extend(cards.into_iter().map(|handle| Blocked { handle, reason: reason.clone() }));
            }
            PartKindView::Card { options: handles(options)?, blocked }
        }
        1 => PartKindView::Unseen { zone: element(value, 2)?, count: element(value, 3)? },
        2 => PartKindView::Cards {
            low: element(value, 2)?,
            high: element(value, 3)?,
            options: handles(value.get(4)?)?,
            ordered: rest.len() > 3,
        },
        3 => PartKindView::Sets { options: rest.iter().map(handles).collect::<Option<_>>()? },
        4 => PartKindView::Number { low: element(value, 2)?, high: element(value, 3)?, only: element(value, 4) },
        5 => PartKindView::Pile { options: piles(rest)? },
        6 => PartKindView::Player { options: element(value, 2)? },
        7 => {
            let options = rest.chunks(2).map(|two| Some((deserialize(two.first()?)?, word(two.get(1)?, texts)?)));
            PartKindView::Value { options: options.collect::<Option<_>>()? }
        }
        8 => PartKindView::Yesno { options: element(value, 2)? },
        9 => PartKindView::Text { most: element(value, 2)? },
        10 => {
            let only = match value.get(5) {
                Some(only) => Some(narrowed(numbers(only.as_array()?)?)?),
                None => None,
            };
            PartKindView::Dice { dice: element(value, 2)?, first: element(value, 3)?, count: element(value, 4)?, only }
        }
        _ => return None,
    };
    Some(PartView { name: word(value.get(0)?, texts)?, kind })
}

fn piles(rest: &[Value]) -> Option<Vec<(i32, u16)>> {
    match rest.split_first()? {
        (Value::Array(pairs), _) => {
            pairs.chunks(2).map(|two| Some((deserialize(two.first()?)?, deserialize(two.get(1)?)?))).collect()
        }
        (offset, values) => {
            let offset = offset.as_i64()?;
            let pile = |n: i64| Some((i32::try_from(n).ok()?, u16::try_from(n.checked_add(offset)?).ok()?));
            numbers(values)?.into_iter().map(pile).collect()
        }
    }
}

/// Reads a zone or a seat; -1 means none.
fn place(value: &Value) -> Option<Option<u16>> {
    match value.as_i64()? {
        -1 => Some(None),
        n => u16::try_from(n).ok().map(Some),
    }
}

fn flag(value: &Value) -> Option<bool> {
    Some(value.as_u64()? != 0)
}

/// Reads an unsigned number. The notation has signed 64-bit numbers only.
fn read_u64(value: &Value) -> Option<u64> {
    u64::try_from(value.as_i64()?).ok()
}

fn each<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

fn element<T: DeserializeOwned>(value: &Value, at: usize) -> Option<T> {
    deserialize(value.get(at)?)
}

fn deserialize<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}
