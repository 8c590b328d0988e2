//! Decodes texts, folds white space, and refuses characters that can't be shown.

use crate::error::{At, ProblemText};
use crate::limits;

/// Refuses a file that is too big.
pub(crate) fn check_size(bytes: &[u8]) -> Result<(), (At, ProblemText)> {
    if bytes.len() > limits::FILE_BYTES {
        let fault = ProblemText::new(
            format!("This file is too big: {:.1} MB.", bytes.len() as f64 / (1024.0 * 1024.0)),
            format!("A file may have {} MB. Split it into several packs.", limits::FILE_BYTES / (1024 * 1024)),
        );
        return Err((At::File, fault));
    }
    Ok(())
}

/// The file as text, without a byte order mark.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, (At, ProblemText)> {
    // Without this a sheet saved as "Unicode text" would be reported as garbage on line 1.
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let fault = ProblemText::new("This file is in the encoding UTF-16.", "Save it again, as UTF-8.");
        return Err((At::File, fault));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let fault = ProblemText::new(
            "This file holds a character that is not in the encoding UTF-8.",
            "Save it again as UTF-8 (in a spreadsheet: “CSV UTF-8”), and check accents and curly quotes.",
        );
        (place(&String::from_utf8_lossy(good), good.len()), fault)
    })
}

/// Line and column of a byte offset, which must lie between two characters.
pub(crate) fn place(source: &str, offset: usize) -> At {
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    At::Place { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}

/// Folds white space into single spaces and removes it at the ends. Line breaks and tabs count as white space: a card has
/// no layout of its own, and the cells of a sheet easily get stray ones.
pub(crate) fn fold(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for word in raw.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Folds a text. Refuses characters that can't be shown, and a text that is too long. May return an empty text.
pub(crate) fn clean(raw: &str, max_chars: usize) -> Result<String, ProblemText> {
    let text = fold(raw);
    if let Some(c) = text.chars().find(|c| is_unshowable(*c)) {
        return Err(ProblemText::new(
            format!("{} holds a hidden control character (U+{:04X}).", quoted(&text), c as u32),
            "Delete the text and type it again; such characters often come with a copy and paste.",
        ));
    }
    check_length(&text, max_chars)?;
    Ok(if text.chars().all(is_invisible) { String::new() } else { text })
}

pub(crate) fn check_length(text: &str, max_chars: usize) -> Result<(), ProblemText> {
    let chars = text.chars().count();
    if chars > max_chars {
        return Err(ProblemText::new(
            format!("{} is too long: {chars} characters.", quoted(text)),
            format!("At most {max_chars} characters fit."),
        ));
    }
    Ok(())
}

/// The beginning of a text in quotes, for a message. Replaces control characters, which could steer the author's terminal.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 32;
    let shown: String =
        fold(text).chars().take(SHOWN + 1).map(|c| if is_unshowable(c) { '\u{FFFD}' } else { c }).collect();
    match shown.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("“{}…”", shown[..end].trim_end()),
        None => format!("“{shown}”"),
    }
}

/// Whether `c` is a control character, or changes the direction of the text after it, which would garble the page.
fn is_unshowable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether `c` is invisible. Such characters are useful within a text (some join emoji), but a text of nothing else counts as
/// empty.
fn is_invisible(c: char) -> bool {
    matches!(c, ' ' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_folded() {
        for (raw, text) in [
            ("  two\r\n\twords ", "two words"),
            ("no\u{A0}break", "no break"),
            ("", ""),
            ("\n\n", ""),
            ("<b>bold</b> &amp; <script>", "<b>bold</b> &amp; <script>"),
            ("👩‍🍳 cooks", "👩‍🍳 cooks"),
        ] {
            assert_eq!(clean(raw, 400).unwrap(), text, "{raw:?}");
        }
    }

    #[test]
    fn clean_refuses_characters_that_cannot_be_shown() {
        for raw in ["a\0b", "bell\u{7}", "\u{1b}[31mred", "\u{202E}desrever", "a\u{2066}b"] {
            let fault = clean(raw, 400).unwrap_err();
            assert!(fault.message.contains("control character"), "{fault:?}");
            assert!(!fault.message.chars().any(is_unshowable), "{fault:?}");
        }
    }

    #[test]
    fn a_text_of_invisible_characters_is_empty() {
        for raw in ["\u{200B}", "\u{FEFF} \u{200D}"] {
            assert_eq!(clean(raw, 400).unwrap(), "", "{raw:?}");
        }
    }

    #[test]
    fn length_counts_characters_not_bytes() {
        assert!(clean(&"é".repeat(400), 400).is_ok());
        assert!(clean(&"é".repeat(401), 400).is_err());
        assert!(clean(&format!("{}a", " \n".repeat(1000)), 400).is_ok());
    }

    #[test]
    fn quoted_cuts_long_texts() {
        assert_eq!(quoted("a  b"), "“a b”");
        assert_eq!(quoted(&"x".repeat(32)), format!("“{}”", "x".repeat(32)));
        assert_eq!(quoted(&"é".repeat(33)), format!("“{}…”", "é".repeat(32)));
    }

    #[test]
    fn places_count_lines_and_characters() {
        assert_eq!(place("", 0), At::Place { line: 1, column: 1 });
        assert_eq!(place("a\né!", 4), At::Place { line: 2, column: 2 });
    }
}
