//! Lowers ops: `Op` to [`Instruction`], at the same pc.

use super::ask::AskPlace;
use super::branches::{LoweredOp, SplitBranches};
use super::flow::{Flow, Region};
use super::{Lower, SeatSource};
use crate::build::instructions;
use crate::cardset::CardSet;
use crate::frame::NO_PC;
use crate::instance::closure::Cond;
use crate::instance::code::{
    Circle, CountTo, Deal, EndInstruction, InstanceCode, Instruction, LinkedInstruction, OutcomeRule, Pass, Path,
    RevealValue, Roll,
};
use crate::instance::expr::{Set, Spot};
use crate::instance::question::Question;
use baize_rules::program::{AskId, GameEnd, Num, Op, Outcome as Declared, PartKind, Pc, Selection};

impl<S: CardSet> Lower<'_, S> {
    pub fn code(&mut self) -> InstanceCode<S> {
        let program = self.program;
        let flow = Flow::new(program);
        let chose = self.layout.cells;
        let me_at = |pc: Option<Pc>| match pc.map_or(Region::Outside, |pc| flow.regions[pc as usize]) {
            Region::Outside | Region::Hook => SeatSource::Nobody,
            Region::Body(ask) => SeatSource::Cell(chose + ask as u32),
            Region::Thread => SeatSource::Given,
        };
        let lowered: Vec<LoweredOp<S>> = program
            .code
            .iter()
            .enumerate()
            .map(|(pc, op)| {
                self.me = me_at(Some(pc as Pc));
                self.clear_scope();
                self.lower_op(op)
            })
            .collect();
        let SplitBranches { instructions, origins } = SplitBranches::new(lowered);
        let instructions = thread_jumps(instructions);
        let questions: Vec<Question<S>> = program
            .asks
            .iter()
            .enumerate()
            .map(|(id, ask)| {
                let at = flow.asked_at[id];
                let threaded = at.is_some_and(|pc| flow.regions[pc as usize] == Region::Thread);
                let next = flow.next_answer[id].unwrap_or(ask.after);
                // An ask without an op is never asked.
                let asked = AskPlace { at: at.unwrap_or(NO_PC), me: me_at(at), threaded };
                self.question(ask, asked, next, chose + id as u32)
            })
            .collect();
        let block_at = |id: usize| program.code.iter().position(|op| *op == Op::Together(id as u16)).map(|pc| pc as Pc);
        let blocks = program.togethers.iter().enumerate().map(|(id, t)| self.block(t, me_at(block_at(id)))).collect();
        self.me = SeatSource::Nobody;
        self.clear_scope();
        let hook = |hook: &baize_rules::program::Hook| (self.layout.vars[hook.seat as usize].base, hook.body);
        let on_leave = program.on_leave.as_ref().map(hook);
        let on_join = program.on_join.as_ref().map(hook);
        let capacities = program.zones.iter().map(|zone| self.optional(&zone.holds)).collect();
        let has_droppable_asks = program.asks.iter().any(|ask| ask.drop_when.is_some());
        let start_conditions =
            program.requires.iter().map(|(cond, reason)| (self.num(cond), self.script(reason))).collect();
        let compiled = instructions::compile(&instructions, &questions, self.layout);
        InstanceCode {
            instructions,
            compiled,
            origins,
            questions,
            blocks,
            on_leave,
            on_join,
            capacities,
            start_conditions,
            has_droppable_asks,
        }
    }

    fn lower_op(&mut self, op: &Op) -> LoweredOp<S> {
        LoweredOp::Instruction(match op {
            Op::Set(place, value) => {
                let value = self.num(value);
                Instruction::Set(Box::new((self.target(place), value)))
            }
            Op::Add(place, value) => {
                let value = self.num(value);
                Instruction::Add(Box::new((self.target(place), value)))
            }
            Op::Jump(pc) => Instruction::Jump(*pc),
            Op::Unless(cond, no) => return LoweredOp::Unless(self.num(cond), *no),
            Op::Circle { start, step, seat, member, exit } => Instruction::Circle(Box::new(Circle {
                start: self.cell(*start, &[]),
                step: self.cell(*step, &[]),
                seat: self.cell(*seat, &[]),
                member: self.members(member),
                exit: *exit,
            })),
            Op::CountTo { var, high, exit } => {
                Instruction::CountTo(Box::new(CountTo { var: self.cell(*var, &[]), high: self.num(high), exit: *exit }))
            }
            Op::Move { what, to, face_down } => {
                let from = self.chosen_from(what);
                let (what, to, by) = (self.set(what), self.spot(to), self.bringer());
                let mut path = Box::new(Path { from, to, face_down: *face_down, by });
                match what {
                    Set::One(card) => Instruction::MoveOne { card: *card, path },
                    Set::Zone(from) => {
                        path.from = from;
                        Instruction::MoveAll(path)
                    }
                    what => Instruction::Move { what: Box::new(what), path },
                }
            }
            Op::Draw { count, from, to, face_down } => Instruction::Draw {
                count: self.num(count),
                path: Box::new(Path {
                    from: self.spot(from),
                    to: self.spot(to),
                    face_down: *face_down,
                    by: self.bringer(),
                }),
            },
            Op::Deal { from, to, each, start, seats } => Instruction::Deal(Box::new(Deal {
                from: self.spot(from),
                to: *to,
                each: self.optional(each),
                start: self.num(start),
                seats: self.members(seats),
                by: self.bringer(),
            })),
            Op::Pass { zone, bound, to } => {
                let (zone, bound) = (*zone, *bound);
                let pass = self.binding(bound, |lower, giver| Pass { zone, giver, to: lower.num(to) });
                Instruction::Pass(Box::new(pass))
            }
            Op::RanOut => Instruction::RanOut,
            Op::Gather { deck, to } => Instruction::Gather { deck: *deck, to: self.spot(to) },
            Op::Shuffle(zone) => Instruction::Shuffle(self.spot(zone)),
            Op::Mix { from, to } => Instruction::Mix { from: from.clone().into(), to: *to },
            Op::Turn { what, down } => Instruction::Turn { what: Box::new(self.set(what)), down: *down },
            Op::Roll { dice, index, cond, clear } => {
                let dims = self.layout.vars.get(*dice as usize).map_or(0, |layout| layout.dims.len());
                let one = (cond.is_none() && !clear && index.len() == dims).then(|| self.cell(*dice, index));
                let index = index.iter().map(|i| self.num(i)).collect();
                let cond = cond
                    .as_ref()
                    .map(|(bounds, cond)| self.binding_all(bounds, |lower, regs| (regs, Cond::new(lower.num(cond)))));
                Instruction::Roll(Box::new(Roll { dice: *dice, index, cond, one, clear: *clear }))
            }
            Op::RandomSeat { to, among } => {
                let among = self.members(among);
                Instruction::RandomSeat(Box::new((self.variable(*to), among)))
            }
            Op::RandomCard { to, among } => {
                let among = self.set(among);
                Instruction::RandomCard(Box::new((self.variable(*to), among)))
            }
            Op::Announce { text, kind, to } => Instruction::Announce {
                text: Box::new(self.script(text)),
                kind: *kind,
                to: self.optional(to).map(Box::new),
            },
            Op::RevealValue { to_var, value, show, to, listed } => Instruction::RevealValue(Box::new(RevealValue {
                value: self.num(value),
                target: self.variable(*to_var),
                show: show.clone(),
                to: self.optional(to),
                listed: *listed,
            })),
            Op::RevealCards { what, to, listed } => Instruction::RevealCards {
                what: Box::new(self.set(what)),
                to: self.optional(to).map(Box::new),
                listed: *listed,
            },
            Op::Write { text, card } => Instruction::Write { text: self.read(*text, &[]), card: self.num(card) },
            Op::Phase(phase) => Instruction::Phase(*phase),
            Op::Admit => Instruction::Admit,
            Op::Ask(id) if self.has_ask(*id) => Instruction::Ask(*id),
            Op::NextAnswer(id) if self.has_ask(*id) => Instruction::NextAnswer(*id),
            Op::Together(id) if (*id as usize) < self.program.togethers.len() => Instruction::Together(*id),
            // The ask or block does not exist. The checker emits no such program.
            Op::Ask(_) | Op::NextAnswer(_) | Op::Together(_) => Instruction::Return,
            Op::ThreadEnd => Instruction::ThreadEnd,
            Op::Return => Instruction::Return,
            Op::End(end) => Instruction::End(Box::new(self.ending(end))),
        })
    }

    /// Returns the zone from which the answer's card was chosen, if the card is a part of the answer and comes from a zone.
    fn chosen_from(&mut self, what: &Selection) -> Spot<S> {
        let Selection::One(card) = what else { return Spot::Nowhere };
        let (Num::Var(var), SeatSource::Cell(chose)) = (&**card, self.me) else { return Spot::Nowhere };
        let ask = &self.program.asks[(chose - self.layout.cells) as usize];
        let mut parts = ask.alternatives.iter().flat_map(|a| &a.parts).filter(|p| p.var == *var);
        let Some(PartKind::Card(from)) = parts.next().map(|part| &part.kind) else { return Spot::Nowhere };
        let mut from = from;
        while let Selection::Where { of, .. } = from {
            from = of;
        }
        match from {
            Selection::Zone(zone) => self.spot(zone),
            _ => Spot::Nowhere,
        }
    }

    fn ending(&mut self, end: &GameEnd) -> EndInstruction<S> {
        let outcome = match &end.outcome {
            Declared::Winner(seat) => OutcomeRule::Winner(self.num(seat)),
            Declared::Loser(seat) => OutcomeRule::Loser(self.num(seat)),
            Declared::Winners(seats) => OutcomeRule::Winners(self.members(seats)),
            Declared::Losers(seats) => OutcomeRule::Losers(self.members(seats)),
            Declared::Ranking { bound, by, highest_first, then } => self.binding(*bound, |lower, reg| {
                let by = lower.num(by);
                let then = then.iter().map(|(by, highest_first)| (lower.num(by), *highest_first)).collect();
                OutcomeRule::Ranking { reg, by, highest_first: *highest_first, then }
            }),
            Declared::EveryoneWins => OutcomeRule::EveryoneWins,
            Declared::EveryoneLoses => OutcomeRule::EveryoneLoses,
            Declared::EveryoneScores { score, most } => {
                OutcomeRule::EveryoneScores { score: self.num(score), most: self.num(most) }
            }
            Declared::Draw => OutcomeRule::Draw,
            Declared::Void => OutcomeRule::Void,
        };
        EndInstruction { outcome, banner: end.banner.as_ref().map(|t| self.script(t)), source: end.clone() }
    }

    fn has_ask(&self, id: AskId) -> bool {
        (id as usize) < self.program.asks.len()
    }
}

