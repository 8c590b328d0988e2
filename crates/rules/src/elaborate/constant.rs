//! Values that the compiler knows, before any option is chosen.

use super::Elaborator;
use super::value::Ty;
use crate::ast::{self};
use crate::diagnostic::Diagnostic;
use crate::program::*;

impl<'a> Elaborator<'a> {
    /// Elaborates a text that must not have holes, such as a title or a note.
    pub(super) fn plain(&mut self, t: &ast::Text) -> String {
        let mut out = String::new();
        for part in &t.parts {
            match part {
                ast::TextPart::Plain(s) => out.push_str(s),
                ast::TextPart::Hole(e) | ast::TextPart::Counted { number: e, .. } => self.report(
                    Diagnostic::error("text/no-holes", e.span, "This text can't have { } in it")
                        .label("nothing is known yet when it is shown")
                        .hint("Write {{ for a brace that is meant as such."),
                ),
            }
        }
        out
    }

    pub(super) fn const_num(&mut self, e: &ast::Expr) -> i32 {
        self.options_only = true;
        let val = self.expr_expecting(e, &Ty::Num);
        self.options_only = false;
        self.need_type(&val, &Ty::Num, e.span);
        let broken = val.is_broken();
        match fold(val.into_num()) {
            Num::Const(n) => n,
            _ if broken => 0,
            _ => {
                self.report(
                    Diagnostic::error("const/needed", e.span, "This must be a fixed number")
                        .label("depends on something")
                        .hint("It is needed before the options are chosen."),
                );
                0
            }
        }
    }

    pub(super) fn const_range(&mut self, low: &ast::Expr, high: &ast::Expr) -> (i32, i32) {
        let (l, h) = (self.const_num(low), self.const_num(high));
        if l > h {
            self.report(
                Diagnostic::error("range/empty", low.span.to(high.span), "This range is empty")
                    .label(format!("{l} is more than {h}"))
                    .hint(format!("Write the smaller number first: {h}..{l}")),
            );
            return (h, l);
        }
        (l, h)
    }
}

/// Computes arithmetic on constants and leaves everything else as it is.
pub(super) fn fold(num: Num) -> Num {
    match num {
        Num::Neg(a) => match fold(*a) {
            Num::Const(n) => Num::Const(n.saturating_neg()),
            other => Num::Neg(Box::new(other)),
        },
        Num::Arith(op, a, b) => match (fold(*a), fold(*b)) {
            (Num::Const(x), Num::Const(y)) => Num::Const(op.apply(x, y)),
            (a, b) => Num::Arith(op, Box::new(a), Box::new(b)),
        },
        other => other,
    }
}

/// Whether an expression reads only options, the sizes of decks and the number of players.
pub(super) fn known_before_start(num: &Num) -> bool {
    match num {
        Num::Const(_) | Num::Option(_) | Num::OptionLength(_) | Num::SeatCount | Num::Count(Selection::Deck(_)) => true,
        Num::OverSeats { cond: None, value, .. } => known_before_start(value),
        Num::Neg(a) | Num::Not(a) => known_before_start(a),
        Num::And(a, b) | Num::Or(a, b) | Num::Arith(_, a, b) | Num::Cmp(_, a, b) => {
            known_before_start(a) && known_before_start(b)
        }
        Num::If(a, b, c) => [a, b, c].into_iter().all(|n| known_before_start(n)),
        _ => false,
    }
}
