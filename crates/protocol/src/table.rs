//! The public state of a table: people, settings, status. The cards and dice are in the view.

use crate::error::ErrorCode;
use crate::problem::Problem;
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
    /// The id of this game and of its replay; a rematch has another.
    pub game: String,
    pub status: TableStatus,
    /// Why the table is paused; absent if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<PauseReason>,
    /// The host ended the table; no rematch is possible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub abandoned: bool,
    pub settings: TableSettings,
    /// Some of the chosen packs were uploaded by somebody: the words on their cards can be reported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uploaded_packs: bool,
    /// In the order in which they joined. Players who left stay listed while the game lasts.
    pub players: Vec<PlayerInfo>,
    pub spectators: Vec<SpectatorInfo>,
    #[serde(default, skip_serializing_if = "Door::is_open")]
    pub door: Door,
    /// Only players may chat and react.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chat_players_only: bool,
    /// The id of the player who made the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The id of the player who runs the table now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// Open votes to remove a player.
    pub votes: Vec<Vote>,
    /// In the lobby: why the game can't start yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot_start: Option<ErrorCode>,
    /// Ids of players who want to play another game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
    /// The start waits for the players' nonces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starting: bool,
    /// The game's file has changed: the lead may restart the game with the new rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new_rules: bool,
    /// Under `baize dev`: the errors and warnings of the game's file as it is now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Milliseconds since 1970.
    pub created_at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<u64>,
    pub fairness: Fairness,
    /// Addresses of the definitions, which a client fetches once.
    pub definitions: DefinitionLinks,
    /// The running clocks: the id of the decision, and the milliseconds that were left when this was sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<(u32, u64)>,
    /// Absent players for whom something happens by itself, in the order of the players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absences: Vec<Absence>,
}

/// What happens by itself if an absent player does not come back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Absence {
    pub player_id: String,
    /// The milliseconds that were left when this was sent.
    pub ms: u64,
    pub end: AbsenceEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AbsenceEnd {
    /// The rules decide for the player, and the game goes on.
    Skipped,
    /// The player loses the seat.
    Leaves,
    /// Somebody else becomes the lead.
    LeadPasses,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TableStatus {
    Lobby,
    Playing,
    Paused,
    Ended,
}

/// Who may come to the table, to play or to watch. People who are at the table already may always come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Door {
    /// Everybody who has the link.
    #[default]
    Open,
    /// Only people whom the lead admits.
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
    /// The lead paused the game.
    Lead,
    /// The host's connection is lost, and the rules of this game wait for the host.
    HostAbsent,
    /// There are fewer players than the game needs.
    TooFew,
    /// Nobody who could act is present.
    Deserted,
}

/// The choices before a game. The start of the game locks them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TableSettings {
    /// Values by the option's name. An absent option has its default. A choice is given by name, yes/no as a boolean.
    pub options: BTreeMap<String, OptionSetting>,
    /// Ids of the chosen packs. An empty list means all official packs.
    pub pack_ids: Vec<String>,
    /// Ids of the definition's variants, which are another way to set some options; applied after `options`.
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
    /// `p1`, `p2` …, unique at this table only.
    pub id: String,
    pub name: String,
    /// The seat in the view; absent before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// Absent for a person.
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
    /// `s1`, `s2` …, unique at this table only.
    pub id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
}

/// A person who asks the lead to come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskerInfo {
    /// `a1`, `a2` …, unique at this table only.
    pub id: String,
    pub name: String,
    /// The person wants to watch only.
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
    /// The player switched to "I'm away".
    Away,
    /// The connection is lost; the player may return.
    Disconnected,
    /// The player left for good.
    Left,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vote {
    pub player_id: String,
    /// Ids of the players who voted for the removal.
    pub by: Vec<String>,
    pub needed: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fairness {
    /// SHA-256 of the seed, in hex, published before the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// The seed in hex, published when the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// Addresses of resources that never change, so that a browser may cache them for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionLinks {
    /// Address of the `Definition`: the game as its rules describe it.
    pub game: String,
    /// Address of the `TableDefinition`: layout and faces. Absent before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// One line of the chat window: a message of a person, or a session update.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLine {
    /// The number of the line at this table, counted from 1.
    pub n: u64,
    /// Milliseconds since 1970.
    pub at: u64,
    pub kind: ChatKind,
    /// The author, with the name at the time of writing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<ChatAuthor>,
    /// Plain text; a client must not interpret markup in it.
    #[serde(default)]
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatAuthor {
    /// The id of a player or spectator.
    pub id: String,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChatKind {
    /// A person wrote the line.
    Said,
    /// A session update: joined, disconnected, lead, pause … Earlier versions stored announcements of the rules as `game`, without a text.
    #[serde(alias = "game")]
    Session,
}
