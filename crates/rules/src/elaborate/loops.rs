//! Loops: `repeat`, `for`, `circle`, `stop` and `again`.

use super::apart::{apart_if, facts_renamed, is_labelled};
use super::changes::{assigned_names, collect_transfers};
use super::label::{HiddenReason, Label, StaleCause, Staleness};
use super::leavers::UnboundedRepeat;
use super::seats::DomainRange;
use super::value::{Ty, Val};
use super::{Context, Elaborator, Global, Loop};
use crate::ast::{self, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};
use crate::switch;
use std::collections::HashSet;

impl<'a> Elaborator<'a> {
    /// Changes labels where a loop begins: on a later turn, a name may mean another seat than the one that knew a card.
    fn enter_loop(&mut self, step: Span, word: &str, body: &[ast::Stmt]) {
        let since = Staleness::at_word(step, word, StaleCause::Loop);
        self.scopes.update(is_labelled, |_, val, own| {
            if own && !switch::is_off() {
                val.labels_mut().for_each(|label| label.keep_only_me(since));
            }
        });
        self.moved_again(&[body], since);
        self.forget_set_in(body);
    }

    /// Updates the names of cards because these steps may have run before: a card may lie where they move cards.
    pub(super) fn moved_again(&mut self, bodies: &[&[ast::Stmt]], since: Staleness) {
        let mut found = Vec::new();
        for body in bodies {
            collect_transfers(body, &self.rule_bodies, &mut found);
        }
        if !switch::is_off() {
            self.may_have_moved(&found, since);
        }
        self.cards_named_again(bodies, since);
    }

    /// Updates the names of cards because these steps may have given a variable another card, whose bringer may be secret.
    fn cards_named_again(&mut self, bodies: &[&[ast::Stmt]], since: Staleness) {
        if self.program.zones.iter().all(|zone| zone.remembers != PlayerMemory::Secret) {
            return;
        }
        let since = Staleness { cause: StaleCause::NamesAnotherCard, ..since };
        let mut names = HashSet::new();
        for body in bodies {
            assigned_names(body, &self.rule_bodies, &mut names);
        }
        self.scopes.update(
            |name, val| val.by.is_some() && names.contains(name),
            |_, val, own| {
                if let (Some(by), true, false) = (&mut val.by, own, switch::is_off()) {
                    *by = std::mem::take(by).join(&Label::nobody(HiddenReason::Stale(since)));
                }
            },
        );
    }

    /// Changes labels because a variable names another seat now: no name means the seat that knew a value any more.
    pub(super) fn forget_seat(&mut self, var: VarId) {
        self.forget_seats(&[(var, self.span)]);
    }

    /// Does the same for several variables, each with the step that changes it.
    pub(super) fn forget_seats(&mut self, vars: &[(VarId, Span)]) {
        self.scopes.update(is_labelled, |_, val, own| {
            if !own && switch::is_off() {
                return;
            }
            for label in val.labels_mut().filter(|label| !label.needs().is_empty()) {
                for (var, span) in vars {
                    label.forget(*var, Staleness { span: *span, cause: StaleCause::Assigned(*var) });
                }
            }
        });
        let set = |var: &VarId| vars.iter().any(|(changed, _)| changed == var);
        let gone = |seat: &Num| matches!(seat, Num::Var(var) if set(var));
        self.certain.retain(|seat| !gone(seat));
        self.certain_ranges.retain(|(number, ..)| !set(number));
        self.apart.retain(|(a, b)| !gone(a) && !gone(b));
    }

