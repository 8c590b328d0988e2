//! Identifies moves by what they look like, so that worlds in which different cards have the same face share a node of the tree.

use baize_engine::cardset::CardSet;
use baize_engine::instance::Instance;
use baize_engine::instance::question::LoweredPartKind;
use baize_engine::moves::{Move, PartValue};
use smallvec::SmallVec;

/// An answer with faces in place of cards; sorted where the order of the cards does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    alternative: u16,
    parts: SmallVec<[i32; 4]>,
}

impl Key {
    pub fn new<S: CardSet>(instance: &Instance<S>, ask: u16, answer: &Move) -> Self {
        let offers = &instance.code.questions[usize::from(ask)].offers;
        let lowered = offers.get(usize::from(answer.alternative)).map_or(&[][..], |offer| &offer.parts);
        let mut parts: SmallVec<[i32; 4]> = SmallVec::new();
        for (lowered, value) in lowered.iter().zip(&answer.parts) {
            match (value, &lowered.kind) {
                (PartValue::Number(n), LoweredPartKind::Card(_)) => {
                    parts.push(u16::try_from(*n).map_or(*n, |card| i32::from(instance.face(card))));
                }
                (PartValue::Number(n), _) => parts.push(*n),
                (PartValue::Cards(cards), kind) => {
                    // The number of cards keeps the parts apart.
                    parts.push(cards.len() as i32);
                    let first = parts.len();
                    parts.extend(cards.iter().map(|card| i32::from(instance.face(*card))));
                    if !matches!(kind, LoweredPartKind::Cards { ordered: true, .. }) {
                        parts[first..].sort_unstable();
                    }
                }
                // The search does not distinguish texts.
                (PartValue::Text(_), _) => parts.push(0),
            }
        }
        Key { alternative: answer.alternative, parts }
    }
}
