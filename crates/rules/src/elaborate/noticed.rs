//! Lists what players tell by their answers, for `check --reveals`.

use super::label::Label;
use super::{Context, Elaborator, Global};
use crate::ast::{self, ExprKind, StmtKind};
use crate::program::*;
use crate::span::Name;
use crate::switch;

impl<'a> Elaborator<'a> {
    /// Lists what everybody learns from an answer: the alternative, and what was picked, except cards that not everybody sees.
    pub(super) fn list_answers(
        &mut self,
        ask: &ast::Ask,
        alternatives: &[Alternative],
        hidden: &[Vec<String>],
        nothing: bool,
        pc: Pc,
    ) {
        // The only possible answer tells nothing, and neither does a pick of one hidden card, unless a hidden fact may make
        // the answer impossible.
        let open = |(alternative, hidden): (&Alternative, &Vec<String>)| {
            let one = |part: &Part| matches!(part.kind, PartKind::Card(_) | PartKind::Unseen(_));
            alternative.parts.iter().any(|part| !one(part) || !hidden.contains(&part.name))
        };
        let chooses = nothing || alternatives.len() > 1 || alternatives.iter().zip(hidden).any(open);
        if !chooses || self.context == Context::Together || switch::is_off() {
            return;
        }
        let answer = |(alternative, hidden): (&Alternative, &Vec<String>)| {
            let parts = alternative.parts.iter().map(|part| match &part.kind {
                _ if hidden.contains(&part.name) => match part.kind {
                    PartKind::Card(_) | PartKind::Unseen(_) => format!("{} (not which card)", part.name),
                    _ => format!("{} (how many, not which cards)", part.name),
                },
                _ => part.name.clone(),
            });
            let parts: Vec<String> = parts.collect();
            match &parts[..] {
                [] => format!("`{}`", alternative.name),
                parts => format!("`{}` with {}", alternative.name, parts.join(", ")),
            }
        };
        let answers: Vec<String> = alternatives.iter().zip(hidden).map(answer).collect();
        let mut list = answers.join("; ");
        if nothing {
            list.push_str(if alternatives.len() > 1 {
                "; or that none is possible"
            } else {
                "; or that it is not possible"
            });
        }
        let what = match &ask.mode {
            ast::AskMode::One(_) => format!("everybody learns the answer: {list}"),
            ast::AskMode::All { .. } => format!("once all have answered, everybody learns the answers: {list}"),
            ast::AskMode::First { .. } => format!("everybody learns who is first, and the answer: {list}"),
        };
        self.program.reveals.push(ListedReveal { kind: RevealKind::Answer, span: ask.span, pc, what });
    }

    /// Whether an answer sets a variable of its player: inside `together` later statements may depend on the variable, and
    /// others see what those do.
    pub(super) fn sets_own_variable(&self, ask: &ast::Ask) -> bool {
        let own = |stmt: &ast::Stmt| match &stmt.kind {
            StmtKind::Assign { target, .. } => {
                matches!(&target.kind, ExprKind::Name(name) if self.lookup_local(name).is_some())
            }
            _ => false,
        };
        ask.alternatives.iter().any(|alternative| any_step(&alternative.body, &own))
    }

    /// Whether an answer in the body of a loop decides how the loop goes on: it may leave the loop, repeat a turn, or set a
    /// variable.
    pub(super) fn answer_decides_loop(&self, body: &[ast::Stmt]) -> bool {
        let leaves = |stmt: &ast::Stmt| matches!(stmt.kind, StmtKind::Stop | StmtKind::Again);
        any_step(body, &|stmt| match &stmt.kind {
            StmtKind::Ask(ask) => {
                self.sets_own_variable(ask)
                    || ask.alternatives.iter().any(|alternative| any_step(&alternative.body, &leaves))
            }
            _ => false,
        })
    }

    /// Lists statements below an answer inside `together` that tell the others which answer it was.
    pub(super) fn list_noticed(&mut self, stmt: &ast::Stmt) {
        if !(self.answering || self.answer_set_variable) || self.context != Context::Together {
            return;
        }
        let what = match &stmt.kind {
            StmtKind::Move { .. } | StmtKind::Draw { .. } => "cards move",
            StmtKind::Roll { .. } | StmtKind::Clear { .. } => "dice are thrown or taken up",
            StmtKind::Turn { .. } => "cards are turned",
            StmtKind::Ask(_) => "this question is asked",
            StmtKind::Assign { target, .. } => {
                let (ExprKind::Name(name) | ExprKind::Index { name: Name { text: name, .. }, .. }) = &target.kind
                else {
                    return;
                };
                match self.globals.get(name) {
                    Some((Global::Var(v), _))
                        if matches!(self.program.vars[*v as usize].kind, VarKind::State { .. }) =>
                    {
                        "everybody sees this value"
                    }
                    _ => return,
                }
            }
            _ => return,
        };
        self.list(RevealKind::Answer, stmt.span, format!("everybody can notice which answer this was: {what}"));
    }
}

/// Whether any of these statements, or of those in their blocks, passes a test.
pub(super) fn any_step(body: &[ast::Stmt], test: &dyn Fn(&ast::Stmt) -> bool) -> bool {
    body.iter().any(|stmt| {
        let mut below = false;
        super::facedown::visit_blocks(&stmt.kind, &mut |body| below |= any_step(body, test));
        below || test(stmt)
    })
}

/// Whether a part picks cards that not everybody knows.
pub(super) fn hides_cards(label: &Label, kind: &PartKind) -> bool {
    let cards = matches!(
        kind,
        PartKind::Card(_)
            | PartKind::Unseen(_)
            | PartKind::Cards { .. }
            | PartKind::Alike { .. }
            | PartKind::Run { .. }
    );
    cards && !label.is_public()
}
