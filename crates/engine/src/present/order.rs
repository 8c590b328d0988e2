//! The order in which a view shows its cards, for lists that are made of them.

use super::Handles;
use crate::view::{CardView, Content, Handle, ZoneView};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Handles by their place in a view.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    handles: &'a Handles,
    zones: &'a [ZoneView],
    /// Where each is shown: the number of cards shown before it, over all zones. In the order of the handles; made when first asked for.
    ranks: OnceCell<Vec<(Handle, u32)>>,
}

/// So many are put in order by going through the view once more for each.
const FEW: usize = 32;

impl<'a> Order<'a> {
    pub fn new(handles: &'a Handles, zones: &'a [ZoneView]) -> Self {
        Self { handles, zones, ranks: OnceCell::new() }
    }

    pub fn handle(&self, card: u16) -> Option<Handle> {
        self.handles.get(card)
    }

    pub fn rank_of(&self, handle: Handle) -> u32 {
        let ranks = self.ranks.get_or_init(|| {
            let mut ranks: Vec<(Handle, u32)> = self.shown().zip(0..).collect();
            ranks.sort_unstable();
            ranks
        });
        ranks.binary_search_by_key(&handle, |(handle, _)| *handle).map_or(u32::MAX, |at| ranks[at].1)
    }

    pub fn rank(&self, card: u16) -> u32 {
        self.handle(card).map_or(u32::MAX, |handle| self.rank_of(handle))
    }

    /// Of these cards those in sight, as they are shown.
    pub fn handles(&self, cards: impl Iterator<Item = u16>) -> Vec<Handle> {
        let mut handles = Vec::with_capacity(cards.size_hint().0);
        handles.extend(cards.filter_map(|card| self.handle(card)));
        self.sort(&mut handles, |handle| *handle);
        handles
    }

    /// Puts what belongs to cards in the order in which these are shown.
    pub fn sort<T>(&self, things: &mut [T], handle: impl Fn(&T) -> Handle) {
        if things.len() > FEW {
            return things.sort_by_key(|thing| self.rank_of(handle(thing)));
        }
        let mut done = 0;
        for shown in self.shown() {
            if done == things.len() {
                break;
            }
            if let Some(at) = things[done..].iter().position(|thing| handle(thing) == shown) {
                things.swap(done, done + at);
                done += 1;
            }
        }
    }

    fn shown(&self) -> impl Iterator<Item = Handle> {
        self.zones.iter().flat_map(cards_of).map(|card| card.handle)
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
