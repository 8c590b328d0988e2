//! Steps as closures, for when nobody listens: what playouts and searches run.
//!
//! Each is made when the table is made, from its [`Step`], and holds what that says: cells, zones, where it goes on. It needs no
//! chance and tells nothing; what it can't do it leaves to the loop over steps ([`Run::one`](super::Run)), in general or in the case at hand.

use super::cards::{Fixed, draw_unseen, move_all_unseen, move_one_unseen};
use super::round::Round;
use crate::cardset::CardSet;
use crate::eval::{Eval, Registers};
use crate::frame::Frame;
use crate::instance::closure::{Use, condition, reading, value};
use crate::instance::code::{Bringer, Cell, Circle, Expr, Path, Spot, Step, Target};
use crate::instance::question::{Mode, Question};
use crate::instance::{Layout, Line, NO_LIST, ZoneInstance};
use baize_rules::program::{AbsentPolicy, Arith, AskId, Pc};
use std::fmt;

/// Where a step leads: a pc, with one of these if there is more to it.
pub(super) const BACK: Pc = 1 << 31;
/// The step at this pc has not been taken: it is for the loop over steps.
pub(super) const GENERAL: Pc = 1 << 30;
/// There was no fuel left to go there.
pub(super) const SPENT: Pc = 1 << 29;
/// A question, by its number instead of a pc, is to be asked of the seat that is now [`Registers::me`].
pub(super) const ASKED: Pc = 1 << 28;

type Run<S> = dyn Fn(&mut Frame<S>, &Registers<S>) -> Pc + Send + Sync;

/// A step that takes itself and says where it leads.
pub struct Quick<S>(Box<Run<S>>);

impl<S> fmt::Debug for Quick<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Quick")
    }
}

impl<S: CardSet> Quick<S> {
    fn of(run: impl Fn(&mut Frame<S>, &Registers<S>) -> Pc + Send + Sync + 'static) -> Self {
        Quick(Box::new(run))
    }

    /// Takes steps until one is [`GENERAL`], somebody is [`ASKED`], or the fuel is used up ([`SPENT`]).
    #[inline(always)]
    pub(super) fn run(steps: &[Quick<S>], mut pc: Pc, frame: &mut Frame<S>, at: &Registers<S>) -> Pc {
        loop {
            while let Some(step) = steps.get(pc as usize) {
                pc = (step.0)(frame, at);
            }
            if pc & BACK == 0 {
                return pc;
            }
            // Only what goes back can go on for ever.
            pc &= !BACK;
            at.spend(1);
            if at.spent() {
                return pc | SPENT;
            }
        }
    }

    /// Makes one of each line.
    pub fn lines(lines: &[Line<S>], questions: &[Question<S>], layout: &Layout) -> Vec<Quick<S>> {
        let make = |(pc, line)| Maker { lines, questions, layout, here: pc as Pc }.quick(line);
        lines.iter().enumerate().map(make).collect()
    }
}

/// What is known when the step of a line is made.
struct Maker<'a, S> {
    lines: &'a [Line<S>],
    questions: &'a [Question<S>],
    layout: &'a Layout,
    here: Pc,
}

