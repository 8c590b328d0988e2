//! The order in which a view shows its cards, for lists that are made of them.

use crate::observe::Handles;
use crate::view::{CardView, Content, Handle, ZoneView};
use std::collections::BTreeMap;

/// Handles by their place in a view.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    handles: &'a Handles,
    zones: &'a [ZoneView],
    /// Where each is shown: the number of cards shown before it, over all zones.
    ranks: BTreeMap<Handle, u32>,
}

impl<'a> Order<'a> {
    pub fn new(handles: &'a Handles, zones: &'a [ZoneView]) -> Self {
        let shown = zones.iter().flat_map(cards_of);
        let ranks = shown.zip(0..).map(|(card, rank)| (card.handle, rank)).collect();
        Self { handles, zones, ranks }
    }

    pub fn handle(&self, card: u16) -> Option<Handle> {
        self.handles.get(card).filter(|handle| self.ranks.contains_key(handle))
    }

    pub fn rank_of(&self, handle: Handle) -> u32 {
        self.ranks.get(&handle).copied().unwrap_or(u32::MAX)
    }

    pub fn rank(&self, card: u16) -> u32 {
        self.handle(card).map_or(u32::MAX, |handle| self.rank_of(handle))
    }

    /// Of these cards those in sight, as they are shown.
    pub fn handles(&self, cards: impl Iterator<Item = u16>) -> Vec<Handle> {
        let mut handles: Vec<Handle> = cards.filter_map(|card| self.handle(card)).collect();
        handles.sort_by_key(|handle| self.rank_of(*handle));
        handles
    }

    /// A set of cards, by those that stand for it in the view: of cards that look the same in one zone always the
    /// first ones shown, since which the rules name depends on card numbers.
    pub fn stand_for(&self, cards: &[u16]) -> Vec<Handle> {
        let mut taken: Vec<Handle> = Vec::with_capacity(cards.len());
        for handle in cards.iter().filter_map(|card| self.handle(*card)) {
            let zone = self.zones.iter().map(cards_of).find(|cards| cards.iter().any(|card| card.handle == handle));
            let zone = zone.unwrap_or_default();
            let looks = zone.iter().find(|card| card.handle == handle);
            let same = |card: &&CardView| {
                looks.is_some_and(|looks| {
                    looks.face == card.face && looks.by == card.by && looks.written == card.written
                })
            };
            let first = zone.iter().filter(same).map(|card| card.handle).find(|handle| !taken.contains(handle));
            taken.push(first.unwrap_or(handle));
        }
        taken
    }
}

fn cards_of(zone: &ZoneView) -> &[CardView] {
    match &zone.content {
        Content::Cards(cards) => cards,
        _ => &[],
    }
}
