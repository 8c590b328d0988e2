//! Moves cards between zones: the instructions `move`, `draw`, `deal`, `pass`, `gather` and `turn`.
//!
//! Functions whose name ends in `unseen` are fast paths that tell no sink; the interpreter and compiled instructions share them.

use super::Interpreter;
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::eval::{Eval, Registers};
use crate::frame::{Frame, List, Pile, seats_of};
use crate::instance::NO_LIST;
use crate::instance::code::{Bringer, Deal, Pass};
use crate::sink::{NOWHERE, RawEvent, Sink};
use baize_rules::program::{DeckId, ZoneId};

#[inline]
fn brought_by<S: CardSet>(eval: Eval<S>, by: &Bringer<S>) -> Option<i8> {
    match by {
        Bringer::Seat(seat) if !eval.frame.by.is_empty() => Some(eval.num(seat) as i8),
        _ => None,
    }
}

/// The zone instance that a card goes to, and what the instance keeps of it: an order, and who brought the card.
#[derive(Clone, Copy)]
pub(crate) struct ZoneTarget {
    pub zone: usize,
    pub list: u32,
    pub remembers: bool,
}

/// Moves a card out of an instance without order into one that has room, while no card lies face down. Returns false and changes nothing if
/// the move is not that simple, or if the order of the target needs more memory.
#[inline(always)]
pub(crate) fn move_one_unseen<S: CardSet>(
    frame: &mut Frame<S>,
    card: i32,
    from: usize,
    to: ZoneTarget,
    by: i8,
) -> bool {
    if !frame.face_down.is_empty() || !frame.sets[from].has(card) {
        return false;
    }
    let card = card as u16;
    if to.list != NO_LIST {
        let list = &mut frame.lists[to.list as usize];
        if list.len() == list.capacity() {
            return false;
        }
        list.push(card);
    }
    frame.sets[from].remove(card);
    frame.sets[to.zone].insert(card);
    if let Some(remembered) = frame.by.get_mut(card as usize) {
        *remembered = if to.remembers { by } else { -1 };
    }
    true
}

/// Moves all cards of an instance to another one by joining the sets.
#[inline(always)]
pub(crate) fn move_all_unseen<S: CardSet>(
    frame: &mut Frame<S>,
    at: &Registers<S>,
    from: usize,
    to: usize,
    by: &Bringer<S>,
) {
    let cards = std::mem::take(&mut frame.sets[from]);
    if !cards.is_empty() {
        join(frame, at, cards, from, to, false, by);
    }
}

/// Draws the top cards of an ordered instance into one that has room and does not remember players, while no card lies face down. Returns
/// false and changes nothing if the draw is not that simple.
#[inline(always)]
pub(crate) fn draw_unseen<S: CardSet>(
    frame: &mut Frame<S>,
    at: &Registers<S>,
    count: i32,
    from: usize,
    to: usize,
) -> bool {
    if from == to || !frame.face_down.is_empty() {
        return false;
    }
    let instances = &at.instance().layout.instances;
    let (source, target) = (instances[from].list, instances[to].list);
    for _ in 0..count.max(0) {
        let Some(card) = frame.lists[source as usize].pop() else { break };
        frame.sets[from].remove(card);
        frame.sets[to].insert(card);
        if target != NO_LIST {
            frame.lists[target as usize].push(card);
        }
        if let Some(remembered) = frame.by.get_mut(card as usize) {
            *remembered = -1;
        }
    }
    true
}

/// Adds cards that have left one instance to another.
fn join<S: CardSet>(
    frame: &mut Frame<S>,
    at: &Registers<S>,
    cards: S,
    from: usize,
    to: usize,
    face_down: bool,
    by: &Bringer<S>,
) {
    at.spend(cards.len() as i64);
    frame.sets[to] = frame.sets[to].or(&cards);
    let instances = &at.instance().layout.instances;
    let (source, target) = (&instances[from], &instances[to]);
    if target.list != NO_LIST {
        if source.list != NO_LIST {
            let mut moved = std::mem::take(&mut frame.lists[source.list as usize]);
            frame.lists[target.list as usize].append(&mut moved);
            // `append` has emptied the list. Putting it back keeps its capacity for the next cards.
            frame.lists[source.list as usize] = moved;
        } else {
            frame.lists[target.list as usize].extend(cards.iter());
        }
    } else if source.list != NO_LIST {
        frame.lists[source.list as usize].clear();
    }
    if !frame.by.is_empty() {
        let by = match target.remembers {
            false => Some(-1),
            true => match brought_by(Eval { frame, at }, by) {
                None if source.owner < 0 && at.instance().remembers_openly(from) => None,
                seat => Some(seat.unwrap_or(source.owner)),
            },
        };
        if let Some(by) = by {
            for card in cards.iter() {
                frame.by[card as usize] = by;
            }
        }
    }
    if face_down {
        frame.face_down = frame.face_down.or(&cards);
    } else if !frame.face_down.is_empty() {
        frame.face_down = frame.face_down.andnot(&cards);
    }
}

