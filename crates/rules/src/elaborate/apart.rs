//! Which players are provably different ones.
//!
//! `hand[r]` is hidden from its owner in some games, and open to all others. A rule for `p` may then look at it wherever the
//! source says that `r` is not `p`: in `players where player is not p`, below `if r is not p`, behind `r is not p and …`.
//! Such a pair is a fact. It holds for names (variables, the player at hand, the player who decides), and only until one
//! of the two is given another value.

use super::Elaborator;
use super::changes::assigned_names;
use crate::ast;
use crate::program::*;
use std::collections::HashSet;

/// Two expressions that name different players (or nobody).
pub(super) type Apart = (Num, Num);

/// More facts than this are not kept, so that a file can't make them grow without bound. Without a fact more is refused.
const MOST_FACTS: usize = 128;

impl<'a> Elaborator<'a> {
    /// Elaborates something that matters only where these facts hold.
    pub(super) fn with_facts<T>(&mut self, facts: &[Apart], f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.apart.clone();
        self.learn(facts);
        let result = f(self);
        self.apart.retain(|fact| before.contains(fact));
        result
    }

    pub(super) fn learn(&mut self, facts: &[Apart]) {
        for fact in facts {
            if self.apart.len() < MOST_FACTS && !self.apart.contains(fact) {
                self.apart.push(fact.clone());
            }
        }
    }

    /// The players whom an expression provably does not name.
    pub(super) fn not_named_by(&self, seat: &Num) -> Vec<Num> {
        let mut others = others_of(seat, &self.apart);
        if let Num::FirstSeat { bound, cond: Some(cond), .. } | Num::NextSeat { bound, cond: Some(cond), .. } = seat {
            others.extend(others_of(&Num::Bound(*bound), &apart_if(cond, true)));
        }
        others
    }

    /// A variable is given a player: facts about the old one are gone, those about the new one hold for it.
    pub(super) fn seat_assigned(&mut self, var: VarId, value: Option<&Num>) {
        let others = value.map(|value| self.not_named_by(value)).unwrap_or_default();
        self.forget_seat(var);
        let name = Num::Var(var);
        let facts: Vec<Apart> =
            others.into_iter().filter(|other| *other != name).map(|other| (name.clone(), other)).collect();
        self.learn(&facts);
    }

    /// A loop begins: facts about what its body sets hold on the first turn only.
    pub(super) fn forget_set_in(&mut self, body: &[ast::Stmt]) {
        if self.apart.is_empty() {
            return;
        }
        let mut names = HashSet::new();
        assigned_names(body, &self.rule_bodies(), &mut names);
        let vars = &self.program.vars;
        let set = |seat: &Num| matches!(seat, Num::Var(v) if names.contains(&vars[*v as usize].name));
        self.apart.retain(|(a, b)| !set(a) && !set(b));
    }

    /// The game waits for an answer: facts about state that `when …` may set meanwhile are gone.
    pub(super) fn forget_unsteady(&mut self) {
        let mut apart = std::mem::take(&mut self.apart);
        apart.retain(|(a, b)| self.is_steady(a) && self.is_steady(b));
        self.apart = apart;
        let vars = (0..).zip(&self.program.vars);
        let unsteady: Vec<VarId> = vars
            .filter(|(_, var)| matches!(var.kind, VarKind::State { .. }) && self.unsteady.contains(&var.name))
            .map(|(id, _)| id)
            .collect();
        let scopes = self.scopes.iter_mut().chain(self.callers.iter_mut().flatten());
        for label in scopes.flat_map(|scope| scope.values_mut()).flat_map(|val| val.labels_mut()) {
            unsteady.iter().for_each(|var| label.forget(*var));
        }
        let brought_to = self.brought_by_hooks.clone();
        self.may_be_brought_to(&brought_to);
    }

    /// Whether an expression names the same player for as long as a question is open. State that `when …` sets may not;
    /// variables do, because the course of the game waits.
    pub(super) fn is_steady(&self, seat: &Num) -> bool {
        match seat {
            Num::Var(v) => match self.program.vars[*v as usize].kind {
                VarKind::Local | VarKind::SeatLocal | VarKind::PublicLocal | VarKind::SecretLocal => true,
                _ => !self.unsteady.contains(&self.program.vars[*v as usize].name),
            },
            Num::Bound(_) | Num::Me | Num::Const(_) => true,
            _ => false,
        }
    }
}

/// The other side of each fact about this expression.
fn others_of(seat: &Num, facts: &[Apart]) -> Vec<Num> {
    let other = |(a, b): &Apart| {
        if a == seat {
            Some(b.clone())
        } else if b == seat {
            Some(a.clone())
        } else {
            None
        }
    };
    facts.iter().filter_map(other).collect()
}

/// The facts that follow from a condition that holds, or from one that does not.
pub(super) fn apart_if(cond: &Num, holds: bool) -> Vec<Apart> {
    let mut facts = Vec::new();
    collect(cond, holds, &mut facts);
    facts
}

fn collect(cond: &Num, holds: bool, facts: &mut Vec<Apart>) {
    match cond {
        Num::Not(inner) => collect(inner, !holds, facts),
        Num::And(a, b) if holds => {
            collect(a, holds, facts);
            collect(b, holds, facts);
        }
        Num::Or(a, b) if !holds => {
            collect(a, holds, facts);
            collect(b, holds, facts);
        }
        Num::Cmp(op, a, b) if *op == if holds { Cmp::Ne } else { Cmp::Eq } && is_name(a) && is_name(b) => {
            facts.push(((**a).clone(), (**b).clone()));
        }
        _ => {}
    }
}

fn is_name(seat: &Num) -> bool {
    matches!(seat, Num::Var(_) | Num::Bound(_) | Num::Me)
}

/// The same facts with one name in the place of another.
pub(super) fn renamed(facts: &[Apart], from: &Num, to: &Num) -> Vec<Apart> {
    let rename = |seat: &Num| if seat == from { to.clone() } else { seat.clone() };
    facts.iter().map(|(a, b)| (rename(a), rename(b))).collect()
}

/// The facts that speak of this name, with another in its place.
pub(super) fn about(facts: &[Apart], from: &Num, to: &Num) -> Vec<Apart> {
    let some: Vec<Apart> = facts.iter().filter(|(a, b)| a == from || b == from).cloned().collect();
    renamed(&some, from, to)
}
