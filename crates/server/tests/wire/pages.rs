//! The browser client's files, and what no page may do.

use crate::client::request;
use crate::server::TestServer;
use baize_protocol::ErrorCode;
use baize_protocol::http::HttpRefused;
use baize_server::Web;
use std::io::Read;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

static FILES: &[(&str, &[u8])] = &[
    ("index.html", b"<!doctype html><title>Baize</title>"),
    ("assets/app-1234.js", b"let x = 1"),
    ("icon.svg", b"<svg/>"),
];

async fn get(server: &TestServer, path: &str) -> (u16, String, String) {
    request(server.address, "GET", path, &format!("Host: {}\r\n", server.address), b"").await.unwrap()
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
    line.map(|line| line.split_once(':').unwrap().1.trim())
}

/// WEB-1: a page can only be read; `CONNECT` is no exception.
#[tokio::test]
async fn pages_accept_only_get_and_head() {
    let server = TestServer::start_with(|config| config.web = Web::Embedded(FILES)).await;
    let host = format!("Host: {}\r\n", server.address);
    for method in ["POST", "PUT", "DELETE", "TRACE", "OPTIONS", "GARBAGE"] {
        let (status, head, _) = request(server.address, method, "/", &host, b"").await.unwrap();
        assert_eq!((status, header(&head, "allow")), (405, Some("GET, HEAD")), "{method}");
    }
    let mut tunnel = TcpStream::connect(server.address).await.unwrap();
    tunnel
        .write_all(format!("CONNECT elsewhere:443 HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes())
        .await
        .unwrap();
    let mut answer = [0; 12];
    tunnel.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 405");
}

/// WEB-1: files have their media type and cache time; every other address is the start page, except a missing file.
#[tokio::test]
async fn the_clients_files_are_served() {
    let server = TestServer::start_with(|config| config.web = Web::Embedded(FILES)).await;
    for (path, kind, keep) in [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/t/abcdefgh", "text/html; charset=utf-8", "no-cache"),
        ("/assets/app-1234.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/icon.svg", "image/svg+xml", "no-cache"),
    ] {
        let (status, head, _) = get(&server, path).await;
        assert_eq!(status, 200, "{path}");
        assert_eq!(header(&head, "content-type"), Some(kind), "{path}");
        assert_eq!(header(&head, "cache-control"), Some(keep), "{path}");
    }
    assert_eq!(get(&server, "/assets/missing.js").await.0, 404);
    let (status, _, text) = get(&server, "/api/nothing").await;
    assert_eq!((status, serde_json::from_str::<HttpRefused>(&text).unwrap().error), (404, ErrorCode::NotFound));
}

/// WEB-2: no inline script runs, nothing loads from elsewhere, no page is embedded and no type is guessed, for pages
/// and for all other answers.
#[tokio::test]
async fn pages_have_a_strict_policy() {
    let server = TestServer::start_with(|config| config.web = Web::Embedded(FILES)).await;
    for path in ["/", "/assets/app-1234.js", "/api/games", "/api/nothing", "/healthz", "/metrics", "/assets/missing.js"]
    {
        let (_, head, _) = get(&server, path).await;
        let policy = header(&head, "content-security-policy").unwrap_or_else(|| panic!("no policy for {path}"));
        assert!(policy.starts_with("default-src 'self'") || policy.starts_with("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
        assert_eq!(header(&head, "x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(header(&head, "referrer-policy"), Some("no-referrer"), "{path}");
    }
}

/// WEB-3: no path leads out of the folder of the files.
#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("dist")).unwrap();
    std::fs::write(folder.path().join("dist/index.html"), "start").unwrap();
    std::fs::write(folder.path().join("secret.txt"), "hidden").unwrap();
    let dist: &'static str = String::leak(folder.path().join("dist").to_str().unwrap().to_owned());
    let server = TestServer::start_with(|config| config.web = Web::Folder(dist)).await;
    assert_eq!(get(&server, "/").await.2, "start");
    for path in [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "//secret.txt",
        "/./../secret.txt",
        "/..\\secret.txt",
    ] {
        let (status, _, text) = get(&server, path).await;
        assert!(!text.contains("hidden"), "{path}");
        assert!(status == 404 || text == "start", "{path}: {status}");
    }
}

/// HTTP-8: large answers are gzipped for clients that accept it, with the same content; the start page preloads the
/// list of games.
#[tokio::test]
async fn the_list_of_games_is_preloaded_and_compressed() {
    let server = TestServer::start_with(|config| config.web = Web::Embedded(FILES)).await;
    let (_, head, _) = get(&server, "/").await;
    assert!(header(&head, "link").is_some_and(|link| link.contains("/api/games")), "{head}");
    let (_, head, plain) = get(&server, "/api/games").await;
    assert_eq!(header(&head, "content-encoding"), None);

    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let ask = format!(
        "GET /api/games HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n",
        server.address
    );
    stream.write_all(ask.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    assert_eq!(header(&head, "content-encoding"), Some("gzip"));
    let body = &answer[end + 4..];
    assert!(2 * body.len() < plain.len(), "{} bytes of {}", body.len(), plain.len());
    let mut text = String::new();
    flate2::read::GzDecoder::new(body).read_to_string(&mut text).unwrap();
    assert_eq!(text, plain);
}
