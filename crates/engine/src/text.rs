//! Writes the texts of the rules: a lowered script becomes a [`RichText`], in which seats and faces are still numbers.

use crate::cardset::CardSet;
use crate::eval::Eval;
use crate::frame::{Frame, seats_of};
use crate::instance::Instance;
use crate::instance::expr::{Script, ScriptPart};
use crate::view::{Piece, RichText};
use baize_rules::program::{AttrDomain, AttrId, NONE_VALUE, ValueFormat};

impl<S: CardSet> Instance<S> {
    /// Writes a lowered text for a view. `me` is the seat that `Me` means in the text, and `registers` are the values of registers
    /// 0, 1 …
    pub fn write_text(&self, frame: &Frame<S>, script: &Script<S>, me: i32, registers: &[i32]) -> RichText {
        self.evaluate_for_view(frame, me, registers, |eval| eval.write_text(script))
    }

    /// Whether [`Instance::write_text`] would write exactly this text. Allocates no memory.
    pub fn text_matches(
        &self,
        frame: &Frame<S>,
        script: &Script<S>,
        me: i32,
        registers: &[i32],
        text: &RichText,
    ) -> bool {
        self.evaluate_for_view(frame, me, registers, |eval| eval.text_matches(script, text))
    }

    /// Writes a value as people read it.
    pub fn write_value(&self, frame: &Frame<S>, value: i32, format: &ValueFormat) -> RichText {
        let mut text = RichText::default();
        self.append_value(frame, value, format, &mut text);
        text
    }

    /// Returns how texts write an attribute's value: the name that `show` gives it, or else the value itself.
    pub fn value_name(&self, attr: AttrId, value: i32) -> String {
        let names = &self.program.show.value_names;
        match names.iter().find(|(of, number, _)| (*of, *number) == (attr, value)) {
            Some((_, _, name)) => name.clone(),
            None => self.attr_name(attr, value),
        }
    }

    /// Returns the name of an attribute's value.
    pub fn attr_name(&self, attr: AttrId, value: i32) -> String {
        if value == NONE_VALUE {
            return "none".to_owned();
        }
        match self.program.attrs.get(attr as usize).map(|a| &a.values) {
            Some(AttrDomain::Names(names)) => names.get(value as usize).cloned().unwrap_or_default(),
            _ => value.to_string(),
        }
    }

    fn append_value(&self, frame: &Frame<S>, value: i32, format: &ValueFormat, out: &mut impl TextOutput) {
        match format {
            ValueFormat::Number => out.number(value),
            ValueFormat::YesNo => out.text(if value != 0 { "yes" } else { "no" }),
            ValueFormat::Player => match u8::try_from(value) {
                Ok(seat) if (seat as usize) < self.seats => out.push(Piece::Seat(seat)),
                _ => out.text("nobody"),
            },
            ValueFormat::Card => match u16::try_from(value) {
                Ok(card) if (card as usize) < self.cards.len() => match frame.written(card) {
                    Some(text) => out.push(Piece::Written(text.to_owned())),
                    None => out.push(Piece::Face(self.face(card))),
                },
                _ => out.text("none"),
            },
            ValueFormat::Attr(attr) => out.text(&self.value_name(*attr, value)),
            ValueFormat::Choice(names) => out.text(names.get(value as usize).map_or("", |n| n)),
        }
    }

    /// Returns the text of a card: the text that a player wrote on it, else its text from a pack, else its name, else its face.
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
    pub fn write_text(self, script: &Script<S>) -> RichText {
        let mut text = RichText::default();
        self.append(script, &mut text);
        text
    }

    /// See [`Instance::text_matches`].
    pub fn text_matches(self, script: &Script<S>, text: &RichText) -> bool {
        let mut comparison = TextComparison::new(text);
        self.append(script, &mut comparison);
        comparison.is_equal()
    }

