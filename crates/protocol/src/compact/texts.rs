//! Numbers of texts. A client has the texts of the table's definition, so a batch refers to them by number.

use baize_engine::view::{Piece, RichText};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// The `texts` of a table's definition, with lookup by number and by text.
#[derive(Clone, Debug, Default)]
pub struct TextNumbers {
    /// The literal parts around the holes of each text: one more than it has holes.
    texts: Vec<Vec<String>>,
    /// Numbers of the texts without holes. A step looks up about twenty.
    whole: HashMap<String, u32, FixedState>,
    /// The same numbers by the bytes of the texts.
    beginnings: Trie,
    /// Numbers of the texts with holes, the longest literal text first, because it fits a line most closely.
    holed: Vec<u32>,
}

/// A part of a text: one of the texts without holes, or anything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fragment<'a> {
    Number(u32),
    Text(&'a str),
}

/// The filling of a hole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoleContent<'a> {
    Text(&'a str),
    Piece(&'a Piece),
}

impl TextNumbers {
    pub fn new(texts: Vec<Vec<String>>) -> Self {
        let numbered = || (0u32..).zip(&texts);
        let whole = numbered().filter(|(_, text)| text.len() == 1).map(|(n, text)| (text[0].clone(), n)).collect();
        let mut holed: Vec<u32> = numbered().filter(|(_, text)| text.len() > 1).map(|(n, _)| n).collect();
        let said = |n: u32| texts[n as usize].iter().map(String::len).sum::<usize>();
        holed.sort_by_key(|n| (std::cmp::Reverse(said(*n)), *n));
        let mut beginnings = Trie::default();
        for (number, text) in numbered().filter(|(_, text)| text.len() == 1 && !text[0].is_empty()) {
            beginnings.insert(text[0].as_bytes(), number);
        }
        TextNumbers { whole, beginnings, holed, texts }
    }

    /// Splits a text at the beginnings of words into texts without holes and what is between them.
    pub fn fragments<'a>(&self, text: &'a str) -> Vec<Fragment<'a>> {
        let (mut found, mut begun, mut at) = (Vec::new(), 0, 0);
        while at < text.len() {
            match self.beginnings.longest_prefix(&text.as_bytes()[at..]) {
                Some((number, length)) => {
                    if begun < at {
                        found.push(Fragment::Text(&text[begun..at]));
                    }
                    found.push(Fragment::Number(number));
                    at += length;
                    begun = at;
                }
                // The next place is before or behind the next space.
                None => {
                    let rest = &text[at..];
                    at += match rest.strip_prefix(' ') {
                        Some(_) => 1,
                        None => rest.find(' ').unwrap_or(rest.len()),
                    };
                }
            }
        }
        if begun < at {
            found.push(Fragment::Text(&text[begun..]));
        }
        found
    }

    /// The number of a text without holes.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.whole.get(text).copied()
    }

    pub fn get(&self, number: u32) -> Option<&[String]> {
        self.texts.get(number as usize).map(Vec::as_slice)
    }

    /// Finds a text with holes that can produce this line, and its fillings.
    pub fn find<'a>(&self, line: &'a RichText) -> Option<(u32, Vec<HoleContent<'a>>)> {
        // The engine writes no empty pieces and no adjacent texts. The reader joins adjacent texts, so a line that has some
        // would come back changed.
        let pieces = &line.0[..];
        let plain = |piece: &Piece| matches!(piece, Piece::Text(_));
        if pieces.windows(2).any(|two| plain(&two[0]) && plain(&two[1]))
            || pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.is_empty()))
        {
            return None;
        }
        self.holed.iter().find_map(|n| Some((*n, fillings(&self.texts[*n as usize], pieces)?)))
    }
}

/// Finds the longest of many texts with which a text begins. Comparing with each of them took an eighth of the time of a move.
#[derive(Clone, Debug)]
struct Trie(Vec<TrieNode>);

#[derive(Clone, Debug, Default)]
struct TrieNode {
    /// The next byte and the node behind it.
    next: Vec<(u8, u32)>,
    /// The number of the text that ends here.
    number: Option<u32>,
}

impl Default for Trie {
    fn default() -> Self {
        Trie(vec![TrieNode::default()])
    }
}

impl Trie {
    fn insert(&mut self, text: &[u8], number: u32) {
        let mut node = 0;
        for byte in text {
            node = self.after(node, *byte).unwrap_or_else(|| {
                let new = self.0.len();
                self.0.push(TrieNode::default());
                self.0[node].next.push((*byte, new as u32));
                new
            });
        }
        // Of two equal texts the first one counts.
        self.0[node].number.get_or_insert(number);
    }

