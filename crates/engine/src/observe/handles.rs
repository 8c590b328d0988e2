//! A viewer's names for the cards it can see.
//!
//! Handles count up from 1 in the order in which cards come into sight, and say nothing about the card. A
//! card that goes out of sight loses its handle for good. Backs that lie unordered are told apart by nothing, so
//! which handle stands for which of them is decided only when one of them is turned or taken ([`Handles::draw`]).

use crate::view::Handle;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    /// By card. Few of a big pack's cards are in sight at a time, hence no table.
    of: BTreeMap<u16, Name>,
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
        self.of.get(&card).map(|name| name.handle)
    }

    /// When the card came to where it is; 0 if it is not in sight.
    pub fn arrived(&self, card: u16) -> u32 {
        self.of.get(&card).map_or(0, |name| name.arrived)
    }

    /// The card a handle stands for.
    pub fn card(&self, handle: Handle) -> Option<u16> {
        self.of.iter().find(|(_, name)| name.handle == handle).map(|(card, _)| *card)
    }

    /// A card comes to lie where it is seen: it keeps its handle, or gets one never used before.
    pub fn arrive(&mut self, card: u16) {
        self.arrivals += 1;
        let arrived = self.arrivals;
        let last = &mut self.last;
        let name = self.of.entry(card).or_insert_with(|| {
            *last += 1;
            Name { handle: *last, arrived }
        });
        name.arrived = arrived;
    }

    /// The card is out of sight.
    pub fn retire(&mut self, card: u16) {
        self.of.remove(&card);
    }

    /// Only these are in sight.
    pub fn keep(&mut self, in_sight: impl Fn(u16) -> bool) {
        self.of.retain(|card, _| in_sight(*card));
    }

    /// One of these indistinguishable cards is about to be turned or taken: it gets the lowest of their handles,
    /// whichever it is.
    pub fn draw(&mut self, card: u16, alike: impl Iterator<Item = u16>) {
        let Some(own) = self.of.get(&card).copied() else { return };
        let lowest = alike.filter_map(|other| Some((self.get(other)?, other))).min();
        if let Some((handle, other)) = lowest
            && handle < own.handle
            && let Some(name) = self.of.insert(other, own)
        {
            self.of.insert(card, name);
        }
    }

    /// The same names for cards that are called something else.
    pub(crate) fn renamed(&self, to: impl Fn(u16) -> u16) -> Self {
        let of = self.of.iter().map(|(card, name)| (to(*card), *name)).collect();
        Self { of, ..*self }
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
