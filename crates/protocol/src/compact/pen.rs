//! How values are spelled: as JSON would, without what can be told without.
//!
//! ```text
//! 12 -3        a number; a comma stands only where a number would run into what is before it
//! _            null
//! '(12)        a text of nothing but digits and ( ) . : / % +
//! `text`       any other text; ` and \ in it have a \ before them
//! ~            the same text as the last one between `
//! [a b]        a list
//! #30.1        the list [3, 0, null, 1], if it is of digits and null alone
//! <12 a b>     a text with holes, by its number, and what stands in them: the list [-13, a, b]
//! {w a}        an object with one field
//! a*5          the same five times, in a list
//! w            a letter begins an event
//! ```
//!
//! A spelled batch is sent in a string of JSON, so that nothing of it is a quotation mark.

use serde_json::{Map, Value};
use std::ops::Range;

/// Of what texts are made that end where something else begins.
const fn is_bare(b: u8) -> bool {
    b.is_ascii_digit() || matches!(b, b'(' | b')' | b'.' | b':' | b'/' | b'%' | b'+')
}

/// Lists are nested no deeper than this in a batch of ours.
const DEEPEST: usize = 8;
/// No list is longer in a batch of ours.
const LONGEST: usize = 1 << 16;
/// No batch of ours holds more values. A list repeated inside of a repeated list would take all memory otherwise.
const MOST: usize = 1 << 20;

/// Writes values into a string of JSON.
pub(super) struct Pen<'a> {
    out: &'a mut Vec<u8>,
    /// Where the last text stands that was written between `.
    last: Range<usize>,
}

/// Where a value begins, and what was there before it.
#[derive(Clone)]
pub(super) struct Mark {
    at: usize,
    last: Range<usize>,
}

impl<'a> Pen<'a> {
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Pen { out, last: 0..0 }
    }

    pub fn number(&mut self, n: i64) {
        if n >= 0 && self.out.last().copied().is_some_and(is_bare) {
            self.out.push(b',');
        }
        match n {
            // Most have a digit or two.
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

    /// A byte of a text: marked where it would mean something to whoever reads the batch, and once more where it means something in
    /// JSON, in which the batch is a string.
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

    /// A list of numbers and null that are digits alone, where that is shorter than what was written of it from `begun` on.
    pub fn shorten(&mut self, begun: &Mark, list: impl ExactSizeIterator<Item = Option<i64>> + Clone) {
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

    /// A text with holes; what stands in them follows.
    pub fn open_text(&mut self, number: u32) {
        self.out.push(b'<');
        self.number(i64::from(number));
    }

    pub fn close_text(&mut self) {
        self.out.push(b'>');
    }

    /// An object whose only field has this name.
    pub fn open_marked(&mut self, name: u8) {
        self.out.extend_from_slice(&[b'{', name]);
    }

    pub fn close_marked(&mut self) {
        self.out.push(b'}');
    }

    /// Where the next value begins.
    pub fn mark(&self) -> Mark {
        Mark { at: self.out.len(), last: self.last.clone() }
    }

    pub fn back_to(&mut self, mark: &Mark) {
        self.out.truncate(mark.at);
        self.last = mark.last.clone();
    }

    /// Whether what was written from `again` on is what was written from `begun` until there.
    pub fn is_again(&self, begun: &Mark, again: &Mark) -> bool {
        bare(&self.out[begun.at..again.at]) == bare(&self.out[again.at..])
    }

    /// What was written from `begun` on is there so many times.
    pub fn times(&mut self, begun: &Mark, times: usize) {
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

/// Without the comma before it.
fn bare(value: &[u8]) -> &[u8] {
    value.strip_prefix(b",").unwrap_or(value)
}

/// Reads what a [`Pen`] has written, out of its string. None: nothing of ours.
pub(super) fn spelled(text: &str) -> Option<Vec<Value>> {
    Spelled { text, at: 0, last: None, left: MOST }.values(None, 0)
}

struct Spelled<'a> {
    text: &'a str,
    at: usize,
    /// What stood between ` last.
    last: Option<String>,
    /// How many more values it may hold, by [`weight`].
    left: usize,
}

/// What a value costs in memory, roughly, in the size of a number.
fn weight(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(weight).fold(1, usize::saturating_add),
        Value::Object(fields) => fields.values().map(weight).fold(1, usize::saturating_add),
        Value::String(text) => 1 + text.len() / size_of::<Value>(),
        _ => 1,
    }
}

impl Spelled<'_> {
    /// So much more is held. None: too much.
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

    /// Everything up to what ends it.
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
                    let times = usize::try_from(self.number()?).ok().filter(|times| (1..=LONGEST).contains(times))?;
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
            ..DEEPEST => spelled.values(Some(end), depth + 1),
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
