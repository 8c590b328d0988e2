//! Assignments to state, to elements of indexed state, and to local variables.

use super::label::Label;
use super::value::{Code, Ty, Val};
use super::{Context, Elaborator, Global, IntroducedVariable};
use crate::ast::{self, AssignOp, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::Span;
use crate::switch;

impl<'a> Elaborator<'a> {
    pub(super) fn assign(&mut self, target: &ast::Expr, op: AssignOp, value: &ast::Expr) {
        let (place, ty, var) = match &target.kind {
            ExprKind::Name(n) => {
                let local = self.scopes.get(n).cloned();
                if self.rule_params.contains(n) {
                    self.cant_assign(target, "a rule is handed this and can't change it");
                    return;
                }
                match (local, self.globals.get(n).copied()) {
                    (Some(Val { code: Code::Num(Num::Var(v)), ty, .. }), _) if ty != Ty::Text => {
                        (VarRef { var: v, index: Vec::new() }, ty, v)
                    }
                    (Some(val), _) if val.is_broken() => return,
                    (Some(_), _) => {
                        self.cant_assign(target, "it stands for something chosen");
                        return;
                    }
                    (None, Some(_)) if self.spoiled.contains(n) => return,
                    (None, Some((Global::Var(v), _))) => {
                        let dims = self.program.vars[v as usize].dims.clone();
                        if !dims.is_empty() {
                            self.report(
                                Diagnostic::error("name/which-one", target.span, format!("Which `{n}`?"))
                                    .label("there is one for each player or place")
                                    .hint(format!(
                                        "Write `{n}[p]`, or set all of them: for p in players, then {n}[p] := …"
                                    )),
                            );
                            return;
                        }
                        (VarRef { var: v, index: Vec::new() }, self.ty_of(&self.program.vars[v as usize].ty), v)
                    }
                    (None, Some(_)) => {
                        self.cant_assign(target, "only state can change");
                        return;
                    }
                    (None, None) => {
                        self.new_local(n, target.span, op, value);
                        return;
                    }
                }
            }
            ExprKind::Index { name, args } => match self.globals.get(&name.text).copied() {
                Some((Global::Var(v), _)) => {
                    let dims = self.program.vars[v as usize].dims.clone();
                    let Some((index, label)) = self.index_args(&dims, args, name, target.span) else { return };
                    let fake = Val { ty: Ty::Num, label, ..Val::broken() };
                    self.need_public(&fake, target.span, "Which one changes");
                    (VarRef { var: v, index }, self.ty_of(&self.program.vars[v as usize].ty), v)
                }
                _ => {
                    let val = self.expr(target);
                    if !val.is_broken() {
                        self.cant_assign(target, "only state can change; cards are moved");
                    }
                    return;
                }
            },
            ExprKind::Broken => return,
            _ => {
                self.cant_assign(target, "only state can change");
                return;
            }
        };
        if matches!(self.program.vars[var as usize].kind, VarKind::Dice { .. }) {
            self.cant_assign(target, "dice are rolled");
            return;
        }
        let val = self.expr_expecting(value, &ty);
        if !self.need_type(&val, &ty, value.span) {
            return;
        }
        if op != AssignOp::Set {
            let want = Val::num(ty.clone(), Num::Const(0), Label::PUBLIC);
            self.need_type(&want, &Ty::Num, target.span);
        }
        if let (AssignOp::Set, Code::Num(Num::Const(n))) = (op, &val.code) {
            let ty = self.program.vars[var as usize].ty.clone();
            self.check_in_range(*n, &ty, value.span);
        }
        let sealed = self.program.vars[var as usize].kind == VarKind::Sealed;
        let allowed = sealed && place.index.first().is_some_and(|owner| self.readable_by(&val.label, owner));
        if !allowed {
            self.need_public(&val, value.span, "What is kept here");
        }
        self.check_own_place(&place, target.span);
        self.assigned.push((var, self.span));
        if let (Ty::Card, ExprKind::Name(name)) = (&val.ty, &target.kind) {
            self.card_assigned(name, &val);
        }
        let num = val.into_num();
        self.seat_assigned(var, place.index.is_empty().then_some(&num).filter(|_| op == AssignOp::Set));
        self.list_seers(var);
        self.emit(match op {
            AssignOp::Set => Op::Set(place, num),
            AssignOp::Add => Op::Add(place, num),
            AssignOp::Sub => Op::Add(place, super::constant::fold(Num::Neg(Box::new(num)))),
        });
    }

    /// Updates a variable that names another card from now on: it lies elsewhere, and somebody else may have brought it.
    fn card_assigned(&mut self, name: &str, card: &Val) {
        self.scopes.update(
            |key, _| key == name,
            |_, val, own| {
                if own && !switch::is_off() {
                    (val.by, val.zones) = (card.by.clone(), card.zones.clone());
                }
            },
        );
    }

    fn cant_assign(&mut self, target: &ast::Expr, why: &str) {
        self.report(
            Diagnostic::error("assign/target", target.span, "This can't be given a value").label(why.to_string()),
        );
    }

    fn new_local(&mut self, name: &str, span: Span, op: AssignOp, value: &ast::Expr) {
        let val = self.expr(value);
        if val.is_broken() {
            self.scopes.insert(name, Val::broken());
            return;
        }
        let Some(ty) = val.ty.kept_as() else {
            let found = self.ty_name(&val.ty);
            self.report(
                Diagnostic::error("assign/type", value.span, "This can't be kept in a variable")
                    .label(format!("this is {found}"))
                    .hint("Keep a number, a player, a card or a value. For a name that stands for more, use `define`."),
            );
            return;
        };
        if op != AssignOp::Set {
            self.report(
                Diagnostic::error("name/unknown", span, format!("`{name}` has no value yet"))
                    .label("nothing to add to")
                    .hint(format!("Give it one first: {name} := 0")),
            );
            return;
        }
        if val.ty != Ty::Card {
            self.need_public(&val, value.span, "What is kept here");
        } else if !val.label.is_public() && !switch::is_off() {
            self.report(
                Diagnostic::error("leak/kept", value.span, "A hidden card can't be kept in a variable")
                    .label("not everyone may know this card")
                    .hint("Use it directly where it is needed: `move last card of stock to …`."),
            );
        }
        // Everybody knows the value of the variable, even when the card that it names is out of sight later.
        let kind = if self.context == Context::Together { VarKind::SeatLocal } else { VarKind::PublicLocal };
        let var = self.new_var(name, kind, ty);
        self.introduced.push(IntroducedVariable { var, span });
        let mut kept = Val::num(val.ty.clone(), Num::Var(var), Label::PUBLIC);
        kept.by = val.by.clone();
        kept.zones = val.zones.clone();
        let num = val.into_num();
        self.seat_assigned(var, Some(&num));
        self.emit(Op::Set(VarRef { var, index: Vec::new() }, num));
        self.scopes.insert(name, kept);
    }

    /// Returns the state or earlier variable that the author may have meant by the name of this one.
    pub(super) fn nearest_variable(&self, var: VarId) -> Option<String> {
        let name = &self.program.vars[var as usize].name;
        let earlier = |(id, v): (VarId, &'_ Var)| match v.kind {
            VarKind::State { .. } | VarKind::Sealed => true,
            VarKind::Dice { .. } => false,
            _ => id < var,
        };
        let vars = (0..).zip(&self.program.vars).filter(|of| earlier(*of) && of.1.name != *name);
        let mut names: Vec<&str> = vars.map(|(_, v)| v.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        did_you_mean(name, names)
    }

    /// Reports an assignment inside `together` to a variable that does not belong to the acting seat.
    fn check_own_place(&mut self, place: &VarRef, span: Span) {
        let var = &self.program.vars[place.var as usize];
        let own = match var.kind {
            VarKind::SeatLocal => true,
            _ => place.index.first() == Some(&Num::Me),
        };
        if self.context == Context::Together && !own {
            self.report_not_own(span);
        }
    }

    pub(super) fn report_not_own(&mut self, span: Span) {
        self.report(
            Diagnostic::error("together/shared", span, "In `together` each player may change only what is their own")
                .label("others act at the same time")
                .hint("Change only things indexed by that player, such as hand[p] or score[p]; do the rest after the block."),
        );
    }
}
