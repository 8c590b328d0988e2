//! Connections that take resources without using them, and the client address of a request.

use crate::client::request;
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::HttpRefused;
use baize_protocol::{Action, ErrorCode, TableSettings};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A test fails after this many attempts.
const TRIES: usize = 1000;

async fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream
}

async fn metric(server: &TestServer, name: &str) -> u64 {
    let (_, metrics) = server.http("GET", "/metrics", None, "").await;
    metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap()
}

/// Asks until there are this many connections beside the one that asks.
async fn until_connections(server: &TestServer, expected: u64, mut each_time: impl FnMut()) {
    for _ in 0..TRIES {
        if metric(server, "baize_connections ").await == expected + 1 {
            return;
        }
        each_time();
    }
    panic!("{} connections", metric(server, "baize_connections ").await);
}

/// LIMIT-5: a connection that is not used is closed, whatever request it had begun. Earlier, none of these was ever
/// closed.
#[tokio::test]
async fn every_unused_connection_times_out() {
    let server = TestServer::alone(|_| {}).await;
    let host = format!("Host: {}\r\n", server.address);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let mut held = Vec::new();
    for begun in [
        String::new(),
        "GET /heal".to_owned(),
        format!("GET /healthz HTTP/1.1\r\n{host}"),
        format!("POST /api/packs HTTP/1.1\r\n{host}Content-Length: 1000\r\n\r\nslow"),
        format!("POST /api/packs HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n"),
        format!("GET /healthz HTTP/1.1\r\n{host}\r\n"),
        // Answers that nobody reads.
        format!("GET /api/games HTTP/1.1\r\n{host}\r\n").repeat(200),
        format!("GET /api/ws HTTP/1.1\r\n{host}{upgrade}\r\n"),
    ] {
        held.push(send(server.address, &begun).await);
    }
    until_connections(&server, held.len() as u64, || {}).await;
    until_connections(&server, 0, || server.clock.advance(1_000)).await;
}

/// LIMIT-5: a body that does not arrive is refused.
#[tokio::test]
async fn a_slow_body_is_refused() {
    let server = TestServer::alone(|_| {}).await;
    let head = format!("POST /api/packs HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000\r\n\r\nslow", server.address);
    let mut stream = send(server.address, &head).await;
    until_connections(&server, 1, || {}).await;
    until_connections(&server, 0, || server.clock.advance(1_000)).await;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("http/too-slow"), "{answer}");
}

/// LIMIT-5: a connection stays open from one request to the next.
#[tokio::test]
async fn a_connection_is_kept_while_it_is_used() {
    let server = TestServer::alone(|_| {}).await;
    let ask = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let mut stream = send(server.address, &ask).await;
    let mut buffer = [0; 4096];
    for _ in 0..5 {
        let count = stream.read(&mut buffer).await.unwrap();
        assert!(buffer[..count].starts_with(b"HTTP/1.1 200 "));
        // Each wait is shorter than the timeout; all together are longer.
        server.clock.advance(60_000);
        stream.write_all(ask.as_bytes()).await.unwrap();
    }
}

/// LIMIT-4: an address with too many connections loses its oldest ones and is still served; players stay.
#[tokio::test]
async fn idle_connections_are_shed_for_new_ones() {
    for (each, all) in [(20, usize::MAX), (usize::MAX, 20)] {
        let server = TestServer::alone(|config| {
            config.max_connections_per_address = each;
            config.max_connections = all;
        })
        .await;
        let (_, mut players) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
        let mut idle = Vec::new();
        for _ in 0..100 {
            idle.push(TcpStream::connect(server.address).await.unwrap());
        }
        assert_eq!(server.http("GET", "/api/games", None, "").await.0, 200);
        for player in &mut players {
            player.act(Action::Heartbeat).await.unwrap();
        }
        assert!(metric(&server, "baize_shed_total ").await >= 80);
        assert!(metric(&server, "baize_connections ").await <= 20);
        assert_eq!(idle[0].read(&mut [0; 1]).await.unwrap_or(0), 0, "the oldest is closed");
    }
}

/// LIMIT-4: a server full of players refuses one more connection and says why.
#[tokio::test]
async fn a_server_full_of_players_refuses_newcomers() {
    let server = TestServer::alone(|config| config.max_connections = 3).await;
    let (_, mut players) = server.seated("pig", quick(), &["Ann", "Ben", "Cleo"]).await;
    let host = format!("Host: {}\r\n", server.address);
    match request(server.address, "GET", "/api/games", &host, b"").await {
        Ok((status, _, body)) => assert!(status == 503 && body.contains("server/busy"), "{status} {body}"),
        // The server may close the connection before it has read a request.
        Err(_) => assert!(crate::client::Client::try_connect(server.address).await.is_none()),
    }
    for player in &mut players {
        player.act(Action::Heartbeat).await.unwrap();
    }
}

