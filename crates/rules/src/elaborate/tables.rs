//! Tables of numbers that never change, the value that follows another one, and the number of a seat.

use super::label::Label;
use super::value::{Ty, Val};
use super::{Elaborator, Global};
use crate::ast::{self, DeclKind, Index};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn tables(&mut self, file: &'a ast::File) {
        for decl in &file.decls {
            if let DeclKind::Table { name, index, entries, otherwise } = &decl.kind {
                self.table(name, index, entries, otherwise.as_ref());
            }
        }
    }

    fn table(
        &mut self,
        name: &'a Name,
        index: &'a Index,
        entries: &'a [ast::TableEntry],
        otherwise: Option<&'a ast::Expr>,
    ) {
        let id = self.program.tables.len() as TableId;
        self.declare(name, Global::Table(id));
        let dim = self.dims(name, std::slice::from_ref(index)).first().copied();
        if let Index::Player(span) = index {
            self.report(
                Diagnostic::error("table/index", *span, "A table has numbers for values, not for players")
                    .label("nobody sits there yet")
                    .hint(format!("What each player has is state: `{}[player]: 0..9 = 0`.", name.text)),
            );
        }
        let domain = dim.and_then(|dim| Some((dim, self.places(dim)?)));
        let Some((dim, (low, size))) = domain else {
            self.spoiled.insert(name.text.clone());
            self.program.tables.push(NumberTable { low: 0, values: Vec::new(), none: 0 });
            return;
        };
        let mut values: Vec<Option<i32>> = vec![None; size];
        let listed = entries.iter().filter(|entry| entry.key.is_none()).count();
        if listed > 0 && listed < entries.len() {
            self.report(
                Diagnostic::error("table/mixed", name.span, "Either all numbers have a place, or none has").hint(
                    format!("Write `{}[1..3]: 1, 3, 6` or `{}[1..3]: 1 = 1, 2 = 3, 3 = 6`.", name.text, name.text),
                ),
            );
        } else if listed > 0 && (listed > size || listed < size && otherwise.is_none()) {
            self.report(
                Diagnostic::error("table/count", name.span, format!("`{}` has {size} places", name.text))
                    .label(format!("{listed} numbers stand there"))
                    .hint("Write one number for each place, or `else 0` at the end for all others."),
            );
            values.fill(Some(0));
        }
        let mut twice = None;
        for (position, entry) in entries.iter().enumerate() {
            let value = self.const_num(&entry.value);
            let places = match &entry.key {
                None => position..position + 1,
                Some((first, last)) => {
                    let Some(from) = self.place(dim, low, first) else { return self.spoil_table(name, low, size) };
                    let to = match last {
                        Some(last) => self.place(dim, low, last),
                        None => Some(from),
                    };
                    let Some(to) = to else { return self.spoil_table(name, low, size) };
                    from.min(to)..from.max(to) + 1
                }
            };
            for place in places {
                if let Some(entry_value) = values.get_mut(place)
                    && entry_value.replace(value).is_some()
                    && listed == 0
                {
                    twice = Some(entry.span);
                }
            }
        }
        if let Some(span) = twice {
            self.report(Diagnostic::error("table/twice", span, "This place has a number already").label("again here"));
        }
        let rest = otherwise.map(|e| self.const_num(e));
        if rest.is_none()
            && listed == 0
            && let Some(at) = values.iter().position(Option::is_none)
        {
            let missing = self.place_name(dim, low, at);
            self.report(
                Diagnostic::error("table/missing", name.span, format!("What is `{}[{missing}]`?", name.text))
                    .label("not every place has a number")
                    .hint(format!("Add `{missing} = …`, or `else 0` at the end for all others.")),
            );
        }
        let values = values.into_iter().map(|value| value.or(rest).unwrap_or(0)).collect();
        self.table_dims.insert(id, dim);
        self.program.tables.push(NumberTable { low, values, none: 0 });
    }

    /// Keeps a table whose places could not be read, so that its uses are not reported as well.
    fn spoil_table(&mut self, name: &Name, low: i32, size: usize) {
        self.spoiled.insert(name.text.clone());
        self.program.tables.push(NumberTable { low, values: vec![0; size], none: 0 });
    }

    /// Returns the first place and the number of places of a dimension, if a table can have it.
    fn places(&self, dim: Dim) -> Option<(i32, usize)> {
        let (low, high) = match dim {
            Dim::Player => return None,
            Dim::Range { low, high } => (low, high),
            Dim::Attr(attr) => match &self.program.attrs[usize::from(attr)].values {
                AttrDomain::Range { low, high } => (*low, *high),
                AttrDomain::Names(names) => (0, names.len() as i32 - 1),
                AttrDomain::Property => return None,
            },
        };
        usize::try_from(i64::from(high) - i64::from(low) + 1).ok().map(|size| (low, size))
    }

    fn place(&mut self, dim: Dim, low: i32, name: &Name) -> Option<usize> {
        let value = match dim {
            Dim::Attr(attr) => self.attr_word(attr, name)?,
            _ => {
                let (_, size) = self.places(dim)?;
                let number: Option<i32> = name.text.parse().ok();
                let inside = |n: &i32| *n >= low && ((*n - low) as usize) < size;
                match number.filter(inside) {
                    Some(n) => n,
                    None => {
                        let high = low + size as i32 - 1;
                        self.report(
                            Diagnostic::error("table/place", name.span, format!("There is no place `{}`", name.text))
                                .label(format!("it goes from {low} to {high}")),
                        );
                        return None;
                    }
                }
            }
        };
        usize::try_from(value - low).ok()
    }

    fn place_name(&self, dim: Dim, low: i32, at: usize) -> String {
        let number = || (low + at as i32).to_string();
        match dim {
            Dim::Attr(attr) => match &self.program.attrs[usize::from(attr)].values {
                AttrDomain::Names(names) => names.get(at).cloned().unwrap_or_else(number),
                _ => number(),
            },
            _ => number(),
        }
    }

    /// Reads a place of a table. Whoever knows the place knows the number.
    pub(super) fn read_table(&mut self, table: TableId, index: Vec<Num>, label: Label) -> Val {
        let Some(at) = index.into_iter().next() else { return Val::broken() };
        let num = match at {
            Num::Const(at) => Num::Const(self.program.tables[usize::from(table)].value(at)),
            at => Num::Table(table, Box::new(at)),
        };
        Val::num(Ty::Num, num, label)
    }

    /// Elaborates `next rank after r` and `previous rank before r`.
    pub(super) fn next_value(&mut self, back: bool, attr: &Name, after: &ast::Expr, wrapping: bool, span: Span) -> Val {
        let Some(id) = self.attr_name(attr) else { return Val::broken() };
        let ty = Ty::Attr(id);
        let val = self.expr_expecting(after, &ty);
        if val.is_broken() || !self.need_type(&val, &ty, after.span) {
            return Val::broken();
        }
        let Some((low, size)) = self.places(Dim::Attr(id)).filter(|_| !self.options_only) else {
            self.report(
                Diagnostic::error("name/options-only", span, "This is not known yet here")
                    .label("only options can be used here"),
            );
            return Val::broken();
        };
        let (first, last) = (low, low + size as i32 - 1);
        let (end, other_end, step) = if back { (first, last, Arith::Sub) } else { (last, first, Arith::Add) };
        let after_end = if wrapping { other_end } else { NONE_VALUE };
        let label = val.label.clone();
        // A condition of a scenario has no tables of its own, so this is made of comparisons.
        let num = match val.into_num() {
            Num::Const(NONE_VALUE) => Num::Const(NONE_VALUE),
            Num::Const(value) if value == end => Num::Const(after_end),
            Num::Const(value) => Num::Const(step.apply(value, 1)),
            value => {
                let is = |n: i32| Box::new(Num::Cmp(Cmp::Eq, Box::new(value.clone()), Box::new(Num::Const(n))));
                let next = Num::Arith(step, Box::new(value.clone()), Box::new(Num::Const(1)));
                let next = Num::If(is(NONE_VALUE), Box::new(Num::Const(NONE_VALUE)), Box::new(next));
                Num::If(is(end), Box::new(Num::Const(after_end)), Box::new(next))
            }
        };
        Val::num(ty, num, label)
    }

    /// Elaborates `seat of p`: the number of the seat, counted from 1; 0 for nobody.
    pub(super) fn seat_of(&mut self, arg: &ast::Expr) -> Val {
        let val = self.expr_expecting(arg, &Ty::Player);
        if val.is_broken() || !self.need_type(&val, &Ty::Player, arg.span) {
            return Val::broken();
        }
        let label = val.label.clone();
        let num = Num::Arith(Arith::Add, Box::new(val.into_num()), Box::new(Num::Const(1)));
        Val::num(Ty::Num, super::constant::fold(num), label)
    }
}
