//! The compact form of a batch: one flat list that refers to known texts by number, in a notation shorter than JSON.
//!
//! The server sends a batch to every viewer for every move, so batches are most of its traffic. The form loses nothing:
//! [`WireBatch::read`] gives back exactly the batch that [`write()`](write) got. The browser's reader is
//! `ts/compact.ts`; shared test vectors make sure that both readers agree. `docs/protocol.md` lists the letters of the
//! events; `spelling.rs` defines the notation.
//!
//! ```text
//! batch  [seq, cause, letter, fields of the event …, letter, …]
//! cause  `start` | seat | [kind, seat?]
//! word   `text` | number of a text
//! line   `text` | number of a text | <number of a text with holes, fillings …> | [piece …]
//! card   handle | [handle, face, by?, written?]
//! ```

mod read;
mod spelling;
mod texts;
mod write;

pub use texts::TextNumbers;
pub use write::write;

use baize_engine::view::Batch;
use baize_narrator::Narration;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A batch in compact form. Reading it needs the texts of the table's definition.
///
/// It is a string. Replays that older versions stored have the list itself instead.
#[derive(Clone, Debug, PartialEq)]
pub struct WireBatch(Value);

/// A batch, and the clocks that ran when it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedBatch {
    pub batch: Batch,
    /// What happened in the batch, in words for its viewer.
    pub narrations: Vec<Narration>,
    /// The id of each decision with a clock, and the milliseconds left.
    pub clocks: Vec<(u32, u64)>,
}

impl WireBatch {
    pub fn new(
        batch: &Batch,
        narrations: &[Narration],
        clocks: &[(u32, u64)],
        texts: &TextNumbers,
    ) -> serde_json::Result<Self> {
        let mut out = Vec::new();
        write(batch, narrations, clocks, texts, &mut out);
        serde_json::from_slice(&out).map(WireBatch)
    }

    /// Reads the batch. Returns none if it is from a server of another version, or was written with other texts.
    pub fn read(&self, texts: &TextNumbers) -> Option<DecodedBatch> {
        match &self.0 {
            Value::String(text) => read::batch(&spelling::read_spelled(text)?, texts),
            list => read::batch(list.as_array()?, texts),
        }
    }
}

impl Serialize for WireBatch {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(s)
    }
}

impl<'de> Deserialize<'de> for WireBatch {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Value::deserialize(d).map(WireBatch)
    }
}

/// The compact form has one number for the place of a narration in its batch and for its kind: the place times `KINDS`, plus the index of the
/// kind.
const KINDS: i64 = 8;

/// Kinds of announcements; the compact form has the index.
const ANNOUNCEMENT_KINDS: [&str; 5] = ["toast", "shout", "banner", "notice", "log"];

/// Kinds of outcomes; the compact form has the index.
const OUTCOME_KINDS: [&str; 8] =
    ["winners", "losers", "ranking", "everyone-wins", "everyone-loses", "draw", "void", "everyone-scores"];
