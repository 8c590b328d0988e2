//! Lines and blocks: where a line must end, what is indented below it, and how to get past what
//! could not be read.

use super::words::STATEMENTS;
use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::Span;

impl Parser<'_> {
    /// The line must be over.
    pub(super) fn end_line(&mut self) -> Parsed<()> {
        let token = self.peek();
        match token.kind {
            Kind::Newline => {
                self.bump();
                return Ok(());
            }
            Kind::Indent | Kind::Dedent | Kind::End => return Ok(()),
            Kind::Colon | Kind::Semicolon if self.nth(1).kind.ends_line() => {
                let sign = self.slice(token.span);
                self.soft(
                    Diagnostic::error(
                        "parse/needless-sign",
                        token.span,
                        format!("No `{sign}` is needed at the end of a line"),
                    )
                    .hint("Remove it."),
                );
                self.bump();
                return self.end_line();
            }
            _ => {}
        }
        let (label, hint) = match token.kind {
            Kind::Semicolon => ("", Some("One thing a line: write what follows on a line of its own.")),
            Kind::Assign | Kind::Equals => ("", Some("To set something, begin the line with it: `score[p] := 3`.")),
            _ => ("the line should end before this", None),
        };
        let mut problem =
            Diagnostic::error("parse/line-goes-on", token.span, format!("Did not expect {} here", self.found()))
                .label(label);
        problem.hint = hint.map(str::to_string);
        Err(self.hard(problem))
    }

    /// Ends the line as [`Self::end_line`] does; what stands there too much is reported and skipped.
    pub(super) fn finish_line(&mut self) {
        if self.end_line().is_err() {
            self.skip_line();
        }
    }

    pub(super) fn skip_line(&mut self) {
        while !self.at_line_end() {
            self.bump();
        }
        self.eat(Kind::Newline);
    }

    /// Skips what is indented below, unread.
    pub(super) fn skip_block(&mut self) {
        if !self.eat(Kind::Indent) {
            return;
        }
        let mut open = 1usize;
        while open > 0 && !self.at(Kind::End) {
            match self.bump().kind {
                Kind::Indent => open += 1,
                Kind::Dedent => open -= 1,
                _ => {}
            }
        }
    }

    /// Reads what is indented below, line by line. False if nothing is.
    pub(super) fn lines(&mut self, line: &mut dyn FnMut(&mut Self)) -> bool {
        if !self.eat(Kind::Indent) {
            return false;
        }
        while !matches!(self.peek().kind, Kind::Dedent | Kind::End) {
            if self.at(Kind::Indent) {
                if self.stray_indent() {
                    self.lines(line);
                }
                continue;
            }
            let before = self.at;
            line(self);
            if self.at == before {
                self.bump();
            }
        }
        self.eat(Kind::Dedent);
        true
    }

    /// The same, where something must be indented below `header`.
    pub(super) fn needed_lines(&mut self, header: Span, what: &str, example: &str, line: &mut dyn FnMut(&mut Self)) {
        if !self.lines(line) {
            let problem = Diagnostic::error(
                "parse/expected-block",
                header,
                format!("Nothing is indented below this line; {what}"),
            )
            .hint(format!("Indent the lines that belong to it by two spaces:\n{example}"));
            self.reports.add(problem);
        }
    }

    /// Lines are indented below a line that takes none; true if they are to be read where they
    /// are. If that line is wrong itself, it may well have been meant to take them: then nothing
    /// is said, and they are skipped.
    pub(super) fn stray_indent(&mut self) -> bool {
        let above = Span { start: self.last_end, end: self.last_end };
        if self.reports.is_marked(above) {
            self.skip_block();
            return false;
        }
        let follows = self.nth(2).kind;
        let step = STATEMENTS.contains(&self.word_at(1)) && follows != Kind::Colon
            || matches!(follows, Kind::Assign | Kind::Add | Kind::Subtract);
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