/// Threads jumps: a jump to a jump goes to the last target, and no instruction falls through to a jump.
fn thread_jumps<S>(mut instructions: Vec<(Instruction<S>, Pc)>) -> Vec<LinkedInstruction<S>> {
    let jumps: Vec<Option<Pc>> = instructions
        .iter()
        .map(|(instruction, _)| if let Instruction::Jump(to) = instruction { Some(*to) } else { None })
        .collect();
    let only_tells: Vec<bool> = instructions
        .iter()
        .map(|(instruction, _)| matches!(instruction, Instruction::Announce { .. } | Instruction::RevealCards { .. }))
        .collect();
    let end = |mut pc: Pc, unobserved: bool| {
        // The budget stops an endless chain of jumps at run time.
        for _ in 0..jumps.len() {
            match jumps.get(pc as usize) {
                Some(Some(to)) => pc = *to,
                Some(None) if unobserved && only_tells[pc as usize] => pc += 1,
                _ => break,
            }
        }
        pc
    };
    for (instruction, _) in &mut instructions {
        match instruction {
            Instruction::Jump(to) | Instruction::Unless(_, to) => *to = end(*to, false),
            Instruction::Circle(circle) => circle.exit = end(circle.exit, false),
            Instruction::CountTo(count) => count.exit = end(count.exit, false),
            _ => {}
        }
    }
    let link = |(instruction, then)| LinkedInstruction {
        instruction,
        next: end(then, false),
        next_unobserved: end(then, true),
    };
    instructions.into_iter().map(link).collect()
}
