//! Presentation: what a client shows besides zones and decisions.

use super::expr::{Num, Selection};
use super::text::Text;
use super::{AttrId, BoundId, DeckId, ZoneId};
use serde::{Deserialize, Serialize};

/// What `show` says: how a client draws the game. All of it is optional.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Presentation {
    pub badges: Vec<Badge>,
    pub seats: Vec<SeatStatus>,
    pub highlights: Vec<Highlight>,
    pub status: Vec<StatusLine>,
    /// Values that always lie on the cloth.
    #[serde(default)]
    pub counters: Vec<Counter>,
    pub faces: Vec<Face>,
    /// The sign that stands for a word of an attribute, or for the cards of that name: (word, sign).
    #[serde(default)]
    pub signs: Vec<(String, String)>,
    /// How texts write a value of an attribute: (attribute, value, words).
    #[serde(default)]
    pub value_names: Vec<(AttrId, i32, String)>,
    pub theme: Vec<(String, String)>,
    /// `hint worth E`: how much bots should like their position. The bound variable holds the seat.
    pub hint: Option<(BoundId, Num)>,
}

/// Something shown at each seat to everyone; `seat` holds the seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Badge {
    pub kind: String,
    pub seat: BoundId,
    pub label: Option<Text>,
    pub value: Option<Text>,
    pub when: Option<Num>,
}

/// A word such as `out`, shown at the seats for which `when` holds; `seat` holds the seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatStatus {
    pub status: String,
    pub label: Option<Text>,
    pub seat: BoundId,
    pub when: Num,
}

/// Cards that a client marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Highlight {
    pub cards: Selection,
    pub when: Option<Num>,
}

/// A line of text about the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StatusLine {
    pub text: Text,
    pub when: Option<Num>,
}

/// A value that always lies on the cloth. Views show it as one of the first status lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counter {
    pub label: String,
    /// The label, a colon and the value.
    pub text: Text,
    /// The zone beside which it lies.
    pub at: Option<ZoneId>,
}

/// How a client draws the cards of a deck.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Face {
    pub deck: DeckId,
    /// `pips`, `number`, `text` or `prompt`.
    pub template: String,
    pub by: Option<AttrId>,
    /// Titles for values of `by`.
    pub titles: Vec<(i32, String)>,
}
