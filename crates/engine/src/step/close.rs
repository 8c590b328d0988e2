//! Closes decisions that nobody answers: dropped, overtaken by another answer, defaulted or timed out.

use super::{Interpreter, Stop};
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::{NO_ID, Status, seats_of};
use crate::instance::question::Mode;
use crate::moves::Move;
use crate::sink::{RawEvent, Sink};
use baize_rules::program::{AbsentPolicy, AskId, Pc, TimeoutAction};

impl<S: CardSet, C: Chance, K: Sink<S>> Interpreter<'_, S, C, K> {
    #[inline]
    pub(super) fn close(&mut self, seat: u8) {
        if !K::ACTIVE {
            self.frame.open &= !(1 << seat);
        } else if self.frame.is_open(seat) {
            self.frame.open &= !(1 << seat);
            let decision = self.frame.seats[seat as usize].decision;
            self.tell(|| RawEvent::DecisionClosed { seat, decision });
        }
    }

    #[inline]
    pub(super) fn close_all(&mut self) {
        if K::ACTIVE {
            for seat in seats_of(self.frame.open) {
                self.close(seat);
            }
        }
        self.frame.open = 0;
    }

    /// Closes the decision of a seat without an answer.
    fn drop_seat(&mut self, seat: u8) {
        let id = self.frame.seats[seat as usize].ask;
        let question = &self.instance.code.questions[id as usize];
        self.close(seat);
        if self.frame.together != NO_ID {
            if self.frame.is_playing(seat as i32) {
                if self.thread(seat, question.after) == Stop::Ended {
                    return;
                }
            } else {
                self.frame.threads &= !(1 << seat);
            }
            self.join_threads();
            return;
        }
        if self.frame.open == 0 {
            let pc = match question.mode {
                Mode::All(_) => self.all_in(id),
                _ => question.after,
            };
            self.frame.asked = NO_ID;
            self.go(pc);
        }
    }

    /// Takes the default move for a seat.
    fn default_seat(&mut self, seat: u8) {
        let id = self.frame.seats[seat as usize].ask;
        let answer = self.default_answer(seat, id);
        self.answer(seat, &answer);
    }

    /// Closes a decision for all its seats and continues at another pc.
    fn leave_to(&mut self, pc: Pc) {
        self.close_all();
        self.frame.answers.clear();
        self.frame.threads = 0;
        self.frame.asked = NO_ID;
        self.frame.together = NO_ID;
        self.go(pc);
    }

    /// Closes the decision and asks again, because another seat has to choose now.
    pub fn ask_again(&mut self) {
        self.leave_to(self.frame.pc);
    }

    /// Continues a deserted table where it stopped, if somebody has come.
    pub fn resume(&mut self) {
        if self.frame.status == Status::Deserted && self.frame.playing | self.frame.pending != 0 {
            self.frame.skips = 0;
            self.go(self.frame.pc);
        }
    }

    /// Closes open decisions whose seats are gone or that a condition drops. `crate::input` calls it after every input.
    pub fn settle(&mut self) {
        if self.frame.status == Status::Asking && self.frame.playing | self.frame.pending == 0 {
            self.desert_all();
        }
        while self.frame.status == Status::Asking && !self.frame.paused && !self.at.spent() {
            // The last seat that a block was waiting for may have gone.
            self.join_threads();
            if self.frame.status != Status::Asking {
                break;
            }
            let Some((seat, default)) = self.unsettled() else { break };
            if default {
                self.default_seat(seat);
            } else {
                self.drop_seat(seat);
            }
            self.at.spend(1);
        }
        if self.at.spent() && !self.frame.ended() {
            self.fault(self.frame.pc);
        }
        self.count_moves();
    }

    /// Does the same after a move, when only conditions that drop decisions can have changed.
    #[inline]
    pub fn settle_drops(&mut self) {
        if !self.instance.code.has_droppable_asks || self.frame.open == 0 {
            return;
        }
        let seat = self.frame.open.trailing_zeros() as usize;
        // Usually one seat is asked, and its decision stays open.
        if self.frame.open & (self.frame.open - 1) == 0 {
            self.at.me.set(seat as i32);
            let question = &self.instance.code.questions[self.frame.seats[seat].ask as usize];
            if !question.drop_when.holds(self.eval()) {
                return;
            }
        }
        self.settle();
    }

    /// Stops the table when everybody has left, until somebody comes: rules that go round the players would loop.
    fn desert_all(&mut self) {
        self.close_all();
        self.frame.answers.clear();
        self.frame.threads = 0;
        self.frame.asked = NO_ID;
        self.frame.together = NO_ID;
        self.frame.status = Status::Deserted;
    }

    /// Returns the first seat whose decision must not stay open, and whether its default move is taken.
    fn unsettled(&mut self) -> Option<(u8, bool)> {
        let anyone = self.anyone_present();
        for seat in seats_of(self.frame.open) {
            let question = &self.instance.code.questions[self.frame.seats[seat as usize].ask as usize];
            if !self.frame.is_playing(seat as i32) {
                return Some((seat, question.gone_default));
            }
            self.at.me.set(seat as i32);
            if question.drop_when.holds(self.eval()) {
                return Some((seat, false));
            }
            if anyone && !self.frame.is_present(seat as i32) {
                match (self.absent_policy(question), &question.mode) {
                    (AbsentPolicy::Wait, _) => {}
                    (AbsentPolicy::Skip, _) | (AbsentPolicy::Default, Mode::First(_)) => return Some((seat, false)),
                    (AbsentPolicy::Default, _) => return Some((seat, true)),
                }
            }
        }
        None
    }

    /// Settles the open decision of a seat that was absent for longer than `absent_after`.
    pub fn absent_too_long(&mut self, seat: u8, goto: Pc) {
        let id = self.frame.seats[seat as usize].ask;
        match self.instance.code.questions[id as usize].mode {
            _ if self.frame.together != NO_ID => {
                self.close(seat);
                if self.thread(seat, goto) != Stop::Ended {
                    self.join_threads();
                }
            }
            Mode::One(_) | Mode::Lead => self.leave_to(goto),
            Mode::All(_) | Mode::First(_) => self.drop_seat(seat),
        }
    }

    /// Settles a decision, or all threads of a block, whose clock has run out.
    pub fn time_is_up(&mut self, decision: u32, then: TimeoutAction) {
        let block = self.frame.together != NO_ID && decision == self.frame.decision;
        match then {
            TimeoutAction::Pause => {
                self.frame.paused = true;
                self.tell(|| RawEvent::PauseChanged);
            }
            TimeoutAction::Goto(pc) if block || self.frame.together == NO_ID => self.leave_to(pc),
            TimeoutAction::Goto(pc) => {
                for seat in self.asked_by(decision) {
                    self.close(seat);
                    if self.thread(seat, pc) == Stop::Ended {
                        return;
                    }
                }
                self.join_threads();
            }
            TimeoutAction::Skip if block => {
                self.close_all();
                self.frame.threads = 0;
                self.join_threads();
            }
            TimeoutAction::Default if block => self.finish_threads(),
            TimeoutAction::Skip => {
                for seat in self.asked_by(decision) {
                    if self.still_asked(seat, decision) {
                        self.drop_seat(seat);
                    }
                }
            }
            TimeoutAction::Default => {
                for seat in self.asked_by(decision) {
                    if self.still_asked(seat, decision) {
                        self.default_seat(seat);
                    }
                }
            }
        }
    }

    /// Takes default moves in every thread until all are done. A thread that keeps asking is cut off.
    fn finish_threads(&mut self) {
        let id = self.frame.together;
        for seat in seats_of(self.frame.threads) {
            for turn in 0.. {
                if self.frame.ended() || self.frame.together != id || !self.has_thread(seat) {
                    break;
                }
                if turn == 16 || !self.frame.is_open(seat) {
                    self.close(seat);
                    self.frame.threads &= !(1 << seat);
                    self.join_threads();
                    break;
                }
                self.default_seat(seat);
            }
        }
    }

    fn asked_by(&self, decision: u32) -> Vec<u8> {
        seats_of(self.frame.open).filter(|seat| self.frame.seats[*seat as usize].decision == decision).collect()
    }

    fn still_asked(&self, seat: u8, decision: u32) -> bool {
        self.frame.is_open(seat) && self.frame.seats[seat as usize].decision == decision
    }

    /// Returns the move that is made for a seat that can't or doesn't answer.
    pub(super) fn default_answer(&mut self, seat: u8, id: AskId) -> Move {
        use baize_rules::program::DefaultPick;
        self.at.me.set(seat as i32);
        let question = &self.instance.code.questions[id as usize];
        let legal = self.eval().legal(id, seat);
        match question.default {
            Some((alternative, DefaultPick::Random)) => {
                self.begin_chance();
                legal.random_default(alternative, self.chance)
            }
            default => legal.default_move(self.instance, default),
        }
    }

    /// Ends the game because the step has used up its budget.
    pub(super) fn fault(&mut self, pc: Pc) -> Stop {
        let ended = crate::frame::Ended { fault: Some(self.instance.code.origin(pc)), ..self.nobody_won() };
        self.end(ended);
        Stop::Ended
    }

    /// Runs the `leaves` hook. Afterwards the usual code settles the leaver's open decision.
    pub fn left(&mut self, seat: u8) {
        self.hook(self.instance.code.on_leave, seat);
    }
}
