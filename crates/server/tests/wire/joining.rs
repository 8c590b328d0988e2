//! Joining a table.

use crate::client::{Client, message};
use crate::server::{TestServer, quick, secret};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode, Presence, TableEvent, TableStatus};

/// JOIN-2, JOIN-4, CHAT-1: the newcomer gets the whole state, and the others hear of the newcomer.
#[tokio::test]
async fn a_joining_player_gets_the_state_and_the_others_are_told() {
    let server = TestServer::start().await;
    let code = server.table("donkey", "Ann", TableSettings::default()).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.table().lead, Some(ann.id()));
    assert_eq!(ann.table().host, Some(ann.id()));
    assert_eq!(ann.table().cannot_start, Some(ErrorCode::TooFewPlayers));
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    assert!(ben.has_chat_line("Ben joined the game"));
    assert_eq!(ben.table().players.len(), 2);
    ann.until("Ben is announced", |c| c.has_chat_line("Ben joined the game") && c.table().players.len() == 2).await;
    assert!(ann.events.iter().any(|e| matches!(e, TableEvent::PlayerJoined { player } if player.name == "Ben")));
    assert_eq!(ann.table().cannot_start, None);
}

/// JOIN-3: a seat belongs to a secret, whatever name comes with it; the link alone gives nobody a seat that is taken.
#[tokio::test]
async fn a_seat_belongs_to_a_secret() {
    let server = TestServer::start().await;
    let (code, clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    drop(clients);
    let mut back = server.client().await;
    back.join_as(&code, &secret("Ben"), Some("Somebody Else"), false, None).await.unwrap();
    assert_eq!(back.player("Ben").id, back.id());
    let mut thief = server.client().await;
    let refused = thief.join_as(&code, &secret("Thief"), Some("ben"), false, None).await.unwrap_err();
    assert_eq!(refused.error, ErrorCode::NameTaken);
    // The socket can be used for another attempt.
    thief.join(&code, "Thea").await.unwrap();
}

/// JOIN-5, START-2: a full lobby refuses with the reason and lets newcomers watch; a game that says so starts when the
/// last seat is taken.
#[tokio::test]
async fn the_last_seat_starts_donkey_and_the_next_one_watches() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    for _ in 0..6 {
        clients[0].act(Action::AddBot { level: BotLevel::Medium }).await.unwrap();
    }
    clients[1].until("it has begun by itself", |c| c.view.is_some()).await;
    assert_eq!(clients[1].table().players.len(), 8);
    let mut ninth = server.client().await;
    ninth.join(&code, "Nina").await.unwrap();
    assert_eq!(ninth.you.as_ref().unwrap().watching_because, Some(ErrorCode::NoNewcomers));
    assert!(ninth.view().decision.is_none());
    let refused = clients[0].expect_refusal(Action::AddBot { level: BotLevel::Medium }).await;
    assert_eq!(refused, ErrorCode::NotInLobby);
}

/// JOIN-5: a full lobby of a game that does not start by itself refuses newcomers with the reason and lets them watch.
#[tokio::test]
async fn a_full_lobby_refuses_and_offers_watching() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("old-maid", TableSettings::default(), &["Ann"]).await;
    for _ in 0..7 {
        clients[0].act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    }
    assert_eq!(clients[0].expect_refusal(Action::AddBot { level: BotLevel::Easy }).await, ErrorCode::TableFull);
    let mut ninth = server.client().await;
    assert_eq!(ninth.join(&code, "Nina").await.unwrap_err().error, ErrorCode::TableFull);
    ninth.watch(&code, "Nina").await.unwrap();
    assert_eq!(ninth.id(), "s1");
}

/// JOIN-6: where the rules allow it, newcomers sit down in a running game and play last.
#[tokio::test]
async fn a_newcomer_plays_where_the_game_allows_it() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("high-low", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let mut late = server.client().await;
    late.join(&code, "Cleo").await.unwrap();
    assert_eq!(late.view().seat, Some(2));
    assert_eq!(late.table().status, TableStatus::Playing);
}

/// START-1: a start seats exactly those who are online.
#[tokio::test]
async fn a_start_seats_exactly_those_who_are_online() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    drop(clients.remove(1));
    clients[0].until("all have come", |c| c.table().players.len() == 3).await;
    clients[0].until("Ben is gone", |c| c.player("Ben").presence == Presence::Disconnected).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    assert_eq!(clients[0].view().seats.len(), 2);
    let settings = TableSettings::default();
    assert_eq!(
        clients[0].expect_refusal(Action::Configure { settings }).await,
        ErrorCode::NotInLobby,
        "options are locked"
    );
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    assert_eq!(ben.you.as_ref().unwrap().watching_because, Some(ErrorCode::NoNewcomers));
}

/// KICK-1: kicked players are disconnected and can't return.
#[tokio::test]
async fn kicked_players_cannot_return() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let ben = clients[1].id();
    assert_eq!(clients[1].expect_refusal(Action::KickPlayer { player_id: "p1".into() }).await, ErrorCode::NotLead);
    clients[0].act(Action::KickPlayer { player_id: ben }).await.unwrap();
    assert_eq!(clients[1].read_until_closed().await, "seat/kicked");
    let mut again = server.client().await;
    assert_eq!(again.join(&code, "Ben").await.unwrap_err().error, ErrorCode::Kicked);
    assert_eq!(again.watch(&code, "Ben").await.unwrap_err().error, ErrorCode::Kicked);
}

