//! The compact form of a batch: one flat list, texts by number, nothing said twice, spelled as shortly as it can be read.
//!
//! A batch is sent to every viewer for every move, so its size is most of what the server sends. The form is a plain
//! re-writing: what [`write()`](write) makes is read back by [`WireBatch::read`] as exactly the batch that was written
//! (`read.rs`, and its twin `ts/compact.ts`, held together by shared vectors). `docs/protocol.md` lists the letters;
//! `pen.rs` spells the list.
//!
//! ```text
//! batch  [seq, cause, letter, what the event needs …, letter, …]
//! cause  `start` | seat | [kind, seat?]
//! word   `text` | number of a text
//! line   `text` | number of a text | <number, what goes into its holes …> | [piece …]
//! card   handle | [handle, face, by?, written?]
//! ```

mod pen;
mod read;
mod texts;
mod write;

pub use texts::Texts;
pub use write::write;

use baize_engine::view::Batch;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A batch as it came over the wire. Whoever has the texts of the table's definition can read it.
///
/// A string; in replays that older programs have kept, the list itself.
#[derive(Clone, Debug, PartialEq)]
pub struct WireBatch(Value);

/// A batch, and what was left of the clocks when it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    pub batch: Batch,
    /// Milliseconds left by decision.
    pub clocks: Vec<(u32, u64)>,
}

impl WireBatch {
    pub fn new(batch: &Batch, clocks: &[(u32, u64)], texts: &Texts) -> serde_json::Result<Self> {
        let mut out = Vec::new();
        write(batch, clocks, texts, &mut out);
        serde_json::from_slice(&out).map(WireBatch)
    }

    /// None: written by a server of another version, or with other texts.
    pub fn read(&self, texts: &Texts) -> Option<Read> {
        match &self.0 {
            Value::String(text) => read::batch(&pen::spelled(text)?, texts),
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

/// What rules announce as, by number.
const KINDS: [&str; 5] = ["toast", "shout", "banner", "notice", "log"];

/// How a game ends, by number.
const ENDINGS: [&str; 7] = ["winners", "losers", "ranking", "everyone-wins", "everyone-loses", "draw", "void"];
