//! Describes phases as `platform.md` does (see [`crate::definition`]). The control flow of the program says what happens in
//! each of them.

use super::slots::evaluate_with_defaults;
use baize_rules::program::{AskMode, Num, Op, Program, TimeoutAction, VarKind, capitalised};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseDefinition {
    pub id: String,
    pub name: String,
    /// Who is asked in the phase: `all`, `lead`, the name of a role, or `turn` (one seat after the other).
    pub active_roles: Vec<String>,
    /// The alternatives that the phase offers.
    pub allowed_actions: Vec<String>,
    pub transitions: Vec<PhaseTransition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<PhaseTimeout>,
}

/// Only the rules change the phase; the server refuses a client's `setPhase`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTransition {
    pub to: String,
    pub condition: TransitionCondition,
    pub automatic: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TransitionCondition {
    /// Everyone who is asked has answered.
    AllSubmitted,
    /// A player has chosen this action.
    Action { action: String },
    /// The rules decide it.
    Rules,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTimeout {
    /// The time limit with default options.
    pub seconds: u32,
    pub action: String,
}

/// The phase of a game that declares none. `platform.md` requires an `initialPhase`.
const ONLY_PHASE: &str = "play";
/// The analysis keeps phases in a mask of 64 bits. Phases beyond that are listed without actions and transitions.
const MAX_ANALYSED: usize = 64;

/// The findings of the analysis about one phase.
#[derive(Clone, Default)]
struct PhaseFindings {
    roles: BTreeSet<String>,
    actions: BTreeSet<String>,
    sealed: bool,
    next: BTreeSet<usize>,
    timeout: Option<PhaseTimeout>,
}

pub(super) fn define_phases(program: &Program) -> (Vec<PhaseDefinition>, String) {
    if program.phases.is_empty() {
        let mut findings = PhaseFindings::default();
        for op in &program.code {
            analyse_op(program, op, &mut findings);
        }
        return (vec![define_phase(program, ONLY_PHASE, "Play", findings)], ONLY_PHASE.to_owned());
    }
    let phases_of_ops = find_phases_of_ops(program);
    let mut findings = vec![PhaseFindings::default(); program.phases.len()];
    for (op, phases) in program.code.iter().zip(&phases_of_ops) {
        for phase in (0..findings.len().min(MAX_ANALYSED)).filter(|phase| phases >> phase & 1 == 1) {
            match op {
                Op::Phase(next) if usize::from(*next) != phase => drop(findings[phase].next.insert(usize::from(*next))),
                _ => analyse_op(program, op, &mut findings[phase]),
            }
        }
    }
    let first = program.code.iter().find_map(|op| match op {
        Op::Phase(phase) => program.phases.get(usize::from(*phase)),
        _ => None,
    });
    let initial = first.unwrap_or(&program.phases[0]).name.clone();
    let all = program.phases.iter().zip(findings);
    (all.map(|(phase, findings)| define_phase(program, &phase.name, &phase.title, findings)).collect(), initial)
}

/// Returns for each op the phases in which it can run, as a mask. A forward data-flow analysis over the program.
fn find_phases_of_ops(program: &Program) -> Vec<u64> {
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
            Op::Phase(phase) if usize::from(*phase) < MAX_ANALYSED => 1 << phase,
            _ => reach[at],
        };
        visit_successors(program, pc, op, |next| work.push((next, out)));
    }
    reach
}

/// Calls `go` with every pc that may follow this op. A pc that never follows in play does no harm.
fn visit_successors(program: &Program, pc: u32, op: &Op, mut go: impl FnMut(u32)) {
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

/// Adds what this op says about its phase.
fn analyse_op(program: &Program, op: &Op, findings: &mut PhaseFindings) {
    match op {
        Op::Ask(id) => {
            let ask = &program.asks[usize::from(*id)];
            findings.actions.extend(ask.alternatives.iter().map(|alternative| alternative.name.clone()));
            findings.sealed |= matches!(ask.mode, AskMode::All(_));
            findings.roles.insert(match &ask.mode {
                AskMode::All(_) | AskMode::First(_) => "all".to_owned(),
                AskMode::One(Num::Lead) => "lead".to_owned(),
                AskMode::One(Num::Var(var)) => role_name(program, *var).unwrap_or_else(|| "turn".to_owned()),
                AskMode::One(_) => "turn".to_owned(),
            });
            analyse_time_limit(program, &ask.within, findings);
        }
        Op::Together(id) => {
            findings.sealed = true;
            analyse_time_limit(program, &program.togethers[usize::from(*id)].within, findings);
        }
        _ => {}
    }
}

/// Returns the name of a state that is a role.
fn role_name(program: &Program, var: u32) -> Option<String> {
    match &program.vars.get(var as usize)?.kind {
        VarKind::State { role: Some(_) } => Some(program.vars[var as usize].name.clone()),
        _ => None,
    }
}

/// Adds a time limit.
fn analyse_time_limit(
    program: &Program,
    within: &Option<baize_rules::program::TimeLimit>,
    findings: &mut PhaseFindings,
) {
    let Some(within) = within else { return };
    let seconds = u32::try_from(evaluate_with_defaults(program, &within.seconds)).unwrap_or(0);
    let action = match within.then {
        TimeoutAction::Default | TimeoutAction::Goto(_) => "auto-transition",
        TimeoutAction::Skip => "skip-inactive",
        TimeoutAction::Pause => "pause",
    };
    if seconds > 0 {
        findings.timeout = Some(PhaseTimeout { seconds, action: action.to_owned() });
    }
}

fn define_phase(program: &Program, id: &str, name: &str, findings: PhaseFindings) -> PhaseDefinition {
    let condition = match findings.actions.len() {
        0 => TransitionCondition::Rules,
        _ if findings.sealed => TransitionCondition::AllSubmitted,
        1 => TransitionCondition::Action { action: findings.actions.first().cloned().unwrap_or_default() },
        _ => TransitionCondition::Rules,
    };
    let transition = |next: &usize| PhaseTransition {
        to: program.phases[*next].name.clone(),
        condition: condition.clone(),
        automatic: true,
    };
    PhaseDefinition {
        id: id.to_owned(),
        name: if name.is_empty() { capitalised(id) } else { name.to_owned() },
        active_roles: findings.roles.into_iter().collect(),
        allowed_actions: findings.actions.into_iter().collect(),
        transitions: findings.next.iter().map(transition).collect(),
        timeout: findings.timeout,
    }
}
