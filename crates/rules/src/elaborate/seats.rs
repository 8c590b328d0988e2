//! Expressions that choose players, and folds over players, cards and ranges.

use super::apart::{apart_if, facts_renamed};
use super::dice::dice_has;
use super::label::Label;
use super::value::{Code, DicePick, Ty, Val};
use super::{Elaborator, Subject};
use crate::ast::{self, ExprKind, FoldOp};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

/// The numbers, or the values of an attribute, that a fold or loop goes through.
pub(super) struct DomainRange {
    pub low: Num,
    pub high: Num,
    pub ty: Ty,
    pub label: Label,
    /// The fold or loop goes only through the numbers of these dice.
    pub picked: Option<PickedDice>,
}

/// The dice that a player picked, as a bit mask; the die at position 0 has the number `low`.
pub(super) struct PickedDice {
    dice: Num,
    low: i32,
}

impl PickedDice {
    pub(super) fn has(&self, die: Num) -> Num {
        dice_has(self.dice.clone(), self.low, die)
    }
}

impl<'a> Elaborator<'a> {
    /// Elaborates an expression about a player, who is the subject and is also called `var`, if there is a name.
    pub(super) fn about_seat<T>(&mut self, bound: BoundId, var: Option<&Name>, f: impl FnOnce(&mut Self) -> T) -> T {
        let seat = Num::Bound(bound);
        self.scoped(|e| {
            if let Some(v) = var {
                e.bind(v, Val::num(Ty::Player, seat.clone(), Label::PUBLIC));
            }
            e.with_subject(Subject::Index(vec![Dim::Player], vec![seat]), f)
        })
    }

    fn seat_cond(&mut self, bound: BoundId, var: Option<&Name>, cond: Option<&ast::Expr>) -> (Option<Num>, Label) {
        let Some(cond) = cond else { return (None, Label::PUBLIC) };
        let val = self.about_seat(bound, var, |e| e.expr_expecting(cond, &Ty::YesNo));
        self.need_type(&val, &Ty::YesNo, cond.span);
        let label = val.label.clone().without_bound(bound);
        (Some(val.into_num()), label)
    }

    pub(super) fn players(&mut self, var: Option<&Name>, cond: Option<&ast::Expr>) -> Val {
        let bound = self.new_bound();
        let (cond, label) = self.seat_cond(bound, var, cond);
        Val { ty: Ty::Players, code: Code::Seats(Seats { bound, cond }), label, ..Val::broken() }
    }

    /// Elaborates `players where …` after a name: the condition may use that name.
    pub(super) fn players_called(&mut self, e: &ast::Expr, name: &Name) -> Val {
        match &e.kind {
            ExprKind::Players { var: None, cond: Some(cond) } => self.players(Some(name), Some(cond)),
            _ => self.expr(e),
        }
    }

    pub(super) fn first_player(
        &mut self,
        var: Option<&Name>,
        from: Option<&ast::Expr>,
        cond: Option<&ast::Expr>,
    ) -> Val {
        let from = match from {
            Some(e) => self.player(e),
            None => Val::constant(Ty::Player, 0),
        };
        let bound = self.new_bound();
        let (cond, label) = self.seat_cond(bound, var, cond);
        let label = label.join(&from.label);
        let num = Num::FirstSeat { bound, from: Box::new(from.into_num()), cond: cond.map(Box::new) };
        Val::num(Ty::Player, num, label)
    }

    pub(super) fn next_player(
        &mut self,
        back: bool,
        var: Option<&Name>,
        after: &ast::Expr,
        cond: Option<&ast::Expr>,
    ) -> Val {
        let after = self.player(after);
        let bound = self.new_bound();
        let (cond, label) = self.seat_cond(bound, var, cond);
        let label = label.join(&after.label);
        let num = Num::NextSeat { bound, after: Box::new(after.into_num()), back, cond: cond.map(Box::new) };
        Val::num(Ty::Player, num, label)
    }

    pub(super) fn random_player(&mut self, var: Option<&Name>, cond: Option<&ast::Expr>, span: Span) -> Val {
        let bound = self.new_bound();
        let (cond, label) = self.seat_cond(bound, var, cond);
        if !self.can_act(span, "random") {
            return Val::broken();
        }
        let to = self.local("random player", Type::Player);
        let facts = cond.as_ref().map(|cond| apart_if(cond, true)).unwrap_or_default();
        self.add_facts(&facts_renamed(&facts, &Num::Bound(bound), &Num::Var(to)));
        self.emit(Op::RandomSeat { to, among: Seats { bound, cond } });
        Val::num(Ty::Player, Num::Var(to), label)
    }

