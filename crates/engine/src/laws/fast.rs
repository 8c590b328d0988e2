//! Shortcuts lead to the same: a playout draws moves and runs closures that tell nobody anything; step by step, with everything
//! listed and told, the same moves lead to the same frame.

use super::difference;
use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::{Frame, SeatFrame};
use crate::live::Live;
use crate::sink::Raw;

/// Calls of a playout that are compared.
const CALLS: usize = 6;

pub(super) fn same<S: CardSet>(live: &Live<S>, seed: u64) -> Result<(), String> {
    let instance = &live.core().instance;
    let (mut chance, mut choice) = (FastChance::new(seed), FastChance::new(!seed));
    let (mut same_chance, mut same_choice) = (chance.clone(), choice.clone());
    let mut short = live.core().frame.clone();
    if short.paused {
        return Ok(());
    }
    let mut told = short.clone();
    for _ in 0..CALLS {
        if short.open == 0 {
            break;
        }
        let most = 1 + FastChance::new(seed ^ u64::from(short.moves)).below(4);
        let made = instance.playout(&mut short, most, &mut chance, &mut choice);
        for _ in 0..made {
            if told.open == 0 {
                return Err(format!("a playout makes {made} moves, and nobody is asked so often"));
            }
            let seat = told.open.trailing_zeros() as u8;
            let legal = instance.legal(&told, seat).ok_or("who is asked may do nothing")?;
            let answer = legal.sample(&mut same_choice);
            instance.play_unchecked(&mut told, seat, &answer, &mut same_chance, &mut Vec::<Raw>::new());
        }
        // Budgets are counted where things are done, and the shortcut does less.
        let fault = |frame: &Frame<S>| frame.outcome.as_ref().is_some_and(|ended| ended.fault.is_some());
        if fault(&short) || fault(&told) {
            break;
        }
        forget_closed(&mut short);
        forget_closed(&mut told);
        if short != told {
            return Err(format!("a playout leads elsewhere than its moves: {}", difference(&short, &told)));
        }
    }
    Ok(())
}

/// What a frame keeps of decisions that are over means nothing.
fn forget_closed<S: CardSet>(frame: &mut Frame<S>) {
    for (seat, slot) in frame.seats.iter_mut().enumerate() {
        if frame.open >> seat & 1 == 0 {
            *slot = SeatFrame::default();
        }
    }
    if frame.open == 0 {
        frame.decision = 0;
    }
    if frame.ended() {
        frame.pc = 0;
    }
}
