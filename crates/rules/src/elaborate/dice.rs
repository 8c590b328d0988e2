//! `roll` and `clear`, for all dice, some of them, or those that a player has picked.

use super::value::{DicePick, Ty, Val};
use super::{Context, Elaborator, Global};
use crate::ast::{self, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::program::*;
use crate::span::{Name, Span};

impl<'a> Elaborator<'a> {
    pub(super) fn roll(&mut self, what: &ast::Expr, clear: bool) {
        let (base, cond) = match &what.kind {
            ExprKind::Where { base, cond } => (&**base, Some(&**cond)),
            _ => (what, None),
        };
        if let ExprKind::Name(name) = &base.kind
            && let Some(pick) = self.picked_dice(name)
        {
            if let Some(c) = cond {
                self.report(
                    Diagnostic::error("roll/where", c.span, "These dice are picked already")
                        .label("nothing is left to choose")
                        .hint("Put the condition behind the part: dice d from five where …"),
                );
            }
            self.roll_picked(base, pick, clear);
            return;
        }
        let (name, args, span): (String, &[ast::Expr], Span) = match &base.kind {
            ExprKind::Name(n) => (n.clone(), &[], base.span),
            ExprKind::Index { name, args } => (name.text.clone(), args, base.span),
            _ => (String::new(), &[], base.span),
        };
        let dice = match self.globals.get(&name).copied() {
            Some((Global::Var(v), _)) if matches!(self.program.vars[v as usize].kind, VarKind::Dice { .. }) => v,
            _ => {
                self.report(
                    Diagnostic::error(
                        "roll/what",
                        span,
                        format!("Only dice can be {}", if clear { "cleared" } else { "rolled" }),
                    )
                    .label("not dice")
                    .hint("Declare them under `dice`: die: faces 1..6"),
                );
                return;
            }
        };
        self.used.insert(name.clone());
        let dims = self.program.vars[dice as usize].dims.clone();
        if args.len() > dims.len() {
            let n = Name { text: name, span };
            self.index_args(&dims, args, &n, span);
            return;
        }
        let n = Name { text: name, span };
        let Some((index, label)) = self.index_args(&dims[..args.len()], args, &n, span) else { return };
        self.need_public(&Val { ty: Ty::Num, label, ..Val::broken() }, span, "Which dice are rolled");
        if self.context == Context::Together && index.first() != Some(&Num::Me) {
            self.report_not_own(span);
        }
        let free = dims[index.len()..].to_vec();
        let cond = match cond {
            None => None,
            Some(c) if free.is_empty() => {
                self.report(
                    Diagnostic::error("roll/where", c.span, "`where` needs several dice")
                        .label("this is a single one")
                        .hint("Put the line under an `if` instead."),
                );
                None
            }
            Some(c) => {
                let bounds: Vec<BoundId> = free.iter().map(|_| self.new_bound()).collect();
                let test = self.about_dice(&dims, &index, &bounds, |e| e.expr_expecting(c, &Ty::YesNo));
                self.need_type(&test, &Ty::YesNo, c.span);
                self.need_public(&test, c.span, "Which dice are rolled");
                Some((bounds, test.into_num()))
            }
        };
        self.emit(Op::Roll { dice, index, cond, clear });
    }

    /// Returns the dice that a player has picked in the part of this name.
    pub(super) fn picked_dice(&self, name: &str) -> Option<DicePick> {
        match self.lookup_local(name)?.ty {
            Ty::DiceSet(pick) => Some(pick),
            _ => None,
        }
    }

    fn roll_picked(&mut self, e: &ast::Expr, pick: DicePick, clear: bool) {
        let set = self.expr(e);
        self.need_public(&set, e.span, "Which dice are rolled");
        if self.context == Context::Together && pick.index.first() != Some(&Num::Me) {
            self.report_not_own(e.span);
        }
        let bound = self.new_bound();
        let cond = dice_has(set.into_num(), pick.low, Num::Bound(bound));
        self.emit(Op::Roll { dice: pick.dice, index: pick.index, cond: Some((vec![bound], cond)), clear });
    }

    /// Elaborates a condition on one of several dice. Inside it a bare name of an indexed state can mean the element
    /// with the index of the die, with the rest of that index, or with the owner of the die.
    fn about_dice<T>(&mut self, dims: &[Dim], index: &[Num], bounds: &[BoundId], f: impl FnOnce(&mut Self) -> T) -> T {
        let open: Vec<Num> = bounds.iter().map(|b| Num::Bound(*b)).collect();
        let whole: Vec<Num> = index.iter().cloned().chain(open.iter().cloned()).collect();
        let owner = super::Subject::Index(dims[..1].to_vec(), whole[..1].to_vec());
        let left = super::Subject::Index(dims[index.len()..].to_vec(), open);
        let die = super::Subject::Index(dims.to_vec(), whole);
        self.with_subject(owner, |e| e.with_subject(left, |e| e.with_subject(die, f)))
    }
}

/// Returns an expression for whether a player picked the die with this number. The mask counts positions from 0, and
/// the first die has the number `low`.
pub(super) fn dice_has(picked: Num, low: i32, die: Num) -> Num {
    let at = super::constant::fold(Num::Arith(Arith::Sub, Box::new(die), Box::new(Num::Const(low))));
    Num::DiceHas(Box::new(picked), Box::new(at))
}
