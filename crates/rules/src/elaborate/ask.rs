//! Decisions: who is asked, what may be answered, and what becomes of those who don't.

use super::label::Label;
use super::value::{Code, DicePick, Ty, Val};
use super::{Elaborator, Global, Place_, Subject};
use crate::ast::{self, AskClauseKind, PartKind as AstPart};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::{Name, Span};

/// A part once elaborated: what the program keeps, and how the body sees it.
struct BodyVar<'a> {
    name: &'a Name,
    val: Val,
    /// `value of s`
    common: Option<(String, Val)>,
}

/// The pieces of an `ask`'s closing lines.
struct Clauses {
    default: Option<Default_>,
    within: Option<(Num, Timeout)>,
    absent: Absent,
    absent_after: Option<(Num, Pc)>,
    gone_default: bool,
    drop_when: Option<Num>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn ask(&mut self, ask: &'a ast::Ask) {
        match self.place {
            Place_::Hook | Place_::Answer => {
                self.report(
                    Diagnostic::error("ask/not-here", ask.span, "Nobody can be asked here")
                        .label(if self.place == Place_::Hook {
                            "`when …` happens in one go"
                        } else {
                            "all answers are opened in one go"
                        })
                        .hint("Set a state here and ask in the main course of the game."),
                );
                return;
            }
            Place_::Together if !matches!(ask.mode, ast::AskMode::One(_)) => {
                self.report(
                    Diagnostic::error("ask/together", ask.span, "Inside `together` each player is asked alone")
                        .hint("Write `ask p`."),
                );
                return;
            }
            _ => {}
        }
        let (mode, chooser, var) = self.ask_mode(ask);
        let sealed = matches!(mode, AskMode::All(_));
        let id = self.program.asks.len() as AskId;
        // Reserve the number: bodies may hold decisions of their own.
        self.program.asks.push(Ask {
            mode,
            prompt: None,
            prompt_public: true,
            alternatives: Vec::new(),
            default: None,
            within: None,
            absent: Absent::Wait,
            absent_after: None,
            gone_default: false,
            drop_when: None,
            after: 0,
            span: ask.span,
        });
        self.span = ask.span;
        self.emit(Op::Ask(id));
        let mut ends = Vec::new();
        let again = self.pc();
        if sealed {
            self.emit(Op::NextAnswer(id));
            ends.push(self.emit(Op::Jump(0)));
        }

        self.scopes.push(Default::default());
        if let Some(v) = var {
            self.bind(v, Val::num(Ty::Player, Num::Me, Label::Public));
        }
        let outer = self.chooser.replace(chooser.clone());
        let (prompt, prompt_public) = match &ask.prompt {
            Some(t) => {
                let (text, label) = self.text(t);
                let known = Val { ty: Ty::Text, label: label.clone(), ..Val::broken() };
                self.need_chooser(&known, t.span, "The question");
                (Some(text), label.is_public())
            }
            None => (None, true),
        };
        let mut alternatives = Vec::new();
        let mut bodies = Vec::new();
        for alt in &ask.alternatives {
            if let Some(first) =
                ask.alternatives.iter().take_while(|a| !std::ptr::eq(*a, alt)).find(|a| a.name.text == alt.name.text)
            {
                self.report(
                    Diagnostic::error("ask/twice", alt.name.span, format!("`{}` stands here twice", alt.name.text))
                        .label("again here")
                        .related(first.name.span, "first here"),
                );
            }
            if let (AskMode::First(_), "pass", Some(step)) =
                (&self.program.asks[id as usize].mode, alt.name.text.as_str(), alt.body.first())
            {
                self.report(
                    Diagnostic::error("ask/pass", step.span, "Nothing happens when somebody passes here")
                        .label("never reached")
                        .hint("In `ask first`, `pass` only says that a player does not want to be first. Call it something else if it does more."),
                );
            }
            let (a, vars) = self.alternative(alt, sealed, &chooser);
            alternatives.push(a);
            bodies.push(vars);
        }
        self.check_never_stuck(ask);
        self.chooser = outer;
        self.scopes.pop();

        for ((alt, vars), compiled) in ask.alternatives.iter().zip(bodies).zip(&mut alternatives) {
            compiled.body = self.pc();
            let place = self.place.clone();
            if sealed {
                self.place = Place_::Answer;
            }
            self.scopes.push(Default::default());
            self.span = alt.span;
            if let Some(v) = var {
                let seat = if sealed {
                    Num::Me
                } else {
                    // The answering seat is `Me` only while the body begins; it keeps a name of its own.
                    let local = self.local(&v.text, Type::Player);
                    self.emit(Op::Set(Place { var: local, index: Vec::new() }, Num::Me));
                    Num::Var(local)
                };
                self.bind(v, Val::num(Ty::Player, seat, Label::Public));
            }
            for b in vars {
                self.bind(b.name, b.val);
                if let Some((key, val)) = b.common {
                    self.scopes.last_mut().expect("a scope").insert(key, val);
                }
            }
            self.block(&alt.body);
            self.scopes.pop();
            self.place = place;
            if sealed {
                self.emit(Op::Jump(again));
            } else {
                ends.push(self.emit(Op::Jump(0)));
            }
        }
        let clauses = self.clauses(false, &ask.clauses, &ask.alternatives, &chooser, var, &mut ends);
        for e in ends {
            self.patch(e);
        }
        let after = self.pc();
        let slot = &mut self.program.asks[id as usize];
        slot.prompt = prompt;
        slot.prompt_public = prompt_public;
        slot.alternatives = alternatives;
        slot.default = clauses.default;
        slot.within = clauses.within.map(|(seconds, then)| Within { seconds, then });
        slot.absent = clauses.absent;
        slot.absent_after = clauses.absent_after;
        slot.gone_default = clauses.gone_default;
        slot.drop_when = clauses.drop_when;
        slot.after = after;
    }

