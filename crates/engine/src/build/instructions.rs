//! Compiles instructions into closures, which playouts and searches run instead of interpreting the instructions.
//!
//! A closure holds everything its [`Instruction`] says: cells, zones, the next pc. It uses no chance and tells no sink. Where a closure
//! can't do its work it returns [`CompiledInstruction::INTERPRET`], and the interpreter in `crate::step` executes the instruction.

use super::closures::{Consumer, condition, reading, value};
use crate::cardset::CardSet;
use crate::eval::{Eval, Registers};
use crate::frame::Frame;
use crate::instance::closure::CompiledInstruction;
use crate::instance::code::{Bringer, Circle, Instruction, LinkedInstruction, Path};
use crate::instance::expr::{Cell, Expr, Spot, VariableTarget};
use crate::instance::question::{Mode, Question};
use crate::instance::{Layout, NO_LIST, ZoneInstance};
use crate::step::{CircleCells, ZoneTarget, draw_unseen, move_all_unseen, move_one_unseen};
use baize_rules::program::{AbsentPolicy, Arith, AskId, Pc};

/// Compiles every instruction.
pub fn compile<S: CardSet>(
    instructions: &[LinkedInstruction<S>],
    questions: &[Question<S>],
    layout: &Layout,
) -> Vec<CompiledInstruction<S>> {
    let compile = |(pc, linked)| Compiler { instructions, questions, layout, here: pc as Pc }.compile(linked);
    instructions.iter().enumerate().map(compile).collect()
}

/// Compiles one instruction.
struct Compiler<'a, S> {
    instructions: &'a [LinkedInstruction<S>],
    questions: &'a [Question<S>],
    layout: &'a Layout,
    here: Pc,
}

