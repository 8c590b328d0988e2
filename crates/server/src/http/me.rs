//! Requests of a browser about itself.

use super::{AppState, Refusal, member, refused, store_failure};
use crate::address;
use crate::order_task;
use crate::orders::Order;
use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use baize_protocol::ErrorCode;
use baize_protocol::http::Deleted;
use baize_store::StoreError;
use std::net::SocketAddr;

/// Forgets the member that the secret belongs to. Whatever can't be done at once is done later, also after a restart.
pub async fn forget(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Json<Deleted>, Refusal> {
    let member = member(&headers).ok_or_else(|| refused(StatusCode::UNAUTHORIZED, ErrorCode::BadSecret))?;
    if !services.addresses.may_make(&services.config, address::client_network(&services.config, &headers, peer)) {
        return Err(refused(StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooFast));
    }
    let order = Order::forget(&member);
    let id = order.put(services.store.as_ref(), services.config.clock.date()).await.map_err(|error| match error {
        StoreError::Full => refused(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy),
        error => store_failure(error),
    })?;
    // The order is stored, so it will be carried out even if the server fails now.
    let done = order_task::carry_out(&services, id, &order).await.unwrap_or_else(|error| {
        tracing::warn!(order = id, %error, "an order could not be obeyed yet");
        false
    });
    Ok(Json(Deleted { done }))
}
