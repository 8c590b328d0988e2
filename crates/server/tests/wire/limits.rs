//! Limits on what anybody may request.

use crate::client::request;
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::{CreatedTable, HttpRefused, PacksImported};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode};

async fn code(server: &TestServer, path: &str) -> (u16, Option<ErrorCode>) {
    let (status, text) = server.http("GET", path, None, "").await;
    (status, serde_json::from_str::<HttpRefused>(&text).ok().map(|refused| refused.error))
}

/// MSG-6: a socket may send three seconds' worth of messages at once, then a limited number per second; one that goes
/// on is closed.
#[tokio::test]
async fn a_socket_that_sends_too_much_is_refused_and_then_closed() {
    let server = TestServer::start_with(|config| config.actions_per_second = 20).await;
    let code = server.table("pig", "Ann", quick()).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    for _ in 0..59 {
        ann.act(Action::Heartbeat).await.unwrap();
    }
    assert_eq!(ann.expect_refusal(Action::Heartbeat).await, ErrorCode::TooFast);
    server.clock.advance(1000);
    for _ in 0..20 {
        ann.act(Action::Heartbeat).await.unwrap();
    }
    for _ in 0..100 {
        assert_eq!(ann.expect_refusal(Action::Heartbeat).await, ErrorCode::TooFast);
    }
    ann.send_text("one more").await;
    assert_eq!(ann.read_until_closed().await, "protocol/too-fast");
    let mut back = server.client().await;
    back.join(&code, "Ann").await.unwrap();
}

/// JOIN-1: a socket that has not joined within ten seconds is closed, and so is one after eight failed attempts.
#[tokio::test]
async fn a_socket_that_does_not_join_is_closed() {
    let server = TestServer::start().await;
    let code = server.table("pig", "Ann", quick()).await;
    let mut idle = server.client().await;
    assert_eq!(idle.expect_refusal(Action::Heartbeat).await, ErrorCode::JoinFirst);
    server.clock.advance(9_999);
    assert_eq!(idle.expect_refusal(Action::Heartbeat).await, ErrorCode::JoinFirst);
    server.clock.advance(1);
    assert_eq!(idle.read_until_closed().await, "protocol/join-first");
    let mut guesser = server.client().await;
    for n in 0..8 {
        assert_eq!(guesser.join(&format!("nowhere{n}"), "Eve").await.unwrap_err().error, ErrorCode::NoTable);
    }
    assert_eq!(guesser.join(&code, "Eve").await.unwrap_err().error, ErrorCode::TooFast);
    assert_eq!(guesser.read_until_closed().await, "protocol/too-fast");
}

