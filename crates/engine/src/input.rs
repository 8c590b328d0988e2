//! Inputs: everything besides moves that changes a table. The caller logs all of them, so that a table can be replayed.

use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::{Frame, NO_ID, Status};
use crate::instance::Instance;
use crate::instance::question::Mode;
use crate::moves::Refusal;
use crate::sink::{RawEvent, Sink};
use crate::step::Interpreter;
use baize_rules::program::{Pc, TimeoutAction};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    Start,
    /// A person or a bot sits down. After the start the newcomer waits for the next `admit`.
    Join {
        seat: u8,
        person: bool,
    },
    /// The player leaves for good.
    Leave {
        seat: u8,
    },
    Absent {
        seat: u8,
    },
    Present {
        seat: u8,
    },
    /// A bot takes the seat over, or a person takes it back. Rules notice it only through `person`.
    Replaced {
        seat: u8,
        person: bool,
    },
    /// Another seat is the lead now.
    Lead {
        seat: Option<u8>,
    },
    /// The clock of a decision has run out.
    Timeout {
        decision: u32,
    },
    /// A seat has been absent for longer than its decision waits.
    AbsentTimeout {
        decision: u32,
        seat: u8,
    },
    /// A player's contribution to the chance.
    Nonce {
        seat: u8,
        bytes: Vec<u8>,
    },
    Pause,
    Resume,
    Abandon,
}

impl<S: CardSet> Instance<S> {
    /// Applies an input. A refused input changes nothing.
    pub fn input<C: Chance, K: Sink<S>>(
        &self,
        frame: &mut Frame<S>,
        input: &Input,
        chance: &mut C,
        sink: &mut K,
    ) -> Result<(), Refusal> {
        if frame.ended() {
            return Err(Refusal::GameOver);
        }
        match input {
            Input::Start => self.start(frame, chance, sink),
            Input::Join { seat, person } => {
                self.join(frame, *seat, *person)?;
                self.after_seat(frame, *seat, chance, sink)
            }
            Input::Leave { seat } => {
                let bit = self.taken(frame, *seat)?;
                let was_playing = frame.playing & bit != 0;
                frame.playing &= !bit;
                frame.pending &= !bit;
                frame.present &= !bit;
                tell(frame, sink, RawEvent::SeatChanged { seat: *seat, pending: false });
                if frame.started() {
                    let mut run = Interpreter::new(self, frame, chance, sink);
                    if was_playing {
                        run.left(*seat);
                    }
                    go_on(&mut run);
                }
                Ok(())
            }
            Input::Absent { seat } => {
                frame.present &= !self.taken(frame, *seat)?;
                self.after_seat(frame, *seat, chance, sink)
            }
            Input::Present { seat } => {
                frame.present |= self.taken(frame, *seat)?;
                self.after_seat(frame, *seat, chance, sink)
            }
            Input::Replaced { seat, person } => {
                let bit = self.taken(frame, *seat)?;
                frame.present |= bit;
                frame.person = frame.person & !bit | if *person { bit } else { 0 };
                self.after_seat(frame, *seat, chance, sink)
            }
            Input::Lead { seat } => {
                if seat.is_some_and(|seat| seat as usize >= self.seats) {
                    return Err(Refusal::SeatUnknown);
                }
                frame.lead = seat.map_or(-1, |seat| seat as i8);
                tell(frame, sink, RawEvent::LeadChanged);
                self.after_lead(frame, chance, sink);
                Ok(())
            }
            Input::Timeout { decision } => {
                let then = self.clock(frame, *decision)?;
                let mut run = Interpreter::new(self, frame, chance, sink);
                run.time_is_up(*decision, then);
                run.settle();
                Ok(())
            }
            Input::AbsentTimeout { decision, seat } => {
                let goto = self.absence(frame, *decision, *seat)?;
                let mut run = Interpreter::new(self, frame, chance, sink);
                run.absent_too_long(*seat, goto);
                run.settle();
                Ok(())
            }
            Input::Nonce { seat, bytes } => {
                if *seat as usize >= self.seats {
                    return Err(Refusal::SeatUnknown);
                }
                chance.nonce(*seat, bytes);
                Ok(())
            }
            Input::Pause if frame.paused => Err(Refusal::Paused),
            Input::Pause => {
                frame.paused = true;
                tell(frame, sink, RawEvent::PauseChanged);
                Ok(())
            }
            Input::Resume if !frame.paused => Err(Refusal::NotPaused),
            Input::Resume => {
                frame.paused = false;
                tell(frame, sink, RawEvent::PauseChanged);
                if frame.started() {
                    go_on(&mut Interpreter::new(self, frame, chance, sink));
                }
                Ok(())
            }
            Input::Abandon => {
                Interpreter::new(self, frame, chance, sink).abandon();
                Ok(())
            }
        }
    }