impl<S: CardSet> Compiler<'_, S> {
    /// Returns the pc of a jump from here, flagged if the jump goes backwards.
    fn jump(&self, to: Pc) -> Pc {
        if to <= self.here { to | CompiledInstruction::<S>::BACK } else { to }
    }

    /// Returns the pc with which a closure hands its instruction to the interpreter.
    fn interpret(&self) -> Pc {
        self.here | CompiledInstruction::<S>::INTERPRET
    }

    fn compile(&self, linked: &LinkedInstruction<S>) -> CompiledInstruction<S> {
        let next = self.jump(linked.next_unobserved);
        let compiled = match &linked.instruction {
            Instruction::Jump(to) => {
                let to = self.jump(*to);
                Some(CompiledInstruction::from_fn(move |_, _| to))
            }
            Instruction::Unless(cond, no) => {
                let flag = self.flag(*no);
                Some(condition(cond.clone(), Branch { yes: next, no: self.jump(*no), flag }))
            }
            Instruction::Set(set) => self.set(&set.0, set.1.clone(), next),
            Instruction::Add(add) => self.add(&add.0, &add.1, next),
            Instruction::RevealValue(reveal) => self.set(&reveal.target, reveal.value.clone(), next),
            Instruction::Circle(circle) => self.circle(circle, linked.next_unobserved),
            Instruction::CountTo(count) => match count.var {
                Cell::At(cell) => {
                    let exit = self.jump(count.exit);
                    Some(value(count.high.clone(), CountCell { cell, next, exit }))
                }
                _ => None,
            },
            Instruction::MoveOne { card: Expr::Cell(card), path } => self.move_one(*card, path, next),
            Instruction::MoveAll(path) => self.move_all(path, next),
            Instruction::Draw { count, path } => self.draw(count, path, next),
            Instruction::Phase(phase) => {
                let phase = *phase;
                Some(CompiledInstruction::from_fn(move |frame, _| {
                    frame.phase = phase;
                    next
                }))
            }
            Instruction::Ask(id) => self.ask(*id),
            _ => None,
        };
        let interpret = self.interpret();
        compiled.unwrap_or_else(|| CompiledInstruction::from_fn(move |_, _| interpret))
    }

    /// Returns the flag that decides the instruction at a pc, if nothing else decides it.
    fn flag(&self, pc: Pc) -> Option<Flag> {
        match self.instructions.get(pc as usize)? {
            LinkedInstruction { instruction: Instruction::Unless(Expr::Cell(cell), no), next_unobserved, .. } => {
                Some(Flag { cell: *cell, yes: self.jump(*next_unobserved), no: self.jump(*no) })
            }
            _ => None,
        }
    }

    fn set(&self, target: &VariableTarget<S>, expr: Expr<S>, next: Pc) -> Option<CompiledInstruction<S>> {
        let (low, high) = (target.low, target.high);
        match &target.cell {
            Cell::At(cell) => Some(value(expr, SetCell { cell: *cell, low, high, next })),
            Cell::By { base, low: first, size, index } => {
                let Expr::Cell(by) = **index else { return None };
                let at = ElementLookup { base: *base, first: *first, size: *size, by };
                Some(value(expr, SetElement { at, low, high, next }))
            }
            _ => None,
        }
    }

    /// Sets a variable to its value plus the expression. An index out of range sets nothing.
    fn add(&self, target: &VariableTarget<S>, expr: &Expr<S>, next: Pc) -> Option<CompiledInstruction<S>> {
        let there = match &target.cell {
            Cell::At(cell) => Expr::Cell(*cell),
            cell => Expr::At { cell: Box::new(cell.clone()), none: 0 },
        };
        self.set(target, Expr::Arith(Arith::Add, Box::new([there, expr.clone()])), next)
    }

    fn circle(&self, circle: &Circle<S>, next: Pc) -> Option<CompiledInstruction<S>> {
        let (Cell::At(start), Cell::At(step), Cell::At(seat)) = (&circle.start, &circle.step, &circle.seat) else {
            return None;
        };
        let cells = CircleCells { start: *start as usize, step: *step as usize, seat: *seat as usize };
        let (exit, members) = (self.jump(circle.exit), circle.member.clone());
        let asks = self.asking(next, *seat);
        let next = self.jump(next);
        Some(match (members.holding, asks) {
            // Usually the next instruction asks the seat whose turn it is.
            (Some(base), Some(asking)) => {
                let turn = Turn { cells, base: base as usize, asking, exit };
                CompiledInstruction::from_fn(move |frame, at| match turn.cells.next_neighbour(frame, turn.base) {
                    Some(seat) => turn.asking.ask(frame, at, seat as i32),
                    None => turn.search(frame, at),
                })
            }
            (Some(base), None) => CompiledInstruction::from_fn(move |frame, _| {
                branch(cells.next_holding(frame, base as usize).is_some(), next, exit)
            }),
            (None, _) => {
                CompiledInstruction::from_fn(move |frame, at| branch(cells.next(frame, at, &members), next, exit))
            }
        })
    }

    /// Returns the question that the instruction at a pc asks the seat in a cell.
    fn asking(&self, pc: Pc, cell: u32) -> Option<Asking> {
        let Instruction::Ask(id) = &self.instructions.get(pc as usize)?.instruction else { return None };
        let (seat, asking) = self.question(*id, pc)?;
        (*seat == Expr::Cell(cell)).then_some(asking)
    }

    /// Returns the seat and the question of an ask of one seat.
    fn question(&self, id: AskId, pc: Pc) -> Option<(&Expr<S>, Asking)> {
        let question = self.questions.get(usize::from(id))?;
        let Mode::One(seat) = &question.mode else { return None };
        let asking = Asking { id, pc, waits: question.absent == AbsentPolicy::Wait };
        (!question.threaded).then_some((seat, asking))
    }

    /// Returns how to find the instance of a spot, and a representative of the instances that it can mean: they share their properties.
    fn zone_lookup(&self, spot: &Spot<S>) -> Option<(ZoneLookup, &ZoneInstance)> {
        match spot {
            Spot::At(zone) => {
                let by = ElementLookup { base: 0, first: 0, size: 0, by: 0 };
                Some((ZoneLookup { by, other: *zone }, self.layout.instances.get(*zone as usize)?))
            }
            Spot::By { base, low, size, index } => {
                let Expr::Cell(by) = **index else { return None };
                let by = ElementLookup { base: *base, first: *low, size: *size, by };
                // The last set of a frame belongs to no zone and is always empty.
                let other = self.layout.instances.len() as u32;
                Some((ZoneLookup { by, other }, self.layout.instances.get(*base as usize)?))
            }
            _ => None,
        }
    }

    /// Compiles the move of a chosen card out of a zone without order into a zone without a limit.
    fn move_one(&self, card: u32, path: &Path<S>, next: Pc) -> Option<CompiledInstruction<S>> {
        let ((from, source), (to, target)) = (self.zone_lookup(&path.from)?, self.zone_lookup(&path.to)?);
        let Bringer::Seat(Expr::Cell(by)) = path.by else { return None };
        if path.face_down || source.list != NO_LIST || target.bounded {
            return None;
        }
        let interpret = self.interpret();
        if let Spot::At(to) = path.to {
            let to = ZoneTarget { zone: to as usize, list: target.list, remembers: target.remembers };
            return Some(CompiledInstruction::from_fn(move |frame, _| {
                let from = from.find(frame);
                let (card, by) = (frame.cells[card as usize], frame.cells[by as usize] as i8);
                branch(move_one_unseen(frame, card, from, to, by), next, interpret)
            }));
        }
        Some(CompiledInstruction::from_fn(move |frame, at| {
            let (from, to) = (from.find(frame), to.find(frame));
            let (card, by) = (frame.cells[card as usize], frame.cells[by as usize] as i8);
            // The lookup found no zone, because the index is out of range.
            let Some(target) = at.instance().layout.instances.get(to) else { return interpret };
            let to = ZoneTarget { zone: to, list: target.list, remembers: target.remembers };
            branch(move_one_unseen(frame, card, from, to, by), next, interpret)
        }))
    }

    fn move_all(&self, path: &Path<S>, next: Pc) -> Option<CompiledInstruction<S>> {
        let ((from, _), (to, target)) = (self.zone_lookup(&path.from)?, self.zone_lookup(&path.to)?);
        if path.face_down || target.bounded {
            return None;
        }
        let interpret = self.interpret();
        let nowhere = self.layout.instances.len();
        let by = path.by.clone();
        Some(CompiledInstruction::from_fn(move |frame: &mut Frame<S>, at| {
            let (from, to) = (from.find(frame), to.find(frame));
            if from == to || from == nowhere || to == nowhere || !frame.face_down.is_empty() {
                return interpret;
            }
            move_all_unseen(frame, at, from, to, &by);
            next
        }))
    }

    fn draw(&self, count: &Expr<S>, path: &Path<S>, next: Pc) -> Option<CompiledInstruction<S>> {
        let ((from, source), (to, target)) = (self.zone_lookup(&path.from)?, self.zone_lookup(&path.to)?);
        if path.face_down || source.list == NO_LIST || target.bounded || target.remembers {
            return None;
        }
        Some(value(count.clone(), DrawCards { from, to, nowhere: self.layout.instances.len(), next, here: self.here }))
    }

    fn ask(&self, id: AskId) -> Option<CompiledInstruction<S>> {
        let (seat, asking) = self.question(id, self.here)?;
        Some(
            reading!(seat.clone(), seat => CompiledInstruction::from_fn(move |frame: &mut Frame<S>, at: &Registers<S>| {
                let seat = seat(Eval { frame, at });
                asking.ask(frame, at, seat)
            })),
        )
    }
}

