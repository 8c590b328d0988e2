//! Statements: turns the course of the game into ops and jumps.

use super::apart::apart_if;
use super::value::{Code, Ty, Val};
use super::{Context, Elaborator, Global, PlayerAtHand};
use crate::ast::{self, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn block(&mut self, body: &'a [ast::Stmt]) {
        // What a block learns about a card (for example that it was shown) holds only inside the block, and so do the names
        // that the block introduces.
        self.scopes.open_block();
        let facts = self.apart.clone();
        let assigned = self.assigned.len();
        for (i, stmt) in body.iter().enumerate() {
            if self.exhausted {
                break;
            }
            self.after_assignment = i > 0 && matches!(body[i - 1].kind, StmtKind::Assign { .. });
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
        self.scopes.close_block();
        // Facts that the block has learnt end with it, and so do earlier facts that it has made untrue.
        self.apart.retain(|fact| facts.contains(fact));
        let mut vars = self.assigned[assigned..].to_vec();
        vars.sort_unstable();
        vars.dedup_by_key(|(var, _)| *var);
        if !vars.is_empty() {
            self.forget_seats(&vars);
        }
    }

    fn stmt(&mut self, s: &'a ast::Stmt) {
        self.span = s.span;
        self.list_noticed(s);
        let answering = self.answering;
        if let StmtKind::Repeat { body, .. } | StmtKind::For { body, .. } | StmtKind::Circle { body, .. } = &s.kind {
            self.answering |= self.context == Context::Together && self.answer_decides_loop(body);
        }
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
                self.check_own_cards(&cards, what.span);
                self.need_chosen_openly(&cards, what.span, "Which cards are turned");
                let at = Val { ty: Ty::Num, label: cards.at.clone(), ..Val::broken() };
                self.need_public(&at, what.span, "Where the cards lie");
                if !cards.is_broken() {
                    self.list_turn(&cards, *down);
                }
                self.emit(Op::Turn { what: cards.into_cards(), down: *down });
            }
            StmtKind::Roll { what } => self.roll(what, false),
            StmtKind::Clear { what } => self.roll(what, true),
            StmtKind::Announce { text, kind, to } => self.announce(s.span, text, kind.as_ref(), to.as_ref()),
            StmtKind::Reveal { what, to } => self.reveal_stmt(what, to.as_ref(), s.span),
            StmtKind::Write { text, card } => self.write(text, card),
            StmtKind::Admit => {
                self.refuse_outside_course(s.span, "admit");
                if !self.program.meta.newcomers_play {
                    self.report(
                        Diagnostic::error("admit/nobody", s.span, "Nobody can be admitted here")
                            .label("newcomers only watch this game")
                            .hint("Write `newcomers play` at the top of the file."),
                    );
                }
                // `when … joins` runs here.
                self.forget_unsteady();
                self.forget_leavers();
                self.emit(Op::Admit);
            }
            StmtKind::Do { name, args } => self.do_rule(name, args, s.span),
            StmtKind::Ask(ask) => self.ask(ask),
            StmtKind::End { outcome, banner } => self.end(s.span, outcome, banner.as_ref()),
            StmtKind::Broken => {}
        }
        self.answering = answering;
    }

    /// Elaborates a condition that decides what happens next, which everyone sees.
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

    pub(super) fn refuse_outside_course(&mut self, span: Span, what: &str) -> bool {
        let here = match self.context {
            Context::Main => return true,
            Context::Together => "inside `together`, where everyone acts at the same time",
            Context::Hook => "inside `when`, which happens in one go",
            Context::Answer => "in an answer of `ask all`, where the answers are opened one after another",
        };
        self.report(
            Diagnostic::error("place/not-here", span, format!("`{what}` can't stand here"))
                .label(here)
                .hint("Set a state here and act on it in the main course of the game."),
        );
        false
    }

    fn if_block(&mut self, arms: &'a [(ast::Expr, Vec<ast::Stmt>)], otherwise: Option<&'a [ast::Stmt]>) {
        let mut ends = Vec::new();
        let before = self.apart.clone();
        for (i, (cond, body)) in arms.iter().enumerate() {
            self.span = cond.span;
            let num = self.condition(cond, "What happens here");
            let (holds, fails) = (apart_if(&num, true), apart_if(&num, false));
            let skip = self.emit(Op::Unless(num, 0));
            self.with_facts(&holds, |e| e.block(body));
            self.add_facts(&fails);
            if i + 1 < arms.len() || otherwise.is_some() {
                ends.push(self.emit(Op::Jump(0)));
            }
            self.patch(skip);
        }
        if let Some(body) = otherwise {
            self.block(body);
        }
        self.apart.retain(|fact| before.contains(fact));
        for e in ends {
            self.patch(e);
        }
    }

    fn phase(&mut self, name: &Name, title: Option<&ast::Text>) {
        self.refuse_outside_course(name.span, "phase");
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
        if !self.enter_expansion(&rule_name.text, rule_name.span, span) {
            return;
        }
        let mut vals = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            let val = self.expr(arg);
            vals.push(self.argument(param, val, arg.span));
        }
        self.scopes.begin_expansion();
        let subjects = std::mem::take(&mut self.subjects);
        let loops = std::mem::take(&mut self.loops);
        for (p, v) in params.iter().zip(vals) {
            self.bind(p, v);
        }
        let outer_params = std::mem::replace(&mut self.rule_params, params.iter().map(|p| p.text.clone()).collect());
        let players =
            params.iter().filter(|param| self.scopes.get(&param.text).is_some_and(|val| val.ty == Ty::Player));
        let players = players.map(|param| PlayerAtHand { name: param.text.clone(), certain: true }).collect();
        let outer_players = std::mem::replace(&mut self.players_at_hand, players);
        let before = self.diags.len();
        self.block(body);
        self.players_at_hand = outer_players;
        self.rule_params = outer_params;
        for d in &mut self.diags[before..] {
            d.related.push((span, "used here".into()));
        }
        self.scopes.end_expansion();
        self.subjects = subjects;
        self.loops = loops;
        self.expansion.pop();
    }

    /// Returns the value of a rule's parameter. A plain name stays as it is, so that the checker still knows whose
    /// `hand[p]` is; any other expression is computed once into a variable.
    fn argument(&mut self, param: &Name, val: Val, span: Span) -> Val {
        // State may change while the rule runs, so it is read once, too; a local variable of the caller can't change.
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
        let Some(ty) = val.ty.kept_as() else { return val };
        if val.ty != Ty::Card {
            self.need_public(&val, span, "What a rule works on");
        }
        let var = self.local(&param.text, ty);
        let kept = Val { code: Code::Num(Num::Var(var)), facing: None, ..val.clone() };
        self.seat_assigned(var, Some(&val.as_num()));
        self.emit(Op::Set(VarRef { var, index: Vec::new() }, val.into_num()));
        kept
    }

    fn end(&mut self, span: Span, outcome: &ast::Outcome, banner: Option<&ast::Text>) {
        if matches!(self.context, Context::Together) {
            self.refuse_outside_course(span, "end");
        }
        let outcome = match outcome {
            ast::Outcome::Winner(e) => Outcome::Winner(self.one_seat(e)),
            ast::Outcome::Loser(e) => Outcome::Loser(self.one_seat(e)),
            ast::Outcome::Winners(e) => Outcome::Winners(self.seats(e, None, "Who wins")),
            ast::Outcome::Losers(e) => Outcome::Losers(self.seats(e, None, "Who loses")),
            ast::Outcome::Ranking(keys) => {
                let bound = self.new_bound();
                let mut values = keys.iter().map(|key| {
                    let val = self.about_seat(bound, None, |e| e.expr_expecting(&key.by, &Ty::Num));
                    self.need_type(&val, &Ty::Num, key.by.span);
                    let label = Val { label: val.label.clone().without_bound(bound), ..val.clone() };
                    self.need_public(&label, key.by.span, "Who wins");
                    (val.into_num(), key.highest_first)
                });
                let (by, highest_first) = values.next().unwrap_or((Num::Const(0), true));
                let then = values.collect();
                Outcome::Ranking { bound, by, highest_first, then }
            }
            ast::Outcome::EveryoneWins => Outcome::EveryoneWins,
            ast::Outcome::EveryoneLoses => Outcome::EveryoneLoses,
            ast::Outcome::EveryoneScores { score, most } => {
                let before = self.diags.len();
                let score = self.public_number(score, "What everyone scores");
                for problem in self.diags[before..].iter_mut().filter(|problem| problem.code == "name/which-one") {
                    let each = "All players share one score. Add up what they have: `sum of score[r] over player r`.";
                    problem.hint = Some(each.to_owned());
                }
                let at = most.span;
                let most = self.public_number(most, "What everyone could score at most");
                if let Num::Const(n) = most
                    && n < 1
                {
                    self.report(
                        Diagnostic::error("end/most", at, "The best result has to be more than nothing")
                            .label("at least 1")
                            .hint("Say how much can be reached: end everyone scores found out of 25"),
                    );
                }
                if let (Num::Const(n), Num::Const(most)) = (&score, &most)
                    && n > most
                    && *most > 0
                {
                    self.report(
                        Diagnostic::error("end/most", at, format!("{n} is more than the best result"))
                            .label("the best result stands behind `out of`"),
                    );
                }
                Outcome::EveryoneScores { score, most }
            }
            ast::Outcome::Draw => Outcome::Draw,
            ast::Outcome::Void => Outcome::Void,
        };
        let banner = banner.map(|t| {
            let (text, label) = self.text(t);
            self.need_public(&Val { ty: Ty::Text, label, ..Val::broken() }, t.span, "The banner");
            text
        });
        self.emit(Op::End(Box::new(GameEnd { outcome, banner })));
    }

    fn one_seat(&mut self, e: &ast::Expr) -> Num {
        let val = self.player(e);
        self.need_public(&val, e.span, "Who wins or loses");
        val.into_num()
    }
}
