//! Sorts cards, and lists of cards, into the order in which a view shows them.

use super::Handles;
use crate::view::{CardView, Content, Handle, ZoneView};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The position of each handle in a view.
#[derive(Debug)]
pub(crate) struct DisplayOrder<'a> {
    handles: &'a Handles,
    zones: &'a [ZoneView],
    /// For each handle the number of cards that the view shows before it, over all zones. Sorted by handle; computed when first needed.
    ranks: OnceCell<Vec<(Handle, u32)>>,
}

/// Up to this many cards are sorted without the table of positions: each lookup goes through the view.
const FEW: usize = 32;

impl<'a> DisplayOrder<'a> {
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

    /// Returns the handles of those cards that are in sight, in the order of the view.
    pub fn handles(&self, cards: impl Iterator<Item = u16>) -> Vec<Handle> {
        let mut handles = Vec::with_capacity(cards.size_hint().0);
        handles.extend(cards.filter_map(|card| self.handle(card)));
        self.sort(&mut handles, |handle| *handle);
        handles
    }

    /// Sorts items that belong to cards into the order of the view.
    pub fn sort<T>(&self, items: &mut [T], handle: impl Fn(&T) -> Handle) {
        if items.len() > FEW {
            return items.sort_by_key(|item| self.rank_of(handle(item)));
        }
        let mut done = 0;
        for shown in self.shown() {
            if done == items.len() {
                break;
            }
            if let Some(at) = items[done..].iter().position(|item| handle(item) == shown) {
                items.swap(done, done + at);
                done += 1;
            }
        }
    }

    fn shown(&self) -> impl Iterator<Item = Handle> {
        self.zones.iter().flat_map(cards_of).map(|card| card.handle)
    }

    /// Returns the handles of a set of cards, each card replaced by its representative among those that are offered.
    pub fn represent(&self, cards: &[u16], is_offered: impl Fn(u16) -> bool) -> Vec<Handle> {
        let mut representatives = Representatives::new(self);
        cards.iter().filter_map(|card| self.handle(representatives.of_set(*card, &is_offered))).collect()
    }

    /// Returns the cards of the same zone that look like this one, in the order of the view.
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

/// Replaces the cards of one answer by representatives: of equal cards in one zone always the first offered ones in the view. The rules
/// name a card by its hidden number, which must not show. A replaced card stays replaced for all parts of the answer, so that a later part
/// does not offer it again. A part may offer only some of several equal cards, such as the last two of a zone, so each part says which.
#[derive(Debug)]
pub(crate) struct Representatives<'a> {
    order: &'a DisplayOrder<'a>,
    /// Pairs of the rules' card and its representative.
    exchanged: BTreeMap<u16, u16>,
    taken: Vec<u16>,
}

impl<'a> Representatives<'a> {
    pub fn new(order: &'a DisplayOrder<'a>) -> Self {
        Self { order, exchanged: BTreeMap::new(), taken: Vec::new() }
    }

    /// Returns the representative of a card that the player touches. The player can touch any of several equal cards, so the card
    /// represents itself unless it was replaced by a card that is offered too.
    pub fn of_card(&mut self, card: u16, is_offered: impl Fn(u16) -> bool) -> u16 {
        let now = self.image(card);
        let representative = if is_offered(now) { now } else { self.first_alike(now, is_offered) };
        self.taken.push(representative);
        representative
    }

    /// Returns the representative of a card of a listed set.
    pub fn of_set(&mut self, card: u16, is_offered: impl Fn(u16) -> bool) -> u16 {
        let now = self.image(card);
        if self.taken.contains(&now) {
            return now;
        }
        let first = self.first_alike(now, is_offered);
        let whose = self.exchanged.iter().find(|(_, to)| **to == first).map_or(first, |(of, _)| *of);
        self.exchanged.insert(card, first);
        self.exchanged.insert(whose, if whose == card { first } else { now });
        self.taken.push(first);
        first
    }

    /// Returns the first equal card that is offered and not taken; the card itself if there is none.
    fn first_alike(&self, card: u16, is_offered: impl Fn(u16) -> bool) -> u16 {
        let fits = |other: &u16| !self.taken.contains(other) && is_offered(*other);
        self.order.alike(card).into_iter().find(fits).unwrap_or(card)
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
