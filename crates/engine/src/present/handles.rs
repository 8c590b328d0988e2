//! Handles: a viewer's own numbers for the cards it can see.
//!
//! Handles count up from 1 in the order in which cards come into sight, and say nothing about the card. A card that goes out of sight
//! loses its handle for good. Nothing distinguishes backs that lie unordered, so which handle belongs to which of them is decided only
//! when one of them is turned or taken ([`Handles::draw`]). Otherwise the handle would tell which back it was.

use crate::cardset::CardSet;
use crate::view::Handle;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    /// Sorted by card. It is no table indexed by card, because only few cards of a big pack are in sight at a time.
    of: Vec<(u16, CardHandle)>,
    last: Handle,
    arrivals: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CardHandle {
    handle: Handle,
    /// Number of the arrival: cards that lie unordered are shown in the order in which they came.
    arrived: u32,
}

impl Handles {
    pub fn get(&self, card: u16) -> Option<Handle> {
        self.name(card).map(|name| name.handle)
    }

    /// Returns the handle of a card and the number of its arrival; zeros if the card is not in sight.
    pub fn arrival(&self, card: u16) -> (Handle, u32) {
        self.name(card).map_or((0, 0), |name| (name.handle, name.arrived))
    }

    /// Returns a cursor for looking up cards in ascending order.
    pub(crate) fn cursor(&self) -> HandleCursor<'_> {
        HandleCursor { rest: &self.of }
    }

    /// Whether exactly these cards have handles.
    pub(crate) fn are<S: CardSet>(&self, cards: &S) -> bool {
        self.of.len() == cards.len() && self.of.iter().all(|(card, _)| cards.contains(*card))
    }

    /// Whether saved handles are valid: of cards below `cards`, each given once, and with enough numbers left below `most`.
    pub(crate) fn are_sound(&self, cards: usize, most: u32) -> bool {
        let mut given: Vec<Handle> = self.of.iter().map(|(_, name)| name.handle).collect();
        given.sort_unstable();
        self.of.is_sorted_by(|a, b| a.0 < b.0)
            && given.is_sorted_by(|a, b| a < b)
            && self.of.last().is_none_or(|(card, _)| usize::from(*card) < cards)
            && given.first().is_none_or(|first| *first > 0)
            && given.last().is_none_or(|last| *last <= self.last)
            && self.of.iter().all(|(_, name)| name.arrived <= self.arrivals)
            && self.last < most
            && self.arrivals < most
    }

    /// Returns the card of a handle.
    pub fn card(&self, handle: Handle) -> Option<u16> {
        self.of.iter().find(|(_, name)| name.handle == handle).map(|(card, _)| *card)
    }

    /// Records that a card has come to a place where it is seen: it keeps its handle, or gets a new one.
    pub fn arrive(&mut self, card: u16) {
        self.arrivals += 1;
        let arrived = self.arrivals;
        match self.place(card) {
            Ok(at) => self.of[at].1.arrived = arrived,
            Err(at) => {
                self.last += 1;
                self.of.insert(at, (card, CardHandle { handle: self.last, arrived }));
            }
        }
    }

    /// Removes the handle of a card that is out of sight.
    pub fn retire(&mut self, card: u16) {
        if let Ok(at) = self.place(card) {
            self.of.remove(at);
        }
    }

    /// Removes the handles of all cards that are not in sight.
    pub fn keep(&mut self, in_sight: impl Fn(u16) -> bool) {
        self.of.retain(|(card, _)| in_sight(*card));
    }

    /// Gives a card that is about to be turned or taken the lowest handle of all cards that look like it, so that its handle does not tell
    /// which of them it is.
    pub fn draw(&mut self, card: u16, alike: impl Iterator<Item = u16>) {
        let Ok(own) = self.place(card) else { return };
        let lowest = alike.filter_map(|other| self.place(other).ok()).min_by_key(|at| self.of[*at].1.handle);
        if let Some(other) = lowest.filter(|other| self.of[*other].1.handle < self.of[own].1.handle) {
            (self.of[own].1, self.of[other].1) = (self.of[other].1, self.of[own].1);
        }
    }

    /// Returns the same handles for cards with other numbers.
    #[cfg(feature = "laws")]
    pub(crate) fn renamed(&self, to: impl Fn(u16) -> u16) -> Self {
        let mut of: Vec<_> = self.of.iter().map(|(card, name)| (to(*card), *name)).collect();
        of.sort_unstable_by_key(|(card, _)| *card);
        Self { of, ..*self }
    }

    fn name(&self, card: u16) -> Option<&CardHandle> {
        self.place(card).ok().map(|at| &self.of[at].1)
    }

    fn place(&self, card: u16) -> Result<usize, usize> {
        self.of.binary_search_by_key(&card, |(card, _)| *card)
    }
}

/// A cursor for looking up cards in ascending order.
pub(crate) struct HandleCursor<'a> {
    rest: &'a [(u16, CardHandle)],
}

impl HandleCursor<'_> {
    /// Like [`Handles::arrival`], for a card with a higher number than the last one.
    #[inline]
    pub fn arrival(&mut self, card: u16) -> (Handle, u32) {
        while let [(of, name), rest @ ..] = self.rest {
            if *of > card {
                break;
            }
            self.rest = rest;
            if *of == card {
                return (name.handle, name.arrived);
            }
        }
        (0, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_does_not_tell_which_back_was_taken() {
        for taken in [10, 11, 12] {
            let mut handles = Handles::default();
            [10, 11, 12].into_iter().for_each(|card| handles.arrive(card));
            handles.draw(taken, [10, 11, 12].into_iter());
            assert_eq!(handles.get(taken), Some(1));
            let mut others: Vec<_> =
                [10, 11, 12].iter().filter(|c| **c != taken).filter_map(|c| handles.get(*c)).collect();
            others.sort_unstable();
            assert_eq!(others, [2, 3]);
        }
    }

    #[test]
    fn handles_are_never_reused() {
        let mut handles = Handles::default();
        handles.arrive(5);
        handles.arrive(5);
        assert_eq!(handles.get(5), Some(1), "a card that stays in sight keeps its handle");
        handles.retire(5);
        handles.arrive(5);
        assert_eq!((handles.get(5), handles.card(1), handles.card(2)), (Some(2), None, Some(5)));
    }
}
