//! Evaluates selections of cards, as sets or in order.

use super::Eval;
use crate::cardset::CardSet;
use crate::frame::List;
use crate::instance::NO_LIST;
use crate::instance::expr::{BestFollowing, Set};
use baize_rules::program::{AttrId, NONE, NONE_VALUE};

impl<'a, S: CardSet> Eval<'a, S> {
    /// Returns a selection as a set. Most selections are whole zones, which need no call.
    #[inline(always)]
    pub fn set(self, set: &Set<S>) -> S {
        match set {
            Set::Zone(spot) => self.frame.sets[self.spot(spot)].clone(),
            set => self.compound_set(set),
        }
    }

    fn compound_set(self, set: &Set<S>) -> S {
        match set {
            Set::Fixed(set) => set.clone(),
            Set::Zone(spot) => {
                let zone = self.spot(spot);
                self.frame.sets[zone].clone()
            }
            Set::Family { base, len } => {
                let sets = &self.frame.sets[*base as usize..(*base + *len) as usize];
                self.at.spend(*len as i64);
                sets.iter().fold(S::empty(), |all, set| all.or(set))
            }
            Set::Picked(at) => S::from_cards(self.frame.picked[*at as usize].iter().copied()),
            Set::PickedOf { base, seat } => {
                let seat = self.num(seat);
                S::from_cards(self.picked_of(*base, seat).iter().copied())
            }
            Set::Bound(reg) => S::from_cards(self.at.pick(*reg)),
            Set::One(card) => {
                let card = self.num(card);
                if self.instance().cards.all.has(card) { S::single(card as u16) } else { S::empty() }
            }
            Set::Where(both) => {
                let within = self.set(&both.0);
                self.restrict(&both.1, within)
            }
            Set::Union(ab) => {
                let a = self.set(&ab[0]);
                a.or(&self.set(&ab[1]))
            }
            Set::Minus(ab) => {
                let a = self.set(&ab[0]);
                a.andnot(&self.set(&ab[1]))
            }
            Set::Ends { .. } | Set::SetsOf { .. } => S::from_cards(self.ordered(set)),
        }
    }

    /// Returns the cards of a selection in the order of their zone, or in the order in which they were picked.
    pub fn ordered(self, set: &Set<S>) -> List {
        let list: List = match set {
            Set::Fixed(set) => set.iter().collect(),
            Set::Zone(spot) => {
                let zone = self.spot(spot);
                self.instance().in_order(self.frame, zone)
            }
            Set::Family { base, len } => {
                let mut all = List::new();
                for zone in *base..*base + *len {
                    all.extend_from_slice(&self.instance().in_order(self.frame, zone as usize));
                }
                all
            }
            Set::Picked(at) => self.frame.picked[*at as usize].clone(),
            Set::PickedOf { base, seat } => {
                let seat = self.num(seat);
                List::from_slice(self.picked_of(*base, seat))
            }
            Set::Bound(reg) => self.at.pick(*reg),
            Set::One(_) => self.set(set).iter().collect(),
            Set::Where(both) => {
                let mut list = self.ordered(&both.0);
                let keep = self.restrict(&both.1, S::from_cards(list.iter().copied()));
                list.retain(|card| keep.contains(*card));
                list
            }
            Set::Union(ab) => {
                let mut list = self.ordered(&ab[0]);
                let first = S::from_cards(list.iter().copied());
                list.extend(self.ordered(&ab[1]).into_iter().filter(|card| !first.contains(*card)));
                list
            }
            Set::Minus(ab) => {
                let mut list = self.ordered(&ab[0]);
                let without = self.set(&ab[1]);
                list.retain(|card| !without.contains(*card));
                list
            }
            Set::Ends { last, of } => {
                let list = self.ordered(&of.0);
                let count = (self.num(&of.1).max(0) as usize).min(list.len());
                List::from_slice(if *last { &list[list.len() - count..] } else { &list[..count] })
            }
            Set::SetsOf { attr, of } => {
                let cards = self.set(&of.0);
                let size = self.num(&of.1);
                self.groups(cards, *attr, size)
            }
        };
        self.at.spend(list.len() as i64 / 8);
        list
    }