impl<S: CardSet> Maker<'_, S> {
    /// How a step says that it leads there.
    fn lead(&self, to: Pc) -> Pc {
        if to <= self.here { to | BACK } else { to }
    }

    fn quick(&self, line: &Line<S>) -> Quick<S> {
        let next = self.lead(line.quiet);
        let quick = match &line.step {
            Step::Jump(to) => {
                let to = self.lead(*to);
                Some(Quick::of(move |_, _| to))
            }
            Step::Unless(cond, no) => {
                let flag = self.flag(*no);
                Some(condition(cond.clone(), Branch { yes: next, no: self.lead(*no), flag }))
            }
            Step::Set(set) => self.set(&set.0, set.1.clone(), next),
            Step::Add(add) => self.add(&add.0, &add.1, next),
            Step::RevealValue(reveal) => self.set(&reveal.target, reveal.value.clone(), next),
            Step::Circle(circle) => self.circle(circle, line.quiet),
            Step::CountTo(count) => match count.var {
                Cell::At(cell) => {
                    let exit = self.lead(count.exit);
                    Some(value(count.high.clone(), CountTo { cell, next, exit }))
                }
                _ => None,
            },
            Step::MoveOne { card: Expr::Cell(card), path } => self.move_one(*card, path, next),
            Step::MoveAll(path) => self.move_all(path, next),
            Step::Draw { count, path } => self.draw(count, path, next),
            Step::Phase(phase) => {
                let phase = *phase;
                Some(Quick::of(move |frame, _| {
                    frame.phase = phase;
                    next
                }))
            }
            Step::Ask(id) => self.ask(*id),
            _ => None,
        };
        let general = self.here | GENERAL;
        quick.unwrap_or_else(|| Quick::of(move |_, _| general))
    }

    /// If a step depends on a flag alone.
    fn flag(&self, pc: Pc) -> Option<Flag> {
        match self.lines.get(pc as usize)? {
            Line { step: Step::Unless(Expr::Cell(cell), no), quiet, .. } => {
                Some(Flag { cell: *cell, yes: self.lead(*quiet), no: self.lead(*no) })
            }
            _ => None,
        }
    }

    fn set(&self, target: &Target<S>, expr: Expr<S>, next: Pc) -> Option<Quick<S>> {
        let (low, high) = (target.low, target.high);
        match &target.cell {
            Cell::At(cell) => Some(value(expr, SetTo { cell: *cell, low, high, next })),
            Cell::By { base, low: first, size, index } => {
                let Expr::Cell(by) = **index else { return None };
                let at = By { base: *base, first: *first, size: *size, by };
                Some(value(expr, SetBy { at, low, high, next }))
            }
            _ => None,
        }
    }

    /// Sets it to the sum with what is there. (Out of range nothing is set, whatever is read.)
    fn add(&self, target: &Target<S>, expr: &Expr<S>, next: Pc) -> Option<Quick<S>> {
        let there = match &target.cell {
            Cell::At(cell) => Expr::Cell(*cell),
            cell => Expr::At { cell: Box::new(cell.clone()), none: 0 },
        };
        self.set(target, Expr::Arith(Arith::Add, Box::new([there, expr.clone()])), next)
    }

    fn circle(&self, circle: &Circle<S>, next: Pc) -> Option<Quick<S>> {
        let (Cell::At(start), Cell::At(step), Cell::At(seat)) = (&circle.start, &circle.step, &circle.seat) else {
            return None;
        };
        let round = Round { start: *start as usize, step: *step as usize, seat: *seat as usize };
        let (exit, members) = (self.lead(circle.exit), circle.member.clone());
        let asks = self.asking(next, *seat);
        let next = self.lead(next);
        Some(match (members.holding, asks) {
            // Mostly whose turn it is, is asked something.
            (Some(base), Some(asking)) => {
                let turn = Turn { round, base: base as usize, asking, exit };
                Quick::of(move |frame, at| match turn.round.very_next(frame, turn.base) {
                    Some(seat) => turn.asking.ask(frame, at, seat as i32),
                    None => turn.search(frame, at),
                })
            }
            (Some(base), None) => {
                Quick::of(move |frame, _| way(round.next_holding(frame, base as usize).is_some(), next, exit))
            }
            (None, _) => Quick::of(move |frame, at| way(round.next(frame, at, &members), next, exit)),
        })
    }

    /// If a step asks the seat of this cell.
    fn asking(&self, pc: Pc, cell: u32) -> Option<Asking> {
        let Step::Ask(id) = &self.lines.get(pc as usize)?.step else { return None };
        let (seat, asking) = self.question(*id, pc)?;
        (*seat == Expr::Cell(cell)).then_some(asking)
    }

    /// A question to one seat, and which.
    fn question(&self, id: AskId, pc: Pc) -> Option<(&Expr<S>, Asking)> {
        let question = self.questions.get(usize::from(id))?;
        let Mode::One(seat) = &question.mode else { return None };
        let asking = Asking { id, pc, waits: question.absent == AbsentPolicy::Wait };
        (!question.threaded).then_some((seat, asking))
    }

    /// The instance a spot means, and what all it can mean have in common.
    fn place(&self, spot: &Spot<S>) -> Option<(Place, &ZoneInstance)> {
        match spot {
            Spot::At(zone) => {
                let by = By { base: 0, first: 0, size: 0, by: 0 };
                Some((Place { by, other: *zone }, self.layout.instances.get(*zone as usize)?))
            }
            Spot::By { base, low, size, index } => {
                let Expr::Cell(by) = **index else { return None };
                let by = By { base: *base, first: *low, size: *size, by };
                // A set that is always empty.
                let other = self.layout.instances.len() as u32;
                Some((Place { by, other }, self.layout.instances.get(*base as usize)?))
            }
            _ => None,
        }
    }

    /// A card that was chosen out of a zone without order, to a zone that has room.
    fn move_one(&self, card: u32, path: &Path<S>, next: Pc) -> Option<Quick<S>> {
        let ((from, source), (to, target)) = (self.place(&path.from)?, self.place(&path.to)?);
        let Bringer::Seat(Expr::Cell(by)) = path.by else { return None };
        if path.face_down || source.list != NO_LIST || target.bounded {
            return None;
        }
        let general = self.here | GENERAL;
        if let Spot::At(to) = path.to {
            let to = Fixed { zone: to as usize, list: target.list, remembers: target.remembers };
            return Some(Quick::of(move |frame, _| {
                let from = from.find(frame);
                let (card, by) = (frame.cells[card as usize], frame.cells[by as usize] as i8);
                way(move_one_unseen(frame, card, from, to, by), next, general)
            }));
        }
        Some(Quick::of(move |frame, at| {
            let (from, to) = (from.find(frame), to.find(frame));
            let (card, by) = (frame.cells[card as usize], frame.cells[by as usize] as i8);
            // None: nowhere.
            let Some(target) = at.instance().layout.instances.get(to) else { return general };
            let to = Fixed { zone: to, list: target.list, remembers: target.remembers };
            way(move_one_unseen(frame, card, from, to, by), next, general)
        }))
    }

    fn move_all(&self, path: &Path<S>, next: Pc) -> Option<Quick<S>> {
        let ((from, _), (to, target)) = (self.place(&path.from)?, self.place(&path.to)?);
        if path.face_down || target.bounded {
            return None;
        }
        let general = self.here | GENERAL;
        let nowhere = self.layout.instances.len();
        let by = path.by.clone();
        Some(Quick::of(move |frame: &mut Frame<S>, at| {
            let (from, to) = (from.find(frame), to.find(frame));
            if from == to || from == nowhere || to == nowhere || !frame.face_down.is_empty() {
                return general;
            }
            move_all_unseen(frame, at, from, to, &by);
            next
        }))
    }

    fn draw(&self, count: &Expr<S>, path: &Path<S>, next: Pc) -> Option<Quick<S>> {
        let ((from, source), (to, target)) = (self.place(&path.from)?, self.place(&path.to)?);
        if path.face_down || source.list == NO_LIST || target.bounded || target.remembers {
            return None;
        }
        Some(value(count.clone(), Draw { from, to, nowhere: self.layout.instances.len(), next, here: self.here }))
    }

    fn ask(&self, id: AskId) -> Option<Quick<S>> {
        let (seat, asking) = self.question(id, self.here)?;
        Some(reading!(seat.clone(), seat => Quick::of(move |frame: &mut Frame<S>, at: &Registers<S>| {
            let seat = seat(Eval { frame, at });
            asking.ask(frame, at, seat)
        })))
    }
}

