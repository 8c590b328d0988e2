//! Lowers numbers: `Num` to [`Expr`].

use super::{Binding, Lower};
use crate::cardset::CardSet;
use crate::instance::closure::{Cond, Value};
use crate::instance::expr::{BestFollowing, CardFold, Expr, RangeFold, SeatFold, SeatSearch, Set, Spot, Test};
use crate::instance::layout::NO_LIST;
use baize_rules::program::{AttrId, BoundId, Fold, NONE, NONE_VALUE, Num, VarId};

impl<S: CardSet> Lower<'_, S> {
    pub fn num(&mut self, num: &Num) -> Expr<S> {
        self.deeper(Expr::Const(0), |lower| lower.num_here(num))
    }

    fn boxed(&mut self, num: &Num) -> Box<Expr<S>> {
        Box::new(self.num(num))
    }

    fn num_here(&mut self, num: &Num) -> Expr<S> {
        match num {
            Num::Const(n) => Expr::Const(*n),
            Num::Option(id) => Expr::Const(self.known.option(*id as usize)),
            Num::OptionLength(id) => Expr::Const(self.known.option_length(*id as usize)),
            Num::SeatCount => Expr::Const(self.known.seats as i32),
            Num::Var(var) => self.read(*var, &[]),
            Num::At(var, index) => self.read(*var, index),
            Num::Bound(bound) => match self.lookup(*bound) {
                Some(Binding::Reg(reg)) => Expr::Reg(reg),
                // A part that holds one card, read as a number.
                Some(Binding::Pick(reg)) => Expr::First(Box::new(Set::Bound(reg))),
                None => Expr::Const(NONE),
            },
            Num::Me => self.me(),
            Num::Lead => Expr::Lead,
            Num::Neg(a) => match self.num(a) {
                Expr::Const(n) => Expr::Const(n.saturating_neg()),
                e => Expr::Neg(Box::new(e)),
            },
            Num::Not(a) => self.num(a).not(),
            Num::And(a, b) => self.num(a).and(self.num(b)),
            Num::Or(a, b) => self.num(a).or(self.num(b)),
            Num::Arith(op, a, b) => Expr::arith(*op, self.num(a), self.num(b)),
            Num::Cmp(op, a, b) => Expr::compare(*op, self.num(a), self.num(b)),
            Num::If(cond, a, b) => match self.num(cond) {
                Expr::Const(0) => self.num(b),
                Expr::Const(_) => self.num(a),
                cond => Expr::If(Box::new([cond, self.num(a), self.num(b)])),
            },
            Num::Count(of) => match self.set(of) {
                Set::Fixed(set) => Expr::Const(set.len() as i32),
                set => Expr::Count(Box::new(set)),
            },
            Num::IsEmpty(of) => self.set(of).emptiness(),
            Num::Holds(of, card) => match (self.set(of), self.num(card)) {
                (Set::Fixed(set), card) => self.card_in(set, card),
                (set, card) => Expr::Holds(Box::new((set, card))),
            },
            Num::CardAttr(attr, card) => match self.num(card) {
                Expr::Const(card) => Expr::Const(self.cards.attr(*attr, card)),
                _ if *attr as usize >= self.cards.attrs.len() => Expr::Const(NONE_VALUE),
                Expr::Top { list, last } => Expr::TopAttr { attr: *attr, list, last },
                card => Expr::CardAttr(*attr, Box::new(card)),
            },
            Num::CardDeck(deck, card) => {
                let set = self.cards.decks.get(*deck as usize).cloned().unwrap_or_default();
                let card = self.num(card);
                self.card_in(set, card)
            }
            Num::CardNamed(name, card) => {
                let (set, card) = (self.named(name), self.num(card));
                self.card_in(set, card)
            }
            Num::CardMatches(deck, attrs, card) => {
                let (set, card) = (self.matching(*deck, attrs), self.num(card));
                self.card_in(set, card)
            }
            Num::CardBlank(card) => {
                let card = self.num(card);
                self.card_in(self.cards.blank.clone(), card)
            }
            Num::CardFacing { card, down } => Expr::Facing { card: self.boxed(card), down: *down },
            Num::CardLiteral(deck, attrs) => {
                Expr::Const(self.matching(*deck, attrs).first().map_or(NONE, |card| card as i32))
            }
            Num::PlayerOf(card) => Expr::PlayerOf(self.boxed(card)),
            Num::End { last, of } => match self.set(of) {
                Set::Zone(Spot::At(zone)) if self.layout.instances[zone as usize].list != NO_LIST => {
                    Expr::Top { list: self.layout.instances[zone as usize].list, last: *last }
                }
                set if *last => Expr::Last(Box::new(set)),
                set => Expr::First(Box::new(set)),
            },
            Num::Best { highest, of, by } => {
                let of = self.set(of);
                match self.best_following(*highest, &of, *by) {
                    Some(best) => Expr::BestFollowing(Box::new(best)),
                    None => Expr::Best { highest: *highest, of: Box::new(of), by: *by },
                }
            }
            Num::OverSeats { op, bound, cond, value } => self.over_seats(*op, *bound, cond.as_deref(), value),
            Num::OverCards { op, bound, of, cond, value } => {
                let of = self.set(of);
                self.over_cards(*op, *bound, of, cond.as_deref(), value)
            }
            Num::OverRange { op, bound, low, high, cond, value } => {
                let (low, high) = (self.num(low), self.num(high));
                self.binding(*bound, |lower, reg| {
                    let cond = cond.as_ref().map(|c| Cond::new(lower.num(c)));
                    let value = Value::new(lower.num(value));
                    Expr::OverRange(Box::new(RangeFold { op: *op, reg, low, high, cond, value }))
                })
            }
            Num::FirstSeat { bound, from, cond } => Expr::FirstSeat(self.search(*bound, from, cond.as_deref())),
            Num::NextSeat { bound, after, back, cond } => {
                Expr::NextSeat { back: *back, search: self.search(*bound, after, cond.as_deref()) }
            }
            Num::SeatPresent(seat) => Expr::Present(self.boxed(seat)),
            Num::SeatPlaying(seat) => Expr::Playing(self.boxed(seat)),
            Num::SeatPerson(seat) => Expr::Person(self.boxed(seat)),
            Num::Table(table, at) => match self.num(at) {
                Expr::Const(at) => Expr::Const(self.program.tables.get(usize::from(*table)).map_or(0, |t| t.value(at))),
                at => Expr::Table(*table, Box::new(at)),
            },
            Num::DiceCount(set) => Expr::DiceCount(self.boxed(set)),
            Num::DiceHas(set, at) => Expr::DiceHas(Box::new([self.num(set), self.num(at)])),
        }
    }

    /// Returns a [`BestFollowing`] if the order of card numbers decides which card of the selection is the best.
    fn best_following(&self, highest: bool, of: &Set<S>, by: AttrId) -> Option<BestFollowing<S>> {
        let Set::Where(both) = of else { return None };
        let (Set::Zone(Spot::At(zone)), test) = &**both else { return None };
        let (follow, brought) = match test {
            Test::Follows(follow) => (follow, false),
            Test::And(ab) => match &**ab {
                [Test::Follows(follow), Test::Brought] => (follow, true),
                _ => return None,
            },
            _ => return None,
        };
        if follow.not || follow.alike.is_empty() {
            return None;
        }
        let value = |card: u16| self.cards.attr(by, i32::from(card));
        let without = self.cards.attrs.get(usize::from(follow.attr))?.equal_to(NONE_VALUE, &self.cards.all);
        let numbered = |alike: &S, rising: bool| {
            let neighbours = alike.iter().zip(alike.iter().skip(1));
            neighbours.into_iter().all(|(a, b)| if rising { value(a) < value(b) } else { value(a) > value(b) })
        };
        let all = |rising| follow.alike.iter().chain([&without]).all(|alike| numbered(alike, rising));
        let last = match (all(true), all(false)) {
            (true, _) => highest,
            (false, true) => !highest,
            (false, false) => return None,
        };
        Some(BestFollowing { zone: *zone, follow: follow.clone(), brought, last })
    }

    fn card_in(&self, set: S, card: Expr<S>) -> Expr<S> {
        match card {
            Expr::Const(card) => Expr::Const(set.has(card) as i32),
            _ if set.is_empty() => Expr::Const(0),
            card => Expr::CardIn(Box::new((set, card))),
        }
    }

    /// Lowers the value of a variable.
    pub(super) fn read(&mut self, var: VarId, index: &[Num]) -> Expr<S> {
        use crate::instance::expr::Cell;
        let none = self.layout.vars.get(var as usize).map_or(0, |v| v.none);
        match self.cell(var, index) {
            Cell::At(cell) => Expr::Cell(cell),
            Cell::Nowhere => Expr::Const(none),
            cell => Expr::At { cell: Box::new(cell), none },
        }
    }

    fn over_seats(&mut self, op: Fold, bound: BoundId, cond: Option<&Num>, value: &Num) -> Expr<S> {
        self.binding(bound, |lower, reg| {
            let mut cond = cond.map(|c| lower.num(c));
            let mut value = lower.num(value);
            if matches!(op, Fold::Any | Fold::Count) {
                // The value and the condition are both conditions, so that one `and` of them is enough.
                cond = Some(cond.unwrap_or(Expr::Const(1)).and(value));
                value = Expr::Const(1);
                if let Some(base) = lower.holding(&cond, reg) {
                    return Expr::SeatsHolding { any: op == Fold::Any, base };
                }
            }
            Expr::OverSeats(Box::new(SeatFold { op, reg, cond: cond.map(Cond::new), value: Value::new(value) }))
        })
    }

    fn over_cards(&mut self, op: Fold, bound: BoundId, of: Set<S>, cond: Option<&Num>, value: &Num) -> Expr<S> {
        let of = match cond {
            Some(cond) => of.filtered(self.test(cond, bound)),
            None => of,
        };
        match op {
            Fold::Any => of.filtered(self.test(value, bound)).emptiness().not(),
            Fold::Count => match of.filtered(self.test(value, bound)) {
                Set::Fixed(set) => Expr::Const(set.len() as i32),
                set => Expr::Count(Box::new(set)),
            },
            _ => self.binding(bound, |lower, reg| {
                Expr::OverCards(Box::new(CardFold { op, reg, of, value: Value::new(lower.num(value)) }))
            }),
        }
    }

    fn search(&mut self, bound: BoundId, from: &Num, cond: Option<&Num>) -> Box<SeatSearch<S>> {
        let from = self.num(from);
        self.binding(bound, |lower, reg| {
            let cond = cond.map(|c| lower.num(c));
            Box::new(SeatSearch { reg, from, holding: lower.holding(&cond, reg), cond: cond.map(Cond::new) })
        })
    }
}
