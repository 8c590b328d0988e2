//! The notation of the values in a batch: like JSON, without the characters that a reader does not need.
//!
//! ```text
//! 12 -3        a number; a comma precedes it only if it would run into the value before it
//! _            null
//! '(12)        a text that consists only of digits and ( ) . : / % +
//! `text`       any other text; a \ precedes each ` and \ in it
//! ~            the same text as the last one between backticks
//! [a b]        a list
//! #30.1        the list [3, 0, null, 1]; only for lists of digits and null
//! <12 a b>     text number 12, which has holes, and their fillings a and b: the list [-13, a, b]
//! {w a}        an object with one field
//! a*5          five times a, inside a list
//! w            a letter begins an event
//! ```
//!
//! A message carries the notation as a JSON string, so the notation itself uses no quotation marks.

use serde_json::{Map, Value};
use std::ops::Range;

/// Characters of a text without a closing mark. If a number follows one of them, a comma precedes the number.
const fn is_bare(b: u8) -> bool {
    b.is_ascii_digit() || matches!(b, b'(' | b')' | b'.' | b':' | b'/' | b'%' | b'+')
}

/// Upper bound on the nesting of lists; batches that the server writes stay below it.
const MAX_DEPTH: usize = 8;
/// Upper bound on `*` repetitions.
const MAX_LIST: usize = 1 << 16;
/// Upper bound on the values of a batch. Without it, a repeated list inside a repeated list could fill the memory.
const MAX_VALUES: usize = 1 << 20;

/// Writes values into a JSON string.
pub(super) struct SpellingWriter<'a> {
    out: &'a mut Vec<u8>,
    /// The bytes in `out` of the last text between backticks, for `~`.
    last: Range<usize>,
}

/// A position in the output to which the writer can go back.
#[derive(Clone)]
pub(super) struct Position {
    at: usize,
    last: Range<usize>,
}

impl<'a> SpellingWriter<'a> {
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        SpellingWriter { out, last: 0..0 }
    }

    pub fn number(&mut self, n: i64) {
        if n >= 0 && self.out.last().copied().is_some_and(is_bare) {
            self.out.push(b',');
        }
        match n {
            // Most numbers have one or two digits; these branches avoid the general conversion.
            0..=9 => self.out.push(b'0' + n as u8),
            10..=99 => self.out.extend_from_slice(&[b'0' + (n / 10) as u8, b'0' + (n % 10) as u8]),
            _ => self.out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes()),
        }
    }

    pub fn optional(&mut self, n: Option<i64>) {
        match n {
            Some(n) => self.number(n),
            None => self.null(),
        }
    }

    pub fn null(&mut self) {
        self.out.push(b'_');
    }

    pub fn letter(&mut self, letter: u8) {
        self.out.push(letter);
    }

    /// Writes a byte of a text. Escapes it for the notation, and once more for the JSON string around the notation.
    fn escape(&mut self, byte: u8) {
        match byte {
            b'\\' => self.out.extend_from_slice(br"\\\\"),
            b'`' => self.out.extend_from_slice(br"\\`"),
            b'"' => self.out.extend_from_slice(br#"\""#),
            0x08 => self.out.extend_from_slice(br"\b"),
            b'\t' => self.out.extend_from_slice(br"\t"),
            b'\n' => self.out.extend_from_slice(br"\n"),
            0x0c => self.out.extend_from_slice(br"\f"),
            b'\r' => self.out.extend_from_slice(br"\r"),
            0..0x20 => self.out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => self.out.push(byte),
        }
    }

    pub fn string(&mut self, text: &str) {
        if !text.is_empty() && text.bytes().all(is_bare) {
            self.out.push(b'\'');
            self.out.extend_from_slice(text.as_bytes());
            return;
        }
        let begun = self.out.len();
        self.out.push(b'`');
        if text.bytes().all(|b| b >= 0x20 && !matches!(b, b'"' | b'\\' | b'`')) {
            self.out.extend_from_slice(text.as_bytes());
        } else {
            text.bytes().for_each(|byte| self.escape(byte));
        }
        self.out.push(b'`');
        if self.out[begun..] == self.out[self.last.clone()] {
            self.out.truncate(begun);
            self.out.push(b'~');
        } else {
            self.last = begun..self.out.len();
        }
    }

    /// Replaces the list that was written from `begun` on by its `#` form, if the list has only digits and null and the
    /// form is shorter.
    pub fn shorten(&mut self, begun: &Position, list: impl ExactSizeIterator<Item = Option<i64>> + Clone) {
        let digits = list.clone().all(|n| n.is_none_or(|n| (0..=9).contains(&n)));
        if digits && list.len() + 1 < self.out.len() - begun.at {
            self.back_to(begun);
            self.out.push(b'#');
            self.out.extend(list.map(|n| n.map_or(b'.', |n| b'0' + n as u8)));
        }
    }

    pub fn open(&mut self) {
        self.out.push(b'[');
    }

    pub fn close(&mut self) {
        self.out.push(b']');
    }

    /// Begins a text with holes. Its fillings follow.
    pub fn open_text(&mut self, number: u32) {
        self.out.push(b'<');
        self.number(i64::from(number));
    }

    pub fn close_text(&mut self) {
        self.out.push(b'>');
    }

    /// Begins an object whose only field has this name.
    pub fn open_marked(&mut self, name: u8) {
        self.out.extend_from_slice(&[b'{', name]);
    }

    pub fn close_marked(&mut self) {
        self.out.push(b'}');
    }

    /// The position at which the next value begins.
    pub fn mark(&self) -> Position {
        Position { at: self.out.len(), last: self.last.clone() }
    }

    pub fn back_to(&mut self, mark: &Position) {
        self.out.truncate(mark.at);
        self.last = mark.last.clone();
    }

    /// Whether the output from `again` on equals the output from `begun` to `again`.
    pub fn repeats(&self, begun: &Position, again: &Position) -> bool {
        without_comma(&self.out[begun.at..again.at]) == without_comma(&self.out[again.at..])
    }

    /// Repeats the value that was written from `begun` on, so that it is there `times` times.
    pub fn repeat(&mut self, begun: &Position, times: usize) {
        let (begun, end) = (begun.at + usize::from(self.out.get(begun.at) == Some(&b',')), self.out.len());
        let apart = self.out.get(begun).is_some_and(u8::is_ascii_digit);
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(times);
        if (times - 1) * (end - begun + usize::from(apart)) > 1 + digits.len() {
            self.out.push(b'*');
            self.out.extend_from_slice(digits.as_bytes());
            return;
        }
        for _ in 1..times {
            if apart {
                self.out.push(b',');
            }
            self.out.extend_from_within(begun..end);
        }
    }
}

