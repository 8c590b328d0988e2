//! The order in which a view shows its cards, for lists that are made of them.

use crate::observe::Handles;
use crate::view::{CardView, Content, Handle, ZoneView};
use std::collections::BTreeMap;

/// Handles by their place in a view.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    handles: &'a Handles,
    zones: &'a [ZoneView],
    /// Where each is shown: the number of cards shown before it, over all zones. In the order of the handles.
    ranks: Vec<(Handle, u32)>,
}

impl<'a> Order<'a> {
    pub fn new(handles: &'a Handles, zones: &'a [ZoneView]) -> Self {
        let shown = zones.iter().flat_map(cards_of);
        let mut ranks: Vec<(Handle, u32)> = shown.zip(0..).map(|(card, rank)| (card.handle, rank)).collect();
        ranks.sort_unstable();
        Self { handles, zones, ranks }
    }

    pub fn handle(&self, card: u16) -> Option<Handle> {
        self.handles.get(card).filter(|handle| self.place(*handle).is_ok())
    }

    pub fn rank_of(&self, handle: Handle) -> u32 {
        self.place(handle).map_or(u32::MAX, |at| self.ranks[at].1)
    }

    fn place(&self, handle: Handle) -> Result<usize, usize> {
        self.ranks.binary_search_by_key(&handle, |(handle, _)| *handle)
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

    /// A set of cards, by those that stand for it in the view.
    pub fn stand_for(&self, cards: &[u16]) -> Vec<Handle> {
        let mut stand = StandIns::new(self);
        cards.iter().filter_map(|card| self.handle(stand.of_set(*card))).collect()
    }

    /// The cards that look like this one where it lies, as they are shown.
    fn alike(&self, card: u16) -> Vec<u16> {
        let Some(handle) = self.handle(card) else { return vec![card] };
        let zone = self.zones.iter().map(cards_of).find(|cards| cards.iter().any(|card| card.handle == handle));
        let zone = zone.unwrap_or_default();
        let looks = zone.iter().find(|card| card.handle == handle);
        let same = |card: &&CardView| {
            looks.is_some_and(|looks| looks.face == card.face && looks.by == card.by && looks.written == card.written)
        };
        zone.iter().filter(same).filter_map(|card| self.handles.card(card.handle)).collect()
    }
}

/// Which cards stand for those of one answer: of cards that look the same in one zone always the first ones shown, since
/// which the rules name depends on card numbers. Cards that are exchanged stay so for all parts of the answer: what
/// the first part has taken is not offered again in the second.
#[derive(Debug)]
pub(crate) struct StandIns<'a> {
    order: &'a Order<'a>,
    /// Cards that are exchanged: the rules' card, and the one that stands for it.
    exchanged: BTreeMap<u16, u16>,
    taken: Vec<u16>,
}

impl<'a> StandIns<'a> {
    pub fn new(order: &'a Order<'a>) -> Self {
        Self { order, exchanged: BTreeMap::new(), taken: Vec::new() }
    }

    /// A card that the player touches: any of those alike can be, so it stands for itself unless it was exchanged.
    pub fn of_card(&mut self, card: u16) -> u16 {
        let stand_in = self.image(card);
        self.taken.push(stand_in);
        stand_in
    }

    /// A card of a set that was found by kinds of cards.
    pub fn of_set(&mut self, card: u16) -> u16 {
        let now = self.image(card);
        if self.taken.contains(&now) {
            return now;
        }
        let first = self.order.alike(now).into_iter().find(|other| !self.taken.contains(other)).unwrap_or(now);
        let whose = self.exchanged.iter().find(|(_, to)| **to == first).map_or(first, |(of, _)| *of);
        self.exchanged.insert(card, first);
        self.exchanged.insert(whose, if whose == card { first } else { now });
        self.taken.push(first);
        first
    }

    fn image(&self, card: u16) -> u16 {
        self.exchanged.get(&card).copied().unwrap_or(card)
    }
}

fn cards_of(zone: &ZoneView) -> &[CardView] {
    match &zone.content {
        Content::Cards(cards) => cards,
        _ => &[],
    }
}