/// LIMIT-1: tables, lookups and sockets of one address are limited; a proxy's header counts only if a proxy is
/// configured.
#[tokio::test]
async fn requests_of_one_address_are_limited() {
    let server = TestServer::alone(|config| {
        config.makes_per_minute = 2;
        config.looks_per_minute = 3;
        config.max_sockets_per_address = 2;
        config.proxies = 1;
    })
    .await;
    let make = async |n: u32, from: &str| {
        let body = format!(r#"{{"id":"0123456789abcde{n}","game":"pig","name":"Ann"}}"#);
        let headers = format!(
            "Host: {}\r\nContent-Type: application/json\r\nX-Forwarded-For: 9.9.9.9, {from}\r\nAuthorization: Bearer {}\r\n",
            server.address,
            secret("Ann")
        );
        let (status, _, text) =
            request(server.address, "POST", "/api/tables", &headers, body.as_bytes()).await.unwrap();
        (status, serde_json::from_str::<HttpRefused>(&text).ok().map(|refused| refused.error))
    };
    assert_eq!(make(1, "1.1.1.1").await.0, 200);
    assert_eq!(make(2, "1.1.1.1").await.0, 200);
    assert_eq!(make(3, "1.1.1.1").await, (429, Some(ErrorCode::TooFast)));
    // Another address has its own limit, and so has another minute.
    assert_eq!(make(3, "2.2.2.2").await.0, 200);
    server.clock.advance(60_000);
    assert_eq!(make(4, "1.1.1.1").await.0, 200);
    for _ in 0..3 {
        assert_eq!(code(&server, "/api/tables/nowhere2").await, (404, Some(ErrorCode::NoTable)));
    }
    assert_eq!(code(&server, "/api/tables/nowhere2").await, (429, Some(ErrorCode::TooFast)));
    assert_eq!(code(&server, "/api/replays/nowhere2-1").await, (429, Some(ErrorCode::TooFast)));
    // So are lists and packs of a secret: each guess costs a read.
    server.clock.advance(60_000);
    let ann = secret("Ann");
    let reads = [
        ("GET", "/api/me/tables", 200),
        ("GET", "/api/packs", 200),
        ("GET", "/api/packs/nope/info", 404),
        ("DELETE", "/api/packs/nope", 404),
    ];
    for (n, (method, path, found)) in reads.into_iter().enumerate() {
        let (status, text) = server.http(method, path, Some(&ann), "").await;
        assert_eq!(status, if n < 3 { found } else { 429 }, "{method} {path}: {text}");
    }
    for (method, path, _) in reads {
        let (status, text) = server.http(method, path, Some(&ann), "").await;
        assert_eq!(status, 429, "{method} {path}: {text}");
    }
    assert_eq!(server.http("GET", "/api/packs", None, "").await.0, 200, "the server's own packs cost no read");
    let sockets = (server.client().await, server.client().await);
    assert!(crate::client::Client::try_connect(server.address).await.is_none());
    drop(sockets);
}

/// LIMIT-2: a full server says so.
#[tokio::test]
async fn a_full_server_says_so() {
    let server = TestServer::alone(|config| config.max_tables = 1).await;
    let (_, clients) = server.seated("pig", TableSettings::default(), &["Ann"]).await;
    let other = server.table("pig", "Ben", TableSettings::default()).await;
    let mut ben = server.client().await;
    assert_eq!(ben.join(&other, "Ben").await.unwrap_err().error, ErrorCode::Busy);
    assert_eq!(code(&server, &format!("/api/tables/{other}")).await, (503, Some(ErrorCode::Busy)));
    drop(clients);
}

/// LIMIT-3: packs are counted once each and limited, a game without packs takes none, and settings stay small, because
/// every message about the table contains them.
#[tokio::test]
async fn settings_are_bounded() {
    let server = TestServer::start().await;
    let headers = format!(
        "Host: {}\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n",
        server.address,
        secret("Ann")
    );
    let make = async |game: &str, settings: serde_json::Value| {
        let id = format!("table-with-settings-{}", crate::client::unique());
        let body = serde_json::json!({ "id": id, "game": game, "name": "Ann", "settings": settings }).to_string();
        request(server.address, "POST", "/api/tables", &headers, body.as_bytes()).await.unwrap().2
    };
    let refused = async |game: &str, settings: serde_json::Value| {
        let text = make(game, settings).await;
        serde_json::from_str::<HttpRefused>(&text).unwrap_or_else(|_| panic!("not refused: {text}")).error
    };
    let cards = "cards-against-humanity";
    let many: Vec<String> = (0..65).map(|n| format!("pack-{n}")).collect();
    assert_eq!(refused(cards, serde_json::json!({ "packIds": many })).await, ErrorCode::TooManyPacks);
    assert_eq!(refused("pig", serde_json::json!({ "packIds": many })).await, ErrorCode::PacksNotUsed);
    assert_eq!(refused("pig", serde_json::json!({ "packIds": ["house"] })).await, ErrorCode::PacksNotUsed);
    let long = "x".repeat(9_000);
    assert_eq!(refused("pig", serde_json::json!({ "options": { "target": long } })).await, ErrorCode::TooLarge);
    assert_eq!(refused("pig", serde_json::json!({ "activeVariants": vec!["x"; 3_000] })).await, ErrorCode::TooLarge);
    // Each of these is as large as a pack may be.
    let mut large = Vec::new();
    for pack in ["One", "Two", "Three"] {
        let rows: String = (0..20_000).map(|n| format!("answer,{pack} {n}\n")).collect();
        let path = format!("/api/packs?name={pack}");
        let body = format!("deck,text\n{rows}");
        let (_, _, text) = request(server.address, "POST", &path, &headers, body.as_bytes()).await.unwrap();
        large.push(serde_json::from_str::<PacksImported>(&text).unwrap().packs[0].id.clone());
    }
    assert_eq!(refused(cards, serde_json::json!({ "packIds": large })).await, ErrorCode::TooManyPacks);
    let text = make(cards, serde_json::json!({ "packIds": vec!["house"; 4_000] })).await;
    let code = serde_json::from_str::<CreatedTable>(&text).unwrap_or_else(|_| panic!("{text}")).code;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.table().settings.pack_ids, ["house"]);

    let packs = |ids: &[String]| Action::Configure {
        settings: TableSettings { pack_ids: ids.to_vec(), ..TableSettings::default() },
    };
    assert_eq!(ann.expect_refusal(packs(&many)).await, ErrorCode::TooManyPacks);
    assert_eq!(ann.expect_refusal(packs(&["nope".into()])).await, ErrorCode::NoPack);
    ann.act(packs(&[large[1].clone(), "house".into(), large[1].clone()])).await.unwrap();
    ann.until("told of it", |c| c.table().settings.pack_ids == [large[1].as_str(), "house"]).await;
    let code = server.table("pig", "Ben", quick()).await;
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    assert_eq!(ben.expect_refusal(packs(&["house".into()])).await, ErrorCode::PacksNotUsed);
}

/// LIMIT-7: one browser may cause only a limited number of broadcasts, however many windows it has.
#[tokio::test]
async fn changes_of_the_table_are_limited() {
    let server = TestServer::start_with(|config| config.actions_per_second = 20).await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let mut window = server.client().await;
    window.join(&code, "Ann").await.unwrap();
    // The limit is thirty changes, and the nonce was one.
    for n in 0..29 {
        let client = if n % 2 == 0 { &mut clients[0] } else { &mut window };
        client.act(Action::SetChat { players_only: n % 2 == 0 }).await.unwrap();
    }
    assert_eq!(window.expect_refusal(Action::SetChat { players_only: true }).await, ErrorCode::TooFast);
    assert_eq!(clients[0].expect_refusal(Action::AddBot { level: BotLevel::Easy }).await, ErrorCode::TooFast);
    window.act(Action::Heartbeat).await.unwrap();
    clients[1].act(Action::Leave).await.unwrap();
    server.clock.advance(500);
    window.act(Action::SetChat { players_only: true }).await.unwrap();
}
