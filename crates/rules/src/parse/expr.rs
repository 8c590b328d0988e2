//! Operators by precedence, loosest first: `or`, `and`, `not`, comparisons, `..`, `+ -`, `* / mod`, `^`, unary minus.
//! [`super::phrase`] reads their operands.

use super::words::WORDS_AFTER_IS;
use super::{MAX_EXPR_DEPTH, Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;
use crate::span::{Name, Span};

const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const RANGE: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const POWER: u8 = 8;

#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Is,
    Range,
    /// `equals`, `greater than`: words for which the language has signs.
    InWords,
    /// `includes`, which is a word of scenarios, and similar words.
    Includes {
        negated: bool,
    },
    /// `except`, for which the language has `where` and `-`.
    Except,
}

impl Parser<'_> {
    /// Reads an expression as far as it goes.
    pub(super) fn parse_expr(&mut self) -> Parsed<Expr> {
        self.parse_level(OR)
    }

    /// Reads an expression in the first line of a block. If that fails it skips the rest of the line, so that the block
    /// below keeps its first line.
    pub(super) fn parse_expr_or_broken(&mut self) -> Expr {
        let start = self.here();
        match self.parse_expr() {
            Ok(value) => value,
            Err(_) => self.skip_broken_expr(start),
        }
    }

    pub(super) fn skip_broken_expr(&mut self, start: Span) -> Expr {
        while !self.at_line_end() {
            self.bump();
        }
        Expr { span: self.since(start), kind: ExprKind::Broken }
    }

    /// Reads an expression without comparisons: an amount, or one end of a range.
    pub(super) fn parse_amount(&mut self) -> Parsed<Expr> {
        self.parse_level(SUM)
    }

    /// Reads `1..9`, an amount or a name.
    pub(super) fn parse_range(&mut self) -> Parsed<Expr> {
        self.parse_level(RANGE)
    }

    /// Reads `2..8`, or `4`, which means `4..4`.
    pub(super) fn parse_bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.parse_amount()?;
        if self.at_word("to") && self.nth(1).kind == TokenKind::Number {
            let span = self.bump().span;
            self.report(
                Diagnostic::error("parse/range", span, "A range is written with two dots").hint("For example: `2..4`"),
            );
            return Ok((low, self.parse_amount()?));
        }
        let high = if self.eat(TokenKind::Dots) { self.parse_amount()? } else { low.clone() };
        Ok((low, high))
    }

    /// Reads what follows `of`: an operand with its `where`, without operators.
    pub(super) fn parse_operand(&mut self) -> Parsed<Expr> {
        self.parse_nested(|parser| parser.parse_unary())
    }

    /// Runs `read` so that a `where` belongs to the phrase around.
    pub(super) fn without_where<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.with_where(false, read)
    }

    pub(super) fn with_where<T>(&mut self, allowed: bool, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::replace(&mut self.where_allowed, allowed);
        let result = read(self);
        self.where_allowed = before;
        result
    }

    /// Runs `read` for what stands between brackets: a `where` outside of them reaches no further than they do.
    pub(super) fn in_brackets<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = self.where_from.take();
        let result = self.with_where(true, read);
        self.where_from = before;
        result
    }

    /// Runs `read` one level deeper, and enforces [`MAX_EXPR_DEPTH`].
    fn parse_nested(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        if self.depth >= MAX_EXPR_DEPTH {
            return self.fail_too_deep();
        }
        self.depth += 1;
        let tallest_beside = std::mem::take(&mut self.height);
        let result = read(self);
        self.depth -= 1;
        let own = self.height + 1;
        self.height = own.max(tallest_beside);
        if result.is_ok() && own > MAX_EXPR_DEPTH {
            return self.fail_too_deep();
        }
        result
    }

    fn fail_too_deep<T>(&mut self) -> Parsed<T> {
        let title = format!("This value has more than {MAX_EXPR_DEPTH} values inside one another");
        let problem = Diagnostic::error("limit/value", self.here(), title)
            .hint("Give a part of it a name: `define follows(c) = suit of c is led`.");
        Err(self.fail(problem))
    }

    fn parse_level(&mut self, loosest: u8) -> Parsed<Expr> {
        self.parse_nested(|parser| parser.parse_chain(loosest))
    }

    fn parse_chain(&mut self, loosest: u8) -> Parsed<Expr> {
        let start = self.here();
        let mut left = if self.at_word("not") {
            self.bump();
            let arg = Box::new(self.parse_level(NOT)?);
            Expr { span: self.since(start), kind: ExprKind::Unary { op: UnaryOp::Not, arg } }
        } else {
            self.parse_unary()?
        };
        // `a < b < c` has no meaning.
        let mut compared = false;
        while let Some((infix, level)) = self.peek_infix() {
            if level < loosest {
                break;
            }
            if level == COMPARISON && std::mem::replace(&mut compared, true) {
                self.report_chained_comparison();
            }
            compared &= level >= COMPARISON;
            left = self.parse_infix(left, infix, level)?;
            self.height += 1;
            if self.height > MAX_EXPR_DEPTH {
                return self.fail_too_deep();
            }
        }
        Ok(left)
    }

    /// Returns the operator that stands here, if any, and its precedence.
    fn peek_infix(&self) -> Option<(Infix, u8)> {
        use BinaryOp::*;
        let (op, level) = match self.peek().kind {
            TokenKind::Plus => (Add, SUM),
            TokenKind::Minus => (Sub, SUM),
            TokenKind::Star => (Mul, PRODUCT),
            TokenKind::Slash => (Div, PRODUCT),
            TokenKind::Caret => (Power, POWER),
            TokenKind::Less => (Less, COMPARISON),
            TokenKind::LessEq => (LessEq, COMPARISON),
            TokenKind::Greater => (Greater, COMPARISON),
            TokenKind::GreaterEq => (GreaterEq, COMPARISON),
            TokenKind::Equals | TokenKind::DoubleEquals => (Is, COMPARISON),
            TokenKind::NotEquals => (IsNot, COMPARISON),
            TokenKind::DoubleAnd => (And, AND),
            TokenKind::DoubleOr => (Or, OR),
            TokenKind::Dots => return Some((Infix::Range, RANGE)),
            TokenKind::Word => match self.word_at(0) {
                "or" => (Or, OR),
                "and" => (And, AND),
                "mod" => (Mod, PRODUCT),
                "is" => return Some((Infix::Is, COMPARISON)),
                // `2 cards cs from hand[p] where … in order`
                "in" if self.word_at(1) != "order" => (In, COMPARISON),
                "not" if self.word_at(1) == "in" => (NotIn, COMPARISON),
                "includes" | "contains" | "has" => return Some((Infix::Includes { negated: false }, COMPARISON)),
                "except" | "excluding" => return Some((Infix::Except, SUM)),
                "lacks" => return Some((Infix::Includes { negated: true }, COMPARISON)),
                // `holds at most 9` is a clause of a zone before which a comma is missing.
                "holds" if self.word_at(1) != "at" => return Some((Infix::Includes { negated: false }, COMPARISON)),
                _ if self.at_worded_comparison() => return Some((Infix::InWords, COMPARISON)),
                _ => return None,
            },
            _ => return None,
        };
        Some((Infix::Binary(op), level))
    }

    fn parse_infix(&mut self, left: Expr, infix: Infix, level: u8) -> Parsed<Expr> {
        let start = left.span;
        self.report_foreign_operator();
        let sign = self.here();
        let op = match infix {
            Infix::InWords => {
                let op = self.parse_worded_comparison(false);
                let right = self.parse_level(RANGE)?;
                return Ok(self.make_binary(start, op, left, right));
            }
            Infix::Is => {
                self.bump();
                return self.parse_is(left);
            }
            Infix::Includes { negated } => {
                self.bump();
                return self.parse_includes(left, sign, negated);
            }
            Infix::Except => {
                self.bump();
                return self.parse_except(left, sign);
            }
            Infix::Range => {
                self.bump();
                let right = self.parse_level(SUM)?;
                if self.at(TokenKind::Dots) {
                    return self.fail_expected("parse/range", "the end of the range", "1..9");
                }
                return Ok(Expr { span: self.since(start), kind: ExprKind::Range(Box::new(left), Box::new(right)) });
            }
            Infix::Binary(op) => op,
        };
        self.bump();
        if op == BinaryOp::NotIn {
            self.bump();
        }
        if op == BinaryOp::Mul {
            self.report_power();
        }
        let left = if matches!(op, BinaryOp::In | BinaryOp::NotIn) { self.replace_name_by_card(left) } else { left };
        let bracketed = self.at(TokenKind::OpenRound);
        let right = self.parse_level(level + 1)?;
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) && matches!(right.kind, ExprKind::Where { .. }) && !bracketed {
            self.report(
                Diagnostic::error("parse/where-of-what", sign, "It is not clear what this `where` chooses from")
                    .label("from both sides of this, or only from the right one?")
                    .related(right.span, "the `where` is in here")
                    .hint("Put brackets: `(hand[p] + trick) where …` or `hand[p] + (trick where …)`."),
            );
        }
        Ok(self.make_binary(start, op, left, right))
    }

    fn make_binary(&self, start: Span, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let kind = ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) };
        Expr { span: self.since(start), kind }
    }

    /// Reads what follows `is`: a value, `not` and a value, or a word such as `empty`.
    fn parse_is(&mut self, left: Expr) -> Parsed<Expr> {
        let start = left.span;
        let negated = self.eat_word("not");
        let word = self.word_at(0);
        let plain =
            !matches!(self.nth(1).kind, TokenKind::OpenRound | TokenKind::OpenSquare) && self.word_at(1) != "of";
        if WORDS_AFTER_IS.contains(&word) && plain {
            let what = self.take_name();
            let kind = ExprKind::IsA { arg: Box::new(left), what, negated };
            return Ok(Expr { span: self.since(start), kind });
        }
        if let Some(what) = self.parse_facing() {
            let kind = ExprKind::IsA { arg: Box::new(left), what, negated };
            return Ok(Expr { span: self.since(start), kind });
        }
        let op = self.parse_worded_comparison(negated);
        let slip = self.at_card_in_letters();
        let right = self.parse_level(RANGE)?;
        let right = if slip { self.replace_name_by_card(right) } else { right };
        Ok(self.make_binary(start, op, left, right))
    }

    /// Reads `face up` or `face down`; reports `facedown`, `face-down` and `turned down` and takes them for it.
    fn parse_facing(&mut self) -> Option<Name> {
        let is_side = |word: &str| matches!(word, "up" | "down");
        let (tokens, side, right) = match self.word_at(0) {
            "face" if is_side(self.word_at(1)) => (2, self.word_at(1), true),
            "face" if self.nth(1).kind == TokenKind::Minus && is_side(self.word_at(2)) => (3, self.word_at(2), false),
            "turned" if is_side(self.word_at(1)) => (2, self.word_at(1), false),
            "faceup" => (1, "up", false),
            "facedown" => (1, "down", false),
            _ => return None,
        };
        let text = format!("face {side}");
        let start = self.here();
        for _ in 0..tokens {
            self.bump();
        }
        let span = self.since(start);
        if !right {
            let title = format!("How a card lies is written `is {text}`");
            self.report(Diagnostic::error("parse/facing", span, title).hint(format!("Write `{text}`.")));
        }
        Some(Name { text, span })
    }

    fn parse_unary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat(TokenKind::Minus) {
            let arg = Box::new(self.parse_operand()?);
            return Ok(Expr { span: self.since(start), kind: ExprKind::Unary { op: UnaryOp::Minus, arg } });
        }
        let base = self.parse_primary()?;
        if let Some(cond) = self.parse_where_of(Some(start))? {
            let kind = ExprKind::Where { base: Box::new(base), cond };
            return Ok(Expr { span: self.since(start), kind });
        }
        Ok(base)
    }
}
