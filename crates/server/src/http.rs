//! The listener, the API and the pages.

mod answers;
mod body;
mod compress;
mod games;
mod host;
mod invitation;
mod listener;
mod log;
mod me;
mod packs;
mod pages;
mod picture;
mod routes;
mod shared_json;
mod tables;

pub use answers::{TextCache, UnsentAnswers};
pub use body::BodyBudget;
pub use host::Hosts;
pub use listener::{listen, serve};
pub use shared_json::JsonCache;

use crate::Services;
use crate::supervise::panic_text;
use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use baize_protocol::ErrorCode;
use baize_protocol::http::HttpRefused;
use baize_protocol::problem::Problem;
use baize_room::ActionRefusal;
use baize_store::StoreError;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

type AppState = State<Arc<Services>>;

/// Runs around every request: from a browser only our own pages may call, and headers keep a browser from misusing any
/// answer.
async fn guard(State(services): AppState, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let may_compress = api && compress::accepts(request.headers(), "gzip");
    let path = request.uri().path().to_owned();
    let answering = async {
        services.config.faults.trip("http/request", &path);
        match check_host_and_origin(&services, &request) {
            Ok(()) if request.method().is_safe() => next.run(request).await,
            Ok(()) => read_body_and_run(&services, request, next).await,
            Err(refusal) => refusal.into_response(),
        }
    };
    let response = AssertUnwindSafe(answering).catch_unwind().await.unwrap_or_else(|panic| {
        services.metrics.panics.fetch_add(1, Relaxed);
        tracing::error!(panic = panic_text(&*panic), "a request panicked and is refused");
        fault().into_response()
    });
    let response = if api { with_refusal_body(response) } else { response };
    let mut response = if may_compress { compress::compress(response).await } else { response };
    let headers = response.headers_mut();
    // The browser client's files have their own policy; any other answer that a browser opens may load and run nothing.
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

/// Whether a request names this server as its host and comes from an allowed page.
fn check_host_and_origin(services: &Services, request: &Request) -> Result<(), Refusal> {
    services.hosts.check(request).map_err(|bad| match bad {
        host::BadHost::Malformed => refused(StatusCode::BAD_REQUEST, ErrorCode::BadRequest),
        host::BadHost::Foreign => refused(StatusCode::MISDIRECTED_REQUEST, ErrorCode::BadHost),
    })?;
    match host::origin_allowed(services, request.headers()) {
        true => Ok(()),
        false => Err(refused(StatusCode::FORBIDDEN, ErrorCode::BadOrigin)),
    }
}

/// Reads the whole body before the handler runs. A connection that is too slow for that ends.
async fn read_body_and_run(services: &Services, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    // Checked before the body is read, so that a client that expects `100 Continue` does not send it.
    let read = match body::has_allowed_length(&parts.headers) {
        true => body::read(services, body).await,
        false => Err(refused(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge)),
    };
    match read {
        Ok((bytes, _share)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(refusal) => ([(header::CONNECTION, "close")], refusal).into_response(),
    }
}

/// Gives the refusals of axum itself (a method, a body, a header) the same JSON body as all others.
fn with_refusal_body(response: Response) -> Response {
    let status = response.status();
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let code = match status {
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::BadMethod,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::TooLarge,
        StatusCode::NOT_FOUND => ErrorCode::NotFound,
        _ => ErrorCode::BadRequest,
    };
    refused(status, code).into_response()
}

/// The member whose secret the request carries.
fn member(headers: &HeaderMap) -> Option<crate::identity::Member> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    crate::identity::member(value.strip_prefix("Bearer ")?)
}

type Refusal = (StatusCode, Json<HttpRefused>);

fn refused(status: StatusCode, error: ErrorCode) -> Refusal {
    (status, Json(HttpRefused { error, text: error.text().to_owned(), problems: Vec::new() }))
}

fn refused_because(status: StatusCode, error: ErrorCode, problems: Vec<Problem>) -> Refusal {
    (status, Json(HttpRefused { error, text: error.text().to_owned(), problems }))
}

fn refused_action(no: ActionRefusal) -> Refusal {
    let text = no.text.unwrap_or_else(|| no.code.text().to_owned());
    (StatusCode::BAD_REQUEST, Json(HttpRefused { error: no.code, text, problems: Vec::new() }))
}

/// The answer to a request that panicked.
fn fault() -> Refusal {
    let text = "Something went wrong, and that was not done. Try again.".to_owned();
    let error = ErrorCode::Fault;
    (StatusCode::INTERNAL_SERVER_ERROR, Json(HttpRefused { error, text, problems: Vec::new() }))
}

/// The client does not get the reason; the log does.
fn store_failure(error: StoreError) -> Refusal {
    tracing::error!(%error, "store");
    refused(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Storage)
}
