//! Opens decisions and executes answers.

use super::{Interpreter, RunningCode, Stop};
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::{NO_ID, NO_PC, SealedAnswer, Status, has_seat, seats_of};
use crate::instance::question::{LoweredPartKind, Mode, PartTarget, Question};
use crate::moves::{Move, PartValue};
use crate::sink::{RawEvent, Sink};
use baize_rules::program::{AbsentPolicy, AskId, LimitOutcome, Pc};

/// A thread of an absent seat ends after it has skipped more asks than this; otherwise it could loop for ever.
const THREAD_SKIPS: u32 = 8;

impl<S: CardSet, C: Chance, K: Sink<S>> Interpreter<'_, S, C, K> {
    /// Opens a decision of the course of the game. Returns the next pc if nobody has to be waited for.
    #[inline]
    pub(super) fn ask(&mut self, id: AskId, pc: Pc) -> Option<Pc> {
        let question = &self.instance.code.questions[id as usize];
        let seat = match &question.mode {
            Mode::One(seat) => self.num(seat),
            Mode::Lead if self.frame.lead < 0 => return self.desert(pc),
            Mode::Lead => self.frame.lead as i32,
            Mode::All(_) | Mode::First(_) => return self.ask_many(id, pc),
        };
        if !self.frame.is_playing(seat) {
            return self.pass_over(pc, question.after);
        }
        if self.frame.is_present(seat) || question.absent == AbsentPolicy::Wait || !self.anyone_present() {
            self.open_one(id, seat as u8);
            return None;
        }
        match question.absent {
            AbsentPolicy::Default => {
                if self.too_many_skips() {
                    return self.desert(pc);
                }
                self.frame.skips += 1;
                let answer = self.default_answer(seat as u8, id);
                self.frame.moves += 1;
                Some(self.enter(seat as u8, id, &answer, false))
            }
            _ => {
                let next = self.pass_over(pc, question.after);
                if next.is_some() {
                    self.tell(|| RawEvent::Skipped { seat: seat as u8 });
                }
                next
            }
        }
    }

    fn ask_many(&mut self, id: AskId, pc: Pc) -> Option<Pc> {
        let question = &self.instance.code.questions[id as usize];
        let (Mode::All(members) | Mode::First(members)) = &question.mode else { return Some(question.after) };
        let asked = self.eval().members(members);
        let (mut open, mut absent) = (asked, 0);
        if question.absent != AbsentPolicy::Wait && self.anyone_present() {
            absent = asked & !self.frame.present;
            open &= !absent;
        }
        if open == 0 && (absent == 0 || self.too_many_skips()) {
            return self.pass_over(pc, question.after);
        }
        self.frame.answers.clear();
        if question.absent == AbsentPolicy::Default && matches!(question.mode, Mode::All(_)) {
            for seat in seats_of(absent) {
                let answer = self.default_answer(seat, id);
                self.frame.moves += 1;
                self.seal(seat, id, answer);
            }
        }
        if open == 0 {
            self.frame.skips += 1;
            return Some(self.all_in(id));
        }
        self.open(id, open);
        None
    }

    #[inline]
    pub(super) fn open_one(&mut self, id: AskId, seat: u8) {
        self.open(id, 1 << seat);
    }

    /// Opens a decision for some seats.
    fn open(&mut self, id: AskId, seats: u32) {
        let frame = &mut *self.frame;
        let decision = frame.next_decision;
        frame.next_decision += 1;
        frame.decision = decision;
        frame.asked = id;
        frame.pc = self.instance.code.questions[id as usize].at;
        frame.open = seats;
        frame.status = Status::Asking;
        frame.skips = 0;
        for seat in seats_of(seats) {
            let asked = &mut self.frame.seats[seat as usize];
            asked.ask = id;
            asked.decision = decision;
            self.tell(|| RawEvent::DecisionOpened { seat, decision, ask: id });
        }
    }

    /// Asks the seat of a thread. Returns the next pc if the seat is not waited for; `Some(NO_PC)` means that the thread is over.
    pub(super) fn ask_thread(&mut self, id: AskId, pc: Pc, seat: u8) -> Option<Pc> {
        let question = &self.instance.code.questions[id as usize];
        if !self.frame.is_playing(seat as i32) {
            return Some(NO_PC);
        }
        let absent = self.absent_policy(question);
        if !self.frame.is_present(seat as i32) && absent != AbsentPolicy::Wait && self.anyone_present() {
            self.thread_skips += 1;
            if self.thread_skips > THREAD_SKIPS {
                return Some(NO_PC);
            }
            if absent == AbsentPolicy::Skip {
                return Some(question.after);
            }
            let answer = self.default_answer(seat, id);
            self.frame.moves += 1;
            return Some(self.enter(seat, id, &answer, false));
        }
        let decision = self.frame.next_decision;
        self.frame.next_decision += 1;
        self.frame.open |= 1 << seat;
        self.frame.skips = 0;
        let asked = &mut self.frame.seats[seat as usize];
        asked.ask = id;
        asked.decision = decision;
        asked.pc = pc;
        self.tell(|| RawEvent::DecisionOpened { seat, decision, ask: id });
        None
    }

    /// Starts the threads of a `together` block. Returns the next pc if all of them end at once.
    pub(super) fn together(&mut self, id: u16, pc: Pc) -> Option<Pc> {
        let block = &self.instance.code.blocks[id as usize];
        let seats = self.eval().members(&block.over);
        let nobody_waits =
            block.absent == AbsentPolicy::Skip && self.anyone_present() && seats & self.frame.present == 0;
        if seats == 0 || nobody_waits {
            return self.pass_over(pc, block.after);
        }
        self.frame.pc = pc;
        self.frame.together = id;
        self.frame.threads = seats;
        self.frame.decision = self.frame.next_decision;
        self.frame.next_decision += 1;
        self.frame.status = Status::Asking;
        for seat in seats_of(seats) {
            if self.thread(seat, block.body) == Stop::Ended {
                return None;
            }
        }
        if self.threads_done() {
            self.end_threads();
            return Some(block.after);
        }
        None
    }

    /// Returns what happens to a question whose seat is absent. In a block that does not wait for absent seats the questions stay open, so
    /// that a player who comes back in time may still answer.
    pub(super) fn absent_policy(&self, question: &Question<S>) -> AbsentPolicy {
        match self.instance.code.blocks.get(self.frame.together as usize).map(|block| block.absent) {
            Some(AbsentPolicy::Skip) => AbsentPolicy::Wait,
            Some(AbsentPolicy::Default) => AbsentPolicy::Default,
            Some(AbsentPolicy::Wait) | None => question.absent,
        }
    }

    /// Whether all threads that the block waits for are done.
    fn threads_done(&self) -> bool {
        let Some(block) = self.instance.code.blocks.get(self.frame.together as usize) else { return false };
        let waited_for = match block.absent {
            AbsentPolicy::Skip if self.anyone_present() => self.frame.threads & self.frame.present,
            _ => self.frame.threads,
        };
        waited_for == 0
    }

    fn end_threads(&mut self) {
        self.close_all();
        self.frame.threads = 0;
        self.frame.together = NO_ID;
    }

    /// Runs the thread of a seat until the seat is asked or the thread ends.
    pub(super) fn thread(&mut self, seat: u8, pc: Pc) -> Stop {
        self.at.me.set(seat as i32);
        self.thread_skips = 0;
        let stop = self.run(pc, RunningCode::Thread(seat));
        if stop == Stop::Done {
            self.frame.threads &= !(1 << seat);
        }
        stop
    }

    /// Starts the thread of a seat again. Worlds call it, because a viewer does not know where the threads of others stand.
    pub fn restart_thread(&mut self, seat: u8) {
        if let Some(block) = self.instance.code.blocks.get(self.frame.together as usize) {
            self.thread(seat, block.body);
        }
    }

    /// Executes an answer that has been checked.
    #[inline]
    pub fn answer(&mut self, seat: u8, answer: &Move) {
        self.frame.moves += 1;
        self.take(seat, answer);
        self.count_moves();
    }

    /// Ends a game that has reached its limit of moves, as its rules say.
    #[inline]
    pub fn count_moves(&mut self) {
        let meta = &self.instance.program.meta;
        if self.frame.moves >= meta.limit && !self.frame.ended() {
            self.end_limit(meta.limit_outcome == LimitOutcome::Draw);
        }
    }

    #[inline]
    pub(super) fn take(&mut self, seat: u8, answer: &Move) {
        let id = self.frame.seats[seat as usize].ask;
        let question = &self.instance.code.questions[id as usize];
        self.close(seat);
        if self.frame.together != NO_ID {
            let pc = self.enter(seat, id, answer, false);
            if self.thread(seat, pc) != Stop::Ended {
                self.join_threads();
            }
            return;
        }
        match &question.mode {
            Mode::One(_) | Mode::Lead => {
                self.frame.asked = NO_ID;
                let pc = self.enter(seat, id, answer, false);
                self.go(pc);
            }
            Mode::All(_) => {
                self.seal(seat, id, answer.clone());
                if self.frame.open == 0 {
                    let pc = self.all_in(id);
                    self.go(pc);
                }
            }
            Mode::First(_) => {
                let offer = question.offers.get(answer.alternative as usize);
                if offer.is_none_or(|o| o.pass) {
                    if self.frame.open == 0 {
                        self.frame.asked = NO_ID;
                        self.go(question.after);
                    }
                } else {
                    self.close_all();
                    self.frame.asked = NO_ID;
                    let pc = self.enter(seat, id, answer, false);
                    self.go(pc);
                }
            }
        }
    }

    /// Continues the course of the game when all threads are done.
    pub(super) fn join_threads(&mut self) {
        if self.threads_done() {
            let after = self.instance.code.blocks[self.frame.together as usize].after;
            self.end_threads();
            self.go(after);
        }
    }

    /// Keeps a sealed answer. It replaces positions of unseen cards by the cards, because the answers of others may move the cards.
    fn seal(&mut self, seat: u8, id: AskId, mut answer: Move) {
        self.at.me.set(seat as i32);
        let offers = &self.instance.code.questions[id as usize].offers;
        let Some(offer) = offers.get(answer.alternative as usize) else { return };
        for (lowered, value) in offer.parts.iter().zip(&mut answer.parts) {
            let PartValue::Number(n) = value else { continue };
            if let LoweredPartKind::Unseen(spot) = &lowered.kind {
                let zone = self.eval().spot(spot);
                *n = self.eval().card_at(zone, *n);
            }
            // A later part may name a zone by this one: `player r from players, unseen d from hand[r]`.
            self.at.set(lowered.reg, *n);
        }
        let at = self.frame.answers.partition_point(|a| a.seat < seat);
        self.frame.answers.insert(at, SealedAnswer { seat, answer });
    }

    /// Returns the pc at which all sealed answers are executed.
    pub(super) fn all_in(&mut self, id: AskId) -> Pc {
        self.frame.asked = NO_ID;
        self.instance.code.questions[id as usize].next_answer
    }

    pub(super) fn next_answer(&mut self, id: AskId) -> Option<Pc> {
        if self.frame.answers.is_empty() {
            return None;
        }
        let SealedAnswer { seat, answer } = self.frame.answers.remove(0);
        Some(self.enter(seat, id, &answer, true))
    }

    /// Stores the parts of an answer in their variables and returns the pc of its body.
    #[inline]
    fn enter(&mut self, seat: u8, id: AskId, answer: &Move, resolved: bool) -> Pc {
        let question = &self.instance.code.questions[id as usize];
        let Some(offer) = question.offers.get(answer.alternative as usize) else { return question.after };
        self.at.me.set(seat as i32);
        // Usually an answer is one card, which goes straight to its variable.
        if let ([lowered], [PartValue::Number(n)]) = (&offer.parts[..], &answer.parts[..])
            && let (PartTarget::Value(target), LoweredPartKind::Card(_)) = (&lowered.store, &lowered.kind)
        {
            self.store(target, *n);
        } else {
            self.load(id, answer, resolved);
        }
        self.frame.cells[question.chose as usize] = seat as i32;
        offer.body
    }

    /// Continues after a question that nobody is asked, unless that has happened too often in a row.
    fn pass_over(&mut self, pc: Pc, after: Pc) -> Option<Pc> {
        if self.too_many_skips() {
            return self.desert(pc);
        }
        self.frame.skips = self.frame.skips.saturating_add(1);
        Some(after)
    }

    /// Stops the table at a pc until somebody comes.
    fn desert(&mut self, pc: Pc) -> Option<Pc> {
        self.frame.pc = pc;
        self.frame.status = Status::Deserted;
        None
    }

    /// Whether the rules went twice round the table without asking anybody while players are missing; they would loop for ever.
    fn too_many_skips(&self) -> bool {
        let all_here = self.frame.playing != 0 && self.frame.playing & !self.frame.present == 0;
        !all_here && self.frame.skips as usize >= 2 * self.instance.seats
    }

    #[inline]
    pub(super) fn anyone_present(&self) -> bool {
        self.frame.present & (self.frame.playing | self.frame.pending) != 0
    }

    /// Whether a seat has a thread that has not ended.
    pub(super) fn has_thread(&self, seat: u8) -> bool {
        self.frame.together != NO_ID && has_seat(self.frame.threads, seat as i32)
    }
}
