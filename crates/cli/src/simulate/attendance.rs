//! Lets players leave, join, lose their connection and come back while random games are played.

use baize_engine::cardset::CardSet;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::frame::{Frame, Status, seats_of};
use baize_engine::input::Input;
use baize_engine::instance::Instance;
use serde::Serialize;

/// Which players of a run come and go.
#[derive(Clone, Copy, Default)]
pub(super) struct Attendance {
    pub leavers: bool,
    pub absent: bool,
}

/// How often players came and went.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct AttendanceCount {
    pub departures: u64,
    pub newcomers: u64,
    pub bots_for_leavers: u64,
    pub absences: u64,
    pub returns: u64,
    pub clocks_run_out: u64,
    /// Games that nobody was left to end.
    pub deserted: u64,
}

impl AttendanceCount {
    pub fn join(&mut self, other: AttendanceCount) {
        self.departures += other.departures;
        self.newcomers += other.newcomers;
        self.bots_for_leavers += other.bots_for_leavers;
        self.absences += other.absences;
        self.returns += other.returns;
        self.clocks_run_out += other.clocks_run_out;
        self.deserted += other.deserted;
    }

    fn count(&mut self, input: &Input) {
        match input {
            Input::Leave { .. } => self.departures += 1,
            Input::Join { .. } => self.newcomers += 1,
            Input::Replaced { .. } => self.bots_for_leavers += 1,
            Input::Absent { .. } => self.absences += 1,
            Input::Present { .. } => self.returns += 1,
            Input::Timeout { .. } | Input::AbsentTimeout { .. } => self.clocks_run_out += 1,
            _ => {}
        }
    }
}

impl Attendance {
    pub fn any(self) -> bool {
        self.leavers || self.absent
    }

    /// May let a player come or go before the next move. Returns false if the table waits for players and none can come.
    pub fn between_moves<S: CardSet>(
        self,
        instance: &Instance<S>,
        frame: &mut Frame<S>,
        chance: &mut FastChance,
        choice: &mut FastChance,
        counts: &mut AttendanceCount,
    ) -> bool {
        let stuck = frame.status == Status::Deserted || frame.open & frame.present == 0;
        let input = match stuck {
            true => self.unblock(instance, frame, choice),
            false => self.random_input(instance, frame, choice),
        };
        let Some(input) = input else { return !stuck };
        let sink = &mut baize_engine::sink::NullSink;
        // An input that the table refuses (a clock that no longer runs) changes nothing.
        if instance.input(frame, &input, chance, sink).is_ok() {
            counts.count(&input);
            // If the lead is absent or has left, the first player who is present becomes the lead.
            let lead = u8::try_from(frame.lead).ok().filter(|lead| (frame.present & frame.playing) >> lead & 1 == 1);
            let successor = seats_of(frame.present & frame.playing).next();
            if lead.is_none() && successor.is_some() && !frame.ended() {
                let _ = instance.input(frame, &Input::Lead { seat: successor }, chance, sink);
            }
        }
        true
    }

    /// Returns an input that can happen at any time: a player comes or goes, or a clock runs out. None most of the time.
    fn random_input<S: CardSet>(
        self,
        instance: &Instance<S>,
        frame: &Frame<S>,
        choice: &mut FastChance,
    ) -> Option<Input> {
        let meta = &instance.program.meta;
        let (here, away) = (frame.playing & frame.present, frame.playing & !frame.present);
        let what = choice.below(32);
        let mut pick = |seats: u32| pick(seats, choice);
        match what {
            0 | 1 if self.absent => Some(Input::Absent { seat: pick(here)? }),
            2..=4 if self.absent => Some(Input::Present { seat: pick(away)? }),
            5 if self.leavers && meta.leavers_become_bots => {
                Some(Input::Replaced { seat: pick(here & frame.person)?, person: false })
            }
            6 if self.leavers => Some(Input::Leave { seat: pick(frame.playing)? }),
            7 | 8 if self.leavers && meta.newcomers_play => {
                Some(Input::Join { seat: pick(free_seats(instance, frame))?, person: true })
            }
            9 => Some(Input::Timeout { decision: frame.decision }),
            _ => None,
        }
    }

    /// Returns an input that brings a player to a table at which nobody can answer.
    fn unblock<S: CardSet>(self, instance: &Instance<S>, frame: &Frame<S>, choice: &mut FastChance) -> Option<Input> {
        let asked = frame.open & !frame.present;
        let away = if asked != 0 { asked } else { (frame.playing | frame.pending) & !frame.present };
        match pick(away, choice) {
            Some(seat) if choice.below(2) == 0 && frame.open & frame.present == 0 => {
                let decision = frame.seats[usize::from(seat)].decision;
                let late = Input::AbsentTimeout { decision, seat };
                let mut trial = frame.clone();
                let sink = &mut baize_engine::sink::NullSink;
                match instance.input(&mut trial, &late, &mut choice.clone(), sink) {
                    Ok(()) => Some(late),
                    Err(_) => Some(Input::Present { seat }),
                }
            }
            Some(seat) => Some(Input::Present { seat }),
            None if instance.program.meta.newcomers_play => {
                Some(Input::Join { seat: pick(free_seats(instance, frame), choice)?, person: true })
            }
            None => None,
        }
    }
}

fn free_seats<S: CardSet>(instance: &Instance<S>, frame: &Frame<S>) -> u32 {
    let all = u32::MAX >> (32 - instance.seats.clamp(1, 32));
    all & !(frame.playing | frame.pending)
}

/// A random seat of a mask.
fn pick(seats: u32, choice: &mut FastChance) -> Option<u8> {
    let count = seats.count_ones();
    (count > 0).then(|| choice.below(count) as usize).and_then(|at| seats_of(seats).nth(at))
}
