//! The lines below the alternatives of an `ask`: what happens if no answer comes.

use super::Elaborator;
use super::label::Label;
use super::value::{Ty, Val};
use crate::ast::{self, AskClauseKind, PartKind as AstPart};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::program::*;
use crate::span::Name;

/// The clauses of an `ask`.
pub(super) struct Clauses {
    pub default: Option<DefaultMove>,
    pub within: Option<(Num, TimeoutAction)>,
    pub absent: AbsentPolicy,
    pub absent_after: Option<(Num, Pc)>,
    pub gone_default: bool,
    pub drop_when: Option<Num>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn clauses(
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
                    let seconds = self.time(seconds);
                    if let Some(t) = self.clause_action(then, &["default", "skip", "pause"], ends) {
                        out.within = Some((seconds, t));
                    }
                }
                AskClauseKind::Absent { seconds: None, then: ast::ClauseAction::Word(w) } => {
                    if let Some(a) = self.absent_word(w) {
                        out.absent = a;
                    }
                }
                AskClauseKind::Absent { seconds: Some(s), then: ast::ClauseAction::Block(body) } => {
                    let seconds = self.time(s);
                    let pc = self.pc();
                    self.block(body);
                    ends.push(self.emit(Op::Jump(0)));
                    out.absent = AbsentPolicy::Wait;
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
                    self.scopes.open_scope();
                    if let Some(v) = var {
                        self.bind(v, Val::num(Ty::Player, Num::Me, Label::PUBLIC));
                    }
                    let outer = self.chooser.replace(chooser.clone());
                    let val = self.expr_expecting(e, &Ty::YesNo);
                    self.need_type(&val, &Ty::YesNo, e.span);
                    self.need_public(&val, e.span, "Whether the question is dropped");
                    self.chooser = outer;
                    self.scopes.close_scope();
                    out.drop_when = Some(val.into_num());
                }
            }
        }
        out
    }

    pub(super) fn clause_action(
        &mut self,
        then: &'a ast::ClauseAction,
        words: &[&str],
        ends: &mut Vec<usize>,
    ) -> Option<TimeoutAction> {
        match then {
            ast::ClauseAction::Word(w) => self.word(w, words).map(|i| match words[i] {
                "default" => TimeoutAction::Default,
                "pause" => TimeoutAction::Pause,
                _ => TimeoutAction::Skip,
            }),
            ast::ClauseAction::Block(body) => {
                let pc = self.pc();
                self.block(body);
                ends.push(self.emit(Op::Jump(0)));
                Some(TimeoutAction::Goto(pc))
            }
        }
    }

    fn default_move(
        &mut self,
        name: &Name,
        pick: Option<&ast::DefaultPick>,
        alternatives: &[ast::Alternative],
    ) -> Option<DefaultMove> {
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
            None | Some(ast::DefaultPick::First) => DefaultPick::First,
            Some(ast::DefaultPick::Random) => DefaultPick::Random,
            Some(ast::DefaultPick::Lowest(n) | ast::DefaultPick::Highest(n)) => {
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
                    Some(ast::DefaultPick::Lowest(_)) => DefaultPick::Lowest(attr),
                    _ => DefaultPick::Highest(attr),
                }
            }
        };
        Some(DefaultMove { alternative: i as u16, pick })
    }
}
