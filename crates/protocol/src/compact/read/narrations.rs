//! Reads what a viewer is told in words.

use super::lines::{append_text, line, piece};
use super::lists::deserialize;
use crate::compact::KINDS;
use crate::compact::texts::TextNumbers;
use baize_engine::view::RichText;
use baize_narrator::{Narration, NarrationKind};
use serde_json::Value;

/// Reads a narration that was written after this letter.
pub(super) fn narration(letter: &str, place: &Value, text: &Value, texts: &TextNumbers) -> Option<Narration> {
    let place: i64 = deserialize(place)?;
    let kind = *NarrationKind::ALL.get(usize::try_from(place % KINDS).ok()?)?;
    let text = match (letter, text.get(0)) {
        ("L", _) => fragments(text, texts)?,
        // A line after `K` is a text of the rules: it begins with the number of the text, which is negative. Anything else is damage.
        (_, Some(first)) if first.as_i64().is_none_or(|number| number >= 0) => return None,
        _ => line(text, texts)?,
    };
    Some(Narration { after: u32::try_from(place / KINDS).ok()?, kind, text })
}

fn fragments(value: &Value, texts: &TextNumbers) -> Option<RichText> {
    let mut made = RichText::default();
    for fragment in value.as_array()? {
        match (fragment, fragment.as_i64()) {
            (_, Some(number @ ..0)) => match texts.get(u32::try_from(-1 - number).ok()?)? {
                [text] => append_text(&mut made, text),
                _ => return None,
            },
            (Value::String(text), _) => append_text(&mut made, text),
            _ => made.0.push(piece(fragment)?),
        }
    }
    Some(made)
}
