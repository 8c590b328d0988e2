//! Games and definitions.

use super::shared_json::SharedJson;
use super::tables::may_look;
use super::{AppState, Refusal, refused, refused_because, store_failure};
use crate::identity::unhex;
use crate::library::Compiled;
use axum::Json;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use baize_engine::definition::Definition;
use baize_protocol::ErrorCode;
use baize_protocol::http::Workshop;
use std::net::SocketAddr;

pub async fn list(State(services): AppState) -> Result<SharedJson, Refusal> {
    // The generation is read before the files. If a file changes in between, the next request makes the list again.
    let generation = services.library.generation();
    let made = services.game_list.get(generation, || {
        let all = services.library.all();
        let playable = all.iter().filter_map(|game| match game {
            Compiled::Playable(rules) => Some(&rules.definition),
            Compiled::Broken { .. } => None,
        });
        SharedJson::new("the list of games", &playable.collect::<Vec<_>>())
    });
    made.map_err(|error| store_failure(error.into()))
}

pub async fn definition_of(State(services): AppState, Path(id): Path<String>) -> Result<Json<Definition>, Refusal> {
    match services.library.get(&id) {
        Some(Compiled::Playable(rules)) => Ok(Json(rules.definition.clone())),
        Some(Compiled::Broken { problems, .. }) => {
            Err(refused_because(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::GameBroken, problems))
        }
        None => Err(refused(StatusCode::NOT_FOUND, ErrorCode::NoGame)),
    }
}

/// The file that a designer works on; only in a workshop.
pub async fn workshop(State(services): AppState) -> Result<Json<Workshop>, Refusal> {
    let read = services.config.workshop.as_ref().and_then(|_| services.library.files().into_iter().next());
    let read = read.ok_or_else(|| refused(StatusCode::NOT_FOUND, ErrorCode::NotFound))?;
    let game = match &read.game {
        Compiled::Playable(rules) => Some(rules.definition.clone()),
        Compiled::Broken { .. } => None,
    };
    let file = read.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Json(Workshop { file, game, problems: read.problems() }))
}

/// A blob by its hash. Sources, packs and definitions are not secret, and the content of a hash never changes.
pub async fn definition(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(hash): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    may_look(&services, &headers, peer)?;
    let hash = unhex(&hash).ok_or_else(|| refused(StatusCode::NOT_FOUND, ErrorCode::NotFound))?;
    let read = async {
        let body = services.store.blob(&hash).await.map_err(store_failure)?;
        // Compiled programs are blobs too, but of no use to a client.
        Ok(body.filter(|body| body.first() == Some(&b'{')))
    };
    let body = services.texts.get((hash, "definition"), || services.config.clock.now(), read).await?;
    let body = body.ok_or_else(|| refused(StatusCode::NOT_FOUND, ErrorCode::NotFound))?;
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, body))
}
