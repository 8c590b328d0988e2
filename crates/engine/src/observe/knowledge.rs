//! What a viewer has seen go where it can no longer see it.
//!
//! Knowledge is kept by face, never by card: of two cards that look the same a viewer can't say
//! which one it was. For each hidden place it is the number of cards of a face that are *certainly* there. When a
//! card leaves a place unseen, any of those known to be there might have been it.

use crate::view::FaceId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one viewer remembers. Bots make worlds from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knowledge {
    known: BTreeMap<u16, BTreeMap<FaceId, u32>>,
    /// Piles whose bringers are secret: where they lie, and who they can be from.
    mixed: Vec<Mixed>,
}

/// Piles that were mixed together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mixed {
    /// Zone instances the piles went to.
    pub piles: Vec<u16>,
    /// Seats that had a pile, as far as the viewer could see.
    pub from: Vec<u8>,
    /// Faces of the viewer's own pile.
    pub own: Vec<FaceId>,
}

impl Knowledge {
    /// Faces certainly in the hidden part of a zone instance, with how many of each.
    pub fn in_zone(&self, zone: u16) -> impl Iterator<Item = (FaceId, u32)> + '_ {
        self.known.get(&zone).into_iter().flatten().map(|(face, n)| (*face, *n))
    }

    /// All of it: zone, face, how many at least.
    pub fn iter(&self) -> impl Iterator<Item = (u16, FaceId, u32)> + '_ {
        self.known.iter().flat_map(|(zone, faces)| faces.iter().map(|(face, n)| (*zone, *face, *n)))
    }

    pub fn mixed(&self) -> &[Mixed] {
        &self.mixed
    }

    /// Without memory: what a player knows who has just sat down.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// A card of this face was seen to become hidden here.
    pub fn hid(&mut self, zone: u16, face: FaceId) {
        *self.known.entry(zone).or_default().entry(face).or_default() += 1;
    }

    /// At least so many of this face were shown to lie hidden here.
    pub fn told(&mut self, zone: u16, face: FaceId, count: u32) {
        let n = self.known.entry(zone).or_default().entry(face).or_default();
        *n = (*n).max(count);
    }

    /// A card that was hidden here has come into sight and has this face.
    pub fn appeared(&mut self, zone: u16, face: FaceId) {
        let Some(faces) = self.known.get_mut(&zone) else { return };
        if let Some(n) = faces.get_mut(&face) {
            *n -= 1;
            if *n == 0 {
                faces.remove(&face);
            }
        }
    }

    /// `count` cards left the hidden part of a zone unseen, others stayed.
    pub fn left(&mut self, zone: u16, count: u32) {
        if let Some(faces) = self.known.get_mut(&zone) {
            faces.retain(|_, n| {
                *n = n.saturating_sub(count);
                *n > 0
            });
        }
    }

    /// Everything that was hidden in one zone is now hidden in another (none: it is anywhere).
    pub fn all_left(&mut self, from: u16, to: Option<u16>) {
        let Some(faces) = self.known.remove(&from) else { return };
        if let Some(to) = to {
            let there = self.known.entry(to).or_default();
            for (face, n) in faces {
                *there.entry(face).or_default() += n;
            }
        }
    }

    /// The zone is in sight now, or nothing hidden is left there.
    pub fn saw_all(&mut self, zone: u16) {
        self.known.remove(&zone);
    }

    pub fn was_mixed(&mut self, mixed: Mixed) {
        self.mixed.retain(|old| !old.piles.iter().any(|pile| mixed.piles.contains(pile)));
        self.mixed.push(mixed);
    }

    /// The piles have gone from here.
    pub fn emptied(&mut self, zone: u16) {
        for mixed in &mut self.mixed {
            mixed.piles.retain(|pile| *pile != zone);
        }
        self.mixed.retain(|mixed| !mixed.piles.is_empty());
    }
}
