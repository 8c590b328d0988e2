//! Makes the cards of a table from the decks of its rules and the chosen packs.

use super::InstantiateError;
use super::options::SetupContext;
use crate::cardset::CardSet;
use crate::view::FaceId;
use baize_rules::program::{AttrDomain, AttrId, Cmp, DeckId, DeckOp, NONE_VALUE, Op, OptionValue, Program};
use std::collections::HashMap;
use std::sync::Arc;

/// Upper bound on the cards of one table.
pub const MAX_CARDS: usize = 20_000;

/// A card of a pack. The caller reads packs; the engine does not know where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackCard {
    /// The type of card (`answer`, `prompt` …); decks of this type take the card.
    pub deck_type: String,
    pub text: String,
    /// Numbers such as `pick`.
    pub props: Vec<(String, i32)>,
}

/// One card of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    pub deck: DeckId,
    /// The name that the rules give the card, such as `Joker`, or `Jester` after `called "Jester"`.
    pub name: Option<String>,
    /// The text of a pack card. An empty text is a blank card, which rules can write on.
    pub text: Option<String>,
    /// The card's attributes, sorted by attribute.
    pub attrs: Vec<(AttrId, i32)>,
}

#[derive(Clone, Debug)]
pub struct Cards<S> {
    pub cards: Vec<Card>,
    /// Cards that look the same share a face.
    pub faces: Vec<FaceId>,
    /// For each face, one card that has it.
    pub face_cards: Vec<u16>,
    pub all: S,
    pub decks: Vec<S>,
    pub attrs: Vec<AttrTable<S>>,
    pub blank: S,
}

/// Attribute values by card, and cards by attribute value.
#[derive(Clone, Debug)]
pub struct AttrTable<S> {
    /// Indexed by card; [`NONE_VALUE`] for cards without the attribute.
    pub values: Box<[i32]>,
    /// Cards that have the attribute.
    pub has: S,
    pub low: i32,
    /// Cards with the value `low + i`; empty if the values are too far apart to be listed.
    pub equal: Box<[S]>,
    /// Cards with a value less than `low + i`; one longer than `equal`.
    pub less: Box<[S]>,
    /// Indexed by card: the cards with the same value. Empty for games with many cards, where the table would be too big.
    pub alike: Arc<[S]>,
}

/// If the values of an attribute spread further than this, cards are compared one by one.
const MAX_SPREAD: i64 = 1024;

/// Makes the cards, deck after deck.
pub fn make(
    program: &Program,
    options: &[OptionValue],
    seats: usize,
    packs: &[PackCard],
) -> Result<Vec<Card>, InstantiateError> {
    let mut cards = Vec::new();
    for (id, deck) in program.decks.iter().enumerate() {
        let known = SetupContext { options, seats, card: None };
        let mut made: Vec<Card> = Vec::new();
        if let Some(pack_type) = &deck.pack_type {
            made.extend(
                packs.iter().filter(|c| c.deck_type == *pack_type).map(|c| pack_card(program, id as DeckId, c)),
            );
            if made.is_empty() {
                return Err(InstantiateError::NoPackCards { deck: deck.name.clone(), card_type: pack_type.clone() });
            }
        }
        for op in &deck.make {
            match op {
                DeckOp::Product { values, card, copies, called, when } => {
                    if when.as_ref().is_some_and(|w| known.value(w) == 0) {
                        continue;
                    }
                    for attrs in product(values) {
                        let count = SetupContext { options, seats, card: Some((*card, &attrs)) }.value(copies);
                        repeat(&mut made, count, || Card {
                            deck: id as DeckId,
                            name: called.clone(),
                            text: None,
                            attrs: sorted(&attrs),
                        })?;
                    }
                }
                DeckOp::Without { values, when } => {
                    if when.as_ref().is_none_or(|w| known.value(w) != 0) {
                        made.retain(|card| !values.iter().all(|v| card.attrs.contains(v)));
                    }
                }
                DeckOp::Named { name, count, when } => {
                    if when.as_ref().is_none_or(|w| known.value(w) != 0) {
                        // If the rules write on cards, a card that has only a name is blank.
                        let written = program.code.iter().any(|op| matches!(op, Op::Write { .. }));
                        let text = (written || deck.pack_type.is_some()).then(String::new);
                        repeat(&mut made, known.value(count), || Card {
                            deck: id as DeckId,
                            name: Some(name.clone()),
                            text: text.clone(),
                            attrs: Vec::new(),
                        })?;
                    }
                }
            }
        }
        let copies = known.value(&deck.copies).max(0) as usize;
        if copies.saturating_mul(made.len()).saturating_add(cards.len()) > MAX_CARDS {
            return Err(InstantiateError::TooManyCards);
        }
        for _ in 0..copies {
            cards.extend(made.iter().cloned());
        }
    }
    Ok(cards)
}

fn repeat(made: &mut Vec<Card>, count: i32, card: impl Fn() -> Card) -> Result<(), InstantiateError> {
    let count = count.max(0) as usize;
    if made.len().saturating_add(count) > MAX_CARDS {
        return Err(InstantiateError::TooManyCards);
    }
    made.extend(std::iter::repeat_with(card).take(count));
    Ok(())
}

fn sorted(attrs: &[(AttrId, i32)]) -> Vec<(AttrId, i32)> {
    let mut attrs = attrs.to_vec();
    attrs.sort_unstable();
    attrs
}

