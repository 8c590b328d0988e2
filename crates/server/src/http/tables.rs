//! Tables: make one, look one up, list one's own, replay one, open a WebSocket.

use super::{AppState, Refusal, member, refused, refused_action, refused_because, store_failure};
use crate::address;
use crate::connections::{Ticket, Visitor};
use crate::frames;
use crate::inbox::TableMessage;
use crate::library::Compiled;
use crate::slow_work::run_aside;
use crate::socket;
use crate::{Services, identity, replay};
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use baize_protocol::http::{CreateTable, CreatedTable, MemberTables, TableCard};
use baize_protocol::{ErrorCode, Presence};
use baize_room::record::{NewTableRecord, TableRecord};
use baize_room::{encode, names, setup};
use baize_store::{MemberRow, NewTable, StoreError};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// Upper bound on the tables in a member's list.
const MAX_LISTED: u32 = 100;

pub async fn create(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Result<Json<CreateTable>, JsonRejection>,
) -> Result<Json<CreatedTable>, Refusal> {
    let bad = |code| refused(StatusCode::BAD_REQUEST, code);
    let Json(body) = body.map_err(|rejection| match rejection.status() {
        status @ StatusCode::PAYLOAD_TOO_LARGE => refused(status, ErrorCode::TooLarge),
        _ => bad(ErrorCode::BadRequest),
    })?;
    let member = member(&headers).ok_or_else(|| refused(StatusCode::UNAUTHORIZED, ErrorCode::BadSecret))?;
    let key = identity::create_key(&member, &body.id).ok_or_else(|| bad(ErrorCode::BadRequest))?;
    let name = names::name(&body.name).map_err(|problem| refused_action(problem.into()))?;
    let network = address::client_network(&services.config, &headers, peer);
    if !services.addresses.may_make(&services.config, network) {
        return Err(refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooFast));
    }
    let rules = match services.library.get(&body.game) {
        Some(Compiled::Playable(rules)) => rules,
        Some(Compiled::Broken { problems, .. }) => {
            return Err(refused_because(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::GameBroken, problems));
        }
        None => return Err(refused(StatusCode::NOT_FOUND, ErrorCode::NoGame)),
    };
    let store = services.store.as_ref();
    let uploaded = services.packs.uploaded(&body.settings.pack_ids, store).await.map_err(store_failure)?;
    let settings =
        setup::settings(&rules, body.settings, services.packs.of_operator(), &uploaded).map_err(refused_action)?;
    let chosen = setup::packs(&rules, &settings, services.packs.of_operator(), &uploaded).map_err(refused_action)?;
    let uploaded: Vec<_> = chosen.iter().filter(|pack| pack.uploaded).collect();
    services.library.store_once(&rules, services.store.as_ref()).await.map_err(store_failure)?;
    let now = services.config.clock.date();
    // A random code is practically never taken; if it is, the next attempt uses another.
    for _ in 0..4 {
        let code = identity::code();
        let record = TableRecord::new(NewTableRecord {
            code: code.clone(),
            rules: &rules,
            settings: settings.clone(),
            member,
            name: name.clone(),
            seed: identity::random(),
            date: now,
        });
        let record = encode::json("a table's record", &record).map_err(|error| store_failure(error.into()))?;
        let members = vec![MemberRow { member, name: name.clone(), n: None }];
        let blobs = rules.pin.blobs().into_iter().chain(uploaded.iter().map(|pack| pack.hash)).collect();
        let (origin, quotas) = (Some(services.packs.origin(network.address())), services.config.table_quotas);
        let table = NewTable { key, code, at: now, record, members, blobs, origin, quotas };
        match services.store.create(table).await {
            Ok(created) => {
                let ids: Vec<String> = uploaded.iter().map(|pack| pack.pack.id.clone()).collect();
                if !ids.is_empty() {
                    services.store.touch_packs(ids, now).await.map_err(store_failure)?;
                }
                let url = format!("{}/t/{}", services.public_url, created.code);
                return Ok(Json(CreatedTable { code: created.code, url }));
            }
            Err(StoreError::Taken) => continue,
            Err(StoreError::AddressFull) => return Err(refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TableQuota)),
            Err(StoreError::Full) => return Err(refused(StatusCode::INSUFFICIENT_STORAGE, ErrorCode::TablesFull)),
            // No table used these rules any more, so their blobs were deleted.
            Err(StoreError::Missing) => {
                services.library.store(&rules, services.store.as_ref()).await.map_err(store_failure)?
            }
            Err(error) => return Err(store_failure(error)),
        }
    }
    Err(refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy))
}

/// Refuses too many lookups from one address: each costs the server a read, also if its code or secret is a guess.
pub fn may_look(services: &Services, headers: &HeaderMap, peer: SocketAddr) -> Result<(), Refusal> {
    match services.addresses.may_look(&services.config, address::client_network(&services.config, headers, peer)) {
        true => Ok(()),
        false => Err(refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooFast)),
    }
}

