//! Lines and blocks: where a line ends, which lines are indented below it, and how the parser skips what it can't read.

use super::words::STATEMENTS;
use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::Span;

impl Parser<'_> {
    /// Reads the end of the line.
    pub(super) fn expect_line_end(&mut self) -> Parsed<()> {
        let token = self.peek();
        match token.kind {
            TokenKind::Newline => {
                self.bump();
                return Ok(());
            }
            TokenKind::Indent | TokenKind::Dedent | TokenKind::End => return Ok(()),
            TokenKind::Colon | TokenKind::Semicolon if self.nth(1).kind.ends_line() => {
                let sign = self.slice(token.span);
                self.report(
                    Diagnostic::error(
                        "parse/needless-sign",
                        token.span,
                        format!("No `{sign}` is needed at the end of a line"),
                    )
                    .hint("Remove it."),
                );
                self.bump();
                return self.expect_line_end();
            }
            _ => {}
        }
        let (label, hint) = match token.kind {
            TokenKind::Semicolon => ("", Some("One thing a line: write what follows on a line of its own.")),
            TokenKind::Assign | TokenKind::Equals => {
                ("", Some("To set something, begin the line with it: `score[p] := 3`."))
            }
            _ => ("the line should end before this", None),
        };
        let mut problem = Diagnostic::error(
            "parse/line-goes-on",
            token.span,
            format!("Did not expect {} here", self.describe_next()),
        )
        .label(label);
        problem.hint = hint.map(str::to_string);
        Err(self.fail(problem))
    }

    /// Reads the end of the line; reports and skips anything before it.
    pub(super) fn finish_line(&mut self) {
        if self.expect_line_end().is_err() {
            self.skip_line();
        }
    }

    pub(super) fn skip_line(&mut self) {
        while !self.at_line_end() {
            self.bump();
        }
        self.eat(TokenKind::Newline);
    }

    /// Skips the block that is indented below.
    pub(super) fn skip_block(&mut self) {
        if !self.eat(TokenKind::Indent) {
            return;
        }
        let mut open = 1usize;
        while open > 0 && !self.at(TokenKind::End) {
            match self.bump().kind {
                TokenKind::Indent => open += 1,
                TokenKind::Dedent => open -= 1,
                _ => {}
            }
        }
    }

    /// Reads the block that is indented below, line by line. Returns false if there is none.
    pub(super) fn parse_lines(&mut self, line: &mut dyn FnMut(&mut Self)) -> bool {
        if !self.eat(TokenKind::Indent) {
            return false;
        }
        while !matches!(self.peek().kind, TokenKind::Dedent | TokenKind::End) {
            if self.at(TokenKind::Indent) {
                if self.report_stray_indent() {
                    self.parse_lines(line);
                }
                continue;
            }
            let before = self.at;
            line(self);
            if self.at == before {
                self.bump();
            }
        }
        self.eat(TokenKind::Dedent);
        true
    }

    /// Reads the block that is indented below `header`; reports a missing one.
    pub(super) fn parse_required_lines(
        &mut self,
        header: Span,
        what: &str,
        example: &str,
        line: &mut dyn FnMut(&mut Self),
    ) {
        if !self.parse_lines(line) {
            let problem = Diagnostic::error(
                "parse/expected-block",
                header,
                format!("Nothing is indented below this line; {what}"),
            )
            .hint(format!("Indent the lines that belong to it by two spaces:\n{example}"));
            self.reports.add(problem);
        }
    }

    /// Handles a block below a line that takes no block. Returns true if the caller should read its lines as if they
    /// were not indented. If the line above has a mistake, perhaps that line should have taken the block: then the
    /// parser skips the block without a report.
    pub(super) fn report_stray_indent(&mut self) -> bool {
        let above = Span { start: self.last_end, end: self.last_end };
        if self.reports.is_marked(above) {
            self.skip_block();
            return false;
        }
        let follows = self.nth(2).kind;
        let step = STATEMENTS.contains(&self.word_at(1)) && follows != TokenKind::Colon
            || matches!(follows, TokenKind::Assign | TokenKind::Add | TokenKind::Subtract);
        let problem = Diagnostic::error(
            "parse/unexpected-block",
            self.nth(1).span,
            "This line is indented further than the line above allows",
        )
        .label("nothing can be indented here");
        self.reports.add(problem.hint(if step {
            "Start it in the same column as the line above."
        } else {
            "Is the line that it belongs under missing (`zones`, `state`, `show`, `ask p` …)?"
        }));
        if !step {
            self.skip_block();
        }
        step
    }
}
