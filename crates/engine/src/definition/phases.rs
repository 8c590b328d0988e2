//! Phases in the words of the platform's document, read off the program's control flow.

use super::slots::with_defaults;
use baize_rules::program::{AskMode, Num, Op, Program, TimeoutAction, VarKind, capitalised};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseDefinition {
    pub id: String,
    pub name: String,
    /// Who is asked in it: `all`, `lead`, a role by its name, or `turn` (one seat after the other).
    pub active_roles: Vec<String>,
    /// The alternatives offered in it.
    pub allowed_actions: Vec<String>,
    pub transitions: Vec<PhaseTransition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<PhaseTimeout>,
}

/// Transitions are made by the rules alone; a client's `setPhase` is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTransition {
    pub to: String,
    pub condition: Condition,
    pub automatic: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Condition {
    /// Everyone who is asked has answered.
    AllSubmitted,
    /// A player's answer.
    Action { action: String },
    /// The rules go on by themselves.
    Rules,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTimeout {
    /// With default options.
    pub seconds: u32,
    pub action: String,
}

/// A game that names no phases has one, so that the document's `initialPhase` always exists.
const ONLY_PHASE: &str = "play";
/// Phases are followed in a 64-bit mask; later ones are listed without what happens in them.
const FOLLOWED: usize = 64;

/// What was found out about one phase.
#[derive(Clone, Default)]
struct Facts {
    roles: BTreeSet<String>,
    actions: BTreeSet<String>,
    sealed: bool,
    next: BTreeSet<usize>,
    timeout: Option<PhaseTimeout>,
}

pub(super) fn phases(program: &Program) -> (Vec<PhaseDefinition>, String) {
    if program.phases.is_empty() {
        let mut facts = Facts::default();
        for op in &program.code {
            note(program, op, &mut facts);
        }
        return (vec![define(program, ONLY_PHASE, "Play", facts)], ONLY_PHASE.to_owned());
    }
    let reach = reach(program);
    let mut facts = vec![Facts::default(); program.phases.len()];
    for (op, phases) in program.code.iter().zip(&reach) {
        for phase in (0..facts.len().min(FOLLOWED)).filter(|phase| phases >> phase & 1 == 1) {
            match op {
                Op::Phase(next) if usize::from(*next) != phase => drop(facts[phase].next.insert(usize::from(*next))),
                _ => note(program, op, &mut facts[phase]),
            }
        }
    }
    let first = program.code.iter().find_map(|op| match op {
        Op::Phase(phase) => program.phases.get(usize::from(*phase)),
        _ => None,
    });
    let initial = first.unwrap_or(&program.phases[0]).name.clone();
    let all = program.phases.iter().zip(facts);
    (all.map(|(phase, facts)| define(program, &phase.name, &phase.title, facts)).collect(), initial)
}

/// For each op the phases it can run in, as a mask: a forward flow over the program's edges.
fn reach(program: &Program) -> Vec<u64> {
    let mut reach = vec![0u64; program.code.len()];
    let mut seen = vec![false; program.code.len()];
    let mut work = vec![(0u32, 0u64)];
    let hooks = [&program.on_leave, &program.on_join];
    work.extend(hooks.into_iter().flatten().map(|hook| (hook.body, 0)));
    while let Some((pc, phases)) = work.pop() {
        let at = pc as usize;
        let Some(op) = program.code.get(at) else { continue };
        if seen[at] && reach[at] | phases == reach[at] {
            continue;
        }
        seen[at] = true;
        reach[at] |= phases;
        let out = match op {
            Op::Phase(phase) if usize::from(*phase) < FOLLOWED => 1 << phase,
            _ => reach[at],
        };
        successors(program, pc, op, |next| work.push((next, out)));
    }
    reach
}

/// Every place where control can go from here; more than really happens does no harm.
fn successors(program: &Program, pc: u32, op: &Op, mut go: impl FnMut(u32)) {
    let goto = |within: &Option<baize_rules::program::TimeLimit>| match within.as_ref().map(|w| w.then) {
        Some(TimeoutAction::Goto(pc)) => Some(pc),
        _ => None,
    };
    match op {
        Op::Jump(to) => return go(*to),
        Op::ThreadEnd | Op::Return | Op::End(_) => return,
        Op::Unless(_, to) | Op::Circle { exit: to, .. } | Op::CountTo { exit: to, .. } => go(*to),
        Op::Ask(id) | Op::NextAnswer(id) => {
            let ask = &program.asks[usize::from(*id)];
            ask.alternatives.iter().for_each(|alternative| go(alternative.body));
            go(ask.after);
            goto(&ask.within).into_iter().chain(ask.absent_after.as_ref().map(|(_, pc)| *pc)).for_each(&mut go);
            if matches!(op, Op::Ask(_)) && !matches!(ask.mode, AskMode::All(_)) {
                return;
            }
        }
        Op::Together(id) => {
            let together = &program.togethers[usize::from(*id)];
            go(together.body);
            goto(&together.within).into_iter().for_each(&mut go);
            return go(together.after);
        }
        _ => {}
    }
    go(pc + 1);
}

fn note(program: &Program, op: &Op, facts: &mut Facts) {
    match op {
        Op::Ask(id) => {
            let ask = &program.asks[usize::from(*id)];
            facts.actions.extend(ask.alternatives.iter().map(|alternative| alternative.name.clone()));
            facts.sealed |= matches!(ask.mode, AskMode::All(_));
            facts.roles.insert(match &ask.mode {
                AskMode::All(_) | AskMode::First(_) => "all".to_owned(),
                AskMode::One(Num::Lead) => "lead".to_owned(),
                AskMode::One(Num::Var(var)) => role(program, *var).unwrap_or_else(|| "turn".to_owned()),
                AskMode::One(_) => "turn".to_owned(),
            });
            clock(program, &ask.within, facts);
        }
        Op::Together(id) => {
            facts.sealed = true;
            clock(program, &program.togethers[usize::from(*id)].within, facts);
        }
        _ => {}
    }
}

fn role(program: &Program, var: u32) -> Option<String> {
    match &program.vars.get(var as usize)?.kind {
        VarKind::State { role: Some(_) } => Some(program.vars[var as usize].name.clone()),
        _ => None,
    }
}

fn clock(program: &Program, within: &Option<baize_rules::program::TimeLimit>, facts: &mut Facts) {
    let Some(within) = within else { return };
    let seconds = u32::try_from(with_defaults(program, &within.seconds)).unwrap_or(0);
    let action = match within.then {
        TimeoutAction::Default | TimeoutAction::Goto(_) => "auto-transition",
        TimeoutAction::Skip => "skip-inactive",
        TimeoutAction::Pause => "pause",
    };
    if seconds > 0 {
        facts.timeout = Some(PhaseTimeout { seconds, action: action.to_owned() });
    }
}

fn define(program: &Program, id: &str, name: &str, facts: Facts) -> PhaseDefinition {
    let condition = match facts.actions.len() {
        0 => Condition::Rules,
        _ if facts.sealed => Condition::AllSubmitted,
        1 => Condition::Action { action: facts.actions.first().cloned().unwrap_or_default() },
        _ => Condition::Rules,
    };
    let transition = |next: &usize| PhaseTransition {
        to: program.phases[*next].name.clone(),
        condition: condition.clone(),
        automatic: true,
    };
    PhaseDefinition {
        id: id.to_owned(),
        name: if name.is_empty() { capitalised(id) } else { name.to_owned() },
        active_roles: facts.roles.into_iter().collect(),
        allowed_actions: facts.actions.into_iter().collect(),
        transitions: facts.next.iter().map(transition).collect(),
        timeout: facts.timeout,
    }
}
