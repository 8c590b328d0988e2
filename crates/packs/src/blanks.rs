//! Finds blanks, normalises them, and fills them with answers.

use std::borrow::Cow;

/// The form of a blank in every pack, whatever its form in the file.
pub const BLANK: &str = "_____";

/// A piece of a prompt and its answers. A client draws answers differently from the prompt, and can't search for underscores
/// itself, because an answer may contain some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptPiece<'a> {
    /// The prompt's own words, or the space before an appended answer.
    Text(&'a str),
    /// A blank without an answer.
    Blank,
    /// The answer at this position of the given list.
    Answer { index: usize, text: &'a str },
}

/// Counts the blanks of a text. Each unbroken run of underscores is one.
pub fn blanks(text: &str) -> usize {
    pieces(text).filter(|piece| matches!(piece, PromptPiece::Blank)).count()
}

/// Fills the blanks of a prompt in order. Appends surplus answers, each after a space; surplus blanks stay.
pub fn interpolate<'a, S: AsRef<str>>(prompt: &'a str, answers: &'a [S]) -> Vec<PromptPiece<'a>> {
    let mut answers =
        answers.iter().enumerate().map(|(index, answer)| PromptPiece::Answer { index, text: answer.as_ref() });
    let mut out: Vec<PromptPiece<'a>> = pieces(prompt)
        .map(|piece| match piece {
            PromptPiece::Blank => answers.next().unwrap_or(PromptPiece::Blank),
            other => other,
        })
        .collect();
    for answer in answers {
        out.extend([PromptPiece::Text(" "), answer]);
    }
    out
}

/// [`interpolate`], as one line of plain text.
pub fn fill<S: AsRef<str>>(prompt: &str, answers: &[S]) -> String {
    interpolate(prompt, answers)
        .into_iter()
        .map(|piece| match piece {
            PromptPiece::Text(text) | PromptPiece::Answer { text, .. } => text,
            PromptPiece::Blank => BLANK,
        })
        .collect()
}

/// Writes every blank of a text as [`BLANK`].
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    if pieces(text).all(|piece| matches!(piece, PromptPiece::Text(_))) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(fill::<&str>(text, &[]))
}

/// A prompt's words and blanks, in order.
fn pieces(text: &str) -> impl Iterator<Item = PromptPiece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_blank = first == '_';
        let end = rest.find(|c| (c == '_') != is_blank).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(if is_blank { PromptPiece::Blank } else { PromptPiece::Text(piece) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_of_underscores_is_a_blank() {
        for (text, count, normal) in [
            ("", 0, ""),
            ("Why?", 0, "Why?"),
            ("_", 1, "_____"),
            ("____ and _.", 2, "_____ and _____."),
            ("“__________”!", 1, "“_____”!"),
            ("_’s _-ness", 2, "_____’s _____-ness"),
            ("_\u{301}_", 2, "_____\u{301}_____"),
        ] {
            assert_eq!(blanks(text), count, "{text:?}");
            assert_eq!(normalise(text), normal, "{text:?}");
        }
    }

    #[test]
    fn answers_fill_blanks_in_order() {
        for (prompt, answers, filled) in [
            ("I like _____ and _____.", &["Tea", "Rain"][..], "I like Tea and Rain."),
            ("What woke you?", &["Tea"], "What woke you? Tea"),
            ("Only _____!", &["Tea", "Rain", "Moss"], "Only Tea! Rain Moss"),
            ("_____ or _____?", &["Tea"], "Tea or _____?"),
            ("_____ or _____?", &[], "_____ or _____?"),
            // An answer's own underscores are words, not blanks to be filled by the next answer.
            ("_____ or _____?", &["_____", "$& _____"], "_____ or $& _____?"),
            ("", &["Tea"], " Tea"),
        ] {
            assert_eq!(fill(prompt, answers), filled, "{prompt:?} {answers:?}");
        }
    }

    #[test]
    fn pieces_have_the_position_of_their_answer() {
        use PromptPiece::*;
        assert_eq!(
            interpolate("So: _____", &["Tea", "Rain"]),
            [Text("So: "), Answer { index: 0, text: "Tea" }, Text(" "), Answer { index: 1, text: "Rain" }]
        );
    }
}
