//! Options, presets, and the types that options and state are declared with.

use super::{Parsed, Parser};
use crate::ast::{DeclKind, Expr, GameOption, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::{Name, Span};

impl Parser<'_> {
    /// `option NAME: TYPE = DEFAULT` + title and `value "text"` lines
    pub(super) fn option(&mut self) -> Parsed<GameOption> {
        const EXAMPLE: &str = "option rounds: 1..20 = 3";
        let name = self.name("a name for the option", EXAMPLE)?;
        self.colon_after("the option's name", EXAMPLE);
        let ty = if self.at(Kind::Number) && self.nth(1).kind == Kind::Bar {
            let start = self.here();
            let kind = TypeKind::Choice(self.choices_or_numbers()?);
            TypeExpr { span: self.since(start), kind }
        } else {
            self.type_expr()?
        };
        if self.at_line_end() {
            return self.expected("parse/option-default", "`=` and what the option is set to at first", EXAMPLE);
        }
        self.equals(EXAMPLE)?;
        let default = self.value()?;
        self.finish_line();
        let mut option = GameOption { name, ty, default, title: None, values: Vec::new() };
        self.lines(&mut |parser| parser.option_line(&mut option));
        Ok(option)
    }

    fn option_line(&mut self, option: &mut GameOption) {
        if self.at_text() {
            let title = self.text_here();
            if let Some(first) = &option.title {
                self.soft(
                    Diagnostic::error("parse/two-titles", title.span, "This option already has a title")
                        .related(first.span, "here"),
                );
            } else {
                option.title = Some(title);
            }
        } else if self.at(Kind::Word) || self.at(Kind::Number) || self.at(Kind::Suit) {
            let value = self.any_name();
            match self.text("what this value means") {
                Ok(text) => option.values.push((value, text)),
                Err(_) => return self.skip_line(),
            }
        } else {
            let _: Parsed<()> = self.expected(
                "parse/option-line",
                "a title in quotes, or a value and what it means",
                "rotate \"The judge passes clockwise\"",
            );
            return self.skip_line();
        }
        self.finish_line();
    }

    /// `preset quick: word = "D", rounds = 1`
    pub(super) fn preset(&mut self) -> Parsed<DeclKind> {
        const EXAMPLE: &str = "preset quick: rounds = 1, word = \"D\"";
        let name = self.name("a name for the preset", EXAMPLE)?;
        self.colon_after("the preset's name", EXAMPLE);
        let mut values: Vec<(Name, Expr)> = Vec::new();
        loop {
            let option = self.name("the name of an option", EXAMPLE)?;
            self.equals(EXAMPLE)?;
            values.push((option, self.value()?));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        Ok(DeclKind::Preset { name, values })
    }

    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        let start = self.here();
        let kind = self.type_kind(start)?;
        Ok(TypeExpr { span: self.since(start), kind })
    }

    fn type_kind(&mut self, start: Span) -> Parsed<TypeKind> {
        let next = self.nth(1).kind;
        let alone = next.ends_line() || matches!(next, Kind::Equals | Kind::Comma | Kind::Assign);
        match self.word_at(0) {
            "yes" if next == Kind::Slash && self.word_at(2) == "no" => {
                for _ in 0..3 {
                    self.bump();
                }
                Ok(TypeKind::YesNo)
            }
            "yes" | "no" | "bool" | "boolean" | "true" | "false" => {
                let problem =
                    Diagnostic::error("parse/type", start, "A value that is yes or no is declared as `yes/no`")
                        .hint("For example: `opening: yes/no = yes`");
                Err(self.hard(problem))
            }
            "player" if alone => {
                self.bump();
                Ok(TypeKind::Player)
            }
            word @ ("seconds" | "text") if next != Kind::Dots && next != Kind::Bar => {
                self.bump();
                if alone {
                    let (what, example) = if word == "text" {
                        ("lengths", "text 1..12")
                    } else {
                        ("shortest and longest time", "seconds 0..300")
                    };
                    return self.expected("parse/type", &format!("the {what} allowed"), example);
                }
                let (low, high) = self.bounds()?;
                Ok(if word == "text" { TypeKind::Text(low, high) } else { TypeKind::Seconds(low, high) })
            }
            "number" | "int" | "integer" if alone => {
                let problem =
                    Diagnostic::error("parse/type", start, "A number is declared by its smallest and largest value")
                        .hint("For example: `score[player]: 0..100 = 0`");
                Err(self.hard(problem))
            }
            word if !word.is_empty() && next == Kind::Bar => self.choices().map(TypeKind::Choice),
            word if !word.is_empty() && alone => {
                self.name("what kind of value it is", "judge: player").map(TypeKind::Attr)
            }
            _ => {
                if self.at_line_end() || self.at(Kind::Equals) {
                    return self.expected("parse/type", "what kind of value it is", "score[player]: 0..100 = 0");
                }
                let low = self.amount()?;
                if self.at(Kind::Bar) {
                    let problem = Diagnostic::error("parse/type", self.here(), "A number is declared by its smallest and largest value")
                        .hint("For example: `stake: 1..5 = 1`. Only an option can be one of a few numbers: `option goal: 11 | 16 | 21 = 11`.");
                    return Err(self.hard(problem));
                }
                self.expect(Kind::Dots, "..", "score[player]: 0..100 = 0")?;
                Ok(TypeKind::Range(low, self.amount()?))
            }
        }
    }

    /// `11 | 16 | 21`: an option may be one of a few numbers.
    fn choices_or_numbers(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            if !self.at(Kind::Number) {
                return self.expected("parse/type", "another number", "option goal: 11 | 16 | 21 = 11");
            }
            names.push(self.any_name());
            if !self.eat(Kind::Bar) {
                return Ok(names);
            }
        }
    }

    /// `rotate | winner | random`
    pub(super) fn choices(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            // `none` has no other meaning where one of these words is expected.
            let word = if self.word_at(0) == "none" {
                self.any_name()
            } else {
                self.name("a word to choose", "choice x from higher | lower")?
            };
            names.push(word);
            if !self.eat(Kind::Bar) {
                return Ok(names);
            }
        }
    }
}
