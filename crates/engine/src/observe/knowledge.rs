//! Remembers the cards that a viewer has seen go to a hidden place.
//!
//! Knowledge is about faces and never about cards, because a viewer can't distinguish cards that look the same. For each zone it is the
//! number of cards of a face that are *certainly* among the hidden ones. When a card leaves a zone unseen, it may be any of them.

use crate::view::FaceId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Range;

/// What one viewer remembers. Worlds for bots must fit it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knowledge {
    #[serde(serialize_with = "by_zone", deserialize_with = "flat")]
    known: Vec<KnownCount>,
    /// Mixed piles whose players are secret: where they lie, and which seats brought them.
    mixed: Vec<Mixed>,
}

/// At least `count` cards of a face are among the hidden cards of a zone. The list is sorted by zone and face and fits into a few cache
/// lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownCount {
    zone: u16,
    face: FaceId,
    count: u32,
}

/// Piles that were mixed together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mixed {
    /// Zone instances to which the piles went.
    pub piles: Vec<u16>,
    /// Seats that had a pile, as far as the viewer saw.
    pub from: Vec<u8>,
    /// Faces of the viewer's own pile.
    pub own: Vec<FaceId>,
}

impl Knowledge {
    /// Returns the faces that are certainly among the hidden cards of a zone instance, with their counts.
    pub fn in_zone(&self, zone: u16) -> impl Iterator<Item = (FaceId, u32)> + '_ {
        self.known[self.of_zone(zone)].iter().map(|known| (known.face, known.count))
    }

    /// Iterates over all entries: zone, face, least count.
    pub fn iter(&self) -> impl Iterator<Item = (u16, FaceId, u32)> + '_ {
        self.known.iter().map(|known| (known.zone, known.face, known.count))
    }

    pub fn mixed(&self) -> &[Mixed] {
        &self.mixed
    }

    /// Whether saved knowledge is valid for a game with these numbers of zones, faces, seats and cards.
    pub(crate) fn is_sound(&self, zones: usize, faces: usize, seats: usize, cards: usize) -> bool {
        let is_zone = |zone: u16| usize::from(zone) < zones;
        let is_face = |face: FaceId| usize::from(face) < faces;
        self.known.is_sorted_by(|a, b| (a.zone, a.face) < (b.zone, b.face))
            && self
                .known
                .iter()
                .all(|known| is_zone(known.zone) && is_face(known.face) && known.count as usize <= cards)
            && self.mixed.len() <= zones
            && self.mixed.iter().all(|mixed| {
                mixed.piles.iter().all(|zone| is_zone(*zone))
                    && mixed.from.iter().all(|seat| usize::from(*seat) < seats)
                    && mixed.own.iter().all(|face| is_face(*face))
            })
    }

    /// Forgets everything: a player who has just sat down knows nothing.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Records that the viewer saw a card of this face become hidden in a zone.
    pub fn note_hidden(&mut self, zone: u16, face: FaceId) {
        self.count_of(zone, face, |count| count + 1);
    }

    /// Records that a reveal showed the viewer that at least `count` cards of this face are hidden in a zone.
    pub fn note_revealed(&mut self, zone: u16, face: FaceId, count: u32) {
        self.count_of(zone, face, |known| known.max(count));
    }

    /// Records that a hidden card of a zone has come into sight, and that it has this face.
    pub fn note_appeared(&mut self, zone: u16, face: FaceId) {
        if let Ok(at) = self.place(zone, face) {
            self.known[at].count -= 1;
            if self.known[at].count == 0 {
                self.known.remove(at);
            }
        }
    }

    /// Records that `count` hidden cards left a zone unseen and others stayed.
    pub fn note_left(&mut self, zone: u16, count: u32) {
        self.known.retain_mut(|known| {
            if known.zone == zone {
                known.count = known.count.saturating_sub(count);
            }
            known.count > 0
        });
    }

    /// Records that all hidden cards of one zone are now hidden in another one, or anywhere (`None`).
    pub fn note_all_left(&mut self, from: u16, to: Option<u16>) {
        let gone: Vec<KnownCount> = self.known.drain(self.of_zone(from)).collect();
        if let Some(to) = to {
            gone.iter().for_each(|known| self.count_of(to, known.face, |count| count + known.count));
        }
    }

    /// Forgets the hidden cards of a zone: the viewer sees its cards now, it has no hidden cards any more, or the viewer can't follow
    /// what comes and goes there.
    pub fn forget_zone(&mut self, zone: u16) {
        self.known.drain(self.of_zone(zone));
    }

    fn place(&self, zone: u16, face: FaceId) -> Result<usize, usize> {
        self.known.binary_search_by_key(&(zone, face), |known| (known.zone, known.face))
    }

    fn of_zone(&self, zone: u16) -> Range<usize> {
        let begin = self.known.partition_point(|known| known.zone < zone);
        begin..begin + self.known[begin..].partition_point(|known| known.zone == zone)
    }

    /// Changes the count of a face in a zone; an entry with count 0 is not kept.
    fn count_of(&mut self, zone: u16, face: FaceId, change: impl Fn(u32) -> u32) {
        match self.place(zone, face) {
            Ok(at) => self.known[at].count = change(self.known[at].count),
            Err(at) => {
                let count = change(0);
                if count > 0 {
                    self.known.insert(at, KnownCount { zone, face, count });
                }
            }
        }
    }

    pub fn note_mixed(&mut self, mixed: Mixed) {
        self.mixed.retain(|old| !old.piles.iter().any(|pile| mixed.piles.contains(pile)));
        self.mixed.push(mixed);
    }

    /// Forgets that a mixed pile lies in a zone.
    pub fn forget_pile(&mut self, zone: u16) {
        for mixed in &mut self.mixed {
            mixed.piles.retain(|pile| *pile != zone);
        }
        self.mixed.retain(|mixed| !mixed.piles.is_empty());
    }
}