fn without_comma(value: &[u8]) -> &[u8] {
    value.strip_prefix(b",").unwrap_or(value)
}

/// Reads the output of a [`SpellingWriter`]. Returns none if the text is not in this notation.
pub(super) fn read_spelled(text: &str) -> Option<Vec<Value>> {
    SpellingReader { text, at: 0, last: None, left: MAX_VALUES }.values(None, 0)
}

struct SpellingReader<'a> {
    text: &'a str,
    at: usize,
    /// The last text between backticks, for `~`.
    last: Option<String>,
    /// How many more values the batch may hold, counted by [`weight`].
    left: usize,
}

/// The approximate memory of a value, in units of one number.
fn weight(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(weight).fold(1, usize::saturating_add),
        Value::Object(fields) => fields.values().map(weight).fold(1, usize::saturating_add),
        Value::String(text) => 1 + text.len() / size_of::<Value>(),
        _ => 1,
    }
}

impl SpellingReader<'_> {
    /// Subtracts from the budget. Returns none if it is used up.
    fn spend(&mut self, weight: usize) -> Option<()> {
        self.left = self.left.checked_sub(weight)?;
        Some(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    /// Reads values up to the byte `end`, or to the end of the text.
    fn values(&mut self, end: Option<u8>, depth: usize) -> Option<Vec<Value>> {
        let mut found: Vec<Value> = Vec::new();
        loop {
            match self.peek() {
                next if next == end => {
                    self.at += 1;
                    return Some(found);
                }
                Some(b',') => self.at += 1,
                Some(b'*') if depth > 0 => {
                    self.at += 1;
                    let times = usize::try_from(self.number()?).ok().filter(|times| (1..=MAX_LIST).contains(times))?;
                    let again = found.last()?.clone();
                    self.spend(weight(&again).saturating_mul(times - 1))?;
                    found.resize(found.len() + times - 1, again);
                }
                _ => found.push(self.value(depth)?),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        let list = |spelled: &mut Self, end| match depth {
            ..MAX_DEPTH => spelled.values(Some(end), depth + 1),
            _ => None,
        };
        Some(match self.next()? {
            b'_' => Value::Null,
            b'-' | b'0'..=b'9' => {
                self.at -= 1;
                self.number()?.into()
            }
            b'\'' => {
                let begun = self.at;
                while self.peek().is_some_and(is_bare) {
                    self.at += 1;
                }
                self.text[begun..self.at].into()
            }
            b'`' => {
                self.last = Some(self.string()?);
                self.last.clone().into()
            }
            b'~' => {
                let text = Value::from(self.last.clone()?);
                self.spend(weight(&text))?;
                text
            }
            b'#' => {
                let mut found = Vec::new();
                while let Some(next) = self.peek().filter(|b| b.is_ascii_digit() || *b == b'.') {
                    self.at += 1;
                    found.push(if next == b'.' { Value::Null } else { (next - b'0').into() });
                }
                found.into()
            }
            b'[' => list(self, b']')?.into(),
            b'<' => {
                let mut found = list(self, b'>')?;
                let number = found.first_mut()?;
                *number = (-1 - number.as_i64().filter(|n| *n >= 0)?).into();
                found.into()
            }
            b'{' => {
                let name = self.next().filter(u8::is_ascii_lowercase)?;
                let [value] = <[Value; 1]>::try_from(list(self, b'}')?).ok()?;
                Map::from_iter([(char::from(name).to_string(), value)]).into()
            }
            letter if letter.is_ascii_alphabetic() && depth == 0 => char::from(letter).to_string().into(),
            _ => return None,
        })
    }

    fn number(&mut self) -> Option<i64> {
        let begun = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.text[begun..self.at].parse().ok()
    }

    fn string(&mut self) -> Option<String> {
        let mut found = String::new();
        let mut rest = self.text[self.at..].char_indices();
        while let Some((at, c)) = rest.next() {
            match c {
                '`' => {
                    self.at += at + 1;
                    return Some(found);
                }
                '\\' => found.push(rest.next()?.1),
                c => found.push(c),
            }
        }
        None
    }
}