    fn append(self, script: &Script<S>, out: &mut impl TextOutput) {
        for part in &script.parts {
            match part {
                ScriptPart::Plain(text) => out.text(text),
                ScriptPart::Value(value, format) => {
                    let value = self.num(value);
                    self.instance().append_value(self.frame, value, format, out);
                }
                ScriptPart::Letters(count, text) => {
                    let count = self.num(count).max(0) as usize;
                    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
                    out.text(&text[..end]);
                }
                ScriptPart::Cards(cards) => self.append_cards(&self.ordered(cards), out),
                ScriptPart::Players(members) => {
                    let seats: Vec<u8> = seats_of(self.members(members)).collect();
                    append_list(&seats, "nobody", out, |seat, out| out.push(Piece::Seat(*seat)));
                }
                ScriptPart::CardText(card) => {
                    let card = self.num(card);
                    if let Some(piece) = self.instance().card_text(self.frame, card) {
                        out.push(piece);
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
                    append_filled_prompt(&prompt, pieces, out);
                }
                ScriptPart::If(cond, yes, no) => {
                    let chosen = if self.holds(cond) { yes } else { no };
                    self.append(chosen, out);
                }
            }
        }
    }
}

/// Upper bound on the cards that a text lists. Of more cards the text gives the number only.
const MAX_LISTED_CARDS: usize = 40;

impl<S: CardSet> Eval<'_, S> {
    /// Appends several cards as people say them: `5♣, A♦ and 4♥`.
    fn append_cards(self, cards: &[u16], out: &mut impl TextOutput) {
        if cards.len() > MAX_LISTED_CARDS {
            return out.text(&format!("{} cards", cards.len()));
        }
        append_list(cards, "no cards", out, |card, out| {
            self.instance().append_value(self.frame, i32::from(*card), &ValueFormat::Card, out);
        });
    }
}

/// Appends a list as people say it: `one, two and three`.
fn append_list<T, O: TextOutput>(items: &[T], none: &str, out: &mut O, write: impl Fn(&T, &mut O)) {
    if items.is_empty() {
        out.text(none);
    }
    for (at, item) in items.iter().enumerate() {
        match items.len() - at {
            _ if at == 0 => {}
            1 => out.text(" and "),
            _ => out.text(", "),
        }
        write(item, out);
    }
}

/// Appends a prompt with answers in its blanks (runs of underscores). Surplus answers follow the prompt.
fn append_filled_prompt(prompt: &str, mut answers: impl Iterator<Item = Piece>, out: &mut impl TextOutput) {
    let mut rest = prompt;
    while let Some(at) = rest.find('_') {
        out.text(&rest[..at]);
        let after = rest[at..].trim_start_matches('_');
        match answers.next() {
            // The full stop of an answer would break the sentence of the prompt.
            Some(Piece::Text(text)) => out.text(text.strip_suffix('.').unwrap_or(&text)),
            Some(Piece::Written(text)) => {
                out.push(Piece::Written(text.strip_suffix('.').unwrap_or(&text).to_owned()));
            }
            Some(piece) => out.push(piece),
            None => out.text(&rest[at..rest.len() - after.len()]),
        }
        rest = after;
    }
    out.text(rest);
    for answer in answers {
        if !out.is_empty() {
            out.text(" ");
        }
        out.push(answer);
    }
}

/// Takes the pieces of a text: a [`RichText`] stores them, a [`TextComparison`] compares them with an earlier text.
trait TextOutput {
    /// Appends plain text. Adjacent texts become one piece.
    fn text(&mut self, text: &str);
    /// Appends a piece other than plain text.
    fn piece(&mut self, piece: Piece);
    fn is_empty(&self) -> bool;

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

impl TextOutput for RichText {
    fn text(&mut self, text: &str) {
        RichText::text(self, text);
    }

