//! Random inputs about people: they join, leave, are absent, pause the game or change the lead.

use super::{GameRun, Violation};
use baize_engine::chance::Chance;
use baize_engine::input::Input;
use baize_engine::laws::TwinStep;

impl GameRun<'_> {
    pub(super) fn disturbance(&mut self) -> Input {
        let seat = self.chance.below(self.seats as u32) as u8;
        let clocks = self.table.clocks();
        if !clocks.is_empty() && self.chance.below(2) == 0 {
            return clocks[self.chance.below(clocks.len() as u32) as usize].input.clone();
        }
        // Most hooks matter only if the leaving player is asked at that moment, or has a role.
        if self.restless && self.chance.below(3) == 0 {
            let asked = (0..self.seats as u8).find(|seat| self.table.open() >> seat & 1 == 1);
            return Input::Leave { seat: asked.filter(|_| self.chance.below(2) == 0).unwrap_or(seat) };
        }
        // Somebody else takes the seat of a player who has left.
        if self.newcomers && self.chance.below(3) == 0 {
            let empty = self.views[0].1.seats.iter().position(|seat| !seat.playing && !seat.pending);
            if let Some(seat) = empty {
                return Input::Join { seat: seat as u8, person: self.chance.below(2) == 0 };
            }
        }
        match self.chance.below(14) {
            0 => Input::Leave { seat },
            1 | 2 => Input::Join { seat, person: self.chance.below(2) == 0 },
            3..=5 => Input::Absent { seat },
            6 | 7 => Input::Present { seat },
            8 => Input::Replaced { seat, person: self.chance.below(2) == 0 },
            9 => Input::Lead { seat: Some(seat) },
            10 => Input::Pause,
            11 => Input::Nonce { seat, bytes: vec![seat, 7] },
            12 if self.chance.below(20) == 0 => Input::Abandon,
            _ => Input::Resume,
        }
    }

    /// Brings everybody back. Returns false if no player is left to ask.
    pub(super) fn bring_back(&mut self) -> Result<bool, Violation> {
        for seat in 0..self.seats as u8 {
            self.step(TwinStep::Input(Input::Present { seat }))?;
        }
        self.step(TwinStep::Input(Input::Lead { seat: Some(0) }))?;
        self.step(TwinStep::Input(Input::Resume))?;
        Ok(self.table.open() != 0 || self.table.outcome().is_some())
    }
}
