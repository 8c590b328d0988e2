//! Phrases over several players, cards or numbers: `players where …`, `any card c in …`, `sum of … over …`.

use super::words::is_reserved;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, FoldOp};

impl Parser<'_> {
    /// Reads `where E`, if it stands here and does not belong to the phrase around.
    pub(super) fn parse_where(&mut self) -> Parsed<Option<Box<Expr>>> {
        if self.where_allowed && self.eat_word("where") { Ok(Some(Box::new(self.parse_expr()?))) } else { Ok(None) }
    }

    /// `players [q] [where E]`
    pub(super) fn parse_players(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let var = if self.word_at(1) == "where" { self.parse_optional_name() } else { None };
        Ok(ExprKind::Players { var, cond: self.parse_where()? })
    }

    /// `i in 1..9 [where E]`; the caller has seen the name and `in`.
    pub(super) fn parse_domain(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let var = self.parse_name("a name", "count of i in 1..9 where open[i]")?;
        self.expect_word("in", "count of i in 1..9 where open[i]")?;
        let range = Box::new(self.without_where(|parser| parser.parse_range())?);
        let cond = self.parse_where()?;
        Ok(Expr { span: self.since(start), kind: ExprKind::Domain { var, range, cond } })
    }

    /// Whether a name and `in` stand `n` tokens further on.
    pub(super) fn at_domain(&self, n: usize) -> bool {
        let word = self.word_at(n);
        !word.is_empty() && !is_reserved(word) && self.word_at(n + 1) == "in"
    }

    pub(super) fn parse_count(&mut self) -> Parsed<ExprKind> {
        self.eat_words(&["count", "of"]);
        let what = if self.at_domain(0) { self.parse_domain()? } else { self.parse_operand()? };
        Ok(ExprKind::Count(Box::new(what)))
    }

    /// `any card c in SEL where E`, `no player q where E`, `any i in 1..9 where E`
    pub(super) fn parse_quantifier(&mut self) -> Parsed<ExprKind> {
        let negated = self.at_word("no");
        self.bump();
        let start = self.here();
        if self.at_word("card") {
            self.bump();
            let var = self.parse_optional_name();
            self.expect_word("in", "any card c in trick where suit of c is led")?;
            let base = Box::new(self.without_where(|parser| parser.parse_amount())?);
            return Ok(ExprKind::AnyCard { negated, var, base, cond: self.parse_where()? });
        }
        let domain = if self.at_word("player") {
            self.bump();
            let var = self.parse_optional_name();
            let kind = ExprKind::Players { var, cond: self.parse_where()? };
            Expr { span: self.since(start), kind }
        } else {
            self.parse_domain()?
        };
        Ok(ExprKind::AnyOf { negated, domain: Box::new(domain) })
    }

    /// `sum of E over DOMAIN`
    pub(super) fn parse_fold(&mut self) -> Parsed<ExprKind> {
        const EXAMPLE: &str = "sum of value of c over card c in hand[p]";
        let op = match self.word_at(0) {
            "sum" => FoldOp::Sum,
            "max" => FoldOp::Max,
            _ => FoldOp::Min,
        };
        self.bump();
        self.bump();
        let value = Box::new(self.with_where(true, |parser| parser.parse_expr())?);
        self.expect_word("over", EXAMPLE)?;
        let start = self.here();
        let over = if self.at_word("card") && self.word_at(2) == "in" {
            self.bump();
            let var = self.parse_name("a name for the card", EXAMPLE)?;
            self.bump();
            let base = Box::new(self.without_where(|parser| parser.parse_amount())?);
            let kind = ExprKind::CardDomain { var, base, cond: self.parse_where()? };
            Expr { span: self.since(start), kind }
        } else if self.at_any_word(&["player", "players"]) && self.word_at(1) != "in" {
            self.bump();
            let kind = ExprKind::Players { var: self.parse_optional_name(), cond: self.parse_where()? };
            Expr { span: self.since(start), kind }
        } else if self.at_domain(0) {
            self.parse_domain()?
        } else {
            return self.fail_expected("parse/fold-over", "`card c in …`, `player q` or `i in 1..9`", EXAMPLE);
        };
        Ok(ExprKind::Fold { op, value, over: Box::new(over) })
    }
}
