//! Clients that do not read.

use crate::server::{TestServer, quick, secret};
use baize_protocol::http::PacksImported;
use baize_protocol::{Action, Presence};
use baize_store::Faults;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Upper bound on messages: the kernel's buffers and the outbox of one client can't hold as many.
const MAX_MESSAGES: usize = 20_000;

/// MSG-7: a client that does not read is cut off, the others go on, and the client catches up by `seq` when it
/// reconnects.
#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off_and_catches_up() {
    let server = TestServer::alone(|_| {}).await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let mut ben = clients.remove(1);
    let (kept, last) = (ben.view.clone(), ben.last());

    // Ben stops reading, while Ann causes large broadcasts.
    let cleo = clients[0].player("Cleo").id.clone();
    let mut changes = 0;
    while clients[0].player("Ben").presence == Presence::Active && changes < MAX_MESSAGES {
        clients[0].act(Action::Mute { player_id: cleo.clone(), muted: changes % 2 == 0 }).await.unwrap();
        // Cleo reads, and is not affected.
        while clients[1].table().players != clients[0].table().players {
            clients[1].read().await.expect("Cleo is still connected");
        }
        changes += 1;
    }
    assert_eq!(clients[0].player("Ben").presence, Presence::Disconnected, "after {changes} changes");
    assert!(clients[0].chat.iter().any(|line| line.text == "Ben disconnected"));
    let (_, metrics) = server.http("GET", "/metrics", None, "").await;
    assert!(metrics.contains("\nbaize_cut_total 1\n"), "{metrics}");

    // Ben can still read what was sent before; then the connection ends.
    ben.read_until_closed().await;
    let mut back = server.client().await;
    back.view = kept;
    back.join_as(&code, &crate::server::secret("Ben"), None, false, Some(last)).await.unwrap();
    assert!(back.resumed.is_some_and(|batches| batches > 0), "only what was missed: {:?}", back.resumed);
    clients[0].until("Ben is back", |c| c.player("Ben").presence == Presence::Active).await;
    crate::games::catch_up(std::slice::from_mut(&mut back)).await;
    let seq = clients[0].seq();
    back.until("Ben has caught up", |c| c.seq() >= seq).await;
    let mut fresh = server.client().await;
    fresh.join(&code, "Ben").await.unwrap();
    assert_eq!(fresh.view(), back.view());
}

/// LIMIT-8: large answers that clients of one address do not read take 48 MiB at most; more are refused, and reading
/// makes room.
#[tokio::test]
async fn unread_answers_do_not_fill_memory() {
    const BUDGET: usize = 48 * 1024 * 1024;
    let server = TestServer::alone(|_| {}).await;
    let rows: String = (0..20_000).map(|n| format!("answer,{n:05} {}\n", "y".repeat(50))).collect();
    let (_, text) =
        server.http("POST", "/api/packs?name=Big", Some(&secret("Ann")), &format!("deck,text\n{rows}")).await;
    let pack = serde_json::from_str::<PacksImported>(&text).unwrap().packs[0].id.clone();
    let path = format!("/api/packs/{pack}");
    let (status, whole) = server.http("GET", &path, None, "").await;
    assert_eq!(status, 200);
    let expected = BUDGET / whole.len();
    let mut unread = Vec::new();
    let mut given = 0;
    for _ in 0..expected + 10 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(server.address).await.unwrap();
        let ask = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        match &status {
            b"HTTP/1.1 200" => given += 1,
            status => assert_eq!(status, b"HTTP/1.1 503", "after {given}"),
        }
        unread.push(stream);
    }
    assert_eq!(given, expected);
    let waiting = async || {
        let (_, metrics) = server.http("GET", "/metrics", None, "").await;
        let line = metrics.lines().find_map(|line| line.strip_prefix("baize_unsent_bytes ")).unwrap().to_owned();
        line.parse::<usize>().unwrap()
    };
    let bytes = waiting().await;
    assert!(bytes <= BUDGET && bytes > BUDGET - 2 * whole.len(), "{bytes}");
    drop(unread);
    while waiting().await > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.http("GET", &path, None, "").await, (200, whole));
}

/// LIMIT-8: many requests for one definition make the server read it once.
#[tokio::test]
async fn a_definition_for_many_clients_is_read_once() {
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    let server = TestServer::alone(move |config| {
        config.looks_per_minute = 200;
        config.faults = Faults::new(move |point, _| {
            counted.fetch_add(usize::from(point == "store/read"), SeqCst);
            Ok(())
        });
    })
    .await;
    let code = server.table("pig", "Ann", quick()).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    let path = ann.table().definitions.game.clone();
    let before = reads.load(SeqCst);
    for _ in 0..150 {
        assert_eq!(server.http("GET", &path, None, "").await.0, 200);
    }
    // The server also reads for itself now and then.
    assert!(reads.load(SeqCst) - before < 75, "{}", reads.load(SeqCst) - before);
    // LIMIT-1: each request counts as a lookup.
    for _ in 150..200 {
        server.http("GET", &path, None, "").await;
    }
    assert_eq!(server.http("GET", &path, None, "").await.0, 429);
    assert_eq!(server.http("GET", "/api/packs/house", None, "").await.0, 429);
}

/// LIMIT-8: many requests for one replay make the server read and write it once. Making it takes many times its size, so
/// requests at the same time once added up.
#[tokio::test]
async fn a_replay_for_many_clients_is_made_once() {
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    let server = TestServer::alone(move |config| {
        config.faults = Faults::new(move |point, _| {
            counted.fetch_add(usize::from(point == "store/read"), SeqCst);
            Ok(())
        });
    })
    .await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let path = format!("/api/replays/{}", clients[0].table().game);
    assert_eq!(server.http("GET", &path, None, "").await.0, 404);
    clients[0].act(Action::EndGame).await.unwrap();
    let first = server.http("GET", &path, None, "").await;
    assert_eq!(first.0, 200, "{}", first.1);
    let before = reads.load(SeqCst);
    for _ in 0..100 {
        assert_eq!(server.http("GET", &path, None, "").await, first);
    }
    // The server also reads for itself now and then.
    assert!(reads.load(SeqCst) - before < 50, "{}", reads.load(SeqCst) - before);
}

/// HTTP-6: a body that declares a too large length is refused before it is sent.
#[tokio::test]
async fn a_body_of_too_large_length_is_refused_before_it_is_sent() {
    let server = TestServer::alone(|_| {}).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST /api/packs HTTP/1.1\r\nHost: {}\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 413", "{}", String::from_utf8_lossy(&status));
}
