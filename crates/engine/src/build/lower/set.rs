//! Lowers selections, zones and variables: `Selection`, `ZoneRef`, `VarRef`.

use super::{Binding, Lower, SeatSource};
use crate::cardset::CardSet;
use crate::instance::code::Bringer;
use crate::instance::expr::{Cell, Expr, Set, Spot, Term, VariableTarget};
use crate::instance::layout::DimLayout;
use baize_rules::program::{Num, Selection, VarId, VarRef, ZoneRef};

impl<S: CardSet> Lower<'_, S> {
    pub fn set(&mut self, cards: &Selection) -> Set<S> {
        self.deeper(Set::Fixed(S::empty()), |lower| lower.set_here(cards))
    }

    fn set_here(&mut self, cards: &Selection) -> Set<S> {
        match cards {
            Selection::Zone(zone) => match self.spot(zone) {
                Spot::Nowhere => Set::Fixed(S::empty()),
                spot => Set::Zone(spot),
            },
            Selection::Family(zone) => match self.layout.zones.get(*zone as usize) {
                Some(layout) => Set::Family { base: layout.base, len: layout.len },
                None => Set::Fixed(S::empty()),
            },
            Selection::Deck(deck) => Set::Fixed(self.cards.decks.get(*deck as usize).cloned().unwrap_or_default()),
            Selection::Picked(var) => self.picked(*var),
            Selection::Bound(bound) => match self.lookup(*bound) {
                Some(Binding::Pick(reg)) => Set::Bound(reg),
                Some(Binding::Reg(reg)) => Set::One(Box::new(Expr::Reg(reg))),
                None => Set::Fixed(S::empty()),
            },
            Selection::One(card) => match self.num(card) {
                Expr::Const(card) if self.cards.all.has(card) => Set::Fixed(S::single(card as u16)),
                Expr::Const(_) => Set::Fixed(S::empty()),
                card => Set::One(Box::new(card)),
            },
            Selection::Where { of, bound, cond } => {
                let of = self.set(of);
                of.filtered(self.test(cond, *bound))
            }
            Selection::Union(a, b) => Set::Union(Box::new([self.set(a), self.set(b)])),
            Selection::Minus(a, b) => Set::Minus(Box::new([self.set(a), self.set(b)])),
            Selection::Ends { last, count, of } => {
                Set::Ends { last: *last, of: Box::new((self.set(of), self.num(count))) }
            }
            Selection::SetsOf { size, attr, of } => {
                Set::SetsOf { attr: *attr, of: Box::new((self.set(of), self.num(size))) }
            }
        }
    }

    fn picked(&mut self, var: VarId) -> Set<S> {
        let Some(layout) = self.layout.vars.get(var as usize) else { return Set::Fixed(S::empty()) };
        match (layout.picked, layout.seat_local) {
            (None, _) => Set::Fixed(S::empty()),
            (Some(first), false) => Set::Picked(first),
            (Some(base), true) => Set::PickedOf { base, seat: Box::new(self.me()) },
        }
    }

    /// Lowers a reference to a zone instance.
    pub fn spot(&mut self, zone: &ZoneRef) -> Spot<S> {
        let Some(layout) = self.layout.zones.get(zone.zone as usize) else { return Spot::Nowhere };
        let (base, len, dims) = (layout.base, layout.len, layout.dims.clone());
        if len == 0 {
            return Spot::Nowhere;
        }
        let index = zone.index.iter().map(|i| self.num(i)).collect();
        let Some((base, mut terms)) = place(base, &dims, index) else { return Spot::Nowhere };
        if terms.is_empty() {
            return Spot::At(base);
        }
        match single(&mut terms) {
            Some(Term { low, size, value, .. }) => Spot::By { base, low, size, index: Box::new(value) },
            None => Spot::Grid { base, index: terms.into() },
        }
    }

    /// Lowers a reference to a variable; a local variable of a seat is that of `Me`.
    pub fn cell(&mut self, var: VarId, index: &[Num]) -> Cell<S> {
        let Some(layout) = self.layout.vars.get(var as usize) else { return Cell::Nowhere };
        let (base, len, seat_local, mut dims) = (layout.base, layout.len, layout.seat_local, layout.dims.clone());
        if len == 0 {
            return Cell::Nowhere;
        }
        let mut index: Vec<Expr<S>> = index.iter().map(|i| self.num(i)).collect();
        if seat_local {
            let seats = self.known.seats as u32;
            dims.insert(0, DimLayout { low: 0, size: seats, stride: len / seats, player: true });
            index.insert(0, self.me());
        }
        let Some((base, mut terms)) = place(base, &dims, index) else { return Cell::Nowhere };
        if terms.is_empty() {
            return Cell::At(base);
        }
        match single(&mut terms) {
            Some(Term { low, size, value, .. }) => Cell::By { base, low, size, index: Box::new(value) },
            None => Cell::Grid { base, index: terms.into() },
        }
    }

    pub fn target(&mut self, place: &VarRef) -> VariableTarget<S> {
        let cell = self.cell(place.var, &place.index);
        match self.layout.vars.get(place.var as usize) {
            Some(layout) => {
                VariableTarget { cell, var: place.var, low: layout.low, high: layout.high, shown: layout.shown }
            }
            None => VariableTarget { cell: Cell::Nowhere, var: place.var, low: 0, high: 0, shown: false },
        }
    }

    pub fn variable(&mut self, var: VarId) -> VariableTarget<S> {
        self.target(&VarRef { var, index: Vec::new() })
    }

    /// Returns the player whom zones remember for cards that this code moves.
    pub fn bringer(&self) -> Bringer<S> {
        match self.me {
            SeatSource::Nobody => Bringer::Owner,
            _ => Bringer::Seat(self.me()),
        }
    }
}

/// Folds constant indices: returns the position to which they lead and the indices that are left to compute, or `None` if an index is
/// always out of range. Missing indices count as the lowest.
fn place<S: CardSet>(base: u32, dims: &[DimLayout], index: Vec<Expr<S>>) -> Option<(u32, Vec<Term<S>>)> {
    let mut at = base;
    let mut terms = Vec::new();
    for (dim, value) in dims.iter().zip(index) {
        match value {
            Expr::Const(value) => {
                let n = value as i64 - dim.low as i64;
                if n < 0 || n >= dim.size as i64 {
                    return None;
                }
                at += n as u32 * dim.stride;
            }
            value => terms.push(Term { low: dim.low, size: dim.size, stride: dim.stride, value }),
        }
    }
    Some((at, terms))
}

/// Returns the only index, if there is one and its stride is 1.
fn single<S>(terms: &mut Vec<Term<S>>) -> Option<Term<S>> {
    if terms.len() == 1 && terms[0].stride == 1 { terms.pop() } else { None }
}
