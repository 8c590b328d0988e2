//! Checks that a table refuses answers that it does not offer.

use crate::cardset::CardSet;
use crate::chance::{Chance, FastChance};
use crate::frame::seats_of;
use crate::instance::Instance;
use crate::instance::question::{LoweredPartKind, Offer};
use crate::live::Live;
use crate::moves::{Move, PartValue};
use std::collections::BTreeSet;

/// Upper bound on the legal answers that a check lists. With more it skips the seat.
const LISTED: u64 = 3_000;
/// How many answers a check makes up for each seat that is asked.
const TRIED: usize = 60;

/// The alternative of an answer and the values of its parts, with faces instead of cards, because cards with equal faces are equally legal.
type Looks = (u16, Vec<Vec<i32>>);

pub(super) fn check<S: CardSet>(live: &Live<S>, seed: u64) -> Result<(), String> {
    let (instance, frame) = (&live.core().instance, &live.core().frame);
    let mut chance = FastChance::new(seed);
    for seat in seats_of(frame.open).filter(|_| !frame.paused) {
        let legal = instance.legal(frame, seat).ok_or("who is asked may do nothing")?;
        if legal.count() == 0 || legal.count() > LISTED {
            continue;
        }
        let question = &instance.code.questions[usize::from(frame.seats[usize::from(seat)].ask)];
        let offered: BTreeSet<Looks> =
            (0..legal.count()).map(|at| looks(instance, &question.offers, &legal.nth(at))).collect();
        for _ in 0..TRIED {
            let answer = made_up(instance, &question.offers, legal.decision, &mut chance);
            let accepted = instance.check(frame, seat, &answer).is_ok();
            if accepted && !offered.contains(&looks(instance, &question.offers, &answer)) {
                return Err(format!("seat {seat} is not offered {answer:?}, and it is accepted"));
            }
        }
    }
    Ok(())
}

fn looks<S: CardSet>(instance: &Instance<S>, offers: &[Offer<S>], answer: &Move) -> Looks {
    let face = |card: &u16| i32::from(instance.face((*card).min(instance.cards.len().saturating_sub(1) as u16)));
    let lowered = offers.get(usize::from(answer.alternative)).map(|offer| &offer.parts[..]).unwrap_or_default();
    let parts =
        answer.parts.iter().enumerate().map(|(at, part)| match (part, lowered.get(at).map(|lowered| &lowered.kind)) {
            (PartValue::Number(card), Some(LoweredPartKind::Card(_))) => {
                vec![u16::try_from(*card).map_or(*card, |card| face(&card))]
            }
            (PartValue::Number(n), _) => vec![*n],
            (PartValue::Cards(cards), kind) => {
                let mut faces: Vec<i32> = cards.iter().map(face).collect();
                if !matches!(kind, Some(LoweredPartKind::Cards { ordered: true, .. })) {
                    faces.sort_unstable();
                }
                faces
            }
            (PartValue::Text(_), _) => Vec::new(),
        });
    (answer.alternative, parts.collect())
}

/// Makes up an answer whose parts have the types that the alternative wants. It may be legal by chance.
fn made_up<S: CardSet>(instance: &Instance<S>, offers: &[Offer<S>], decision: u32, chance: &mut FastChance) -> Move {
    let alternative = chance.below(offers.len() as u32 + 1) as usize;
    let Some(offer) = offers.get(alternative) else {
        return Move::plain(decision, crate::moves::CONTINUE);
    };
    let cards = instance.cards.len() as u32;
    let part = |kind: &LoweredPartKind<S>, chance: &mut FastChance| match kind {
        LoweredPartKind::Card(_) => PartValue::Number(chance.below(cards + 2) as i32 - 1),
        LoweredPartKind::Cards { .. } | LoweredPartKind::Alike(_) | LoweredPartKind::Run(_) => {
            PartValue::Cards((0..chance.below(4)).map(|_| chance.below(cards) as u16).collect())
        }
        LoweredPartKind::Text(_) => PartValue::Text("a text".to_owned()),
        _ => PartValue::Number(chance.below(12) as i32 - 2),
    };
    let parts = offer.parts.iter().map(|lowered| part(&lowered.kind, chance)).collect();
    Move { decision, alternative: alternative as u16, parts }
}