/// LIMIT-4: a socket that has left a table counts no longer. Earlier, the table kept it as long as it was in memory, and
/// after 256 visits nobody of that address could connect any more.
#[tokio::test]
async fn sockets_that_left_a_table_free_their_places() {
    let server = TestServer::alone(|config| config.max_sockets_per_address = 3).await;
    // The host stays, so the table stays in memory.
    let (code, host) = server.seated("pig", TableSettings::default(), &["Ann"]).await;
    for visit in 0..10 {
        let mut tries = 0;
        let mut visitor = loop {
            if let Some(visitor) = crate::client::Client::try_connect(server.address).await {
                break visitor;
            }
            tries += 1;
            assert!(tries < TRIES, "visit {visit} finds a place");
            tokio::task::yield_now().await;
        };
        visitor.join(&code, "Ben").await.unwrap();
    }
    drop(host);
}

/// LIMIT-4: behind a proxy the clients' connections are counted, not the proxy's.
#[tokio::test]
async fn a_server_behind_a_proxy_counts_its_clients() {
    let server = TestServer::alone(|config| {
        config.proxies = 1;
        config.max_connections_per_address = 4;
    })
    .await;
    let head = |client: &str| format!("Host: {}\r\nX-Forwarded-For: {client}\r\n", server.address);
    let mut slow = Vec::new();
    for _ in 0..4 {
        let text = format!("POST /api/packs HTTP/1.1\r\n{}Content-Length: 1000\r\n\r\nslow", head("1.1.1.1"));
        slow.push(send(server.address, &text).await);
    }
    let ask = async |client: &str| server.request("GET", "/api/games", &head(client), "").await.0;
    for tries in 0.. {
        assert!(tries < TRIES, "the fifth at a time is answered");
        if ask("1.1.1.1").await == 503 {
            break;
        }
    }
    assert_eq!(ask("2.2.2.2").await, 200);
    drop(slow);
}

/// SEC-3: entries that the client itself writes into the header do not count, in whichever line they are.
#[tokio::test]
async fn a_client_cannot_choose_its_address() {
    let server = TestServer::alone(|config| {
        config.proxies = 2;
        config.looks_per_minute = 2;
    })
    .await;
    let look = async |n: u32| {
        let headers = format!(
            "Host: {}\r\nX-Forwarded-For: 6.6.6.{n}, 7.7.7.{n}\r\nX-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n",
            server.address
        );
        server.request("GET", "/api/tables/nowhere2", &headers, "").await.0
    };
    assert_eq!([look(1).await, look(2).await, look(3).await], [404, 404, 429]);
}

/// LIMIT-6: joining an unknown table is a guess, and an address has a limited number of them. Earlier, 179,515 a minute
/// succeeded.
#[tokio::test]
async fn guesses_of_codes_are_limited() {
    let server = TestServer::alone(|config| config.looks_per_minute = 10).await;
    let code = server.table("pig", "Ann", quick()).await;
    // A client that gets in has not guessed.
    for _ in 0..15 {
        server.client().await.join(&code, "Ann").await.unwrap();
    }
    let mut guesses = Vec::new();
    for n in 0..3 {
        let mut guesser = server.client().await;
        for m in 0..4 {
            guesses.push(guesser.join(&format!("nowhere{n}{m}"), "Eve").await.unwrap_err().error);
        }
    }
    assert_eq!(guesses[..10], [ErrorCode::NoTable; 10]);
    assert_eq!(guesses[10..], [ErrorCode::TooFast; 2]);
    let (status, _) = server.http("GET", &format!("/api/tables/{code}"), Some(&secret("Ann")), "").await;
    assert_eq!(status, 429, "looking a table up is the same");
    server.clock.advance(60_000);
    assert_eq!(server.client().await.join("nowhere99", "Eve").await.unwrap_err().error, ErrorCode::NoTable);
}

/// SEC-2: a server with a public name answers to no other, except for monitoring.
#[tokio::test]
async fn other_host_names_are_refused() {
    let server = TestServer::alone(|config| config.public_url = Some("https://cards.example".into())).await;
    let upgrade = "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for (host, path, expected) in [
        ("cards.example", "/api/games", 200),
        ("cards.example:443", "/api/games", 200),
        ("evil.example", "/api/games", 421),
        ("evil.example", "/", 421),
        ("evil.example", "/api/ws", 421),
        ("evil.example", "/healthz", 200),
        ("evil.example", "/metrics", 200),
    ] {
        let (status, body) = server.request("GET", path, &format!("Host: {host}\r\n{upgrade}"), "").await;
        assert_eq!(status, expected, "{host}{path}");
        if status == 421 {
            assert_eq!(serde_json::from_str::<HttpRefused>(&body).unwrap().error, ErrorCode::BadHost);
        }
    }
}
