//! The way back from the compact form, for clients written in Rust (tests, the terminal, load generators).
//!
//! Written to be read next to `ts/compact.ts`. Anything unexpected gives `None`: the sender is a server of another version.

use super::WireBatch;
use baize_engine::view::{
    AlternativeView, BadgeView, Batch, Blocked, CardView, Cause, Clock, Content, DecisionView, Event, Line,
    PartKindView, PartView, Piece, Placed, SeatView, Status, Waiting, ZoneView,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) fn batch(value: &Value) -> Option<WireBatch> {
    let seq = at(value, 0)?;
    let cause = cause(value.get(1)?)?;
    let events = each(value.get(2)?, event)?;
    let clocks = at(value, 3).unwrap_or_default();
    Some(WireBatch { batch: Batch { seq, cause, events }, clocks })
}

fn cause(value: &Value) -> Option<Cause> {
    Some(match value {
        Value::String(_) => Cause::Start,
        Value::Number(_) => Cause::Move { seat: plain(value)? },
        _ => Cause::Input { kind: at(value, 0)?, seat: at(value, 1) },
    })
}

fn event(value: &Value) -> Option<Event> {
    Some(match value.get(0)?.as_str()? {
        "m" => Event::Moved {
            from: at(value, 1)?,
            to: at(value, 2)?,
            count: at(value, 3)?,
            gone: at(value, 4).unwrap_or_default(),
            came: value.get(5).map_or(Some(Vec::new()), |came| each(came, placed))?,
        },
        "z" => Event::Zone { zone: at(value, 1)?, view: zone(value.get(2)?, flag(value, 3)?)? },
        "c" => Event::Cards { zone: at(value, 1)?, cards: each(value.get(2)?, card)? },
        "t" => Event::Turned { zone: at(value, 1)?, turned: flag(value, 2)? },
        "x" => Event::Shuffled { zone: at(value, 1)? },
        "v" => Event::Value { var: at(value, 1)?, element: at(value, 2)?, value: at(value, 3)? },
        "d" => Event::Dice { dice: at(value, 1)?, element: at(value, 2)?, face: at(value, 3)? },
        "r" => Event::Rolled { dice: at(value, 1)?, elements: at(value, 2)? },
        "p" => Event::Phase { phase: at(value, 1)? },
        "l" => Event::Lead { seat: at(value, 1)? },
        "k" => Event::Paused { paused: flag(value, 1)? },
        "i" => Event::Seat { seat: at(value, 1)?, view: seat(value)? },
        "h" => Event::Highlights { handles: at(value, 1)? },
        "s" => Event::Status { lines: each(value.get(1)?, line)? },
        "w" => Event::Waiting { waiting: each(value.get(1)?, waiting)? },
        "q" => Event::Decision { decision: optional(value.get(1), decision)? },
        "a" => Event::Announced { text: line(value.get(1)?)?, kind: at(value, 2)? },
        "e" => Event::Revealed { text: optional(value.get(1), line)?, zone: at(value, 2)?, faces: at(value, 3)? },
        "o" => Event::Outcome { outcome: at(value, 1)? },
        _ => return None,
    })
}

fn line(value: &Value) -> Option<Line> {
    Some(Line(match value {
        Value::String(text) => vec![Piece::Text(text.clone())],
        _ => each(value, piece)?,
    }))
}

fn piece(value: &Value) -> Option<Piece> {
    Some(match value {
        Value::String(text) => Piece::Text(text.clone()),
        Value::Number(_) => Piece::Seat(plain(value)?),
        Value::Array(_) => Piece::Face(at(value, 0)?),
        _ => Piece::Written(value.get("w")?.as_str()?.to_owned()),
    })
}

fn card(value: &Value) -> Option<CardView> {
    if value.is_number() {
        return Some(CardView { handle: plain(value)?, face: None, written: None, by: None });
    }
    Some(CardView { handle: at(value, 0)?, face: at(value, 1)?, by: at(value, 2).flatten(), written: at(value, 3) })
}

fn placed(value: &Value) -> Option<Placed> {
    Some(Placed { at: at(value, 0)?, card: card(value.get(1)?)? })
}