    pub(super) fn repeat(
        &mut self,
        span: Span,
        until: Option<&ast::Expr>,
        at_most: Option<&ast::Expr>,
        body: &'a [ast::Stmt],
    ) {
        let mut exits = Vec::new();
        let counter = at_most.map(|e| {
            let n = self.public_number(e, "How often this is repeated");
            let n = self.compute_once(n);
            let var = self.local("times", Type::Number { low: 0, high: i32::MAX });
            self.emit(Op::Set(VarRef { var, index: Vec::new() }, Num::Const(0)));
            (var, n)
        });
        let top = self.pc();
        let mut ran_out = None;
        // The engine evaluates the condition again before each turn.
        let late = switch::is_off();
        if !late {
            self.enter_loop(span, "repeat", body);
        }
        if let Some(e) = until {
            let done = self.condition(e, "When this stops");
            let not = match done {
                Num::Not(inner) => *inner,
                other => Num::Not(Box::new(other)),
            };
            exits.push(self.emit(Op::Unless(not, 0)));
        }
        // The bound is tested after the condition, so that it counts as run out only if the loop would go on.
        if let Some((var, n)) = counter {
            let more = Num::Cmp(Cmp::Lt, Box::new(Num::Var(var)), Box::new(n));
            let exit = self.emit(Op::Unless(more, 0));
            if until.is_some() {
                ran_out = Some(exit)
            } else {
                exits.push(exit)
            }
            self.emit(Op::Add(VarRef { var, index: Vec::new() }, Num::Const(1)));
        }
        let start = self.pc();
        self.loops.push(Loop { circle: false, exits, body: start, seat: None });
        if late {
            self.enter_loop(span, "repeat", body);
        }
        self.block(body);
        self.span = span;
        self.emit(Op::Jump(top));
        let decides = self.program.code[top as usize..].iter().any(|op| matches!(op, Op::Ask(_) | Op::Together(_)));
        if at_most.is_none() && !decides {
            self.report(
                Diagnostic::error("repeat/endless", span, "This might never stop")
                    .label("nobody decides anything in here")
                    .hint("Say how often at most: repeat until …, at most 100 times"),
            );
        }
        self.close_loop();
        if at_most.is_none() && self.context == Context::Main {
            self.unbounded_repeats.push(UnboundedRepeat { top, end: self.pc(), span });
        }
        if let Some(at) = ran_out {
            let exit = self.pc();
            self.bounded_repeats.push((at, exit, span));
        }
    }

    /// Emits the code for repeats that their bound ends. It comes after all other code, so that the positions of other
    /// ops do not change.
    pub(super) fn emit_repeat_bounds(&mut self) {
        for (at, exit, span) in std::mem::take(&mut self.bounded_repeats) {
            self.span = span;
            self.patch(at);
            self.emit(Op::RanOut);
            self.emit(Op::Jump(exit));
        }
    }

    /// Computes a number once, before the loop, and not on every turn.
    pub(super) fn compute_once(&mut self, n: Num) -> Num {
        if matches!(n, Num::Const(_) | Num::Option(_)) {
            return n;
        }
        let var = self.local("limit", Type::Number { low: i32::MIN, high: i32::MAX });
        self.emit(Op::Set(VarRef { var, index: Vec::new() }, n));
        Num::Var(var)
    }

    fn close_loop(&mut self) {
        let exits = self.loops.pop().map(|l| l.exits).unwrap_or_default();
        for e in exits {
            self.patch(e);
        }
    }

    pub(super) fn for_block(&mut self, var: &'a Name, domain: &'a ast::Expr, body: &'a [ast::Stmt]) {
        let step = self.span;
        let (range, cond) = match &domain.kind {
            ExprKind::Players { .. } => {
                self.circle(var, None, Some(domain), None, body);
                return;
            }
            ExprKind::Domain { range, cond, .. } => (&**range, cond.as_deref()),
            _ => (domain, None),
        };
        let Some(DomainRange { low, high, ty, label, picked }) = self.domain_range(range) else {
            let names_cards = |e: &ast::Expr| match &e.kind {
                ExprKind::Name(n) | ExprKind::Index { name: Name { text: n, .. }, .. } => {
                    matches!(self.globals.get(n), Some((Global::Zone(_) | Global::Deck(_), _)))
                }
                ExprKind::Where { .. } => true,
                _ => false,
            };
            if names_cards(range) {
                self.report(
                    Diagnostic::error("for/cards", domain.span, "Cards can't be gone through one by one")
                        .label("these are cards")
                        .hint("Say it of all of them: `move trick where suit is ♠ to waste`, `n += sum of value of c over card c in trick`; or one at a time: `repeat count of trick times`, `draw 1 from trick to waste`."),
                );
                return;
            }
            self.report(
                Diagnostic::error("for/domain", domain.span, "What does it run over?")
                    .label("not a list")
                    .hint("Write `for p in players`, `for i in 1..9`, `for s in suit` or, of dice that were picked, `for i in d`."),
            );
            return;
        };
        self.need_public(&Val { ty: Ty::Num, label, ..Val::broken() }, domain.span, "How often this happens");
        let var_ty = match &ty {
            Ty::Attr(a) => Type::Attr(*a),
            _ => Type::Number { low: i32::MIN, high: i32::MAX },
        };
        let certain = match (&low, &high) {
            (Num::Const(low), Num::Const(high)) => Some((*low, *high)),
            _ => None,
        };
        let high = self.compute_once(high);
        let id = self.local(&var.text, var_ty);
        let before = super::constant::fold(Num::Arith(Arith::Sub, Box::new(low), Box::new(Num::Const(1))));
        self.emit(Op::Set(VarRef { var: id, index: Vec::new() }, before));
        let top = self.emit(Op::CountTo { var: id, high, exit: 0 });
        self.loops.push(Loop { circle: false, exits: vec![top], body: top as Pc + 1, seat: None });
        self.enter_loop(step, "for", body);
        let (seats, ranges) = (self.certain.len(), self.certain_ranges.len());
        self.scoped(|e| {
            if matches!(ty, Ty::Attr(_)) {
                e.certain.push(Num::Var(id));
            }
            e.bind(var, Val::num(ty, Num::Var(id), Label::PUBLIC));
            if let Some((low, high)) = certain {
                e.certain_ranges.push((id, low, high));
            }
            if let Some(picked) = picked {
                e.emit(Op::Unless(picked.has(Num::Var(id)), top as Pc));
            }
            if let Some(cond) = cond {
                let num = e.condition(cond, "For which this happens");
                e.emit(Op::Unless(num, top as Pc));
            }
            e.block(body);
        });
        self.certain.truncate(seats);
        self.certain_ranges.truncate(ranges);
        self.emit(Op::Jump(top as Pc));
        self.close_loop();
    }

