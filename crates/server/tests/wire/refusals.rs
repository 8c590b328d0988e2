//! Bad input: a precise code, nothing lost, and the socket closed where that is right.

use crate::client::request;
use crate::server::{TestServer, quick};
use baize_engine::view::{Answer, Chosen};
use baize_protocol::http::HttpRefused;
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, ErrorCode};
use tokio_tungstenite::tungstenite::Message;

/// Method, path, content type, body, and the expected refusal.
type RefusalCase<'a> = (&'a str, &'a str, &'a str, &'a [u8], (u16, ErrorCode));

fn action(kind: &str) -> String {
    format!(r#"{{"v":4,"type":"action","requestId":"x","action":{{"type":"{kind}"}}}}"#)
}

/// MSG-1, MSG-2, MSG-3, MSG-4: messages that can't be read, or are not for clients, are refused with a precise code;
/// the socket stays open.
#[tokio::test]
async fn invalid_messages_are_refused_precisely() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let ann = &mut clients[0];
    for (text, code) in [
        ("".to_owned(), ErrorCode::BadMessage),
        ("{".to_owned(), ErrorCode::BadMessage),
        ("[1,2]".to_owned(), ErrorCode::BadMessage),
        (r#"{"v":4,"type":"action","requestId":"x"}"#.to_owned(), ErrorCode::BadMessage),
        (r#"{"v":4,"type":"state","requestId":"x","action":{"type":"heartbeat"}}"#.to_owned(), ErrorCode::BadMessage),
        (r#"{"v":4,"type":"action","requestId":7,"action":{"type":"heartbeat"}}"#.to_owned(), ErrorCode::BadMessage),
        ("\u{0}\u{1}\u{fffd}".to_owned(), ErrorCode::BadMessage),
        (action("chat"), ErrorCode::BadMessage),
        (action("conjure"), ErrorCode::UnknownAction),
        (action("setPhase"), ErrorCode::RulesOnly),
        (action("score"), ErrorCode::RulesOnly),
        (action("nextTurn"), ErrorCode::RulesOnly),
        (action("draw"), ErrorCode::UseMove),
        (action("selectWinner"), ErrorCode::UseMove),
        (format!("{}1{}", "[".repeat(4000), "]".repeat(4000)), ErrorCode::BadMessage),
    ] {
        ann.send_text(&text).await;
        assert_eq!(ann.answer("x").await.unwrap_err().error, code, "{text:.80}");
    }
    ann.act(Action::Heartbeat).await.unwrap();
}

/// MSG-5: another version, binary frames and frames over 8 KiB end the connection.
#[tokio::test]
async fn some_messages_end_the_connection() {
    let server = TestServer::start().await;
    let code = server.table("donkey", "Ann", quick()).await;
    let mut old = server.client().await;
    old.send_text(r#"{"v":99,"type":"action","requestId":"x","action":{"type":"heartbeat"}}"#).await;
    assert_eq!(old.answer("x").await.unwrap_err().error, ErrorCode::BadVersion);
    assert_eq!(old.read_until_closed().await, "protocol/version");
    let mut binary = server.client().await;
    binary.send_message(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(binary.read_until_closed().await, "protocol/bad-message");
    let mut large = server.client().await;
    large.join(&code, "Ann").await.unwrap();
    large.send_text(&"x".repeat(9000)).await;
    assert_eq!(large.read_until_closed().await, "protocol/too-large");
    // The table is not affected.
    let mut back = server.client().await;
    back.join(&code, "Ann").await.unwrap();
}

/// JOIN-1: a join has to come first; unknown tables and forged secrets are refused.
#[tokio::test]
async fn a_connection_has_to_begin_with_a_join() {
    let server = TestServer::start().await;
    let mut client = server.client().await;
    assert_eq!(client.expect_refusal(Action::StartGame).await, ErrorCode::JoinFirst);
    assert_eq!(client.join("nowhere2", "Ann").await.unwrap_err().error, ErrorCode::NoTable);
    let code = server.table("donkey", "Ann", quick()).await;
    let forged = client.join_as(&code, "short", Some("Ann"), false, None).await;
    assert_eq!(forged.unwrap_err().error, ErrorCode::BadSecret);
    for name in ["", "   ", &"x".repeat(25), "a\u{202e}b"] {
        let refused = client.join_as(&code, &crate::server::secret("Eve"), Some(name), false, None).await;
        assert_eq!(refused.unwrap_err().error, ErrorCode::BadName, "{name:?}");
    }
    client.join(&code, "Ann").await.unwrap();
    let again = client.join(&code, "Ann").await;
    assert_eq!(again.unwrap_err().error, ErrorCode::AlreadyJoined);
}

/// MOVE-1: moves that are late, invented or for another seat change nothing and reveal nothing.
#[tokio::test]
async fn bad_moves_change_nothing() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let early = Answer { decision: 1, alternative: 0, parts: vec![] };
    assert_eq!(clients[0].expect_refusal(Action::Move(early)).await, ErrorCode::NotStarted);
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let turn = usize::from(clients[0].view().decision.is_none());
    let decision = clients[turn].view().decision.clone().unwrap();
    let answer = |decision, alternative, parts| Action::Move(Answer { decision, alternative, parts });
    let seq = clients[turn].seq();
    for (action, codes) in [
        (answer(decision.id + 50, 0, vec![Chosen::Card(1)]), vec![ErrorCode::NoDecision]),
        (answer(decision.id, 9, vec![]), vec![ErrorCode::UnknownAlternative]),
        (answer(decision.id, 0, vec![]), vec![ErrorCode::WrongParts]),
        (answer(decision.id, 0, vec![Chosen::Card(4_000_000)]), vec![ErrorCode::NotACandidate]),
        // A client may name a card only by its handle: a raw number could be that of a card it has never seen.
        (answer(decision.id, 0, vec![Chosen::Number(3)]), vec![ErrorCode::WrongParts]),
        (answer(decision.id, 0, vec![Chosen::Cards(vec![1])]), vec![ErrorCode::WrongParts]),
    ] {
        let refused = clients[turn].expect_refusal(action.clone()).await;
        assert!(codes.contains(&refused), "{refused} for {action:?}");
    }
    let stranger = answer(decision.id, 0, vec![Chosen::Card(1)]);
    let refused = clients[1 - turn].expect_refusal(stranger).await;
    assert!(matches!(refused, ErrorCode::NotYours | ErrorCode::NotACandidate), "{refused}");
    assert_eq!(clients[turn].seq(), seq);
}

async fn refused(server: &TestServer, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, ErrorCode) {
    let headers = format!("Host: {}\r\n{headers}", server.address);
    let (status, _, text) = request(server.address, method, path, &headers, body).await.unwrap();
    let refused: HttpRefused =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{method} {path}: {status}, {e}: {text}"));
    (status, refused.error)
}

/// HTTP-6: every request that can't be answered gets a precise status and code.
#[tokio::test]
async fn bad_requests_are_refused_precisely() {
    let server = TestServer::start().await;
    let json = "Content-Type: application/json\r\n";
    let ann = format!("{json}Authorization: Bearer {}\r\n", crate::server::secret("Ann"));
    let deep = format!(
        r#"{{"id":"0123456789abcdef","game":"pig","name":"Ann","settings":{}1{}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    let large = vec![b' '; 3 * 1024 * 1024];
    let long = format!(r#"{{"id":"0123456789abcdef","game":"pig","name":"{}"}}"#, "x".repeat(25));
    let tricky = r#"{"id":"0123456789abcdef","game":"pig","name":"An\u202en"}"#.to_owned();
    let path_like = r#"{"id":"0123456789abcdef","game":"../pig","name":"Ann"}"#.to_owned();
    let good = r#"{"id":"0123456789abcdef","game":"pig","name":"Ann"}"#.to_owned();
    let no_pack =
        r#"{"id":"0123456789abcdef","game":"cards-against-humanity","name":"Ann","settings":{"packIds":["nope"]}}"#
            .to_owned();
    let short = format!("{json}Authorization: Bearer short\r\n");
    let cases: Vec<RefusalCase<'_>> = vec![
        ("POST", "/api/tables", &ann, b"\xff\xfe garbage", (400, ErrorCode::BadRequest)),
        ("POST", "/api/tables", &ann, deep.as_bytes(), (400, ErrorCode::BadRequest)),
        ("POST", "/api/tables", &ann, &large, (413, ErrorCode::TooLarge)),
        ("POST", "/api/tables", &ann, long.as_bytes(), (400, ErrorCode::BadName)),
        ("POST", "/api/tables", &ann, tricky.as_bytes(), (400, ErrorCode::BadName)),
        ("POST", "/api/tables", &ann, path_like.as_bytes(), (404, ErrorCode::NoGame)),
        ("POST", "/api/tables", &ann, no_pack.as_bytes(), (400, ErrorCode::NoPack)),
        ("POST", "/api/tables", json, good.as_bytes(), (401, ErrorCode::BadSecret)),
        ("POST", "/api/tables", &short, good.as_bytes(), (401, ErrorCode::BadSecret)),
        ("POST", "/api/tables", "Content-Type: text/plain\r\n", good.as_bytes(), (400, ErrorCode::BadRequest)),
        ("DELETE", "/api/tables", &ann, b"", (405, ErrorCode::BadMethod)),
        ("PUT", "/api/games", "", b"", (405, ErrorCode::BadMethod)),
        ("GET", "/api/tables/%ff%fe", "", b"", (400, ErrorCode::BadRequest)),
        ("GET", "/api/tables/nowhere2", "", b"", (404, ErrorCode::NoTable)),
        ("GET", "/api/games/..%2f..%2fetc", "", b"", (404, ErrorCode::NoGame)),
        ("GET", "/api/definitions/zz", "", b"", (404, ErrorCode::NotFound)),
        ("GET", "/api/replays/nowhere2-1", "", b"", (404, ErrorCode::NoReplay)),
        ("GET", "/api/packs/nope", "", b"", (404, ErrorCode::NoPack)),
        ("GET", "/api/ws", "", b"", (400, ErrorCode::BadRequest)),
        ("GET", "/api/me/tables", "", b"", (401, ErrorCode::BadSecret)),
        ("GET", "/api/games", "Origin: null\r\n", b"", (403, ErrorCode::BadOrigin)),
        ("GET", "/api/games", "Origin: https://evil.example\r\n", b"", (403, ErrorCode::BadOrigin)),
    ];
    for (method, path, headers, body, expected) in cases {
        let shown: String = String::from_utf8_lossy(body).chars().take(60).collect();
        assert_eq!(refused(&server, method, path, headers, body).await, expected, "{method} {path} {shown}");
    }
    // The server is still healthy.
    assert_eq!(server.http("GET", "/healthz", None, "").await.0, 200);
}

/// HTTP-5: packs that are too large, too deep, too many or not text are refused with the reason; a script in a card's
/// text stays text.
#[tokio::test]
async fn hostile_packs_are_refused_or_harmless() {
    let server = TestServer::start().await;
    let deep = format!(r#"{{"id":"x","name":"x","cards":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let many = format!("deck,text\n{}", "answer,a\n".repeat(30_000));
    let long = format!("deck,text\nanswer,{}\n", "x".repeat(5_000));
    let wide = format!("deck,text{}\nanswer,a\n", ",c".repeat(200));
    let large = format!("deck,text\n{}", "answer,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(60_000));
    for (name, body, expected) in [
        ("nesting", deep.as_bytes(), (422, ErrorCode::BadPack)),
        ("too many", many.as_bytes(), (422, ErrorCode::BadPack)),
        ("too long", long.as_bytes(), (422, ErrorCode::BadPack)),
        ("too wide", wide.as_bytes(), (422, ErrorCode::BadPack)),
        ("too large", large.as_bytes(), (413, ErrorCode::TooLarge)),
        ("no text", b"\x00\x01\xff\xfe".as_slice(), (422, ErrorCode::BadPack)),
        ("nothing", b"".as_slice(), (422, ErrorCode::BadPack)),
    ] {
        assert_eq!(refused(&server, "POST", "/api/packs?name=Bad", "", body).await, expected, "{name}");
    }
    let script = "deck,text\nprompt,\"<script>alert(1)</script> _\"\nanswer,\"<img src=x onerror=alert(1)>\"\n";
    let headers = format!("Host: {}\r\n", server.address);
    let (status, _, text) =
        request(server.address, "POST", "/api/packs?name=%3Cb%3EMine%3C%2Fb%3E", &headers, script.as_bytes())
            .await
            .unwrap();
    assert_eq!(status, 200, "{text}");
    let imported: baize_protocol::http::PacksImported = serde_json::from_str(&text).unwrap();
    let id = &imported.packs[0].id;
    assert!(id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{id}");
    // The text comes back unchanged, as a file to be saved and never as a page.
    for (format, kind) in [("csv", "text/csv"), ("json", "application/json")] {
        let path = format!("/api/packs/{id}?format={format}");
        let (_, head, text) = request(server.address, "GET", &path, &headers, b"").await.unwrap();
        assert!(text.contains("<script>alert(1)</script>"), "{text}");
        let head = head.to_lowercase();
        assert!(head.contains(&format!("content-type: {kind}")) && head.contains("nosniff"), "{head}");
        assert!(head.contains("content-disposition: attachment") && head.contains("default-src 'none'"), "{head}");
    }
    // An uploaded pack is never official, even if it says so.
    let official = r#"{"id":"fake","name":"Fake","official":true,"cards":{"answer":[{"text":"x"}]}}"#;
    let (_, _, text) = request(server.address, "POST", "/api/packs", &headers, official.as_bytes()).await.unwrap();
    if let Ok(imported) = serde_json::from_str::<baize_protocol::http::PacksImported>(&text) {
        assert!(imported.packs.iter().all(|pack| !pack.official));
    }
}

/// JOIN-3, KICK-1: a forged secret gets nobody's seat, and a player's id can't be used as a secret.
#[tokio::test]
async fn forged_secrets_get_no_seat() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let real = crate::server::secret("Ben");
    for forged in [real.to_uppercase(), format!("{real}x"), real[1..].to_owned(), "p2-p2-p2-p2-p2-p2-p2-p2".to_owned()]
    {
        let mut eve = server.client().await;
        eve.join_as(&code, &forged, Some("Ben"), false, None).await.unwrap();
        let you = eve.you.clone().unwrap();
        assert_eq!((you.seat, you.watching_because), (None, Some(ErrorCode::NoNewcomers)), "{forged}");
        assert!(eve.view().seat.is_none() && eve.view().decision.is_none());
        let take = Action::Move(Answer { decision: 1, alternative: 0, parts: vec![] });
        assert_eq!(eve.expect_refusal(take).await, ErrorCode::NoSeat);
    }
    for forged in ["", "x", &"x".repeat(129), "with spaces in it and long enough", "ünïcödé-secret-0123456789"] {
        let mut eve = server.client().await;
        let refused = eve.join_as(&code, forged, Some("Eve"), false, None).await.unwrap_err();
        assert_eq!(refused.error, ErrorCode::BadSecret, "{forged}");
    }
}

/// START-1: when the rules refuse a start, the refusal has the sentence of the rules.
#[tokio::test]
async fn a_start_that_the_rules_refuse_says_why() {
    let server = TestServer::start().await;
    let answers: String = (0..20).map(|n| format!("answer,Answer {n}\n")).collect();
    let pack = format!("deck,text\nprompt,I like _.\n{answers}");
    let headers = format!("Host: {}\r\n", server.address);
    let (_, _, text) =
        request(server.address, "POST", "/api/packs?name=Small", &headers, pack.as_bytes()).await.unwrap();
    let imported: baize_protocol::http::PacksImported = serde_json::from_str(&text).unwrap();
    let settings = TableSettings { pack_ids: vec![imported.packs[0].id.clone()], ..TableSettings::default() };
    let (_, mut clients) = server.seated("cards-against-humanity", settings, &["Ann", "Ben", "Cleo"]).await;
    let refused = clients[0].act(Action::StartGame).await.unwrap_err();
    assert_eq!(refused.error, ErrorCode::Requires);
    let sentence = "The packs can't deal every player a hand: they hold 20 answers.";
    assert_eq!(refused.text, sentence);
    let line = serde_json::to_string(&refused.line.expect("what the rules say")).unwrap();
    assert!(line.contains("they hold"), "{line}");
}
