//! The listener, the API and the pages.

mod address;
mod compress;
mod games;
mod packs;
mod pages;
mod routes;
mod tables;

pub use address::Addresses;

use crate::Services;
use crate::room::No;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use baize_protocol::ErrorCode;
use baize_protocol::http::{HttpRefused, Problem};
use baize_store::StoreError;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpSocket};

type Server = State<Arc<Services>>;

/// Small socket buffers: a client that does not read must not hold much of the kernel's memory either. Sockets accepted
/// from this one have the same.
const SOCKET_BUFFER: u32 = 32 * 1024;

pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SOCKET_BUFFER)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER)?;
    socket.bind(address)?;
    socket.listen(4096)
}

pub async fn serve(
    services: Arc<Services>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let app = routes::router()
        .layer(middleware::from_fn_with_state(services.clone(), guard))
        .with_state(services)
        .into_make_service_with_connect_info::<SocketAddr>();
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        // A move is one small message; waiting to fill a packet would only delay it.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).with_graceful_shutdown(shutdown).await
}

/// For every request: only our own pages may call from a browser, and no answer may be taken for something else.
async fn guard(State(services): Server, request: Request, next: Next) -> Response {
    if !origin_allowed(&services, request.headers()) {
        return refused(StatusCode::FORBIDDEN, ErrorCode::BadOrigin).into_response();
    }
    let api = request.uri().path().starts_with("/api/");
    let packed = api && compress::takes(request.headers(), "gzip");
    let response = next.run(request).await;
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

/// A browser says where a page comes from; whatever says nothing is no browser and has no cookies of ours to misuse.
fn origin_allowed(services: &Services, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let own = origin.split_once("://").is_some_and(|(_, rest)| !host.is_empty() && rest == host);
    own || origin == services.public_url || services.config.origins.iter().any(|allowed| allowed == origin)
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

fn refused_no(no: No) -> Refusal {
    let text = no.text.unwrap_or_else(|| no.code.text().to_owned());
    (StatusCode::BAD_REQUEST, Json(HttpRefused { error: no.code, text, problems: Vec::new() }))
}

/// The reason goes to the log, not to whoever asked.
fn broken(error: StoreError) -> Refusal {
    tracing::error!(%error, "store");
    refused(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Storage)
}
