//! The browser client's files, health and metrics.

use super::AppState;
use super::answers::EmbeddedBytes;
use super::compress::accepts;
use super::invitation;
use crate::config::Web;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use baize_protocol::http::{Health, Online};
use bytes::Bytes;
use std::borrow::Cow;
use std::net::SocketAddr;

/// Scripts, styles and sockets only from this server; no page may embed this one, and nothing inline may run.
pub const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

const PRELOAD_GAMES: &str = "</api/games>; rel=preload; as=fetch; crossorigin";

/// Reports a server as unhealthy if it is about to stop, can't store, or has a task that panics all the time, so that a
/// load balancer sends nobody here. The log has the reason; the answer does not.
pub async fn health(State(services): AppState) -> (StatusCode, Json<Health>) {
    let store = services.store.stats().health();
    let is_slow = store.running.is_some_and(|time| time.as_millis() as u64 >= services.config.slow_commit);
    let stores = store.failing.is_none() && !is_slow;
    let ok = stores && !services.hub.is_closing() && services.panics.failing_task().is_none();
    let status = if ok { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let since_commit = store.since_success.map(|time| time.as_millis() as u64);
    (status, Json(Health { ok, version: env!("CARGO_PKG_VERSION").into(), stores, since_commit }))
}

pub async fn online(State(services): AppState) -> Json<Online> {
    let together = match services.cluster.as_ref().and_then(|cluster| cluster.redis.as_ref()) {
        Some(redis) => redis.online(services.config.clock.date()).await,
        None => None,
    };
    // Without Redis a node knows only its own numbers.
    Json(together.unwrap_or_else(|| services.metrics.online()))
}

pub async fn metrics(State(services): AppState) -> Response {
    let text = services.metrics.write(services.store.stats());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// A file of the client. Every other address outside the API is a page of the client, which routes by itself.
pub async fn page(
    State(services): AppState,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return super::refused(StatusCode::NOT_FOUND, baize_protocol::ErrorCode::NotFound).into_response();
    }
    // A page can only be read. In particular a success answer to CONNECT would make a proxy treat the connection as a
    // tunnel.
    if !matches!(method, Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
    }
    let named = if path.is_empty() { "index.html" } else { path };
    let (name, body) = match file(services.config.web, named) {
        Some(body) => (named, body),
        // A name with an extension is a file; if it is missing, the answer is an error and not the start page.
        None if named.contains('.') => return StatusCode::NOT_FOUND.into_response(),
        None => match file(services.config.web, "index.html") {
            Some(body) => ("index.html", body),
            None => return (StatusCode::NOT_FOUND, "The browser client is not part of this build.\n").into_response(),
        },
    };
    let code = path.strip_prefix("t/").filter(|code| name == "index.html" && !code.contains('/'));
    let first = match (path.is_empty(), code) {
        (true, _) => FirstPage::Start,
        (_, Some(_)) => FirstPage::Table,
        _ => FirstPage::Other,
    };
    let links = if name == "index.html" { preload_links(&body, first) } else { None };
    let media_type = content_type(name);
    // Built files carry a hash in their name; the page that refers to them must be fresh.
    let keep = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    // The link of a table has its own page, so that chats can show a preview.
    let of_table = match code {
        Some(code) => invitation::page_of_table(&services, &headers, peer, code, &body).await,
        None => None,
    };
    let (encoding, body) = match of_table {
        Some(page) => ("identity", Cow::Owned(page)),
        None => precompressed(services.config.web, name, &headers).unwrap_or(("identity", body)),
    };
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, keep),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CONTENT_ENCODING, encoding),
        (header::VARY, "accept-encoding"),
    ];
    let mut response = match body {
        Cow::Borrowed(body) => (Extension(EmbeddedBytes), headers, Bytes::from_static(body)).into_response(),
        Cow::Owned(body) => (headers, body).into_response(),
    };
    if let Some(links) = links {
        response.headers_mut().insert(header::LINK, links);
    }
    response
}

/// The page of the client that an address shows first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstPage {
    Start,
    Table,
    Other,
}

