//! The listener, the API and the pages.

mod answers;
mod body;
mod compress;
mod games;
mod host;
mod listener;
mod me;
mod packs;
mod pages;
mod routes;
mod tables;

pub use answers::{Answers, Texts};
pub use body::Bodies;
pub use host::Hosts;
pub use listener::{listen, serve};

use crate::Services;
use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use baize_protocol::ErrorCode;
use baize_protocol::http::{HttpRefused, Problem};
use baize_room::ActionRefusal;
use baize_store::StoreError;
use std::sync::Arc;

type Server = State<Arc<Services>>;

/// For every request: only our own pages may call from a browser, and no answer may be taken for something else.
async fn guard(State(services): Server, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let packed = api && compress::takes(request.headers(), "gzip");
    let response = match admitted(&services, &request) {
        Ok(()) if request.method().is_safe() => next.run(request).await,
        Ok(()) => with_body(&services, request, next).await,
        Err(refusal) => refusal.into_response(),
    };
    let response = if api { in_our_words(response) } else { response };
    let mut response = if packed { compress::compressed(response).await } else { response };
    let headers = response.headers_mut();
    // The browser client's files have a policy of their own; whatever else somebody gets a browser to open does nothing.
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

/// Whether a request is meant for this server, and comes from a page that may ask.
fn admitted(services: &Services, request: &Request) -> Result<(), Refusal> {
    services.hosts.check(request).map_err(|bad| match bad {
        host::BadHost::Malformed => refused(StatusCode::BAD_REQUEST, ErrorCode::BadRequest),
        host::BadHost::Foreign => refused(StatusCode::MISDIRECTED_REQUEST, ErrorCode::BadHost),
    })?;
    match host::origin_allowed(services, request.headers()) {
        true => Ok(()),
        false => Err(refused(StatusCode::FORBIDDEN, ErrorCode::BadOrigin)),
    }
}

/// Reads what the request brings along before anybody looks at it. A connection that is too slow for that ends.
async fn with_body(services: &Services, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    // Before the body is asked for: a client that expects `100 Continue` is told not to send it.
    let read = match body::fits(&parts.headers) {
        true => body::read(services, body).await,
        false => Err(refused(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge)),
    };
    match read {
        Ok((bytes, _share)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(refusal) => ([(header::CONNECTION, "close")], refusal).into_response(),
    }
}

/// What axum refuses by itself (a method, a body, a header) gets a body like every other refusal.
fn in_our_words(response: Response) -> Response {
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

/// Whoever asks, by the secret they send.
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

/// The reason goes to the log, not to whoever asked.
fn broken(error: StoreError) -> Refusal {
    tracing::error!(%error, "store");
    refused(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Storage)
}