    pub(super) fn player(&mut self, e: &ast::Expr) -> Val {
        let val = self.expr_expecting(e, &Ty::Player);
        if self.need_type(&val, &Ty::Player, e.span) { val } else { Val::broken() }
    }

    pub(super) fn any_of(&mut self, negated: bool, domain: &ast::Expr) -> Val {
        let Some(mut val) = self.fold_domain(Fold::Any, domain, None) else {
            self.report(
                Diagnostic::error("any/what", domain.span, "Any of what?")
                    .hint("Write `any player where …`, `any card in … where …`, `any i in 1..9 where …` or, of dice that were picked, `any i in d where …`."),
            );
            return Val::broken();
        };
        if let (true, Code::Num(n)) = (negated, &val.code) {
            // Somebody always plays, so that `any player where passed or open` means what it seems to mean.
            if let (ExprKind::Players { cond: Some(cond), .. }, Num::OverSeats { bound, cond: Some(code), .. }) =
                (&domain.kind, n)
            {
                self.warn_about_reach(cond, code, *bound, "player", negated);
            }
            val.code = Code::Num(Num::Not(Box::new(n.clone())));
        }
        val
    }

    pub(super) fn fold_over(&mut self, op: FoldOp, value: &ast::Expr, over: &ast::Expr) -> Val {
        let fold = match op {
            FoldOp::Sum => Fold::Sum,
            FoldOp::Max => Fold::Max,
            FoldOp::Min => Fold::Min,
        };
        self.fold_domain(fold, over, Some(value)).unwrap_or_else(|| {
            self.report(
                Diagnostic::error("fold/domain", over.span, "Over what?")
                    .hint("Write `over player q where …`, `over card c in hand[p]`, `over i in 1..5` or, of dice that were picked, `over i in d`."),
            );
            Val::broken()
        })
    }

    /// Elaborates a fold over players, cards or a range; `None` if the expression is no such domain.
    pub(super) fn fold_domain(&mut self, op: Fold, domain: &ast::Expr, value: Option<&ast::Expr>) -> Option<Val> {
        match &domain.kind {
            ExprKind::Players { .. } if self.nobody_sits => {
                self.report(
                    Diagnostic::error("name/options-only", domain.span, "Who plays is not known yet here")
                        .label("only options can be used here")
                        .hint("This is decided before anybody sits down, so it can depend on options and on nothing else. For cards: make as many as the most players need, and draw for each who plays; the rest stays where it is."),
                );
                Some(Val::broken())
            }
            ExprKind::Players { var, cond } => {
                let bound = self.new_bound();
                let (cond, label) = self.seat_cond(bound, var.as_ref(), cond.as_deref());
                let (value, value_label) = match value {
                    Some(e) => {
                        let facts = cond.as_ref().map(|cond| apart_if(cond, true)).unwrap_or_default();
                        let v = self.with_facts(&facts, |s| {
                            s.about_seat(bound, var.as_ref(), |s| s.expr_expecting(e, &Ty::Num))
                        });
                        self.need_type(&v, &Ty::Num, e.span);
                        (v.as_num(), v.label.without_bound(bound))
                    }
                    None => (Num::Const(1), Label::PUBLIC),
                };
                let num = Num::OverSeats { op, bound, cond: cond.map(Box::new), value: Box::new(value) };
                Some(Val::num(self.fold_ty(op), num, label.join(&value_label)))
            }
            ExprKind::CardDomain { var, base, cond } => {
                let cards = self.cards_where(base, Some(var), cond.as_deref());
                if cards.is_broken() {
                    return Some(cards);
                }
                let bound = self.new_bound();
                let card = Val {
                    ty: Ty::Card,
                    code: Code::Num(Num::Bound(bound)),
                    label: cards.label.clone(),
                    by: cards.by.clone(),
                    facing: cards.facing.clone(),
                    zones: if self.lies_anywhere(&cards) { Vec::new() } else { cards.zones.clone() },
                    ..Val::broken()
                };
                let (value, label) = match value {
                    Some(e) => {
                        let v = self.scoped(|s| {
                            s.bind(var, card.clone());
                            s.with_subject(Subject::Card(Box::new(card)), |s| s.expr_expecting(e, &Ty::Num))
                        });
                        self.need_type(&v, &Ty::Num, e.span);
                        (v.as_num(), v.label.clone())
                    }
                    None => (Num::Const(1), Label::PUBLIC),
                };
                let label = label.join(&cards.label).join(&cards.count);
                let num = Num::OverCards { op, bound, of: cards.into_cards(), cond: None, value: Box::new(value) };
                Some(Val::num(self.fold_ty(op), num, label))
            }
            ExprKind::Domain { var, range, cond } => {
                let DomainRange { low, high, ty, label: range_label, picked } = self.domain_range(range)?;
                let bound = self.new_bound();
                let item = Val::num(ty, Num::Bound(bound), Label::PUBLIC);
                let (cond, label) = match cond {
                    Some(c) => {
                        let v = self.scoped(|s| {
                            s.bind(var, item.clone());
                            s.expr_expecting(c, &Ty::YesNo)
                        });
                        self.need_type(&v, &Ty::YesNo, c.span);
                        (Some(v.as_num()), v.label)
                    }
                    None => (None, Label::PUBLIC),
                };
                let among = picked.map(|picked| picked.has(Num::Bound(bound)));
                let cond = match (among, cond) {
                    (Some(among), Some(cond)) => Some(Num::And(Box::new(among), Box::new(cond))),
                    (among, cond) => among.or(cond),
                };
                let (value, value_label) = match value {
                    Some(e) => {
                        let v = self.scoped(|s| {
                            s.bind(var, item);
                            s.expr_expecting(e, &Ty::Num)
                        });
                        self.need_type(&v, &Ty::Num, e.span);
                        (v.as_num(), v.label)
                    }
                    None => (Num::Const(1), Label::PUBLIC),
                };
                let label = label.join(&value_label).join(&range_label);
                let num = Num::OverRange {
                    op,
                    bound,
                    low: Box::new(low),
                    high: Box::new(high),
                    cond: cond.map(Box::new),
                    value: Box::new(value),
                };
                Some(Val::num(self.fold_ty(op), num, label))
            }
            _ => None,
        }
    }