/// A question to ask of one seat.
#[derive(Clone, Copy)]
struct Asking {
    id: AskId,
    pc: Pc,
    /// Whether it waits for a seat that is absent.
    waits: bool,
}

impl Asking {
    #[inline(always)]
    fn ask<S: CardSet>(self, frame: &Frame<S>, at: &Registers<S>, seat: i32) -> Pc {
        if at.spent() || !frame.is_playing(seat) || !(self.waits || frame.is_present(seat)) {
            return self.pc | CompiledInstruction::<S>::INTERPRET;
        }
        at.me.set(seat);
        Pc::from(self.id) | CompiledInstruction::<S>::ASK
    }
}

/// Passes the turn to the next seat that holds cards and asks it a question.
struct Turn {
    cells: CircleCells,
    base: usize,
    asking: Asking,
    exit: Pc,
}

impl Turn {
    /// Looks for the next seat when the neighbour holds no cards. Kept out of line, so that the usual case saves no machine registers.
    #[inline(never)]
    fn search<S: CardSet>(&self, frame: &mut Frame<S>, at: &Registers<S>) -> Pc {
        match self.cells.next_holding(frame, self.base) {
            Some(seat) => self.asking.ask(frame, at, seat as i32),
            None => self.exit,
        }
    }
}

/// Finds an element of an indexed variable or zone; a cell holds the index.
#[derive(Clone, Copy)]
struct ElementLookup {
    base: u32,
    first: i32,
    size: u32,
    by: u32,
}

