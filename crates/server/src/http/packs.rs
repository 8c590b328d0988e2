//! Packs: list, import, export.

use super::{Refusal, Server, address, broken, refused, refused_because};
use crate::shelf::{self, UploadError};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use baize_protocol::ErrorCode;
use baize_protocol::http::{PackInfo, PacksImported};
use serde::Deserialize;
use std::net::SocketAddr;

pub async fn list(State(services): Server) -> Json<Vec<PackInfo>> {
    Json(services.packs.all().iter().map(|pack| shelf::info(&pack.pack)).collect())
}

#[derive(Deserialize)]
pub struct Upload {
    /// What a pack is called that does not name itself.
    #[serde(default)]
    name: String,
}

pub async fn upload(
    State(services): Server,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(query): Query<Upload>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<PacksImported>, Refusal> {
    if !services.addresses.may_make(&services.config, address::of(&services.config, &headers, peer)) {
        return Err(refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooFast));
    }
    let name = if query.name.trim().is_empty() { "Pack" } else { query.name.trim() };
    let result = services.packs.upload(&body, name, services.store.as_ref()).await;
    result.map(|packs| Json(PacksImported { packs })).map_err(|error| match error {
        UploadError::Pack(errors) => {
            refused_because(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::BadPack, shelf::problems(&errors))
        }
        UploadError::Store(error) => broken(error),
    })
}

#[derive(Deserialize)]
pub struct Export {
    #[serde(default)]
    format: String,
}

pub async fn export(
    State(services): Server,
    Path(id): Path<String>,
    Query(query): Query<Export>,
) -> Result<impl IntoResponse, Refusal> {
    let pack = services.packs.get(&id).ok_or_else(|| refused(StatusCode::NOT_FOUND, ErrorCode::NoPack))?;
    let (kind, ending, text) = match query.format.as_str() {
        "csv" => ("text/csv; charset=utf-8", "csv", baize_packs::to_csv(&pack.pack)),
        _ => ("application/json", "json", baize_packs::to_json(&pack.pack)),
    };
    // Ids are plain words, so they can stand in a header.
    let name = format!("attachment; filename=\"{}.{ending}\"", pack.pack.id);
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text))
}
