//! Computes the outcome when a game ends: by an `end` instruction, by the limit of moves, or without a winner.

use super::Interpreter;
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::{Ended, NO_PC, OutcomeKind, SharedScore, seats_of};
use crate::instance::code::OutcomeRule;
use crate::sink::Sink;
use baize_rules::program::{MAX_SEATS, Pc};

impl<S: CardSet, C: Chance, K: Sink<S>> Interpreter<'_, S, C, K> {
    pub(super) fn nobody_won(&self) -> Ended {
        Ended {
            kind: OutcomeKind::Void,
            winners: 0,
            losers: 0,
            ranks: [0; MAX_SEATS],
            score: None,
            at: NO_PC,
            fault: None,
        }
    }

    pub fn abandon(&mut self) {
        let ended = Ended { kind: OutcomeKind::Abandoned, ..self.nobody_won() };
        self.end(ended);
    }

    pub(super) fn end_limit(&mut self, draw: bool) {
        let kind = if draw { OutcomeKind::Draw } else { OutcomeKind::Void };
        let ended = Ended { kind, ..self.nobody_won() };
        self.end(ended);
    }

    pub(super) fn outcome(&mut self, outcome: &OutcomeRule<S>, at: Pc) -> Ended {
        let playing = self.frame.playing;
        let mut ended = Ended { at, ..self.nobody_won() };
        match outcome {
            OutcomeRule::Winner(seat) => {
                let seat = self.num(seat);
                self.winners(&mut ended, self.seat_mask(seat));
            }
            OutcomeRule::Loser(seat) => {
                let seat = self.num(seat);
                self.losers(&mut ended, self.seat_mask(seat));
            }
            OutcomeRule::Winners(members) => {
                let winners = self.eval().members(members);
                self.winners(&mut ended, winners);
            }
            OutcomeRule::Losers(members) => {
                let losers = self.eval().members(members);
                self.losers(&mut ended, losers);
            }
            OutcomeRule::Ranking { reg, by, highest_first, then } => {
                ended.kind = OutcomeKind::Ranking;
                let first = (by, highest_first);
                let keys = [first].into_iter().chain(then.iter().map(|(by, highest_first)| (by, highest_first)));
                let mut values: Vec<[i64; MAX_SEATS]> = Vec::with_capacity(1 + then.len());
                for (by, highest_first) in keys {
                    let mut column = [0i64; MAX_SEATS];
                    for seat in seats_of(playing) {
                        self.at.set(*reg, seat as i32);
                        let value = self.num(by) as i64;
                        column[seat as usize] = if *highest_first { -value } else { value };
                    }
                    values.push(column);
                }
                // An earlier value decides first.
                let row = |seat: u8| values.iter().map(move |column| column[usize::from(seat)]);
                for seat in seats_of(playing) {
                    let better = seats_of(playing).filter(|other| row(*other).lt(row(seat))).count();
                    ended.ranks[seat as usize] = better as u8 + 1;
                    if better == 0 {
                        ended.winners |= 1 << seat;
                    }
                }
            }
            OutcomeRule::EveryoneWins => {
                ended.kind = OutcomeKind::EveryoneWins;
                ended.winners = playing;
                rank(&mut ended, playing, 1);
            }
            OutcomeRule::EveryoneLoses => {
                ended.kind = OutcomeKind::EveryoneLoses;
                ended.losers = playing;
                rank(&mut ended, playing, 1);
            }
            OutcomeRule::EveryoneScores { score, most } => {
                ended.kind = OutcomeKind::EveryoneScores;
                let most = self.num(most).max(1);
                ended.score = Some(SharedScore { score: self.num(score).clamp(0, most), most });
                rank(&mut ended, playing, 1);
            }
            OutcomeRule::Draw => {
                ended.kind = OutcomeKind::Draw;
                rank(&mut ended, playing, 1);
            }
            OutcomeRule::Void => {}
        }
        ended
    }

    fn seat_mask(&self, seat: i32) -> u32 {
        if (0..self.instance.seats as i32).contains(&seat) { 1 << seat } else { 0 }
    }

    fn winners(&self, ended: &mut Ended, winners: u32) {
        ended.kind = OutcomeKind::Winners;
        ended.winners = winners;
        ended.losers = self.frame.playing & !winners;
        rank(ended, winners, 1);
        rank(ended, ended.losers, if winners == 0 { 1 } else { 2 });
    }

    fn losers(&self, ended: &mut Ended, losers: u32) {
        ended.kind = OutcomeKind::Losers;
        ended.losers = losers;
        ended.winners = self.frame.playing & !losers;
        rank(ended, ended.winners, 1);
        rank(ended, losers, if ended.winners == 0 { 1 } else { 2 });
    }
}

fn rank(ended: &mut Ended, seats: u32, rank: u8) {
    for seat in seats_of(seats) {
        ended.ranks[seat as usize] = rank;
    }
}
