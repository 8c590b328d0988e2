//! Draws one of the legal moves at random without listing them. Playouts use it.
//!
//! It finds legal moves in the same way as [`Legal`](super::Legal), but lays them out flat, and the parts of the drawn move are plain
//! numbers. Each move has the same probability, and takes the same draws of chance, as with `legal` and `sample`.

use super::choose::{below, split};
use super::{Candidates, OfferKind};
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::eval::Eval;
use crate::instance::expr::{Cell, VariableTarget};
use crate::instance::question::{LoweredPart, LoweredPartKind, Offer, PartTarget, Question};
use smallvec::SmallVec;

/// The candidates of all parts, alternative after alternative.
type Laid<S> = SmallVec<[Candidates<S>; 6]>;

/// A legal alternative.
struct Open {
    offer: u16,
    /// Position of the alternative's first part in the list of candidates.
    first: u16,
    count: u64,
}

/// A drawn move: the alternative, and a number for each part.
pub(crate) struct DrawnMove {
    pub offer: usize,
    pub values: [i32; PARTS],
}

/// Upper bound on the parts of a drawn move; alternatives with more are listed.
const PARTS: usize = 4;

impl<S: CardSet> Offer<S> {
    /// Returns the cell of the card, if the alternative is always offered and consists of one card.
    pub(crate) fn one_card(&self) -> Option<u32> {
        match &self.parts[..] {
            [LoweredPart { store: PartTarget::Value(VariableTarget { cell: Cell::At(cell), .. }), .. }]
                if self.kind == OfferKind::Card && self.when.is_none() && !self.if_none =>
            {
                Some(*cell)
            }
            _ => None,
        }
    }

    /// Whether answers are a few numbers each, so that they need not be listed.
    pub(crate) fn drawable(&self) -> bool {
        let number = |store: &PartTarget<S>| matches!(store, PartTarget::Value(_));
        let few = self.parts.len() <= PARTS && self.parts.iter().all(|lowered| number(&lowered.store));
        self.never || few && self.kind != OfferKind::List
    }
}

impl<S: CardSet> Eval<'_, S> {
    /// Draws an answer to a question whose alternatives are all drawable; `None` if nothing is legal.
    #[inline(never)]
    pub(crate) fn draw(self, question: &Question<S>, chance: &mut impl Chance) -> Option<DrawnMove> {
        let mut laid = Laid::new();
        let mut open: SmallVec<[Open; 6]> = SmallVec::new();
        let mut all = self.lay(question, false, &mut laid, &mut open);
        if all == 0 {
            all = self.lay(question, true, &mut laid, &mut open);
        }
        if all == 0 {
            return None;
        }
        let mut index = below(chance, all);
        let mut at = 0;
        while at + 1 < open.len() && index >= open[at].count {
            index -= open[at].count;
            at += 1;
        }
        let Open { offer, first, count } = open[at];
        index = index.min(count - 1);
        let offer = usize::from(offer);
        let lowered = &question.offers[offer].parts;
        let mut values = [0; PARTS];
        // The last part varies fastest.
        for (n, lowered) in lowered.iter().enumerate().rev() {
            let part = &laid[usize::from(first) + n];
            let (left, here) = split(index, part.count());
            index = left;
            let value = part.number(here).unwrap_or_default();
            values[n] = match &lowered.kind {
                LoweredPartKind::Unseen(spot) => self.card_at(self.spot(spot), value),
                _ => value,
            };
        }
        Some(DrawnMove { offer, values })
    }

    /// Lays out the usual alternatives, or those that are offered if there is nothing else; returns the number of moves.
    fn lay(self, question: &Question<S>, last_resort: bool, laid: &mut Laid<S>, open: &mut SmallVec<[Open; 6]>) -> u64 {
        let mut all = 0u64;
        for (n, offer) in question.offers.iter().enumerate() {
            if offer.never || offer.if_none != last_resort || offer.when.as_ref().is_some_and(|when| !when.holds(self))
            {
                continue;
            }
            let first = laid.len();
            let count = match offer.kind {
                OfferKind::Plain => u64::from(self.plain(offer)),
                OfferKind::Card => {
                    let (cards, _) = self.legal_cards(offer);
                    let count = cards.len() as u64;
                    laid.push(Candidates::Cards(cards));
                    count
                }
                OfferKind::Product | OfferKind::List => match self.product(offer, laid) {
                    Some(_) => laid[first..].iter().fold(1u64, |n, part| n.saturating_mul(part.count())),
                    None => 0,
                },
            };
            if count == 0 {
                laid.truncate(first);
            } else {
                open.push(Open { offer: n as u16, first: first as u16, count });
                all = all.saturating_add(count);
            }
        }
        all
    }
}
