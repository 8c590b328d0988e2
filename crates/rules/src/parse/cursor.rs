//! Moving over the tokens, and saying what was expected instead of what is there.

use super::words::{self, is_reserved};
use super::{Failed, Parsed, Parser};
use crate::ast::Text;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::{Kind, Token};
use crate::span::{Name, Span};

impl<'s> Parser<'s> {
    pub(super) fn peek(&self) -> Token {
        self.nth(0)
    }

    /// The token `n` further on; the last one is always the end.
    pub(super) fn nth(&self, n: usize) -> Token {
        let end = Token { kind: Kind::End, span: Span::new(self.source.len(), self.source.len()) };
        self.tokens.get(self.at + n).or(self.tokens.last()).copied().unwrap_or(end)
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        if !token.kind.ends_line() {
            self.last_end = token.span.end;
        }
        token
    }

    pub(super) fn slice(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The word `n` further on, or nothing if there is something else.
    pub(super) fn word_at(&self, n: usize) -> &'s str {
        let token = self.nth(n);
        if token.kind == Kind::Word { self.slice(token.span) } else { "" }
    }

    pub(super) fn at(&self, kind: Kind) -> bool {
        self.peek().kind == kind
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.word_at(0) == word
    }

    pub(super) fn at_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(n, word)| self.word_at(n) == *word)
    }

    pub(super) fn at_any_word(&self, words: &[&str]) -> bool {
        words.contains(&self.word_at(0))
    }

    pub(super) fn at_line_end(&self) -> bool {
        self.peek().kind.ends_line()
    }

    pub(super) fn at_text(&self) -> bool {
        matches!(self.peek().kind, Kind::Text(_))
    }

    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let there = self.at(kind);
        if there {
            self.bump();
        }
        there
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.bump();
        }
        there
    }

    pub(super) fn eat_words(&mut self, words: &[&str]) -> bool {
        let there = self.at_words(words);
        if there {
            for _ in words {
                self.bump();
            }
        }
        there
    }

    /// From where something began to the last token read.
    pub(super) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_end.max(start.start) }
    }

    /// What stands here, for a message.
    pub(super) fn found(&self) -> String {
        let token = self.peek();
        match token.kind {
            // A hole in a text has an end of its own.
            Kind::End if (token.span.end as usize) < self.source.len() => "`}`".to_string(),
            Kind::Newline | Kind::Indent | Kind::Dedent | Kind::End => "the end of the line".to_string(),
            Kind::Text(_) => "a text".to_string(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    fn rest_of_line(&self) -> &'s str {
        let start = self.peek().span;
        let words = (0..).map(|n| self.nth(n)).take_while(|token| !token.kind.ends_line());
        self.slice(Span { start: start.start, end: words.last().map_or(start.end, |token| token.span.end) })
    }

    /// Where to point when something is missing here: at the odd thing, or just behind the line.
    pub(super) fn here(&self) -> Span {
        let token = self.peek();
        if token.kind.ends_line() { Span { start: self.last_end, end: self.last_end } } else { token.span }
    }

    /// Reports a mistake that does not stop the reading of the line.
    pub(super) fn soft(&mut self, problem: Diagnostic) {
        self.reports.add(problem);
    }

    /// Reports one of those that may well occur several times in a line, such as `&&`.
    pub(super) fn slip(&mut self, problem: Diagnostic) {
        self.reports.add_slip(problem);
    }

    /// Reports a mistake that stops it.
    pub(super) fn hard(&mut self, problem: Diagnostic) -> Failed {
        self.reports.add(problem);
        Failed
    }

    /// `wanted` was expected here: "a zone", "`from`". The example shows a whole good line.
    pub(super) fn expected<T>(&mut self, code: &'static str, wanted: &str, example: &str) -> Parsed<T> {
        let mut problem = Diagnostic::error(code, self.here(), format!("Expected {wanted}, found {}", self.found()))
            .label(format!("expected {wanted}"));
        if !example.is_empty() {
            problem = problem.hint(format!("For example: `{example}`"));
        }
        Err(self.hard(problem))
    }

    pub(super) fn expect_word(&mut self, word: &str, example: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected("parse/expected-word", &format!("`{word}`"), example) }
    }

    pub(super) fn expect(&mut self, kind: Kind, sign: &str, example: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { self.expected("parse/expected-sign", &format!("`{sign}`"), example) }
    }

    /// The closing bracket that belongs to `open`.
    pub(super) fn close(&mut self, kind: Kind, sign: &str, open: Span) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let problem =
            Diagnostic::error("parse/open-bracket", self.here(), format!("Expected `{sign}`, found {}", self.found()))
                .label(format!("`{sign}` is missing before this"))
                .related(open, "opened here");
        Err(self.hard(problem))
    }

    /// A colon that is easily forgotten: its absence is reported, and reading goes on.
    pub(super) fn colon_after(&mut self, what: &str, example: &str) {
        if self.eat(Kind::Colon) {
            return;
        }
        let after = Span { start: self.last_end, end: self.last_end };
        self.soft(
            Diagnostic::error("parse/missing-colon", after, format!("A `:` is missing after {what}"))
                .label("`:` goes here")
                .hint(format!("For example: `{example}`")),
        );
    }

    /// A name that is the designer's to choose.
    pub(super) fn name(&mut self, what: &str, example: &str) -> Parsed<Name> {
        let word = self.word_at(0);
        if word.is_empty() {
            return self.expected("parse/expected-name", what, example);
        }
        if is_reserved(word) {
            // What follows a name tells that the word was meant as one.
            let meant = matches!(
                self.nth(1).kind,
                Kind::Colon | Kind::OpenSquare | Kind::OpenRound | Kind::Equals | Kind::Assign
            );
            let hint = match meant {
                true => format!("Choose another name, such as `the_{word}` or `{word}_1`."),
                false => format!("For example: `{example}`"),
            };
            let problem =
                Diagnostic::error("parse/reserved-name", self.here(), format!("Expected {what}, found `{word}`"))
                    .label(format!("`{word}` is a word of the language and cannot be a name"))
                    .hint(hint);
            return Err(self.hard(problem));
        }
        Ok(self.any_name())
    }

    /// Whatever word, number, card or suit stands here, as a name. The caller has looked.
    pub(super) fn any_name(&mut self) -> Name {
        let span = self.bump().span;
        Name { text: self.slice(span).trim_end_matches('\u{fe0f}').to_string(), span }
    }

    /// A name may stand here: for the variable in `first player q where …`.
    pub(super) fn optional_name(&mut self) -> Option<Name> {
        let word = self.word_at(0);
        (!word.is_empty() && !is_reserved(word)).then(|| self.any_name())
    }

    /// One word of a fixed list. A wrong one is reported and the nearest one taken.
    pub(super) fn one_of(&mut self, words: &[&str], what: &str) -> Parsed<Name> {
        let list = words::listed(words);
        let word = self.word_at(0);
        if word.is_empty() {
            return self.expected("parse/expected-word", &format!("{what} ({list})"), "");
        }
        let mut name = self.any_name();
        if !words.contains(&name.text.as_str()) {
            let meant = did_you_mean(&name.text, words.iter().copied());
            let problem = Diagnostic::error("parse/unknown-word", name.span, format!("`{}` is not {what}", name.text));
            let problem = match &meant {
                Some(meant) => problem.hint(format!("Did you mean `{meant}`?")),
                None => problem.hint(format!("It can be {list}.")),
            };
            self.soft(problem);
            name.text = meant.unwrap_or_else(|| words.first().copied().unwrap_or("").to_string());
        }
        Ok(name)
    }

    pub(super) fn text(&mut self, what: &str) -> Parsed<Text> {
        if self.at_text() {
            return Ok(self.text_here());
        }
        let quoted = if self.at_line_end() { "…" } else { self.rest_of_line() };
        let problem = Diagnostic::error(
            "parse/expected-text",
            self.here(),
            format!("Expected {what} in quotes, found {}", self.found()),
        )
        .hint(format!("Write it in straight quotes: \"{quoted}\""));
        Err(self.hard(problem))
    }

    pub(super) fn optional_text(&mut self) -> Option<Text> {
        self.at_text().then(|| self.text_here())
    }
}
