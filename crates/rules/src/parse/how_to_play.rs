//! `how to play`: a short explanation, line by line, for people who have not played the game before.

use super::phrase::split_card;
use super::{Parsed, Parser};
use crate::ast::{DeclKind, ExprKind, HowToLine, Illustration, IllustrationKind, TextPart};
use crate::lex::TokenKind;
use crate::span::Span;

const EXAMPLE: &str = "how to play\n  \"Follow the suit that was led, if you can.\" shows trick";

impl Parser<'_> {
    pub(super) fn parse_how_to_play(&mut self, header: Span) -> Parsed<DeclKind> {
        self.expect_word("to", "how to play")?;
        self.expect_word("play", "how to play")?;
        self.finish_line();
        let mut lines = Vec::new();
        self.parse_required_lines(header, "the explanation is missing", EXAMPLE, &mut |parser| match parser
            .parse_how_to_line()
        {
            Ok(line) => {
                lines.push(line);
                parser.finish_line();
            }
            Err(_) => parser.skip_line(),
        });
        Ok(DeclKind::HowToPlay(lines))
    }

    /// `"Text" shows Q♠, trick`
    fn parse_how_to_line(&mut self) -> Parsed<HowToLine> {
        let start = self.here();
        let text = self.expect_text("a sentence that explains the game")?;
        let mut shows = Vec::new();
        if self.eat_word("shows") {
            shows.push(self.parse_illustration()?);
            while self.eat(TokenKind::Comma) {
                shows.push(self.parse_illustration()?);
            }
        }
        Ok(HowToLine { span: self.since(start), text, shows })
    }

    fn parse_illustration(&mut self) -> Parsed<Illustration> {
        const EXAMPLE: &str = "\"The queen of spades counts 13.\" shows Q♠";
        let start = self.here();
        let kind = match self.peek().kind {
            TokenKind::Card => {
                self.bump();
                match split_card(self.slice(start)) {
                    ExprKind::Card { rank, suit } => IllustrationKind::Card { rank, suit },
                    _ => return self.fail_expected("parse/expected-value", "a card", EXAMPLE),
                }
            }
            TokenKind::Text(_) => {
                let text = self.parse_text();
                let plain = |part: &TextPart| match part {
                    TextPart::Plain(text) => text.clone(),
                    TextPart::Hole(_) | TextPart::Counted { .. } => String::new(),
                };
                IllustrationKind::Named(text.parts.iter().map(plain).collect())
            }
            TokenKind::Word => {
                let name = self.parse_name("a card, a zone or dice", EXAMPLE)?;
                if !self.at_value_of_attribute() {
                    IllustrationKind::Named(name.text)
                } else {
                    let mut values = vec![(name, self.take_name())];
                    while self.at(TokenKind::Word) {
                        let name = self.parse_name("an attribute of the card", EXAMPLE)?;
                        if !self.at_value_of_attribute() {
                            return self.fail_expected("parse/expected-value", "a value of the attribute", EXAMPLE);
                        }
                        values.push((name, self.take_name()));
                    }
                    IllustrationKind::Values(values)
                }
            }
            _ => return self.fail_expected("parse/expected-value", "a card, a zone or dice", EXAMPLE),
        };
        Ok(Illustration { span: self.since(start), kind })
    }

    fn at_value_of_attribute(&self) -> bool {
        matches!(self.peek().kind, TokenKind::Word | TokenKind::Number | TokenKind::Suit)
    }
}
