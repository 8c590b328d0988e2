//! Options, which people choose when they make a table, and presets.

use super::constant::fold;
use super::{Elaborator, Global};
use crate::ast::{self, DeclKind, ExprKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::Span;

impl<'a> Elaborator<'a> {
    pub(super) fn options(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            let DeclKind::Option(o) = &decl.kind else { continue };
            let ty = self.type_of(&o.ty);
            let default = self.option_const(&o.default, &ty);
            let mut value_titles = Vec::new();
            if let Type::Choice(values) = &ty {
                value_titles = vec![String::new(); values.len()];
                for (name, text) in &o.values {
                    match values.iter().position(|v| *v == name.text) {
                        Some(i) => value_titles[i] = self.plain(text),
                        None => {
                            let allowed: Vec<&str> = values.iter().map(String::as_str).collect();
                            self.word(name, &allowed);
                        }
                    }
                }
            } else if let Some((name, _)) = o.values.first() {
                self.report(
                    Diagnostic::error(
                        "option/no-values",
                        name.span,
                        "Only an option that is a choice has named values",
                    )
                    .label("this option is not a choice")
                    .hint("A choice is written like: option judging: rotate | random = rotate"),
                );
            }
            let title = o.title.as_ref().map(|t| self.plain(t)).unwrap_or_else(|| o.name.text.clone());
            self.declare(&o.name, Global::Option(self.program.options.len() as OptionId));
            self.program.options.push(OptionDecl { name: o.name.text.clone(), title, ty, default, value_titles });
        }
    }

    pub(super) fn presets(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            let DeclKind::Preset { name, values } = &decl.kind else { continue };
            let mut list = Vec::new();
            for (option, value) in values {
                match self.globals.get(&option.text).copied() {
                    Some((Global::Option(id), _)) => {
                        let ty = self.program.options[id as usize].ty.clone();
                        let value = self.option_const(value, &ty);
                        list.push((id, value));
                    }
                    _ => {
                        let names: Vec<String> = self.program.options.iter().map(|o| o.name.clone()).collect();
                        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
                        let d = Diagnostic::error(
                            "preset/unknown-option",
                            option.span,
                            format!("There is no option `{}`", option.text),
                        )
                        .label("not an option");
                        self.report(match did_you_mean(&option.text, refs.iter().copied()) {
                            Some(near) => d.hint(format!("Did you mean `{near}`?")),
                            None => d,
                        });
                    }
                }
            }
            self.program.presets.push(Preset { name: name.text.clone(), values: list });
        }
    }

    fn option_const(&mut self, e: &ast::Expr, ty: &Type) -> OptionValue {
        if let Type::Text { low, high } = ty {
            if let ExprKind::Text(t) = &e.kind {
                let text = self.plain(t);
                let n = text.chars().count() as i32;
                if n < *low || n > *high {
                    self.report(
                        Diagnostic::error("option/out-of-range", e.span, format!("This text has {n} letters"))
                            .label(format!("allowed are {low} to {high}")),
                    );
                }
                return OptionValue::Text(text);
            }
            self.report(
                Diagnostic::error("type/mismatch", e.span, "This should be a text in quotes").label("not a text"),
            );
            return OptionValue::Text(String::new());
        }
        if let (Some(numbers), ExprKind::Number(n)) = (numbers(ty), &e.kind) {
            let at = numbers.iter().position(|number| i64::from(*number) == *n);
            if at.is_none() {
                let possible: Vec<String> = numbers.iter().map(i32::to_string).collect();
                self.report(
                    Diagnostic::error(
                        "const/out-of-range",
                        e.span,
                        format!("{n} is none of the numbers to choose from"),
                    )
                    .label(format!("possible are {}", possible.join(", "))),
                );
            }
            return OptionValue::Number(at.unwrap_or(0) as i32);
        }
        self.options_only = true;
        let want = self.ty_of(ty);
        let val = self.expr_expecting(e, &want);
        self.options_only = false;
        self.need_type(&val, &want, e.span);
        let Num::Const(n) = fold(val.into_num()) else {
            self.report(
                Diagnostic::error("const/needed", e.span, "This must be a fixed value").label("not known in advance"),
            );
            return OptionValue::Number(0);
        };
        self.check_in_range(n, ty, e.span);
        OptionValue::Number(n)
    }

    pub(super) fn check_in_range(&mut self, n: i32, ty: &Type, span: Span) {
        if let Type::Number { low, high } | Type::Seconds { low, high } = ty
            && (n < *low || n > *high)
        {
            self.report(
                Diagnostic::error("const/out-of-range", span, format!("{n} is not between {low} and {high}"))
                    .label("outside the declared range"),
            );
        }
    }
}

/// Returns the numbers of an option such as `11 | 16 | 21`; `None` if its choices are words.
pub(super) fn numbers(ty: &Type) -> Option<Vec<i32>> {
    match ty {
        Type::Choice(words) => words.iter().map(|word| word.parse().ok()).collect(),
        _ => None,
    }
}
