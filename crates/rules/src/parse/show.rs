//! `show`: how the table is drawn, a line each.

use super::words::SHOW_LINES;
use super::{Parsed, Parser};
use crate::ast::{DeclKind, Expr, ShowKind, ShowLine, TextPart, ThemeValue};
use crate::lex::Kind;
use crate::span::{Name, Span};

/// Kinds of badges.
pub const BADGES: &[&str] = &["letters", "score", "title", "count", "mark", "row"];

impl Parser<'_> {
    pub(super) fn show(&mut self, header: Span) -> DeclKind {
        let mut lines = Vec::new();
        self.table_of("show", header, "badge score: points", &mut |parser| {
            let start = parser.here();
            let kind = parser.show_line()?;
            lines.push(ShowLine { span: parser.since(start), kind });
            if !matches!(lines.last(), Some(ShowLine { kind: ShowKind::Face { .. }, .. })) {
                parser.finish_line();
            }
            Ok(())
        });
        DeclKind::Show(lines)
    }

    fn show_line(&mut self) -> Parsed<ShowKind> {
        match self.clause_word(SHOW_LINES, "a line of `show`")? {
            "badge" => {
                let kind = self.one_of(BADGES, "a kind of badge")?;
                let label = self.optional_text();
                let value = if self.eat(Kind::Colon) { Some(self.value()?) } else { None };
                Ok(ShowKind::Badge { kind, label, value, when: self.optional_when()? })
            }
            "seat" => {
                const EXAMPLE: &str = "seat out when hand is empty";
                let status = self.name("a word for the seat", EXAMPLE)?;
                let label = self.optional_text();
                self.expect_word("when", EXAMPLE)?;
                Ok(ShowKind::Seat { status, label, when: self.value()? })
            }
            "highlight" => Ok(ShowKind::Highlight { cards: self.value()?, when: self.optional_when()? }),
            "status" => Ok(ShowKind::Status { text: self.text("a text")?, when: self.optional_when()? }),
            "theme" => self.theme(),
            "face" => self.face(),
            "sign" => self.sign(),
            "zone" => self.zone_hint(),
            _ => {
                self.expect_word("worth", "hint worth count of won[player]")?;
                Ok(ShowKind::Hint(self.value()?))
            }
        }
    }

    pub(super) fn optional_when(&mut self) -> Parsed<Option<Expr>> {
        if self.eat_word("when") { Ok(Some(self.value()?)) } else { Ok(None) }
    }

    /// `theme cloth green, back weave, emblem "♠"`
    fn theme(&mut self) -> Parsed<ShowKind> {
        let mut parts = Vec::new();
        loop {
            let part = self.one_of(&["cloth", "back", "emblem"], "a part of the theme")?;
            let value = if self.at_text() {
                ThemeValue::Text(self.text_here())
            } else {
                ThemeValue::Word(self.name("a word or a text", "theme cloth green, back weave, emblem \"♠\"")?)
            };
            parts.push((part, value));
            if !self.eat(Kind::Comma) {
                return Ok(ShowKind::Theme(parts));
            }
        }
    }

    /// `face cards: number, title by value` + `1 "King"` lines
    fn face(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "face cards: number, title by value";
        let deck = self.name("the name of a deck", EXAMPLE)?;
        self.colon_after("the deck's name", EXAMPLE);
        let template = self.one_of(&["pips", "number", "text", "prompt"], "a kind of card face")?;
        let mut by = None;
        if self.eat(Kind::Comma) {
            self.expect_word("title", EXAMPLE)?;
            self.expect_word("by", EXAMPLE)?;
            by = Some(self.name("an attribute of the cards", EXAMPLE)?);
        }
        self.finish_line();
        let mut titles = Vec::new();
        self.lines(&mut |parser| {
            let title = parser.operand().and_then(|value| Ok((value, parser.text("the title of this card")?)));
            match title {
                Ok(title) => {
                    titles.push(title);
                    parser.finish_line();
                }
                Err(_) => parser.skip_line(),
            }
        });
        Ok(ShowKind::Face { deck, template, by, titles })
    }

    /// `sign skull "☠"`, `sign "Short hedge" "❦"`
    fn sign(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "sign skull \"☠\"";
        let start = self.here();
        let word = if self.at_text() {
            let text = self.text_here();
            let plain = |part: &TextPart| match part {
                TextPart::Plain(text) => text.clone(),
                TextPart::Hole(_) => String::new(),
            };
            Name { text: text.parts.iter().map(plain).collect(), span: self.since(start) }
        } else {
            self.name("a word of an attribute or the name of a card", EXAMPLE)?
        };
        if !self.at_text() {
            return self.expected("parse/expected-text", "the sign in quotes", EXAMPLE);
        }
        Ok(ShowKind::Sign { word, picture: self.text_here() })
    }

    /// `zone trick: centre, large`
    fn zone_hint(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "zone trick: centre, large";
        let zone = self.name("the name of a zone", EXAMPLE)?;
        self.colon_after("the zone's name", EXAMPLE);
        let mut words = Vec::new();
        while self.at(Kind::Word) {
            words.push(self.any_name());
            self.eat(Kind::Comma);
        }
        if words.is_empty() {
            return self.expected("parse/expected-word", "how to draw the zone", EXAMPLE);
        }
        Ok(ShowKind::ZoneHint { zone, words })
    }
}