/// SEAT-1: a player moves to another device with a code that works once.
#[tokio::test]
async fn a_seat_moves_to_another_device() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[1].act(Action::MoveSeat).await.unwrap();
    let is_code = |e: &TableEvent| matches!(e, TableEvent::SeatCode { .. });
    clients[1].until("the code has come", |c| c.events.iter().any(is_code)).await;
    let Some(TableEvent::SeatCode { code: seat_code, .. }) = clients[1].events.iter().find(|e| is_code(e)).cloned()
    else {
        unreachable!()
    };
    let mut phone = server.client().await;
    phone.watch(&code, "Phone").await.unwrap();
    assert_eq!(phone.expect_refusal(Action::TakeSeat { code: "wrong".into() }).await, ErrorCode::BadSeatCode);
    phone.act(Action::TakeSeat { code: seat_code.clone() }).await.unwrap();
    phone.until("the seat's own view has come", |c| c.view().seat == Some(1)).await;
    assert_eq!(clients[1].read_until_closed().await, "seat/taken");
    let mut third = server.client().await;
    third.watch(&code, "Third").await.unwrap();
    assert_eq!(third.expect_refusal(Action::TakeSeat { code: seat_code }).await, ErrorCode::BadSeatCode);
    // The old device counts as a stranger now.
    let mut old = server.client().await;
    old.join(&code, "Ben").await.unwrap();
    assert_eq!(old.you.as_ref().unwrap().seat, None);
}

/// JOIN-1: messages that follow a refused join get an answer.
#[tokio::test]
async fn messages_after_a_refused_join_are_answered() {
    let server = TestServer::start().await;
    let (code, _clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let mut eve = server.client().await;
    let (table, secret) = (code.clone(), secret("Eve"));
    let join = Action::Join { table, secret, name: Some("Ann".into()), watch: false, last: None };
    eve.send_text(&message("join", join)).await;
    eve.send_text(&message("chat", Action::Chat { text: "Hello?".into() })).await;
    assert_eq!(eve.answer("join").await.unwrap_err().error, ErrorCode::NameTaken);
    assert_eq!(eve.answer("chat").await.unwrap_err().error, ErrorCode::JoinFirst);
    eve.join(&code, "Eve").await.unwrap();
}

/// JOIN-1: the same at a table that does not exist, which no room answers for.
#[tokio::test]
async fn messages_after_a_join_of_no_table_are_answered() {
    let server = TestServer::start().await;
    let mut eve = server.client().await;
    let (table, secret) = ("nosuchtable".to_owned(), secret("Eve"));
    let join = Action::Join { table, secret, name: Some("Eve".into()), watch: false, last: None };
    eve.send_text(&message("join", join)).await;
    eve.send_text(&message("chat", Action::Chat { text: "Hello?".into() })).await;
    assert_eq!(eve.answer("join").await.unwrap_err().error, ErrorCode::NoTable);
    assert_eq!(eve.answer("chat").await.unwrap_err().error, ErrorCode::JoinFirst);
    let code = server.table("pig", "Ann", quick()).await;
    eve.join(&code, "Eve").await.unwrap();
}

/// JOIN-1: a socket that sends several joins at once joins one table, and its actions reach that table.
#[tokio::test]
async fn a_socket_joins_only_one_table() {
    let server = TestServer::start().await;
    let (mut codes, mut hosts) = (Vec::new(), Vec::new());
    const HOSTS: [&str; 4] = ["Ann", "Ben", "Cleo", "Dan"];
    for host in HOSTS {
        let (code, mut clients) = server.seated("pig", quick(), &[host]).await;
        codes.push(code);
        hosts.append(&mut clients);
    }
    let mut eve = server.client().await;
    assert_joins_only_the_first(&mut eve, &codes, &mut hosts).await;
}

/// Eve asks to join all these tables and says something, in one write. She joins the first table, and her line reaches it. The hosts
/// sit at the tables.
pub async fn assert_joins_only_the_first(eve: &mut Client, codes: &[String], hosts: &mut [Client]) {
    let join = |(nth, code): (usize, &String)| {
        let (table, secret, name) = (code.clone(), secret("Eve"), Some("Eve".into()));
        message(&format!("join-{nth}"), Action::Join { table, secret, name, watch: false, last: None })
    };
    let mut messages: Vec<_> = codes.iter().enumerate().map(join).collect();
    messages.push(message("chat", Action::Chat { text: "Hello!".into() }));
    eve.send_together(&messages).await;
    let asked: Vec<String> = (0..codes.len()).map(|nth| format!("join-{nth}")).chain(["chat".into()]).collect();
    let answers = eve.answers(&asked.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut expected = vec![Some(ErrorCode::AlreadyJoined); codes.len()];
    expected[0] = None;
    expected.push(None);
    assert_eq!(answers, expected);
    for host in hosts.iter_mut() {
        host.act(Action::Heartbeat).await.unwrap();
    }
    let is_eve_at = |host: &Client| host.table().players.iter().any(|player| player.name == "Eve");
    let seated: Vec<&str> =
        hosts.iter().filter(|host| is_eve_at(host)).map(|host| host.table().code.as_str()).collect();
    assert_eq!(seated, [codes[0].as_str()]);
}
