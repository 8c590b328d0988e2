//! What happens at the table, apart from the game's own batches.

use crate::table::{AskerInfo, ChatLine, PlayerInfo, Presence, SpectatorInfo, TableInfo};
use baize_engine::view::Line;
use serde::{Deserialize, Serialize};

/// Small changes that happen often have an event of their own; after any other change the whole [`TableInfo`] is
/// sent, which is small and cannot be applied wrongly.
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
    /// Somebody watches now.
    SpectatorJoined {
        spectator: SpectatorInfo,
    },
    /// Somebody no longer watches.
    SpectatorLeft {
        spectator_id: String,
    },
    /// To the lead: everybody who asks to come in now. The list is short, and may be empty.
    AskersChanged {
        askers: Vec<AskerInfo>,
    },
    LeadChanged {
        player_id: Option<String>,
    },
    /// The table changed in any other way: settings, status, bots, seats, votes, the door.
    TableChanged {
        table: Box<TableInfo>,
    },
    /// The game began (or a rematch was made): a whole `state` follows.
    GameStarted,
    GamePaused,
    GameResumed,
    /// The outcome is in the view.
    GameEnded,
    /// A line of the chat window, also for session updates: a new one, or another text for the line with this number.
    Chat {
        line: ChatLine,
    },
    /// Shown for a moment and not kept.
    Reaction {
        from: String,
        reaction: String,
    },
    /// To one client: the code asked for with `moveSeat`.
    SeatCode {
        code: String,
        expires_in: u64,
    },
    /// To one client: what the deal announced to it. The `state` that came before has the table after the deal.
    Announced {
        text: Line,
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
