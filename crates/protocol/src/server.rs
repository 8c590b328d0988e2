//! Messages from the server to a client.

use crate::compact::WireBatch;
use crate::error::ErrorCode;
use crate::event::TableEvent;
use crate::table::{ChatLine, TableInfo};
use baize_engine::view::{RichText, View};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    State {
        v: u32,
        state: Box<TableState>,
    },
    /// Carries either `b`, the batch of a move or input as this viewer sees it, or `event`, a change at the table.
    Event {
        #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
        batch: Option<WireBatch>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<TableEvent>,
    },
    /// The action is done. The server stored its effect before it sent this, so a crash can't undo it.
    Ack {
        request_id: String,
    },
    Error(Refused),
}

/// A refused action. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// Absent if the server could not read the id of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// A stable code.
    pub error: ErrorCode,
    /// What to tell the person, and what to do next.
    pub text: String,
    /// The reason in the words of the rules, if the rules gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<RichText>,
}

/// Everything that this client may know about the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableState {
    pub you: You,
    pub table: TableInfo,
    /// At most a hundred lines, all after the last one that the client has.
    pub chat: Vec<ChatLine>,
    /// Absent in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Sync>,
}

/// Who this client is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct You {
    /// A player or spectator id.
    pub id: String,
    /// Absent for a spectator and in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// Why a client that asked for a seat is a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watching_because: Option<ErrorCode>,
}

/// The game: a whole view, or the batches after the `seq` that the client gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Sync {
    View(Box<View>),
    Batches(Vec<WireBatch>),
}
