//! The lines at the left margin: declarations, and the first line of the course of the game.

use super::words::{DECLARATIONS, FOREIGN, LATE_DECLARATIONS, STATEMENTS};
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Decl, DeclKind, Expr, ExprKind, TableEntry};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::TokenKind;
use crate::span::{Name, Span};

/// The kind of a line, judged by its first word; a misspelt word counts as the word it resembles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Declaration(&'static str),
    Statement(&'static str),
    /// `x := …`, `x[p] += …`
    Assignment,
    /// The first word begins no kind of line. Whoever reads the line reports it.
    Unknown,
}

impl Parser<'_> {
    pub(super) fn parse_top_line(&mut self) {
        match self.peek().kind {
            TokenKind::Indent => {
                if self.report_stray_indent() {
                    self.bump();
                }
                return;
            }
            TokenKind::Dedent | TokenKind::Newline => {
                self.bump();
                return;
            }
            _ => {}
        }
        match self.peek_opening() {
            Opening::Declaration(word) => {
                self.report_late_declaration(word);
                self.parse_declaration(word);
            }
            Opening::Statement(_) | Opening::Assignment | Opening::Unknown => {
                let start = self.peek().span;
                let mut statements = std::mem::take(&mut self.play);
                self.parse_statement_line(&mut statements);
                self.play = statements;
                // A line with a mistake may be a failed declaration.
                if self.course.is_none() && !self.reports.is_marked(start) {
                    self.course = Some(start);
                }
            }
        }
    }

    /// Reports the first declaration that stands below the course of the game.
    fn report_late_declaration(&mut self, word: &str) {
        let Some(course) = self.course else { return };
        if LATE_DECLARATIONS.contains(&word) || std::mem::replace(&mut self.late_reported, true) {
            return;
        }
        self.report(
            Diagnostic::error(
                "parse/late-declaration",
                self.peek().span,
                format!("`{word}` must stand above the course of the game"),
            )
            .related(course, "the course of the game begins here")
            .hint("Move it up, to the other lines of its kind."),
        );
    }

    /// Judges the next line by its first word, without reading it. [`Self::eat_first_word`] reports a misspelt word.
    pub(super) fn peek_opening(&self) -> Opening {
        let word = self.word_at(0);
        if word.is_empty() {
            return Opening::Unknown;
        }
        use TokenKind::*;
        if matches!(self.nth(1).kind, Assign | Add | Subtract | Equals | DoubleEquals | OpenSquare) {
            return Opening::Assignment;
        }
        if let Some(&word) = DECLARATIONS.iter().find(|&&known| known == word) {
            return Opening::Declaration(word);
        }
        if let Some(&word) = STATEMENTS.iter().find(|&&known| known == word) {
            return Opening::Statement(word);
        }
        // `stock: …` in the wrong place is no misspelt word of the language.
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

    /// Reads the first word of a line; reports it if it is not `meant`, the word that it resembles.
    pub(super) fn eat_first_word(&mut self, meant: &str) -> Span {
        let span = self.bump().span;
        let written = self.slice(span);
        if written != meant {
            self.report(
                Diagnostic::error("parse/unknown-line", span, format!("No line begins with `{written}`"))
                    .hint(format!("Did you mean `{meant}`?")),
            );
        }
        span
    }

    /// Reads a declaration and the block below it.
    pub(super) fn parse_declaration(&mut self, word: &'static str) {
        let start = self.peek().span;
        self.eat_first_word(word);
        if self.at(TokenKind::Colon) && !self.nth(1).kind.ends_line() {
            let colon = self.bump().span;
            self.report(
                Diagnostic::error("parse/needless-sign", colon, format!("No `:` is needed after `{word}`"))
                    .hint("Remove it."),
            );
        }
        match self.parse_declaration_kind(word, start) {
            Ok(Some(kind)) => {
                let span = self.since(start);
                self.decls.push(Decl { span, kind });
            }
            Ok(None) => {}
            Err(_) => {
                self.skip_line();
                self.parse_below_broken_declaration(word);
            }
        }
    }

    /// Handles the block below a declaration whose first line could not be read: reads statements, to report their own
    /// mistakes, and skips anything else.
    fn parse_below_broken_declaration(&mut self, word: &str) {
        match word {
            "rule" | "when" => {
                let mut lost = Vec::new();
                self.parse_lines(&mut |parser| parser.parse_statement_line(&mut lost));
            }
            _ => self.skip_block(),
        }
    }

    fn parse_declaration_kind(&mut self, word: &str, start: Span) -> Parsed<Option<DeclKind>> {
        let kind = match word {
            "game" => {
                let title = self.expect_text("the title of the game")?;
                if let Some(first) = &self.title {
                    let first = first.span;
                    self.report(
                        Diagnostic::error("parse/two-titles", start, "This game already has a title")
                            .related(first, "here")
                            .hint("Remove one of the two lines."),
                    );
                }
                self.title = Some(title);
                self.expect_line_end()?;
                return Ok(None);
            }
            "about" => DeclKind::About(self.expect_text("one sentence about the game")?),
            "language" => DeclKind::Language(self.parse_amount()?),
            "how" => return self.parse_how_to_play(start).map(Some),
            "note" => DeclKind::Note(self.expect_text("a note")?),
            "players" => {
                let (low, high) = self.parse_bounds()?;
                self.report_range_with_dash(&low);
                DeclKind::Players { low, high }
            }
            "lasts" => {
                let (low, high) = self.parse_bounds()?;
                self.report_range_with_dash(&low);
                self.expect_word("minutes", "lasts 10..20 minutes")?;
                DeclKind::Lasts { low, high }
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
                self.take_name()
            } else {
                return self.fail_expected("parse/expected-word", "`become bots` or `go`", "leavers become bots");
            }),
            "grace" => {
                let seconds = self.parse_amount()?;
                self.expect_word("seconds", "grace 120 seconds")?;
                DeclKind::Grace(seconds)
            }
            "limit" => {
                const EXAMPLE: &str = "limit 5000 moves, then void";
                let moves = self.parse_amount()?;
                self.expect_word("moves", EXAMPLE)?;
                self.expect(TokenKind::Comma, ",", EXAMPLE)?;
                self.expect_word("then", EXAMPLE)?;
                DeclKind::Limit {
                    moves,
                    then: self.one_of(&["void", "draw"], "an outcome for a game that goes on too long")?,
                }
            }
            "require" => {
                const EXAMPLE: &str = "require count of cards >= 5 * count of players, else \"Too few cards\"";
                let cond = self.parse_expr()?;
                self.expect(TokenKind::Comma, ",", EXAMPLE)?;
                self.expect_word("else", EXAMPLE)?;
                DeclKind::Require { cond, reason: self.expect_text("a reason in quotes")? }
            }
            "deck" => return Ok(Some(DeclKind::Deck(self.parse_deck()?))),
            "option" => return Ok(Some(DeclKind::Option(self.parse_option()?))),
            "preset" => self.parse_preset()?,
            "table" => self.parse_constants()?,
            "zones" => return Ok(Some(self.parse_zones(start))),
            "state" => return Ok(Some(self.parse_states(start))),
            "dice" => return Ok(Some(self.parse_all_dice(start))),
            "define" => self.parse_define()?,
            "rule" => return self.parse_rule(start).map(Some),
            "when" => return self.parse_hook(start).map(Some),
            "show" => return Ok(Some(self.parse_show(start))),
            _ => return Ok(None),
        };
        self.finish_line();
        Ok(Some(kind))
    }

    /// Reports `players 2-4`, which is a subtraction.
    fn report_range_with_dash(&mut self, low: &Expr) {
        let ExprKind::Binary { op: BinaryOp::Sub, left, right } = &low.kind else {
            return;
        };
        if let (ExprKind::Number(from), ExprKind::Number(to)) = (&left.kind, &right.kind) {
            self.report(
                Diagnostic::error("parse/range", low.span, "A range is written with two dots")
                    .hint(format!("Write `{from}..{to}`.")),
            );
        }
    }

    /// `table worth[rank]: A = 11, 10 = 10, else 0`
    fn parse_constants(&mut self) -> Parsed<DeclKind> {
        const EXAMPLE: &str = "table worth[rank]: A = 11, K = 4, else 0";
        let name = self.parse_name("a name", EXAMPLE)?;
        let open = self.peek().span;
        self.expect(TokenKind::OpenSquare, "[", EXAMPLE)?;
        let index = self.parse_index()?;
        self.expect_closing(TokenKind::CloseSquare, "]", open)?;
        self.expect(TokenKind::Colon, ":", EXAMPLE)?;
        let (mut entries, mut otherwise) = (Vec::new(), None);
        loop {
            if self.eat_word("else") {
                otherwise = Some(self.parse_amount()?);
                break;
            }
            let start = self.here();
            let keyed = matches!(self.peek().kind, TokenKind::Word | TokenKind::Number | TokenKind::Suit)
                && matches!(self.nth(1).kind, TokenKind::Equals | TokenKind::Dots);
            let key = match keyed {
                true => {
                    let first = self.take_name();
                    let last = if self.eat(TokenKind::Dots) { Some(self.take_name()) } else { None };
                    self.expect_equals(EXAMPLE)?;
                    Some((first, last))
                }
                false => None,
            };
            let value = self.parse_amount()?;
            entries.push(TableEntry { span: self.since(start), key, value });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(DeclKind::Table { name, index, entries, otherwise })
    }

    /// `define led = E`, `define open(g) = E`
    fn parse_define(&mut self) -> Parsed<DeclKind> {
        const EXAMPLE: &str = "define led = suit of first card of trick";
        let name = self.parse_name("a name", EXAMPLE)?;
        let params = self.parse_parameters()?;
        self.expect_equals(EXAMPLE)?;
        Ok(DeclKind::Define { name, params, body: self.parse_expr()? })
    }

    /// Reads the `=` of a definition or default; reports `:=`, `:`, `==` and `is` and reads them as `=`.
    pub(super) fn expect_equals(&mut self, example: &str) -> Parsed<()> {
        let token = self.peek();
        if matches!(token.kind, TokenKind::Assign | TokenKind::Colon | TokenKind::DoubleEquals) || self.at_word("is") {
            let found = self.describe_next();
            self.report(
                Diagnostic::error("parse/expected-equals", token.span, format!("Expected `=`, found {found}"))
                    .hint(format!("For example: `{example}`")),
            );
            self.bump();
            return Ok(());
        }
        self.expect(TokenKind::Equals, "=", example)
    }

    /// `(p, q)`, or nothing
    fn parse_parameters(&mut self) -> Parsed<Vec<Name>> {
        let open = self.peek().span;
        let mut params = Vec::new();
        if self.eat(TokenKind::OpenRound) && !self.eat(TokenKind::CloseRound) {
            params.push(self.parse_name("a name", "rule settle(p)")?);
            while self.eat(TokenKind::Comma) {
                params.push(self.parse_name("a name", "rule settle(p, q)")?);
            }
            self.expect_closing(TokenKind::CloseRound, ")", open)?;
        }
        Ok(params)
    }

    /// `rule lay_pairs(p)` + block
    fn parse_rule(&mut self, start: Span) -> Parsed<DeclKind> {
        let name = self.parse_name("a name for the rule", "rule lay_pairs(p)")?;
        self.report_missing_brackets(&name, "rule");
        let params = self.parse_parameters()?;
        self.finish_line();
        let body =
            self.parse_statements(start, "the steps of the rule are missing", "rule tidy(p)\n  move hand[p] to waste");
        Ok(DeclKind::Rule { name, params, body })
    }

    /// `when p leaves` + block
    fn parse_hook(&mut self, start: Span) -> Parsed<DeclKind> {
        let seat = self.parse_name("a name for the player", "when p leaves")?;
        let event = self.one_of(&["leaves", "joins"], "something a player can do to the table")?;
        self.finish_line();
        let body =
            self.parse_statements(start, "what happens then is missing", "when p leaves\n  move hand[p] to waste");
        Ok(DeclKind::When { seat, event, body })
    }
}
