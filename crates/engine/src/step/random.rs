//! Instructions that use chance: shuffles, rolls, random seats and cards, mixed piles.

use super::Interpreter;
use crate::cardset::CardSet;
use crate::chance::Chance;
use crate::frame::seats_of;
use crate::instance::NO_LIST;
use crate::instance::code::Roll;
use crate::sink::{RawEvent, Sink};
use baize_rules::program::{NONE, VarKind, ZoneId};
use smallvec::SmallVec;

impl<S: CardSet, C: Chance, K: Sink<S>> Interpreter<'_, S, C, K> {
    /// Begins a new use of chance. Each use has a key of its own, so that a replay can recompute it by itself.
    #[inline]
    pub(super) fn begin_chance(&mut self) {
        self.chance.begin(self.frame.chance);
        self.frame.chance += 1;
    }

    pub(super) fn shuffle(&mut self, zone: usize) {
        let Some(place) = self.instance.layout.instances.get(zone) else { return };
        if place.list == NO_LIST {
            return;
        }
        self.begin_chance();
        let list = &mut self.frame.lists[place.list as usize];
        self.at.spend(list.len() as i64);
        self.chance.shuffle(list);
        self.tell(|| RawEvent::Shuffled { zone: zone as u16 });
    }

    pub(super) fn random_seat(&mut self, seats: u32) -> i32 {
        self.begin_chance();
        let n = seats.count_ones();
        if n == 0 {
            return NONE;
        }
        let at = self.chance.below(n) as usize;
        seats_of(seats).nth(at).map_or(NONE, |seat| seat as i32)
    }

    pub(super) fn random_card(&mut self, cards: &S) -> i32 {
        self.begin_chance();
        let n = cards.len();
        if n == 0 {
            return NONE;
        }
        let at = self.chance.below(n as u32) as usize;
        cards.nth(at).map_or(NONE, |card| card as i32)
    }

    /// Rolls dice. The compiler must not inline it: inside the interpreter's loop it made all games a sixth slower.
    #[inline(never)]
    pub(super) fn roll(&mut self, roll: &Roll<S>) {
        let Some(layout) = self.instance.layout.vars.get(roll.dice as usize) else { return };
        let Some(VarKind::Dice { low, high, .. }) = self.instance.program.vars.get(roll.dice as usize).map(|v| &v.kind)
        else {
            return;
        };
        let faces = (*high as i64 - *low as i64 + 1).clamp(1, u32::MAX as i64) as u32;
        // The usual case in searches: no active sink, one die.
        if !K::ACTIVE
            && let Some(one) = &roll.one
        {
            if let Some(cell) = self.eval().cell(one) {
                self.begin_chance();
                self.frame.cells[cell] = low.saturating_add(self.chance.below(faces) as i32);
                self.at.spend(1);
            }
            return;
        }
        let (mut first, mut len) = (layout.base, layout.len);
        for (dim, index) in layout.dims.iter().zip(&roll.index) {
            let n = self.num(index).wrapping_sub(dim.low) as u32;
            if n >= dim.size {
                return;
            }
            first += n * dim.stride;
            len = dim.stride;
        }
        if !roll.clear {
            self.begin_chance();
        }
        let mut rolled: SmallVec<[u32; 8]> = SmallVec::new();
        for cell in first..first + len {
            self.at.spend(1);
            if self.at.spent() {
                break;
            }
            let element = cell - layout.base;
            if let Some((regs, cond)) = &roll.cond {
                for (reg, dim) in regs.iter().zip(&layout.dims[roll.index.len()..]) {
                    self.at.set(*reg, dim.low + (element / dim.stride % dim.size) as i32);
                }
                if !cond.holds(self.eval()) {
                    continue;
                }
            }
            let face = if roll.clear { 0 } else { low.saturating_add(self.chance.below(faces) as i32) };
            self.frame.cells[cell as usize] = face;
            rolled.push(element);
        }
        if K::ACTIVE {
            for &element in &rolled {
                let value = self.frame.cells[(layout.base + element) as usize];
                self.tell(|| RawEvent::CellSet { var: roll.dice, element, value });
            }
            if !roll.clear {
                self.tell(|| RawEvent::Rolled { dice: roll.dice, elements: rolled });
            }
        }
    }

    /// Puts piles into random order, so that nobody can tell who brought which.
    pub(super) fn mix(&mut self, from: &[ZoneId], to: ZoneId) {
        let zones = &self.instance.layout.zones;
        let Some(target) = zones.get(to as usize) else { return };
        let mut piles: Vec<u16> = Vec::new();
        for zone in from.iter().filter(|z| **z != to).filter_map(|z| zones.get(*z as usize)) {
            let instances = zone.base..zone.base + zone.len;
            piles.extend(instances.filter(|z| !self.frame.sets[*z as usize].is_empty()).map(|z| z as u16));
        }
        piles.sort_unstable();
        piles.dedup();
        self.begin_chance();
        self.chance.shuffle(&mut piles);
        let free: Vec<u32> =
            (target.base..target.base + target.len).filter(|z| self.frame.sets[*z as usize].is_empty()).collect();
        let (mut emptied, mut filled) = (SmallVec::<[u16; 8]>::new(), SmallVec::<[(u16, u16); 8]>::new());
        for (pile, to) in piles.into_iter().zip(free) {
            let (from, to) = (pile as usize, to as usize);
            let list = self.instance.in_order(self.frame, from);
            self.at.spend(list.len() as i64);
            filled.push((to as u16, list.len() as u16));
            emptied.push(pile);
            let owner = self.instance.layout.instances[from].owner;
            for &card in &list {
                if let Some(by) = self.frame.by.get_mut(card as usize) {
                    *by = owner;
                }
            }
            self.frame.sets[to] = std::mem::take(&mut self.frame.sets[from]);
            if let Some(old) = self.list_mut(from) {
                old.clear();
            }
            if let Some(new) = self.list_mut(to) {
                new.clear();
                new.extend_from_slice(&list);
            }
        }
        emptied.sort_unstable();
        self.tell(|| RawEvent::Mixed { from: emptied, to: filled });
    }
}