    fn fold_ty(&self, op: Fold) -> Ty {
        if op == Fold::Any { Ty::YesNo } else { Ty::Num }
    }

    /// Elaborates the numbers of `1..9`, the values of an attribute, or the dice that a player picked.
    pub(super) fn domain_range(&mut self, range: &ast::Expr) -> Option<DomainRange> {
        match &range.kind {
            ExprKind::Range(a, b) => {
                let (x, y) = (self.expr_expecting(a, &Ty::Num), self.expr_expecting(b, &Ty::Num));
                self.need_type(&x, &Ty::Num, a.span);
                self.need_type(&y, &Ty::Num, b.span);
                let label = x.label.clone().join(&y.label);
                Some(DomainRange { low: x.into_num(), high: y.into_num(), ty: Ty::Num, label, picked: None })
            }
            ExprKind::Name(n) if self.attrs.contains_key(n) => {
                let attr = self.attrs[n];
                let (low, high) = self.attr_limits(attr)?;
                let (low, high) = (Num::Const(low), Num::Const(high));
                Some(DomainRange { low, high, ty: Ty::Attr(attr), label: Label::PUBLIC, picked: None })
            }
            ExprKind::Name(n) => {
                let DicePick { low, high, .. } = self.picked_dice(n)?;
                let dice = self.expr(range);
                let label = dice.label.clone();
                let picked = Some(PickedDice { dice: dice.into_num(), low });
                Some(DomainRange { low: Num::Const(low), high: Num::Const(high), ty: Ty::Num, label, picked })
            }
            _ => None,
        }
    }

    /// Returns the first and the last value of an attribute; `None` if the file does not list its values.
    pub(super) fn attr_limits(&self, attr: AttrId) -> Option<(i32, i32)> {
        match &self.program.attrs[attr as usize].values {
            AttrDomain::Range { low, high } => Some((*low, *high)),
            AttrDomain::Names(names) => Some((0, names.len() as i32 - 1)),
            AttrDomain::Property => None,
        }
    }

    /// Refuses chance and reveals, which change the table, in expressions that only read it.
    pub(super) fn can_act(&mut self, span: Span, what: &str) -> bool {
        if self.chooser.is_none() && self.subjects.is_empty() && !self.options_only && !self.looking {
            return true;
        }
        self.report(
            Diagnostic::error("expr/acts", span, format!("`{what}` can't stand here"))
                .label("this place only looks at the table")
                .hint("Put it on a line of its own first: x := …, and use x here."),
        );
        false
    }
}