    fn after(&self, node: usize, byte: u8) -> Option<usize> {
        self.0[node].next.iter().find(|(next, _)| *next == byte).map(|(_, node)| *node as usize)
    }

    /// The number and the length of the longest text with which `text` begins.
    fn longest_prefix(&self, text: &[u8]) -> Option<(u32, usize)> {
        let (mut node, mut found) = (0, None);
        for (at, byte) in text.iter().enumerate() {
            let Some(next) = self.after(node, *byte) else { break };
            node = next;
            found = self.0[node].number.map(|number| (number, at + 1)).or(found);
        }
        found
    }
}

/// The fillings with which the literal parts `around` produce the line. Each filling is as short as possible.
fn fillings<'a>(around: &[String], pieces: &'a [Piece]) -> Option<Vec<HoleContent<'a>>> {
    let mut found = Vec::with_capacity(around.len() - 1);
    let (mut at, mut offset) = (0, 0);
    for (n, literal) in around.iter().enumerate() {
        if !literal.is_empty() {
            let Some(Piece::Text(text)) = pieces.get(at) else { return None };
            if !text[offset..].starts_with(literal.as_str()) {
                return None;
            }
            offset += literal.len();
            if offset == text.len() {
                (at, offset) = (at + 1, 0);
            }
        }
        let Some(next) = around.get(n + 1) else { break };
        match pieces.get(at) {
            None => found.push(HoleContent::Text("")),
            Some(Piece::Text(text)) => {
                let rest = &text[offset..];
                let end = if next.is_empty() { rest.len() } else { rest.find(next.as_str())? };
                found.push(HoleContent::Text(&rest[..end]));
                offset += end;
                if offset == text.len() {
                    (at, offset) = (at + 1, 0);
                }
            }
            // A piece that is not a text can't come from a literal part, so it fills the hole.
            Some(piece) => {
                found.push(HoleContent::Piece(piece));
                at += 1;
            }
        }
    }
    (at == pieces.len()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> TextNumbers {
        let text = |around: &[&str]| around.iter().map(|s| (*s).to_owned()).collect();
        TextNumbers::new(vec![text(&["Play a card"]), text(&["Beat ", " × ", ", or pass"]), text(&["", " wins: ", ""])])
    }

    fn line(pieces: &[Piece]) -> RichText {
        RichText(pieces.to_vec())
    }

    #[test]
    fn find_returns_the_text_and_its_fillings() {
        let said = line(&[Piece::Text("Beat 2 × 9, or pass".into())]);
        assert_eq!(texts().find(&said), Some((1, vec![HoleContent::Text("2"), HoleContent::Text("9")])));
        let won = line(&[Piece::Seat(3), Piece::Text(" wins: ".into()), Piece::Face(7)]);
        let (number, holes) = texts().find(&won).unwrap();
        assert_eq!(
            (number, holes),
            (2, vec![HoleContent::Piece(&Piece::Seat(3)), HoleContent::Piece(&Piece::Face(7))])
        );
        let silent = line(&[Piece::Seat(3), Piece::Text(" wins: ".into())]);
        assert_eq!(texts().find(&silent).unwrap().1[1], HoleContent::Text(""));
        assert_eq!(texts().number("Play a card"), Some(0));
    }

    #[test]
    fn fragments_are_the_longest_texts_at_beginnings_of_words() {
        let text = |text: &str| vec![text.to_owned()];
        let texts =
            TextNumbers::new(vec![text(" draws "), text(" draws a card"), text("stock"), text("from "), text("")]);
        let split = texts.fragments(" draws a card from the stock, fast");
        let between = |text| Fragment::Text(text);
        let expected = [
            Fragment::Number(1),
            between(" "),
            Fragment::Number(3),
            between("the "),
            Fragment::Number(2),
            between(", fast"),
        ];
        assert_eq!(split, expected);
        assert_eq!(texts.fragments(""), []);
        assert_eq!(texts.fragments("ça"), [between("ça")]);
        assert_eq!(TextNumbers::default().fragments("one two"), [between("one two")]);
    }

    #[test]
    fn find_rejects_lines_that_no_text_produces() {
        for pieces in [
            vec![Piece::Text("Beat 2".into())],
            vec![Piece::Text("Beat 2 × 9, or pass!".into())],
            vec![Piece::Text("Beat ".into()), Piece::Text("2 × 9, or pass".into())],
            vec![Piece::Seat(1), Piece::Seat(2), Piece::Text(" wins: ".into())],
            vec![],
        ] {
            assert_eq!(texts().find(&RichText(pieces.clone())), None, "{pieces:?}");
        }
    }
}
