//! The lines at the left margin: what is declared, and where the course of the game begins.

use super::words::{DECLARATIONS, FOREIGN, LATE_DECLARATIONS, STATEMENTS};
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Decl, DeclKind, Expr, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::Kind;
use crate::span::{Name, Span};

/// What a line begins with, misspelt words put right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Declaration(&'static str),
    Statement(&'static str),
    /// `x := …`, `x[p] += …`
    Assignment,
    /// Nothing that can begin a line; reported.
    Unknown,
}

impl Parser<'_> {
    pub(super) fn top_line(&mut self) {
        match self.peek().kind {
            Kind::Indent => {
                if self.stray_indent() {
                    self.bump();
                }
                return;
            }
            Kind::Dedent | Kind::Newline => {
                self.bump();
                return;
            }
            _ => {}
        }
        match self.opening() {
            Opening::Declaration(word) => {
                self.late(word);
                self.declaration(word);
            }
            Opening::Statement(_) | Opening::Assignment | Opening::Unknown => {
                let start = self.peek().span;
                let mut statements = std::mem::take(&mut self.play);
                self.statement_line(&mut statements);
                self.play = statements;
                // A line that is wrong may have been meant as a declaration.
                if self.course.is_none() && !self.reports.is_marked(start) {
                    self.course = Some(start);
                }
            }
        }
    }

    /// Reports a declaration below the course of the game; the first is enough.
    fn late(&mut self, word: &str) {
        let Some(course) = self.course else { return };
        if LATE_DECLARATIONS.contains(&word) || std::mem::replace(&mut self.late_reported, true) {
            return;
        }
        self.soft(
            Diagnostic::error(
                "parse/late-declaration",
                self.peek().span,
                format!("`{word}` must stand above the course of the game"),
            )
            .related(course, "the course of the game begins here")
            .hint("Move it up, to the other lines of its kind."),
        );
    }

    /// Looks at the first word of a line without reading it. Nothing is reported here, but see
    /// [`Self::misspelt`].
    pub(super) fn opening(&self) -> Opening {
        let word = self.word_at(0);
        if word.is_empty() {
            return Opening::Unknown;
        }
        use Kind::*;
        if matches!(self.nth(1).kind, Assign | Add | Subtract | Equals | DoubleEquals | OpenSquare) {
            return Opening::Assignment;
        }
        if let Some(&word) = DECLARATIONS.iter().find(|&&known| known == word) {
            return Opening::Declaration(word);
        }
        if let Some(&word) = STATEMENTS.iter().find(|&&known| known == word) {
            return Opening::Statement(word);
        }
        // `stock: …` at the wrong place is no slip for a word of the language.
        if self.nth(1).kind == Colon && !self.nth(2).kind.ends_line() {
            return Opening::Unknown;
        }
        if FOREIGN.iter().any(|&(foreign, _)| foreign == word) || self.nth(1).kind == OpenRound {
            return Opening::Unknown;
        }
        let known = DECLARATIONS.iter().chain(STATEMENTS).copied();
        let Some(meant) = did_you_mean(word, known) else {
            return Opening::Unknown;
        };
        match DECLARATIONS.iter().find(|&&known| known == meant) {
            Some(&word) => Opening::Declaration(word),
            None => STATEMENTS
                .iter()
                .find(|&&known| known == meant)
                .map_or(Opening::Unknown, |&word| Opening::Statement(word)),
        }
    }

    /// Reads the first word of a line, which is taken for `meant`, and says so if it is another.
    pub(super) fn first_word(&mut self, meant: &str) -> Span {
        let span = self.bump().span;
        let written = self.slice(span);
        if written != meant {
            self.soft(
                Diagnostic::error("parse/unknown-line", span, format!("No line begins with `{written}`"))
                    .hint(format!("Did you mean `{meant}`?")),
            );
        }
        span
    }

    /// Reads a declaration with all that is indented below it.
    pub(super) fn declaration(&mut self, word: &'static str) {
        let start = self.peek().span;
        self.first_word(word);
        if self.at(Kind::Colon) && !self.nth(1).kind.ends_line() {
            let colon = self.bump().span;
            self.soft(
                Diagnostic::error("parse/needless-sign", colon, format!("No `:` is needed after `{word}`"))
                    .hint("Remove it."),
            );
        }
        match self.declared(word, start) {
            Ok(Some(kind)) => {
                let span = self.since(start);
                self.decls.push(Decl { span, kind });
            }
            Ok(None) => {}
            Err(_) => {
                self.skip_line();
                self.rest_of_broken(word);
            }
        }
    }

    /// The first line could not be read; what is below it is read for its own mistakes where it
    /// consists of statements, and skipped otherwise.
    fn rest_of_broken(&mut self, word: &str) {
        match word {
            "rule" | "when" => {
                let mut lost = Vec::new();
                self.lines(&mut |parser| parser.statement_line(&mut lost));
            }
            _ => self.skip_block(),
        }
    }

    fn declared(&mut self, word: &str, start: Span) -> Parsed<Option<DeclKind>> {
        let kind = match word {
            "game" => {
                let title = self.text("the title of the game")?;
                if let Some(first) = &self.title {
                    let first = first.span;
                    self.soft(
                        Diagnostic::error("parse/two-titles", start, "This game already has a title")
                            .related(first, "here")
                            .hint("Remove one of the two lines."),
                    );
                }
                self.title = Some(title);
                self.end_line()?;
                return Ok(None);
            }
            "about" => DeclKind::About(self.text("one sentence about the game")?),
            "note" => DeclKind::Note(self.text("a note")?),
            "players" => {
                let (low, high) = self.bounds()?;
                self.range_with_a_dash(&low);
                DeclKind::Players { low, high }
            }
            "start" => {
                self.expect_word("when", "start when full")?;
                self.expect_word("full", "start when full")?;
                DeclKind::StartWhenFull
            }
            "newcomers" => DeclKind::Newcomers(self.one_of(&["watch", "play"], "what newcomers can do")?),
            "absent" => {
                DeclKind::Absent(self.one_of(&["wait", "skip", "default"], "what happens when a player is absent")?)
            }
            "host" => {
                self.expect_word("absent", "host absent pause")?;
                DeclKind::HostAbsent(self.one_of(&["pause", "continue"], "what happens when the host is absent")?)
            }
            "leavers" => DeclKind::Leavers(if self.eat_word("become") {
                self.one_of(&["bots"], "what leavers can become")?
            } else if self.at_word("go") {
                self.any_name()
            } else {
                return self.expected("parse/expected-word", "`become bots` or `go`", "leavers become bots");
            }),
            "grace" => {
                let seconds = self.amount()?;
                self.expect_word("seconds", "grace 120 seconds")?;
                DeclKind::Grace(seconds)
            }
            "limit" => {
                const EXAMPLE: &str = "limit 5000 moves, then void";
                let moves = self.amount()?;
                self.expect_word("moves", EXAMPLE)?;
                self.expect(Kind::Comma, ",", EXAMPLE)?;
                self.expect_word("then", EXAMPLE)?;
                DeclKind::Limit {
                    moves,
                    then: self.one_of(&["void", "draw"], "an outcome for a game that goes on too long")?,
                }
            }
            "require" => {
                const EXAMPLE: &str = "require count of cards >= 5 * count of players, else \"Too few cards\"";
                let cond = self.value()?;
                self.expect(Kind::Comma, ",", EXAMPLE)?;
                self.expect_word("else", EXAMPLE)?;
                DeclKind::Require { cond, reason: self.text("a reason in quotes")? }
            }
            "deck" => return Ok(Some(DeclKind::Deck(self.deck()?))),
            "option" => return Ok(Some(DeclKind::Option(self.option()?))),
            "preset" => self.preset()?,
            "zones" => return Ok(Some(self.zones(start))),
            "state" => return Ok(Some(self.states(start))),
            "dice" => return Ok(Some(self.all_dice(start))),
            "define" => self.define()?,
            "rule" => return self.rule(start).map(Some),
            "when" => return self.when(start).map(Some),
            "show" => return Ok(Some(self.show(start))),
            _ => return Ok(None),
        };
        self.finish_line();
        Ok(Some(kind))
    }

    /// `players 2-4` would be a subtraction.
    fn range_with_a_dash(&mut self, low: &Expr) {
        let ExprKind::Binary { op: BinaryOp::Sub, left, right } = &low.kind else {
            return;
        };
        if let (ExprKind::Number(from), ExprKind::Number(to)) = (&left.kind, &right.kind) {
            self.soft(
                Diagnostic::error("parse/range", low.span, "A range is written with two dots")
                    .hint(format!("Write `{from}..{to}`.")),
            );
        }
    }

    /// `define led = E`, `define open(g) = E`
    fn define(&mut self) -> Parsed<DeclKind> {
        const EXAMPLE: &str = "define led = suit of first card of trick";
        let name = self.name("a name", EXAMPLE)?;
        let params = self.parameters()?;
        self.equals(EXAMPLE)?;
        Ok(DeclKind::Define { name, params, body: self.value()? })
    }

    /// The `=` of definitions and defaults; `:=` and `:` are reported and taken for it.
    pub(super) fn equals(&mut self, example: &str) -> Parsed<()> {
        let token = self.peek();
        if matches!(token.kind, Kind::Assign | Kind::Colon | Kind::DoubleEquals) || self.at_word("is") {
            let found = self.found();
            self.soft(
                Diagnostic::error("parse/expected-equals", token.span, format!("Expected `=`, found {found}"))
                    .hint(format!("For example: `{example}`")),
            );
            self.bump();
            return Ok(());
        }
        self.expect(Kind::Equals, "=", example)
    }

    /// `(p, q)`, or nothing
    fn parameters(&mut self) -> Parsed<Vec<Name>> {
        let open = self.peek().span;
        let mut params = Vec::new();
        if self.eat(Kind::OpenRound) && !self.eat(Kind::CloseRound) {
            params.push(self.name("a name", "rule settle(p)")?);
            while self.eat(Kind::Comma) {
                params.push(self.name("a name", "rule settle(p, q)")?);
            }
            self.close(Kind::CloseRound, ")", open)?;
        }
        Ok(params)
    }

    /// `rule lay_pairs(p)` + block
    fn rule(&mut self, start: Span) -> Parsed<DeclKind> {
        let name = self.name("a name for the rule", "rule lay_pairs(p)")?;
        self.brackets_after(&name, "rule");
        let params = self.parameters()?;
        self.finish_line();
        let body = self.statements(start, "the steps of the rule are missing", "rule tidy(p)\n  move hand[p] to waste");
        Ok(DeclKind::Rule { name, params, body })
    }

    /// `when p leaves` + block
    fn when(&mut self, start: Span) -> Parsed<DeclKind> {
        let seat = self.name("a name for the player", "when p leaves")?;
        let event = self.one_of(&["leaves", "joins"], "something a player can do to the table")?;
        self.finish_line();
        let body = self.statements(start, "what happens then is missing", "when p leaves\n  move hand[p] to waste");
        Ok(DeclKind::When { seat, event, body })
    }
}
