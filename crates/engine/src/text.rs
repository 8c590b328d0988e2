//! Writes texts out: a script of the rules becomes a [`Line`], in which seats and faces are still numbers.

use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::frame::Frame;
use crate::instance::Instance;
use crate::instance::code::{Script, ScriptPart};
use crate::view::{Line, Piece};
use baize_rules::program::{AttrDomain, AttrId, NONE_VALUE, ValueFormat};

impl<S: CardSet> Instance<S> {
    /// A lowered text as it reads now, for those who look at a table: with `me` and registers 0, 1 … as given.
    pub fn line(&self, frame: &Frame<S>, script: &Script<S>, me: i32, registers: &[i32]) -> Line {
        self.evaluate_for_view(frame, me, registers, |eval| eval.line(script))
    }

    /// Whether a lowered text reads just so now. Needs no memory, unlike writing it.
    pub fn reads(&self, frame: &Frame<S>, script: &Script<S>, me: i32, registers: &[i32], line: &Line) -> bool {
        self.evaluate_for_view(frame, me, registers, |eval| eval.reads(script, line))
    }

    /// A value as people read it.
    pub fn show(&self, frame: &Frame<S>, value: i32, show: &ValueFormat) -> Line {
        let mut line = Line::default();
        self.show_into(frame, value, show, &mut line);
        line
    }

    /// The name of an attribute's value.
    pub fn attr_name(&self, attr: AttrId, value: i32) -> String {
        if value == NONE_VALUE {
            return "none".to_owned();
        }
        match self.program.attrs.get(attr as usize).map(|a| &a.values) {
            Some(AttrDomain::Names(names)) => names.get(value as usize).cloned().unwrap_or_default(),
            _ => value.to_string(),
        }
    }

    fn show_into(&self, frame: &Frame<S>, value: i32, show: &ValueFormat, line: &mut impl Page) {
        match show {
            ValueFormat::Number => line.number(value),
            ValueFormat::YesNo => line.text(if value != 0 { "yes" } else { "no" }),
            ValueFormat::Player => match u8::try_from(value) {
                Ok(seat) if (seat as usize) < self.seats => line.push(Piece::Seat(seat)),
                _ => line.text("nobody"),
            },
            ValueFormat::Card => match u16::try_from(value) {
                Ok(card) if (card as usize) < self.cards.len() => match frame.written(card) {
                    Some(text) => line.push(Piece::Written(text.to_owned())),
                    None => line.push(Piece::Face(self.face(card))),
                },
                _ => line.text("none"),
            },
            ValueFormat::Attr(attr) => line.text(&self.attr_name(*attr, value)),
            ValueFormat::Choice(names) => line.text(names.get(value as usize).map_or("", |n| n)),
        }
    }

    /// What stands on a card: written by a player, of its pack, or its name.
    fn card_text(&self, frame: &Frame<S>, card: i32) -> Option<Piece> {
        let number = u16::try_from(card).ok()?;
        let card = self.cards.cards.get(number as usize)?;
        if let Some(text) = frame.written(number) {
            return Some(Piece::Written(text.to_owned()));
        }
        let text = card.text.as_ref().filter(|t| !t.is_empty()).or(card.name.as_ref());
        Some(match text {
            Some(text) => Piece::Text(text.clone()),
            None => Piece::Face(self.face(number)),
        })
    }
}