/// A question to one seat.
#[derive(Clone, Copy)]
struct Asking {
    id: AskId,
    pc: Pc,
    /// Also for who is not there.
    waits: bool,
}

impl Asking {
    #[inline(always)]
    fn ask<S: CardSet>(self, frame: &Frame<S>, at: &Registers<S>, seat: i32) -> Pc {
        if at.spent() || !frame.is_playing(seat) || !(self.waits || frame.is_present(seat)) {
            return self.pc | GENERAL;
        }
        at.me.set(seat);
        Pc::from(self.id) | ASKED
    }
}

/// Whose turn it is, of those who hold cards, and what they are asked.
struct Turn {
    round: Round,
    base: usize,
    asking: Asking,
    exit: Pc,
}

impl Turn {
    /// It is not the next one's turn. (Apart from that case, which needs no call and nothing to be saved for one.)
    #[inline(never)]
    fn search<S: CardSet>(&self, frame: &mut Frame<S>, at: &Registers<S>) -> Pc {
        match self.round.next_holding(frame, self.base) {
            Some(seat) => self.asking.ask(frame, at, seat as i32),
            None => self.exit,
        }
    }
}

/// An element of a variable or zone, by the value of a cell.
#[derive(Clone, Copy)]
struct By {
    base: u32,
    first: i32,
    size: u32,
    by: u32,
}

