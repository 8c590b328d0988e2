//! Plays random moves without telling anybody; searches spend most of their time here.
//!
//! Two shortcuts make it fast. Most answers never become a [`Move`](crate::moves::Move): the parts go straight to their variables. And when
//! compiled instructions lead from one question to the next, the answer is taken at once, without opening and closing a decision.

use super::{Interpreter, RunningCode, STEP_FUEL};
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::NO_ID;
use crate::instance::closure::CompiledInstruction;
use crate::instance::question::{Offer, PartTarget, Question};
use crate::sink::NullSink;
use baize_rules::program::{AskId, NONE, Pc};

impl<'a, S: CardSet, C: Chance> Interpreter<'a, S, C, NullSink> {
    /// Plays at most `most` random legal moves, until the game ends or nobody is asked; returns the number of moves made. If several seats are
    /// asked, the first one answers.
    pub fn playout(&mut self, most: u32, choice: &mut impl Chance) -> u32 {
        let mut made = 0;
        while made < most && self.frame.open != 0 {
            let seat = self.frame.open.trailing_zeros() as u8;
            let id = self.frame.seats[seat as usize].ask;
            self.at.refuel(STEP_FUEL);
            self.at.me.set(seat as i32);
            match self.random_answer(id, seat, choice) {
                Some(body) => {
                    self.close(seat);
                    self.frame.asked = NO_ID;
                    made += self.answer_ahead(body, most - made, choice);
                }
                None => {
                    let answer = self.eval().legal(id, seat).sample(choice);
                    self.answer(seat, &answer);
                    made += 1;
                }
            }
            self.settle_drops();
        }
        made
    }

    /// Runs the body of an answer, and answers further questions as long as compiled instructions lead from one to the next. Returns the number
    /// of answers, the first one included.
    #[inline(always)]
    fn answer_ahead(&mut self, mut body: Pc, most: u32, choice: &mut impl Chance) -> u32 {
        let limit = self.instance.program.meta.limit;
        let mut made = 1;
        self.frame.moves += 1;
        loop {
            self.at.me.set(NONE);
            let here = self.run_ahead(body);
            if here & CompiledInstruction::<S>::ASK == 0 || made == most || self.frame.moves >= limit {
                self.interpret(here, RunningCode::Main);
                break;
            }
            let (id, seat) = (here as AskId, self.at.me.get() as u8);
            self.at.refuel(STEP_FUEL);
            // The usual code opens a decision that is dropped at once, or whose answers have to be listed.
            let dropped = self.instance.code.questions[id as usize].drop_when.holds(self.eval());
            let Some(next) = (if dropped { None } else { self.random_answer(id, seat, choice) }) else {
                self.interpret(here, RunningCode::Main);
                break;
            };
            // The counters are all that an opened and answered decision would have changed.
            self.frame.next_decision += 1;
            self.frame.moves += 1;
            made += 1;
            body = next;
        }
        self.count_moves();
        made
    }

    /// Takes a random answer to a question to one seat and returns the pc of its body; `None` if the answers have to be listed for that.
    #[inline(always)]
    fn random_answer(&mut self, id: AskId, seat: u8, choice: &mut impl Chance) -> Option<Pc> {
        let question = &self.instance.code.questions[id as usize];
        let offer = match (question.one_card, question.offers.first()) {
            (Some(cell), Some(offer)) => {
                let (cards, _) = self.eval().legal_cards(offer);
                self.frame.cells[cell as usize] = i32::from(cards.choose_card(|n| choice.below(n))?);
                offer
            }
            _ if question.drawable && self.frame.together == NO_ID => self.drawn_answer(question, choice)?,
            _ => return None,
        };
        self.frame.cells[question.chose as usize] = seat as i32;
        Some(offer.body)
    }

    fn drawn_answer(&mut self, question: &'a Question<S>, choice: &mut impl Chance) -> Option<&'a Offer<S>> {
        let drawn = self.eval().draw(question, choice)?;
        let offer = &question.offers[drawn.offer];
        for (lowered, value) in offer.parts.iter().zip(&drawn.values) {
            if let PartTarget::Value(target) = &lowered.store {
                self.store(target, *value);
            }
        }
        Some(offer)
    }
}
