//! Options, presets, and the types of options and state.

use super::{Parsed, Parser};
use crate::ast::{DeclKind, Expr, GameOption, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// `option NAME: TYPE = DEFAULT` + title and `value "text"` lines
    pub(super) fn parse_option(&mut self) -> Parsed<GameOption> {
        const EXAMPLE: &str = "option rounds: 1..20 = 3";
        let name = self.parse_name("a name for the option", EXAMPLE)?;
        self.expect_colon_after("the option's name", EXAMPLE);
        let ty = if self.at(TokenKind::Number) && self.nth(1).kind == TokenKind::Bar {
            let start = self.here();
            let kind = TypeKind::Choice(self.parse_number_choices()?);
            TypeExpr { span: self.since(start), kind }
        } else {
            self.parse_type()?
        };
        if self.at_line_end() {
            return self.fail_expected("parse/option-default", "`=` and what the option is set to at first", EXAMPLE);
        }
        self.expect_equals(EXAMPLE)?;
        let default = self.parse_expr()?;
        self.finish_line();
        let mut option = GameOption { name, ty, default, title: None, values: Vec::new() };
        self.parse_lines(&mut |parser| parser.parse_option_line(&mut option));
        Ok(option)
    }

    fn parse_option_line(&mut self, option: &mut GameOption) {
        if self.at_text() {
            let title = self.parse_text();
            if let Some(first) = &option.title {
                self.report(
                    Diagnostic::error("parse/two-titles", title.span, "This option already has a title")
                        .related(first.span, "here"),
                );
            } else {
                option.title = Some(title);
            }
        } else if self.at(TokenKind::Word) || self.at(TokenKind::Number) || self.at(TokenKind::Suit) {
            let value = self.take_name();
            match self.expect_text("what this value means") {
                Ok(text) => option.values.push((value, text)),
                Err(_) => return self.skip_line(),
            }
        } else {
            let _: Parsed<()> = self.fail_expected(
                "parse/option-line",
                "a title in quotes, or a value and what it means",
                "rotate \"The judge passes clockwise\"",
            );
            return self.skip_line();
        }
        self.finish_line();
    }

    /// `preset quick: word = "D", rounds = 1`
    pub(super) fn parse_preset(&mut self) -> Parsed<DeclKind> {
        const EXAMPLE: &str = "preset quick: rounds = 1, word = \"D\"";
        let name = self.parse_name("a name for the preset", EXAMPLE)?;
        self.expect_colon_after("the preset's name", EXAMPLE);
        let mut values: Vec<(Name, Expr)> = Vec::new();
        loop {
            let option = self.parse_name("the name of an option", EXAMPLE)?;
            self.expect_equals(EXAMPLE)?;
            values.push((option, self.parse_expr()?));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(DeclKind::Preset { name, values })
    }

    pub(super) fn parse_type(&mut self) -> Parsed<TypeExpr> {
        let start = self.here();
        let kind = self.parse_type_kind(start)?;
        Ok(TypeExpr { span: self.since(start), kind })
    }

    fn parse_type_kind(&mut self, start: Span) -> Parsed<TypeKind> {
        let next = self.nth(1).kind;
        let alone = next.ends_line() || matches!(next, TokenKind::Equals | TokenKind::Comma | TokenKind::Assign);
        match self.word_at(0) {
            "yes" if next == TokenKind::Slash && self.word_at(2) == "no" => {
                for _ in 0..3 {
                    self.bump();
                }
                Ok(TypeKind::YesNo)
            }
            "yes" | "no" | "bool" | "boolean" | "true" | "false" => {
                let problem =
                    Diagnostic::error("parse/type", start, "A value that is yes or no is declared as `yes/no`")
                        .hint("For example: `opening: yes/no = yes`");
                Err(self.fail(problem))
            }
            "player" if alone => {
                self.bump();
                Ok(TypeKind::Player)
            }
            word @ ("seconds" | "text") if next != TokenKind::Dots && next != TokenKind::Bar => {
                self.bump();
                if alone {
                    let (what, example) = if word == "text" {
                        ("lengths", "text 1..12")
                    } else {
                        ("shortest and longest time", "seconds 0..300")
                    };
                    return self.fail_expected("parse/type", &format!("the {what} allowed"), example);
                }
                let (low, high) = self.parse_bounds()?;
                Ok(if word == "text" { TypeKind::Text(low, high) } else { TypeKind::Seconds(low, high) })
            }
            "number" | "int" | "integer" if alone => {
                let problem =
                    Diagnostic::error("parse/type", start, "A number is declared by its smallest and largest value")
                        .hint("For example: `score[player]: 0..100 = 0`");
                Err(self.fail(problem))
            }
            word if !word.is_empty() && next == TokenKind::Bar => self.parse_choices().map(TypeKind::Choice),
            word if !word.is_empty() && alone => {
                self.parse_name("what kind of value it is", "judge: player").map(TypeKind::Attr)
            }
            _ => {
                if self.at_line_end() || self.at(TokenKind::Equals) {
                    return self.fail_expected("parse/type", "what kind of value it is", "score[player]: 0..100 = 0");
                }
                let low = self.parse_amount()?;
                if self.at(TokenKind::Bar) {
                    let problem = Diagnostic::error("parse/type", self.here(), "A number is declared by its smallest and largest value")
                        .hint("For example: `stake: 1..5 = 1`. Only an option can be one of a few numbers: `option goal: 11 | 16 | 21 = 11`.");
                    return Err(self.fail(problem));
                }
                self.expect(TokenKind::Dots, "..", "score[player]: 0..100 = 0")?;
                Ok(TypeKind::Range(low, self.parse_amount()?))
            }
        }
    }

    /// `11 | 16 | 21`: an option may be one of a few numbers.
    fn parse_number_choices(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            if !self.at(TokenKind::Number) {
                return self.fail_expected("parse/type", "another number", "option goal: 11 | 16 | 21 = 11");
            }
            names.push(self.take_name());
            if !self.eat(TokenKind::Bar) {
                return Ok(names);
            }
        }
    }

    /// `rotate | winner | random`
    pub(super) fn parse_choices(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            // `none` is reserved, but in a list of choices it can only be one of them.
            let word = if self.word_at(0) == "none" {
                self.take_name()
            } else {
                self.parse_name("a word to choose", "choice x from higher | lower")?
            };
            names.push(word);
            if !self.eat(TokenKind::Bar) {
                return Ok(names);
            }
        }
    }
}
