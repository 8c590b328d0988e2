//! Infers from the moves of other seats which cards they do not hold.
//!
//! A player who plays a club to a led heart holds no heart. In general: if holding a hidden card would have made the observed move
//! illegal, the card is not in that hand, until hidden cards come to the hand. [`Bot`](crate::Bot) feeds the memory and hands its result to the
//! search.

use baize_engine::cardset::CardSet;
use baize_engine::legal::{Legal, LegalOffer, Moves};
use baize_engine::live::AnySight;
use baize_engine::moves::PartValue;
use baize_engine::sight::{Sight, Visibility};
use baize_engine::view::{Batch, Cause, Event};
use std::collections::BTreeSet;

/// The memory ignores moves that play more cards than this.
const LARGEST_PLAY: usize = 8;
/// The memory ignores alternatives with more answers than this.
const MOST_ANSWERS: u64 = 200;

/// What one bot has inferred.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The sight after the last step.
    last: Option<AnySight>,
    /// For each zone instance the cards that are certainly not there.
    cannot: Vec<BTreeSet<u16>>,
}

impl Memory {
    pub fn watch(&mut self, me: u8, now: &AnySight, batch: &Batch) {
        match (self.last.take(), now) {
            (Some(AnySight::Small(before)), AnySight::Small(after)) => self.learn(me, &before, after, batch),
            (Some(AnySight::Medium(before)), AnySight::Medium(after)) => self.learn(me, &before, after, batch),
            (Some(AnySight::Large(before)), AnySight::Large(after)) => self.learn(me, &before, after, batch),
            _ => self.cannot.clear(),
        }
        self.last = Some(now.clone());
    }

    /// Returns for each zone instance the cards that can't be there.
    pub fn cannot<S: CardSet>(&self, zones: usize) -> Vec<S> {
        let mut sets: Vec<S> = self.cannot.iter().map(|cards| S::from_cards(cards.iter().copied())).collect();
        sets.resize(zones, S::empty());
        sets
    }

    fn learn<S: CardSet>(&mut self, me: u8, before: &Sight<S>, after: &Sight<S>, batch: &Batch) {
        self.cannot.resize(before.instance().zones(), BTreeSet::new());
        if let Cause::Move { seat } = batch.cause
            && seat != me
        {
            self.infer(seat, before, after);
        }
        self.follow(before, after, batch);
    }

    /// Rules out cards that would have made the move of a seat illegal.
    fn infer<S: CardSet>(&mut self, seat: u8, before: &Sight<S>, after: &Sight<S>) {
        // Cards that came into sight were played from a hidden zone of that seat.
        let played = before.made_up().andnot(after.made_up());
        if played.is_empty() || played.len() > LARGEST_PLAY || !before.frame().is_open(seat) {
            return;
        }
        let instances = &before.instance().layout.instances;
        let mut from = (0..instances.len()).filter(|zone| {
            let (had, has) = (before.frame().sets[*zone].len(), after.frame().sets[*zone].len());
            instances[*zone].owner == seat as i8
                && before.level(*zone) == Visibility::Count
                && (had == has + played.len() || has == 0 && had >= played.len())
        });
        let (Some(zone), None) = (from.next(), from.next()) else { return };
        let plays = |hand: &S| before.legal_if(seat, zone, hand).map(|legal| offers(&legal, &played));
        // Infer nothing if the played cards alone do not explain the move.
        if plays(&played) != Some(Some(true)) {
            return;
        }
        for card in before.made_up().andnot(&played).iter() {
            let mut hand = played.clone();
            hand.insert(card);
            if plays(&hand) == Some(Some(false)) {
                self.cannot[zone].insert(card);
            }
        }
    }

    /// Forgets what is no longer certain: hidden cards have come to a zone, or a card was seen to go there.
    fn follow<S: CardSet>(&mut self, before: &Sight<S>, after: &Sight<S>, batch: &Batch) {
        for event in &batch.events {
            match event {
                Event::Moved { to: Some(to), count, gone, came, .. } => {
                    let seen = gone.len().max(came.len());
                    if let Some(cannot) = self.cannot.get_mut(usize::from(*to))
                        && seen < *count as usize
                    {
                        cannot.clear();
                    }
                }
                Event::Zone { zone, .. } | Event::Shuffled { zone } => {
                    if let Some(cannot) = self.cannot.get_mut(usize::from(*zone)) {
                        cannot.clear();
                    }
                }
                _ => {}
            }
        }
        let hidden_now = after.made_up().andnot(before.made_up());
        for (zone, cannot) in self.cannot.iter_mut().enumerate() {
            if after.frame().sets[zone].is_empty() {
                cannot.clear();
            }
            // A visible card needs no entry, and a card that has just been hidden may be in any hidden zone.
            cannot.retain(|card| after.made_up().contains(*card) && !hidden_now.contains(*card));
        }
    }
}

/// Whether exactly these cards could be played; `None` if there are too many answers to look through.
fn offers<S: CardSet>(legal: &Legal<S>, played: &S) -> Option<bool> {
    let mut found = false;
    for offer in &legal.offers {
        found |= plays(offer, played)?;
    }
    Some(found)
}

fn plays<S: CardSet>(offer: &LegalOffer<S>, played: &S) -> Option<bool> {
    if let Moves::Card(cards) = &offer.moves {
        return Some(played.len() == 1 && played.is_subset(cards));
    }
    if offer.count() > MOST_ANSWERS {
        return None;
    }
    // A number may be a card or something else. Something else that happens to equal a played card only makes more moves look
    // possible, so that the inference rules out less.
    let shows = |parts: &[PartValue]| {
        let mut cards = S::empty();
        for part in parts {
            match part {
                PartValue::Number(n) if played.has(*n) => cards.insert(*n as u16),
                PartValue::Cards(list) => list.iter().for_each(|card| cards.insert(*card)),
                PartValue::Number(_) | PartValue::Text(_) => {}
            }
        }
        cards == *played
    };
    Some((0..offer.count()).any(|index| shows(&offer.nth(index))))
}
