//! Makes moves on a frame. Tables and searches both use it.
//!
//! `play_unchecked` is for moves taken from `legal`: it neither checks the move nor keeps a copy of the frame for a rollback.
//! [`Core`](crate::table::Core) does both.

use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::{Frame, Status};
use crate::instance::Instance;
use crate::instance::code::Instruction;
use crate::moves::{Move, Refusal};
use crate::sink::{NullSink, Sink};
use crate::step::Interpreter;
use crate::view::RichText;

impl<S: CardSet> Instance<S> {
    /// Starts the game with the seats that are taken.
    pub fn start<C: Chance, K: Sink<S>>(
        &self,
        frame: &mut Frame<S>,
        chance: &mut C,
        sink: &mut K,
    ) -> Result<(), Refusal> {
        match frame.status {
            Status::Lobby => {}
            Status::Ended => return Err(Refusal::GameOver),
            _ => return Err(Refusal::AlreadyStarted),
        }
        if frame.playing.count_ones() < self.program.meta.min_players as u32 {
            return Err(Refusal::TooFewPlayers);
        }
        for (cond, reason) in &self.code.start_conditions {
            if self.value(frame, cond, -1, &[]) == 0 {
                return Err(Refusal::Requires(self.write_text(frame, reason, -1, &[])));
            }
        }
        frame.status = Status::Asking;
        let mut run = Interpreter::new(self, frame, chance, sink);
        run.begin();
        run.settle();
        Ok(())
    }

    /// Makes a move, if it is legal. A refused move changes nothing.
    pub fn play<C: Chance, K: Sink<S>>(
        &self,
        frame: &mut Frame<S>,
        seat: u8,
        answer: &Move,
        chance: &mut C,
        sink: &mut K,
    ) -> Result<(), Refusal> {
        self.check(frame, seat, answer)?;
        self.play_unchecked(frame, seat, answer, chance, sink);
        Ok(())
    }

    /// Makes a move that is known to be legal. An illegal one damages the game but does not crash the program.
    #[inline]
    pub fn play_unchecked<C: Chance, K: Sink<S>>(
        &self,
        frame: &mut Frame<S>,
        seat: u8,
        answer: &Move,
        chance: &mut C,
        sink: &mut K,
    ) {
        if !frame.is_open(seat) {
            return;
        }
        let mut run = Interpreter::new(self, frame, chance, sink);
        run.answer(seat, answer);
        run.settle_drops();
    }

    /// Plays at most `most` random legal moves, until the game ends or nobody is asked; returns the number of moves made. If several seats
    /// are asked, the first one answers. It does the work of `legal`, `sample` and `play_unchecked`, but faster.
    pub fn playout<C: Chance, D: Chance>(
        &self,
        frame: &mut Frame<S>,
        most: u32,
        chance: &mut C,
        choice: &mut D,
    ) -> u32 {
        Interpreter::new(self, frame, chance, &mut NullSink).playout(most, choice)
    }

    /// Returns the move that is made for a seat that can't or doesn't answer; for a random default, the first choice.
    pub fn default_move(&self, frame: &Frame<S>, seat: u8) -> Option<Move> {
        if !frame.is_open(seat) {
            return None;
        }
        let ask = frame.seats[seat as usize].ask;
        let legal = self.legal_answers(frame, ask, seat);
        Some(legal.default_move(self, self.code.questions[ask as usize].default))
    }

    /// Returns the banner that the rules show at the end.
    pub fn banner(&self, frame: &Frame<S>) -> Option<RichText> {
        let ended = frame.outcome.as_ref()?;
        match self.code.instruction(ended.at)? {
            Instruction::End(ending) => Some(self.write_text(frame, ending.banner.as_ref()?, -1, &[])),
            _ => None,
        }
    }
}
