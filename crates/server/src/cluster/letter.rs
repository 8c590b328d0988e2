//! What nodes write to each other.

use crate::identity::Member;
use baize_protocol::{ErrorCode, LastSeen};
use baize_room::ClientId;
use baize_room::encode;
use baize_store::Unwritable;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// Raised when nodes of before could not read what is written now; letters of another version are not answered.
const VERSION: u8 = 1;

/// One message between two nodes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Letter {
    pub from: String,
    /// Of which line between the two. Of two, the greater is the later one.
    pub session: u64,
    /// Towards the table, from the node with the sockets; or back.
    pub to_table: bool,
    /// Of the other direction: parcels that have arrived, all up to this one.
    pub got: u64,
    /// Of this direction: parcels of which the writer knows that they have arrived.
    pub confirmed: u64,
    pub body: Body,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Body {
    /// The `n`th of this line, counted from 1.
    Parcel { n: u64, items: Vec<Item> },
    /// A sign of life; so many parcels were sent.
    Beat { sent: u64 },
    /// Parcels from this one on have not arrived.
    Again { from: u64 },
    /// The writer knows nothing of this line, or gives it up.
    End,
}

/// What a parcel holds. Clients are named by the node that has their sockets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Item {
    // Towards the table.
    Join {
        client: ClientId,
        code: String,
        request: String,
        member: Member,
        name: Option<String>,
        watch: bool,
        last: Option<Last>,
    },
    /// An action as JSON, which is what it was read from.
    Act {
        client: ClientId,
        request: String,
        action: String,
    },
    Gone {
        client: ClientId,
    },
    Look {
        query: u64,
        code: String,
        member: Option<Member>,
    },

    // Towards the sockets.
    Joined {
        client: ClientId,
    },
    Frame {
        clients: Vec<ClientId>,
        frame: Vec<u8>,
    },
    Close {
        client: ClientId,
        code: String,
    },
    /// A table's card as JSON, or why there is none.
    Card {
        query: u64,
        card: Result<String, String>,
    },
}

/// [`LastSeen`], whose own form leaves out what is missing: that is for JSON only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Last {
    game: String,
    seq: u64,
    seat: Option<u8>,
    chat: u64,
}

impl From<LastSeen> for Last {
    fn from(LastSeen { game, seq, seat, chat }: LastSeen) -> Self {
        Last { game, seq, seat, chat }
    }
}

impl From<Last> for LastSeen {
    fn from(Last { game, seq, seat, chat }: Last) -> Self {
        LastSeen { game, seq, seat, chat }
    }
}

impl Letter {
    pub fn write(&self) -> Result<Bytes, Unwritable> {
        encode::compact("a letter", self, vec![VERSION]).map(Bytes::from)
    }

    /// None: nothing this version understands.
    pub fn read(bytes: &[u8]) -> Option<Letter> {
        let (version, letter) = bytes.split_first()?;
        if *version != VERSION {
            return None;
        }
        postcard::from_bytes(letter).ok()
    }
}

/// A refusal by its name; one this version does not know is as good as a server that is about to stop: come back.
pub fn refusal(name: &str) -> ErrorCode {
    ErrorCode::ALL.iter().copied().find(|code| code.as_str() == name).unwrap_or(ErrorCode::Closing)
}
