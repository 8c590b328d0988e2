//! Texts with holes.

use super::expr::{Num, Seats, Selection};
use super::{AttrId, OptionId};
use serde::{Deserialize, Serialize};

/// A text with holes. The checker makes sure that its reader may know whatever fills them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text {
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TextPart {
    Plain(String),
    Value(Num, ValueFormat),
    Option(OptionId),
    /// `Letters(n, option)`: the first n letters of a text option.
    Letters(Num, OptionId),
    /// A list of cards.
    Cards(Selection),
    /// A list of players, in seat order.
    Players(Seats),
    /// The text of a pack card.
    CardText(Num),
    /// The prompt card's text with its blanks filled by these cards.
    Filled {
        prompt: Num,
        answers: Selection,
    },
    If(Num, Text, Text),
}

/// How a value is written out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueFormat {
    Number,
    YesNo,
    /// The seat's name.
    Player,
    Card,
    Attr(AttrId),
    Choice(Vec<String>),
}