impl<S: CardSet, C: Chance, K: Sink<S>> Interpreter<'_, S, C, K> {
    #[inline]
    pub(super) fn list_mut(&mut self, zone: usize) -> Option<&mut Pile> {
        match self.instance.layout.instances.get(zone) {
            Some(place) if place.list != NO_LIST => Some(&mut self.frame.lists[place.list as usize]),
            _ => None,
        }
    }

    /// Returns the number of cards that still fit into an instance.
    #[inline(always)]
    fn room(&self, zone: usize) -> usize {
        match self.instance.layout.instances.get(zone) {
            Some(place) if !place.bounded => usize::MAX,
            Some(place) => self.bounded_room(zone, place.zone),
            None => 0,
        }
    }

    #[inline(never)]
    fn bounded_room(&self, zone: usize, id: ZoneId) -> usize {
        match &self.instance.code.capacities[id as usize] {
            Some(most) => (self.num(most).max(0) as usize).saturating_sub(self.frame.sets[zone].len()),
            None => usize::MAX,
        }
    }

    /// Returns the seat that zones remember for the cards of an instruction; `None` means the owner of the zone they come from.
    #[inline]
    fn brought_by(&self, by: &Bringer<S>) -> Option<i8> {
        brought_by(self.eval(), by)
    }

    /// Takes a card out of its instance and puts it on top of another. The caller has made sure that there is room.
    #[inline]
    fn place(&mut self, card: u16, from: Option<usize>, to: usize, face_down: bool, by: Option<i8>) {
        self.at.spend(1);
        let mut owner = -1;
        let mut open = false;
        if let Some(from) = from {
            self.frame.sets[from].remove(card);
            let place = &self.instance.layout.instances[from];
            owner = place.owner;
            open = owner < 0 && self.instance.remembers_openly(from);
            if place.list != NO_LIST {
                let list = &mut self.frame.lists[place.list as usize];
                // Usually the card is the top one.
                if let Some(at) = list.iter().rposition(|c| *c == card) {
                    list.remove(at);
                }
            }
        }
        let place = &self.instance.layout.instances[to];
        self.frame.sets[to].insert(card);
        if place.list != NO_LIST {
            self.frame.lists[place.list as usize].push(card);
        }
        if let Some(remembered) = self.frame.by.get_mut(card as usize) {
            // A card from a zone that has no owner and remembers openly keeps its player.
            *remembered = match by {
                _ if !place.remembers => -1,
                Some(seat) => seat,
                None if open => *remembered,
                None => owner,
            };
        }
        if face_down {
            self.frame.face_down.insert(card);
        } else if !self.frame.face_down.is_empty() {
            self.frame.face_down.remove(card);
        }
        self.tell(|| RawEvent::CardMoved { card, from: from.map_or(NOWHERE, |z| z as u16), to: to as u16, face_down });
    }

    pub(super) fn move_one(&mut self, card: i32, likely: usize, to: usize, face_down: bool, by: &Bringer<S>) {
        let from = if self.frame.sets[likely].has(card) {
            Some(likely)
        } else if self.instance.cards.all.has(card) {
            self.frame.locate(card as u16)
        } else {
            return;
        };
        let card = card as u16;
        if from != Some(to) && self.room(to) == 0 {
            return;
        }
        let by = self.brought_by(by);
        self.place(card, from, to, face_down, by);
    }

    pub(super) fn move_list(&mut self, list: &[u16], to: usize, face_down: bool, by: &Bringer<S>) {
        let by = self.brought_by(by);
        for &card in list {
            let from = self.frame.locate(card);
            if self.at.spent() || (from != Some(to) && self.room(to) == 0) {
                break;
            }
            self.place(card, from, to, face_down, by);
        }
    }

    /// Moves all cards of an instance. Without an active sink it joins whole sets.
    pub(super) fn move_all(&mut self, from: usize, to: usize, face_down: bool, by: &Bringer<S>) {
        let count = self.frame.sets[from].len();
        if count == 0 {
            return;
        }
        let room = self.room(to);
        if K::ACTIVE || from == to || room < count {
            let list = self.instance.in_order(self.frame, from);
            if room > 0 {
                self.move_list(&list, to, face_down, by);
            }
            return;
        }
        let cards = std::mem::take(&mut self.frame.sets[from]);
        join(self.frame, &self.at, cards, from, to, face_down, by);
    }

    /// Moves some cards of an instance without order; only without an active sink.
    pub(super) fn move_some(&mut self, from: usize, cards: S, to: usize, face_down: bool, by: &Bringer<S>) {
        let count = cards.len();
        if count == 0 {
            return;
        }
        let room = self.room(to);
        if from == to || room < count {
            let list: List = cards.iter().collect();
            self.move_list(&list, to, face_down, by);
            return;
        }
        self.frame.sets[from] = self.frame.sets[from].andnot(&cards);
        join(self.frame, &self.at, cards, from, to, face_down, by);
    }

    /// Returns the top card: the last one of an order, or the one with the lowest number.
    #[inline]
    fn top(&self, zone: usize) -> Option<u16> {
        match self.instance.layout.instances.get(zone) {
            Some(place) if place.list != NO_LIST => self.frame.lists[place.list as usize].last().copied(),
            _ => self.frame.sets[zone].first(),
        }
    }

    pub(super) fn draw(&mut self, count: i32, from: usize, to: usize, face_down: bool, by: &Bringer<S>) {
        if from == to {
            return;
        }
        let by = self.brought_by(by);
        for _ in 0..count.max(0) {
            let Some(card) = self.top(from) else { break };
            if self.at.spent() || self.room(to) == 0 {
                break;
            }
            self.place(card, Some(from), to, face_down, by);
        }
    }

    pub(super) fn deal(&mut self, deal: &Deal<S>) {
        let Some(family) = self.instance.layout.zones.get(deal.to as usize) else { return };
        let Some(dim) = family.dims.first().filter(|d| d.player) else { return };
        let from = self.eval().spot(&deal.from);
        let start = self.num(&deal.start).max(0) as u32 % self.instance.seats as u32;
        let members = self.eval().members(&deal.seats);
        let each = deal.each.as_ref().map_or(i32::MAX, |each| self.num(each));
        let by = self.brought_by(&deal.by);
        // Members from the starting seat on, then those before it.
        let later = members & (u32::MAX << start);
        let hands: smallvec::SmallVec<[usize; 16]> = seats_of(later)
            .chain(seats_of(members & !later))
            .map(|seat| (family.base + seat as u32 * dim.stride) as usize)
            .filter(|zone| *zone != from)
            .collect();
        if !K::ACTIVE && self.deal_unseen(from, &hands, each.max(0) as usize) {
            return;
        }
        for _ in 0..each.max(0) {
            let mut dealt = false;
            for &to in &hands {
                let Some(card) = self.top(from) else { return };
                if self.at.spent() {
                    return;
                }
                if self.room(to) > 0 {
                    self.place(card, Some(from), to, false, by);
                    dealt = true;
                }
            }
            if !dealt {
                break;
            }
        }
    }

    /// Passes hands on: all seats pick up their cards before any seat lays cards down.
    pub(super) fn pass(&mut self, pass: &Pass<S>) {
        let Some(family) = self.instance.layout.zones.get(pass.zone as usize) else { return };
        let Some(stride) = family.dims.first().filter(|dim| dim.player).map(|dim| dim.stride) else { return };
        let place = |seat: i32| (family.base + seat as u32 * stride) as usize;
        let mut passed: Vec<(usize, List, usize)> = Vec::new();
        for seat in seats_of(self.frame.playing) {
            self.at.spend(1);
            self.at.set(pass.giver, i32::from(seat));
            let to = self.num(&pass.to);
            if (0..self.instance.seats as i32).contains(&to) && to != i32::from(seat) {
                let from = place(i32::from(seat));
                passed.push((from, self.instance.in_order(self.frame, from), place(to)));
            }
        }
        // Passed cards make room for those that come.
        let leaving =
            |zone: usize| passed.iter().find(|(from, ..)| *from == zone).map_or(0, |(_, cards, _)| cards.len());
        let room = |zone: usize| self.room(zone).saturating_add(leaving(zone));
        let mut rooms: Vec<(usize, usize)> = passed.iter().map(|(_, _, to)| (*to, room(*to))).collect();
        for (from, cards, to) in &passed {
            // An active sink is told of one move after the other.
            if K::ACTIVE {
                self.sink.next_op();
            }
            for card in cards {
                let Some((_, room)) = rooms.iter_mut().find(|(zone, _)| zone == to) else { break };
                if self.at.spent() || *room == 0 {
                    break;
                }
                *room -= 1;
                self.place(*card, Some(*from), *to, false, None);
            }
        }
    }

    /// Deals the top cards of a pile to hands that keep neither an order nor players. Returns false and changes nothing if the deal is not that
    /// simple.
    fn deal_unseen(&mut self, from: usize, hands: &[usize], each: usize) -> bool {
        let instances = &self.instance.layout.instances;
        let simple = |zone: &usize| {
            let place = &instances[*zone];
            place.list == NO_LIST && !place.bounded && !place.remembers
        };
        let Some(source) = instances.get(from) else { return false };
        if source.list == NO_LIST || source.remembers || !self.frame.face_down.is_empty() || !hands.iter().all(simple) {
            return false;
        }
        let list = &mut self.frame.lists[source.list as usize];
        let left = list.len().saturating_sub(hands.len().saturating_mul(each));
        let mut dealt = S::empty();
        for (nth, hand) in hands.iter().enumerate() {
            let cards = S::from_cards(list[left..].iter().rev().skip(nth).step_by(hands.len()).copied());
            self.frame.sets[*hand] = self.frame.sets[*hand].or(&cards);
            dealt = dealt.or(&cards);
        }
        self.frame.sets[from] = self.frame.sets[from].andnot(&dealt);
        self.at.spend((list.len() - left) as i64);
        list.truncate(left);
        true
    }

    pub(super) fn gather(&mut self, deck: DeckId, to: usize) {
        let Some(cards) = self.instance.cards.decks.get(deck as usize) else { return };
        if to >= self.instance.zones() {
            return;
        }
        self.at.spend(cards.len() as i64);
        let mut sources: Vec<(u16, u16)> = Vec::new();
        for zone in 0..self.instance.zones() {
            let here = self.frame.sets[zone].and(cards);
            if here.is_empty() {
                continue;
            }
            if K::ACTIVE {
                sources.extend(here.iter().map(|card| (card, zone as u16)));
            }
            self.frame.sets[zone] = self.frame.sets[zone].andnot(&here);
            if let Some(list) = self.list_mut(zone) {
                if here.len() == list.len() {
                    list.clear();
                } else {
                    list.retain(|card| !here.contains(*card));
                }
            }
        }
        self.frame.sets[to] = self.frame.sets[to].or(cards);
        let count = cards.len();
        if let Some(list) = self.list_mut(to) {
            // Usually there is one deck, and the numbers of its cards begin at 0.
            if *cards == S::below(count) {
                list.extend(0..count as u16);
            } else {
                list.extend(cards.iter());
            }
        }
        self.frame.face_down = self.frame.face_down.andnot(cards);
        if self.frame.by.len() == count {
            self.frame.by.fill(-1);
        } else if !self.frame.by.is_empty() {
            for card in cards.iter() {
                self.frame.by[card as usize] = -1;
            }
        }
        // Gathering wipes off what was written on cards.
        if let Some(texts) = &mut self.frame.texts {
            texts.written.retain(|(card, _)| !cards.contains(*card));
        }
        if K::ACTIVE {
            sources.sort_unstable();
            for card in cards.iter() {
                let from = sources.binary_search_by_key(&card, |s| s.0).map_or(NOWHERE, |at| sources[at].1);
                self.tell(|| RawEvent::CardMoved { card, from, to: to as u16, face_down: false });
            }
        }
    }

    pub(super) fn turn(&mut self, cards: &S, down: bool) {
        let turned = if down { cards.andnot(&self.frame.face_down) } else { cards.and(&self.frame.face_down) };
        self.at.spend(turned.len() as i64);
        if down {
            self.frame.face_down = self.frame.face_down.or(&turned);
        } else {
            self.frame.face_down = self.frame.face_down.andnot(&turned);
        }
        if K::ACTIVE {
            for card in turned.iter() {
                self.tell(|| RawEvent::Turned { card, down });
            }
        }
    }
}