impl<S: CardSet> Eval<'_, S> {
    pub fn line(self, script: &Script<S>) -> Line {
        let mut line = Line::default();
        self.write(script, &mut line);
        line
    }

    /// See [`Instance::reads`].
    pub fn reads(self, script: &Script<S>, line: &Line) -> bool {
        let mut rest = Reader { pieces: &line.0, read: 0, same: true, blank: true };
        self.write(script, &mut rest);
        rest.is_over()
    }

    fn write(self, script: &Script<S>, line: &mut impl Page) {
        for part in &script.parts {
            match part {
                ScriptPart::Plain(text) => line.text(text),
                ScriptPart::Value(value, show) => {
                    let value = self.num(value);
                    self.instance().show_into(self.frame, value, show, line);
                }
                ScriptPart::Letters(count, text) => {
                    let count = self.num(count).max(0) as usize;
                    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
                    line.text(&text[..end]);
                }
                ScriptPart::Cards(cards) => self.list(&self.ordered(cards), line),
                ScriptPart::CardText(card) => {
                    let card = self.num(card);
                    if let Some(piece) = self.instance().card_text(self.frame, card) {
                        line.push(piece);
                    }
                }
                ScriptPart::Filled { prompt, answers } => {
                    let prompt = self.num(prompt);
                    let answers = self.ordered(answers);
                    let pieces = answers.iter().filter_map(|c| self.instance().card_text(self.frame, *c as i32));
                    let prompt = match self.instance().card_text(self.frame, prompt) {
                        Some(Piece::Text(text) | Piece::Written(text)) => text,
                        _ => String::new(),
                    };
                    fill(&prompt, pieces, line);
                }
                ScriptPart::If(cond, yes, no) => {
                    let chosen = if self.holds(cond) { yes } else { no };
                    self.write(chosen, line);
                }
            }
        }
    }
}

/// More cards than this are not listed in a text, but counted.
const LISTED: usize = 40;

impl<S: CardSet> Eval<'_, S> {
    /// Several cards as people say them: `5♣, A♦ and 4♥`.
    fn list(self, cards: &[u16], line: &mut impl Page) {
        if cards.is_empty() {
            return line.text("no cards");
        }
        if cards.len() > LISTED {
            return line.text(&format!("{} cards", cards.len()));
        }
        for (at, card) in cards.iter().enumerate() {
            match cards.len() - at {
                _ if at == 0 => {}
                1 => line.text(" and "),
                _ => line.text(", "),
            }
            self.instance().show_into(self.frame, i32::from(*card), &ValueFormat::Card, line);
        }
    }
}

/// Puts answers into the blanks (runs of underscores) of a prompt; surplus answers come after it.
fn fill(prompt: &str, mut answers: impl Iterator<Item = Piece>, line: &mut impl Page) {
    let mut rest = prompt;
    while let Some(at) = rest.find('_') {
        line.text(&rest[..at]);
        let after = rest[at..].trim_start_matches('_');
        match answers.next() {
            // Inside a sentence the answer's own full stop would be in the way.
            Some(Piece::Text(text)) => line.text(text.strip_suffix('.').unwrap_or(&text)),
            Some(Piece::Written(text)) => {
                line.push(Piece::Written(text.strip_suffix('.').unwrap_or(&text).to_owned()));
            }
            Some(piece) => line.push(piece),
            None => line.text(&rest[at..rest.len() - after.len()]),
        }
        rest = after;
    }
    line.text(rest);
    for answer in answers {
        if !line.is_blank() {
            line.text(" ");
        }
        line.push(answer);
    }
}

/// What a text is written on.
trait Page {
    /// Neighbouring texts are one piece.
    fn text(&mut self, text: &str);
    /// A piece that is no text.
    fn piece(&mut self, piece: Piece);
    fn is_blank(&self) -> bool;

    fn push(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => self.text(&text),
            piece => self.piece(piece),
        }
    }

    fn number(&mut self, n: i32) {
        self.text(itoa::Buffer::new().format(n));
    }
}

impl Page for Line {
    fn text(&mut self, text: &str) {
        Line::text(self, text);
    }

    fn piece(&mut self, piece: Piece) {
        self.0.push(piece);
    }

    fn is_blank(&self) -> bool {
        self.0.is_empty()
    }
}

impl Line {
    pub(crate) fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(Piece::Text(last)) = self.0.last_mut() {
            last.push_str(text);
        } else {
            self.0.push(Piece::Text(text.to_owned()));
        }
    }
}