/// Returns all combinations of values; the last attribute varies fastest.
fn product(values: &[(AttrId, Vec<i32>)]) -> impl Iterator<Item = Vec<(AttrId, i32)>> + '_ {
    let total = values.iter().fold(1usize, |n, (_, v)| n.saturating_mul(v.len())).min(MAX_CARDS + 1);
    (0..total).map(|mut i| {
        let mut attrs = Vec::with_capacity(values.len());
        for (attr, values) in values.iter().rev() {
            attrs.push((*attr, values[i % values.len()]));
            i /= values.len();
        }
        attrs.reverse();
        attrs
    })
}

fn pack_card(program: &Program, deck: DeckId, card: &PackCard) -> Card {
    let attrs = program
        .attrs
        .iter()
        .enumerate()
        .filter(|(_, attr)| attr.values == AttrDomain::Property)
        .map(|(id, attr)| (id as AttrId, card.props.iter().find(|(name, _)| *name == attr.name).map_or(0, |(_, v)| *v)))
        .collect();
    Card { deck, name: None, text: Some(card.text.trim().to_owned()), attrs }
}

impl<S: CardSet> Cards<S> {
    pub fn new(program: &Program, cards: Vec<Card>) -> Self {
        let set = |test: &dyn Fn(&Card) -> bool| {
            S::from_cards(cards.iter().enumerate().filter(|(_, c)| test(c)).map(|(i, _)| i as u16))
        };
        let decks = (0..program.decks.len()).map(|d| set(&|c| c.deck as usize == d)).collect();
        let blank = set(&|c| c.text.as_ref().is_some_and(String::is_empty));
        let attrs = (0..program.attrs.len()).map(|a| AttrTable::new(&cards, a as AttrId)).collect();
        let (mut faces, mut face_cards) = (Vec::with_capacity(cards.len()), Vec::new());
        let mut seen: HashMap<&Card, FaceId> = HashMap::new();
        for (number, card) in cards.iter().enumerate() {
            faces.push(*seen.entry(card).or_insert_with(|| {
                face_cards.push(number as u16);
                face_cards.len() as FaceId - 1
            }));
        }
        Cards { all: S::below(cards.len()), faces, face_cards, decks, attrs, blank, cards }
    }

    pub fn len(&self) -> usize {
        self.cards.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    #[inline]
    pub fn attr(&self, attr: AttrId, card: i32) -> i32 {
        match self.attrs.get(attr as usize) {
            Some(table) => table.value(card),
            None => NONE_VALUE,
        }
    }
}

impl<S: CardSet> AttrTable<S> {
    fn new(cards: &[Card], attr: AttrId) -> Self {
        let value = |c: &Card| c.attrs.iter().find(|(a, _)| *a == attr).map_or(NONE_VALUE, |(_, v)| *v);
        let values: Box<[i32]> = cards.iter().map(value).collect();
        let set = |test: &dyn Fn(i32) -> bool| {
            S::from_cards(values.iter().enumerate().filter(|(_, v)| test(**v)).map(|(i, _)| i as u16))
        };
        let has = set(&|v| v != NONE_VALUE);
        let present = || values.iter().copied().filter(|v| *v != NONE_VALUE);
        let (low, high) = (present().min().unwrap_or(0), present().max().unwrap_or(-1));
        let spread = high as i64 - low as i64 + 1;
        let (mut equal, mut less) = (Vec::new(), Vec::new());
        if (1..=MAX_SPREAD).contains(&spread) {
            let mut below = S::empty();
            for v in low..=high {
                let here = set(&|w| w == v);
                less.push(below.clone());
                below = below.or(&here);
                equal.push(here);
            }
            less.push(below);
        }
        let alike = match S::CAPACITY {
            ..=128 => values.iter().map(|v| set(&|w| w == *v)).collect(),
            _ => Arc::default(),
        };
        AttrTable { values, has, low, equal: equal.into(), less: less.into(), alike }
    }

    #[inline]
    pub fn value(&self, card: i32) -> i32 {
        // NONE becomes a huge index, which is out of range.
        self.values.get(card as u32 as usize).copied().unwrap_or(NONE_VALUE)
    }

    /// Whether [`AttrTable::equal_to`] and [`AttrTable::less_than`] can be used.
    pub fn listed(&self) -> bool {
        !self.equal.is_empty() || self.has.is_empty()
    }

    /// Returns the cards with this value; for `none`, the cards of `all` without the attribute.
    #[inline]
    pub fn equal_to(&self, value: i32, all: &S) -> S {
        if value == NONE_VALUE {
            return all.andnot(&self.has);
        }
        self.equal.get(value.wrapping_sub(self.low) as u32 as usize).cloned().unwrap_or_default()
    }

    /// Returns the cards of `all` whose value is in the relation `op` to this value.
    #[inline]
    pub fn compare(&self, op: Cmp, value: i32, all: &S) -> S {
        match op {
            Cmp::Eq => self.equal_to(value, all),
            Cmp::Ne => all.andnot(&self.equal_to(value, all)),
            _ if value == NONE_VALUE => S::empty(),
            Cmp::Lt => self.less_than(value),
            Cmp::Ge => self.has.andnot(&self.less_than(value)),
            Cmp::Le if value == i32::MAX => self.has.clone(),
            Cmp::Le => self.less_than(value + 1),
            Cmp::Gt if value == i32::MAX => S::empty(),
            Cmp::Gt => self.has.andnot(&self.less_than(value + 1)),
        }
    }

    /// Returns the cards with a value less than this one.
    #[inline]
    pub fn less_than(&self, value: i32) -> S {
        if value == NONE_VALUE || value <= self.low {
            return S::empty();
        }
        let at = (value as i64 - self.low as i64) as usize;
        if at < self.less.len() { self.less[at].clone() } else { self.has.clone() }
    }
}