fn zone(value: &Value, turned: bool) -> Option<ZoneView> {
    let content = match value {
        Value::Null => Content::Nothing,
        Value::Number(_) => Content::Count(plain(value)?),
        _ => Content::Cards(each(value, card)?),
    };
    Some(ZoneView { content, turned })
}

fn seat(value: &Value) -> Option<SeatView> {
    let flags: u8 = at(value, 2)?;
    let bit = |n: u8| flags >> n & 1 == 1;
    Some(SeatView {
        playing: bit(0),
        present: bit(1),
        person: bit(2),
        pending: bit(3),
        turn: bit(4),
        badges: value.get(3).map_or(Some(Vec::new()), |badges| each(badges, badge))?,
        status: value.get(4).map_or(Some(Vec::new()), |words| each(words, status))?,
    })
}

fn badge(value: &Value) -> Option<BadgeView> {
    Some(BadgeView { kind: at(value, 0)?, label: optional(value.get(1), line)?, value: optional(value.get(2), line)? })
}

fn status(value: &Value) -> Option<Status> {
    Some(Status { word: at(value, 0)?, label: optional(value.get(1), line)? })
}

fn waiting(value: &Value) -> Option<Waiting> {
    Some(Waiting {
        seat: at(value, 0)?,
        decision: at(value, 1)?,
        prompt: optional(value.get(2), line)?,
        clock: at(value, 3).map(|(decision, seconds)| Clock { decision, seconds }),
    })
}

fn decision(value: &Value) -> Option<DecisionView> {
    Some(DecisionView {
        id: at(value, 0)?,
        prompt: optional(value.get(1), line)?,
        alternatives: each(value.get(2)?, alternative)?,
    })
}

fn alternative(value: &Value) -> Option<AlternativeView> {
    Some(AlternativeView {
        index: at(value, 0)?,
        name: at(value, 1)?,
        label: line(value.get(2)?)?,
        legal: flag(value, 3)?,
        parts: each(value.get(4)?, part)?,
        combinations: at(value, 5),
    })
}

fn part(value: &Value) -> Option<PartView> {
    let kind = match value.get(1)?.as_str()? {
        "card" => PartKindView::Card {
            options: at(value, 2)?,
            blocked: value.get(3).map_or(Some(Vec::new()), |runs| each(runs, blocked))?.concat(),
        },
        "unseen" => PartKindView::Unseen { zone: at(value, 2)?, count: at(value, 3)? },
        "cards" => PartKindView::Cards {
            low: at(value, 2)?,
            high: at(value, 3)?,
            options: at(value, 4)?,
            ordered: flag(value, 5)?,
        },
        "sets" => PartKindView::Sets { options: at(value, 2)? },
        "number" => PartKindView::Number { low: at(value, 2)?, high: at(value, 3)?, only: at(value, 4) },
        "pile" => PartKindView::Pile { options: at(value, 2)? },
        "player" => PartKindView::Player { options: at(value, 2)? },
        "value" => PartKindView::Value { options: at(value, 2)? },
        "yesno" => PartKindView::Yesno { options: at(value, 2)? },
        "text" => PartKindView::Text { most: at(value, 2)? },
        "dice" => {
            PartKindView::Dice { dice: at(value, 2)?, first: at(value, 3)?, count: at(value, 4)?, only: at(value, 5) }
        }
        _ => return None,
    };
    Some(PartView { name: at(value, 0)?, kind })
}

fn blocked(run: &Value) -> Option<Vec<Blocked>> {
    let reason = optional(run.get(0), line)?;
    let handles = run.as_array()?.get(1..)?;
    handles.iter().map(|handle| Some(Blocked { handle: plain(handle)?, reason: reason.clone() })).collect()
}

fn plain<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

fn at<T: DeserializeOwned>(value: &Value, index: usize) -> Option<T> {
    plain(value.get(index)?)
}

fn flag(value: &Value, index: usize) -> Option<bool> {
    at::<u8>(value, index).map(|n| n != 0)
}

fn each<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

/// Missing and null are none; what is there must be readable.
fn optional<T>(value: Option<&Value>, read: impl Fn(&Value) -> Option<T>) -> Option<Option<T>> {
    match value {
        None | Some(Value::Null) => Some(None),
        Some(value) => read(value).map(Some),
    }
}
