//! Compares a playout with its moves one by one. A playout draws random answers without listing them, and runs closures that tell no
//! sink. The other frame lists the legal answers, interprets every instruction and tells a sink. Both must end alike.

use super::difference;
use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, SeatFrame};
use crate::live::Live;
use crate::sink::RawEvent;

/// Number of calls of `playout` that one check compares.
const CALLS: usize = 6;

pub(super) fn check<S: CardSet>(live: &Live<S>, seed: u64) -> Result<(), String> {
    let instance = &live.core().instance;
    let (mut chance, mut choice) = (FastChance::new(seed), FastChance::new(!seed));
    let (mut same_chance, mut same_choice) = (chance.clone(), choice.clone());
    let mut fast = live.core().frame.clone();
    if fast.paused {
        return Ok(());
    }
    let mut stepwise = fast.clone();
    for _ in 0..CALLS {
        if fast.open == 0 {
            break;
        }
        let most = 1 + FastChance::new(seed ^ u64::from(fast.moves)).below(4);
        let made = instance.playout(&mut fast, most, &mut chance, &mut choice);
        for _ in 0..made {
            if stepwise.open == 0 {
                return Err(format!("a playout makes {made} moves, and nobody is asked so often"));
            }
            let seat = stepwise.open.trailing_zeros() as u8;
            let legal = instance.legal(&stepwise, seat).ok_or("who is asked may do nothing")?;
            let answer = legal.sample(&mut same_choice);
            instance.play_unchecked(&mut stepwise, seat, &answer, &mut same_chance, &mut Vec::<RawEvent>::new());
        }
        // A playout does less work and so uses less fuel, so only one of the two frames may run out of fuel.
        let fault = |frame: &Frame<S>| frame.outcome.as_ref().is_some_and(|ended| ended.fault.is_some());
        if fault(&fast) || fault(&stepwise) {
            break;
        }
        forget_closed(&mut fast);
        forget_closed(&mut stepwise);
        if fast != stepwise {
            return Err(format!("a playout leads elsewhere than its moves: {}", difference(&fast, &stepwise)));
        }
    }
    Ok(())
}

/// Resets the fields about closed decisions, which nothing reads and which may differ.
fn forget_closed<S: CardSet>(frame: &mut Frame<S>) {
    for (seat, seat_frame) in frame.seats.iter_mut().enumerate() {
        if frame.open >> seat & 1 == 0 {
            *seat_frame = SeatFrame::default();
        }
    }
    if frame.open == 0 {
        frame.decision = 0;
    }
    if frame.ended() {
        frame.pc = 0;
    }
}
