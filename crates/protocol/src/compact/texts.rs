//! Texts by number: what a client has in the table's definition need not be sent again.

use baize_engine::view::{Line, Piece};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// The `texts` of a table's definition, to be looked up in both directions.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// What stands around the holes: one more than there are holes.
    texts: Vec<Vec<String>>,
    /// Looked up some twenty times a step.
    whole: HashMap<String, u32, FixedState>,
    /// Those with holes, the most telling first.
    holed: Vec<u32>,
}

/// What stands in a hole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filling<'a> {
    Text(&'a str),
    Piece(&'a Piece),
}

impl Texts {
    pub fn new(texts: Vec<Vec<String>>) -> Self {
        let numbered = || (0u32..).zip(&texts);
        let whole = numbered().filter(|(_, text)| text.len() == 1).map(|(n, text)| (text[0].clone(), n)).collect();
        let mut holed: Vec<u32> = numbered().filter(|(_, text)| text.len() > 1).map(|(n, _)| n).collect();
        let said = |n: u32| texts[n as usize].iter().map(String::len).sum::<usize>();
        holed.sort_by_key(|n| (std::cmp::Reverse(said(*n)), *n));
        Texts { whole, holed, texts }
    }

    /// The number of a text without holes.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.whole.get(text).copied()
    }

    pub fn get(&self, number: u32) -> Option<&[String]> {
        self.texts.get(number as usize).map(Vec::as_slice)
    }

    /// A text with holes that makes this line, and what stands in them.
    pub fn find<'a>(&self, line: &'a Line) -> Option<(u32, Vec<Filling<'a>>)> {
        // What the engine writes has no empty pieces and no texts side by side; anything else is left as it is.
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

/// What stands in the holes, if the line can be made so. A hole is as short as it can be.
fn fillings<'a>(around: &[String], pieces: &'a [Piece]) -> Option<Vec<Filling<'a>>> {
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
            None => found.push(Filling::Text("")),
            Some(Piece::Text(text)) => {
                let rest = &text[offset..];
                let end = if next.is_empty() { rest.len() } else { rest.find(next.as_str())? };
                found.push(Filling::Text(&rest[..end]));
                offset += end;
                if offset == text.len() {
                    (at, offset) = (at + 1, 0);
                }
            }
            // Between two texts there is always something, so the hole is here even if nothing was said before it.
            Some(piece) => {
                found.push(Filling::Piece(piece));
                at += 1;
            }
        }
    }
    (at == pieces.len()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Texts {
        let text = |around: &[&str]| around.iter().map(|s| (*s).to_owned()).collect();
        Texts::new(vec![text(&["Play a card"]), text(&["Beat ", " × ", ", or pass"]), text(&["", " wins: ", ""])])
    }

    fn line(pieces: &[Piece]) -> Line {
        Line(pieces.to_vec())
    }

    #[test]
    fn a_line_is_found_with_what_stands_in_its_holes() {
        let said = line(&[Piece::Text("Beat 2 × 9, or pass".into())]);
        assert_eq!(texts().find(&said), Some((1, vec![Filling::Text("2"), Filling::Text("9")])));
        let won = line(&[Piece::Seat(3), Piece::Text(" wins: ".into()), Piece::Face(7)]);
        let (number, holes) = texts().find(&won).unwrap();
        assert_eq!((number, holes), (2, vec![Filling::Piece(&Piece::Seat(3)), Filling::Piece(&Piece::Face(7))]));
        let silent = line(&[Piece::Seat(3), Piece::Text(" wins: ".into())]);
        assert_eq!(texts().find(&silent).unwrap().1[1], Filling::Text(""));
        assert_eq!(texts().number("Play a card"), Some(0));
    }

    #[test]
    fn what_does_not_fit_is_left_alone() {
        for pieces in [
            vec![Piece::Text("Beat 2".into())],
            vec![Piece::Text("Beat 2 × 9, or pass!".into())],
            vec![Piece::Text("Beat ".into()), Piece::Text("2 × 9, or pass".into())],
            vec![Piece::Seat(1), Piece::Seat(2), Piece::Text(" wins: ".into())],
            vec![],
        ] {
            assert_eq!(texts().find(&Line(pieces.clone())), None, "{pieces:?}");
        }
    }
}
