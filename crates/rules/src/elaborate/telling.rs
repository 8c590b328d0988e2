//! `announce`, `reveal` and `write`: statements that tell players something.

use super::label::Label;
use super::value::{Code, Ty, Val};
use super::{Context, Elaborator};
use crate::ast::{self};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn announce(&mut self, span: Span, text: &ast::Text, kind: Option<&Name>, to: Option<&ast::Expr>) {
        if self.context == Context::Together {
            self.refuse_outside_course(span, "announce");
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
            Some(seat) => self.need_told(&known, seat, text.span, "What is told"),
        }
        self.emit(Op::Announce { text: body, kind, to });
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
        if self.context == Context::Together {
            self.refuse_outside_course(span, "reveal");
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
                    .hint("To show the cards, write `reveal hand[p]` on a line of its own. To tell something about them, put `reveal` in front of all of it: `n := reveal count of (hand[p] where suit is ♠)`."),
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
        let kind = if to.is_some() { VarKind::SecretLocal } else { VarKind::PublicLocal };
        let to_var = self.new_var("revealed", kind, ty);
        let addressee = match &to_num {
            None => "everybody is told".to_string(),
            Some(seat) => format!("{} alone is told", self.seat_name(seat)),
        };
        let listed = self.list(RevealKind::Announced, span, format!("{addressee} {}", self.ty_name(&val.ty)));
        let label = match &to_num {
            None => Label::PUBLIC,
            Some(n) => Label::only(n.clone()),
        };
        let mut known = Val::num(val.ty.clone(), Num::Var(to_var), label);
        known.by = val.by.clone();
        self.emit(Op::RevealValue { to_var, value: val.into_num(), show, to: to_num, listed });
        known
    }

    pub(super) fn reveal_stmt(&mut self, what: &ast::Expr, to: Option<&ast::Expr>, span: Span) {
        let val = self.expr(what);
        if val.is_broken() {
            return;
        }
        if val.ty != Ty::Cards && val.ty != Ty::Card {
            self.reveal_value(what, to, span, None);
            return;
        }
        self.refuse_in_together(span, "reveal");
        let to_num = to.map(|e| {
            let v = self.player(e);
            self.need_public(&v, e.span, "Who is told");
            v.into_num()
        });
        let shown = match &to_num {
            None => "everybody sees".to_string(),
            Some(seat) => format!("{} alone sees", self.seat_name(seat)),
        };
        let cards = self.cards_of(&val.zones).unwrap_or("cards".to_string());
        let listed = self.list(RevealKind::Shown, span, format!("{shown} {cards}, once"));
        self.emit(Op::RevealCards { what: val.into_cards(), to: to_num, listed });
    }

    pub(super) fn write(&mut self, text: &ast::Expr, card: &ast::Expr) {
        let t = self.expr(text);
        let c = self.expr_expecting(card, &Ty::Card);
        if t.is_broken() || c.is_broken() || !self.need_type(&c, &Ty::Card, card.span) {
            return;
        }
        self.check_own_cards(&c, card.span);
        self.need_chosen_openly(&c, card.span, "Which card is written on");
        let at = Val { ty: Ty::Num, label: c.at.clone(), ..Val::broken() };
        self.need_public(&at, card.span, "Where the card lies");
        let Code::Num(Num::Var(var)) = t.code else {
            self.report(
                Diagnostic::error("write/text", text.span, "Only a text that a player chose can be written on a card")
                    .label("not such a text")
                    .hint("Ask for one: write: text t at most 120 letters"),
            );
            return;
        };
        self.list(RevealKind::Announced, card.span, "who sees the card reads what a player wrote on it".to_string());
        self.emit(Op::Write { text: var, card: c.into_num() });
    }
}