    pub(super) fn circle(
        &mut self,
        var: &'a Name,
        from: Option<&ast::Expr>,
        over: Option<&'a ast::Expr>,
        stop: Option<&ast::Expr>,
        body: &'a [ast::Stmt],
    ) {
        let (step, word) = (self.span, if from.is_some() { "circle" } else { "for" });
        let start_val = match from {
            Some(e) => {
                let v = self.player(e);
                self.need_public(&v, e.span, "Who begins");
                v.into_num()
            }
            None => Num::Const(0),
        };
        // The engine evaluates the condition again for each player.
        let late = switch::is_off();
        if !late {
            self.enter_loop(step, word, body);
        }
        let member = match over {
            Some(e) => self.seats(e, Some(var), "Who takes part"),
            None => Seats { bound: self.new_bound(), cond: None },
        };
        let start = self.local("start", Type::Player);
        let turn = self.local("step", Type::Number { low: 0, high: MAX_SEATS as i32 });
        let seat = self.local(&var.text, Type::Player);
        self.emit(Op::Set(VarRef { var: start, index: Vec::new() }, start_val));
        self.emit(Op::Set(VarRef { var: turn, index: Vec::new() }, Num::Const(0)));
        let facts = member.cond.as_ref().map(|cond| apart_if(cond, true)).unwrap_or_default();
        let facts = facts_renamed(&facts, &Num::Bound(member.bound), &Num::Var(seat));
        let top = self.emit(Op::Circle { start, step: turn, seat, member, exit: 0 });
        self.loops.push(Loop { circle: true, exits: vec![top], body: top as Pc + 1, seat: Some(seat) });
        let before = self.apart.clone();
        self.add_facts(&facts);
        if late {
            self.enter_loop(step, word, body);
        }
        self.forget_set_in(body);
        let certain = self.certain.len();
        self.scoped(|e| {
            e.bind(var, Val::num(Ty::Player, Num::Var(seat), Label::PUBLIC));
            e.certain.push(Num::Var(seat));
            e.about_player(&var.text, true, |e| e.block(body));
            if let Some(cond) = stop {
                e.span = cond.span;
                let num = e.condition(cond, "When the circle stops");
                e.emit(Op::Unless(num, top as Pc));
                let exit = e.emit(Op::Jump(0));
                e.loops.last_mut().expect("inside a loop").exits.push(exit);
            } else {
                e.emit(Op::Jump(top as Pc));
            }
        });
        self.apart.retain(|fact| before.contains(fact));
        self.certain.truncate(certain);
        self.close_loop();
    }

    /// Elaborates `players where …` where everyone sees the result. The condition may use `var` for the player:
    /// `for p in players where score[p] > 3`.
    pub(super) fn seats(&mut self, e: &ast::Expr, var: Option<&Name>, what: &str) -> Seats {
        let val = match var {
            Some(var) => self.players_called(e, var),
            None => self.expr(e),
        };
        self.need_type(&val, &Ty::Players, e.span);
        self.need_public(&val, e.span, what);
        val.into_seats()
    }

    pub(super) fn stop(&mut self, span: Span) {
        if self.loops.is_empty() {
            self.report(
                Diagnostic::error("stop/nothing", span, "There is nothing to stop here")
                    .label("not inside repeat, for or circle"),
            );
            return;
        }
        let at = self.emit(Op::Jump(0));
        self.loops.last_mut().expect("just tested").exits.push(at);
    }

    pub(super) fn again(&mut self, span: Span) {
        match self.loops.iter().rev().find(|l| l.circle) {
            Some(l) => {
                let body = l.body;
                self.emit(Op::Jump(body));
            }
            None => {
                self.report(Diagnostic::error("again/nothing", span, "Who goes again?").label("not inside a circle"))
            }
        }
    }
}
