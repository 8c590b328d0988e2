//! Splits the lines of a scenario into bare and quoted words.

use std::fmt;

/// One word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Plain(String),
    Quoted(String),
}

impl Word {
    pub fn text(&self) -> &str {
        match self {
            Word::Plain(text) | Word::Quoted(text) => text,
        }
    }

    pub fn is(&self, word: &str) -> bool {
        matches!(self, Word::Plain(text) if text == word)
    }

    /// Returns the number in `3×`, which stands before a name in quotes.
    pub fn times(&self) -> Option<usize> {
        match self {
            Word::Plain(text) => text.strip_suffix('×')?.parse().ok(),
            Word::Quoted(_) => None,
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Word::Plain(text) => f.write_str(text),
            Word::Quoted(text) => write!(f, "\"{text}\""),
        }
    }
}

/// Splits a line. A comma outside brackets ends a word and is dropped. An index is one word, with spaces or without:
/// `cup[2, 1]`. `#` outside quotes begins a comment.
pub fn split(line: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    let (mut open, mut index) = (0usize, 0usize);
    while let Some(first) = rest.chars().next() {
        if first == '#' {
            break;
        }
        if let Some(inside) = rest.strip_prefix('"') {
            let Some(end) = inside.find('"') else { return Err("a quote is not closed".into()) };
            words.push(Word::Quoted(inside[..end].to_owned()));
            rest = &inside[end + 1..];
            // A comma after the closing quote belongs to no word.
            rest = rest.trim_start_matches(',');
        } else {
            let ends = |c: char| {
                open = match c {
                    '(' | '[' => open + 1,
                    ')' | ']' => open.saturating_sub(1),
                    _ => open,
                };
                index = match c {
                    '[' => index + 1,
                    ']' => index.saturating_sub(1),
                    _ => index,
                };
                c.is_whitespace() && index == 0 || c == ',' && open == 0 || c == '"'
            };
            let end = rest.find(ends).unwrap_or(rest.len());
            if end > 0 {
                words.push(Word::Plain(rest[..end].to_owned()));
            }
            rest = rest[end..].trim_start_matches(',');
        }
        rest = rest.trim_start();
    }
    Ok(words)
}

/// The words of a line that have not been read yet.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a>(pub &'a [Word]);

impl<'a> Words<'a> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn next(&mut self) -> Option<&'a Word> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Consumes these bare words if they come next.
    pub fn eat(&mut self, words: &str) -> bool {
        let wanted: Vec<&str> = words.split(' ').collect();
        let found = self.0.len() >= wanted.len() && self.0.iter().zip(&wanted).all(|(word, wanted)| word.is(wanted));
        if found {
            self.0 = &self.0[wanted.len()..];
        }
        found
    }

    /// Consumes these bare words if the line ends with them.
    pub fn eat_end(&mut self, words: &str) -> bool {
        let wanted: Vec<&str> = words.split(' ').collect();
        let Some(from) = self.0.len().checked_sub(wanted.len()) else { return false };
        let found = self.0[from..].iter().zip(&wanted).all(|(word, wanted)| word.is(wanted));
        if found {
            self.0 = &self.0[..from];
        }
        found
    }

    pub fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        let number = match self.0.first()? {
            Word::Plain(text) => text.parse().ok()?,
            Word::Quoted(_) => return None,
        };
        self.0 = &self.0[1..];
        Some(number)
    }

    pub fn quoted(&mut self) -> Option<&'a str> {
        match self.0.first()? {
            Word::Quoted(text) => {
                self.0 = &self.0[1..];
                Some(text)
            }
            Word::Plain(_) => None,
        }
    }

    pub fn plain(&mut self) -> Option<&'a str> {
        match self.0.first()? {
            Word::Plain(text) => {
                self.0 = &self.0[1..];
                Some(text)
            }
            Word::Quoted(_) => None,
        }
    }

    /// Returns the rest of the line, as written.
    pub fn show(&self) -> String {
        self.0.iter().map(Word::to_string).collect::<Vec<_>>().join(" ")
    }
}
