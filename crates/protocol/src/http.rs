//! Bodies of the HTTP API. The browser's secret travels as `Authorization: Bearer …`.

use crate::error::ErrorCode;
use crate::table::{TableSettings, TableStatus};
use baize_engine::definition::Definition;
use baize_engine::view::Batch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `POST /api/tables`. Repeating it with the same `id` and secret gives the same table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTable {
    /// Made by the client: 16 to 64 letters, digits, `-` and `_`.
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
    /// For the link: `<public url>/t/<code>`.
    pub code: String,
    pub url: String,
}

/// `GET /api/tables/{code}`: what anyone with the link may know before joining.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableCard {
    pub code: String,
    pub definition_id: String,
    pub title: String,
    pub status: TableStatus,
    /// Names of the persons who sit there.
    pub players: Vec<String>,
    pub bots: u32,
    /// Milliseconds since 1970.
    pub updated_at: u64,
    /// Why one who is not seated yet would only be able to watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_watch: Option<ErrorCode>,
}

/// `GET /api/me/tables`: never finished or abandoned ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MyTables {
    pub tables: Vec<TableCard>,
}

/// What a list shows of a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackInfo {
    pub id: String,
    pub name: String,
    pub description: String,
    pub official: bool,
    /// Number of cards by deck.
    pub cards: BTreeMap<String, u32>,
    /// This browser uploaded it, and may delete it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mine: bool,
}

/// `GET /api/packs`: the packs of this server, then those this browser has uploaded. Packs of others are not listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackPage {
    pub packs: Vec<PackInfo>,
    /// There are more: ask again with `after` set to this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The answer to `DELETE /api/packs/{id}` and `DELETE /api/me`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deleted {
    /// False: the server will do it by itself, as soon as it can.
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
    /// One by one, where there are several (a pack's mistakes, a game's diagnostics).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// `GET /api/workshop`: the one file that `baize dev` serves, as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workshop {
    /// Its name, without folders.
    pub file: String,
    /// The game, if the file is without errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Definition>,
    /// Errors and warnings, in the order of the file.
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// Where: `row 3`, `cards.prompt[2]`, `line 4, column 7`.
    pub at: String,
    pub message: String,
    pub hint: String,
    /// The line it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// It may be played all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warning: bool,
}

/// A line of a file with a part of it underlined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    pub line: String,
    /// From this character up to that one, counted from 0.
    pub from: u32,
    pub to: u32,
    /// What is written under it; may be empty.
    pub label: String,
}

/// `GET /api/replays/{game}`: a finished game with everything in it, and all that is needed to check its shuffles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    pub game: String,
    pub definition_id: String,
    /// Address of its `Definition`.
    pub game_definition: String,
    /// Address of its `TableDefinition`.
    pub table_definition: String,
    /// Names by seat.
    pub names: Vec<String>,
    /// SHA-256 of the seed; it was told before the deal.
    pub commitment: String,
    pub seed: String,
    /// Of the engine it was played by.
    pub semantics: u32,
    /// The rules file.
    pub source: String,
    /// As the engine takes them.
    pub options: serde_json::Value,
    /// Canonical texts of the packs.
    pub packs: Vec<String>,
    pub seats: u8,
    /// What was put in, as the engine takes it: one for each batch.
    pub steps: Vec<serde_json::Value>,
    /// The view before the first batch, with everything face up.
    pub first: baize_engine::view::View,
    pub batches: Vec<Batch>,
}

/// `GET /api/online`: how much goes on, at all nodes together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Online {
    /// Connected, at a table or watching one.
    pub people: u32,
    /// With somebody at them, or a moment ago.
    pub tables: u32,
}

/// `GET /healthz`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub ok: bool,
    pub version: String,
    /// Whether what happens can be stored at this moment.
    pub stores: bool,
    /// Milliseconds since the last good commit; missing before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_commit: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `docs/operating.md` spells it.
    #[test]
    fn health_tells_since_commit_in_camel_case() {
        let health = Health { ok: true, version: "1".into(), stores: true, since_commit: Some(5) };
        let text = serde_json::to_string(&health).unwrap();
        assert_eq!(text, r#"{"ok":true,"version":"1","stores":true,"sinceCommit":5}"#);
    }
}
