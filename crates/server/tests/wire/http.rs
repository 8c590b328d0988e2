//! The HTTP API.

use crate::server::{TestServer, quick, secret};
use baize_protocol::http::{CreatedTable, HttpRefused, MemberTables, PacksImported, TableCard};
use baize_protocol::{Action, BotLevel, Door, ErrorCode, TableStatus};

/// HTTP-1: the list of games has the documented form, with the rulings.
#[tokio::test]
async fn games_are_listed() {
    let server = TestServer::start().await;
    let (status, text) = server.http("GET", "/api/games", None, "").await;
    assert_eq!(status, 200);
    let games: serde_json::Value = serde_json::from_str(&text).unwrap();
    let donkey = games.as_array().unwrap().iter().find(|game| game["id"] == "donkey").unwrap();
    for field in [
        "name",
        "description",
        "minPlayers",
        "maxPlayers",
        "decks",
        "slots",
        "defaultSettings",
        "variants",
        "phases",
        "initialPhase",
    ] {
        assert!(!donkey[field].is_null(), "{field}");
    }
    assert!(!donkey["notes"].as_array().unwrap().is_empty());
    assert_eq!(server.http("GET", "/api/games/nothing", None, "").await.0, 404);
    let (_, openapi) = server.http("GET", "/api/openapi.json", None, "").await;
    assert!(openapi.contains("/api/tables/{code}"));
    assert_eq!(server.http("GET", "/healthz", None, "").await.0, 200);
}

