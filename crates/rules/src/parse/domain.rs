//! Phrases over several players, cards or numbers: `players where …`, `any card c in …`, `sum of … over …`.

use super::words::is_reserved;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, FoldOp};
use crate::span::Span;

impl Parser<'_> {
    /// Reads `where E`, if it stands here and does not belong to the phrase around.
    pub(super) fn parse_where(&mut self) -> Parsed<Option<Box<Expr>>> {
        self.parse_where_of(None)
    }

    /// Reads `where E` like [`Self::parse_where`]. `from` is where the phrase begins that could stand in brackets.
    pub(super) fn parse_where_of(&mut self, from: Option<Span>) -> Parsed<Option<Box<Expr>>> {
        if !self.where_allowed || !self.eat_word("where") {
            return Ok(None);
        }
        let before = std::mem::replace(&mut self.where_from, from);
        let cond = self.parse_expr();
        self.where_from = before;
        Ok(Some(Box::new(cond?)))
    }

    /// `players [q] [where E]`
    pub(super) fn parse_players(&mut self) -> Parsed<ExprKind> {
        let start = self.bump().span;
        let var = if self.word_at(1) == "where" { self.parse_optional_name() } else { None };
        Ok(ExprKind::Players { var, cond: self.parse_where_of(Some(start))? })
    }

    /// `i in 1..9 [where E]`; the caller has seen the name and `in`. `whole` is where the phrase begins that could stand in
    /// brackets, such as `count of`.
    pub(super) fn parse_domain(&mut self, whole: Option<Span>) -> Parsed<Expr> {
        let start = self.here();
        let var = self.parse_name("a name", "count of i in 1..9 where open[i]")?;
        self.expect_word("in", "count of i in 1..9 where open[i]")?;
        let range = Box::new(self.without_where(|parser| parser.parse_range())?);
        let cond = self.parse_where_of(whole)?;
        Ok(Expr { span: self.since(start), kind: ExprKind::Domain { var, range, cond } })
    }

    /// Whether a name and `in` stand `n` tokens further on.
    pub(super) fn at_domain(&self, n: usize) -> bool {
        let word = self.word_at(n);
        !word.is_empty() && !is_reserved(word) && self.word_at(n + 1) == "in"
    }

    pub(super) fn parse_count(&mut self) -> Parsed<ExprKind> {
        let start = self.here();
        self.eat_words(&["count", "of"]);
        let what = if self.at_domain(0) { self.parse_domain(Some(start))? } else { self.parse_operand()? };
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
            self.parse_domain(None)?
        };
        Ok(ExprKind::AnyOf { negated, domain: Box::new(domain) })
    }

    /// `sum of E over DOMAIN`
    pub(super) fn parse_fold(&mut self) -> Parsed<ExprKind> {
        let whole = Some(self.here());
        let (op, example) = match self.word_at(0) {
            "sum" => (FoldOp::Sum, "sum of value of c over card c in hand[p]"),
            "max" => (FoldOp::Max, "max of score[r] over player r"),
            _ => (FoldOp::Min, "min of score[r] over player r"),
        };
        self.bump();
        self.bump();
        let value = Box::new(self.with_where(true, |parser| parser.parse_expr())?);
        self.expect_word("over", example)?;
        let start = self.here();
        let over = if self.at_word("card") && self.word_at(2) == "in" {
            self.bump();
            let var = self.parse_name("a name for the card", example)?;
            self.bump();
            let base = Box::new(self.without_where(|parser| parser.parse_amount())?);
            let kind = ExprKind::CardDomain { var, base, cond: self.parse_where_of(whole)? };
            Expr { span: self.since(start), kind }
        } else if self.at_any_word(&["player", "players"]) && self.word_at(1) != "in" {
            self.bump();
            let kind = ExprKind::Players { var: self.parse_optional_name(), cond: self.parse_where_of(whole)? };
            Expr { span: self.since(start), kind }
        } else if self.at_domain(0) {
            self.parse_domain(whole)?
        } else {
            return self.fail_expected("parse/fold-over", "`card c in …`, `player q` or `i in 1..9`", example);
        };
        Ok(ExprKind::Fold { op, value, over: Box::new(over) })
    }
}
