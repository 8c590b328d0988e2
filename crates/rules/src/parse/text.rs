//! Texts: `"You hold {count of hand[p]} cards"`. The parser reads each hole as an expression.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, Text, TextPart};
use crate::diagnostic::Diagnostic;
use crate::lex::{self, Quote, TokenKind};
use crate::span::Span;

impl Parser<'_> {
    /// Reads a text; the caller has checked that one stands here. After mistakes in its holes the line is still read.
    pub(super) fn parse_text(&mut self) -> Text {
        let token = self.bump();
        let TokenKind::Text(quote) = token.kind else {
            return Text { span: token.span, parts: Vec::new() };
        };
        let (start, end) = self.find_inner_span(token.span, quote);
        let mut reader = TextReader { at: start, end, plain: String::new(), parts: Vec::new() };
        while reader.at < reader.end {
            self.parse_text_piece(&mut reader);
        }
        reader.close_plain();
        Text { span: token.span, parts: reader.parts }
    }

    /// Returns where the words between the quotes start and end.
    fn find_inner_span(&self, span: Span, quote: Quote) -> (usize, usize) {
        let whole = self.slice(span);
        let first = whole.chars().next().map_or(0, char::len_utf8);
        let last = match quote {
            Quote::Open => 0,
            _ if whole.len() == first => 0,
            _ => whole.chars().next_back().filter(|c| "\"“”'‘’".contains(*c)).map_or(0, char::len_utf8),
        };
        (span.start as usize + first, span.end as usize - last)
    }

    fn parse_text_piece(&mut self, reader: &mut TextReader) {
        let rest = &self.source[reader.at..reader.end];
        let Some(first) = rest.chars().next() else {
            return;
        };
        let next = rest[first.len_utf8()..].chars().next();
        match (first, next) {
            ('{', Some('{')) | ('}', Some('}')) => reader.push(first, 2),
            ('\\', Some(escaped @ ('"' | '\\'))) => reader.push(escaped, 2),
            ('\\', _) => {
                let span = Span::new(reader.at, reader.at + 1 + next.map_or(0, char::len_utf8));
                self.report(
                    Diagnostic::error("parse/backslash", span, "A backslash means something only before a quote")
                        .hint("Write `\\\"` for a quote inside a text and `\\\\` for a backslash."),
                );
                reader.push('\\', 1);
            }
            ('{', _) => match hole_length(&rest[1..]) {
                Some(length) => {
                    let inner = Span::new(reader.at + 1, reader.at + 1 + length);
                    let part = self.parse_counted(inner).unwrap_or_else(|| TextPart::Hole(self.parse_hole(inner)));
                    reader.close_plain();
                    reader.parts.push(part);
                    reader.at += length + 2;
                }
                None => {
                    self.report_lone_brace(reader.at, "{", "This `{` is not closed in the text");
                    reader.push('{', 1);
                }
            },
            ('}', _) => {
                self.report_lone_brace(reader.at, "}", "This `}` closes nothing");
                reader.push('}', 1);
            }
            (other, _) => reader.push(other, other.len_utf8()),
        }
    }

    /// Reads `{n card|cards}`. No expression has a `|`, so a hole with one outside of its texts can mean nothing else.
    fn parse_counted(&mut self, inner: Span) -> Option<TextPart> {
        let whole = self.slice(inner);
        let bar = find_bar(whole)?;
        let before = whole[..bar].trim_end();
        let (number, one) = before.rsplit_once(char::is_whitespace).unwrap_or(("", before));
        let (one, several) = (one.to_owned(), whole[bar + 1..].trim().to_owned());
        let number = Span::new(inner.start as usize, inner.start as usize + number.len());
        let is_word = |word: &str| word.chars().all(|c| c.is_alphabetic() || "-'’".contains(c)) && !word.is_empty();
        if number.start == number.end || !is_word(&one) || !is_word(&several) {
            self.report(
                Diagnostic::error("parse/counted", inner, "A number and two words are needed here")
                    .label("for one, and for several")
                    .hint("Write the number, a space, and the word for one and for several: `{count of hand[p] card|cards}`."),
            );
            return Some(TextPart::Plain(several));
        }
        Some(TextPart::Counted { number: self.parse_hole(number), one, several })
    }

    fn report_lone_brace(&mut self, at: usize, brace: &str, title: &str) {
        self.report(
            Diagnostic::error("parse/brace", Span::new(at, at + 1), title)
                .hint(format!("A value in a text is written `{{name}}`; for a brace as such, write `{brace}{brace}`.")),
        );
    }

    /// Reads the expression between two braces; the tokens of the hole replace those of the file meanwhile.
    fn parse_hole(&mut self, inner: Span) -> Expr {
        let mut problems = Vec::new();
        let tokens = lex::tokenize(self.slice(inner), inner.start as usize, &mut problems);
        for problem in problems {
            self.reports.add(problem);
        }
        let outer = (std::mem::replace(&mut self.tokens, tokens), self.at, self.last_end);
        (self.at, self.last_end) = (0, inner.start);
        let value = self.with_where(true, |parser| parser.parse_hole_expr(inner));
        (self.tokens, self.at, self.last_end) = outer;
        value.unwrap_or(Expr { span: inner, kind: ExprKind::Broken })
    }

    fn parse_hole_expr(&mut self, inner: Span) -> Parsed<Expr> {
        if self.at(TokenKind::End) {
            let whole = Span { start: inner.start - 1, end: inner.end + 1 };
            let problem = Diagnostic::error("parse/empty-hole", whole, "Nothing stands between these braces")
                .hint("Write what should be shown there, such as `{leader}`; for a brace as such, write `{{`.");
            return Err(self.fail(problem));
        }
        let value = self.parse_expr()?;
        if !self.at(TokenKind::End) {
            return self.fail_expected("parse/hole", "`}`", "\"{leader} leads\"");
        }
        Ok(value)
    }
}

struct TextReader {
    at: usize,
    end: usize,
    plain: String,
    parts: Vec<TextPart>,
}

impl TextReader {
    fn push(&mut self, character: char, width: usize) {
        self.plain.push(character);
        self.at += width;
    }

    fn close_plain(&mut self) {
        if !self.plain.is_empty() {
            self.parts.push(TextPart::Plain(std::mem::take(&mut self.plain)));
        }
    }
}

/// Returns where the first `|` of a hole stands. Skips texts inside the hole.
fn find_bar(hole: &str) -> Option<usize> {
    let bytes = hole.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'|' => return Some(at),
            b'"' => at += lex::text_length(&hole[at + 1..])?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the length of a hole after its opening brace, without the closing brace. Skips texts inside the hole.
fn hole_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'}' => return Some(at),
            // No expression contains a brace outside of its texts. Without this exit a line of many braces would be
            // read again and again.
            b'{' => return None,
            b'"' => at += lex::text_length(&rest[at + 1..])?,
            _ => {}
        }
        at += 1;
    }
    None
}
