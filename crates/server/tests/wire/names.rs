//! Names that people may have, and texts that they may write.

use crate::server::{TestServer, quick, secret};
use baize_protocol::{Action, ErrorCode, limits};

/// JOIN-4: names are compared by their look: normal form, case, similar letters, joiners.
#[tokio::test]
async fn a_name_that_looks_like_another_is_taken() {
    let server = TestServer::start().await;
    let (code, _clients) = server.seated("donkey", quick(), &["Ann", "Zo\u{eb}"]).await;
    let alike = ["ANN", "\u{410}nn", "\u{ff21}nn", "A\u{200d}nn", "Zoe\u{308}", "zO\u{cb}"];
    for (nth, name) in alike.into_iter().enumerate() {
        let mut client = server.client().await;
        let browser = secret(&format!("alike {nth}"));
        let refused = client.join_as(&code, &browser, Some(name), false, None).await.unwrap_err();
        assert_eq!(refused.error, ErrorCode::NameTaken, "{name:?}");
    }
    let mut anna = server.client().await;
    anna.join(&code, "Anna").await.unwrap();
}

/// NAME-1: blank names, hidden characters and direction controls are refused with advice; names of all scripts are
/// shown as typed.
#[tokio::test]
async fn names_that_cannot_be_seen_are_refused() {
    let server = TestServer::start().await;
    let code = server.table("donkey", "Ann", quick()).await;
    let refused = [
        ("   ", "at least one letter"),
        ("\u{2800}\u{2800}", "at least one letter"),
        ("\u{3164}", "hidden characters"),
        ("Ann\u{202e}nneB", "direction"),
        ("\u{2067}Ben", "direction"),
        ("Ben\u{7}", "hidden characters"),
        ("a name that is really far too long", "24 characters"),
    ];
    for (name, why) in refused {
        let mut client = server.client().await;
        let no = client.join_as(&code, &secret("Eve"), Some(name), false, None).await.unwrap_err();
        assert_eq!(no.error, ErrorCode::BadName, "{name:?}");
        assert!(no.text.contains(why), "{name:?}: {}", no.text);
        // Making a table requires a name as well.
        let body = serde_json::json!({ "id": "0123456789abcdefg", "game": "donkey", "name": name }).to_string();
        let (status, text) = server.http("POST", "/api/tables", Some(&secret("Eve")), &body).await;
        assert!(status == 400 && text.contains(why), "{name:?}: {text}");
    }
    let mut here = Vec::new();
    for (nth, name) in ["\u{5d3}\u{5e0}\u{5d4}", "\u{639}\u{644}\u{6cc}\u{200c}\u{631}", "\u{1f469}\u{200d}\u{1f467}"]
        .into_iter()
        .enumerate()
    {
        let mut client = server.client().await;
        client.join_as(&code, &secret(&format!("from {nth}")), Some(name), false, None).await.unwrap();
        assert_eq!(client.player(name).name, name);
        here.push(client);
    }
    // In the server's own sentences a right-to-left name is isolated.
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert!(ann.has_chat_line("\u{2068}\u{5d3}\u{5e0}\u{5d4}\u{2069} joined the game"));
}

/// CHAT-2: a message loses control characters, direction overrides and surplus lines, and keeps everything else.
#[tokio::test]
async fn chat_removes_control_characters_and_surplus_lines() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let ann = &mut clients[0];
    ann.act(Action::Chat { text: "one\u{7}\u{202e} \u{1f469}\u{200d}\u{1f467}\n\n\ntwo".into() }).await.unwrap();
    ann.until("it is said", |c| c.has_chat_line("one \u{1f469}\u{200d}\u{1f467}\ntwo")).await;
    ann.act(Action::Chat { text: "x\n".repeat(50) }).await.unwrap();
    let lines = |c: &crate::client::Client| c.chat.last().map_or(0, |line| line.text.split('\n').count());
    ann.until("it has come", |c| lines(c) == limits::CHAT_LINES).await;
    assert_eq!(ann.expect_refusal(Action::Chat { text: "\u{202e}\u{200b} ".into() }).await, ErrorCode::ChatEmpty);
}

/// CHAT-4: the lead restricts the chat to the players; spectators still read it.
#[tokio::test]
async fn the_lead_restricts_the_chat_to_players() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    let only = |players_only| Action::SetChat { players_only };
    assert_eq!(clients[1].expect_refusal(only(true)).await, ErrorCode::NotLead);
    clients[0].act(only(true)).await.unwrap();
    dan.until("told of it", |c| c.table().chat_players_only).await;
    assert_eq!(dan.expect_refusal(Action::Chat { text: "hello".into() }).await, ErrorCode::ChatPlayersOnly);
    let reaction = || Action::React { reaction: limits::REACTIONS[0].into() };
    assert_eq!(dan.expect_refusal(reaction()).await, ErrorCode::ChatPlayersOnly);
    clients[1].act(Action::Chat { text: "hello Dan".into() }).await.unwrap();
    dan.until("Dan reads it", |c| c.has_chat_line("hello Dan")).await;
    let mut server = server.restart().await;
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    assert_eq!(dan.expect_refusal(reaction()).await, ErrorCode::ChatPlayersOnly);
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    ann.act(only(false)).await.unwrap();
    dan.act(Action::Chat { text: "hello".into() }).await.unwrap();
    server = server.restart().await;
    drop(server);
}

/// PRES-7: the away switch is limited, and a thousand uses of it make one line and not a thousand.
#[tokio::test]
async fn a_thousand_uses_of_the_away_switch_make_few_rows() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let lines = clients[0].chat.last().map_or(0, |line| line.n);
    let mut done = 0;
    for n in 0..1_000 {
        match clients[1].act(Action::Away { away: n % 2 == 0 }).await {
            Ok(()) => done += 1,
            Err(refused) => assert_eq!(refused.error, ErrorCode::TooFast),
        }
    }
    assert_eq!(done, 6);
    // Ben uses the switch at the allowed rate for half an hour.
    let mut away = done % 2 == 1;
    for _ in 0..180 {
        server.clock.advance(10_000);
        away = !away;
        clients[1].act(Action::Away { away }).await.unwrap();
    }
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    let sent = dan.chat.last().unwrap().n - lines;
    assert!(sent <= 30, "{sent} lines");
    // A client that was disconnected for a moment has the latest line.
    let words = if away { "Ben is away" } else { "Ben is back" };
    clients[0].until("told", |c| c.has_chat_line(words)).await;
    assert!(dan.has_chat_line(words));
}

/// PRES-7, CHAT-3: reactions and joins are limited for each browser, under whatever name.
#[tokio::test]
async fn reactions_and_arrivals_are_limited() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let mut reactions = 0;
    while clients[0].act(Action::React { reaction: limits::REACTIONS[1].into() }).await.is_ok() {
        reactions += 1;
    }
    assert_eq!(reactions, 6);
    let mut arrivals = 0;
    loop {
        let mut client = server.client().await;
        let name = format!("Name {arrivals}");
        match client.join_as(&code, &secret("one browser"), Some(&name), true, None).await {
            Ok(()) => arrivals += 1,
            Err(refused) => break assert_eq!(refused.error, ErrorCode::TooFast),
        }
        drop(client);
        clients[1].until("gone", |c| c.table().spectators.is_empty()).await;
    }
    assert_eq!(arrivals, 30);
    server.clock.advance(2_000);
    server.client().await.join_as(&code, &secret("one browser"), Some("Back"), true, None).await.unwrap();
}
