//! A table as everyone at it may see it: people, settings, status. What lies on it is in the view.

use crate::error::ErrorCode;
use crate::http::Problem;
use baize_engine::view::Line;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableInfo {
    /// The code in the link.
    pub code: String,
    /// The game's id: the name of its file.
    pub definition_id: String,
    /// The game's title.
    pub title: String,
    /// Which playing of it this is; a rematch has another. Also the id of its replay.
    pub game: String,
    pub status: TableStatus,
    /// While paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<PauseReason>,
    /// The host gave it up; there is no rematch.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub abandoned: bool,
    pub settings: TableSettings,
    /// In the order in which they sat down. Those who left stay listed while the game lasts.
    pub players: Vec<PlayerInfo>,
    /// Who looks on.
    pub spectators: Vec<SpectatorInfo>,
    /// Who may come to the table.
    #[serde(default, skip_serializing_if = "Door::is_open")]
    pub door: Door,
    /// Only players may chat and react.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chat_players_only: bool,
    /// Player ids. The host made the table; the lead runs it now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// Open votes to remove somebody.
    pub votes: Vec<Vote>,
    /// In the lobby: what is still missing for a start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot_start: Option<ErrorCode>,
    /// The start waits a moment for the players' nonces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starting: bool,
    /// The game's file has changed: the lead may restart by the new rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new_rules: bool,
    /// In a workshop: what is wrong with the game's file as it is now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Milliseconds since 1970.
    pub created_at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    pub fairness: Fairness,
    /// What a client fetches once.
    pub definitions: DefinitionLinks,
    /// Milliseconds left of each running clock when this was sent, by decision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<(u32, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TableStatus {
    Lobby,
    Playing,
    Paused,
    Ended,
}

/// Who may come to the table, to play or to watch. Whoever is there already may always come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Door {
    /// Everybody who has the link.
    #[default]
    Open,
    /// Whoever the lead lets in.
    Ask,
    /// Nobody new.
    Locked,
}

impl Door {
    pub fn is_open(&self) -> bool {
        *self == Door::Open
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PauseReason {
    /// The lead did it.
    Lead,
    /// The host's connection is lost, and this game waits for it.
    HostAbsent,
    /// Fewer players than the game needs.
    TooFew,
    /// Nobody who could act is there.
    Deserted,
}

/// Locked at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TableSettings {
    /// By option; what is missing has its default. Choices by name, yes/no as a boolean.
    pub options: BTreeMap<String, OptionSetting>,
    /// Ids of the chosen packs; none chosen means every official one.
    pub pack_ids: Vec<String>,
    /// Ids of variants of the definition, an other way to write some options; applied after `options`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub active_variants: Vec<String>,
    /// A preset of the definition, applied before `options`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionSetting {
    YesNo(bool),
    Number(i32),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerInfo {
    /// Of this table only: `p1`, `p2` …
    pub id: String,
    pub name: String,
    /// The seat in the view; none before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// None: a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<BotLevel>,
    pub presence: Presence,
    pub joined_at: u64,
    pub last_seen: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpectatorInfo {
    /// `s1`, `s2` …
    pub id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
}

/// Somebody who asks the lead to be let in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskerInfo {
    /// `a1`, `a2` …
    pub id: String,
    pub name: String,
    /// Only to look on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub watch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BotLevel {
    Easy,
    Medium,
    Difficult,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Presence {
    /// Connected and playing.
    Active,
    /// Temporarily unavailable, by the player's own switch.
    Away,
    /// The connection is lost; may return.
    Disconnected,
    /// Gone for good.
    Left,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vote {
    pub player_id: String,
    /// Who voted for it.
    pub by: Vec<String>,
    pub needed: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fairness {
    /// SHA-256 of the seed, in hex: told before the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// The seed in hex, told when the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// Addresses of things that never change, so that a browser may keep them for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionLinks {
    /// Of a `Definition`: the rules this table is played by.
    pub game: String,
    /// Of a `TableDefinition`: layout and faces. From the start on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// One line of the chat window: what somebody wrote, or what happened in the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLine {
    /// 1, 2, 3 … at this table.
    pub n: u64,
    pub at: u64,
    pub kind: ChatKind,
    /// Who wrote it, as named then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<ChatAuthor>,
    /// Always to be shown as text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What the rules announced, instead of `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatAuthor {
    /// A player or spectator.
    pub id: String,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChatKind {
    /// Somebody wrote it.
    Said,
    /// A session update: joined, disconnected, lead, pause …
    Session,
    /// The rules announced it to everyone.
    Game,
}
