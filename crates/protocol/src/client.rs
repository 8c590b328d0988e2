//! What a client sends.

use crate::table::{BotLevel, Door, TableSettings};
use baize_engine::view::Answer;
use serde::{Deserialize, Serialize};

/// A message, as the platform's document has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientMessage {
    /// 1. Another version is refused with `protocol/version` and the socket closed.
    pub v: u32,
    /// Always `action`.
    #[serde(rename = "type")]
    pub kind: Envelope,
    /// Chosen by the client; the `ack` or `error` repeats it. Sending the same id again, on whatever connection, has no
    /// second effect: never use one twice for different things.
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
        /// This browser's secret. The seat that belongs to it is taken up again.
        secret: String,
        /// The display name; needed only to sit down for the first time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Only look on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        watch: bool,
        /// What this client still has, to be sent only the rest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last: Option<LastSeen>,
    },

    /// This browser's share in the shuffles: up to 64 characters of its own choice, made after it has seen the
    /// commitment. At the start a missing one is waited for a second.
    Nonce {
        nonce: String,
    },
    /// An answer to the open decision: `decision`, `alternative` and `parts` beside `type`.
    Move(Answer),

    /// Lobby, lead: change options, packs and variants.
    Configure {
        settings: TableSettings,
    },
    /// Lobby, lead.
    AddBot {
        level: BotLevel,
    },
    /// Lobby, lead: a bot. In a running game: the bot that took a leaver's seat.
    RemoveBot {
        player_id: String,
    },
    /// Lobby, lead: seat exactly the players who are online, and bots, and begin.
    StartGame,
    /// Lead.
    PauseGame,
    /// Lead.
    ResumeGame,
    /// Lead: the game is over for everyone; a rematch is possible.
    EndGame,
    /// Host: the table is over for everyone and never listed again.
    AbandonGame,
    /// After the end, lead: a lobby with the same roster.
    Rematch,
    /// Lead, when the game's file has changed (`table.newRules`): end what is being played and begin anew by the new rules, with the
    /// same people in the same seats.
    RestartGame,
    /// Lead: a player or a spectator. The kicked can't return.
    KickPlayer {
        player_id: String,
    },
    /// Any present person, against an absent player; `false` takes the vote back.
    VoteRemove {
        player_id: String,
        remove: bool,
    },
    /// Lead: make somebody else lead.
    PassLead {
        player_id: String,
    },
    /// Lead: give a seat whose player is gone to somebody who watches.
    HandSeat {
        player_id: String,
        to: String,
    },
    /// A code with which another device takes up this player's seat, once.
    MoveSeat,
    /// On the other device, instead of `join`'s own seat.
    TakeSeat {
        code: String,
    },
    /// Lead: somebody's chat is shown to nobody.
    Mute {
        player_id: String,
        muted: bool,
    },

    /// Lead: who may come to the table from now on.
    SetDoor {
        door: Door,
    },
    /// Lead: let in or turn away somebody who asked to come in (`askersChanged`).
    AnswerAsker {
        asker_id: String,
        admit: bool,
    },
    /// Lead: only players may chat and react, or everybody.
    SetChat {
        players_only: bool,
    },

    /// The "I'm away" switch.
    Away {
        away: bool,
    },
    /// For good.
    Leave,

    Chat {
        text: String,
    },
    /// One of the reactions of `limits`.
    React {
        reaction: String,
    },
    /// Tell the people who run this server about something that somebody wrote or is called.
    Report {
        about: Reported,
    },
    /// I am still here.
    Heartbeat,
}

/// What is reported. There may be more kinds later: a client says nothing about kinds it does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Reported {
    /// A line that somebody wrote in the chat, by its number.
    Line { n: u64 },
    /// The name of a player or spectator.
    Name { player_id: String },
}

/// How far a returning client got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSeen {
    /// The game it saw (`state.table.game`); another game means a whole view.
    pub game: String,
    /// `seq` of its view.
    pub seq: u64,
    /// The seat whose view it is; none: a spectator's. Whoever looks through other eyes by now is sent a whole view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// The number of the last chat line it has.
    #[serde(default)]
    pub chat: u64,
}

/// Actions of the platform's document that only the rules may do. They are refused by name.
pub const REFUSED_ACTIONS: [&str; 3] = ["setPhase", "score", "nextTurn"];
/// Actions of the document that are moves here: what they would do is an alternative of the open decision.
pub const MOVE_ACTIONS: [&str; 8] = ["draw", "play", "discard", "reveal", "hide", "shuffle", "roll", "selectWinner"];

#[cfg(test)]
mod tests {
    use super::*;
    use baize_engine::view::Chosen;

    #[test]
    fn the_documents_envelope_is_read() {
        let text = r#"{"v":3,"type":"action","requestId":"r1","action":{"type":"move","decision":7,"alternative":0,"parts":[{"card":3},{"number":2}]}}"#;
        let message: ClientMessage = serde_json::from_str(text).unwrap();
        let parts = vec![Chosen::Card(3), Chosen::Number(2)];
        assert_eq!(message.action, Action::Move(Answer { decision: 7, alternative: 0, parts }));
        assert_eq!(serde_json::to_string(&message).unwrap(), text);
    }

    #[test]
    fn names_are_in_camel_case() {
        let kick = serde_json::to_value(Action::KickPlayer { player_id: "p2".into() }).unwrap();
        assert_eq!(kick, serde_json::json!({"type": "kickPlayer", "playerId": "p2"}));
        assert_eq!(serde_json::to_value(Action::StartGame).unwrap(), serde_json::json!({"type": "startGame"}));
    }
}