    fn ask_mode(&mut self, ask: &'a ast::Ask) -> (AskMode, Num, Option<&'a Name>) {
        match &ask.mode {
            ast::AskMode::One(e) => {
                let val = self.player(e);
                self.need_public(&val, e.span, "Who is asked");
                let num = val.into_num();
                if self.place == Place_::Together && num != Num::Me {
                    self.report(
                        Diagnostic::error("ask/together", e.span, "Inside `together` each player is asked alone")
                            .label("someone else")
                            .hint("Ask the player that `together` names."),
                    );
                }
                (AskMode::One(num.clone()), num, None)
            }
            ast::AskMode::All { var, over } => {
                (AskMode::All(self.seats(over, Some(var), "Who is asked")), Num::Me, Some(var))
            }
            ast::AskMode::First { var, over } => {
                (AskMode::First(self.seats(over, Some(var), "Who is asked")), Num::Me, Some(var))
            }
        }
    }

    fn alternative(
        &mut self,
        alt: &'a ast::Alternative,
        sealed: bool,
        chooser: &Num,
    ) -> (Alternative, Vec<BodyVar<'a>>) {
        self.scopes.push(Default::default());
        let when = alt.when.as_ref().map(|e| self.chooser_condition(e, "When this is possible"));
        let label = alt.label.as_ref().map(|t| self.chooser_text(t, "The label"));
        let mut parts = Vec::new();
        let mut vars = Vec::new();
        for p in &alt.parts {
            if let Some((part, body)) = self.part(p, sealed, chooser) {
                parts.push(part);
                vars.push(body);
            }
        }
        let musts = alt
            .musts
            .iter()
            .map(|m| Must {
                cond: self.chooser_condition(&m.cond, "This rule"),
                if_able: m.if_able,
                when: m.when.as_ref().map(|e| self.chooser_condition(e, "When this rule applies")),
                reason: self.chooser_text(&m.reason, "The reason"),
            })
            .collect();
        self.scopes.pop();
        let compiled =
            Alternative { name: alt.name.text.clone(), label, parts, when, if_none: alt.if_none, musts, body: 0 };
        (compiled, vars)
    }

    fn chooser_condition(&mut self, e: &ast::Expr, what: &str) -> Num {
        let val = self.expr_expecting(e, &Ty::YesNo);
        self.need_type(&val, &Ty::YesNo, e.span);
        self.need_chooser(&val, e.span, what);
        val.into_num()
    }

    fn chooser_number(&mut self, e: &ast::Expr) -> Num {
        let val = self.expr_expecting(e, &Ty::Num);
        self.need_type(&val, &Ty::Num, e.span);
        self.need_chooser(&val, e.span, "What can be chosen");
        val.into_num()
    }

    fn chooser_text(&mut self, t: &ast::Text, what: &str) -> Text {
        let (text, label) = self.text(t);
        self.need_chooser(&Val { ty: Ty::Text, label, ..Val::broken() }, t.span, what);
        text
    }

