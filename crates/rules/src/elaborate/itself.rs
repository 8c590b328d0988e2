//! Refuses comparisons of a thing with itself, which happen when the author leaves out a name.

use super::Elaborator;
use super::value::{Code, Ty, Val};
use crate::ast::{self, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::program::{Dim, Num};
use crate::span::Span;

impl Elaborator<'_> {
    /// Refuses to compare the named subject of a `where` with the same subject under its bare name. An author who gives
    /// the subject a name wants to compare two things, and the bare name does not mean another one.
    pub(super) fn check_itself(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) {
        let named = |e: &ast::Expr| match &e.kind {
            ExprKind::Name(name) => Some((None, name.clone())),
            ExprKind::Index { name, args } => match &args[..] {
                [ast::Expr { kind: ExprKind::Name(of), .. }] => Some((Some(name.text.clone()), of.clone())),
                _ => None,
            },
            ExprKind::Of { name, arg } => match &arg.kind {
                ExprKind::Name(of) => Some((Some(name.text.clone()), of.clone())),
                _ => None,
            },
            _ => None,
        };
        for (explicit, implicit) in [(left, right), (right, left)] {
            let (Some((property, name)), ExprKind::Name(implicit)) = (named(explicit), &implicit.kind) else {
                continue;
            };
            // A parameter of a define stands for another thing at each use. `get_inside` skips parameters.
            let local = self.scopes.get_inside(&name);
            let Some(Val { ty, code: Code::Num(Num::Bound(bound)), .. }) = local else { continue };
            let at_hand = match ty {
                Ty::Player => self.subject_index(&[Dim::Player]).is_some_and(|at| at == [Num::Bound(*bound)]),
                Ty::Card => {
                    self.subject_card().is_some_and(|card| matches!(card.code, Code::Num(Num::Bound(b)) if b == *bound))
                }
                _ => false,
            };
            let itself = if *ty == Ty::Card { "card" } else { "player" };
            let same = match &property {
                None => implicit == itself,
                Some(property) => implicit == property,
            };
            if !at_hand || !same || self.lookup_local(implicit).is_some() {
                continue;
            }
            let other = match (itself, name.as_str()) {
                ("card", "d") => "e",
                ("card", _) => "d",
                (_, "p") => "q",
                _ => "p",
            };
            let written = |of: &str| match &property {
                Some(property) if itself == "card" => format!("{property} of {of}"),
                Some(property) => format!("{property}[{of}]"),
                None => of.to_owned(),
            };
            self.report(
                Diagnostic::error("compare/itself", span, "This compares a thing with itself")
                    .label(format!("inside this `where`, `{implicit}` means `{}`", written(&name)))
                    .hint(format!(
                        "Give the other {itself} a name, too, and write `{}`. A define takes it in brackets: `define best({other}) = … where {name} is not {other} and …`.",
                        written(other)
                    )),
            );
            return;
        }
    }
}
