//! Answers decisions about texts, which no search can make: which answer is funnier?
//!
//! Where a seat chooses text cards, or judges piles of them, the bot chooses at random. That favours no seat, and nobody can tell from it which
//! seats are bots. [`Bot`](crate::Bot) asks here before it searches.

use baize_engine::cardset::CardSet;
use baize_engine::chance::Chance;
use baize_engine::instance::question::{LoweredPartKind, RangeOf};
use baize_engine::legal::Legal;
use baize_engine::moves::{Move, PartValue};
use baize_engine::sight::Sight;

/// Whether the open decision of this seat is about texts.
pub fn is_matter_of_taste<S: CardSet>(sight: &Sight<S>, seat: u8) -> bool {
    let (instance, frame) = (sight.instance(), sight.frame());
    let texts = text_decks(sight);
    if texts == 0 {
        return false;
    }
    let asked = frame.seats[usize::from(seat)].ask;
    let Some(question) = instance.code.questions.get(usize::from(asked)) else { return false };
    let flow = &sight.scene().flow;
    question.offers.iter().flat_map(|offer| &offer.parts).any(|lowered| match &lowered.kind {
        LoweredPartKind::Card(from) | LoweredPartKind::Cards { from, .. } => {
            let cards = instance.selection(frame, from, i32::from(seat), &[]);
            cards.iter().any(|card| texts >> instance.cards.cards[usize::from(*card)].deck.min(63) & 1 == 1)
        }
        LoweredPartKind::Range { what: RangeOf::Pile(zone), .. } => flow.decks(*zone) & texts != 0,
        LoweredPartKind::Text(_) => true,
        _ => false,
    })
}

/// Returns the decks that are made from packs, as bits.
fn text_decks<S: CardSet>(sight: &Sight<S>) -> u64 {
    let decks = sight.instance().program.decks.iter().take(63).enumerate();
    decks.filter(|(_, deck)| deck.pack_type.is_some()).fold(0, |mask, (at, _)| mask | 1 << at)
}

/// Returns a random legal move. Where the move contains a text, the bot takes the text of another card of the same deck.
pub fn random_move<S: CardSet>(sight: &Sight<S>, legal: &Legal<S>, chance: &mut impl Chance) -> Move {
    let mut answer = legal.sample(chance);
    let instance = sight.instance();
    let question = &instance.code.questions[usize::from(legal.ask)];
    let Some(offer) = question.offers.get(usize::from(answer.alternative)) else { return answer };
    for (lowered, part) in offer.parts.iter().zip(&mut answer.parts) {
        let (LoweredPartKind::Text(most), PartValue::Text(text)) = (&lowered.kind, part) else { continue };
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
