//! Facts: which names provably mean different players.
//!
//! In some games everyone but the owner sees `hand[r]`. Then a rule for `p` may use it wherever the source says that
//! `r` is not `p`: in `players where player is not p`, below `if r is not p`, after `r is not p and …`. Such a pair is
//! a fact. Facts are about names (variables, the subject, the player who decides), and hold until one of the two gets
//! another value.

use super::Elaborator;
use super::changes::assigned_names;
use super::label::{StaleCause, Staleness};
use super::value::Val;
use crate::ast;
use crate::program::*;
use crate::switch;
use std::collections::HashSet;

/// Two expressions that name different players (or nobody).
pub(super) type ApartFact = (Num, Num);

/// Upper bound on facts, so that a file can't make them grow without limit. A missing fact only makes the checker
/// stricter.
const MAX_FACTS: usize = 128;

/// Whether not everybody may know all of a value.
pub(super) fn is_labelled(_: &str, val: &Val) -> bool {
    val.labels().any(|label| !label.needs().is_empty())
}

impl<'a> Elaborator<'a> {
    /// Elaborates an expression whose value is used only where these facts hold.
    pub(super) fn with_facts<T>(&mut self, facts: &[ApartFact], f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.apart.clone();
        self.add_facts(facts);
        let result = f(self);
        self.apart.retain(|fact| before.contains(fact));
        result
    }

    pub(super) fn add_facts(&mut self, facts: &[ApartFact]) {
        for fact in facts {
            if self.apart.len() < MAX_FACTS && !self.apart.contains(fact) {
                self.apart.push(fact.clone());
            }
        }
    }

    /// Returns the players whom an expression provably does not name.
    pub(super) fn not_named_by(&self, seat: &Num) -> Vec<Num> {
        let mut others = others_of(seat, &self.apart);
        if let Num::FirstSeat { bound, cond: Some(cond), .. } | Num::NextSeat { bound, cond: Some(cond), .. } = seat {
            others.extend(others_of(&Num::Bound(*bound), &apart_if(cond, true)));
        }
        others
    }

    /// Updates the facts when a variable gets a player: facts about the old player end, and facts about the new player
    /// hold for the variable too.
    pub(super) fn seat_assigned(&mut self, var: VarId, value: Option<&Num>) {
        let others = value.map(|value| self.not_named_by(value)).unwrap_or_default();
        self.forget_seat(var);
        let name = Num::Var(var);
        let facts: Vec<ApartFact> =
            others.into_iter().filter(|other| *other != name).map(|other| (name.clone(), other)).collect();
        self.add_facts(&facts);
    }

    /// Removes facts about variables that the body of a loop sets: they hold only on the first turn.
    pub(super) fn forget_set_in(&mut self, body: &[ast::Stmt]) {
        let mut names = HashSet::new();
        assigned_names(body, &self.rule_bodies, &mut names);
        let vars = &self.program.vars;
        let set = |seat: &Num| matches!(seat, Num::Var(v) if names.contains(&vars[*v as usize].name));
        self.apart.retain(|(a, b)| !set(a) && !set(b) || switch::is_off());
        // What was certain about these variables is no longer certain either.
        if !switch::is_off() {
            self.certain.retain(|seat| !set(seat));
            self.certain_ranges.retain(|(var, ..)| !set(&Num::Var(*var)));
        }
    }

    /// Removes facts about state that `when …` may set while the game waits for an answer.
    pub(super) fn forget_unsteady(&mut self) {
        let mut apart = std::mem::take(&mut self.apart);
        apart.retain(|(a, b)| self.survives_questions(a) && self.survives_questions(b) || switch::is_off());
        self.apart = apart;
        let since = Staleness::at_word(self.span, "ask", StaleCause::Waiting);
        // `when …` may move cards while the question waits, and a newcomer has not seen the cards in their old zones.
        let transfers = std::mem::take(&mut self.moved_by_hooks);
        if !switch::is_off() {
            self.may_have_moved(&transfers, since);
        }
        self.moved_by_hooks = transfers;
        let unsteady = std::mem::take(&mut self.unsteady_vars);
        self.scopes.update(is_labelled, |_, val, _| {
            for label in val.labels_mut() {
                if !switch::is_off() {
                    label.forget_seen();
                }
                if !switch::is_off() {
                    unsteady.iter().for_each(|var| label.forget(*var, since));
                }
                if !switch::is_off() {
                    label.forget_name(&Num::Lead, Staleness { cause: StaleCause::Led, ..since });
                }
            }
        });
        self.unsteady_vars = unsteady;
    }

    /// Changes labels because `admit` may give the seat of a player who has left to another person, who has not picked the
    /// cards that this player picked.
    pub(super) fn forget_leavers(&mut self) {
        let since = Staleness::at_word(self.span, "admit", StaleCause::Admitted);
        self.scopes.update(is_labelled, |_, val, _| {
            if !switch::is_off() {
                val.labels_mut().for_each(|label| label.forget_persons(since));
            }
        });
    }

    /// Finds the state that may name another player once a question has waited. That includes state that `when … leaves`
    /// passes on from the player who leaves, because somebody else may get the question.
    pub(super) fn find_unsteady(&mut self) {
        let passed_on = |name: &String| self.passed_on.contains(name) && !switch::is_off();
        let vars = (0..).zip(&self.program.vars);
        let unsteady = vars.filter(|(_, var)| {
            matches!(var.kind, VarKind::State { .. }) && (self.unsteady.contains(&var.name) || passed_on(&var.name))
        });
        self.unsteady_vars = unsteady.map(|(id, _)| id).collect();
    }

    /// Whether an expression names the same player before and after a question.
    pub(super) fn survives_questions(&self, seat: &Num) -> bool {
        self.is_steady(seat) && !matches!(seat, Num::Var(v) if self.unsteady_vars.contains(v))
    }

    /// Whether an expression names the same player as long as a question is open. Local variables do, because the
    /// course of the game waits; state that `when …` sets may not.
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

/// Returns the players who are different from this one, according to the facts.
fn others_of(seat: &Num, facts: &[ApartFact]) -> Vec<Num> {
    let other = |(a, b): &ApartFact| {
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

/// Returns the facts that follow from a condition that holds, or that does not hold.
pub(super) fn apart_if(cond: &Num, holds: bool) -> Vec<ApartFact> {
    let mut facts = Vec::new();
    collect(cond, holds, &mut facts);
    facts
}

fn collect(cond: &Num, holds: bool, facts: &mut Vec<ApartFact>) {
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

/// Returns the facts with one name replaced by another.
pub(super) fn rename_all(facts: &[ApartFact], from: &Num, to: &Num) -> Vec<ApartFact> {
    let rename = |seat: &Num| if seat == from { to.clone() } else { seat.clone() };
    facts.iter().map(|(a, b)| (rename(a), rename(b))).collect()
}

/// Returns the facts about one name, with another name in its place.
pub(super) fn facts_renamed(facts: &[ApartFact], from: &Num, to: &Num) -> Vec<ApartFact> {
    let some: Vec<ApartFact> = facts.iter().filter(|(a, b)| a == from || b == from).cloned().collect();
    rename_all(&some, from, to)
}
