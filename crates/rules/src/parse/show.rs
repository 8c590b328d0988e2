//! `show`: how clients draw the table.

use super::words::SHOW_LINES;
use super::{Parsed, Parser};
use crate::ast::{DeclKind, Expr, ShowKind, ShowLine, TextPart, ThemeValue};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::{Name, Span};

/// The kinds of badges.
pub const BADGES: &[&str] = &["letters", "score", "title", "count", "mark", "row"];

impl Parser<'_> {
    pub(super) fn parse_show(&mut self, header: Span) -> DeclKind {
        let mut lines = Vec::new();
        self.parse_table("show", header, "badge score: points", &mut |parser| {
            let start = parser.here();
            let kind = parser.parse_show_line()?;
            lines.push(ShowLine { span: parser.since(start), kind });
            if !matches!(lines.last(), Some(ShowLine { kind: ShowKind::Face { .. }, .. })) {
                parser.finish_line();
            }
            Ok(())
        });
        DeclKind::Show(lines)
    }

    fn parse_show_line(&mut self) -> Parsed<ShowKind> {
        match self.expect_clause_word(SHOW_LINES, "a line of `show`")? {
            "badge" => {
                let kind = self.one_of(BADGES, "a kind of badge")?;
                let label = self.parse_optional_text();
                let value = if self.eat(TokenKind::Colon) { Some(self.parse_expr()?) } else { None };
                Ok(ShowKind::Badge { kind, label, value, when: self.parse_optional_when()? })
            }
            "seat" => {
                const EXAMPLE: &str = "seat out when hand is empty";
                let status = self.parse_name("a word for the seat", EXAMPLE)?;
                let label = self.parse_optional_text();
                self.expect_word("when", EXAMPLE)?;
                Ok(ShowKind::Seat { status, label, when: self.parse_expr()? })
            }
            "highlight" => Ok(ShowKind::Highlight { cards: self.parse_expr()?, when: self.parse_optional_when()? }),
            "status" => Ok(ShowKind::Status { text: self.expect_text("a text")?, when: self.parse_optional_when()? }),
            "counter" => self.parse_counter(),
            "theme" => self.parse_theme(),
            "face" => self.parse_face(),
            "sign" => self.parse_sign(),
            "name" => self.parse_value_name(),
            "zone" => self.parse_zone_hint(),
            _ => {
                self.expect_word("worth", "hint worth count of won[player]")?;
                Ok(ShowKind::Hint(self.parse_expr()?))
            }
        }
    }

    pub(super) fn parse_optional_when(&mut self) -> Parsed<Option<Expr>> {
        if self.eat_word("when") { Ok(Some(self.parse_expr()?)) } else { Ok(None) }
    }

    /// `counter "Pot": pot at pile`
    fn parse_counter(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "counter \"Pot\": pot";
        if !self.at_text() {
            return self.fail_expected("parse/expected-text", "the name of the counter in quotes", EXAMPLE);
        }
        let label = self.parse_text();
        self.expect(TokenKind::Colon, ":", EXAMPLE)?;
        let value = self.parse_expr()?;
        let at = if self.eat_word("at") { Some(self.parse_name("the name of a zone", EXAMPLE)?) } else { None };
        if self.at_word("when") {
            let problem = Diagnostic::error("parse/counter-when", self.here(), "A counter is always there")
                .label("it can't come and go")
                .hint("For a line that comes and goes write `status \"…\" when …`.");
            return Err(self.fail(problem));
        }
        Ok(ShowKind::Counter { label, value, at })
    }

    /// `theme cloth green, back weave, emblem "♠"`
    fn parse_theme(&mut self) -> Parsed<ShowKind> {
        let mut parts = Vec::new();
        loop {
            let part = self.one_of(&["cloth", "back", "emblem"], "a part of the theme")?;
            let value = if self.at_text() {
                ThemeValue::Text(self.parse_text())
            } else {
                ThemeValue::Word(self.parse_name("a word or a text", "theme cloth green, back weave, emblem \"♠\"")?)
            };
            parts.push((part, value));
            if !self.eat(TokenKind::Comma) {
                return Ok(ShowKind::Theme(parts));
            }
        }
    }

    /// `face cards: number, title by value` + `1 "King"` lines
    fn parse_face(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "face cards: number, title by value";
        let deck = self.parse_name("the name of a deck", EXAMPLE)?;
        self.expect_colon_after("the deck's name", EXAMPLE);
        let template = self.one_of(&["pips", "number", "text", "prompt"], "a kind of card face")?;
        let mut by = None;
        if self.eat(TokenKind::Comma) {
            self.expect_word("title", EXAMPLE)?;
            self.expect_word("by", EXAMPLE)?;
            by = Some(self.parse_name("an attribute of the cards", EXAMPLE)?);
        }
        self.finish_line();
        let mut titles = Vec::new();
        self.parse_lines(&mut |parser| {
            let title =
                parser.parse_operand().and_then(|value| Ok((value, parser.expect_text("the title of this card")?)));
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
    fn parse_sign(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "sign skull \"☠\"";
        let start = self.here();
        let word = if self.at_text() {
            let text = self.parse_text();
            let plain = |part: &TextPart| match part {
                TextPart::Plain(text) => text.clone(),
                TextPart::Hole(_) | TextPart::Counted { .. } => String::new(),
            };
            Name { text: text.parts.iter().map(plain).collect(), span: self.since(start) }
        } else {
            self.parse_name("a word of an attribute or the name of a card", EXAMPLE)?
        };
        if !self.at_text() {
            return self.fail_expected("parse/expected-text", "the sign in quotes", EXAMPLE);
        }
        Ok(ShowKind::Sign { word, picture: self.parse_text() })
    }

    /// `name A "Ace"`, `name rank 3 "Three"`
    fn parse_value_name(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "name A \"Ace\"";
        let value_follows = matches!(self.nth(1).kind, TokenKind::Word | TokenKind::Number | TokenKind::Suit);
        let attr = if self.at(TokenKind::Word) && value_follows {
            Some(self.parse_name("an attribute of the cards", EXAMPLE)?)
        } else {
            None
        };
        let value = self.parse_operand()?;
        if !self.at_text() {
            return self.fail_expected("parse/expected-text", "the name of the value in quotes", EXAMPLE);
        }
        Ok(ShowKind::ValueName { attr, value, title: self.parse_text() })
    }

    /// `zone trick: centre, large`
    fn parse_zone_hint(&mut self) -> Parsed<ShowKind> {
        const EXAMPLE: &str = "zone trick: centre, large";
        let zone = self.parse_name("the name of a zone", EXAMPLE)?;
        self.expect_colon_after("the zone's name", EXAMPLE);
        let mut words = Vec::new();
        while self.at(TokenKind::Word) {
            words.push(self.take_name());
            self.eat(TokenKind::Comma);
        }
        if words.is_empty() {
            return self.fail_expected("parse/expected-word", "how to draw the zone", EXAMPLE);
        }
        Ok(ShowKind::ZoneHint { zone, words })
    }
}