/// A line that is held against what would be written.
struct Reader<'a> {
    /// What has not been read yet; of the first, if it is a text, so many bytes have been.
    pieces: &'a [Piece],
    read: usize,
    same: bool,
    blank: bool,
}

impl Reader<'_> {
    /// All of it was read, and nothing else.
    fn is_over(&self) -> bool {
        let read = match self.pieces {
            [] => true,
            [Piece::Text(last)] => self.read > 0 && self.read == last.len(),
            _ => false,
        };
        self.same && read
    }
}

impl Page for Reader<'_> {
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.blank = false;
        let expected = match self.pieces.first() {
            Some(Piece::Text(expected)) => expected.as_bytes().get(self.read..).unwrap_or_default(),
            _ => &[],
        };
        self.same &= expected.starts_with(text.as_bytes());
        self.read += text.len();
    }

    fn piece(&mut self, piece: Piece) {
        self.blank = false;
        if self.read > 0 {
            let over = matches!(self.pieces.first(), Some(Piece::Text(text)) if text.len() == self.read);
            self.same &= over;
            self.pieces = self.pieces.get(1..).unwrap_or_default();
            self.read = 0;
        }
        self.same &= self.pieces.first() == Some(&piece);
        self.pieces = self.pieces.get(1..).unwrap_or_default();
    }

    fn is_blank(&self) -> bool {
        self.blank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(prompt: &str, answers: &[&str]) -> String {
        let mut line = Line::default();
        fill(prompt, answers.iter().map(|a| Piece::Text((*a).to_owned())), &mut line);
        line.0.iter().map(|p| if let Piece::Text(t) = p { t.as_str() } else { "?" }).collect()
    }

    /// What is written reads as it was written, and as nothing else.
    #[test]
    fn a_line_is_recognised_without_being_written() {
        let piece = |text: &str| Piece::Text(text.to_owned());
        let cases: [(&str, Vec<Piece>); 6] = [
            ("Why ____?", vec![piece("a cat.")]),
            ("_ and ____.", vec![Piece::Face(3), Piece::Written("two".into())]),
            ("", vec![piece("Tea"), piece("Milk")]),
            ("", vec![]),
            ("Say it.", vec![Piece::Seat(1), piece("Milk")]),
            ("Say it.", vec![piece("Tea")]),
        ];
        let lines = cases.iter().map(|(prompt, answers)| {
            let mut line = Line::default();
            fill(prompt, answers.iter().cloned(), &mut line);
            line
        });
        let lines: Vec<Line> = lines.collect();
        let shorter = Line(vec![piece("Say it. Te")]);
        let longer = Line(vec![piece("Say it. Tea!")]);
        let more = Line(vec![piece("Say it. Tea"), Piece::Seat(0)]);
        for (n, (prompt, answers)) in cases.iter().enumerate() {
            for (m, line) in lines.iter().chain([&shorter, &longer, &more]).enumerate() {
                let mut reader = Reader { pieces: &line.0, read: 0, same: true, blank: true };
                fill(prompt, answers.iter().cloned(), &mut reader);
                assert_eq!(reader.is_over(), n == m, "{prompt:?} with {answers:?} against {line:?}");
            }
        }
        for n in [0, 7, -7, i32::MAX, i32::MIN] {
            let mut line = Line::default();
            line.number(n);
            assert_eq!(line, Line(vec![piece(&n.to_string())]));
        }
    }

    #[test]
    fn answers_fill_blanks_and_surplus_is_appended() {
        assert_eq!(filled("Why ____?", &["a cat."]), "Why a cat?");
        assert_eq!(filled("_ and ____.", &["One", "two"]), "One and two.");
        assert_eq!(filled("Say it.", &["Tea.", "Milk."]), "Say it. Tea. Milk.");
        assert_eq!(filled("____ or ____?", &["Tea"]), "Tea or ____?");
    }
}
