//! Texts with holes, and operations on texts.

use super::label::Label;
use super::value::{Code, Pattern, Ty, Val};
use super::{Elaborator, Global};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Span;

impl<'a> Elaborator<'a> {
    /// Elaborates a text; the label says who may read it.
    pub(super) fn text(&mut self, t: &ast::Text) -> (Text, Label) {
        let mut parts = Vec::new();
        let mut label = Label::PUBLIC;
        for part in &t.parts {
            match part {
                ast::TextPart::Plain(s) => parts.push(TextPart::Plain(s.clone())),
                ast::TextPart::Hole(e) => {
                    let val = self.expr(e);
                    label = label.join(&val.label).join(&self.need_written(&val));
                    parts.extend(self.hole(val, e.span));
                }
                ast::TextPart::Counted { number, one, several } => {
                    let val = self.expr_expecting(number, &Ty::Num);
                    if !self.need_type(&val, &Ty::Num, number.span) {
                        continue;
                    }
                    label = label.join(&val.label);
                    let num = val.into_num();
                    let is_one = Num::Cmp(Cmp::Eq, Box::new(num.clone()), Box::new(Num::Const(1)));
                    let word = |word: &str| Text { parts: vec![TextPart::Plain(format!(" {word}"))] };
                    parts.push(TextPart::Value(num, ValueFormat::Number));
                    parts.push(TextPart::If(is_one, word(one), word(several)));
                }
            }
        }
        (Text { parts }, label)
    }

    pub(super) fn text_value(&mut self, t: &ast::Text) -> Val {
        let (text, label) = self.text(t);
        Val::text(text.parts, label)
    }

    fn hole(&mut self, val: Val, span: Span) -> Vec<TextPart> {
        let show = match (&val.ty, &val.code) {
            (_, Code::Text(parts)) => return parts.clone(),
            (Ty::Broken, _) => return Vec::new(),
            (Ty::Card, Code::Pattern(Pattern::Named(name))) => return vec![TextPart::Plain(name.clone())],
            (Ty::Players, _) => return vec![TextPart::Players(val.into_seats())],
            (Ty::Cards, _) => return vec![TextPart::Cards(val.into_cards())],
            (ty, _) => match self.show_as(ty) {
                Some(show) => show,
                None => {
                    let found = self.ty_name(ty);
                    self.report(
                        Diagnostic::error("text/hole", span, "This can't be written out in a text")
                            .label(format!("this is {found}"))
                            .hint("Numbers, players, cards, values and texts can; of several dice say how many: {count of …}."),
                    );
                    return Vec::new();
                }
            },
        };
        vec![TextPart::Value(val.into_num(), show)]
    }

    pub(super) fn show_as(&self, ty: &Ty) -> Option<ValueFormat> {
        Some(match ty {
            Ty::Num => ValueFormat::Number,
            Ty::YesNo => ValueFormat::YesNo,
            Ty::Player => ValueFormat::Player,
            Ty::Card => ValueFormat::Card,
            Ty::Attr(a) => ValueFormat::Attr(*a),
            Ty::Choice(values) => ValueFormat::Choice(values.clone()),
            _ => return None,
        })
    }

    /// Whether an expression is the name of an option of type text.
    pub(super) fn is_text(&self, e: &ast::Expr) -> bool {
        let ast::ExprKind::Name(name) = &e.kind else { return false };
        match self.globals.get(name) {
            Some((Global::Option(id), _)) => matches!(self.program.options[*id as usize].ty, Type::Text { .. }),
            _ => false,
        }
    }

    /// Elaborates `length of word`
    pub(super) fn length_of(&mut self, arg: &ast::Expr) -> Val {
        match self.text_option(arg) {
            Some(id) => Val::num(Ty::Num, Num::OptionLength(id), Label::PUBLIC),
            None => Val::broken(),
        }
    }

    /// Elaborates `first n letters of word`
    pub(super) fn letters(&mut self, count: &ast::Expr, text: &ast::Expr) -> Val {
        let n = self.expr_expecting(count, &Ty::Num);
        if n.is_broken() || !self.need_type(&n, &Ty::Num, count.span) {
            return Val::broken();
        }
        let label = n.label.clone();
        match self.text_option(text) {
            Some(id) => Val::text(vec![TextPart::Letters(n.into_num(), id)], label),
            None => Val::broken(),
        }
    }

    fn text_option(&mut self, e: &ast::Expr) -> Option<OptionId> {
        let val = self.expr(e);
        match val.code {
            Code::Text(parts) if matches!(parts[..], [TextPart::Option(_)]) => match parts[0] {
                TextPart::Option(id) => Some(id),
                _ => None,
            },
            Code::Broken => None,
            _ => {
                self.report(
                    Diagnostic::error("text/option", e.span, "This should be an option that is a text")
                        .label("not such an option")
                        .hint("Declare one: option word: text 1..12 = \"LOSER\""),
                );
                None
            }
        }
    }

    /// Elaborates `text of c`
    pub(super) fn text_of(&mut self, arg: &ast::Expr) -> Val {
        let card = self.expr_expecting(arg, &Ty::Card);
        if card.is_broken() || !self.need_type(&card, &Ty::Card, arg.span) {
            return Val::broken();
        }
        let label = card.label.clone().join(&self.need_written(&card));
        Val::text(vec![TextPart::CardText(card.into_num())], label)
    }

    /// Elaborates `filled(prompt card, answers)`: a prompt with its blanks filled in.
    pub(super) fn filled(&mut self, args: &[ast::Expr], span: Span) -> Val {
        let [prompt, answers] = args else {
            self.report(
                Diagnostic::error("call/arguments", span, "`filled` takes a prompt card and the answers")
                    .hint("filled(first card of prompt, shown[i])"),
            );
            return Val::broken();
        };
        let p = self.expr_expecting(prompt, &Ty::Card);
        let a = self.selection(answers);
        if p.is_broken() || a.is_broken() || !self.need_type(&p, &Ty::Card, prompt.span) {
            return Val::broken();
        }
        let label = p.label.clone().join(&a.label).join(&self.need_written(&p)).join(&self.need_written(&a));
        Val::text(vec![TextPart::Filled { prompt: p.into_num(), answers: a.into_cards() }], label)
    }
}