    fn piece(&mut self, piece: Piece) {
        self.0.push(piece);
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl RichText {
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

/// Compares an earlier text with the text that is being written, piece by piece.
struct TextComparison<'a> {
    /// The pieces of the earlier text that are still to be matched.
    pieces: &'a [Piece],
    /// The number of bytes of the first piece that are matched already, if it is plain text.
    matched: usize,
    equal: bool,
    empty: bool,
}

impl<'a> TextComparison<'a> {
    fn new(text: &'a RichText) -> Self {
        TextComparison { pieces: &text.0, matched: 0, equal: true, empty: true }
    }

    /// Whether the written text so far equals the whole earlier text.
    fn is_equal(&self) -> bool {
        let complete = match self.pieces {
            [] => true,
            [Piece::Text(last)] => self.matched > 0 && self.matched == last.len(),
            _ => false,
        };
        self.equal && complete
    }
}

impl TextOutput for TextComparison<'_> {
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.empty = false;
        let expected = match self.pieces.first() {
            Some(Piece::Text(expected)) => expected.as_bytes().get(self.matched..).unwrap_or_default(),
            _ => &[],
        };
        self.equal &= expected.starts_with(text.as_bytes());
        self.matched += text.len();
    }

    fn piece(&mut self, piece: Piece) {
        self.empty = false;
        if self.matched > 0 {
            let complete = matches!(self.pieces.first(), Some(Piece::Text(text)) if text.len() == self.matched);
            self.equal &= complete;
            self.pieces = self.pieces.get(1..).unwrap_or_default();
            self.matched = 0;
        }
        self.equal &= self.pieces.first() == Some(&piece);
        self.pieces = self.pieces.get(1..).unwrap_or_default();
    }

    fn is_empty(&self) -> bool {
        self.empty
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(prompt: &str, answers: &[&str]) -> String {
        let mut text = RichText::default();
        append_filled_prompt(prompt, answers.iter().map(|a| Piece::Text((*a).to_owned())), &mut text);
        text.0.iter().map(|p| if let Piece::Text(t) = p { t.as_str() } else { "?" }).collect()
    }

    /// Each filled prompt equals itself and none of the other texts.
    #[test]
    fn comparison_finds_exactly_the_text_that_would_be_written() {
        let piece = |text: &str| Piece::Text(text.to_owned());
        let cases: [(&str, Vec<Piece>); 6] = [
            ("Why ____?", vec![piece("a cat.")]),
            ("_ and ____.", vec![Piece::Face(3), Piece::Written("two".into())]),
            ("", vec![piece("Tea"), piece("Milk")]),
            ("", vec![]),
            ("Say it.", vec![Piece::Seat(1), piece("Milk")]),
            ("Say it.", vec![piece("Tea")]),
        ];
        let texts = cases.iter().map(|(prompt, answers)| {
            let mut text = RichText::default();
            append_filled_prompt(prompt, answers.iter().cloned(), &mut text);
            text
        });
        let texts: Vec<RichText> = texts.collect();
        let shorter = RichText(vec![piece("Say it. Te")]);
        let longer = RichText(vec![piece("Say it. Tea!")]);
        let more = RichText(vec![piece("Say it. Tea"), Piece::Seat(0)]);
        for (n, (prompt, answers)) in cases.iter().enumerate() {
            for (m, text) in texts.iter().chain([&shorter, &longer, &more]).enumerate() {
                let mut comparison = TextComparison::new(text);
                append_filled_prompt(prompt, answers.iter().cloned(), &mut comparison);
                assert_eq!(comparison.is_equal(), n == m, "{prompt:?} with {answers:?} against {text:?}");
            }
        }
        for n in [0, 7, -7, i32::MAX, i32::MIN] {
            let mut text = RichText::default();
            text.number(n);
            assert_eq!(text, RichText(vec![piece(&n.to_string())]));
        }
    }

    #[test]
    fn answers_fill_blanks_and_surplus_answers_follow() {
        assert_eq!(filled("Why ____?", &["a cat."]), "Why a cat?");
        assert_eq!(filled("_ and ____.", &["One", "two"]), "One and two.");
        assert_eq!(filled("Say it.", &["Tea.", "Milk."]), "Say it. Tea. Milk.");
        assert_eq!(filled("____ or ____?", &["Tea"]), "Tea or ____?");
    }
}
