//! Finds values in which `count of` or `where` reaches less far, or further, than their author thinks.

use super::Elaborator;
use super::value::{Ty, Val};
use crate::ast::{self, BinaryOp, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::program::{BoundId, Num};

impl Elaborator<'_> {
    /// Reports a sum in which `count of` or `where` reaches less far, or further, than its author thinks:
    /// `count of hand[p] + trick` and `count of trick where suit is ♠ + 1`.
    pub(super) fn refuse_reach(&mut self, a: &Val, b: &Val, left: &ast::Expr, right: &ast::Expr) -> bool {
        let cards = |val: &Val| matches!(val.ty, Ty::Cards | Ty::Card);
        let word = |val: &Val| matches!(val.ty, Ty::Attr(_)) && !self.is_numeric(&val.ty);
        let problem = if matches!(left.kind, ast::ExprKind::Count(_)) && cards(b) {
            let found = self.ty_name(&b.ty);
            Diagnostic::error("type/mismatch", right.span, "This should be a number")
                .label(format!("this is {found}"))
                .related(left.span, "`count of` reaches only as far as this")
                .hint("To count all of them together, put brackets: `count of (hand[p] + trick)`.")
        } else if !self.subjects.is_empty() && word(a) && self.is_numeric(&b.ty) {
            let found = self.ty_name(&a.ty);
            Diagnostic::error("type/mismatch", left.span, "This should be a number")
                .label(format!("this is {found}"))
                .related(right.span, "this belongs to it, because `where` reaches as far to the right as it can")
                .hint("Put brackets around what `where` chooses: `count of (trick where suit is ♠) + 1`.")
        } else {
            return false;
        };
        self.report(problem);
        true
    }

    /// Warns about `no card in trick where suit is ♠ and n > 3`: the second condition says nothing about the card, but it
    /// belongs to the `where`, so that this holds whenever `n` is 3 or less. An author who does mean it puts brackets around both conditions.
    pub(super) fn warn_about_reach(&mut self, cond: &ast::Expr, code: &Num, bound: BoundId, what: &str, negated: bool) {
        let ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right } = &cond.kind else { return };
        let bracketed = cond.span.start < left.span.start;
        let (Num::And(a, b) | Num::Or(a, b)) = code else { return };
        // `any player where passed and open` means the same as the condition with `open` outside of the `where`.
        if bracketed || !negated && *op == BinaryOp::And {
            return;
        }
        let about = |num: &Num| num.any(&mut |num| *num == Num::Bound(bound));
        if !about(a) || about(b) {
            return;
        }
        let (word, joined) = (if negated { "no" } else { "any" }, if *op == BinaryOp::And { "and" } else { "or" });
        self.report(
            Diagnostic::warning("where/reach", right.span, format!("This says nothing about the {what}"))
                .label("it belongs to the `where` all the same")
                .related(left.span, "the `where` begins here, and reaches as far to the right as it can")
                .hint(format!("To end the `where` before it, put brackets: `({word} … where …) {joined} …`. If it should belong to the `where`, put brackets around both: `where (… {joined} …)`.")),
        );
    }
}