    fn chooser_cards(&mut self, e: &ast::Expr) -> Val {
        let cards = self.selection(e);
        self.need_chooser(&cards, e.span, "What can be chosen");
        cards
    }

    fn size(&mut self, size: &Option<(ast::Expr, Option<ast::Expr>)>) -> (Num, Num) {
        match size {
            None => (Num::Const(1), Num::Const(i32::MAX)),
            Some((low, None)) => {
                let n = self.chooser_number(low);
                (n.clone(), n)
            }
            Some((low, Some(high))) => (self.chooser_number(low), self.chooser_number(high)),
        }
    }

    /// One part of an alternative: what can be chosen, the name for it while rules are tested, and the name in the body.
    fn part(&mut self, p: &'a ast::Part, sealed: bool, chooser: &Num) -> Option<(Part, BodyVar<'a>)> {
        let bound = self.bound();
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
                source.label = Label::hidden();
                let Code::Cards(Cards::Zone(zone)) = source.code.clone() else {
                    if !source.is_broken() {
                        self.report(
                            Diagnostic::error("part/unseen", e.span, "An unseen card is taken from one zone")
                                .label("not a zone"),
                        );
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
                    let b = self.bound();
                    let card = Val {
                        ty: Ty::Card,
                        code: Code::Num(Num::Bound(b)),
                        label: source.label.clone(),
                        ..Val::broken()
                    };
                    let test = self.with_subject(Subject::Card(card), |s| s.expr_expecting(e, &Ty::YesNo));
                    self.need_type(&test, &Ty::YesNo, e.span);
                    self.need_chooser(&test, e.span, "What can be chosen");
                    (b, test.into_num())
                });
                let alone = alone.as_ref().map(|e| {
                    let v = self.expr_expecting(e, &Ty::Attr(attr_id));
                    self.need_type(&v, &Ty::Attr(attr_id), e.span);
                    self.need_chooser(&v, e.span, "What can be chosen");
                    v.into_num()
                });
                let (low, high) = self.size(size);
                let value = (
                    self.bound(),
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
                let value = (
                    self.bound(),
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
                    _ => {
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
        // While rules are tested the candidate is in a bound; the chooser knows what it looks at.
        let test_val = Val {
            ty: ty.clone(),
            code: if ty == Ty::Cards { Code::Cards(Cards::Bound(bound)) } else { Code::Num(Num::Bound(bound)) },
            label: source.label.clone(),
            count: Label::Public,
            by: source.by.clone(),
            at: source.at.clone(),
            zones: source.zones.clone(),
            in_order: matches!(p.kind, AstPart::Cards { ordered: true, .. }),
        };
        self.bind(&p.var, test_val.clone());
        if let Some((attr, b, _)) = common {
            let key = format!("{} of {}", self.program.attrs[attr as usize].name, p.var.text);
            let val = Val::num(Ty::Attr(attr), Num::Bound(b), source.label.clone());
            self.scopes.last_mut().expect("a scope").insert(key, val);
        }
        let filter = p.filter.as_ref().map(|e| {
            let test = match &kind {
                PartKind::Card(_) => {
                    self.with_subject(Subject::Card(test_val.clone()), |s| s.expr_expecting(e, &Ty::YesNo))
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
            test.into_num()
        });
        let var = self.part_local(&p.var.text, sealed, var_ty);
        let body = self.body_var(p, &ty, &source, var, common, chooser);
        Some((Part { name: p.var.text.clone(), bound, var, kind, filter }, body))
    }

    fn part_local(&mut self, name: &str, sealed: bool, ty: Type) -> VarId {
        if sealed { self.new_var(name, VarKind::SeatLocal, ty) } else { self.local(name, ty) }
    }

    /// How the body sees what was chosen: an answer is public once given, except in `together`; chosen cards
    /// stay known to those who knew them until they are moved into sight.
    fn body_var(
        &mut self,
        p: &'a ast::Part,
        ty: &Ty,
        source: &Val,
        var: VarId,
        common: Option<(AttrId, BoundId, VarId)>,
        chooser: &Num,
    ) -> BodyVar<'a> {
        // State may name another seat after any decision, since `when …` can change it; a local can't.
        let lasting = match chooser {
            Num::Var(v) => self.program.vars[*v as usize].kind == VarKind::Local,
            _ => true,
        };
        let mine = |label: &Label| match label {
            Label::Known(seats) if seats.contains(&Num::Me) && !lasting => Label::hidden(),
            Label::Known(seats) if seats.contains(&Num::Me) => Label::Known(vec![chooser.clone()]),
            other => other.clone(),
        };
        let is_cards = matches!(ty, Ty::Card | Ty::Cards);
        let label = match (is_cards, &self.place) {
            (true, _) => mine(&source.label),
            (false, Place_::Together) => Label::Known(vec![Num::Me]),
            (false, _) => Label::Public,
        };
        let val = Val {
            ty: ty.clone(),
            code: if *ty == Ty::Cards { Code::Cards(Cards::Picked(var)) } else { Code::Num(Num::Var(var)) },
            label: label.clone(),
            count: if self.place == Place_::Together { Label::Known(vec![Num::Me]) } else { Label::Public },
            by: source.by.clone(),
            at: source.at.clone(),
            zones: source.zones.clone(),
            in_order: matches!(p.kind, AstPart::Cards { ordered: true, .. }),
        };
        let common = common.map(|(attr, _, v)| {
            let key = format!("{} of {}", self.program.attrs[attr as usize].name, p.var.text);
            (key, Val::num(Ty::Attr(attr), Num::Var(v), label))
        });
        BodyVar { name: &p.var, val, common }
    }

    /// A hard `must` may leave nothing; then there must be something else to do.
    fn check_never_stuck(&mut self, ask: &'a ast::Ask) {
        let free = |a: &ast::Alternative| {
            a.when.is_none()
                && a.musts.iter().all(|m| m.if_able)
                && !a.if_none
                && a.parts.iter().all(|p| p.filter.is_none())
        };
        if ask.alternatives.iter().any(|a| free(a) || a.if_none) {
            return;
        }
        let hard = ask.alternatives.iter().flat_map(|a| &a.musts).find(|m| !m.if_able);
        if let Some(m) = hard {
            self.report(
                Diagnostic::error("ask/stuck", m.span, "A player could be stuck here")
                    .label("this may leave nothing to choose")
                    .hint("Write `must … if able`, or add an alternative for that case: pass if none"),
            );
        }
    }

    fn clauses(
        &mut self,
        in_together: bool,
        list: &'a [ast::AskClause],
        alternatives: &[ast::Alternative],
        chooser: &Num,
        var: Option<&'a Name>,
        ends: &mut Vec<usize>,
    ) -> Clauses {
        let mut out = Clauses {
            default: None,
            within: None,
            absent: self.program.meta.absent,
            absent_after: None,
            gone_default: false,
            drop_when: None,
        };
        for (i, clause) in list.iter().enumerate() {
            self.span = clause.span;
            let same = |c: &&ast::AskClause| std::mem::discriminant(&c.kind) == std::mem::discriminant(&clause.kind);
            if let Some(first) = list[..i].iter().find(same) {
                self.report(
                    Diagnostic::error("ask/clause-twice", clause.span, "This is said twice")
                        .label("again here")
                        .related(first.span, "first here"),
                );
                continue;
            }
            let lone = matches!(
                clause.kind,
                AskClauseKind::Gone(_) | AskClauseKind::DropWhen(_) | AskClauseKind::Absent { seconds: Some(_), .. }
            );
            if in_together && lone {
                self.report(
                    Diagnostic::error("together/clause", clause.span, "This belongs to a single question")
                        .label("not possible for `together`")
                        .hint("Write it below the `ask` inside."),
                );
                continue;
            }
            match &clause.kind {
                AskClauseKind::Default { alternative, pick } => out.default = self.default_move(alternative, pick.as_ref(), alternatives),
                AskClauseKind::Within { seconds, then } => {
                    let seconds = self.public_number(seconds, "The clock");
                    if let Some(t) = self.then(then, &["default", "skip", "pause"], ends) {
                        out.within = Some((seconds, t));
                    }
                }
                AskClauseKind::Absent { seconds: None, then: ast::Then::Word(w) } => {
                    if let Some(a) = self.absent_word(w) {
                        out.absent = a;
                    }
                }
                AskClauseKind::Absent { seconds: Some(s), then: ast::Then::Block(body) } => {
                    let seconds = self.public_number(s, "The clock");
                    let pc = self.pc();
                    self.block(body);
                    ends.push(self.emit(Op::Jump(0)));
                    out.absent = Absent::Wait;
                    out.absent_after = Some((seconds, pc));
                }
                AskClauseKind::Absent { .. } => self.report(
                    Diagnostic::error("ask/absent", clause.span, "What happens when the player is absent?")
                        .hint("Write `absent wait`, `absent skip`, `absent default`, or `absent 30 seconds` with what happens then indented below."),
                ),
                AskClauseKind::Gone(w) => {
                    if let Some(i) = self.word(w, &["skip", "default"]) {
                        out.gone_default = i == 1;
                    }
                }
                AskClauseKind::DropWhen(e) => {
                    self.scopes.push(Default::default());
                    if let Some(v) = var {
                        self.bind(v, Val::num(Ty::Player, Num::Me, Label::Public));
                    }
                    let outer = self.chooser.replace(chooser.clone());
                    let val = self.expr_expecting(e, &Ty::YesNo);
                    self.need_type(&val, &Ty::YesNo, e.span);
                    self.need_public(&val, e.span, "Whether the question is dropped");
                    self.chooser = outer;
                    self.scopes.pop();
                    out.drop_when = Some(val.into_num());
                }
            }
        }
        out
    }

    fn then(&mut self, then: &'a ast::Then, words: &[&str], ends: &mut Vec<usize>) -> Option<Timeout> {
        match then {
            ast::Then::Word(w) => self.word(w, words).map(|i| match words[i] {
                "default" => Timeout::Default,
                "pause" => Timeout::Pause,
                _ => Timeout::Skip,
            }),
            ast::Then::Block(body) => {
                let pc = self.pc();
                self.block(body);
                ends.push(self.emit(Op::Jump(0)));
                Some(Timeout::Goto(pc))
            }
        }
    }

    fn default_move(
        &mut self,
        name: &Name,
        pick: Option<&ast::Pick>,
        alternatives: &[ast::Alternative],
    ) -> Option<Default_> {
        let Some(i) = alternatives.iter().position(|a| a.name.text == name.text) else {
            let names: Vec<&str> = alternatives.iter().map(|a| a.name.text.as_str()).collect();
            let d = Diagnostic::error("default/unknown", name.span, format!("`{}` can't be answered here", name.text))
                .label("not one of the alternatives");
            self.report(match did_you_mean(&name.text, names.iter().copied()) {
                Some(near) => d.hint(format!("Did you mean `{near}`?")),
                None => d.hint(format!("Possible are: {}.", names.join(", "))),
            });
            return None;
        };
        let first = alternatives[i].parts.first();
        let pick = match pick {
            None | Some(ast::Pick::First) => Pick::First,
            Some(ast::Pick::Random) => Pick::Random,
            Some(ast::Pick::Lowest(n) | ast::Pick::Highest(n)) => {
                let attr = self.attr_name(n)?;
                if !matches!(
                    first.map(|p| &p.kind),
                    Some(AstPart::Card(_) | AstPart::Cards { .. } | AstPart::Alike { .. } | AstPart::Run { .. })
                ) {
                    self.report(
                        Diagnostic::error("default/pick", n.span, format!("`{}` does not choose a card", name.text))
                            .label("nothing to compare"),
                    );
                    return None;
                }
                match pick {
                    Some(ast::Pick::Lowest(_)) => Pick::Lowest(attr),
                    _ => Pick::Highest(attr),
                }
            }
        };
        Some(Default_ { alternative: i as u16, pick })
    }

    pub(super) fn together(
        &mut self,
        span: Span,
        var: &'a Name,
        over: &'a ast::Expr,
        body: &'a [ast::Stmt],
        clauses: &'a [ast::AskClause],
    ) {
        if self.place != Place_::Main {
            self.report(
                Diagnostic::error("together/nested", span, "`together` can't stand here")
                    .label("only in the main course of the game"),
            );
            return;
        }
        let seats = self.seats(over, Some(var), "Who acts");
        let id = self.program.togethers.len() as u16;
        self.program.togethers.push(Together {
            over: seats,
            body: 0,
            after: 0,
            within: None,
            absent: self.program.meta.absent,
            span,
        });
        self.emit(Op::Together(id));
        let start = self.pc();
        self.place = Place_::Together;
        let loops = std::mem::take(&mut self.loops);
        self.scoped(|e| {
            e.bind(var, Val::num(Ty::Player, Num::Me, Label::Public));
            e.block(body);
        });
        self.span = span;
        self.emit(Op::ThreadEnd);
        self.place = Place_::Main;
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
        t.within = c.within.map(|(seconds, then)| Within { seconds, then });
        t.absent = c.absent;
    }
}
