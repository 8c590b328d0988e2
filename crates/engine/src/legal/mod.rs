//! Finds what a seat may answer.
//!
//! Legal moves are compact sets: one mask for "a card of your hand", candidates per part where parts are independent, and a list only
//! where they are not. Each `must` of an alternative narrows its set, in order; one that says `if able` is ignored if it would leave
//! nothing. Tables check moves with it, views show its result, and bots choose from it.

mod candidates;
mod check;
mod choose;
mod combine;
mod draw;
mod patterns;

pub use candidates::Candidates;
pub use patterns::Pick;

use crate::cardset::CardSet;
use crate::eval::{Eval, Registers, VIEW_FUEL};
use crate::frame::Frame;
use crate::instance::Instance;
use crate::instance::question::{Must, Offer, OfferKind};
use crate::moves::{CONTINUE, PartValue};
use baize_rules::program::AskId;
use smallvec::{SmallVec, smallvec};

/// Budget for finding the legal moves of one decision, in loop turns.
const LEGAL_FUEL: i64 = 1_000_000;

/// The values of all parts of an answer.
pub type Parts = SmallVec<[PartValue; 2]>;

/// Everything a seat may answer to its open decision. Never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Legal<S> {
    pub decision: u32,
    pub ask: AskId,
    pub seat: u8,
    pub offers: SmallVec<[LegalOffer<S>; 2]>,
}

/// The legal answers of one alternative.
#[derive(Clone, Debug, PartialEq)]
pub struct LegalOffer<S> {
    /// Index of the alternative, or [`CONTINUE`].
    pub alternative: u16,
    pub moves: Moves<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Moves<S> {
    /// The alternative has no parts.
    Plain,
    /// The answer is one of these cards.
    Card(S),
    /// The answer is any combination of the parts' candidates.
    Product(SmallVec<[Candidates<S>; 2]>),
    /// The answer is one of these lists of values.
    List(Box<[Parts]>),
}

impl<S: CardSet> Instance<S> {
    /// Returns the legal answers of a seat to an ask that need not be open.
    pub(crate) fn legal_answers(&self, frame: &Frame<S>, ask: AskId, seat: u8) -> Legal<S> {
        let at = Registers::new(self, seat as i32, VIEW_FUEL);
        Eval { frame, at: &at }.legal(ask, seat)
    }

    /// Returns what this seat may answer now; `None` if it is asked nothing.
    #[inline]
    pub fn legal(&self, frame: &Frame<S>, seat: u8) -> Option<Legal<S>> {
        // While a table is paused, the question of a player who has left stays open. It is not for a newcomer in the same seat.
        if !frame.is_open(seat) || frame.pending >> seat & 1 == 1 {
            return None;
        }
        let at = Registers::new(self, seat as i32, LEGAL_FUEL);
        let ask = frame.seats[seat as usize].ask;
        Some(Eval { frame, at: &at }.legal(ask, seat))
    }
}

impl<S: CardSet> Eval<'_, S> {
    /// Returns the legal answers of a seat to an ask. [`Registers::me`] must be the seat.
    #[inline]
    pub(crate) fn legal(self, ask: AskId, seat: u8) -> Legal<S> {
        let question = &self.instance().code.questions[ask as usize];
        let mut offers = SmallVec::new();
        let decision = self.frame.seats[seat as usize].decision;
        // Usually the answer is one card of one alternative.
        if let [offer] = &question.offers[..]
            && offer.kind == OfferKind::Card
            && offer.when.is_none()
            && !offer.if_none
        {
            let (cards, _) = self.legal_cards(offer);
            if !cards.is_empty() {
                offers.push(LegalOffer { alternative: 0, moves: Moves::Card(cards) });
                return Legal { decision, ask, seat, offers };
            }
        }
        for (index, offer) in question.offers.iter().enumerate() {
            if !offer.if_none
                && let Some((moves, _)) = self.offer(offer)
            {
                offers.push(LegalOffer { alternative: index as u16, moves });
            }
        }
        if offers.is_empty() {
            self.last_resort(&question.offers, &mut offers);
        }
        Legal { decision, ask, seat, offers }
    }

