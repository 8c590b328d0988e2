//! Changes at the table other than the batches of the game.

use crate::table::{AskerInfo, ChatLine, PlayerInfo, Presence, SpectatorInfo, TableInfo};
use baize_engine::view::RichText;
use serde::{Deserialize, Serialize};

/// A change at the table. Frequent small changes have an event each; after any other change the server sends the whole
/// [`TableInfo`], which is small and cannot be applied wrongly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TableEvent {
    PlayerJoined {
        player: PlayerInfo,
    },
    PlayerLeft {
        player_id: String,
        reason: LeaveReason,
    },
    PlayerPresenceChanged {
        player_id: String,
        presence: Presence,
    },
    SpectatorJoined {
        spectator: SpectatorInfo,
    },
    SpectatorLeft {
        spectator_id: String,
    },
    /// To the lead: everybody who asks to come in at the moment. The list may be empty.
    AskersChanged {
        askers: Vec<AskerInfo>,
    },
    LeadChanged {
        player_id: Option<String>,
    },
    /// Any other change: settings, status, bots, seats, votes, the door.
    TableChanged {
        table: Box<TableInfo>,
    },
    /// The game started, or a rematch opened a lobby. A whole `state` follows.
    GameStarted,
    GamePaused,
    GameResumed,
    /// The game ended. The view has the outcome.
    GameEnded,
    /// A new line of the chat window (also for session updates), or a new text for the line with this number.
    Chat {
        line: ChatLine,
    },
    /// A reaction, which clients show for a moment and nobody stores.
    Reaction {
        from: String,
        reaction: String,
    },
    /// To one client: the code that it asked for with `moveSeat`.
    SeatCode {
        code: String,
        expires_in: u64,
    },
    /// To one client: an announcement of the deal. The `state` before this event shows the table after the deal.
    Announced {
        text: RichText,
        kind: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LeaveReason {
    Left,
    Kicked,
    VotedOut,
    /// The grace period after a lost connection is over.
    Disconnected,
    /// The lead gave the seat to somebody else.
    Handed,
}
