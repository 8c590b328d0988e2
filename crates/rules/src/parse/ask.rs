//! `ask`: who decides, between which alternatives, and what happens if nobody answers.

use super::words::{ASK_CLAUSES, PARTS};
use super::{Parsed, Parser};
use crate::ast::{
    Alternative, Ask, AskClause, AskClauseKind, AskMode, ClauseAction, DefaultPick, Must, Stmt, StmtKind, Text,
};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::lex::TokenKind;
use crate::span::Span;

const SHOWN: &str = "ask p \"Play a card\"\n  play: card c from hand[p]\n    move c to trick\n  default play random";

impl Parser<'_> {
    /// `ask p "Prompt"` + alternatives and clauses
    pub(super) fn parse_ask(&mut self, start: Span) -> Parsed<Ask> {
        let mode = self.parse_ask_mode()?;
        let prompt = self.parse_optional_text();
        self.finish_line();
        let mut ask = Ask { span: start, mode, prompt, alternatives: Vec::new(), clauses: Vec::new() };
        let before = self.reports.count();
        let any = self.parse_ask_lines(&mut ask.alternatives, &mut ask.clauses);
        if !any || ask.alternatives.is_empty() && self.reports.count() == before {
            let problem =
                Diagnostic::error("parse/no-alternatives", start, "There is nothing to choose from below this `ask`")
                    .hint(format!("Indent the alternatives below it:\n{SHOWN}"));
            self.reports.add(problem);
        }
        ask.span = self.since(start);
        Ok(ask)
    }

    /// Reads the lines below `ask`. Returns false if there are none.
    pub(super) fn parse_ask_lines(
        &mut self,
        alternatives: &mut Vec<Alternative>,
        clauses: &mut Vec<AskClause>,
    ) -> bool {
        self.parse_lines(&mut |parser| {
            if parser.parse_ask_clause_line(clauses, true) {
                return;
            }
            match parser.parse_alternative() {
                Ok(alternative) => alternatives.push(alternative),
                Err(_) => {
                    parser.skip_line();
                    parser.parse_alternative_body(&mut Vec::new(), &mut Vec::new());
                }
            }
        })
    }

    fn parse_ask_mode(&mut self) -> Parsed<AskMode> {
        let word = self.word_at(0);
        let many =
            matches!(word, "all" | "first") && self.nth(1).kind == TokenKind::Word && self.word_at(1) != "player";
        if many {
            const EXAMPLE: &str = "ask all p over players where p is not judge \"Choose a card\"";
            self.bump();
            let var = self.parse_name("a name for the player", EXAMPLE)?;
            self.expect_word("over", EXAMPLE)?;
            let over = self.parse_expr_or_broken();
            return Ok(if word == "all" { AskMode::All { var, over } } else { AskMode::First { var, over } });
        }
        if self.at_line_end() || self.at_text() {
            return self.fail_expected("parse/expected-player", "who is asked", "ask p \"Play a card\"");
        }
        Ok(AskMode::One(self.parse_expr_or_broken()))
    }

    /// Reads a clause if one stands here; with `misspelt` also one whose first word is misspelt. Returns false
    /// otherwise.
    pub(super) fn parse_ask_clause_line(&mut self, clauses: &mut Vec<AskClause>, misspelt: bool) -> bool {
        let start = self.here();
        let Some(word) = self.peek_clause().filter(|&word| misspelt || self.at_word(word)) else {
            return false;
        };
        self.eat_first_word(word);
        if self.at(TokenKind::Colon) {
            let colon = self.bump().span;
            let title = format!("No `:` is needed after `{word}`");
            self.report(Diagnostic::error("parse/needless-sign", colon, title).hint("Remove it."));
        }
        match self.parse_ask_clause(word, start) {
            Ok(kind) => clauses.push(AskClause { span: self.since(start), kind }),
            Err(_) => {
                self.skip_line();
                self.parse_lines(&mut |parser| parser.parse_statement_line(&mut Vec::new()));
            }
        }
        true
    }

    /// Returns the first word of the clause that stands here, unless it is the name of an alternative. After the name
    /// of an alternative comes `:`, a label or nothing, which tells it from a misspelt clause.
    fn peek_clause(&self) -> Option<&'static str> {
        let word = self.word_at(0);
        let next = self.nth(1).kind;
        if matches!(word, "default" | "within" | "absent" | "gone") && next == TokenKind::Colon {
            return ASK_CLAUSES.iter().find(|&&known| known == word).copied();
        }
        if word.is_empty() || next == TokenKind::Colon || matches!(next, TokenKind::Text(_)) {
            return None;
        }
        if let Some(&word) = ASK_CLAUSES.iter().find(|&&known| known == word) {
            return Some(word);
        }
        let follows = self.word_at(1);
        let clause_follows = next == TokenKind::Number
            || next == TokenKind::Word && !matches!(follows, "when" | "if") && !PARTS.contains(&follows);
        if !clause_follows || super::words::STATEMENTS.contains(&word) {
            return None;
        }
        let meant = did_you_mean(word, ASK_CLAUSES.iter().copied())?;
        ASK_CLAUSES.iter().find(|&&known| known == meant).copied()
    }

    fn parse_ask_clause(&mut self, word: &str, start: Span) -> Parsed<AskClauseKind> {
        let kind = match word {
            "default" => self.parse_default()?,
            "within" => {
                const EXAMPLE: &str = "within 30 seconds default";
                let seconds = self.parse_amount()?;
                self.expect_word("seconds", EXAMPLE)?;
                let then = self.parse_action(start, &["default", "pause", "skip"])?;
                return Ok(AskClauseKind::Within { seconds, then });
            }
            "absent" => {
                const WORDS: &[&str] = &["wait", "skip", "default"];
                let seconds = if self.at(TokenKind::Word) && self.nth(1).kind.ends_line() {
                    None
                } else {
                    let seconds = self.parse_amount()?;
                    self.expect_word("seconds", "absent 30 seconds")?;
                    Some(seconds)
                };
                let then = self.parse_action(start, WORDS)?;
                return Ok(AskClauseKind::Absent { seconds, then });
            }
            "gone" => AskClauseKind::Gone(self.one_of(&["default", "skip"], "what becomes of a decision")?),
            _ => {
                if !self.eat_word("when") {
                    let found = self.describe_next();
                    let problem =
                        Diagnostic::error("parse/expected-word", self.here(), format!("Expected `when`, found {found}"))
                            .label("expected `when`")
                            .hint("`drop` says when nobody is asked any more: `drop when count of hand[p] is 0`. An alternative of this name needs a label: `drop \"Drop a card\"`.");
                    return Err(self.fail(problem));
                }
                AskClauseKind::DropWhen(self.parse_expr()?)
            }
        };
        self.finish_line();
        Ok(kind)
    }

    /// Reads a word on the line, or statements below it.
    fn parse_action(&mut self, header: Span, words: &[&str]) -> Parsed<ClauseAction> {
        if !self.at_line_end() {
            let word = self.one_of(words, "what can happen then")?;
            self.finish_line();
            return Ok(ClauseAction::Word(word));
        }
        self.finish_line();
        let what = format!("what happens then is missing ({}, or steps)", super::words::listed(words));
        let body = self.parse_statements(header, &what, "within 30 seconds\n  passed[p] := yes");
        Ok(ClauseAction::Block(body))
    }

    /// `default pass`, `default play lowest rank`
    fn parse_default(&mut self) -> Parsed<AskClauseKind> {
        const EXAMPLE: &str = "default play lowest rank";
        let alternative = self.parse_name("the name of an alternative", EXAMPLE)?;
        if self.at_line_end() {
            return Ok(AskClauseKind::Default { alternative, pick: None });
        }
        let word = self.one_of(&["lowest", "highest", "random", "first"], "a way to pick the default")?;
        let pick = match word.text.as_str() {
            "lowest" => DefaultPick::Lowest(self.parse_name("what to compare by", EXAMPLE)?),
            "highest" => DefaultPick::Highest(self.parse_name("what to compare by", EXAMPLE)?),
            "random" => DefaultPick::Random,
            _ => DefaultPick::First,
        };
        Ok(AskClauseKind::Default { alternative, pick: Some(pick) })
    }

    /// `NAME ["Label"] [: parts] [when E] [if none]` + `must` lines and steps
    fn parse_alternative(&mut self) -> Parsed<Alternative> {
        const EXAMPLE: &str = "play: card c from hand[p]";
        let start = self.here();
        if self.at_word("must") {
            let problem = Diagnostic::error("parse/must-outside", start, "This `must` belongs to no alternative")
                .hint("Indent it below the alternative that it restricts.");
            return Err(self.fail(problem));
        }
        let name = self.parse_name("the name of an alternative", EXAMPLE)?;
        let label = self.parse_optional_text();
        let mut parts = Vec::new();
        let tail = |parser: &Self| parser.at_line_end() || parser.at_word("when") || parser.at_words(&["if", "none"]);
        if !self.eat(TokenKind::Colon) && !tail(self) {
            if matches!(
                self.peek().kind,
                TokenKind::Assign
                    | TokenKind::OpenSquare
                    | TokenKind::OpenRound
                    | TokenKind::Equals
                    | TokenKind::Add
                    | TokenKind::Subtract
            ) || super::words::STATEMENTS.contains(&name.text.as_str()) && !PARTS.contains(&self.word_at(0))
            {
                let problem = Diagnostic::error(
                    "parse/statement-in-ask",
                    start,
                    "Only alternatives stand directly below `ask`",
                )
                .hint("Indent the steps below the alternative after which they happen, or move them out of the `ask`.");
                return Err(self.fail(problem));
            }
            self.expect_colon_after("the alternative's name", EXAMPLE);
        }
        if !tail(self) {
            parts.push(self.parse_part()?);
            while self.eat(TokenKind::Comma) {
                parts.push(self.parse_part()?);
            }
        }
        let when = self.parse_optional_when()?;
        let if_none = self.eat_words(&["if", "none"]);
        self.finish_line();
        let mut musts = Vec::new();
        let mut body = Vec::new();
        self.parse_alternative_body(&mut musts, &mut body);
        Ok(Alternative { span: self.since(start), name, label, parts, when, if_none, musts, body })
    }

    fn parse_alternative_body(&mut self, musts: &mut Vec<Must>, body: &mut Vec<Stmt>) {
        self.parse_lines(&mut |parser| {
            let start = parser.here();
            let slip = parser.peek_opening() == super::decl::Opening::Unknown
                && did_you_mean(parser.word_at(0), ["must"]).is_some();
            if !parser.at_word("must") && !slip {
                return parser.parse_statement_line(body);
            }
            let step = |stmt: &&Stmt| !matches!(stmt.kind, StmtKind::Broken);
            if let Some(first) = body.iter().find(step) {
                parser.report(
                    Diagnostic::error("parse/late-must", start, "`must` lines stand above the steps of an alternative")
                        .related(first.span, "the steps begin here")
                        .hint("Move it up, right below the alternative."),
                );
            }
            parser.eat_first_word("must");
            match parser.parse_must(start) {
                Ok(must) => musts.push(must),
                Err(_) => parser.skip_line(),
            }
        });
    }

    /// `must E [if able] [when E], else "reason"`
    fn parse_must(&mut self, start: Span) -> Parsed<Must> {
        const EXAMPLE: &str = "must suit of c is led if able, else \"You can follow suit\"";
        let cond = self.parse_expr()?;
        let if_able = self.eat_words(&["if", "able"]);
        let when = self.parse_optional_when()?;
        if !if_able && self.at_word("if") && self.word_at(1) == "able" {
            self.report(
                Diagnostic::error("parse/if-able", self.here(), "`if able` comes before `when`")
                    .label("put this further to the left")
                    .hint("For example: `must suit of c is led if able when trick is not empty, else \"You can follow suit\"`"),
            );
            self.eat_words(&["if", "able"]);
        }
        let reason = if self.at_line_end() {
            let after = self.here();
            self.report(
                Diagnostic::error("parse/must-else", after, "This `must` does not say why a move is refused")
                    .label("`, else \"…\"` goes here")
                    .hint(format!("Add what the player should read. For example: `{EXAMPLE}`")),
            );
            Text { span: after, parts: Vec::new() }
        } else {
            if !self.eat(TokenKind::Comma) && self.at_word("else") {
                self.report(
                    Diagnostic::error("parse/expected-sign", self.here(), "A `,` is missing before `else`")
                        .hint(format!("For example: `{EXAMPLE}`")),
                );
            }
            self.expect_word("else", EXAMPLE)?;
            self.expect_text("the reason")?
        };
        self.finish_line();
        Ok(Must { span: self.since(start), cond, if_able, when, reason })
    }
}