    /// Adds the offers for the case that nothing else is legal: the alternatives that the rules mark for it, or else only `CONTINUE`.
    #[inline(never)]
    fn last_resort(self, all: &[Offer<S>], offers: &mut SmallVec<[LegalOffer<S>; 2]>) {
        for (index, offer) in all.iter().enumerate().filter(|(_, o)| o.if_none) {
            if let Some((moves, _)) = self.offer(offer) {
                offers.push(LegalOffer { alternative: index as u16, moves });
            }
        }
        if offers.is_empty() {
            offers.push(LegalOffer { alternative: CONTINUE, moves: Moves::Plain });
        }
    }

    /// Returns the legal answers of one alternative, and as bits each `must` that narrowed them; `None` if there are no answers.
    #[inline]
    pub(crate) fn offer(self, offer: &Offer<S>) -> Option<(Moves<S>, u64)> {
        if let Some(when) = &offer.when
            && !when.holds(self)
        {
            return None;
        }
        match offer.kind {
            OfferKind::Card => self.card_offer(offer),
            OfferKind::Plain => self.plain(offer).then_some((Moves::Plain, 0)),
            OfferKind::Product => self.product_offer(offer),
            OfferKind::List => self.list_offer(offer),
        }
    }

    /// Whether a `must` applies now.
    #[inline(always)]
    fn applies(self, must: &Must<S>) -> bool {
        must.when.as_ref().is_none_or(|when| when.holds(self))
    }

    #[inline]
    fn card_offer(self, offer: &Offer<S>) -> Option<(Moves<S>, u64)> {
        let (cards, narrowed) = self.legal_cards(offer);
        if cards.is_empty() { None } else { Some((Moves::Card(cards), narrowed)) }
    }

    /// Returns the legal cards of an alternative that is one card, the most frequent kind, and as bits each `must` that narrowed them.
    #[inline]
    pub(crate) fn legal_cards(self, offer: &Offer<S>) -> (S, u64) {
        offer.choice.as_ref().map_or((S::empty(), 0), |choice| choice.cards(self))
    }

    /// Whether an alternative without parts is legal. It has no other answer, so `if able` never refuses it.
    fn plain(self, offer: &Offer<S>) -> bool {
        offer.musts.iter().all(|must| must.if_able || !self.applies(must) || must.cond.holds(self))
    }

    fn product_offer(self, offer: &Offer<S>) -> Option<(Moves<S>, u64)> {
        let mut parts = SmallVec::new();
        let narrowed = self.product(offer, &mut parts)?;
        Some((Moves::Product(parts), narrowed))
    }

    /// Adds the candidates of each part and returns as bits each `must` that narrowed them; `None` if a part has no candidate.
    fn product<A: smallvec::Array<Item = Candidates<S>>>(
        self,
        offer: &Offer<S>,
        parts: &mut SmallVec<A>,
    ) -> Option<u64> {
        let first = parts.len();
        for lowered in &offer.parts {
            let mut found = self.candidates(lowered);
            if let Some(filter) = &lowered.filter {
                found = self.narrow(lowered, found, filter);
            }
            if found.is_empty() {
                return None;
            }
            parts.push(found);
        }
        let mut narrowed = 0;
        for (i, must) in offer.musts.iter().enumerate() {
            if !self.applies(must) {
                continue;
            }
            if must.cond.parts == 0 {
                if !must.if_able && !must.cond.holds(self) {
                    return None;
                }
                continue;
            }
            let part = must.cond.parts.trailing_zeros() as usize;
            let left = self.narrow(&offer.parts[part], parts[first + part].clone(), &must.cond);
            if left.is_empty() {
                if must.if_able {
                    continue;
                }
                return None;
            }
            narrowed |= 1u64.checked_shl(i as u32).unwrap_or(0);
            parts[first + part] = left;
        }
        Some(narrowed)
    }

    fn list_offer(self, offer: &Offer<S>) -> Option<(Moves<S>, u64)> {
        let mut list = Vec::new();
        self.combinations(offer, &mut smallvec![], &mut list);
        let mut narrowed = 0;
        for (i, must) in offer.musts.iter().enumerate() {
            if !self.applies(must) {
                continue;
            }
            let passes: Vec<bool> = list
                .iter()
                .map(|parts| {
                    self.bind(offer, parts);
                    self.at.spend(1);
                    must.cond.holds(self)
                })
                .collect();
            if must.if_able && !passes.contains(&true) {
                continue;
            }
            narrowed |= 1u64.checked_shl(i as u32).unwrap_or(0);
            let mut passes = passes.into_iter();
            list.retain(|_| passes.next().unwrap_or(false));
        }
        if list.is_empty() { None } else { Some((Moves::List(list.into()), narrowed)) }
    }
}
