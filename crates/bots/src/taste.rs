//! Decisions that no search can make: which answer is funnier.
//!
//! Where cards with texts of their own are chosen (and where piles of them are judged), any choice is as good as another to somebody who
//! can't laugh. So it is made at random, which favours no seat and gives nobody away.

use baize_engine::cardset::CardSet;
use baize_engine::chance::Chance;
use baize_engine::instance::question::{RangeOf, SlotKind};
use baize_engine::legal::Legal;
use baize_engine::moves::{Move, PartValue};
use baize_engine::sight::Sight;

/// Whether what this seat is asked is a matter of taste.
pub fn decides<S: CardSet>(sight: &Sight<S>, seat: u8) -> bool {
    let (instance, frame) = (sight.instance(), sight.frame());
    let texts = texts(sight);
    if texts == 0 {
        return false;
    }
    let asked = frame.seats[usize::from(seat)].ask;
    let Some(question) = instance.code.questions.get(usize::from(asked)) else { return false };
    let flow = &sight.scene().flow;
    question.offers.iter().flat_map(|offer| &offer.slots).any(|slot| match &slot.kind {
        SlotKind::Card(from) | SlotKind::Cards { from, .. } => {
            let cards = instance.selection(frame, from, i32::from(seat), &[]);
            cards.iter().any(|card| texts >> instance.cards.cards[usize::from(*card)].deck.min(63) & 1 == 1)
        }
        SlotKind::Range { what: RangeOf::Pile(zone), .. } => flow.decks(*zone) & texts != 0,
        SlotKind::Text(_) => true,
        _ => false,
    })
}

/// Decks made from packs of texts, as bits.
fn texts<S: CardSet>(sight: &Sight<S>) -> u64 {
    let decks = sight.instance().program.decks.iter().take(63).enumerate();
    decks.filter(|(_, deck)| deck.pack_type.is_some()).fold(0, |mask, (at, _)| mask | 1 << at)
}

/// Any legal move. Where something is to be written, it is what another card of that kind says.
pub fn any<S: CardSet>(sight: &Sight<S>, legal: &Legal<S>, chance: &mut impl Chance) -> Move {
    let mut answer = legal.sample(chance);
    let instance = sight.instance();
    let question = &instance.code.questions[usize::from(legal.ask)];
    let Some(offer) = question.offers.get(usize::from(answer.alternative)) else { return answer };
    for (slot, part) in offer.slots.iter().zip(&mut answer.parts) {
        let (SlotKind::Text(most), PartValue::Text(text)) = (&slot.kind, part) else { continue };
        let most = instance.value(sight.frame(), most, i32::from(legal.seat), &[]).max(0) as usize;
        let deck = instance.cards.blank.first().map(|card| instance.cards.cards[usize::from(card)].deck);
        let cards = instance.cards.cards.iter().filter(|card| Some(card.deck) == deck);
        let says = |card: &'_ baize_engine::instance::cards::Card| {
            card.text.clone().filter(|t| (1..=most).contains(&t.chars().count()))
        };
        let said: Vec<String> = cards.filter_map(says).collect();
        if !said.is_empty() {
            *text = said[chance.below(said.len() as u32) as usize].clone();
        }
    }
    answer
}
