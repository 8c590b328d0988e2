//! What the server sends.

use crate::compact::WireBatch;
use crate::error::ErrorCode;
use crate::event::TableEvent;
use crate::table::{ChatLine, TableInfo};
use baize_engine::view::{Line, View};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    State {
        v: u32,
        state: Box<TableState>,
    },
    /// Either `b`, a batch (a move or input of the game, for this viewer) or `event` (of the table).
    Event {
        #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
        batch: Option<WireBatch>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<TableEvent>,
    },
    /// Done, and it will stay done: the effect was written to disk before this was sent.
    Ack {
        request_id: String,
    },
    Error(Refused),
}

/// Nothing has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// Missing if the message could not be read far enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// A stable code; the list is in `ErrorCode`.
    pub error: ErrorCode,
    /// What to tell the person, and what to do next.
    pub text: String,
    /// The reason in the words of the rules, where they gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
}

/// Everything this client may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableState {
    pub you: You,
    pub table: TableInfo,
    /// Lines after the one the client said it has, at most a hundred.
    pub chat: Vec<ChatLine>,
    /// None in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Sync>,
}

/// Who this client is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct You {
    /// A player or spectator id.
    pub id: String,
    /// None: a spectator, or still in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// Looks on, although it asked for a seat: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watching_because: Option<ErrorCode>,
}

/// The game: a whole view, or what followed the `seq` the client gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Sync {
    View(Box<View>),
    Batches(Vec<WireBatch>),
}