impl By {
    #[inline(always)]
    fn find<S>(self, frame: &Frame<S>) -> Option<u32> {
        let n = frame.cells[self.by as usize].wrapping_sub(self.first) as u32;
        (n < self.size).then(|| self.base + n)
    }
}

/// A zone instance: by an index, else another.
#[derive(Clone, Copy)]
struct Place {
    by: By,
    other: u32,
}

impl Place {
    #[inline(always)]
    fn find<S>(self, frame: &Frame<S>) -> usize {
        self.by.find(frame).unwrap_or(self.other) as usize
    }
}

/// One of two ways, as a branch. Computed instead, the next step would depend on what has just been found out; a branch is guessed, mostly
/// rightly, and the next step has begun by then. (By itself the compiler computes. The second way is not in fact a cold one.)
#[inline(always)]
fn way(first: bool, one: Pc, other: Pc) -> Pc {
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
    /// What follows if not, and need not be a step of its own: "stop when cut or over".
    flag: Option<Flag>,
}

struct Flag {
    cell: u32,
    yes: Pc,
    no: Pc,
}

impl<S: CardSet> Use<S, bool> for Branch {
    type Made = Quick<S>;

    fn make(self, cond: impl Fn(Eval<S>) -> bool + Send + Sync + 'static) -> Quick<S> {
        let Branch { yes, no, flag } = self;
        match flag {
            None => Quick::of(move |frame, at| way(cond(Eval { frame, at }), yes, no)),
            Some(flag) => Quick::of(move |frame, at| {
                if cond(Eval { frame, at }) {
                    return yes;
                }
                std::hint::cold_path();
                way(frame.cells[flag.cell as usize] != 0, flag.yes, flag.no)
            }),
        }
    }
}

struct SetTo {
    cell: u32,
    low: i32,
    high: i32,
    next: Pc,
}

impl<S: CardSet> Use<S, i32> for SetTo {
    type Made = Quick<S>;

    fn make(self, value: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> Quick<S> {
        Quick::of(move |frame, at| {
            let value = value(Eval { frame, at });
            frame.cells[self.cell as usize] = value.max(self.low).min(self.high);
            self.next
        })
    }
}

/// An element of a variable; out of range nothing happens.
struct SetBy {
    at: By,
    low: i32,
    high: i32,
    next: Pc,
}

impl<S: CardSet> Use<S, i32> for SetBy {
    type Made = Quick<S>;

    fn make(self, value: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> Quick<S> {
        Quick::of(move |frame, at| {
            let value = value(Eval { frame, at });
            if let Some(cell) = self.at.find(frame) {
                frame.cells[cell as usize] = value.max(self.low).min(self.high);
            }
            self.next
        })
    }
}

struct Draw {
    from: Place,
    to: Place,
    nowhere: usize,
    next: Pc,
    here: Pc,
}

impl<S: CardSet> Use<S, i32> for Draw {
    type Made = Quick<S>;

    fn make(self, count: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> Quick<S> {
        Quick::of(move |frame, at| {
            let count = count(Eval { frame, at });
            let (from, to) = (self.from.find(frame), self.to.find(frame));
            let somewhere = from != self.nowhere && to != self.nowhere;
            way(somewhere && draw_unseen(frame, at, count, from, to), self.next, self.here | GENERAL)
        })
    }
}

struct CountTo {
    cell: u32,
    next: Pc,
    exit: Pc,
}

impl<S: CardSet> Use<S, i32> for CountTo {
    type Made = Quick<S>;

    fn make(self, high: impl Fn(Eval<S>) -> i32 + Send + Sync + 'static) -> Quick<S> {
        Quick::of(move |frame, at| {
            let high = high(Eval { frame, at });
            let cell = &mut frame.cells[self.cell as usize];
            let more = *cell < high;
            *cell += more as i32;
            way(more, self.next, self.exit)
        })
    }
}
