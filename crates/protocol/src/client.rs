//! Messages from a client to the server.

use crate::table::{BotLevel, Door, TableSettings};
use baize_engine::view::Answer;
use serde::{Deserialize, Serialize};

/// The envelope of every message from a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientMessage {
    /// The version of the protocol (`PROTOCOL_VERSION` in TypeScript). The server refuses another version with
    /// `protocol/version` and closes the socket.
    pub v: u32,
    /// Always `action`.
    #[serde(rename = "type")]
    pub kind: Envelope,
    /// The client chooses it; the `ack` or `error` repeats it. A message with an id that the server has seen, on any
    /// connection of this browser, has no second effect, so each new action needs a new id.
    pub request_id: String,
    pub action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Envelope {
    Action,
}

/// Everything a client can ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Action {
    /// The first message on every socket. Answered by `ack`, then `state`.
    Join {
        /// The code in the table's link.
        table: String,
        /// This browser's secret. A browser that has a seat gets it back.
        secret: String,
        /// The display name; needed only to sit down for the first time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Join as a spectator.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        watch: bool,
        /// What this client already has, so that the server sends only the rest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last: Option<LastSeen>,
    },

    /// This browser's share in the shuffles: up to 64 characters, chosen after the browser has seen the commitment.
    /// The start of a game waits a second for nonces that are missing.
    Nonce {
        nonce: String,
    },
    /// An answer to the open decision: `decision`, `alternative` and `parts` beside `type`.
    Move(Answer),

    /// Lobby, lead: change options, packs and variants.
    Configure {
        settings: TableSettings,
    },
    /// Lobby, lead: add a bot.
    AddBot {
        level: BotLevel,
    },
    /// Lead: in the lobby, remove a bot; in a running game, the bot that took the seat of a player who left.
    RemoveBot {
        player_id: String,
    },
    /// Lobby, lead: seat the players who are online and the bots, and start the game.
    StartGame,
    /// Lead.
    PauseGame,
    /// Lead.
    ResumeGame,
    /// Lead: end the game for everyone; a rematch is possible.
    EndGame,
    /// Host: end the table for everyone; it is never listed again.
    AbandonGame,
    /// After the end, lead: open a lobby with the same players.
    Rematch,
    /// In the lobby or after the end, any player: say whether this player wants another game (`false` takes it back). The game starts when
    /// everybody who is online has said so.
    Again {
        again: bool,
    },
    /// Lead, when the game's file has changed (`table.newRules`): end the running game and start a new one with the new
    /// rules and the same people in the same seats.
    RestartGame,
    /// Lead: remove a player or a spectator, who can't return.
    KickPlayer {
        player_id: String,
    },
    /// Lead: take back `kickPlayer`, within a minute.
    UndoKick {
        player_id: String,
    },
    /// A present person votes to remove an absent player; `false` withdraws the vote.
    VoteRemove {
        player_id: String,
        remove: bool,
    },
    /// Lead: make somebody else lead.
    PassLead {
        player_id: String,
    },
    /// Lead: give the seat of a player who is gone to a spectator.
    HandSeat {
        player_id: String,
        to: String,
    },
    /// Ask for a code with which another device can take this player's seat, once.
    MoveSeat,
    /// On the other device, after `join`: take the seat that belongs to this code.
    TakeSeat {
        code: String,
    },
    /// Lead: refuse a person's chat lines and reactions, or allow them again.
    Mute {
        player_id: String,
        muted: bool,
    },

    /// Lead: who may come to the table from now on.
    SetDoor {
        door: Door,
    },
    /// Lead: admit or decline a person who asks to come in (`askersChanged`).
    AnswerAsker {
        asker_id: String,
        admit: bool,
    },
    /// Lead: allow chat and reactions to players only, or to everybody.
    SetChat {
        players_only: bool,
    },

    /// The "I'm away" switch.
    Away {
        away: bool,
    },
    /// Give up the seat for good.
    Leave,

    Chat {
        text: String,
    },
    /// Send one of the reactions in `limits`.
    React {
        reaction: String,
    },
    /// Report a chat line, a name, the words on a card, or an uploaded pack to the operators of this server.
    Report {
        about: ReportTarget,
    },
    /// Tell the server that this client is still connected.
    Heartbeat,
}

/// The thing that a player reports. Later versions may add kinds; a client ignores kinds that it does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReportTarget {
    /// A line of the chat, by its number.
    Line { n: u64 },
    /// The name of a player or spectator.
    Name { player_id: String },
    /// The words that somebody wrote on a card, or those of an uploaded pack on it, by its handle in the reporter's own view.
    Card { handle: u32 },
    /// The name and the description of an uploaded pack that the table has chosen, by the pack's id.
    Pack { id: String },
}

/// The part of a table's state that a returning client already has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSeen {
    /// The game that the client saw (`state.table.game`). If it is another game now, the server sends a whole view.
    pub game: String,
    /// `seq` of the client's view.
    pub seq: u64,
    /// The seat of the client's view; absent for a spectator. If the client's seat has changed, the server sends a whole
    /// view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The number of the last chat line that the client has.
    #[serde(default)]
    pub chat: u64,
}

/// Actions that only the rules of a game perform. The server refuses them with `action/rules-only`.
pub const REFUSED_ACTIONS: [&str; 3] = ["setPhase", "score", "nextTurn"];
/// Actions that are moves in this protocol, because the rules offer them as alternatives of a decision. The server
/// refuses them with `action/use-move`.
pub const MOVE_ACTIONS: [&str; 8] = ["draw", "play", "discard", "reveal", "hide", "shuffle", "roll", "selectWinner"];

#[cfg(test)]
mod tests {
    use super::*;
    use baize_engine::view::Chosen;

    #[test]
    fn envelope_is_read_and_written() {
        let text = r#"{"v":4,"type":"action","requestId":"r1","action":{"type":"move","decision":7,"alternative":0,"parts":[{"card":3},{"number":2}]}}"#;
        let message: ClientMessage = serde_json::from_str(text).unwrap();
        let parts = vec![Chosen::Card(3), Chosen::Number(2)];
        assert_eq!(message.action, Action::Move(Answer { decision: 7, alternative: 0, parts }));
        assert_eq!(serde_json::to_string(&message).unwrap(), text);
    }

    #[test]
    fn actions_are_written_in_camel_case() {
        let kick = serde_json::to_value(Action::KickPlayer { player_id: "p2".into() }).unwrap();
        assert_eq!(kick, serde_json::json!({"type": "kickPlayer", "playerId": "p2"}));
        assert_eq!(serde_json::to_value(Action::StartGame).unwrap(), serde_json::json!({"type": "startGame"}));
    }
}
