//! Attributes of cards, and how the engine makes a deck.

use super::expr::Num;
use super::{AttrId, BoundId};
use serde::{Deserialize, Serialize};

/// An attribute of cards. A card that does not have it reads as [`NONE_VALUE`](super::NONE_VALUE).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attr {
    pub name: String,
    pub values: AttrDomain,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttrDomain {
    Range {
        low: i32,
        high: i32,
    },
    /// In ascending order: comparisons compare positions.
    Names(Vec<String>),
    /// A number that cards of a pack carry (`pick`); 0 for cards without it.
    Property,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deck {
    pub name: String,
    /// `packs "answer"`: the deck takes the cards of this type from the chosen packs.
    pub pack_type: Option<String>,
    /// How the engine makes the cards, in order.
    pub make: Vec<DeckOp>,
    /// The whole deck exists this many times. Reads options only.
    pub copies: Num,
}

/// One step of making a deck. `when` reads options only; without it, or while it holds, the step is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DeckOp {
    /// Adds a card for each combination of the listed values; the last attribute varies fastest.
    Product {
        values: Vec<(AttrId, Vec<i32>)>,
        card: BoundId,
        /// How many cards of each combination. May read the attributes of the combination: [`Num::CardAttr`] of `card`.
        copies: Num,
        called: Option<String>,
        when: Option<Num>,
    },
    /// Removes those cards, of all that earlier steps added, that have these values.
    Without { values: Vec<(AttrId, i32)>, when: Option<Num> },
    /// Adds cards with a name and no attributes.
    Named { name: String, count: Num, when: Option<Num> },
}
