//! Bodies of the HTTP API. A browser sends its secret as `Authorization: Bearer …`.

use crate::error::ErrorCode;
use crate::problem::Problem;
use crate::table::{Door, TableSettings, TableStatus};
use baize_engine::definition::Definition;
use baize_engine::view::Batch;
use baize_narrator::Narration;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `POST /api/tables`. A repeated request with the same `id` and secret gets the same table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTable {
    /// The client chooses it: 16 to 64 letters, digits, `-` and `_`.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The host's display name.
    pub name: String,
    #[serde(default)]
    pub settings: TableSettings,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedTable {
    /// The code in the link: `<public url>/t/<code>`.
    pub code: String,
    pub url: String,
}

/// `GET /api/tables/{code}`: what everybody with the link may know before joining.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableCard {
    pub code: String,
    pub definition_id: String,
    pub title: String,
    pub status: TableStatus,
    /// Names of the people at the table; empty for a stranger if the table is locked.
    pub players: Vec<String>,
    pub bots: u32,
    /// Name of the person who made the table; absent if they have no place there, or for a stranger at a locked table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// How many players and bots can sit at the table; absent in the list of a browser's tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<u32>,
    /// Who may come in; absent if everybody with the link may.
    #[serde(default, skip_serializing_if = "Door::is_open")]
    pub door: Door,
    /// Milliseconds since 1970.
    pub updated_at: u64,
    /// Why a person without a seat could only watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_watch: Option<ErrorCode>,
}

/// `GET /api/me/tables`: this browser's tables, without finished and abandoned ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberTables {
    pub tables: Vec<TableCard>,
}

/// An entry in a list of packs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackInfo {
    pub id: String,
    pub name: String,
    pub description: String,
    pub official: bool,
    /// Number of cards by deck.
    pub cards: BTreeMap<String, u32>,
    /// This browser uploaded the pack and may delete it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
}

/// `GET /api/packs`: the packs of this server, then those that this browser uploaded. Packs of other browsers are not
/// listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackPage {
    pub packs: Vec<PackInfo>,
    /// Present if there are more packs: repeat the request with `after` set to this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The answer to `DELETE /api/packs/{id}` and `DELETE /api/me`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deleted {
    /// False if the server has not finished yet and will finish by itself.
    pub done: bool,
}

/// The answer to `POST /api/packs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PacksImported {
    pub packs: Vec<PackInfo>,
}

/// A refused request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HttpRefused {
    pub error: ErrorCode,
    pub text: String,
    /// The single mistakes of a pack, or the diagnostics of a game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// `GET /api/workshop`: the current state of the file that `baize dev` serves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workshop {
    /// The file's name, without folders.
    pub file: String,
    /// Present if the file has no errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Definition>,
    /// Errors and warnings, in the order of the file.
    pub problems: Vec<Problem>,
}

/// `GET /api/replays/{game}`: a finished game with all its secrets, and everything needed to verify its shuffles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    pub game: String,
    pub definition_id: String,
    /// Address of the game's `Definition`.
    pub game_definition: String,
    /// Address of the game's `TableDefinition`.
    pub table_definition: String,
    /// Names by seat.
    pub names: Vec<String>,
    /// SHA-256 of the seed, published before the deal.
    pub commitment: String,
    pub seed: String,
    /// The version of the engine's semantics that played the game.
    pub semantics: u32,
    /// The rules file.
    pub source: String,
    /// The options in the engine's form.
    pub options: serde_json::Value,
    /// Canonical texts of the packs.
    pub packs: Vec<String>,
    pub seats: u8,
    /// The moves and inputs in the engine's form, one for each batch.
    pub steps: Vec<serde_json::Value>,
    /// The view before the first batch, with everything face up.
    pub first: baize_engine::view::View,
    pub batches: Vec<Batch>,
    /// What happened in each batch, in words.
    #[serde(default)]
    pub narrations: Vec<Vec<Narration>>,
}

/// `GET /api/tables/{code}/log`: what happened in the current game, as this browser's player or a spectator was told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableLog {
    pub game: String,
    /// The server's time, in milliseconds since 1970.
    pub now: u64,
    /// At most 300 steps, in order.
    pub steps: Vec<LogStep>,
    /// There are earlier steps: repeat the request with `before` set to the first `seq`.
    pub earlier: bool,
}

/// A step of the game of which there is something to tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogStep {
    pub seq: u64,
    /// Milliseconds since 1970.
    pub at: u64,
    /// The seat that has moved; absent if the step is no move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub narrations: Vec<Narration>,
}

/// `GET /api/online`: people and tables on all nodes together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Online {
    /// People who are connected as players or spectators.
    pub people: u32,
    /// Tables with a connected person, now or a moment ago.
    pub tables: u32,
}

/// `GET /healthz`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub ok: bool,
    pub version: String,
    /// Whether the store accepts commits at the moment.
    pub stores: bool,
    /// Milliseconds since the last successful commit; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_commit: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/operating.md` shows this spelling.
    #[test]
    fn health_is_written_in_camel_case() {
        let health = Health { ok: true, version: "1".into(), stores: true, since_commit: Some(5) };
        let text = serde_json::to_string(&health).unwrap();
        assert_eq!(text, r#"{"ok":true,"version":"1","stores":true,"sinceCommit":5}"#);
    }
}
