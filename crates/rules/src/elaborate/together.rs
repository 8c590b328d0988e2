//! `together` blocks, in which several players act at the same time.

use super::apart::{apart_if, facts_renamed};
use super::label::Label;
use super::value::{Ty, Val};
use super::{Context, Elaborator};
use crate::ast::{self};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn together(
        &mut self,
        span: Span,
        var: &'a Name,
        over: &'a ast::Expr,
        body: &'a [ast::Stmt],
        clauses: &'a [ast::AskClause],
    ) {
        if self.context != Context::Main {
            self.report(
                Diagnostic::error("together/nested", span, "`together` can't stand here")
                    .label("only in the main course of the game"),
            );
            return;
        }
        let seats = self.seats(over, Some(var), "Who acts");
        let facts = seats.cond.as_ref().map(|cond| apart_if(cond, true)).unwrap_or_default();
        let facts = facts_renamed(&facts, &Num::Bound(seats.bound), &Num::Me);
        self.forget_unsteady();
        let id = self.program.togethers.len() as u16;
        self.program.togethers.push(TogetherBlock {
            over: seats,
            body: 0,
            after: 0,
            within: None,
            absent: self.program.meta.absent,
            span,
        });
        self.emit(Op::Together(id));
        let start = self.pc();
        self.context = Context::Together;
        let loops = std::mem::take(&mut self.loops);
        let before = self.apart.clone();
        self.add_facts(&facts);
        self.forget_unsteady();
        self.scoped(|e| {
            e.bind(var, Val::num(Ty::Player, Num::Me, Label::PUBLIC));
            e.about_player(&var.text, true, |e| e.block(body));
        });
        self.apart.retain(|fact| before.contains(fact));
        self.span = span;
        self.emit(Op::ThreadEnd);
        self.context = Context::Main;
        self.answer_set_variable = false;
        self.loops = loops;
        if !self.program.code[start as usize..].iter().any(|op| matches!(op, Op::Ask(_))) {
            self.report(
                Diagnostic::error("together/no-ask", span, "Nobody is asked anything in here")
                    .label("`together` is for decisions made at the same time")
                    .hint("Use `for p in players` to do something for each player."),
            );
        }
        let mut ends = Vec::new();
        let c = self.clauses(true, clauses, &[], &Num::Me, Some(var), &mut ends);
        for e in ends {
            self.patch(e);
        }
        let after = self.pc();
        let t = &mut self.program.togethers[id as usize];
        t.body = start;
        t.after = after;
        t.within = c.within.map(|(seconds, then)| TimeLimit { seconds, then });
        t.absent = c.absent;
    }
}