    fn picked_of(self, base: u32, seat: i32) -> &'a [u16] {
        if (0..self.instance().seats as i32).contains(&seat) {
            &self.frame.picked[base as usize + seat as usize]
        } else {
            &[]
        }
    }

    /// Returns the instance and the cards of a selection, if all of them lie in one instance without order.
    #[inline]
    pub fn out_of_zone(self, set: &Set<S>) -> Option<(usize, S)> {
        let Set::Where(both) = set else { return None };
        let Set::Zone(spot) = &both.0 else { return None };
        let zone = self.spot(spot);
        if self.list_of(zone).is_some() {
            return None;
        }
        Some((zone, self.restrict(&both.1, self.frame.sets[zone].clone())))
    }

    /// Returns as many disjoint groups of `size` equal cards as there are, group by group, the lowest card numbers first.
    #[inline(never)]
    fn groups(self, cards: S, attr: AttrId, size: i32) -> List {
        let size = size.max(0) as usize;
        if size == 0 || !cards.at_least(size) {
            return List::new();
        }
        let mut groups = List::new();
        if let Some(table) = self.instance().cards.attrs.get(attr as usize)
            && !table.equal.is_empty()
        {
            for alike in &table.equal {
                let alike = cards.and(alike);
                // Usually there are too few cards for a group.
                if alike.at_least(size) {
                    groups.extend(alike.iter().take(alike.len() / size * size));
                }
            }
            return groups;
        }
        let value = |card: &u16| self.instance().cards.attr(attr, *card as i32);
        let mut sorted: List = cards.iter().filter(|card| value(card) != NONE_VALUE).collect();
        sorted.sort_by_key(|card| (value(card), *card));
        for alike in sorted.chunk_by(|a, b| value(a) == value(b)) {
            let whole = alike.len() / size * size;
            groups.extend_from_slice(&alike[..whole]);
        }
        groups
    }

    /// Returns the first or last card of a selection.
    #[inline(never)]
    pub(super) fn end(self, of: &Set<S>, last: bool) -> i32 {
        let pick = |list: &[u16]| if last { list.last().copied() } else { list.first().copied() };
        let card = match of {
            Set::Zone(spot) => {
                let zone = self.spot(spot);
                match self.list_of(zone) {
                    Some(list) => pick(list),
                    None if last => self.frame.sets[zone].last(),
                    None => self.frame.sets[zone].first(),
                }
            }
            Set::Fixed(set) => {
                if last {
                    set.last()
                } else {
                    set.first()
                }
            }
            of => pick(&self.ordered(of)),
        };
        card.map_or(NONE, |card| card as i32)
    }

    /// Returns the highest or lowest card by an attribute; of equal cards the earliest.
    #[inline(never)]
    pub(crate) fn best(self, of: &Set<S>, by: AttrId, highest: bool) -> i32 {
        let Some(table) = self.instance().cards.attrs.get(by as usize) else { return NONE };
        let (mut best, mut most) = (NONE, i64::MIN);
        let mut consider = |card: u16| {
            let value = i64::from(table.value(i32::from(card)));
            let value = if highest { value } else { -value };
            if value > most {
                (best, most) = (i32::from(card), value);
            }
        };
        // In a zone without order the earliest card is the one with the lowest number.
        match of {
            Set::Zone(spot) => {
                let zone = self.spot(spot);
                match self.list_of(zone) {
                    Some(list) => list.iter().for_each(|card| consider(*card)),
                    None => self.frame.sets[zone].iter().for_each(consider),
                }
            }
            Set::Where(both) if let Set::Zone(spot) = &both.0 => {
                let zone = self.spot(spot);
                let cards = self.restrict(&both.1, self.frame.sets[zone].clone());
                match self.list_of(zone) {
                    Some(list) => list.iter().filter(|card| cards.contains(**card)).for_each(|card| consider(*card)),
                    None => cards.iter().for_each(consider),
                }
            }
            Set::Where(_) | Set::Fixed(_) => self.set(of).iter().for_each(consider),
            _ => self.ordered(of).into_iter().for_each(consider),
        }
        best
    }

    #[inline(always)]
    pub(crate) fn best_following(self, best: &BestFollowing<S>) -> i32 {
        let mut cards = self.follow(&best.follow, self.frame.sets[best.zone as usize].clone());
        while let Some(card) = if best.last { cards.last() } else { cards.first() } {
            if !best.brought || self.brought(card) {
                return i32::from(card);
            }
            cards.remove(card);
        }
        NONE
    }

    /// Returns the order of an instance that keeps one.
    #[inline]
    pub(crate) fn list_of(self, zone: usize) -> Option<&'a [u16]> {
        match self.instance().layout.instances.get(zone) {
            Some(at) if at.list != NO_LIST => Some(&self.frame.lists[at.list as usize]),
            _ => None,
        }
    }
}