pub async fn look(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Json<TableCard>, Refusal> {
    may_look(&services, &headers, peer)?;
    let unknown = || refused(StatusCode::NOT_FOUND, ErrorCode::NoTable);
    let code = code.to_lowercase();
    // Without this check a guessed code would open a room for nothing.
    let row = services.store.peek(&code).await.map_err(store_failure)?.ok_or_else(unknown)?;
    let (reply, answer) = oneshot::channel();
    let look = TableMessage::Look { member: member(&headers).map(Box::new), guest: false, reply };
    services.hub.pass(&services, &code, look).map_err(|code| refused(StatusCode::SERVICE_UNAVAILABLE, code))?;
    let mut card = answer.await.unwrap_or(Err(ErrorCode::Closing)).map_err(|code| match code {
        ErrorCode::NoTable => unknown(),
        ErrorCode::OtherVersion => refused(StatusCode::GONE, code),
        code => refused(StatusCode::SERVICE_UNAVAILABLE, code),
    })?;
    card.updated_at = row.updated_at;
    Ok(Json(card))
}

pub async fn tables_of_member(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Json<MemberTables>, Refusal> {
    let member = member(&headers).ok_or_else(|| refused(StatusCode::UNAUTHORIZED, ErrorCode::BadSecret))?;
    may_look(&services, &headers, peer)?;
    let rows = services.store.tables_of(&member, MAX_LISTED).await.map_err(store_failure)?;
    let records = rows.iter().filter_map(|row| {
        let record: TableRecord = serde_json::from_slice(&row.record)
            .inspect_err(|error| tracing::error!(code = %row.code, %error, "a record is damaged and not listed"))
            .ok()?;
        // The list has only tables at which the member may still sit.
        let seated = record.by_member(&member).is_some_and(|player| player.presence != Presence::Left);
        (seated && !record.banned.contains(&member)).then(|| record.card(row.updated_at, None))
    });
    Ok(Json(MemberTables { tables: records.collect() }))
}

pub async fn replay(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    may_look(&services, &headers, peer)?;
    // The replay of a long game takes many times its size while it is made. So one is made at a time, and many requests
    // for the same replay share it.
    let read = async {
        let replay = replay::read(&services, &game).await.map_err(store_failure)?;
        let written = run_aside(|| replay.map(|replay| encode::json("a replay", &replay)).transpose());
        written.map_err(|error| store_failure(error.into()))
    };
    let key = (identity::hash(&[game.as_bytes()]), "replay");
    let text = services.replays.get(key, || services.config.clock.now(), read).await?;
    let text = text.ok_or_else(|| refused(StatusCode::NOT_FOUND, ErrorCode::NoReplay))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text))
}

/// Turns a request into a WebSocket.
pub async fn socket(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Extension(ticket): Extension<Arc<Ticket>>,
    mut request: Request,
) -> Result<Response, Response> {
    let key = websocket_key(request.headers()).map_err(|bad| bad.answer())?;
    let upgrade = request.extensions_mut().remove::<OnUpgrade>().ok_or_else(|| BadUpgrade::Malformed.answer())?;
    let network = address::client_network(&services.config, request.headers(), peer);
    if !ticket.become_socket() {
        return Err(refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy).into_response());
    }
    // The handshake and the socket are two tasks, so that the memory that the upgrade needs is freed before the socket's life
    // begins.
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let Ok(parts) = upgraded.downcast::<TokioIo<TcpStream>>() else { return };
        // The early bytes are copied: they are few bytes of a large buffer.
        let (stream, early) = (parts.io.into_inner(), parts.read_buf.to_vec());
        tokio::spawn(socket::run(services, stream, early, Visitor { ticket, network }));
    });
    let answer = [
        (header::CONNECTION, "Upgrade".to_owned()),
        (header::UPGRADE, "websocket".to_owned()),
        (header::SEC_WEBSOCKET_ACCEPT, frames::accept(&key)),
    ];
    Ok((StatusCode::SWITCHING_PROTOCOLS, answer).into_response())
}

/// Why a request can't become a WebSocket.
enum BadUpgrade {
    Malformed,
    /// The client speaks another version of the WebSocket protocol.
    Version,
}

impl BadUpgrade {
    fn answer(self) -> Response {
        match self {
            BadUpgrade::Malformed => refused(StatusCode::BAD_REQUEST, ErrorCode::BadRequest).into_response(),
            BadUpgrade::Version => {
                let ours = [(header::SEC_WEBSOCKET_VERSION, "13"), (header::UPGRADE, "websocket")];
                (ours, refused(StatusCode::UPGRADE_REQUIRED, ErrorCode::BadVersion)).into_response()
            }
        }
    }
}

/// The key of a valid request for a WebSocket (RFC 6455, 4.2.1).
fn websocket_key(headers: &HeaderMap) -> Result<String, BadUpgrade> {
    let says = |name: header::HeaderName, word: &str| {
        let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|said| said.trim().eq_ignore_ascii_case(word))
    };
    let only = |name: header::HeaderName| {
        let mut values = headers.get_all(name).into_iter();
        values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
    };
    if !says(header::CONNECTION, "upgrade") || !says(header::UPGRADE, "websocket") {
        return Err(BadUpgrade::Malformed);
    }
    match only(header::SEC_WEBSOCKET_VERSION) {
        Some("13") => {}
        Some(_) => return Err(BadUpgrade::Version),
        None => return Err(BadUpgrade::Malformed),
    }
    let key = only(header::SEC_WEBSOCKET_KEY).filter(|key| frames::is_key(key));
    key.map(str::to_owned).ok_or(BadUpgrade::Malformed)
}
