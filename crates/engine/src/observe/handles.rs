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
    of: BTreeMap<u16, Handle>,
    last: Handle,
}

impl Handles {
    pub fn get(&self, card: u16) -> Option<Handle> {
        self.of.get(&card).copied()
    }

    /// The card a handle stands for.
    pub fn card(&self, handle: Handle) -> Option<u16> {
        self.of.iter().find(|(_, h)| **h == handle).map(|(card, _)| *card)
    }

    /// Cards in sight, with their handles.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Handle)> + '_ {
        self.of.iter().map(|(card, handle)| (*card, *handle))
    }

    /// The handle given out last.
    pub fn last(&self) -> Handle {
        self.last
    }

    /// A handle never used before.
    pub fn mint(&mut self, card: u16) -> Handle {
        self.last += 1;
        self.of.insert(card, self.last);
        self.last
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
        let Some(own) = self.get(card) else { return };
        let lowest = alike.filter_map(|other| Some((self.get(other)?, other))).min();
        if let Some((handle, other)) = lowest
            && handle < own
        {
            self.of.insert(other, own);
            self.of.insert(card, handle);
        }
    }
}
