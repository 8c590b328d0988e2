//! Declarations of state and dice.

use super::constant::fold;
use super::{Elaborator, Global};
use crate::ast::{self, DeclKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Name;

const MAX_VARS: usize = 2000;
const MOST_FACES: usize = 100;

impl<'a> Elaborator<'a> {
    pub(super) fn states(&mut self, file: &'a ast::File) {
        let decls = || file.decls.iter().map(|decl| &decl.kind);
        for s in decls().flat_map(|kind| if let DeclKind::State(lines) = kind { &lines[..] } else { &[] }) {
            self.state(s);
        }
        // State comes first: a `sees` clause of dice may use it.
        for d in decls().flat_map(|kind| if let DeclKind::Dice(lines) = kind { &lines[..] } else { &[] }) {
            self.dice(d);
        }
        if self.program.vars.len() > MAX_VARS {
            self.report(Diagnostic::error(
                "limit/states",
                self.span,
                format!("More than {MAX_VARS} lines of state are too many"),
            ));
            self.exhausted = true;
            self.work = usize::MAX / 2;
        }
    }

    pub(super) fn state(&mut self, s: &'a ast::State) {
        let before = self.diags.len();
        let ty = self.type_of(&s.ty);
        let spoiled = self.diags.len() > before;
        if spoiled {
            self.spoiled.insert(s.name.text.clone());
        }
        let dims = self.dims(&s.name, &s.index);
        if let Type::Text { .. } | Type::Seconds { .. } = ty {
            self.report(
                Diagnostic::error("state/type", s.ty.span, "Only an option can be this")
                    .label("not possible for state"),
            );
        }
        if let (Some(span), false) = (s.sealed, dims.first() == Some(&Dim::Player)) {
            self.report(
                Diagnostic::error(
                    "state/sealed-index",
                    span,
                    "Only something that each player has can be seen by its owner",
                )
                .label("has no owner")
                .hint("Write it with an index: bid[player]: 0..10, owner sees"),
            );
        }
        let default = match &s.default {
            Some(_) if spoiled => Num::Const(0),
            Some(e) => {
                (self.options_only, self.nobody_sits) = (true, true);
                let want = self.ty_of(&ty);
                let val = self.expr_expecting(e, &want);
                (self.options_only, self.nobody_sits) = (false, false);
                self.need_type(&val, &want, e.span);
                let num = fold(val.into_num());
                if let Num::Const(n) = num {
                    self.check_in_range(n, &ty, e.span);
                }
                num
            }
            None => Num::Const(match &ty {
                Type::Player | Type::Card => NONE,
                Type::Attr(_) => NONE_VALUE,
                Type::Number { low, high } => 0.clamp(*low, (*high).max(*low)),
                _ => 0,
            }),
        };
        let role = s.role.as_ref().map(|t| self.plain(t));
        if role.is_some() && (ty != Type::Player || !dims.is_empty()) {
            self.report(
                Diagnostic::error("state/role", s.span, "A role belongs to one player")
                    .label("not a single player")
                    .hint("Write it like: judge: player, role \"Judge\""),
            );
        }
        let kind = if s.sealed.is_some() { VarKind::Sealed } else { VarKind::State { role } };
        self.declare(&s.name, Global::Var(self.program.vars.len() as VarId));
        self.program.vars.push(Var { name: s.name.text.clone(), kind, dims, ty, default });
    }

    pub(super) fn dice(&mut self, d: &'a ast::Dice) {
        let dims = self.dims(&d.name, &d.index);
        let (low, high, faces) = match &d.faces {
            ast::DiceFaces::Numbers(first, last) => {
                let (low, high) = self.const_range(first, last);
                if low < 1 {
                    self.report(
                        Diagnostic::error("dice/faces", first.span, "Faces of dice are numbered from 1 or more")
                            .label("too low"),
                    );
                }
                (low, high, None)
            }
            ast::DiceFaces::Words(words) => (1, words.len() as i32, Some(self.face_words(d, words))),
        };
        let mut sees = vec![VisibilityClause {
            who: ViewerGroup::Everyone,
            what: Visibility::Cards,
            when: None,
            span: d.name.span,
        }];
        for clause in &d.clauses {
            match &clause.kind {
                ast::ZoneClauseKind::Sees { who, what, when } => {
                    if sees.len() == 1 {
                        sees[0].what = Visibility::Nothing;
                    }
                    if let Some(s) = self.sees(clause.span, who, what.as_ref(), when.as_ref(), &dims) {
                        sees.push(s);
                    }
                }
                _ => self.report(
                    Diagnostic::error("dice/clause", clause.span, "Dice can't have this").label("only for zones"),
                ),
            }
        }
        self.declare(&d.name, Global::Var(self.program.vars.len() as VarId));
        self.program.vars.push(Var {
            name: d.name.text.clone(),
            kind: VarKind::Dice { low, high, faces, sees },
            dims,
            ty: Type::Number { low: 0, high },
            default: Num::Const(0),
        });
    }

    /// Declares the words on the sides of dice. They are values of an attribute that no card has, so that they are compared,
    /// kept and written like values of cards.
    fn face_words(&mut self, d: &ast::Dice, words: &[Name]) -> FaceWords {
        let mut distinct: Vec<String> = Vec::new();
        for word in words {
            if !distinct.contains(&word.text) {
                distinct.push(word.text.clone());
            }
        }
        if distinct.len() < 2 || words.len() > MOST_FACES {
            let span = words[0].span.to(words[words.len() - 1].span);
            self.report(match distinct.len() {
                0 | 1 => Diagnostic::error("dice/faces", span, format!("`{}` would always show the same", d.name.text))
                    .label("only one word")
                    .hint("Write one word for each side: faces hit hit miss. Numbers are written faces 1..6."),
                _ => Diagnostic::error("dice/faces", span, format!("A die has at most {MOST_FACES} sides"))
                    .label(format!("{} words", words.len())),
            });
        }
        let values: Vec<i32> = words
            .iter()
            .map(|word| distinct.iter().position(|known| *known == word.text).unwrap_or(0) as i32)
            .collect();
        let values = std::iter::once(NONE_VALUE).chain(values).collect();
        let domain = AttrDomain::Names(distinct);
        // Dice with the same words can be compared with each other.
        let declared = self.program.vars.iter().find_map(|var| match &var.kind {
            VarKind::Dice { faces: Some(faces), .. } => {
                (self.program.attrs[usize::from(faces.attr)].values == domain).then_some(faces.attr)
            }
            _ => None,
        });
        let attr = declared.unwrap_or_else(|| {
            self.program.attrs.push(Attr { name: format!("side of {}", d.name.text), values: domain });
            (self.program.attrs.len() - 1) as AttrId
        });
        self.program.tables.push(NumberTable { low: 0, values, none: NONE_VALUE });
        FaceWords { attr, table: (self.program.tables.len() - 1) as TableId }
    }
}
