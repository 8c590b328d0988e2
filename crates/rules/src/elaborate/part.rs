//! The parts of an alternative: what a player picks, from what, and under which name.

use super::cards::subject_card;
use super::label::{HiddenReason, Label, StaleCause, Staleness};
use super::value::{Code, DicePick, Ty, Val};
use super::{Context, Elaborator, Global, Subject};
use crate::ast::{self, PartKind as AstPart};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::Name;

/// The variable that holds a picked part in the body of its alternative.
pub(super) struct BodyVar<'a> {
    pub name: &'a Name,
    pub val: Val,
    /// For a set: the value that its cards have in common, under the name `value of s`.
    pub common: Option<(String, Val)>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn size(&mut self, size: &Option<(ast::Expr, Option<ast::Expr>)>) -> (Num, Num) {
        match size {
            None => (Num::Const(1), Num::Const(i32::MAX)),
            Some((low, None)) => {
                let n = self.chooser_number(low);
                (n.clone(), n)
            }
            Some((low, Some(high))) => (self.chooser_number(low), self.chooser_number(high)),
        }
    }

    /// Elaborates one part: the candidates, the name of a candidate while the engine tests legality, and the variable
    /// in the body.
    pub(super) fn part(&mut self, p: &'a ast::Part, sealed: bool, chooser: &Num) -> Option<(Part, BodyVar<'a>)> {
        let bound = self.new_bound();
        let mut common: Option<(AttrId, BoundId, VarId)> = None;
        let mut source = Val::broken();
        let (kind, ty, var_ty) = match &p.kind {
            AstPart::Card(e) => {
                source = self.chooser_cards(e);
                (PartKind::Card(source.clone().into_cards()), Ty::Card, Type::Card)
            }
            AstPart::Unseen(e) => {
                source = self.selection(e);
                let known = Val { label: source.count.clone(), ..source.clone() };
                self.need_chooser(&known, e.span, "What can be chosen");
                self.narrow_possible(&known.label);
                source.label = Label::nobody(HiddenReason::Unseen);
                let Code::Cards(Selection::Zone(zone)) = source.code.clone() else {
                    let problem = Diagnostic::error("part/unseen", e.span, "An unseen card is taken from one zone");
                    match &source.code {
                        Code::Broken => {}
                        Code::Cards(Selection::Family(z)) => {
                            let zone = &self.program.zones[*z as usize];
                            let (index, whose) = match zone.dims[..] {
                                [Dim::Player] => ("q", ": let another part say whose, `player q from players`"),
                                [_] => ("n", ""),
                                _ => ("n, m", ""),
                            };
                            let (name, at) = (zone.name.clone(), zone.span);
                            self.report(problem.label("there are several").related(at, "declared here").hint(format!(
                                "Write which one, `unseen {} from {name}[{index}]`{whose}.",
                                p.var.text
                            )));
                        }
                        _ => self.report(
                            problem
                                .label("a choice from a zone, not a zone")
                                .hint(format!("Write just the zone: `unseen {} from hand[q]`.", p.var.text)),
                        ),
                    }
                    return None;
                };
                let z = &self.program.zones[zone.zone as usize];
                if !z.ordered {
                    let (name, at) = (z.name.clone(), z.span);
                    self.report(
                        Diagnostic::error(
                            "zone/no-order",
                            e.span,
                            format!("The cards of `{name}` have no places to point at"),
                        )
                        .label("they lie in no order")
                        .related(at, "declared here")
                        .hint("Add `ordered` to the zone, and shuffle it before somebody picks."),
                    );
                }
                (PartKind::Unseen(zone), Ty::Card, Type::Card)
            }
            AstPart::Cards { low, high, from, ordered } => {
                let low_num = self.chooser_number(low);
                let high_num = high.as_ref().map(|h| self.chooser_number(h)).unwrap_or_else(|| low_num.clone());
                source = self.chooser_cards(from);
                (
                    PartKind::Cards {
                        low: low_num,
                        high: high_num,
                        from: source.clone().into_cards(),
                        ordered: *ordered,
                    },
                    Ty::Cards,
                    Type::Cards,
                )
            }
            AstPart::Alike { from, attr, wild, alone, size } => {
                source = self.chooser_cards(from);
                let attr_id = self.attr_name(attr)?;
                let wild = wild.as_ref().map(|e| {
                    let b = self.new_bound();
                    let card = Val { by: None, facing: None, ..subject_card(b, &source) };
                    let mut test =
                        self.with_subject(Subject::Card(Box::new(card)), |s| s.expr_expecting(e, &Ty::YesNo));
                    self.need_type(&test, &Ty::YesNo, e.span);
                    // Everybody learns the common value of a set, so nothing hidden may decide it but the cards
                    // themselves.
                    let besides = self.read_besides(&mut test, b, &source);
                    let known = Val { label: besides, ..test.clone() };
                    self.need_public(&known, e.span, "Which cards are wild");
                    (b, test.into_num())
                });
                let alone = alone.as_ref().map(|e| {
                    let v = self.expr_expecting(e, &Ty::Attr(attr_id));
                    self.need_type(&v, &Ty::Attr(attr_id), e.span);
                    self.need_public(&v, e.span, "What wild cards alone stand for");
                    v.into_num()
                });
                let (low, high) = self.size(size);
                if size.is_some() || wild.is_some() && alone.is_none() {
                    self.narrow_possible(&source.label);
                }
                let value = (
                    self.new_bound(),
                    self.part_local(&format!("{} of {}", attr.text, p.var.text), sealed, Type::Attr(attr_id)),
                );
                common = Some((attr_id, value.0, value.1));
                (
                    PartKind::Alike { from: source.clone().into_cards(), attr: attr_id, wild, alone, low, high, value },
                    Ty::Cards,
                    Type::Cards,
                )
            }
            AstPart::Run { from, attr, within, size } => {
                source = self.chooser_cards(from);
                let attr_id = self.attr_name(attr)?;
                let within = match within {
                    Some(w) => Some(self.attr_name(w)?),
                    None => None,
                };
                let (low, high) = self.size(size);
                if size.is_some() {
                    self.narrow_possible(&source.label);
                }
                let value = (
                    self.new_bound(),
                    self.part_local(&format!("{} of {}", attr.text, p.var.text), sealed, Type::Attr(attr_id)),
                );
                common = Some((attr_id, value.0, value.1));
                (
                    PartKind::Run { from: source.clone().into_cards(), attr: attr_id, within, low, high, value },
                    Ty::Cards,
                    Type::Cards,
                )
            }
            AstPart::Number { low, high } => {
                let (low, high) = (self.chooser_number(low), self.chooser_number(high));
                (PartKind::Number { low, high }, Ty::Num, Type::Number { low: i32::MIN, high: i32::MAX })
            }
            AstPart::Pile(n) => {
                let Some((Global::Zone(z), _)) = self.globals.get(&n.text).copied() else {
                    self.report(
                        Diagnostic::error("part/pile", n.span, format!("`{}` is not a zone", n.text))
                            .label("a numbered zone is needed")
                            .hint("Declare one: piles[1..9]: …"),
                    );
                    return None;
                };
                self.used.insert(n.text.clone());
                let zone = &self.program.zones[z as usize];
                let (ty, var_ty) = match zone.dims[..] {
                    [Dim::Range { .. }] => (Ty::Num, Type::Number { low: i32::MIN, high: i32::MAX }),
                    [Dim::Player] => (Ty::Player, Type::Player),
                    [Dim::Attr(a)] => (Ty::Attr(a), Type::Attr(a)),
                    [_, _, ..] => {
                        let at = zone.span;
                        self.report(
                            Diagnostic::error("part/pile", n.span, format!("`{}` has more than one index", n.text))
                                .label("a pile is picked by one")
                                .related(at, "declared here")
                                .hint(format!("Let the player pick each index, `number i from 1..2, number j from 1..2`, and write `{}[i, j]`; or number the piles through: {}[1..9]: …", n.text, n.text)),
                        );
                        return None;
                    }
                    [] => {
                        let at = zone.span;
                        self.report(
                            Diagnostic::error("part/pile", n.span, format!("There is only one `{}`", n.text))
                                .label("nothing to choose from")
                                .related(at, "declared here")
                                .hint(format!("Declare several: {}[1..9]: …", n.text)),
                        );
                        return None;
                    }
                };
                (PartKind::Pile(z), ty, var_ty)
            }
            AstPart::Player(e) => {
                let val = self.players_called(e, &p.var);
                self.need_type(&val, &Ty::Players, e.span);
                self.need_chooser(&val, e.span, "Who can be chosen");
                self.narrow_possible(&val.label);
                (PartKind::Player(val.into_seats()), Ty::Player, Type::Player)
            }
            AstPart::Value(n) => {
                let a = self.attr_name(n)?;
                (PartKind::Value(a), Ty::Attr(a), Type::Attr(a))
            }
            AstPart::Choice(names) => {
                let values: Vec<String> = names.iter().map(|n| n.text.clone()).collect();
                (PartKind::Choice(values.clone()), Ty::Choice(values.clone()), Type::Choice(values))
            }
            AstPart::YesNo => (PartKind::YesNo, Ty::YesNo, Type::YesNo),
            AstPart::Text(e) => {
                let most = self.const_num(e);
                if !(1..=500).contains(&most) {
                    self.report(
                        Diagnostic::error("part/text", e.span, "A text has at most 500 letters")
                            .label(format!("{most}")),
                    );
                }
                (PartKind::Text(Num::Const(most)), Ty::Text, Type::Text { low: 1, high: most })
            }
            AstPart::Dice(n) => match self.globals.get(&n.text).copied() {
                Some((Global::Var(v), _)) if matches!(self.program.vars[v as usize].kind, VarKind::Dice { .. }) => {
                    self.used.insert(n.text.clone());
                    let dims = self.program.vars[v as usize].dims.clone();
                    let index = match dims[..] {
                        [_] => Vec::new(),
                        [Dim::Player, _] => vec![Num::Me],
                        _ => {
                            self.report(
                                Diagnostic::error("part/dice", n.span, format!("`{}` is not several dice", n.text))
                                    .label("nothing to choose from")
                                    .hint("Declare several: five[1..5]: faces 1..6"),
                            );
                            return None;
                        }
                    };
                    let (low, high) = match dims.last() {
                        Some(Dim::Range { low, high }) => (*low, *high),
                        Some(Dim::Attr(attr)) => self.attr_limits(*attr).unwrap_or((0, -1)),
                        _ => (0, MAX_SEATS as i32 - 1),
                    };
                    let of = index.iter().map(|_| chooser.clone()).collect();
                    let pick = DicePick { dice: v, index: of, low, high };
                    (PartKind::Dice(v, index), Ty::DiceSet(pick), Type::DiceSet)
                }
                _ => {
                    self.report(
                        Diagnostic::error("part/dice", n.span, format!("`{}` is not dice", n.text))
                            .label("dice are needed here"),
                    );
                    return None;
                }
            },
        };
        // While the engine tests legality a bound variable holds the candidate; the chooser knows what it sees.
        let test_val = Val {
            ty: ty.clone(),
            code: if ty == Ty::Cards { Code::Cards(Selection::Bound(bound)) } else { Code::Num(Num::Bound(bound)) },
            label: source.label.clone(),
            count: Label::PUBLIC,
            which: Label::PUBLIC,
            by: source.by.clone(),
            facing: source.facing.clone(),
            at: source.at.clone(),
            zones: source.zones.clone(),
            in_order: matches!(p.kind, AstPart::Cards { ordered: true, .. }),
        };
        self.bind(&p.var, test_val.clone());
        if let Some((attr, b, _)) = common {
            let key = format!("{} of {}", self.program.attrs[attr as usize].name, p.var.text);
            let val = Val::num(Ty::Attr(attr), Num::Bound(b), source.label.clone());
            self.scopes.insert(&key, val);
        }
        let filter = p.filter.as_ref().map(|e| {
            let test = match &kind {
                PartKind::Card(_) => {
                    self.with_subject(Subject::Card(Box::new(test_val.clone())), |s| s.expr_expecting(e, &Ty::YesNo))
                }
                PartKind::Player(_) => self
                    .with_subject(Subject::Index(vec![Dim::Player], vec![Num::Bound(bound)]), |s| {
                        s.expr_expecting(e, &Ty::YesNo)
                    }),
                PartKind::Pile(z) => {
                    let dims = self.program.zones[*z as usize].dims.clone();
                    self.with_subject(Subject::Index(dims, vec![Num::Bound(bound)]), |s| {
                        s.expr_expecting(e, &Ty::YesNo)
                    })
                }
                _ => self.expr_expecting(e, &Ty::YesNo),
            };
            self.need_type(&test, &Ty::YesNo, e.span);
            self.need_chooser(&test, e.span, "What can be chosen");
            self.narrow_possible(&test.label);
            test.into_num()
        });
        let var = self.part_local(&p.var.text, sealed, var_ty);
        if let AstPart::Cards { ordered: false, .. } = p.kind {
            self.unordered_picks.insert(var);
        }
        let body = self.body_var(p, &ty, &source, var, common, chooser);
        Some((Part { name: p.var.text.clone(), bound, var, kind, filter }, body))
    }

    fn part_local(&mut self, name: &str, sealed: bool, ty: Type) -> VarId {
        if sealed { self.new_var(name, VarKind::SeatLocal, ty) } else { self.local(name, ty) }
    }

    /// Returns the label of a picked part in the body. An answer is public, except inside `together`. Only those who
    /// knew the picked cards before know them, until the rules move the cards into sight.
    fn body_var(
        &mut self,
        p: &'a ast::Part,
        ty: &Ty,
        source: &Val,
        var: VarId,
        common: Option<(AttrId, BoundId, VarId)>,
        chooser: &Num,
    ) -> BodyVar<'a> {
        let mine = |label: &Label| match label {
            open if open.is_public() => Label::PUBLIC,
            known if !self.readable_by(known, &Num::Me) => known.clone(),
            _ if self.is_steady(chooser) => Label::only(chooser.clone()),
            _ => Label::nobody(HiddenReason::Stale(Staleness::at_word(self.span, "ask", StaleCause::Answered))),
        };
        let is_cards = matches!(ty, Ty::Card | Ty::Cards);
        let label = match (is_cards, &self.context) {
            (true, _) => mine(&source.label),
            (false, Context::Together) => Label::only(Num::Me),
            (false, _) => Label::PUBLIC,
        };
        let val = Val {
            ty: ty.clone(),
            code: if *ty == Ty::Cards { Code::Cards(Selection::Picked(var)) } else { Code::Num(Num::Var(var)) },
            label: label.clone(),
            count: if self.context == Context::Together { Label::only(Num::Me) } else { Label::PUBLIC },
            which: Label::PUBLIC,
            by: source.by.clone(),
            facing: None,
            at: source.at.clone(),
            zones: source.zones.clone(),
            in_order: matches!(p.kind, AstPart::Cards { ordered: true, .. }),
        };
        let common = common.map(|(attr, _, v)| {
            let key = format!("{} of {}", self.program.attrs[attr as usize].name, p.var.text);
            let zones = source.zones.clone();
            (key, Val { zones, ..Val::num(Ty::Attr(attr), Num::Var(v), label) })
        });
        BodyVar { name: &p.var, val, common }
    }
}
