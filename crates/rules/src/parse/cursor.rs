//! Moves over the tokens, and reports a token that is not the expected one.

use super::words::{self, is_reserved};
use super::{Failed, Parsed, Parser};
use crate::ast::Text;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::{Token, TokenKind};
use crate::span::{Name, Span};

impl<'s> Parser<'s> {
    pub(super) fn peek(&self) -> Token {
        self.nth(0)
    }

    /// Returns the token `n` further on, or the end of the file.
    pub(super) fn nth(&self, n: usize) -> Token {
        let end = Token { kind: TokenKind::End, span: Span::new(self.source.len(), self.source.len()) };
        self.tokens.get(self.at + n).or(self.tokens.last()).copied().unwrap_or(end)
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
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

    /// Returns the word `n` tokens further on; empty if that token is no word.
    pub(super) fn word_at(&self, n: usize) -> &'s str {
        let token = self.nth(n);
        if token.kind == TokenKind::Word { self.slice(token.span) } else { "" }
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
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
        matches!(self.peek().kind, TokenKind::Text(_))
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
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

    /// Returns the span from `start` to the last token that was read.
    pub(super) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_end.max(start.start) }
    }

    /// Describes the next token for a message.
    pub(super) fn describe_next(&self) -> String {
        let token = self.peek();
        match token.kind {
            // The tokens of a hole end with the hole, not with the file.
            TokenKind::End if (token.span.end as usize) < self.source.len() => "`}`".to_string(),
            TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent | TokenKind::End => {
                "the end of the line".to_string()
            }
            TokenKind::Text(_) => "a text".to_string(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    fn rest_of_line(&self) -> &'s str {
        let start = self.peek().span;
        let words = (0..).map(|n| self.nth(n)).take_while(|token| !token.kind.ends_line());
        self.slice(Span { start: start.start, end: words.last().map_or(start.end, |token| token.span.end) })
    }

    /// Returns the span to which a diagnostic points when something is missing: the next token, or the end of the line.
    pub(super) fn here(&self) -> Span {
        let token = self.peek();
        if token.kind.ends_line() { Span { start: self.last_end, end: self.last_end } } else { token.span }
    }

    /// Reports a mistake after which the parser can read on in the same line.
    pub(super) fn report(&mut self, problem: Diagnostic) {
        self.reports.add(problem);
    }

    /// Reports a mistake, such as `&&`, that may occur several times in a line. See
    /// [`Reports::add_slip`](super::report::Reports::add_slip).
    pub(super) fn report_slip(&mut self, problem: Diagnostic) {
        self.reports.add_slip(problem);
    }

    /// Reports a mistake after which the parser can't read on in this line.
    pub(super) fn fail(&mut self, problem: Diagnostic) -> Failed {
        self.reports.add(problem);
        Failed
    }

    /// Reports that `wanted` ("a zone", "`from`") was expected here. The example is a whole correct line.
    pub(super) fn fail_expected<T>(&mut self, code: &'static str, wanted: &str, example: &str) -> Parsed<T> {
        let mut problem =
            Diagnostic::error(code, self.here(), format!("Expected {wanted}, found {}", self.describe_next()))
                .label(format!("expected {wanted}"));
        if !example.is_empty() {
            problem = problem.hint(format!("For example: `{example}`"));
        }
        Err(self.fail(problem))
    }

    pub(super) fn expect_word(&mut self, word: &str, example: &str) -> Parsed<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            self.fail_expected("parse/expected-word", &format!("`{word}`"), example)
        }
    }

    pub(super) fn expect(&mut self, kind: TokenKind, sign: &str, example: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { self.fail_expected("parse/expected-sign", &format!("`{sign}`"), example) }
    }

    /// Reads the closing bracket that belongs to `open`.
    pub(super) fn expect_closing(&mut self, kind: TokenKind, sign: &str, open: Span) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let problem = Diagnostic::error(
            "parse/open-bracket",
            self.here(),
            format!("Expected `{sign}`, found {}", self.describe_next()),
        )
        .label(format!("`{sign}` is missing before this"))
        .related(open, "opened here");
        Err(self.fail(problem))
    }

    /// Reads a colon. People often forget it, so the parser reports a missing one and reads on.
    pub(super) fn expect_colon_after(&mut self, what: &str, example: &str) {
        if self.eat(TokenKind::Colon) {
            return;
        }
        let after = Span { start: self.last_end, end: self.last_end };
        self.report(
            Diagnostic::error("parse/missing-colon", after, format!("A `:` is missing after {what}"))
                .label("`:` goes here")
                .hint(format!("For example: `{example}`")),
        );
    }

    /// Reads a name that the designer chooses.
    pub(super) fn parse_name(&mut self, what: &str, example: &str) -> Parsed<Name> {
        let word = self.word_at(0);
        if word.is_empty() {
            return self.fail_expected("parse/expected-name", what, example);
        }
        if is_reserved(word) {
            // These signs follow a name, so the author meant the word as a name.
            let meant = matches!(
                self.nth(1).kind,
                TokenKind::Colon | TokenKind::OpenSquare | TokenKind::OpenRound | TokenKind::Equals | TokenKind::Assign
            );
            let hint = match meant {
                true => format!("Choose another name, such as `the_{word}` or `{word}_1`."),
                false => format!("For example: `{example}`"),
            };
            let problem =
                Diagnostic::error("parse/reserved-name", self.here(), format!("Expected {what}, found `{word}`"))
                    .label(format!("`{word}` is a word of the language and cannot be a name"))
                    .hint(hint);
            return Err(self.fail(problem));
        }
        Ok(self.take_name())
    }

    /// Reads the next token, a word, number, card or suit, as a name. The caller has checked its kind.
    pub(super) fn take_name(&mut self) -> Name {
        let span = self.bump().span;
        Name { text: self.slice(span).trim_end_matches('\u{fe0f}').to_string(), span }
    }

    /// Reads a name if one stands here, such as the `q` of `first player q where …`.
    pub(super) fn parse_optional_name(&mut self) -> Option<Name> {
        let word = self.word_at(0);
        // `end everyone scores count of players out of 8`
        let ends = self.at_words(&["out", "of"]);
        (!word.is_empty() && !is_reserved(word) && !ends).then(|| self.take_name())
    }

    /// Reads one word of a list. The parser reports any other word and takes the most similar word of the list.
    pub(super) fn one_of(&mut self, words: &[&str], what: &str) -> Parsed<Name> {
        let list = words::listed(words);
        let word = self.word_at(0);
        if word.is_empty() {
            return self.fail_expected("parse/expected-word", &format!("{what} ({list})"), "");
        }
        let mut name = self.take_name();
        if !words.contains(&name.text.as_str()) {
            let meant = did_you_mean(&name.text, words.iter().copied());
            let problem = Diagnostic::error("parse/unknown-word", name.span, format!("`{}` is not {what}", name.text));
            let problem = match &meant {
                Some(meant) => problem.hint(format!("Did you mean `{meant}`?")),
                None => problem.hint(format!("It can be {list}.")),
            };
            self.report(problem);
            name.text = meant.unwrap_or_else(|| words.first().copied().unwrap_or("").to_string());
        }
        Ok(name)
    }

    pub(super) fn expect_text(&mut self, what: &str) -> Parsed<Text> {
        if self.at_text() {
            return Ok(self.parse_text());
        }
        let quoted = if self.at_line_end() { "…" } else { self.rest_of_line() };
        let problem = Diagnostic::error(
            "parse/expected-text",
            self.here(),
            format!("Expected {what} in quotes, found {}", self.describe_next()),
        )
        .hint(format!("Write it in straight quotes: \"{quoted}\""));
        Err(self.fail(problem))
    }

    pub(super) fn parse_optional_text(&mut self) -> Option<Text> {
        self.at_text().then(|| self.parse_text())
    }
}
