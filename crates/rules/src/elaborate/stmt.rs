//! Statements: the course of the game, flattened into ops and jumps.

use super::label::Label;
use super::operators::dice_has;
use super::seats::Run;
use super::value::{Code, DicePick, Ty, Val};
use super::{Elaborator, Global, Loop, Place_};
use crate::ast::{self, AssignOp, ExprKind, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn block(&mut self, body: &'a [ast::Stmt]) {
        // What a branch learns of a card (it was shown) holds only inside; so do names it introduces.
        let saved = self.scopes.clone();
        let assigned = self.assigned.len();
        for (i, stmt) in body.iter().enumerate() {
            if self.exhausted {
                return;
            }
            self.stmt(stmt);
            let leaves = matches!(stmt.kind, StmtKind::End { .. } | StmtKind::Stop | StmtKind::Again);
            if let (true, Some(next)) = (leaves, body.get(i + 1)) {
                self.report(
                    Diagnostic::error("block/unreached", next.span, "This is never reached")
                        .label("nothing from here on happens")
                        .related(stmt.span, "because of this"),
                );
                break;
            }
        }
        self.scopes = saved;
        for i in assigned..self.assigned.len() {
            let var = self.assigned[i];
            self.forget_seat(var);
        }
    }

    fn stmt(&mut self, s: &'a ast::Stmt) {
        self.span = s.span;
        match &s.kind {
            StmtKind::Assign { target, op, value } => self.assign(target, *op, value),
            StmtKind::If { arms, otherwise } => self.if_block(arms, otherwise.as_deref()),
            StmtKind::Repeat { until, at_most, body } => self.repeat(s.span, until.as_ref(), at_most.as_ref(), body),
            StmtKind::For { var, domain, body } => self.for_block(var, domain, body),
            StmtKind::Circle { var, from, over, stop, body } => {
                self.circle(var, Some(from), over.as_ref(), stop.as_ref(), body)
            }
            StmtKind::Together { var, over, body, clauses } => self.together(s.span, var, over, body, clauses),
            StmtKind::Stop => self.stop(s.span),
            StmtKind::Again => self.again(s.span),
            StmtKind::Phase { name, title } => self.phase(name, title.as_ref()),
            StmtKind::Move { what, to, face_down } => self.move_cards(what, to, *face_down),
            StmtKind::Pass { what, to } => self.pass(what, to),
            StmtKind::Draw { count, from, to, face_down } => self.draw(count, from, to, *face_down),
            StmtKind::Deal { from, to, each, start, over } => self.deal(from, to, each.as_ref(), start, over.as_ref()),
            StmtKind::Gather { deck, to } => self.gather(deck, to),
            StmtKind::Shuffle { zone } => {
                if let Some((zone_ref, _)) = self.target(zone) {
                    let z = &self.program.zones[zone_ref.zone as usize];
                    if !z.ordered {
                        let (name, at) = (z.name.clone(), z.span);
                        self.report(
                            Diagnostic::error("zone/no-order", zone.span, format!("`{name}` can't be shuffled"))
                                .label("its cards lie in no order")
                                .related(at, "declared here")
                                .hint("Add `ordered` to the zone."),
                        );
                    }
                    self.emit(Op::Shuffle(zone_ref));
                }
            }
            StmtKind::Mix { from, to } => self.mix(from, to),
            StmtKind::Turn { what, down } => {
                let cards = self.selection(what);
                self.owned(&cards, what.span);
                if !*down && !cards.is_broken() {
                    self.site(s.span, "cards are turned face up".into());
                }
                self.emit(Op::Turn { what: cards.into_cards(), down: *down });
            }
            StmtKind::Roll { what } => self.roll(what, false),
            StmtKind::Clear { what } => self.roll(what, true),
            StmtKind::Announce { text, kind, to } => self.announce(s.span, text, kind.as_ref(), to.as_ref()),
            StmtKind::Reveal { what, to } => self.reveal_stmt(what, to.as_ref(), s.span),
            StmtKind::Write { text, card } => self.write(text, card),
            StmtKind::Admit => {
                self.main_only(s.span, "admit");
                if !self.program.meta.newcomers_play {
                    self.report(
                        Diagnostic::error("admit/nobody", s.span, "Nobody can be admitted here")
                            .label("newcomers only watch this game")
                            .hint("Write `newcomers play` at the top of the file."),
                    );
                }
                self.emit(Op::Admit);
            }
            StmtKind::Do { name, args } => self.do_rule(name, args, s.span),
            StmtKind::Ask(ask) => self.ask(ask),
            StmtKind::End { outcome, banner } => self.end(s.span, outcome, banner.as_ref()),
            StmtKind::Broken => {}
        }
    }

    /// A condition for the course of the game.
    pub(super) fn condition(&mut self, e: &ast::Expr, what: &str) -> Num {
        let val = self.expr_expecting(e, &Ty::YesNo);
        self.need_type(&val, &Ty::YesNo, e.span);
        self.need_public(&val, e.span, what);
        val.into_num()
    }

    pub(super) fn public_number(&mut self, e: &ast::Expr, what: &str) -> Num {
        let val = self.expr_expecting(e, &Ty::Num);
        self.need_type(&val, &Ty::Num, e.span);
        self.need_public(&val, e.span, what);
        val.into_num()
    }

    fn main_only(&mut self, span: Span, what: &str) -> bool {
        let place = match self.place {
            Place_::Main => return true,
            Place_::Together => "inside `together`, where everyone acts at the same time",
            Place_::Hook => "inside `when`, which happens in one go",
            Place_::Answer => "in an answer of `ask all`, where the answers are opened one after another",
        };
        self.report(
            Diagnostic::error("place/not-here", span, format!("`{what}` can't stand here"))
                .label(place)
                .hint("Set a state here and act on it in the main course of the game."),
        );
        false
    }

    fn assign(&mut self, target: &ast::Expr, op: AssignOp, value: &ast::Expr) {
        let (place, ty, var) = match &target.kind {
            ExprKind::Name(n) => {
                let local = self.scopes.iter().rev().find_map(|s| s.get(n)).cloned();
                if self.fixed.contains(n) {
                    self.cant_assign(target, "a rule is handed this and can't change it");
                    return;
                }
                match (local, self.globals.get(n).copied()) {
                    (Some(Val { code: Code::Num(Num::Var(v)), ty, .. }), _) if ty != Ty::Text => {
                        (Place { var: v, index: Vec::new() }, ty, v)
                    }
                    (Some(val), _) if val.is_broken() => return,
                    (Some(_), _) => {
                        self.cant_assign(target, "it stands for something chosen");
                        return;
                    }
                    (None, Some((Global::Var(v), _))) => {
                        self.used.insert(n.clone());
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
                        (Place { var: v, index: Vec::new() }, self.ty_of(&self.program.vars[v as usize].ty), v)
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
                    self.used.insert(name.text.clone());
                    let dims = self.program.vars[v as usize].dims.clone();
                    let Some((index, label)) = self.index_args(&dims, args, name, target.span) else { return };
                    let fake = Val { ty: Ty::Num, label, ..Val::broken() };
                    self.need_public(&fake, target.span, "Which one changes");
                    (Place { var: v, index }, self.ty_of(&self.program.vars[v as usize].ty), v)
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
            let want = Val::num(ty.clone(), Num::Const(0), Label::Public);
            self.need_type(&want, &Ty::Num, target.span);
        }
        if let (AssignOp::Set, Code::Num(Num::Const(n))) = (op, &val.code) {
            let ty = self.program.vars[var as usize].ty.clone();
            self.check_in_range(*n, &ty, value.span);
        }
        let sealed = self.program.vars[var as usize].kind == VarKind::Sealed;
        let allowed = sealed && place.index.first().is_some_and(|owner| val.label.readable_by(owner));
        if !allowed {
            self.need_public(&val, value.span, "What is kept here");
        }
        self.own_place(&place, target.span);
        self.assigned.push(var);
        self.forget_seat(var);
        self.list_seers(var);
        let num = val.into_num();
        self.emit(match op {
            AssignOp::Set => Op::Set(place, num),
            AssignOp::Add => Op::Add(place, num),
            AssignOp::Sub => Op::Add(place, super::decl::fold(Num::Neg(Box::new(num)))),
        });
    }

    fn cant_assign(&mut self, target: &ast::Expr, why: &str) {
        self.report(
            Diagnostic::error("assign/target", target.span, "This can't be given a value").label(why.to_string()),
        );
    }

    fn new_local(&mut self, name: &str, span: Span, op: AssignOp, value: &ast::Expr) {
        let val = self.expr(value);
        let ty = match &val.ty {
            Ty::Num => Type::Number { low: i32::MIN, high: i32::MAX },
            Ty::YesNo => Type::YesNo,
            Ty::Player => Type::Player,
            Ty::Card => Type::Card,
            Ty::Attr(a) => Type::Attr(*a),
            Ty::Choice(v) => Type::Choice(v.clone()),
            Ty::Broken => {
                self.scopes.last_mut().expect("a scope").insert(name.into(), Val::broken());
                return;
            }
            other => {
                let found = self.ty_name(other);
                self.report(
                    Diagnostic::error("assign/type", value.span, "This can't be kept in a variable")
                        .label(format!("this is {found}"))
                        .hint("Keep a number, a player, a card or a value. For a name that stands for more, use `define`."),
                );
                return;
            }
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
        } else if !val.label.is_public() {
            self.report(
                Diagnostic::error("leak/kept", value.span, "A hidden card can't be kept in a variable")
                    .label("not everyone may know this card")
                    .hint("Use it directly where it is needed: `move last card of stock to …`."),
            );
        }
        let var = self.local(name, ty);
        let mut kept = Val::num(val.ty.clone(), Num::Var(var), Label::Public);
        kept.by = val.by.clone();
        kept.zones = val.zones.clone();
        let num = val.into_num();
        self.emit(Op::Set(Place { var, index: Vec::new() }, num));
        self.scopes.last_mut().expect("a scope").insert(name.into(), kept);
    }

    /// What a state decides who sees: a new holder of a role sees what lies there, and so do those to whom something is
    /// shown while the state says yes.
    fn list_seers(&mut self, var: VarId) {
        let name = self.program.vars[var as usize].name.clone();
        let zones = self.program.zones.iter().map(|z| (format!("cards of {}", z.name), &z.sees));
        let dice = self.program.vars.iter().filter_map(|v| match &v.kind {
            VarKind::Dice { sees, .. } => Some((v.name.clone(), sees)),
            _ => None,
        });
        let shown: Vec<(String, &Vec<Sees>)> = zones.chain(dice).collect();
        let where_some = |test: &dyn Fn(&Sees) -> bool| {
            let some = shown.iter().filter(|(_, sees)| sees.iter().any(test));
            some.map(|(what, _)| what.clone()).collect::<Vec<_>>().join(", ")
        };
        let by_role = where_some(&|s| s.who == Who::Role(var) && s.what != Sight::Nothing);
        let while_yes = where_some(&|s| s.when.as_ref().is_some_and(|when| *when == Num::Var(var)));
        if !by_role.is_empty() {
            self.site(self.span, format!("{by_role} are shown to the new {name}"));
        }
        if !while_yes.is_empty() {
            self.site(self.span, format!("who sees {while_yes} depends on {name}"));
        }
    }

    /// On a second turn of a loop the seat that knew a card chosen before it may be another.
    fn enter_loop(&mut self) {
        for val in self.scopes.iter_mut().flat_map(|s| s.values_mut()) {
            if let Label::Known(seats) = &mut val.label {
                seats.retain(|s| *s == Num::Me);
            }
        }
    }

    /// When a variable that names a seat changes, nobody in particular knows any more what that seat knew.
    fn forget_seat(&mut self, var: VarId) {
        for val in self.scopes.iter_mut().flat_map(|s| s.values_mut()) {
            if let Label::Known(seats) = &mut val.label {
                seats.retain(|s| *s != Num::Var(var));
            }
        }
    }

    /// In `together` each seat may write only what is its own.
    fn own_place(&mut self, place: &Place, span: Span) {
        let var = &self.program.vars[place.var as usize];
        let own = match var.kind {
            VarKind::SeatLocal | VarKind::Local => true,
            _ => place.index.first() == Some(&Num::Me),
        };
        if self.place == Place_::Together && !own {
            self.not_own(span);
        }
    }

    fn not_own(&mut self, span: Span) {
        self.report(
            Diagnostic::error("together/shared", span, "In `together` each player may change only what is their own")
                .label("others act at the same time")
                .hint("Change only things indexed by that player, such as hand[p] or score[p]; do the rest after the block."),
        );
    }

    pub(super) fn owned(&mut self, cards: &Val, span: Span) {
        if self.place != Place_::Together || cards.is_broken() {
            return;
        }
        if !owned_by_me(&cards.clone().into_cards()) {
            self.not_own(span);
        }
    }

    fn if_block(&mut self, arms: &'a [(ast::Expr, Vec<ast::Stmt>)], otherwise: Option<&'a [ast::Stmt]>) {
        let mut ends = Vec::new();
        for (i, (cond, body)) in arms.iter().enumerate() {
            self.span = cond.span;
            let num = self.condition(cond, "What happens here");
            let skip = self.emit(Op::Unless(num, 0));
            self.block(body);
            if i + 1 < arms.len() || otherwise.is_some() {
                ends.push(self.emit(Op::Jump(0)));
            }
            self.patch(skip);
        }
        if let Some(body) = otherwise {
            self.block(body);
        }
        for e in ends {
            self.patch(e);
        }
    }

    fn repeat(&mut self, span: Span, until: Option<&ast::Expr>, at_most: Option<&ast::Expr>, body: &'a [ast::Stmt]) {
        let mut exits = Vec::new();
        let counter = at_most.map(|e| {
            let n = self.public_number(e, "How often this is repeated");
            let n = self.once(n);
            let var = self.local("times", Type::Number { low: 0, high: i32::MAX });
            self.emit(Op::Set(Place { var, index: Vec::new() }, Num::Const(0)));
            (var, n)
        });
        let top = self.pc();
        let mut ran_out = None;
        if let Some(e) = until {
            let done = self.condition(e, "When this stops");
            let not = match done {
                Num::Not(inner) => *inner,
                other => Num::Not(Box::new(other)),
            };
            exits.push(self.emit(Op::Unless(not, 0)));
        }
        // Looked at last, so that it stops only what would go on.
        if let Some((var, n)) = counter {
            let more = Num::Cmp(Cmp::Lt, Box::new(Num::Var(var)), Box::new(n));
            let exit = self.emit(Op::Unless(more, 0));
            if until.is_some() {
                ran_out = Some(exit)
            } else {
                exits.push(exit)
            }
            self.emit(Op::Add(Place { var, index: Vec::new() }, Num::Const(1)));
        }
        let start = self.pc();
        self.loops.push(Loop { circle: false, exits, body: start, seat: None });
        self.enter_loop();
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
        if let Some(at) = ran_out {
            let exit = self.pc();
            self.run_out.push((at, exit, span));
        }
    }

    /// Where repeats go that their bound has stopped. It stands behind everything else, so that what happens there keeps its
    /// place.
    pub(super) fn repeats_run_out(&mut self) {
        for (at, exit, span) in std::mem::take(&mut self.run_out) {
            self.span = span;
            self.patch(at);
            self.emit(Op::RanOut);
            self.emit(Op::Jump(exit));
        }
    }

    /// A number that is looked at once, when the loop begins, and not again on every turn.
    fn once(&mut self, n: Num) -> Num {
        if matches!(n, Num::Const(_) | Num::Option(_)) {
            return n;
        }
        let var = self.local("limit", Type::Number { low: i32::MIN, high: i32::MAX });
        self.emit(Op::Set(Place { var, index: Vec::new() }, n));
        Num::Var(var)
    }

    fn close_loop(&mut self) {
        let exits = self.loops.pop().map(|l| l.exits).unwrap_or_default();
        for e in exits {
            self.patch(e);
        }
    }

    fn for_block(&mut self, var: &'a Name, domain: &'a ast::Expr, body: &'a [ast::Stmt]) {
        let (range, cond) = match &domain.kind {
            ExprKind::Players { .. } => {
                self.circle(var, None, Some(domain), None, body);
                return;
            }
            ExprKind::Domain { range, cond, .. } => (&**range, cond.as_deref()),
            _ => (domain, None),
        };
        let Some(Run { low, high, ty, label, picked }) = self.domain_range(range) else {
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
        let high = self.once(high);
        let id = self.local(&var.text, var_ty);
        let before = super::decl::fold(Num::Arith(Arith::Sub, Box::new(low), Box::new(Num::Const(1))));
        self.emit(Op::Set(Place { var: id, index: Vec::new() }, before));
        let top = self.emit(Op::CountTo { var: id, high, exit: 0 });
        self.loops.push(Loop { circle: false, exits: vec![top], body: top as Pc + 1, seat: None });
        self.enter_loop();
        self.scoped(|e| {
            e.bind(var, Val::num(ty, Num::Var(id), Label::Public));
            if let Some(picked) = picked {
                e.emit(Op::Unless(picked.has(Num::Var(id)), top as Pc));
            }
            if let Some(cond) = cond {
                let num = e.condition(cond, "For which this happens");
                e.emit(Op::Unless(num, top as Pc));
            }
            e.block(body);
        });
        self.emit(Op::Jump(top as Pc));
        self.close_loop();
    }

    fn circle(
        &mut self,
        var: &'a Name,
        from: Option<&ast::Expr>,
        over: Option<&'a ast::Expr>,
        stop: Option<&ast::Expr>,
        body: &'a [ast::Stmt],
    ) {
        let start_val = match from {
            Some(e) => {
                let v = self.player(e);
                self.need_public(&v, e.span, "Who begins");
                v.into_num()
            }
            None => Num::Const(0),
        };
        let member = match over {
            Some(e) => self.seats(e, Some(var), "Who takes part"),
            None => Seats { bound: self.bound(), cond: None },
        };
        let start = self.local("start", Type::Player);
        let step = self.local("step", Type::Number { low: 0, high: MAX_SEATS as i32 });
        let seat = self.local(&var.text, Type::Player);
        self.emit(Op::Set(Place { var: start, index: Vec::new() }, start_val));
        self.emit(Op::Set(Place { var: step, index: Vec::new() }, Num::Const(0)));
        let top = self.emit(Op::Circle { start, step, seat, member, exit: 0 });
        self.loops.push(Loop { circle: true, exits: vec![top], body: top as Pc + 1, seat: Some(seat) });
        self.enter_loop();
        self.scoped(|e| {
            e.bind(var, Val::num(Ty::Player, Num::Var(seat), Label::Public));
            e.block(body);
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
        self.close_loop();
    }

    /// `players where …` in a place everyone sees the result of. They may be called `var` in it: `for p in players where
    /// score[p] > 3`.
    pub(super) fn seats(&mut self, e: &ast::Expr, var: Option<&Name>, what: &str) -> Seats {
        let val = match var {
            Some(var) => self.players_called(e, var),
            None => self.expr(e),
        };
        self.need_type(&val, &Ty::Players, e.span);
        self.need_public(&val, e.span, what);
        val.into_seats()
    }

    fn stop(&mut self, span: Span) {
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

    fn again(&mut self, span: Span) {
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

    fn phase(&mut self, name: &Name, title: Option<&ast::Text>) {
        self.main_only(name.span, "phase");
        let title = title.map(|t| self.plain(t));
        let id = match self.program.phases.iter().position(|p| p.name == name.text) {
            Some(i) => {
                if let Some(t) = title {
                    self.program.phases[i].title = t;
                }
                i
            }
            None => {
                self.program
                    .phases
                    .push(Phase { name: name.text.clone(), title: title.unwrap_or_else(|| capitalised(&name.text)) });
                self.program.phases.len() - 1
            }
        };
        self.emit(Op::Phase(id as u16));
    }

    /// A zone cards go to (or are shuffled in).
    fn target(&mut self, e: &ast::Expr) -> Option<(ZoneRef, Val)> {
        let val = self.selection(e);
        self.need_public(&Val { ty: Ty::Num, label: val.at.clone(), ..Val::broken() }, e.span, "Which zone this is");
        match val.code.clone() {
            Code::Cards(Cards::Zone(zone)) => {
                if self.place == Place_::Together && zone.index.first() != Some(&Num::Me) {
                    self.not_own(e.span);
                }
                Some((zone, val))
            }
            Code::Broken => None,
            Code::Cards(Cards::Family(z)) => {
                let name = self.program.zones[z as usize].name.clone();
                self.report(
                    Diagnostic::error("name/which-one", e.span, format!("Which `{name}`?"))
                        .label("there is one for each player or place")
                        .hint(format!("Write `{name}[p]`.")),
                );
                None
            }
            _ => {
                self.report(
                    Diagnostic::error("move/target", e.span, "Cards can only go to a zone").label("not a zone"),
                );
                None
            }
        }
    }

    fn move_cards(&mut self, what: &ast::Expr, to: &ast::Expr, face_down: bool) {
        let mut cards = self.expr_expecting(what, &Ty::Cards);
        if !self.need_type(&cards, &Ty::Cards, what.span) {
            cards = Val::broken();
        }
        let Some((zone, target)) = self.target(to) else { return };
        if cards.is_broken() {
            return;
        }
        self.not_in_turn(&cards, &zone, what.span.to(to.span));
        self.owned(&cards, what.span);
        self.need_public(
            &Val { ty: Ty::Num, label: cards.at.clone(), ..Val::broken() },
            what.span,
            "Where the cards come from",
        );
        self.list_move(&cards, zone.zone, face_down);
        // Who sees the target now knows the card that was chosen.
        if let ExprKind::Name(n) = &what.kind {
            let shown = !face_down && target.label.is_public();
            let suffix = format!(" of {n}");
            for scope in &mut self.scopes {
                for (key, val) in scope.iter_mut() {
                    if key == n || key.ends_with(&suffix) {
                        if shown {
                            val.label = Label::Public;
                        }
                        val.by = target.by.clone();
                        val.zones = vec![zone.zone];
                    }
                }
            }
        }
        self.emit(Op::Move { what: cards.into_cards(), to: zone, face_down });
    }

    /// In a loop over players, `move hand[p] to hand[next player after p]` would hand on what has just come, too.
    fn not_in_turn(&mut self, cards: &Val, to: &ZoneRef, span: Span) {
        let Code::Cards(Cards::Zone(from)) = &cards.code else { return };
        let ([Num::Var(giver)], [Num::NextSeat { after, .. }]) = (&from.index[..], &to.index[..]) else { return };
        let everyone = self.loops.last().is_some_and(|l| l.seat == Some(*giver));
        if from.zone != to.zone || **after != Num::Var(*giver) || !everyone {
            return;
        }
        let name = self.program.zones[to.zone as usize].name.clone();
        self.report(
            Diagnostic::error("move/in-turn", span, "The last player would get all the cards")
                .label("each player hands on what has just come, too")
                .hint(format!("All at once: `pass {name} to next player after player`, on a line of its own.")),
        );
    }

    /// Cards go from one player to the next, each at the same time as all others.
    fn pass(&mut self, what: &Name, to: &ast::Expr) {
        self.main_or_hook(what.span, "pass");
        let Some(zone) = self.family(what, true) else { return };
        let bound = self.bound();
        let target = self.about_seat(bound, None, |e| e.player(to));
        let target = Val { label: target.label.clone().without_bound(bound), ..target };
        self.need_public(&target, to.span, "Whom the cards go to");
        let cards = self.read_zone(zone, vec![Num::Bound(bound)], Label::Public);
        self.list_move(&cards, zone, false);
        self.emit(Op::Pass { zone, bound, to: target.into_num() });
    }

    fn draw(&mut self, count: &ast::Expr, from: &ast::Expr, to: &ast::Expr, face_down: bool) {
        let count = self.public_number(count, "How many cards are drawn");
        let from_val = self.target(from);
        let to_val = self.target(to);
        let (Some((from, cards)), Some((to, _))) = (from_val, to_val) else { return };
        self.list_move(&cards, to.zone, face_down);
        self.emit(Op::Draw { count, from, to, face_down });
    }

    fn deal(
        &mut self,
        from: &ast::Expr,
        to: &Name,
        each: Option<&ast::Expr>,
        start: &ast::Expr,
        over: Option<&'a ast::Expr>,
    ) {
        self.main_or_hook(to.span, "deal");
        let each = each.map(|e| self.public_number(e, "How many cards are dealt"));
        let start_val = self.player(start);
        self.need_public(&start_val, start.span, "Who is dealt to first");
        let seats = match over {
            Some(e) => self.seats(e, None, "Who is dealt to"),
            None => Seats { bound: self.bound(), cond: None },
        };
        let source = self.target(from);
        let family = self.family(to, true);
        let (Some((from, cards)), Some(zone)) = (source, family) else { return };
        self.list_move(&cards, zone, false);
        self.emit(Op::Deal { from, to: zone, each, start: start_val.into_num(), seats });
    }

    fn main_or_hook(&mut self, span: Span, what: &str) {
        if self.place == Place_::Together {
            self.main_only(span, what);
        }
    }

    /// A zone that each player (or each place) has, named without index.
    fn family(&mut self, n: &Name, of_players: bool) -> Option<ZoneId> {
        match self.globals.get(&n.text).copied() {
            Some((Global::Zone(z), _)) => {
                self.used.insert(n.text.clone());
                let zone = &self.program.zones[z as usize];
                if of_players && zone.dims[..] != [Dim::Player] {
                    let at = zone.span;
                    self.report(
                        Diagnostic::error("deal/family", n.span, format!("`{}` is not one for each player", n.text))
                            .label("there is only one")
                            .related(at, "declared here")
                            .hint(format!("Declare it with an index: {}[player]: …", n.text)),
                    );
                    return None;
                }
                Some(z)
            }
            _ => {
                let val = self.name(&n.text, n.span, None);
                if !val.is_broken() {
                    self.report(
                        Diagnostic::error("zone/needed", n.span, format!("`{}` is not a zone", n.text))
                            .label("a zone is needed here"),
                    );
                }
                None
            }
        }
    }

    fn gather(&mut self, deck: &Name, to: &ast::Expr) {
        self.main_or_hook(deck.span, "gather");
        let Some((Global::Deck(d), _)) = self.globals.get(&deck.text).copied() else {
            self.unknown_deck(deck);
            return;
        };
        self.used.insert(deck.text.clone());
        let Some((zone, target)) = self.target(to) else { return };
        if target.label.is_public() {
            self.site(
                deck.span,
                format!("all cards of {} are shown in {}", deck.text, self.program.zones[zone.zone as usize].name),
            );
        }
        self.emit(Op::Gather { deck: d, to: zone });
    }

    fn mix(&mut self, from: &[Name], to: &Name) {
        self.main_only(to.span, "mix");
        let sources: Vec<ZoneId> = from.iter().filter_map(|n| self.family(n, false)).collect();
        let Some(target) = self.family(to, false) else { return };
        let zone = &self.program.zones[target as usize];
        let single_range = matches!(zone.dims[..], [Dim::Range { .. }]);
        if !single_range || zone.remembers != Remembers::PlayerSecretly {
            let at = zone.span;
            self.report(
                Diagnostic::error("mix/target", to.span, format!("`{}` can't take mixed piles", to.text))
                    .label("must be numbered and remember players secretly")
                    .related(at, "declared here")
                    .hint(format!(
                        "Declare it like: {}[1..20]: everyone sees cards, ordered, remembers player secretly",
                        to.text
                    )),
            );
        }
        // What is shown, but not where it lay: that is what mixing is for.
        let shown = self.program.zones[target as usize].name.clone();
        for s in &sources {
            let name = self.program.zones[*s as usize].name.clone();
            self.site(to.span, format!("cards of {name} are shown in {shown}, not whose they are"));
        }
        self.emit(Op::Mix { from: sources, to: target });
    }

    fn roll(&mut self, what: &ast::Expr, clear: bool) {
        let (base, cond) = match &what.kind {
            ExprKind::Where { base, cond } => (&**base, Some(&**cond)),
            _ => (what, None),
        };
        if let ExprKind::Name(name) = &base.kind
            && let Some(pick) = self.picked_dice(name)
        {
            if let Some(c) = cond {
                self.report(
                    Diagnostic::error("roll/where", c.span, "These dice are picked already")
                        .label("nothing is left to choose")
                        .hint("Put the condition behind the part: dice d from five where …"),
                );
            }
            self.roll_picked(base, pick, clear);
            return;
        }
        let (name, args, span): (String, &[ast::Expr], Span) = match &base.kind {
            ExprKind::Name(n) => (n.clone(), &[], base.span),
            ExprKind::Index { name, args } => (name.text.clone(), args, base.span),
            _ => (String::new(), &[], base.span),
        };
        let dice = match self.globals.get(&name).copied() {
            Some((Global::Var(v), _)) if matches!(self.program.vars[v as usize].kind, VarKind::Dice { .. }) => v,
            _ => {
                self.report(
                    Diagnostic::error(
                        "roll/what",
                        span,
                        format!("Only dice can be {}", if clear { "cleared" } else { "rolled" }),
                    )
                    .label("not dice")
                    .hint("Declare them under `dice`: die: faces 1..6"),
                );
                return;
            }
        };
        self.used.insert(name.clone());
        let dims = self.program.vars[dice as usize].dims.clone();
        if args.len() > dims.len() {
            let n = Name { text: name, span };
            self.index_args(&dims, args, &n, span);
            return;
        }
        let n = Name { text: name, span };
        let Some((index, label)) = self.index_args(&dims[..args.len()], args, &n, span) else { return };
        self.need_public(&Val { ty: Ty::Num, label, ..Val::broken() }, span, "Which dice are rolled");
        if self.place == Place_::Together && index.first() != Some(&Num::Me) {
            self.not_own(span);
        }
        let free = dims[index.len()..].to_vec();
        let cond = match cond {
            None => None,
            Some(c) if free.is_empty() => {
                self.report(
                    Diagnostic::error("roll/where", c.span, "`where` needs several dice")
                        .label("this is a single one")
                        .hint("Put the line under an `if` instead."),
                );
                None
            }
            Some(c) => {
                let bounds: Vec<BoundId> = free.iter().map(|_| self.bound()).collect();
                let test = self.about_dice(&dims, &index, &bounds, |e| e.expr_expecting(c, &Ty::YesNo));
                self.need_type(&test, &Ty::YesNo, c.span);
                self.need_public(&test, c.span, "Which dice are rolled");
                Some((bounds, test.into_num()))
            }
        };
        self.emit(Op::Roll { dice, index, cond, clear });
    }

    /// Dice that a player has picked, by the name of the part.
    pub(super) fn picked_dice(&self, name: &str) -> Option<DicePick> {
        match self.lookup_local(name)?.ty {
            Ty::DiceSet(pick) => Some(pick),
            _ => None,
        }
    }

    fn roll_picked(&mut self, e: &ast::Expr, pick: DicePick, clear: bool) {
        let set = self.expr(e);
        self.need_public(&set, e.span, "Which dice are rolled");
        if self.place == Place_::Together && pick.index.first() != Some(&Num::Me) {
            self.not_own(e.span);
        }
        let bound = self.bound();
        let cond = dice_has(set.into_num(), pick.low, Num::Bound(bound));
        self.emit(Op::Roll { dice: pick.dice, index: pick.index, cond: Some((vec![bound], cond)), clear });
    }

    /// Looks at each of several dice: bare names of the same index speak of it, and so do those of the indices that are
    /// left open, and of the player it belongs to.
    fn about_dice<T>(&mut self, dims: &[Dim], index: &[Num], bounds: &[BoundId], f: impl FnOnce(&mut Self) -> T) -> T {
        let open: Vec<Num> = bounds.iter().map(|b| Num::Bound(*b)).collect();
        let whole: Vec<Num> = index.iter().cloned().chain(open.iter().cloned()).collect();
        let owner = super::Subject::Index(dims[..1].to_vec(), whole[..1].to_vec());
        let left = super::Subject::Index(dims[index.len()..].to_vec(), open);
        let die = super::Subject::Index(dims.to_vec(), whole);
        self.with_subject(owner, |e| e.with_subject(left, |e| e.with_subject(die, f)))
    }

    fn announce(&mut self, span: Span, text: &ast::Text, kind: Option<&Name>, to: Option<&ast::Expr>) {
        if self.place == Place_::Together {
            self.main_only(span, "announce");
        }
        let kinds =
            [AnnounceKind::Toast, AnnounceKind::Shout, AnnounceKind::Banner, AnnounceKind::Notice, AnnounceKind::Log];
        let kind = match kind {
            None => AnnounceKind::Toast,
            Some(k) => match self.word(k, &["toast", "shout", "banner", "notice", "log"]) {
                Some(i) => kinds[i],
                None => return,
            },
        };
        let (body, label) = self.text(text);
        let to = to.map(|e| {
            let v = self.player(e);
            self.need_public(&v, e.span, "Who is told");
            v.into_num()
        });
        let known = Val { ty: Ty::Text, label, ..Val::broken() };
        match &to {
            None => {
                if kind == AnnounceKind::Notice {
                    self.report(
                        Diagnostic::error("announce/notice", span, "Whom is the notice for?")
                            .hint("Write: announce \"…\" as notice to p"),
                    );
                }
                self.need_public(&known, text.span, "What is announced");
            }
            Some(seat) if !known.label.readable_by(seat) => self.need_public(&known, text.span, "What is told"),
            Some(_) => {}
        }
        self.emit(Op::Announce { text: body, kind, to });
    }

    /// Notes a place where something hidden becomes known; it is the next op.
    fn site(&mut self, span: Span, what: String) -> u16 {
        let pc = self.pc();
        self.program.reveals.push(RevealSite { span, pc, what });
        (self.program.reveals.len() - 1) as u16
    }

    /// Moving a card to where more eyes see it tells them what it is.
    fn list_move(&mut self, cards: &Val, to: ZoneId, face_down: bool) {
        let target = &self.program.zones[to as usize];
        let (everyone, owner) = levels(&target.sees, Sight::max);
        let target_name = target.name.clone();
        let names: Vec<String> = cards.zones.iter().map(|z| self.program.zones[*z as usize].name.clone()).collect();
        let from =
            if names.is_empty() { "a chosen card".to_string() } else { format!("cards of {}", names.join(", ")) };
        let source = cards
            .zones
            .iter()
            .map(|z| levels(&self.program.zones[*z as usize].sees, Sight::min).0)
            .min()
            .unwrap_or(Sight::Nothing);
        let span = self.span;
        if !cards.label.is_public() && !face_down && everyone == Sight::Cards {
            self.site(span, format!("{from} are shown in {target_name}"));
        } else if source < Sight::Cards && owner == Sight::Cards && !face_down {
            self.site(span, format!("{from} are shown to the owner of {target_name}"));
        }
        if tells_where(cards) {
            self.site(span, format!("where {from} lay"));
        }
        if !cards.count.is_public() && (everyone >= Sight::Count || source >= Sight::Count) {
            self.site(span, format!("how many {from} go to {target_name}"));
        }
    }

    pub(super) fn reveal_value(
        &mut self,
        what: &ast::Expr,
        to: Option<&ast::Expr>,
        span: Span,
        expected: Option<&Ty>,
    ) -> Val {
        if !self.can_act(span, "reveal") {
            return Val::broken();
        }
        if self.place == Place_::Together {
            self.main_only(span, "reveal");
        }
        let val = match expected {
            Some(ty) => self.expr_expecting(what, ty),
            None => self.expr(what),
        };
        if val.is_broken() {
            return val;
        }
        let Some(show) = self.show_as(&val.ty) else {
            self.report(
                Diagnostic::error("reveal/value", what.span, "Cards are revealed on a line of their own")
                    .label("not a single value")
                    .hint("Write `reveal hand[p]` as a statement."),
            );
            return Val::broken();
        };
        let ty = match &val.ty {
            Ty::YesNo => Type::YesNo,
            Ty::Player => Type::Player,
            Ty::Card => Type::Card,
            Ty::Attr(a) => Type::Attr(*a),
            Ty::Choice(v) => Type::Choice(v.clone()),
            _ => Type::Number { low: i32::MIN, high: i32::MAX },
        };
        let to_num = to.map(|e| {
            let v = self.player(e);
            self.need_public(&v, e.span, "Who is told");
            v.into_num()
        });
        let to_var = self.new_var("revealed", VarKind::Local, ty);
        let site = self.site(
            span,
            format!("{} is told{}", self.ty_name(&val.ty), if to.is_some() { " to one player" } else { "" }),
        );
        let label = match &to_num {
            None => Label::Public,
            Some(n) => Label::Known(vec![n.clone()]),
        };
        let mut known = Val::num(val.ty.clone(), Num::Var(to_var), label);
        known.by = val.by.clone();
        self.emit(Op::RevealValue { to_var, value: val.into_num(), show, to: to_num, site });
        known
    }

    fn reveal_stmt(&mut self, what: &ast::Expr, to: Option<&ast::Expr>, span: Span) {
        let val = self.expr(what);
        if val.is_broken() {
            return;
        }
        if val.ty != Ty::Cards && val.ty != Ty::Card {
            self.reveal_value(what, to, span, None);
            return;
        }
        self.main_or_hook(span, "reveal");
        let to_num = to.map(|e| {
            let v = self.player(e);
            self.need_public(&v, e.span, "Who is told");
            v.into_num()
        });
        let site = self.site(span, format!("cards are shown{}", if to.is_some() { " to one player" } else { "" }));
        self.emit(Op::RevealCards { what: val.into_cards(), to: to_num, site });
    }

    fn write(&mut self, text: &ast::Expr, card: &ast::Expr) {
        let t = self.expr(text);
        let c = self.expr_expecting(card, &Ty::Card);
        if t.is_broken() || c.is_broken() || !self.need_type(&c, &Ty::Card, card.span) {
            return;
        }
        self.owned(&c, card.span);
        let Code::Num(Num::Var(var)) = t.code else {
            self.report(
                Diagnostic::error("write/text", text.span, "Only a text that a player chose can be written on a card")
                    .label("not such a text")
                    .hint("Ask for one: write: text t at most 120 letters"),
            );
            return;
        };
        self.emit(Op::Write { text: var, card: c.into_num() });
    }

    fn do_rule(&mut self, name: &Name, args: &[ast::Expr], span: Span) {
        let Some((Global::Rule(i), _)) = self.globals.get(&name.text).copied() else {
            let names: Vec<String> = self.rules.iter().map(|r| r.name.text.clone()).collect();
            let refs: Vec<&str> = names.iter().map(String::as_str).collect();
            let d = Diagnostic::error("rule/unknown", name.span, format!("There is no rule `{}`", name.text))
                .label("not a rule");
            self.report(match crate::diagnostic::did_you_mean(&name.text, refs.iter().copied()) {
                Some(near) => d.hint(format!("Did you mean `{near}`?")),
                None => d.hint(format!("Write one: rule {}(p), with what happens indented below.", name.text)),
            });
            return;
        };
        self.used.insert(name.text.clone());
        let (rule_name, params, body) = {
            let r = &self.rules[i];
            (r.name, r.params, r.body)
        };
        if params.len() != args.len() {
            self.report(
                Diagnostic::error(
                    "call/arguments",
                    span,
                    format!("`{}` takes {} value{}", name.text, params.len(), if params.len() == 1 { "" } else { "s" }),
                )
                .label(format!("{} given", args.len()))
                .related(rule_name.span, "declared here"),
            );
            return;
        }
        if !self.enter(&rule_name.text, rule_name.span, span) {
            return;
        }
        let mut vals = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            let val = self.expr(arg);
            vals.push(self.argument(param, val, arg.span));
        }
        let outer = std::mem::replace(&mut self.scopes, vec![Default::default()]);
        let subjects = std::mem::take(&mut self.subjects);
        let loops = std::mem::take(&mut self.loops);
        for (p, v) in params.iter().zip(vals) {
            self.bind(p, v);
        }
        let fixed = std::mem::replace(&mut self.fixed, params.iter().map(|p| p.text.clone()).collect());
        let before = self.diags.len();
        self.block(body);
        self.fixed = fixed;
        for d in &mut self.diags[before..] {
            d.related.push((span, "used here".into()));
        }
        self.scopes = outer;
        self.subjects = subjects;
        self.loops = loops;
        self.expansion.pop();
    }

    /// A value handed to a rule: plain names are handed on as they are (so that `hand[p]` is still seen to be p's),
    /// anything else is computed once.
    fn argument(&mut self, param: &Name, val: Val, span: Span) -> Val {
        // State may change while the rule runs, so it is looked at once; a local of the caller can't.
        let state = matches!(&val.code, Code::Num(Num::Var(v)) if matches!(self.program.vars[*v as usize].kind, VarKind::State { .. } | VarKind::Sealed));
        let plain = !state
            && matches!(
                val.code,
                Code::Num(Num::Var(_) | Num::Bound(_) | Num::Me | Num::Const(_) | Num::Option(_))
                    | Code::Cards(_)
                    | Code::Broken
                    | Code::Pattern(_)
            );
        if plain {
            return val;
        }
        let ty = match &val.ty {
            Ty::Num => Type::Number { low: i32::MIN, high: i32::MAX },
            Ty::YesNo => Type::YesNo,
            Ty::Player => Type::Player,
            Ty::Card => Type::Card,
            Ty::Attr(a) => Type::Attr(*a),
            Ty::Choice(v) => Type::Choice(v.clone()),
            _ => return val,
        };
        if val.ty != Ty::Card {
            self.need_public(&val, span, "What a rule works on");
        }
        let var = self.local(&param.text, ty);
        let kept = Val { code: Code::Num(Num::Var(var)), ..val.clone() };
        self.emit(Op::Set(Place { var, index: Vec::new() }, val.into_num()));
        kept
    }

    fn end(&mut self, span: Span, outcome: &ast::Outcome, banner: Option<&ast::Text>) {
        if matches!(self.place, Place_::Together) {
            self.main_only(span, "end");
        }
        let outcome = match outcome {
            ast::Outcome::Winner(e) => Outcome::Winner(self.one_seat(e)),
            ast::Outcome::Loser(e) => Outcome::Loser(self.one_seat(e)),
            ast::Outcome::Winners(e) => Outcome::Winners(self.seats(e, None, "Who wins")),
            ast::Outcome::Losers(e) => Outcome::Losers(self.seats(e, None, "Who loses")),
            ast::Outcome::Ranking { by, highest_first } => {
                let bound = self.bound();
                let val = self.about_seat(bound, None, |e| e.expr_expecting(by, &Ty::Num));
                self.need_type(&val, &Ty::Num, by.span);
                let label = Val { label: val.label.clone().without_bound(bound), ..val.clone() };
                self.need_public(&label, by.span, "Who wins");
                Outcome::Ranking { bound, by: val.into_num(), highest_first: *highest_first }
            }
            ast::Outcome::EveryoneWins => Outcome::EveryoneWins,
            ast::Outcome::EveryoneLoses => Outcome::EveryoneLoses,
            ast::Outcome::Draw => Outcome::Draw,
            ast::Outcome::Void => Outcome::Void,
        };
        let banner = banner.map(|t| {
            let (text, label) = self.text(t);
            self.need_public(&Val { ty: Ty::Text, label, ..Val::broken() }, t.span, "The banner");
            text
        });
        self.emit(Op::End(Box::new(End { outcome, banner })));
    }

    fn one_seat(&mut self, e: &ast::Expr) -> Num {
        let val = self.player(e);
        self.need_public(&val, e.span, "Who wins or loses");
        val.into_num()
    }
}

/// What everyone, and what the owner, sees of a zone: the most or the least that clauses with a condition leave open.
fn levels(sees: &[Sees], open: fn(Sight, Sight) -> Sight) -> (Sight, Sight) {
    let (mut everyone, mut owner) = (Sight::Count, Sight::Count);
    for s in sees {
        let set = |old: Sight| if s.when.is_some() { open(old, s.what) } else { s.what };
        match s.who {
            Who::Everyone => (everyone, owner) = (set(everyone), set(owner)),
            Who::Owner => owner = set(owner),
            Who::Others => everyone = set(everyone),
            Who::Role(_) => {}
        }
    }
    (everyone, owner)
}

/// Taking a card from wherever it lies shows where that was.
fn tells_where(cards: &Val) -> bool {
    fn open(cards: &Cards) -> bool {
        match cards {
            Cards::Family(_) | Cards::Deck(_) => true,
            Cards::Zone(_) | Cards::Picked(_) | Cards::Bound(_) => false,
            Cards::One(n) => match &**n {
                Num::End { of, .. } | Num::Best { of, .. } => open(of),
                Num::CardLiteral(..) => true,
                _ => false,
            },
            Cards::Where { of, .. } | Cards::Ends { of, .. } | Cards::SetsOf { of, .. } => open(of),
            Cards::Union(a, b) => open(a) || open(b),
            Cards::Minus(a, _) => open(a),
        }
    }
    open(&cards.clone().into_cards())
}

fn owned_by_me(cards: &Cards) -> bool {
    match cards {
        Cards::Zone(z) => z.index.first() == Some(&Num::Me),
        Cards::Picked(_) | Cards::Bound(_) => true,
        Cards::One(n) => match &**n {
            Num::End { of, .. } | Num::Best { of, .. } => owned_by_me(of),
            Num::Var(_) => true,
            _ => false,
        },
        Cards::Where { of, .. } | Cards::Ends { of, .. } | Cards::SetsOf { of, .. } => owned_by_me(of),
        Cards::Union(a, b) => owned_by_me(a) && owned_by_me(b),
        Cards::Minus(a, _) => owned_by_me(a),
        Cards::Family(_) | Cards::Deck(_) => false,
    }
}

pub(super) fn capitalised(s: &str) -> String {
    let spaced = s.replace('_', " ");
    let mut chars = spaced.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
