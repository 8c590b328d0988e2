//! Refuses comparisons of numbers that can never hold or always hold, because they are mistakes.
//!
//! The check knows the declared ranges of state, options, dice and attributes, and of sums of them. It ignores
//! parameters of defines and rules, which stand for a different number at each use.

use super::{Elaborator, Global};
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::program::{AttrDomain, Type, VarKind};
use crate::span::Span;

/// Lowest and highest value of a number; `None` where there is no bound.
#[derive(Clone, Debug)]
struct Range {
    low: Option<i64>,
    high: Option<i64>,
    /// The declarations from which the range follows, for the message; empty for plain numbers.
    declared: Vec<String>,
    /// The value may also be `none`, for which no comparison holds.
    or_none: bool,
}

impl Range {
    fn number(n: i64) -> Self {
        Range { low: Some(n), high: Some(n), declared: Vec::new(), or_none: false }
    }

    fn declared(name: &str, low: i32, high: i32) -> Self {
        let declared = vec![format!("`{name}` goes from {low} to {high}")];
        Range { low: Some(i64::from(low)), high: Some(i64::from(high)), declared, or_none: false }
    }
}

impl Elaborator<'_> {
    /// Refuses a comparison whose result follows from the declarations.
    pub(super) fn check_ranges(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) {
        let (Some(a), Some(b)) = (self.range_of(left), self.range_of(right)) else { return };
        if a.declared.is_empty() && b.declared.is_empty() {
            return;
        }
        let below = |x: &Range, y: &Range| matches!((x.high, y.low), (Some(x), Some(y)) if x < y);
        let at_most = |x: &Range, y: &Range| matches!((x.high, y.low), (Some(x), Some(y)) if x <= y);
        let (never, always) = match op {
            BinaryOp::Is => (below(&a, &b) || below(&b, &a), false),
            BinaryOp::IsNot => (false, below(&a, &b) || below(&b, &a)),
            BinaryOp::Less => (at_most(&b, &a), below(&a, &b)),
            BinaryOp::LessEq => (below(&b, &a), at_most(&a, &b)),
            BinaryOp::Greater => (at_most(&a, &b), below(&b, &a)),
            BinaryOp::GreaterEq => (below(&a, &b), at_most(&b, &a)),
            _ => return,
        };
        let always = always && !a.or_none && !b.or_none;
        if !never && !always {
            return;
        }
        let label = [a.declared, b.declared].concat().join(", ");
        let (code, title) = match never {
            true => ("range/never", "This can never hold"),
            false => ("range/always", "This always holds"),
        };
        self.report(
            Diagnostic::error(code, span, title)
                .label(label)
                .hint("A value never leaves the range it was declared with: a sum that goes beyond stays at its end. Declare a wider range, or compare with something inside it."),
        );
    }

    /// Returns the range of an expression, if it follows from declarations.
    fn range_of(&self, e: &ast::Expr) -> Option<Range> {
        match &e.kind {
            ExprKind::Number(n) => Some(Range::number(*n)),
            ExprKind::Unary { op: UnaryOp::Minus, arg } => {
                let Range { low, high, declared, or_none } = self.range_of(arg)?;
                Some(Range { low: high.map(|n| -n), high: low.map(|n| -n), declared, or_none })
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
                let (a, b) = (self.range_of(left)?, self.range_of(right)?);
                let add = |x: Option<i64>, y: Option<i64>| Some(x?.saturating_add(y?));
                let (low, high) = match op {
                    BinaryOp::Add => (b.low, b.high),
                    _ => (b.high.map(|n| -n), b.low.map(|n| -n)),
                };
                let declared = [a.declared, b.declared].concat();
                Some(Range { low: add(a.low, low), high: add(a.high, high), declared, or_none: a.or_none || b.or_none })
            }
            ExprKind::Call { name, args } if !self.globals.contains_key(&name.text) => {
                let most = match name.text.as_str() {
                    "min" => false,
                    "max" => true,
                    _ => return None,
                };
                let pick = |x: Option<i64>, y: Option<i64>| Some(if most { x?.max(y?) } else { x?.min(y?) });
                let mut ranges = args.iter().map(|arg| self.range_of(arg));
                let first = ranges.next()??;
                ranges.try_fold(first, |a, b| {
                    let b = b?;
                    let declared = [a.declared, b.declared].concat();
                    let or_none = a.or_none || b.or_none;
                    Some(Range { low: pick(a.low, b.low), high: pick(a.high, b.high), declared, or_none })
                })
            }
            ExprKind::Name(name) if self.lookup_local(name).is_none() => self.declared_range(name),
            ExprKind::Index { name, .. } if self.lookup_local(&name.text).is_none() => self.declared_range(&name.text),
            ExprKind::Of { name, .. } if !self.globals.contains_key(&name.text) => self.attr_range(&name.text),
            _ => None,
        }
    }

    fn declared_range(&self, name: &str) -> Option<Range> {
        match self.globals.get(name).map(|(global, _)| *global) {
            Some(Global::Var(id)) => {
                let var = &self.program.vars[id as usize];
                match (&var.ty, &var.kind) {
                    // Dice show 0 before the first roll.
                    (_, VarKind::Dice { faces: Some(_), .. }) => None,
                    (Type::Number { low, high }, VarKind::Dice { .. }) => {
                        Some(Range::declared(name, (*low).min(0), *high))
                    }
                    (Type::Number { low, high }, _) => Some(Range::declared(name, *low, *high)),
                    _ => None,
                }
            }
            Some(Global::Option(id)) => match &self.program.options[id as usize].ty {
                Type::Number { low, high } | Type::Seconds { low, high } => Some(Range::declared(name, *low, *high)),
                ty => {
                    let numbers = super::options::numbers(ty)?;
                    Some(Range::declared(name, *numbers.iter().min()?, *numbers.iter().max()?))
                }
            },
            Some(Global::Table(id)) => {
                let values = &self.program.tables[usize::from(id)].values;
                // A place that does not exist has the value 0.
                let low = values.iter().copied().min()?.min(0);
                Some(Range::declared(name, low, values.iter().copied().max()?.max(0)))
            }
            Some(_) => None,
            None => self.attr_range(name),
        }
    }

    fn attr_range(&self, name: &str) -> Option<Range> {
        let attr = *self.attrs.get(name)?;
        match self.program.attrs[attr as usize].values {
            AttrDomain::Range { low, high } => Some(Range { or_none: true, ..Range::declared(name, low, high) }),
            _ => None,
        }
    }
}