    fn join(&self, frame: &mut Frame<S>, seat: u8, person: bool) -> Result<(), Refusal> {
        if seat as usize >= self.seats {
            return Err(Refusal::SeatUnknown);
        }
        let bit = 1 << seat;
        if (frame.playing | frame.pending) & bit != 0 {
            return Err(Refusal::SeatTaken);
        }
        if frame.started() && !self.program.meta.newcomers_play {
            return Err(Refusal::NoNewcomers);
        }
        if frame.started() {
            frame.pending |= bit;
        } else {
            frame.playing |= bit;
        }
        frame.present |= bit;
        frame.person = frame.person & !bit | if person { bit } else { 0 };
        Ok(())
    }

    /// Returns the bit of a seat that is taken.
    fn taken(&self, frame: &Frame<S>, seat: u8) -> Result<u32, Refusal> {
        if seat as usize >= self.seats {
            return Err(Refusal::SeatUnknown);
        }
        let bit = 1 << seat;
        if (frame.playing | frame.pending) & bit == 0 { Err(Refusal::SeatEmpty) } else { Ok(bit) }
    }

    fn after_seat<C: Chance, K: Sink<S>>(
        &self,
        frame: &mut Frame<S>,
        seat: u8,
        chance: &mut C,
        sink: &mut K,
    ) -> Result<(), Refusal> {
        let pending = frame.pending >> seat & 1 == 1;
        tell(frame, sink, RawEvent::SeatChanged { seat, pending });
        if frame.started() {
            go_on(&mut Interpreter::new(self, frame, chance, sink));
        }
        Ok(())
    }

    /// Returns what happens when the clock of a decision runs out.
    fn clock(&self, frame: &Frame<S>, decision: u32) -> Result<TimeoutAction, Refusal> {
        if frame.paused {
            return Err(Refusal::Paused);
        }
        let within = if frame.together != NO_ID && decision == frame.decision {
            &self.code.blocks[frame.together as usize].within
        } else {
            let seat = crate::frame::seats_of(frame.open).find(|s| frame.seats[*s as usize].decision == decision);
            let Some(seat) = seat else {
                let past = decision > 0 && decision < frame.next_decision;
                return Err(if past { Refusal::Closed } else { Refusal::NoDecision });
            };
            &self.code.questions[frame.seats[seat as usize].ask as usize].within
        };
        let (seconds, then) = within.as_ref().ok_or(Refusal::NoClock)?;
        // 0 seconds mean that there is no clock.
        if self.value(frame, seconds, -1, &[]) > 0 { Ok(*then) } else { Err(Refusal::NoClock) }
    }

    fn absence(&self, frame: &Frame<S>, decision: u32, seat: u8) -> Result<Pc, Refusal> {
        if frame.paused {
            return Err(Refusal::Paused);
        }
        self.taken(frame, seat)?;
        if !frame.is_open(seat) || frame.seats[seat as usize].decision != decision || frame.is_present(seat as i32) {
            return Err(Refusal::Closed);
        }
        let question = &self.code.questions[frame.seats[seat as usize].ask as usize];
        question.absent_after.as_ref().map(|(_, pc)| *pc).ok_or(Refusal::NoClock)
    }

    /// Passes an open decision of the old lead on to the new one.
    fn after_lead<C: Chance, K: Sink<S>>(&self, frame: &mut Frame<S>, chance: &mut C, sink: &mut K) {
        if !frame.started() {
            return;
        }
        let asked = self.code.questions.get(frame.asked as usize);
        let of_lead = asked.is_some_and(|question| matches!(question.mode, Mode::Lead));
        let moved =
            of_lead && frame.status == Status::Asking && frame.open != 1u32.checked_shl(frame.lead as u32).unwrap_or(0);
        let mut run = Interpreter::new(self, frame, chance, sink);
        if moved && !run.frame.paused {
            run.ask_again();
        }
        go_on(&mut run);
    }
}

fn tell<S: CardSet, K: Sink<S>>(frame: &Frame<S>, sink: &mut K, event: RawEvent) {
    if K::ACTIVE {
        sink.event(frame, event);
    }
}

/// After an input, continues a deserted table and checks open decisions again.
fn go_on<S: CardSet, C: Chance, K: Sink<S>>(run: &mut Interpreter<S, C, K>) {
    if !run.frame.paused && !run.frame.ended() {
        run.resume();
        run.settle();
    }
}
