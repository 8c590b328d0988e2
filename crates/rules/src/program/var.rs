//! Variables and types: state, dice and locals.

use super::expr::Num;
use super::zone::{Dim, VisibilityClause};
use super::{AttrId, TableId, VarId};
use serde::{Deserialize, Serialize};

/// The type of a variable, option or part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    Number {
        low: i32,
        high: i32,
    },
    Seconds {
        low: i32,
        high: i32,
    },
    YesNo,
    Player,
    Card,
    Attr(AttrId),
    Choice(Vec<String>),
    /// The bounds are lengths in characters. Only options and `text` parts have this type.
    Text {
        low: i32,
        high: i32,
    },
    /// Several cards. Only parts that pick several cards have this type.
    Cards,
    /// Some of the dice, as a bit mask of positions. Only `dice` parts have this type.
    DiceSet,
}

/// A variable, or one for each index: state, dice or a local variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Var {
    pub name: String,
    pub kind: VarKind,
    pub dims: Vec<Dim>,
    pub ty: Type,
    /// The value of every element when the game begins. Reads options only.
    pub default: Num,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum VarKind {
    /// State that everyone knows; views show it. With `role` it names a player who has this title.
    State { role: Option<String> },
    /// State that only the seat of its first index knows until the rules reveal it.
    Sealed,
    /// Dice that show a number of low..=high, or 0 before the first roll.
    Dice {
        low: i32,
        high: i32,
        /// What the sides say, if they do not show their numbers.
        #[serde(default)]
        faces: Option<FaceWords>,
        sees: Vec<VisibilityClause>,
    },
    /// A local variable of the course of the game: a loop variable or a chosen part. Views never show it. A viewer
    /// knows which card it names while the viewer sees that card.
    Local,
    /// A local variable that everyone knows, even when the card that it names is no longer in sight.
    PublicLocal,
    /// A local variable that holds what the rules told to one player. A sight replaces it for every viewer.
    SecretLocal,
    /// A local variable with one element for each seat: those of a `together` block and the parts of `ask all`.
    /// [`Num::Var`] reads the element of [`Num::Me`].
    SeatLocal,
}

/// The words on the sides of dice. The value of a die is a side, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaceWords {
    /// The words are the values of this attribute, which no card has.
    pub attr: AttrId,
    /// The value of each side; of 0, which is not rolled, [`NONE_VALUE`](super::NONE_VALUE).
    pub table: TableId,
}

/// One variable, or one element of it, as the target of an assignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VarRef {
    pub var: VarId,
    /// Empty for a variable without index; of a [`VarKind::SeatLocal`] that means the element of `Me`. With an index
    /// out of range the engine stores nothing.
    pub index: Vec<Num>,
}
