//! Statements with a block below them: `if`, `repeat`, `for`, `circle`, `together`.

use super::decl::Opening;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::{Name, Span};

impl Parser<'_> {
    pub(super) fn parse_if_chain(&mut self, start: Span) -> StmtKind {
        const EXAMPLE: &str = "if cut\n  announce \"CUT!\" as shout";
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut head = start;
        loop {
            let cond = self.parse_expr_or_broken();
            self.report_needless_then();
            self.finish_line();
            arms.push((cond, self.parse_statements(head, "what to do then is missing", EXAMPLE)));
            head = self.peek().span;
            if self.at_any_word(&["elif", "elseif", "elsif"]) {
                self.bump();
                self.report(
                    Diagnostic::error("parse/elif", head, format!("`{}` is not used here", self.slice(head)))
                        .hint("Write `else if`."),
                );
                continue;
            }
            if self.peek_opening() != Opening::Statement("else") {
                break;
            }
            self.eat_first_word("else");
            if self.eat_word("if") {
                continue;
            }
            if !self.at_line_end() && !self.at(TokenKind::Colon) {
                // Most likely the author forgot `if`, so the chain continues.
                self.report_words_after_else();
                continue;
            }
            self.finish_line();
            otherwise = Some(self.parse_statements(head, "what to do else is missing", "else\n  stop"));
            break;
        }
        StmtKind::If { arms, otherwise }
    }

    fn report_words_after_else(&mut self) {
        let found = self.describe_next();
        let problem = Diagnostic::error(
            "parse/else",
            self.here(),
            format!("Expected `if` or the end of the line after `else`, found {found}"),
        )
        .hint("Write `else if …` for a further condition, or put the step below `else`, indented.");
        self.reports.add(problem);
    }

    fn report_needless_then(&mut self) {
        if self.at_word("then") && self.nth(1).kind.ends_line() {
            let span = self.bump().span;
            self.report(
                Diagnostic::error("parse/needless-then", span, "No `then` is needed at the end of this line")
                    .hint("Remove it."),
            );
        }
    }

    /// `repeat [until E] [, at most N times|rounds]`, `repeat N times`
    pub(super) fn parse_repeat(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "repeat until stock is empty, at most 20 rounds";
        let mut until = None;
        let mut at_most = None;
        if self.eat_word("until") {
            until = Some(self.parse_expr_or_broken());
        } else if !self.at_line_end() && !self.at(TokenKind::Comma) && !self.at_word("at") {
            at_most = Some(self.parse_amount()?);
            if !self.eat_word("rounds") {
                self.expect_word("times", "repeat 3 times")?;
            }
        }
        let joined = self.eat(TokenKind::Comma);
        if joined || self.at_word("at") {
            if until.is_some() && !joined {
                self.report(
                    Diagnostic::error("parse/expected-sign", self.here(), "A `,` is missing before this")
                        .hint(format!("For example: `{EXAMPLE}`")),
                );
            }
            self.expect_word("at", EXAMPLE)?;
            self.expect_word("most", EXAMPLE)?;
            at_most = Some(self.parse_amount()?);
            if !self.eat_word("rounds") && !self.eat_word("times") {
                return self.fail_expected("parse/expected-word", "`rounds` or `times`", EXAMPLE);
            }
        }
        self.finish_line();
        let body = self.parse_statements(
            start,
            "what to repeat is missing",
            "repeat until stock is empty\n  draw 1 from stock to hand[p]",
        );
        Ok(StmtKind::Repeat { until, at_most, body })
    }

    /// `for p in players where …`, `for i in 1..9`
    pub(super) fn parse_for(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "for p in players where hand is not empty";
        self.report_for_each()?;
        let var = self.parse_name("a name", EXAMPLE)?;
        self.expect_word("in", EXAMPLE)?;
        let domain = if self.at_word("players") { self.parse_expr_or_broken() } else { self.parse_for_domain(&var)? };
        self.finish_line();
        let body =
            self.parse_statements(start, "what to do for each is missing", "for p in players\n  move hand[p] to waste");
        Ok(StmtKind::For { var, domain, body })
    }

    fn parse_for_domain(&mut self, var: &Name) -> Parsed<Expr> {
        let range = self.without_where(|parser| parser.parse_range())?;
        match self.parse_where()? {
            None => Ok(range),
            cond => {
                let kind = ExprKind::Domain { var: var.clone(), range: Box::new(range), cond };
                Ok(Expr { span: self.since(var.span), kind })
            }
        }
    }

    /// `circle p from E [over players where …] [, stop when E]`
    pub(super) fn parse_circle(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "circle p from leader over players where hand is not empty, stop when cut";
        let var = self.parse_name("a name for the player", EXAMPLE)?;
        self.expect_word("from", EXAMPLE)?;
        let from = self.parse_expr_or_broken();
        self.report_direction();
        let over = if self.eat_word("over") { Some(self.parse_expr_or_broken()) } else { None };
        self.report_direction();
        let stop = if self.eat(TokenKind::Comma) {
            self.expect_word("stop", EXAMPLE)?;
            self.expect_word("when", EXAMPLE)?;
            Some(self.parse_expr_or_broken())
        } else {
            None
        };
        self.finish_line();
        let body = self.parse_statements(
            start,
            "what each player does is missing",
            "circle p from leader\n  draw 1 from stock to hand[p]",
        );
        Ok(StmtKind::Circle { var, from, over, stop, body })
    }

    /// `together p over players where …` + steps and closing clauses
    pub(super) fn parse_together(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "together p over players where p is not judge";
        let var = self.parse_name("a name for the player", EXAMPLE)?;
        self.expect_word("over", EXAMPLE)?;
        let over = self.parse_expr_or_broken();
        self.finish_line();
        let mut body = Vec::new();
        let mut clauses = Vec::new();
        let shown = "together p over players\n  ask p \"Pass a card\"\n    …";
        self.parse_required_lines(start, "what each player does is missing", shown, &mut |parser| {
            if !parser.parse_ask_clause_line(&mut clauses, false) {
                parser.parse_statement_line(&mut body);
            }
        });
        Ok(StmtKind::Together { var, over, body, clauses })
    }
}
