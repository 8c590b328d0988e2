//! Operators: arithmetic, comparisons, logic.

use super::Elaborator;
use super::apart::apart_if;
use super::dice::dice_has;
use super::value::{Code, DicePick, Ty, Val};
use crate::ast::{self, BinaryOp, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;

impl<'a> Elaborator<'a> {
    pub(super) fn unary(&mut self, op: UnaryOp, arg: &ast::Expr) -> Val {
        let (want, wrap): (Ty, fn(Box<Num>) -> Num) = match op {
            UnaryOp::Not => (Ty::YesNo, Num::Not),
            UnaryOp::Minus => (Ty::Num, Num::Neg),
        };
        let val = self.expr_expecting(arg, &want);
        if val.is_broken() || !self.need_type(&val, &want, arg.span) {
            return Val::broken();
        }
        let label = val.label.clone();
        Val::num(want, super::constant::fold(wrap(Box::new(val.into_num()))), label)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Val {
        match op {
            BinaryOp::Or | BinaryOp::And => {
                let a = self.expr_expecting(left, &Ty::YesNo);
                // The value of `a and b` depends on `b` only if `a` holds, so `b` may use the facts that follow from `a`. If
                // there are none, it is the other way round, and the engine looks at `b` first: a condition that looks at
                // what its player may not know could use up the budget and so tell something, although its value does not.
                let of_a = apart_if(&a.as_num(), op == BinaryOp::And);
                let b = self.with_facts(&of_a, |e| e.expr_expecting(right, &Ty::YesNo));
                let of_b = apart_if(&b.as_num(), op == BinaryOp::And);
                let ok = self.need_type(&a, &Ty::YesNo, left.span) & self.need_type(&b, &Ty::YesNo, right.span);
                if !ok || a.is_broken() || b.is_broken() {
                    return Val::broken();
                }
                let mut label = a.label.clone();
                let mut first = a.into_num();
                let mut second = b.as_num();
                if of_a.is_empty() && !of_b.is_empty() {
                    label = label.where_apart(&of_b);
                    if !switch::is_off() {
                        std::mem::swap(&mut first, &mut second);
                    }
                }
                let label = label.join(&b.label);
                let (a, b) = (Box::new(first), Box::new(second));
                Val::num(Ty::YesNo, if op == BinaryOp::Or { Num::Or(a, b) } else { Num::And(a, b) }, label)
            }
            BinaryOp::Is | BinaryOp::IsNot => {
                self.check_itself(left, right, span);
                self.check_ranges(op, left, right, span);
                self.equals(op == BinaryOp::IsNot, left, right, span)
            }
            BinaryOp::Less | BinaryOp::LessEq | BinaryOp::Greater | BinaryOp::GreaterEq => {
                self.check_itself(left, right, span);
                self.check_ranges(op, left, right, span);
                self.order(op, left, right)
            }
            BinaryOp::In | BinaryOp::NotIn => self.membership(op == BinaryOp::NotIn, left, right),
            _ => self.arithmetic(op, left, right),
        }
    }

    /// Elaborates both sides of a comparison; the type of one side decides what a bare word on the other side means.
    fn pair(&mut self, left: &ast::Expr, right: &ast::Expr) -> (Val, Val) {
        let bare = |e: &ast::Expr| {
            use ast::ExprKind::{Name, None, Number, Suit};
            matches!(e.kind, Name(_) | Suit(_) | Number(_) | None)
        };
        if bare(left) && !bare(right) {
            let b = self.expr(right);
            let a = self.expr_expecting(left, &b.ty.clone());
            return (a, b);
        }
        let a = self.expr(left);
        let b = self.expr_expecting(right, &a.ty.clone());
        (a, b)
    }

    fn equals(&mut self, negated: bool, left: &ast::Expr, right: &ast::Expr, span: Span) -> Val {
        if let ast::ExprKind::Name(n) = &right.kind
            && n == "blank"
        {
            let card = self.expr(left);
            if card.ty == Ty::Card {
                // Whether a card is blank is decided by its deck. Writing on the card does not change it.
                let label = card.label.clone();
                return self.maybe_not(negated, Val::num(Ty::YesNo, Num::CardBlank(Box::new(card.into_num())), label));
            }
        }
        let (a, b) = self.pair(left, right);
        if a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let label = a.label.clone().join(&b.label);
        let num = match (&a.code, &b.code) {
            (_, Code::Pattern(p)) if a.ty == Ty::Card => p.matches(a.as_num()),
            (Code::Pattern(p), _) if b.ty == Ty::Card => p.matches(b.as_num()),
            (Code::Num(x), Code::Num(y)) if self.fits(&a.ty, &b.ty) || self.fits(&b.ty, &a.ty) => {
                Num::Cmp(Cmp::Eq, Box::new(x.clone()), Box::new(y.clone()))
            }
            _ => {
                let (l, r) = (self.ty_name(&a.ty), self.ty_name(&b.ty));
                let mut d =
                    Diagnostic::error("type/compare", span, "These can't be equal").label(format!("{l} and {r}"));
                d.hint = self.needless_quotes(&a.ty, right).or_else(|| self.needless_quotes(&b.ty, left));
                self.report(d);
                return Val::broken();
            }
        };
        self.maybe_not(negated, Val::num(Ty::YesNo, num, label))
    }

    /// A hint for `rank of c is "Q"`: values of cards and choices are words, not texts.
    fn needless_quotes(&self, ty: &Ty, e: &ast::Expr) -> Option<String> {
        let ast::ExprKind::Text(text) = &e.kind else { return None };
        let [ast::TextPart::Plain(word)] = &text.parts[..] else { return None };
        self.value_word(word, ty).map(|_| format!("Write it without quotes: `{word}`."))
    }

    fn maybe_not(&mut self, negated: bool, mut val: Val) -> Val {
        if negated && let Code::Num(n) = val.code {
            val.code = Code::Num(match n {
                Num::Cmp(Cmp::Eq, a, b) => Num::Cmp(Cmp::Ne, a, b),
                other => Num::Not(Box::new(other)),
            });
        }
        val
    }

    fn order(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr) -> Val {
        let (a, b) = self.pair(left, right);
        if a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let comparable =
            (self.is_numeric(&a.ty) && self.is_numeric(&b.ty)) || (a.ty == b.ty && matches!(a.ty, Ty::Attr(_)));
        if !comparable {
            let (l, r) = (self.ty_name(&a.ty), self.ty_name(&b.ty));
            self.report(
                Diagnostic::error("type/order", left.span.to(right.span), "These can't be put in order")
                    .label(format!("{l} and {r}"))
                    .hint("Compare numbers, or the same attribute of two cards: rank of c > rank of d."),
            );
            return Val::broken();
        }
        let cmp = match op {
            BinaryOp::Less => Cmp::Lt,
            BinaryOp::LessEq => Cmp::Le,
            BinaryOp::Greater => Cmp::Gt,
            _ => Cmp::Ge,
        };
        let label = a.label.clone().join(&b.label);
        Val::num(Ty::YesNo, Num::Cmp(cmp, Box::new(a.into_num()), Box::new(b.into_num())), label)
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr) -> Val {
        let a = self.expr(left);
        if matches!(a.ty, Ty::Cards | Ty::Card) && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return self.combine_cards(op == BinaryOp::Sub, a, right);
        }
        let b = self.expr(right);
        let ok = self.need_type(&a, &Ty::Num, left.span) & self.need_type(&b, &Ty::Num, right.span);
        if !ok || a.is_broken() || b.is_broken() {
            return Val::broken();
        }
        let arith = match op {
            BinaryOp::Add => Arith::Add,
            BinaryOp::Sub => Arith::Sub,
            BinaryOp::Mul => Arith::Mul,
            BinaryOp::Div => Arith::Div,
            _ => Arith::Mod,
        };
        let label = a.label.clone().join(&b.label);
        let num = super::constant::fold(Num::Arith(arith, Box::new(a.into_num()), Box::new(b.into_num())));
        Val::num(Ty::Num, num, label)
    }

    fn membership(&mut self, negated: bool, left: &ast::Expr, right: &ast::Expr) -> Val {
        let card = self.expr_expecting(left, &Ty::Card);
        let cards = self.expr(right);
        if card.is_broken() || cards.is_broken() {
            return Val::broken();
        }
        if let Ty::DiceSet(DicePick { low, .. }) = cards.ty {
            if !self.need_type(&card, &Ty::Num, left.span) {
                return Val::broken();
            }
            let label = card.label.clone().join(&cards.label);
            let num = dice_has(cards.into_num(), low, card.into_num());
            return self.maybe_not(negated, Val::num(Ty::YesNo, num, label));
        }
        let ok = self.need_type(&card, &Ty::Card, left.span) & self.need_type(&cards, &Ty::Cards, right.span);
        if !ok {
            return Val::broken();
        }
        let label = card.label.clone().join(&cards.label);
        let num = match &card.code {
            Code::Pattern(p) => {
                let bound = self.new_bound();
                let cond = Box::new(p.matches(Num::Bound(bound)));
                let of = Box::new(cards.into_cards());
                Num::Not(Box::new(Num::IsEmpty(Selection::Where { of, bound, cond })))
            }
            _ => Num::Holds(cards.clone().into_cards(), Box::new(card.into_num())),
        };
        self.maybe_not(negated, Val::num(Ty::YesNo, num, label))
    }

    pub(super) fn is_a(&mut self, arg: &ast::Expr, what: &Name, negated: bool) -> Val {
        let val = self.expr(arg);
        if val.is_broken() {
            return val;
        }
        let result = match what.text.as_str() {
            "empty" => {
                if !self.need_type(&val, &Ty::Cards, arg.span) {
                    return Val::broken();
                }
                let label = val.count.clone();
                Val::num(Ty::YesNo, Num::IsEmpty(val.into_cards()), label)
            }
            seat => {
                if !self.need_type(&val, &Ty::Player, arg.span) {
                    return Val::broken();
                }
                let label = val.label.clone();
                let n = Box::new(val.into_num());
                let num = match seat {
                    "present" => Num::SeatPresent(n),
                    "playing" => Num::SeatPlaying(n),
                    _ => Num::SeatPerson(n),
                };
                Val::num(Ty::YesNo, num, label)
            }
        };
        self.maybe_not(negated, result)
    }
}