type Zones = Vec<(u16, Vec<(FaceId, u32)>)>;

/// Serialises entries grouped by zone.
fn by_zone<S: Serializer>(known: &[KnownCount], to: S) -> Result<S::Ok, S::Error> {
    let zones = known.chunk_by(|one, other| one.zone == other.zone);
    let faces = |zone: &[KnownCount]| zone.iter().map(|known| (known.face, known.count)).collect();
    zones.map(|zone| (zone[0].zone, faces(zone))).collect::<Zones>().serialize(to)
}

fn flat<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<KnownCount>, D::Error> {
    let zones = Zones::deserialize(from)?.into_iter();
    let mut known: Vec<KnownCount> = zones
        .flat_map(|(zone, faces)| faces.into_iter().map(move |(face, count)| KnownCount { zone, face, count }))
        .filter(|known| known.count > 0)
        .collect();
    known.sort_unstable_by_key(|known| (known.zone, known.face));
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Older programs wrote nested maps into snapshots.
    #[test]
    fn knowledge_reads_snapshots_with_nested_maps() {
        #[derive(Serialize)]
        struct Old {
            known: BTreeMap<u16, BTreeMap<FaceId, u32>>,
            mixed: Vec<Mixed>,
        }
        let known = BTreeMap::from([
            (3, BTreeMap::from([(7, 2), (9, 1)])),
            (5, BTreeMap::new()),
            (300, BTreeMap::from([(1, 4)])),
        ]);
        let old = postcard::to_stdvec(&Old { known, mixed: vec![Mixed::default()] }).unwrap();
        let read: Knowledge = postcard::from_bytes(&old).unwrap();
        assert_eq!(read.iter().collect::<Vec<_>>(), [(3, 7, 2), (3, 9, 1), (300, 1, 4)]);
        assert_eq!(read.mixed().len(), 1);
        let again: Knowledge = postcard::from_bytes(&postcard::to_stdvec(&read).unwrap()).unwrap();
        assert_eq!(again, read);
    }

    #[test]
    fn knowledge_counts_follow_cards() {
        let mut knowledge = Knowledge::default();
        [(1, 10), (1, 10), (2, 10), (1, 4)].into_iter().for_each(|(zone, face)| knowledge.note_hidden(zone, face));
        knowledge.note_appeared(1, 4);
        knowledge.note_revealed(1, 10, 1);
        knowledge.note_revealed(2, 3, 0);
        assert_eq!(knowledge.iter().collect::<Vec<_>>(), [(1, 10, 2), (2, 10, 1)]);
        knowledge.note_all_left(1, Some(2));
        assert_eq!(knowledge.iter().collect::<Vec<_>>(), [(2, 10, 3)]);
        knowledge.note_left(2, 2);
        assert_eq!(knowledge.in_zone(2).collect::<Vec<_>>(), [(10, 1)]);
        knowledge.note_left(2, 1);
        assert_eq!(knowledge.iter().count(), 0);
    }
}
