//! The messages between nodes.

use baize_protocol::{ErrorCode, LastSeen};
use baize_room::ClientId;
use baize_room::encode;
use baize_room::identity::Member;
use baize_store::Unwritable;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// Increased when older nodes can't read new messages. A node ignores messages of another version.
const VERSION: u8 = 2;

#[derive(Debug, Serialize, Deserialize)]
pub struct PeerMessage {
    pub from: String,
    /// Session id of the link; the larger id is the newer session.
    pub session: u64,
    /// True if the message goes from the node with the sockets to the node with the table, false for the opposite direction.
    pub to_table: bool,
    /// All packets of the opposite direction up to this number have arrived.
    pub received_up_to: u64,
    /// The sender knows that all packets of this direction up to this number have arrived.
    pub acked: u64,
    pub body: Body,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Body {
    /// The `n`th packet of this link, counted from 1.
    Packet { n: u64, items: Vec<PacketItem> },
    /// Shows that the sender is alive and how many packets it has sent.
    Heartbeat { sent: u64 },
    /// Asks for all packets from this number on: they have not arrived.
    Resend { from: u64 },
    /// The sender does not know this link, or ends it.
    End,
}

/// The content of a packet. Client ids are those of the node that has the sockets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PacketItem {
    // Goes to the node with the table.
    Join {
        client: ClientId,
        code: String,
        request: String,
        member: Member,
        name: Option<String>,
        watch: bool,
        last: Option<CompactLastSeen>,
    },
    /// An action as JSON, the form in which the client sent it.
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

    // Goes to the node with the sockets.
    Joined {
        client: ClientId,
    },
    /// The table has not accepted this client, which may join another.
    Released {
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
    /// A table's card as JSON, or the code of a refusal.
    Card {
        query: u64,
        card: Result<String, String>,
    },
}

/// [`LastSeen`] for postcard: the original omits absent fields, which only a self-describing format such as JSON
/// allows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompactLastSeen {
    game: String,
    seq: u64,
    seat: Option<u8>,
    chat: u64,
}

impl From<LastSeen> for CompactLastSeen {
    fn from(LastSeen { game, seq, seat, chat }: LastSeen) -> Self {
        CompactLastSeen { game, seq, seat, chat }
    }
}

impl From<CompactLastSeen> for LastSeen {
    fn from(CompactLastSeen { game, seq, seat, chat }: CompactLastSeen) -> Self {
        LastSeen { game, seq, seat, chat }
    }
}

impl PeerMessage {
    pub fn write(&self) -> Result<Bytes, Unwritable> {
        encode::compact("a peer message", self, vec![VERSION]).map(Bytes::from)
    }

    /// Returns none if the bytes are no message of this version.
    pub fn read(bytes: &[u8]) -> Option<PeerMessage> {
        let (version, message) = bytes.split_first()?;
        if *version != VERSION {
            return None;
        }
        postcard::from_bytes(message).ok()
    }
}

/// The refusal with this code. A code that this version does not know becomes `Closing`, which makes the client
/// reconnect.
pub fn refusal_code(name: &str) -> ErrorCode {
    ErrorCode::ALL.iter().copied().find(|code| code.as_str() == name).unwrap_or(ErrorCode::Closing)
}