/// A `Link` header with everything that the page will request, so that the browser asks before it has read the page:
/// each round trip counts on a slow connection. The start page also needs the list of games.
///
/// The client's build names the files of single pages in tags of their own, which browsers ignore.
fn preload_links(page: &[u8], first: FirstPage) -> Option<HeaderValue> {
    let page = std::str::from_utf8(page).ok()?;
    let named = page.split('<').flat_map(|tag| {
        let wanted = match tag.strip_prefix("meta name=\"").and_then(|rest| rest.split('"').next()) {
            Some("home-file") => first == FirstPage::Start,
            Some("table-file") => first == FirstPage::Table,
            _ => true,
        };
        tag.split('"').filter(move |word| wanted && word.starts_with("/assets/"))
    });
    let files = named.filter_map(|name| match name.rsplit('.').next() {
        Some("js") => Some(format!("<{name}>; rel=modulepreload")),
        Some("css") => Some(format!("<{name}>; rel=preload; as=style; crossorigin")),
        _ => None,
    });
    let links: Vec<String> = files.chain((first == FirstPage::Start).then(|| PRELOAD_GAMES.to_owned())).collect();
    (!links.is_empty()).then(|| HeaderValue::from_str(&links.join(", ")).ok()).flatten()
}

/// The smallest copy that the browser accepts, of those made when the client was built.
fn precompressed(web: Web, name: &str, headers: &HeaderMap) -> Option<(&'static str, Cow<'static, [u8]>)> {
    [("br", "br"), ("gzip", "gz")].into_iter().find_map(|(encoding, ending)| {
        accepts(headers, encoding)
            .then(|| file(web, &format!("{name}.{ending}")).map(|body| (encoding, body)))
            .flatten()
    })
}

fn file(web: Web, name: &str) -> Option<Cow<'static, [u8]>> {
    match web {
        Web::None => None,
        Web::Embedded(files) => files.iter().find(|(path, _)| *path == name).map(|(_, body)| Cow::Borrowed(*body)),
        Web::Folder(folder) => {
            let plain =
                |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':', '\0']);
            if !name.split('/').all(plain) {
                return None;
            }
            std::fs::read(std::path::Path::new(folder).join(name)).ok().map(Cow::Owned)
        }
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: Web = Web::Embedded(&[("a.js", b"plain"), ("a.js.gz", b"gz"), ("a.js.br", b"br"), ("b.js", b"plain")]);

    fn sent(name: &str, accepted: Option<&'static str>) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        if let Some(accepted) = accepted {
            headers.insert(header::ACCEPT_ENCODING, accepted.parse().unwrap());
        }
        precompressed(FILES, name, &headers).map(|(encoding, _)| encoding)
    }

    #[test]
    fn a_page_preloads_the_files_that_it_names() {
        let page =
            br#"<script src="/assets/a-1.js"></script><link rel="stylesheet" href="/assets/b.css"><p>"/x.js"</p>"#;
        let header = |page, first| preload_links(page, first).unwrap().to_str().unwrap().to_owned();
        let files = "</assets/a-1.js>; rel=modulepreload, </assets/b.css>; rel=preload; as=style; crossorigin";
        assert_eq!(header(page, FirstPage::Other), files);
        assert_eq!(header(page, FirstPage::Start), format!("{files}, {PRELOAD_GAMES}"));
        assert_eq!(preload_links(b"<p>nothing</p>", FirstPage::Other), None);
    }

    #[test]
    fn a_page_preloads_no_files_of_another_page() {
        let page = br#"<meta name="home-file" content="/assets/h.js"><meta name="table-file" content="/assets/t.js">
            <script src="/assets/a.js"></script>"#;
        let header = |first| preload_links(page, first).unwrap().to_str().unwrap().to_owned();
        let link = |name: &str| format!("</assets/{name}.js>; rel=modulepreload");
        assert_eq!(header(FirstPage::Other), link("a"));
        assert_eq!(header(FirstPage::Table), format!("{}, {}", link("t"), link("a")));
        assert_eq!(header(FirstPage::Start), format!("{}, {}, {PRELOAD_GAMES}", link("h"), link("a")));
    }

    #[test]
    fn the_smallest_accepted_copy_is_sent() {
        assert_eq!(sent("a.js", Some("gzip, deflate, br;q=0.9")), Some("br"));
        assert_eq!(sent("a.js", Some("gzip, br;q=0")), Some("gzip"));
        assert_eq!(sent("a.js", Some("deflate")), None);
        assert_eq!(sent("a.js", None), None);
        assert_eq!(sent("b.js", Some("gzip, br")), None);
    }
}
