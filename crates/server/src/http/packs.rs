//! Packs: list, import, export, delete.

use super::tables::may_look;
use super::{AppState, Refusal, member, refused, refused_because, store_failure};
use crate::address;
use crate::packs::{self, Deletion, UploadError, Uploader};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use baize_packs::Pack;
use baize_protocol::ErrorCode;
use baize_protocol::http::{Deleted, PackInfo, PackPage, PacksImported};
use baize_store::StoreError;
use serde::Deserialize;
use std::net::SocketAddr;

#[derive(Deserialize)]
pub struct ListQuery {
    #[serde(default)]
    after: String,
    limit: Option<usize>,
}

pub async fn list(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(query): Query<ListQuery>,
    headers: HeaderMap,
) -> Result<Json<PackPage>, Refusal> {
    let member = member(&headers);
    // The server's own packs are in memory; those of a browser are read from the store.
    if member.is_some() {
        may_look(&services, &headers, peer)?;
    }
    let page = services.packs.page(member, &query.after, query.limit, services.store.as_ref()).await;
    page.map(Json).map_err(store_failure)
}

#[derive(Deserialize)]
pub struct UploadQuery {
    /// The name for a pack that does not name itself.
    #[serde(default)]
    name: String,
}

pub async fn upload(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(query): Query<UploadQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<PacksImported>, Refusal> {
    let network = address::client_network(&services.config, &headers, peer);
    if !services.addresses.may_make(&services.config, network) {
        return Err(refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooFast));
    }
    let name = if query.name.trim().is_empty() { "Pack" } else { query.name.trim() };
    let uploader = Uploader { maker: member(&headers), address: network.address(), now: services.config.clock.date() };
    let quotas = services.config.pack_quotas;
    let result = services.packs.upload(&body, name, &uploader, quotas, services.store.as_ref()).await;
    result.map(|packs| Json(PacksImported { packs })).map_err(|error| match error {
        UploadError::Pack(errors) => {
            refused_because(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::BadPack, packs::problems(&errors))
        }
        UploadError::Store(StoreError::AddressFull) => refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::PackQuota),
        UploadError::Store(StoreError::Full) => refused(StatusCode::INSUFFICIENT_STORAGE, ErrorCode::PacksFull),
        UploadError::Store(error) => store_failure(error),
    })
}

fn no_pack() -> Refusal {
    refused(StatusCode::NOT_FOUND, ErrorCode::NoPack)
}

pub async fn info(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<PackInfo>, Refusal> {
    may_look(&services, &headers, peer)?;
    let found = services.packs.info(&id, member(&headers), services.store.as_ref()).await.map_err(store_failure)?;
    found.map(Json).ok_or_else(no_pack)
}

pub async fn delete(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Deleted>, Refusal> {
    let member = member(&headers).ok_or_else(|| refused(StatusCode::UNAUTHORIZED, ErrorCode::BadSecret))?;
    may_look(&services, &headers, peer)?;
    match services.packs.delete(&id, &member, services.store.as_ref()).await.map_err(store_failure)? {
        Deletion::Done => Ok(Json(Deleted { done: true })),
        Deletion::Unknown => Err(no_pack()),
        Deletion::NotYours => Err(refused(StatusCode::FORBIDDEN, ErrorCode::NotYourPack)),
    }
}

#[derive(Deserialize)]
pub struct ExportQuery {
    #[serde(default)]
    format: String,
}

pub async fn export(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(id): Path<String>,
    Query(query): Query<ExportQuery>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    may_look(&services, &headers, peer)?;
    let store = services.store.as_ref();
    let hash = services.packs.hash(&id, store).await.map_err(store_failure)?.ok_or_else(no_pack)?;
    type Write = fn(&Pack) -> String;
    let (kind, ending, write): (_, _, Write) = match query.format.as_str() {
        "csv" => ("text/csv; charset=utf-8", "csv", baize_packs::to_csv),
        _ => ("application/json", "json", baize_packs::to_json),
    };
    let written = async {
        let Some(pack) = services.packs.find(&id, store).await.map_err(store_failure)? else { return Ok(None) };
        let write = || write(&pack.pack).into_bytes();
        // Nobody knows the length yet; a card takes some 50 bytes.
        Ok(Some(services.packs.work_on_text(pack.pack.len() * 50, write).await))
    };
    let text = services.texts.get((hash, ending), || services.config.clock.now(), written).await?;
    let text = text.ok_or_else(no_pack)?;
    // Ids contain only characters that are safe in a header.
    let name = format!("attachment; filename=\"{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text))
}
