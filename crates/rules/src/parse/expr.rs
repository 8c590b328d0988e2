//! Operators and their order, loosest first: `or`, `and`, `not`, comparisons, `..`, `+ -`,
//! `* / mod`, minus; then what [`super::phrase`] reads.

use super::words::STATES_OF_BEING;
use super::{DEEPEST_VALUE, Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::span::Span;

const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const RANGE: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;

#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Is,
    Range,
    /// `equals`, `greater than`: words that are signs here.
    InWords,
    /// A word that only scenarios know.
    Includes {
        negated: bool,
    },
}

impl Parser<'_> {
    /// Any value, as far to the right as it goes.
    pub(super) fn value(&mut self) -> Parsed<Expr> {
        self.level(OR)
    }

    /// A value in the head of a block: if it cannot be read, the rest of the line is skipped, but
    /// the block below keeps its head.
    pub(super) fn value_or_broken(&mut self) -> Expr {
        let start = self.here();
        match self.value() {
            Ok(value) => value,
            Err(_) => self.broken_line(start),
        }
    }

    pub(super) fn broken_line(&mut self, start: Span) -> Expr {
        while !self.at_line_end() {
            self.bump();
        }
        Expr { span: self.since(start), kind: ExprKind::Broken }
    }

    /// A value without comparisons: an amount, one end of a range.
    pub(super) fn amount(&mut self) -> Parsed<Expr> {
        self.level(SUM)
    }

    /// `1..9`, or an amount, or a name.
    pub(super) fn range(&mut self) -> Parsed<Expr> {
        self.level(RANGE)
    }

    /// `2..8`, or `4` for `4..4`.
    pub(super) fn bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.amount()?;
        if self.at_word("to") && self.nth(1).kind == Kind::Number {
            let span = self.bump().span;
            self.soft(
                Diagnostic::error("parse/range", span, "A range is written with two dots").hint("For example: `2..4`"),
            );
            return Ok((low, self.amount()?));
        }
        let high = if self.eat(Kind::Dots) { self.amount()? } else { low.clone() };
        Ok((low, high))
    }

    /// What `of` takes: one value that binds tighter than any operator.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.unary())
    }

    /// Reads with `where` left for the words around.
    pub(super) fn without_where<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.with_where(false, read)
    }

    pub(super) fn with_where<T>(&mut self, allowed: bool, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::replace(&mut self.where_allowed, allowed);
        let result = read(self);
        self.where_allowed = before;
        result
    }

    /// One step into a value inside a value, with the bound on how deep that may go.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        if self.depth >= DEEPEST_VALUE {
            return self.too_deep();
        }
        self.depth += 1;
        let tallest_beside = std::mem::take(&mut self.height);
        let result = read(self);
        self.depth -= 1;
        let own = self.height + 1;
        self.height = own.max(tallest_beside);
        if result.is_ok() && own > DEEPEST_VALUE {
            return self.too_deep();
        }
        result
    }

    fn too_deep<T>(&mut self) -> Parsed<T> {
        let title = format!("This value has more than {DEEPEST_VALUE} values inside one another");
        let problem = Diagnostic::error("limit/value", self.here(), title)
            .hint("Give a part of it a name: `define follows(c) = suit of c is led`.");
        Err(self.hard(problem))
    }

    fn level(&mut self, loosest: u8) -> Parsed<Expr> {
        self.nested(|parser| parser.chain(loosest))
    }

    fn chain(&mut self, loosest: u8) -> Parsed<Expr> {
        let start = self.here();
        let mut left = if self.at_word("not") {
            self.bump();
            let arg = Box::new(self.level(NOT)?);
            Expr { span: self.since(start), kind: ExprKind::Unary { op: UnaryOp::Not, arg } }
        } else {
            self.unary()?
        };
        // `a < b < c` has no meaning; the last comparison tells where the chain began.
        let mut compared = false;
        while let Some((infix, level)) = self.infix() {
            if level < loosest {
                break;
            }
            if level == COMPARISON && std::mem::replace(&mut compared, true) {
                self.chained_comparison();
            }
            compared &= level >= COMPARISON;
            left = self.apply(left, infix, level)?;
            self.height += 1;
            if self.height > DEEPEST_VALUE {
                return self.too_deep();
            }
        }
        Ok(left)
    }

    /// The operator that stands here, if any, and how tightly it binds.
    fn infix(&self) -> Option<(Infix, u8)> {
        use BinaryOp::*;
        let (op, level) = match self.peek().kind {
            Kind::Plus => (Add, SUM),
            Kind::Minus => (Sub, SUM),
            Kind::Star => (Mul, PRODUCT),
            Kind::Slash => (Div, PRODUCT),
            Kind::Less => (Less, COMPARISON),
            Kind::LessEq => (LessEq, COMPARISON),
            Kind::Greater => (Greater, COMPARISON),
            Kind::GreaterEq => (GreaterEq, COMPARISON),
            Kind::Equals | Kind::DoubleEquals => (Is, COMPARISON),
            Kind::NotEquals => (IsNot, COMPARISON),
            Kind::DoubleAnd => (And, AND),
            Kind::DoubleOr => (Or, OR),
            Kind::Dots => return Some((Infix::Range, RANGE)),
            Kind::Word => match self.word_at(0) {
                "or" => (Or, OR),
                "and" => (And, AND),
                "mod" => (Mod, PRODUCT),
                "is" => return Some((Infix::Is, COMPARISON)),
                // `2 cards cs from hand[p] where … in order`
                "in" if self.word_at(1) != "order" => (In, COMPARISON),
                "not" if self.word_at(1) == "in" => (NotIn, COMPARISON),
                "includes" | "contains" | "has" => return Some((Infix::Includes { negated: false }, COMPARISON)),
                "lacks" => return Some((Infix::Includes { negated: true }, COMPARISON)),
                // Not of a zone's clause `holds at most 9` before which a comma is missing.
                "holds" if self.word_at(1) != "at" => return Some((Infix::Includes { negated: false }, COMPARISON)),
                _ if self.compares_in_words() => return Some((Infix::InWords, COMPARISON)),
                _ => return None,
            },
            _ => return None,
        };
        Some((Infix::Binary(op), level))
    }

    fn apply(&mut self, left: Expr, infix: Infix, level: u8) -> Parsed<Expr> {
        let start = left.span;
        self.foreign_operator();
        let sign = self.here();
        let op = match infix {
            Infix::InWords => {
                let op = self.comparison_in_words(false);
                let right = self.level(RANGE)?;
                return Ok(self.binary(start, op, left, right));
            }
            Infix::Is => {
                self.bump();
                return self.apply_is(left);
            }
            Infix::Includes { negated } => {
                self.bump();
                return self.includes(left, sign, negated);
            }
            Infix::Range => {
                self.bump();
                let right = self.level(SUM)?;
                if self.at(Kind::Dots) {
                    return self.expected("parse/range", "the end of the range", "1..9");
                }
                return Ok(Expr { span: self.since(start), kind: ExprKind::Range(Box::new(left), Box::new(right)) });
            }
            Infix::Binary(op) => op,
        };
        self.bump();
        if op == BinaryOp::NotIn {
            self.bump();
        }
        let left = if matches!(op, BinaryOp::In | BinaryOp::NotIn) { self.card_for_name(left) } else { left };
        let bracketed = self.at(Kind::OpenRound);
        let right = self.level(level + 1)?;
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) && matches!(right.kind, ExprKind::Where { .. }) && !bracketed {
            self.soft(
                Diagnostic::error("parse/where-of-what", sign, "It is not clear what this `where` chooses from")
                    .label("from both sides of this, or only from the right one?")
                    .related(right.span, "the `where` is in here")
                    .hint("Put brackets: `(hand[p] + trick) where …` or `hand[p] + (trick where …)`."),
            );
        }
        Ok(self.binary(start, op, left, right))
    }

    fn binary(&self, start: Span, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let kind = ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) };
        Expr { span: self.since(start), kind }
    }

    /// After `is`: a value, `not` a value, or a state of being such as `empty`.
    fn apply_is(&mut self, left: Expr) -> Parsed<Expr> {
        let start = left.span;
        let negated = self.eat_word("not");
        let word = self.word_at(0);
        let plain = !matches!(self.nth(1).kind, Kind::OpenRound | Kind::OpenSquare) && self.word_at(1) != "of";
        if STATES_OF_BEING.contains(&word) && plain {
            let what = self.any_name();
            let kind = ExprKind::IsA { arg: Box::new(left), what, negated };
            return Ok(Expr { span: self.since(start), kind });
        }
        let op = self.comparison_in_words(negated);
        let slip = self.card_slip();
        let right = self.level(RANGE)?;
        let right = if slip { self.card_for_name(right) } else { right };
        Ok(self.binary(start, op, left, right))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat(Kind::Minus) {
            let arg = Box::new(self.operand()?);
            return Ok(Expr { span: self.since(start), kind: ExprKind::Unary { op: UnaryOp::Minus, arg } });
        }
        let base = self.primary()?;
        if self.where_allowed && self.eat_word("where") {
            let cond = Box::new(self.value()?);
            let kind = ExprKind::Where { base: Box::new(base), cond };
            return Ok(Expr { span: self.since(start), kind });
        }
        Ok(base)
    }
}
