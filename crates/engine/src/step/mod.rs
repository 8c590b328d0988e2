//! Runs the rules from one decision to the next.
//!
//! An [`Interpreter`] borrows a frame for one step. It executes instructions until a seat has to answer, the game ends, or the
//! step's budget is used up. `crate::play` and `crate::input` call it for tables, `crate::world` for searches. With a sink that is not
//! active (nobody is told) it runs compiled instructions wherever it can.

mod cards;
mod circle;
mod close;
mod decide;
mod outcome;
mod playout;
mod random;
mod store;

pub(crate) use cards::{ZoneTarget, draw_unseen, move_all_unseen, move_one_unseen};
pub(crate) use circle::CircleCells;

use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::eval::{Eval, Registers};
use crate::frame::{Frame, NO_ID, Status};
use crate::instance::Instance;
use crate::instance::closure::CompiledInstruction;
use crate::instance::code::{Circle, Instruction, LinkedInstruction};
use crate::instance::expr::Expr;
use crate::sink::{RawEvent, Sink};
use baize_rules::program::{AnnounceKind, AskId, NONE, Pc};

/// Budget of one step, in instructions, loop turns and moved cards. Games need a few hundred.
pub const STEP_FUEL: i64 = 200_000;

/// Executes the rules on a frame, with chance from `chance` and events to `sink`.
pub(crate) struct Interpreter<'a, S, C, K> {
    pub instance: &'a Instance<S>,
    pub frame: &'a mut Frame<S>,
    pub chance: &'a mut C,
    pub sink: &'a mut K,
    pub at: Registers<'a, S>,
    /// Number of asks that the running thread has skipped because its seat is absent.
    thread_skips: u32,
}

/// The kind of code that runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunningCode {
    Main,
    /// A seat's thread of a `together` block.
    Thread(u8),
    Hook,
}

/// Why the interpreter stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Waiting,
    /// The end of a thread or hook.
    Done,
    Ended,
}

impl<'a, S: CardSet, C: Chance, K: Sink<S>> Interpreter<'a, S, C, K> {
    #[inline]
    pub fn new(instance: &'a Instance<S>, frame: &'a mut Frame<S>, chance: &'a mut C, sink: &'a mut K) -> Self {
        Interpreter { instance, frame, chance, sink, at: Registers::new(instance, NONE, STEP_FUEL), thread_skips: 0 }
    }