impl ElementLookup {
    #[inline(always)]
    fn find<S>(self, frame: &Frame<S>) -> Option<u32> {
        // A game without variables has no cells; a zone without an index is looked up with a size of 0.
        let n = frame.cells.get(self.by as usize)?.wrapping_sub(self.first) as u32;
        (n < self.size).then(|| self.base + n)
    }
}

/// Finds a zone instance: by its index, or `other` if the index is out of range.
#[derive(Clone, Copy)]
struct ZoneLookup {
    by: ElementLookup,
    other: u32,
}

impl ZoneLookup {
    #[inline(always)]
    fn find<S>(self, frame: &Frame<S>) -> usize {
        self.by.find(frame).unwrap_or(self.other) as usize
    }
}

/// Chooses the next pc by a branch. A computed choice (which the compiler prefers) would make the next call wait for the condition; a
/// branch is predicted, usually rightly, and the call has begun by then. The second path is not in fact cold.
#[inline(always)]
fn branch(first: bool, one: Pc, other: Pc) -> Pc {
    if first {
        one
    } else {
        std::hint::cold_path();
        other
    }
}

struct Branch {
    yes: Pc,
    no: Pc,
    /// A second test, made in the same closure when the condition is false, as in "stop when cut or over".
    flag: Option<Flag>,
}

struct Flag {
    cell: u32,
    yes: Pc,
    no: Pc,
}

impl<S: CardSet> Consumer<S, bool> for Branch {
    type Output = CompiledInstruction<S>;

    fn consume(self, cond: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> CompiledInstruction<S> {
        let Branch { yes, no, flag } = self;
        match flag {
            None => CompiledInstruction::from_fn(move |frame, at| branch(cond(Eval { frame, at }), yes, no)),
            Some(flag) => CompiledInstruction::from_fn(move |frame, at| {
                if cond(Eval { frame, at }) {
                    return yes;
                }
                std::hint::cold_path();
                branch(frame.cells[flag.cell as usize] != 0, flag.yes, flag.no)
            }),
        }
    }
}

struct SetCell {
    cell: u32,
    low: i32,
    high: i32,
    next: Pc,
}

impl<S: CardSet> Consumer<S, i32> for SetCell {
    type Output = CompiledInstruction<S>;

    fn consume(self, value: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> CompiledInstruction<S> {
        CompiledInstruction::from_fn(move |frame, at| {
            let value = value(Eval { frame, at });
            frame.cells[self.cell as usize] = value.max(self.low).min(self.high);
            self.next
        })
    }
}

/// Sets an element of a variable; an index out of range sets nothing.
struct SetElement {
    at: ElementLookup,
    low: i32,
    high: i32,
    next: Pc,
}

impl<S: CardSet> Consumer<S, i32> for SetElement {
    type Output = CompiledInstruction<S>;

    fn consume(self, value: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> CompiledInstruction<S> {
        CompiledInstruction::from_fn(move |frame, at| {
            let value = value(Eval { frame, at });
            if let Some(cell) = self.at.find(frame) {
                frame.cells[cell as usize] = value.max(self.low).min(self.high);
            }
            self.next
        })
    }
}

struct DrawCards {
    from: ZoneLookup,
    to: ZoneLookup,
    nowhere: usize,
    next: Pc,
    here: Pc,
}

impl<S: CardSet> Consumer<S, i32> for DrawCards {
    type Output = CompiledInstruction<S>;

    fn consume(self, count: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> CompiledInstruction<S> {
        CompiledInstruction::from_fn(move |frame, at| {
            let count = count(Eval { frame, at });
            let (from, to) = (self.from.find(frame), self.to.find(frame));
            let somewhere = from != self.nowhere && to != self.nowhere;
            branch(
                somewhere && draw_unseen(frame, at, count, from, to),
                self.next,
                self.here | CompiledInstruction::<S>::INTERPRET,
            )
        })
    }
}

struct CountCell {
    cell: u32,
    next: Pc,
    exit: Pc,
}

impl<S: CardSet> Consumer<S, i32> for CountCell {
    type Output = CompiledInstruction<S>;

    fn consume(self, high: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> CompiledInstruction<S> {
        CompiledInstruction::from_fn(move |frame, at| {
            let high = high(Eval { frame, at });
            let cell = &mut frame.cells[self.cell as usize];
            let more = *cell < high;
            *cell += more as i32;
            branch(more, self.next, self.exit)
        })
    }
}
