//! A viewer's names for the cards it can see.
//!
//! Handles count up from 1 in the order in which cards come into sight, and say nothing about the card. A
//! card that goes out of sight loses its handle for good. Backs that lie unordered are told apart by nothing, so
//! which handle stands for which of them is decided only when one of them is turned or taken ([`Handles::draw`]).

use crate::cardset::CardSet;
use crate::view::Handle;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    /// In the order of the cards. Few of a big pack's cards are in sight at a time, hence no table.
    of: Vec<(u16, Name)>,
    last: Handle,
    arrivals: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Name {
    handle: Handle,
    /// Counts up whenever a card comes to lie somewhere: where cards lie unordered they are shown as they came.
    arrived: u32,
}

impl Handles {
    pub fn get(&self, card: u16) -> Option<Handle> {
        self.name(card).map(|name| name.handle)
    }

    /// The handle of a card, and when it came to where it is; 0 if it is not in sight.
    pub fn arrival(&self, card: u16) -> (Handle, u32) {
        self.name(card).map_or((0, 0), |name| (name.handle, name.arrived))
    }

    /// The same for one card after another, each with a higher number than the last.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { rest: &self.of }
    }

    /// Whether just these cards have names.
    pub(crate) fn are<S: CardSet>(&self, cards: &S) -> bool {
        self.of.len() == cards.len() && self.of.iter().all(|(card, _)| cards.contains(*card))
    }

    /// Whether they are names of so many cards, each given once, and so far from the last number that they can go on.
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

    /// The card a handle stands for.
    pub fn card(&self, handle: Handle) -> Option<u16> {
        self.of.iter().find(|(_, name)| name.handle == handle).map(|(card, _)| *card)
    }

    /// A card comes to lie where it is seen: it keeps its handle, or gets one never used before.
    pub fn arrive(&mut self, card: u16) {
        self.arrivals += 1;
        let arrived = self.arrivals;
        match self.place(card) {
            Ok(at) => self.of[at].1.arrived = arrived,
            Err(at) => {
                self.last += 1;
                self.of.insert(at, (card, Name { handle: self.last, arrived }));
            }
        }
    }

    /// The card is out of sight.
    pub fn retire(&mut self, card: u16) {
        if let Ok(at) = self.place(card) {
            self.of.remove(at);
        }
    }

    /// Only these are in sight.
    pub fn keep(&mut self, in_sight: impl Fn(u16) -> bool) {
        self.of.retain(|(card, _)| in_sight(*card));
    }

    /// One of these indistinguishable cards is about to be turned or taken: it gets the lowest of their handles,
    /// whichever it is.
    pub fn draw(&mut self, card: u16, alike: impl Iterator<Item = u16>) {
        let Ok(own) = self.place(card) else { return };
        let lowest = alike.filter_map(|other| self.place(other).ok()).min_by_key(|at| self.of[*at].1.handle);
        if let Some(other) = lowest.filter(|other| self.of[*other].1.handle < self.of[own].1.handle) {
            (self.of[own].1, self.of[other].1) = (self.of[other].1, self.of[own].1);
        }
    }

    /// The same names for cards that are called something else.
    #[cfg(feature = "laws")]
    pub(crate) fn renamed(&self, to: impl Fn(u16) -> u16) -> Self {
        let mut of: Vec<_> = self.of.iter().map(|(card, name)| (to(*card), *name)).collect();
        of.sort_unstable_by_key(|(card, _)| *card);
        Self { of, ..*self }
    }

    fn name(&self, card: u16) -> Option<&Name> {
        self.place(card).ok().map(|at| &self.of[at].1)
    }

    fn place(&self, card: u16) -> Result<usize, usize> {
        self.of.binary_search_by_key(&card, |(card, _)| *card)
    }
}

/// See [`Handles::walk`].
pub(crate) struct Walk<'a> {
    rest: &'a [(u16, Name)],
}

impl Walk<'_> {
    /// As [`Handles::arrival`].
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
    fn which_of_several_backs_is_taken_can_not_be_told_from_its_handle() {
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
    fn a_handle_is_never_used_again() {
        let mut handles = Handles::default();
        handles.arrive(5);
        handles.arrive(5);
        assert_eq!(handles.get(5), Some(1), "a card that stays in sight keeps its handle");
        handles.retire(5);
        handles.arrive(5);
        assert_eq!((handles.get(5), handles.card(1), handles.card(2)), (Some(2), None, Some(5)));
    }
}
