//! Statements with a block below them: `if`, `repeat`, `for`, `circle`, `together`.

use super::decl::Opening;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::{Name, Span};

impl Parser<'_> {
    pub(super) fn if_chain(&mut self, start: Span) -> StmtKind {
        const EXAMPLE: &str = "if cut\n  announce \"CUT!\" as shout";
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut head = start;
        loop {
            let cond = self.value_or_broken();
            self.needless_then();
            self.finish_line();
            arms.push((cond, self.statements(head, "what to do then is missing", EXAMPLE)));
            head = self.peek().span;
            if self.at_any_word(&["elif", "elseif", "elsif"]) {
                self.bump();
                self.soft(
                    Diagnostic::error("parse/elif", head, format!("`{}` is not used here", self.slice(head)))
                        .hint("Write `else if`."),
                );
                continue;
            }
            if self.opening() != Opening::Statement("else") {
                break;
            }
            self.first_word("else");
            if self.eat_word("if") {
                continue;
            }
            if !self.at_line_end() && !self.at(Kind::Colon) {
                // Most likely the `if` is missing: the chain goes on.
                self.else_and_more();
                continue;
            }
            self.finish_line();
            otherwise = Some(self.statements(head, "what to do else is missing", "else\n  stop"));
            break;
        }
        StmtKind::If { arms, otherwise }
    }

    fn else_and_more(&mut self) {
        let found = self.found();
        let problem = Diagnostic::error(
            "parse/else",
            self.here(),
            format!("Expected `if` or the end of the line after `else`, found {found}"),
        )
        .hint("Write `else if …` for a further condition, or put the step below `else`, indented.");
        self.reports.add(problem);
    }

    fn needless_then(&mut self) {
        if self.at_word("then") && self.nth(1).kind.ends_line() {
            let span = self.bump().span;
            self.soft(
                Diagnostic::error("parse/needless-then", span, "No `then` is needed at the end of this line")
                    .hint("Remove it."),
            );
        }
    }

    /// `repeat [until E] [, at most N times|rounds]`, `repeat N times`
    pub(super) fn repeat(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "repeat until stock is empty, at most 20 rounds";
        let mut until = None;
        let mut at_most = None;
        if self.eat_word("until") {
            until = Some(self.value_or_broken());
        } else if !self.at_line_end() && !self.at(Kind::Comma) && !self.at_word("at") {
            at_most = Some(self.amount()?);
            if !self.eat_word("rounds") {
                self.expect_word("times", "repeat 3 times")?;
            }
        }
        let joined = self.eat(Kind::Comma);
        if joined || self.at_word("at") {
            if until.is_some() && !joined {
                self.soft(
                    Diagnostic::error("parse/expected-sign", self.here(), "A `,` is missing before this")
                        .hint(format!("For example: `{EXAMPLE}`")),
                );
            }
            self.expect_word("at", EXAMPLE)?;
            self.expect_word("most", EXAMPLE)?;
            at_most = Some(self.amount()?);
            if !self.eat_word("rounds") && !self.eat_word("times") {
                return self.expected("parse/expected-word", "`rounds` or `times`", EXAMPLE);
            }
        }
        self.finish_line();
        let body = self.statements(
            start,
            "what to repeat is missing",
            "repeat until stock is empty\n  draw 1 from stock to hand[p]",
        );
        Ok(StmtKind::Repeat { until, at_most, body })
    }

    /// `for p in players where …`, `for i in 1..9`
    pub(super) fn for_each(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "for p in players where hand is not empty";
        let var = self.name("a name", EXAMPLE)?;
        self.expect_word("in", EXAMPLE)?;
        let domain = if self.at_word("players") { self.value_or_broken() } else { self.for_domain(&var)? };
        self.finish_line();
        let body =
            self.statements(start, "what to do for each is missing", "for p in players\n  move hand[p] to waste");
        Ok(StmtKind::For { var, domain, body })
    }

    fn for_domain(&mut self, var: &Name) -> Parsed<Expr> {
        let range = self.without_where(|parser| parser.range())?;
        match self.condition()? {
            None => Ok(range),
            cond => {
                let kind = ExprKind::Domain { var: var.clone(), range: Box::new(range), cond };
                Ok(Expr { span: self.since(var.span), kind })
            }
        }
    }

    /// `circle p from E [over players where …] [, stop when E]`
    pub(super) fn circle(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "circle p from leader over players where hand is not empty, stop when cut";
        let var = self.name("a name for the player", EXAMPLE)?;
        self.expect_word("from", EXAMPLE)?;
        let from = self.value_or_broken();
        self.direction();
        let over = if self.eat_word("over") { Some(self.value_or_broken()) } else { None };
        self.direction();
        let stop = if self.eat(Kind::Comma) {
            self.expect_word("stop", EXAMPLE)?;
            self.expect_word("when", EXAMPLE)?;
            Some(self.value_or_broken())
        } else {
            None
        };
        self.finish_line();
        let body = self.statements(
            start,
            "what each player does is missing",
            "circle p from leader\n  draw 1 from stock to hand[p]",
        );
        Ok(StmtKind::Circle { var, from, over, stop, body })
    }

    /// `together p over players where …` + steps and closing clauses
    pub(super) fn together(&mut self, start: Span) -> Parsed<StmtKind> {
        const EXAMPLE: &str = "together p over players where p is not judge";
        let var = self.name("a name for the player", EXAMPLE)?;
        self.expect_word("over", EXAMPLE)?;
        let over = self.value_or_broken();
        self.finish_line();
        let mut body = Vec::new();
        let mut clauses = Vec::new();
        let shown = "together p over players\n  ask p \"Pass a card\"\n    …";
        self.needed_lines(start, "what each player does is missing", shown, &mut |parser| {
            if !parser.ask_clause_line(&mut clauses, false) {
                parser.statement_line(&mut body);
            }
        });
        Ok(StmtKind::Together { var, over, body, clauses })
    }
}