    #[inline]
    fn eval(&self) -> Eval<'_, S> {
        Eval { frame: self.frame, at: &self.at }
    }

    #[inline]
    fn num(&self, expr: &Expr<S>) -> i32 {
        self.eval().num(expr)
    }

    /// Sends an event to the sink. The event is made only if the sink is active.
    #[inline]
    fn tell(&mut self, event: impl FnOnce() -> RawEvent) {
        if K::ACTIVE {
            self.sink.event(self.frame, event());
        }
    }

    /// Runs the course of the game from its beginning.
    pub fn begin(&mut self) {
        self.go(0);
    }

    /// Runs the course of the game from a pc.
    #[inline]
    fn go(&mut self, pc: Pc) {
        self.at.me.set(NONE);
        self.run(pc, RunningCode::Main);
    }

    /// Runs until a seat is asked or the code ends. Without an active sink, compiled instructions lead from most decisions to the next.
    #[inline]
    fn run(&mut self, pc: Pc, running: RunningCode) -> Stop {
        let here = self.run_ahead(pc);
        self.interpret(here, running)
    }

    /// Runs compiled instructions as far as they lead, if the sink is not active.
    #[inline(always)]
    fn run_ahead(&mut self, pc: Pc) -> Pc {
        if K::ACTIVE { pc } else { run_compiled(&self.instance.code.compiled, pc, self.frame, &self.at) }
    }

    /// Interprets instructions from a pc that may carry flags of [`CompiledInstruction`].
    #[inline(never)]
    fn interpret(&mut self, mut here: Pc, running: RunningCode) -> Stop {
        let instance = self.instance;
        loop {
            if !K::ACTIVE {
                if here & CompiledInstruction::<S>::ASK != 0 {
                    self.open_one(here as AskId, self.at.me.get() as u8);
                    return Stop::Waiting;
                }
                if here & CompiledInstruction::<S>::SPENT != 0 {
                    return self.fault(here & !CompiledInstruction::<S>::SPENT);
                }
                here &= !CompiledInstruction::<S>::INTERPRET;
            }
            let pc = match instance.code.instructions.get(here as usize) {
                // Instructions that use chance can't be compiled. Rolls are the most frequent of them, so this loop handles them itself.
                Some(LinkedInstruction { instruction: Instruction::Roll(roll), next_unobserved, .. }) if !K::ACTIVE => {
                    self.roll(roll);
                    *next_unobserved
                }
                Some(linked) => match self.execute(linked, here, running) {
                    Ok(next) => next,
                    Err(stop) => return stop,
                },
                // Running off the end would be a fault of the compiler; the game ends instead of a panic.
                None => return self.fault(here),
            };
            // Every endless loop jumps backwards, so only backward jumps cost fuel.
            if pc <= here {
                self.at.spend(1);
                if self.at.spent() {
                    return self.fault(pc);
                }
            }
            here = self.run_ahead(pc);
        }
    }

    /// Executes one instruction; returns the next pc, or why the interpreter stops.
    #[inline(never)]
    fn execute(&mut self, linked: &LinkedInstruction<S>, here: Pc, running: RunningCode) -> Result<Pc, Stop> {
        let instance = self.instance;
        let mut pc = if K::ACTIVE { linked.next } else { linked.next_unobserved };
        if K::ACTIVE {
            self.sink.next_op();
            self.sink.at(self.frame, here);
        }
        match &linked.instruction {
            Instruction::Set(set) => {
                let value = self.num(&set.1);
                self.store(&set.0, value);
            }
            Instruction::Add(add) => {
                let value = self.num(&add.1);
                self.add(&add.0, value);
            }
            Instruction::Jump(to) => pc = *to,
            Instruction::Unless(cond, to) => {
                if !self.eval().holds(cond) {
                    pc = *to;
                }
            }
            Instruction::Circle(circle) => {
                if !self.circle(circle) {
                    pc = circle.exit;
                }
            }
            Instruction::CountTo(count) => {
                let high = self.num(&count.high);
                match self.eval().cell(&count.var) {
                    Some(cell) if self.frame.cells[cell] < high => self.frame.cells[cell] += 1,
                    _ => pc = count.exit,
                }
            }
            Instruction::MoveOne { card, path } => {
                let card = self.num(card);
                let (from, to) = (self.eval().spot(&path.from), self.eval().spot(&path.to));
                self.move_one(card, from, to, path.face_down, &path.by);
            }
            Instruction::MoveAll(path) => {
                let (from, to) = (self.eval().spot(&path.from), self.eval().spot(&path.to));
                self.move_all(from, to, path.face_down, &path.by);
            }
            Instruction::Move { what, path } => {
                let to = self.eval().spot(&path.to);
                let some = if K::ACTIVE { None } else { self.eval().out_of_zone(what) };
                match some {
                    Some((from, cards)) => self.move_some(from, cards, to, path.face_down, &path.by),
                    None => {
                        let list = self.eval().ordered(what);
                        self.move_list(&list, to, path.face_down, &path.by);
                    }
                }
            }
            Instruction::Draw { count, path } => {
                let count = self.num(count);
                let (from, to) = (self.eval().spot(&path.from), self.eval().spot(&path.to));
                self.draw(count, from, to, path.face_down, &path.by);
            }
            Instruction::Deal(deal) => self.deal(deal),
            Instruction::Pass(pass) => self.pass(pass),
            Instruction::RanOut => {
                if K::ACTIVE {
                    self.sink.repeat_stopped(here);
                }
            }
            Instruction::Gather { deck, to } => {
                let to = self.eval().spot(to);
                self.gather(*deck, to);
            }
            Instruction::Shuffle(spot) => {
                let zone = self.eval().spot(spot);
                self.shuffle(zone);
            }
            Instruction::Mix { from, to } => self.mix(from, *to),
            Instruction::Turn { what, down } => {
                let cards = self.eval().set(what);
                self.turn(&cards, *down);
            }
            Instruction::Roll(roll) => self.roll(roll),
            Instruction::RandomSeat(random) => {
                let seats = self.eval().members(&random.1);
                let seat = self.random_seat(seats);
                self.store(&random.0, seat);
            }
            Instruction::RandomCard(random) => {
                let cards = self.eval().set(&random.1);
                let card = self.random_card(&cards);
                self.store(&random.0, card);
            }
            Instruction::Announce { text, kind, to } => {
                if K::ACTIVE
                    && let Some(to) = self.addressee(to.as_deref())
                {
                    let text = self.eval().write_text(text);
                    let kind = if to.is_some() { AnnounceKind::Notice } else { *kind };
                    self.tell(|| RawEvent::Announced { text, kind, to });
                }
            }
            Instruction::RevealValue(reveal) => {
                let value = self.num(&reveal.value);
                self.store(&reveal.target, value);
                if K::ACTIVE
                    && let Some(to) = self.addressee(reveal.to.as_ref())
                {
                    self.tell(|| RawEvent::RevealedValue {
                        listed: reveal.listed,
                        value,
                        show: reveal.show.clone(),
                        to,
                    });
                }
            }
            Instruction::RevealCards { what, to, listed } => {
                if K::ACTIVE
                    && let Some(to) = self.addressee(to.as_deref())
                {
                    let cards = self.eval().ordered(what);
                    self.tell(|| RawEvent::RevealedCards { listed: *listed, cards, to });
                }
            }
            Instruction::Write { text, card } => {
                let (text, card) = (self.num(text), self.num(card));
                self.write(text, card);
            }
            Instruction::Phase(phase) => {
                self.frame.phase = *phase;
                self.tell(|| RawEvent::Phase { phase: *phase });
            }
            Instruction::Admit => {
                if running == RunningCode::Main && self.admit() == Stop::Ended {
                    return Err(Stop::Ended);
                }
            }
            Instruction::Ask(id) => {
                if self.at.spent() {
                    return Err(self.fault(here));
                }
                let next = match running {
                    RunningCode::Main => self.ask(*id, here),
                    RunningCode::Thread(seat) => match self.ask_thread(*id, here, seat) {
                        Some(next) if next == crate::frame::NO_PC => return Err(Stop::Done),
                        next => next,
                    },
                    // The checker refuses decisions in hooks.
                    RunningCode::Hook => Some(instance.code.questions[*id as usize].after),
                };
                match next {
                    Some(next) => pc = next,
                    None => return Err(Stop::Waiting),
                }
            }
            Instruction::NextAnswer(id) => {
                if let Some(body) = self.next_answer(*id) {
                    pc = body;
                }
            }
            Instruction::Together(id) => {
                if running != RunningCode::Main {
                    return Err(Stop::Done);
                }
                if self.at.spent() {
                    return Err(self.fault(here));
                }
                match self.together(*id, here) {
                    Some(next) => pc = next,
                    None if self.frame.ended() => return Err(Stop::Ended),
                    None => return Err(Stop::Waiting),
                }
            }
            Instruction::ThreadEnd | Instruction::Return => {
                if self.at.spent() {
                    return Err(self.fault(here));
                }
                if running != RunningCode::Main {
                    return Err(Stop::Done);
                }
                return Err(self.fault(here));
            }
            Instruction::End(ending) => {
                if self.at.spent() {
                    return Err(self.fault(here));
                }
                let ended = self.outcome(&ending.outcome, here);
                self.end(ended);
                return Err(Stop::Ended);
            }
        }
        Ok(pc)
    }

    /// Moves a circle on to its next member; returns false when the circle is done.
    fn circle(&mut self, circle: &Circle<S>) -> bool {
        let (start, step, seat) =
            (self.eval().cell(&circle.start), self.eval().cell(&circle.step), self.eval().cell(&circle.seat));
        match (start, step, seat) {
            (Some(start), Some(step), Some(seat)) => {
                CircleCells { start, step, seat }.next(self.frame, &self.at, &circle.member)
            }
            _ => false,
        }
    }

    /// Returns whom a text is for: everyone (`Some(None)`), one seat, or nobody (`None`) if the seat does not exist.
    fn addressee(&mut self, to: Option<&Expr<S>>) -> Option<Option<u8>> {
        match to {
            None => Some(None),
            Some(to) => match self.num(to) {
                seat if (0..self.instance.seats as i32).contains(&seat) => Some(Some(seat as u8)),
                _ => None,
            },
        }
    }

    /// Makes waiting newcomers players and runs the `joins` hook for each.
    fn admit(&mut self) -> Stop {
        for seat in crate::frame::seats_of(self.frame.pending) {
            self.frame.pending &= !(1 << seat);
            self.frame.playing |= 1 << seat;
            self.tell(|| RawEvent::SeatChanged { seat, pending: false });
            if self.hook(self.instance.code.on_join, seat) == Stop::Ended {
                return Stop::Ended;
            }
        }
        Stop::Done
    }

    /// Runs a hook to its end.
    fn hook(&mut self, hook: Option<(u32, Pc)>, seat: u8) -> Stop {
        let Some((cell, body)) = hook else { return Stop::Done };
        self.frame.cells[cell as usize] = seat as i32;
        let me = self.at.me.replace(NONE);
        let stop = self.run(body, RunningCode::Hook);
        self.at.me.set(me);
        stop
    }

    /// Ends the game and closes all decisions.
    pub fn end(&mut self, ended: crate::frame::Ended) {
        self.close_all();
        self.frame.status = Status::Ended;
        self.frame.threads = 0;
        self.frame.asked = NO_ID;
        self.frame.together = NO_ID;
        self.frame.answers.clear();
        self.frame.outcome = Some(ended);
        self.tell(|| RawEvent::Ended);
    }
}

/// Runs compiled instructions until the interpreter has to execute one, a seat has to be asked, or the fuel is used up; the flags of
/// [`CompiledInstruction`] tell which.
#[inline(always)]
fn run_compiled<S: CardSet>(
    compiled: &[CompiledInstruction<S>],
    mut pc: Pc,
    frame: &mut Frame<S>,
    at: &Registers<S>,
) -> Pc {
    loop {
        while let Some(instruction) = compiled.get(pc as usize) {
            pc = instruction.run(frame, at);
        }
        if pc & CompiledInstruction::<S>::BACK == 0 {
            return pc;
        }
        // Every endless loop jumps backwards, so only backward jumps cost fuel.
        pc &= !CompiledInstruction::<S>::BACK;
        at.spend(1);
        if at.spent() {
            return pc | CompiledInstruction::<S>::SPENT;
        }
    }
}
