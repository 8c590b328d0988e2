//! The log of a table: what happened in its current game, in words for the browser that asks.

use super::tables::may_look;
use super::{AppState, Refusal, member, refused, store_failure};
use crate::player_log::{LogRefusal, read};
use axum::Json;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use baize_protocol::ErrorCode;
use baize_protocol::http::TableLog;
use serde::Deserialize;
use std::net::SocketAddr;

#[derive(Deserialize)]
pub struct LogQuery {
    /// Only steps before this one.
    before: Option<u64>,
}

pub async fn log(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(code): Path<String>,
    Query(query): Query<LogQuery>,
    headers: HeaderMap,
) -> Result<Json<TableLog>, Refusal> {
    let member = member(&headers).ok_or_else(|| refused(StatusCode::UNAUTHORIZED, ErrorCode::BadSecret))?;
    // The code may be a guess, so the request counts as a look-up even if it reads no row.
    may_look(&services, &headers, peer)?;
    let charge = || may_look(&services, &headers, peer).map_err(|_| ErrorCode::TooFast);
    let log = read(&services, &code.to_lowercase(), &member, query.before, charge).await;
    log.map(Json).map_err(|refusal| match refusal {
        LogRefusal::Failed(error) => store_failure(error),
        LogRefusal::Refused(code) => {
            let status = match code {
                ErrorCode::NoTable => StatusCode::NOT_FOUND,
                ErrorCode::OtherVersion => StatusCode::GONE,
                ErrorCode::TooFast => StatusCode::TOO_MANY_REQUESTS,
                ErrorCode::Busy => StatusCode::SERVICE_UNAVAILABLE,
                _ => StatusCode::FORBIDDEN,
            };
            refused(status, code)
        }
    })
}
