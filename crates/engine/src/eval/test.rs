//! Evaluates conditions on cards for a whole set at once.

use super::Eval;
use crate::cardset::CardSet;
use crate::instance::expr::{Follow, Test};
use baize_rules::program::{Cmp, NONE_VALUE};

impl<S: CardSet> Eval<'_, S> {
    /// Returns the cards of `within` that pass a test. Later conditions see only the cards that earlier ones left, so that card-by-card
    /// tests run on as few cards as possible.
    #[inline(always)]
    pub fn restrict(self, test: &Test<S>, within: S) -> S {
        match test {
            Test::In(set) => within.and(set),
            Test::Follows(follow) => self.follow(follow, within),
            test => self.compound_test(test, within),
        }
    }

    /// Returns the cards that follow (or do not follow) the first or last card of a list.
    #[inline(always)]
    pub(crate) fn follow(self, follow: &Follow<S>, within: S) -> S {
        let list = &self.frame.lists[follow.list as usize];
        let card = if follow.last { list.last() } else { list.first() };
        match card.and_then(|card| follow.alike.get(*card as usize)) {
            Some(alike) if follow.not => within.andnot(alike),
            Some(alike) => within.and(alike),
            None => self.follow_none(follow, card, within),
        }
    }

    /// Whether the player who brought a card is still playing.
    #[inline(always)]
    pub(crate) fn brought(self, card: u16) -> bool {
        // NONE becomes a seat far past the last one.
        let seat = self.frame.by.get(card as usize).map_or(63, |seat| (*seat as u8).min(63));
        u64::from(self.frame.playing) >> seat & 1 == 1
    }

    /// Handles a list without a card, or an attribute without a table of masks.
    #[inline(never)]
    fn follow_none(self, follow: &Follow<S>, card: Option<&u16>, within: S) -> S {
        let cards = &self.instance().cards;
        let value = card.map_or(NONE_VALUE, |card| cards.attr(follow.of, *card as i32));
        let equal = cards.attrs[follow.attr as usize].equal_to(value, &cards.all);
        if follow.not { within.andnot(&equal) } else { within.and(&equal) }
    }

    fn compound_test(self, test: &Test<S>, within: S) -> S {
        match test {
            Test::Follows(_) => self.restrict(test, within),
            Test::Always => within,
            Test::Never => S::empty(),
            Test::In(set) => within.and(set),
            Test::Attr(attr, op, value) => {
                let value = self.num(value);
                let table = &self.instance().cards.attrs[*attr as usize];
                let all = &self.instance().cards.all;
                match op {
                    Cmp::Eq => within.and(&table.equal_to(value, all)),
                    Cmp::Ne => within.andnot(&table.equal_to(value, all)),
                    op => within.and(&table.compare(*op, value, all)),
                }
            }
            Test::Within(set) => {
                let set = self.set(set);
                within.and(&set)
            }
            Test::Free(cond) => {
                if cond.holds(self) {
                    within
                } else {
                    S::empty()
                }
            }
            Test::And(ab) => {
                let first = self.restrict(&ab[0], within);
                if first.is_empty() { first } else { self.restrict(&ab[1], first) }
            }
            Test::Or(ab) => {
                let first = self.restrict(&ab[0], within.clone());
                let rest = within.andnot(&first);
                if rest.is_empty() { first } else { first.or(&self.restrict(&ab[1], rest)) }
            }
            Test::Not(inner) => {
                let out = self.restrict(inner, within.clone());
                within.andnot(&out)
            }
            Test::Facing { down: true } => within.and(&self.frame.face_down),
            Test::Facing { down: false } => within.andnot(&self.frame.face_down),
            Test::Brought => {
                let mut passed = within.clone();
                for card in within.iter() {
                    if !self.brought(card) {
                        passed.remove(card);
                    }
                }
                self.at.spend(1);
                passed
            }
            Test::Each(reg, cond) => {
                let mut passed = S::empty();
                for card in within.iter() {
                    self.at.spend(1);
                    if self.at.spent() {
                        break;
                    }
                    self.at.set(*reg, card as i32);
                    if cond.holds(self) {
                        passed.insert(card);
                    }
                }
                passed
            }
        }
    }
}
