//! Reads words and lines, in full or by the number of their text.

use super::lists::{deserialize, element};
use crate::compact::texts::TextNumbers;
use baize_engine::view::{Piece, RichText};
use serde_json::Value;

pub(super) fn word(value: &Value, texts: &TextNumbers) -> Option<String> {
    match value {
        Value::String(word) => Some(word.clone()),
        number => match texts.get(deserialize(number)?)? {
            [word] => Some(word.clone()),
            _ => None,
        },
    }
}

pub(super) fn line(value: &Value, texts: &TextNumbers) -> Option<RichText> {
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
pub(super) fn append_text(line: &mut RichText, text: &str) {
    match line.0.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(last)) => last.push_str(text),
        _ => line.0.push(Piece::Text(text.to_owned())),
    }
}

pub(super) fn optional_line(value: Option<&Value>, texts: &TextNumbers) -> Option<Option<RichText>> {
    match value.filter(|value| value.as_i64() != Some(-1)) {
        None => Some(None),
        Some(value) => line(value, texts).map(Some),
    }
}

pub(super) fn piece(value: &Value) -> Option<Piece> {
    Some(match value {
        Value::String(text) => Piece::Text(text.clone()),
        Value::Number(_) => Piece::Seat(deserialize(value)?),
        Value::Array(_) => Piece::Face(element(value, 0)?),
        _ => Piece::Written(deserialize(value.get("w")?)?),
    })
}