/// HTTP-2: a repeated request for a table makes it once, and only for the same browser.
#[tokio::test]
async fn creation_is_idempotent() {
    let server = TestServer::start().await;
    let body = r#"{"id":"0123456789abcdef","game":"donkey","name":"Ann"}"#;
    let make = async |who: &str| {
        let (status, text) = server.http("POST", "/api/tables", Some(&secret(who)), body).await;
        assert_eq!(status, 200, "{text}");
        serde_json::from_str::<CreatedTable>(&text).unwrap().code
    };
    let code = make("Ann").await;
    assert_eq!(make("Ann").await, code);
    assert_ne!(make("Ben").await, code);
    for (body, who, expected) in [
        ("{", Some("Ann"), ErrorCode::BadRequest),
        (r#"{"id":"x","game":"donkey","name":"Ann"}"#, Some("Ann"), ErrorCode::BadRequest),
        (body, None, ErrorCode::BadSecret),
        (r#"{"id":"0123456789abcdee","game":"nothing","name":"Ann"}"#, Some("Ann"), ErrorCode::NoGame),
        (r#"{"id":"0123456789abcdee","game":"donkey","name":" "}"#, Some("Ann"), ErrorCode::BadName),
        (
            r#"{"id":"0123456789abcdee","game":"donkey","name":"Ann","settings":{"options":{"nope":3}}}"#,
            Some("Ann"),
            ErrorCode::BadOption,
        ),
        (
            r#"{"id":"0123456789abcdee","game":"donkey","name":"Ann","settings":{"options":{"clock":9999}}}"#,
            Some("Ann"),
            ErrorCode::BadOption,
        ),
    ] {
        let (_, text) = server.http("POST", "/api/tables", who.map(secret).as_deref(), body).await;
        let refused: HttpRefused = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(refused.error, expected, "{body}");
    }
}

/// HTTP-3, HTTP-4: the card of a table, and the list of tables to continue, which has no finished or abandoned ones.
#[tokio::test]
async fn tables_are_looked_up_and_listed() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    let look = async |who: Option<&str>| {
        let (_, text) = server.http("GET", &format!("/api/tables/{code}"), who.map(secret).as_deref(), "").await;
        serde_json::from_str::<TableCard>(&text).unwrap()
    };
    let card = look(None).await;
    assert_eq!((card.status, card.bots), (TableStatus::Lobby, 1));
    assert_eq!(card.players, ["Ann", "Ben"]);
    assert_eq!(card.only_watch, None);
    clients[0].act(Action::StartGame).await.unwrap();
    assert_eq!(look(None).await.only_watch, Some(ErrorCode::NoNewcomers));
    assert_eq!(look(Some("Ben")).await.only_watch, None);
    let mine = async |who: &str| {
        let (_, text) = server.http("GET", "/api/me/tables", Some(&secret(who)), "").await;
        serde_json::from_str::<MemberTables>(&text).unwrap().tables
    };
    assert_eq!(mine("Ben").await.len(), 1);
    assert_eq!(mine("Ben").await[0].status, TableStatus::Playing);
    assert!(mine("Somebody").await.is_empty());
    clients[0].act(Action::AbandonGame).await.unwrap();
    assert!(mine("Ben").await.is_empty());
    assert_eq!(server.http("GET", "/api/tables/nothing1", None, "").await.0, 404);
    assert_eq!(server.http("GET", "/api/me/tables", None, "").await.0, 401);
}

/// HTTP-3, HTTP-9: an invitation tells the game, the host and the seats; a locked table tells strangers the game alone.
#[tokio::test]
async fn an_invitation_tells_strangers_no_more_than_it_should() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let look = async |who: Option<&str>| {
        let (_, text) = server.http("GET", &format!("/api/tables/{code}"), who.map(secret).as_deref(), "").await;
        serde_json::from_str::<TableCard>(&text).unwrap()
    };
    let card = look(None).await;
    assert_eq!((card.host.as_deref(), card.seats, card.door), (Some("Ann"), Some(8), Door::Open));
    let picture = format!("/api/tables/{code}/picture.png");
    assert_eq!(server.http("GET", &picture, None, "").await.0, 200);
    assert_eq!(server.http("GET", "/api/tables/nothing1/picture.png", None, "").await.0, 404);
    clients[0].act(Action::SetDoor { door: Door::Locked }).await.unwrap();
    let card = look(None).await;
    assert_eq!((card.host, card.players.len(), card.door), (None, 0, Door::Locked));
    assert_eq!(look(Some("Ben")).await.players, ["Ann", "Ben"]);
    assert_eq!(server.http("GET", &picture, None, "").await.0, 200);
}

/// HTTP-5: packs can be imported as CSV, compact JSON or our own JSON, with every problem named, and exported again.
#[tokio::test]
async fn packs_are_imported_and_exported() {
    let server = TestServer::start().await;
    let (status, text) =
        server.http("POST", "/api/packs?name=Mine", None, "deck,text\nprompt,I like _.\nanswer,Tea").await;
    assert_eq!(status, 200, "{text}");
    let imported: PacksImported = serde_json::from_str(&text).unwrap();
    assert_eq!(imported.packs[0].cards["answer"], 1);
    assert!(!imported.packs[0].official);
    let id = &imported.packs[0].id;
    let (_, csv) = server.http("GET", &format!("/api/packs/{id}?format=csv"), None, "").await;
    assert!(csv.contains("Tea"));
    let (_, again) = server.http("POST", "/api/packs?name=Mine", None, "deck,text\nanswer,Rain").await;
    assert_ne!(&serde_json::from_str::<PacksImported>(&again).unwrap().packs[0].id, id);
    let (status, text) = server.http("POST", "/api/packs", None, "{\"id\": 3").await;
    assert_eq!(status, 422);
    let refused: HttpRefused = serde_json::from_str(&text).unwrap();
    assert_eq!(refused.error, ErrorCode::BadPack);
    assert!(!refused.problems.is_empty());
    let server = server.restart().await;
    let (_, csv) = server.http("GET", &format!("/api/packs/{id}?format=csv"), None, "").await;
    assert!(csv.contains("Tea"));
}

/// SEC-1: pages of other sites are refused, by HTTP and by WebSocket.
#[tokio::test]
async fn foreign_origins_are_refused() {
    let server = TestServer::start().await;
    let host = format!("Host: {}\r\n", server.address);
    let upgrade = "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let evil = format!("{host}Origin: https://evil.example\r\n");
    assert_eq!(server.request("GET", "/api/games", &evil, "").await.0, 403);
    assert_eq!(server.request("GET", "/api/ws", &format!("{evil}{upgrade}"), "").await.0, 403);
    let own = format!("{host}Origin: http://{}\r\n", server.address);
    assert_eq!(server.request("GET", "/api/games", &own, "").await.0, 200);
}
