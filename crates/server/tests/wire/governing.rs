//! Who leads a table, and what it waits for, when people come and go at awkward moments.

use crate::client::Client;
use crate::seats::begun;
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::Replay;
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode, PauseReason, Presence, TableEvent, TableStatus};

/// Seats people who have given no nonces, so that a start waits for them.
async fn without_nonces(server: &TestServer, game: &str, names: &[&str]) -> Vec<Client> {
    let code = server.table(game, names[0], TableSettings::default()).await;
    let mut clients = Vec::new();
    for name in names {
        let mut client = server.client().await;
        client.join(&code, name).await.unwrap();
        clients.push(client);
    }
    clients
}

/// START-1, PRES-2: a player who is away counts as online and gets a seat, but the game knows that the player is
/// absent. A lead who is away still leads.
#[tokio::test]
async fn a_player_who_is_away_at_the_start_gets_a_seat() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", quick(), &["Ann", "Ben", "Cleo"]).await;
    for client in &mut clients[..2] {
        client.act(Action::Away { away: true }).await.unwrap();
    }
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    clients[2].until("the game knows", |c| c.view().seats.iter().map(|s| s.present).eq([false, false, true])).await;
    assert_eq!(clients[2].table().players.len(), 3);
    clients[0].act(Action::PauseGame).await.unwrap();
    clients[0].act(Action::ResumeGame).await.unwrap();
    clients[0].act(Action::Away { away: false }).await.unwrap();
    clients[2].until("Ann is back", |c| c.view().seats[0].present).await;
}

/// START-1, START-3, LEAD-1: a player who disconnects while a start waits gets no seat and is neither lead nor host.
#[tokio::test]
async fn a_lead_who_disconnects_while_a_start_waits_is_replaced() {
    let server = TestServer::start().await;
    let mut clients = without_nonces(&server, "old-maid", &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    drop(clients.remove(0));
    clients[0].until("Ann is gone", |c| c.player("Ann").presence == Presence::Disconnected).await;
    server.clock.advance(1_000);
    begun(&mut clients).await;
    clients[0].until("Ben leads", |c| c.table().lead.as_deref() == Some("p2")).await;
    assert_eq!(clients[0].table().host, None);
    clients[0].act(Action::PauseGame).await.unwrap();
}

/// START-1, START-3: a start that waits for nonces locks the table; starting again changes nothing.
#[tokio::test]
async fn a_waiting_start_locks_the_table() {
    let server = TestServer::start().await;
    let mut clients = without_nonces(&server, "old-maid", &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let settings = TableSettings::default();
    assert_eq!(clients[0].expect_refusal(Action::Configure { settings }).await, ErrorCode::NotInLobby);
    assert_eq!(clients[0].expect_refusal(Action::AddBot { level: BotLevel::Easy }).await, ErrorCode::NotInLobby);
    clients[0].act(Action::StartGame).await.unwrap();
    server.clock.advance(1_000);
    begun(&mut clients).await;
    assert_eq!(clients[0].expect_refusal(Action::StartGame).await, ErrorCode::NotInLobby);
}

/// START-1, WATCH-1: players who lose their places at a start become different spectators.
#[tokio::test]
async fn players_without_a_seat_become_different_spectators() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("old-maid", quick(), &["Ann", "Ben", "Cleo", "Dan"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    clients[0].act(Action::EndGame).await.unwrap();
    // Two leave, and go on as spectators.
    clients[2].act(Action::Leave).await.unwrap();
    clients[3].act(Action::Leave).await.unwrap();
    clients[0].act(Action::Rematch).await.unwrap();
    let mut watching: Vec<String> = Vec::new();
    for client in &mut clients[2..] {
        client.until("watches", |c| c.you.as_ref().is_some_and(|you| you.id.starts_with('s'))).await;
        watching.push(client.id());
    }
    assert_ne!(watching[0], watching[1]);
    assert!(!watching.contains(&"s0".to_owned()), "{watching:?} at {code}");
}

/// LEAD-1, REMATCH-1: a lead who disconnects after the end is replaced as well, and the others have their rematch.
#[tokio::test]
async fn a_lead_who_disconnects_after_the_end_is_replaced() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    clients[0].act(Action::EndGame).await.unwrap();
    drop(clients.remove(0));
    clients[0].until("Ann is gone", |c| c.player("Ann").presence == Presence::Disconnected).await;
    assert_eq!(clients[0].expect_refusal(Action::Rematch).await, ErrorCode::NotLead);
    server.clock.advance(60_000);
    clients[0].until("Ben leads", |c| c.table().lead.as_deref() == Some("p2")).await;
    clients[0].act(Action::Rematch).await.unwrap();
    clients[0].until("a lobby again", |c| c.table().status == TableStatus::Lobby).await;
}

/// REMATCH-2: the next game starts by itself when everybody who is online has said that they want it, and not before.
#[tokio::test]
async fn the_next_game_starts_when_everybody_wants_it() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("old-maid", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    assert_eq!(clients[0].expect_refusal(Action::Again { again: true }).await, ErrorCode::NotEnded);
    clients[0].act(Action::EndGame).await.unwrap();
    drop(clients.pop());
    clients[0].until("Cleo is gone", |c| c.player("Cleo").presence == Presence::Disconnected).await;
    clients[1].act(Action::Again { again: true }).await.unwrap();
    clients[0].until("Ben wants to", |c| c.table().again == ["p2"]).await;
    clients[1].act(Action::Again { again: false }).await.unwrap();
    clients[0].until("Ben does not want to", |c| c.table().again.is_empty()).await;
    clients[0].act(Action::Again { again: true }).await.unwrap();
    assert_eq!(clients[0].table().status, TableStatus::Ended);
    clients[1].act(Action::Again { again: true }).await.unwrap();
    for client in &mut clients {
        client.act(Action::Nonce { nonce: "again".into() }).await.unwrap();
    }
    for client in &mut clients {
        client.until("the next game", |c| c.table().status == TableStatus::Playing && c.table().again.is_empty()).await;
    }
}

/// PRES-5: a game below its minimum does not go on, whoever paused it and whenever players left.
#[tokio::test]
async fn a_game_below_its_minimum_cannot_be_resumed() {
    let server = TestServer::start().await;
    for paused_first in [true, false] {
        let name = if paused_first { "Ann" } else { "Anna" };
        let (code, mut clients) =
            server.seated("cards-against-humanity", TableSettings::default(), &[name, "Ben", "Cleo"]).await;
        clients[0].act(Action::StartGame).await.unwrap();
        begun(&mut clients).await;
        if paused_first {
            clients[0].act(Action::PauseGame).await.unwrap();
        }
        clients[2].act(Action::Leave).await.unwrap();
        clients[0].until("Cleo has left", |c| c.player("Cleo").presence == Presence::Left).await;
        assert_eq!(clients[0].expect_refusal(Action::ResumeGame).await, ErrorCode::TooFewPlayers);
        if !paused_first {
            clients[0].act(Action::PauseGame).await.unwrap();
            assert_eq!(clients[0].expect_refusal(Action::ResumeGame).await, ErrorCode::TooFewPlayers);
        }
        let mut dan = server.client().await;
        dan.join(&code, "Dan").await.unwrap();
        clients[0].act(Action::ResumeGame).await.unwrap();
        clients[0].until("it goes on", |c| c.table().status == TableStatus::Playing).await;
    }
}

/// PRES-3, SEAT-2: a game that waits for its host goes on when somebody else gets the host's seat.
#[tokio::test]
async fn a_game_does_not_wait_for_a_host_without_a_seat() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    clients[0].act(Action::PassLead { player_id: "p2".into() }).await.unwrap();
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    drop(clients.remove(0));
    clients[0].until("waits", |c| c.table().paused == Some(PauseReason::HostAbsent)).await;
    clients[0].act(Action::HandSeat { player_id: "p1".into(), to: dan.id() }).await.unwrap();
    clients[0].until("it goes on", |c| c.table().status == TableStatus::Playing).await;
}

/// PRES-3, PRES-6: the return of another player does not replace the host.
#[tokio::test]
async fn a_deserted_table_waits_for_its_host() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    drop(clients.pop());
    let mut ann = clients.remove(0);
    ann.until("Ben is gone", |c| c.player("Ben").presence == Presence::Disconnected).await;
    ann.act(Action::Away { away: true }).await.unwrap();
    ann.until("deserted", |c| c.table().paused == Some(PauseReason::Deserted)).await;
    drop(ann);
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    ben.until("the host is waited for", |c| c.table().paused == Some(PauseReason::HostAbsent)).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    ben.until("it goes on", |c| c.table().status == TableStatus::Playing).await;
}

/// JOIN-4: names are unique, including those of spectators, who get a number added.
#[tokio::test]
async fn nobody_can_watch_under_another_persons_name() {
    let server = TestServer::start().await;
    let (code, _clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let mut names = Vec::new();
    let mut watching = Vec::new();
    for (nth, name) in ["ann", "ANN", "Dora"].into_iter().enumerate() {
        let mut client = server.client().await;
        client.join_as(&code, &secret(&format!("watcher {nth}")), Some(name), true, None).await.unwrap();
        client.act(Action::Chat { text: format!("hello {nth}") }).await.unwrap();
        client.until("it is said", |c| c.has_chat_line(&format!("hello {nth}"))).await;
        let line = client.chat.iter().find(|line| line.text == format!("hello {nth}")).unwrap();
        names.push(line.from.as_ref().unwrap().name.clone());
        watching.push(client);
    }
    assert_eq!(names, ["ann 2", "ANN 3", "Dora"]);
    let mut other = server.client().await;
    assert_eq!(other.join(&code, "dora").await.unwrap_err().error, ErrorCode::NameTaken);
    // A spectator who sits down keeps the name.
    let mut dora = server.client().await;
    dora.join_as(&code, &secret("watcher 2"), Some("Dora"), false, None).await.unwrap();
    assert_eq!(dora.player("Dora").id, dora.id());
}

/// SEAT-1, KICK-1, CHAT-3: moving to another device lifts no mute, and the old device can't come back after a kick.
#[tokio::test]
async fn moving_to_another_device_lifts_no_mute_and_no_kick() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::Mute { player_id: "p2".into(), muted: true }).await.unwrap();
    clients[1].act(Action::MoveSeat).await.unwrap();
    let code_of = |c: &Client| {
        c.events.iter().find_map(|e| match e {
            TableEvent::SeatCode { code, .. } => Some(code.clone()),
            _ => None,
        })
    };
    clients[1].until("the code has come", |c| code_of(c).is_some()).await;
    let seat_code = code_of(&clients[1]).unwrap();
    let mut phone = server.client().await;
    phone.watch(&code, "Phone").await.unwrap();
    phone.act(Action::TakeSeat { code: seat_code }).await.unwrap();
    assert_eq!(phone.expect_refusal(Action::Chat { text: "free?".into() }).await, ErrorCode::Muted);
    clients[0].act(Action::KickPlayer { player_id: "p2".into() }).await.unwrap();
    assert_eq!(phone.read_until_closed().await, "seat/kicked");
    for device in ["Phone", "Ben"] {
        let mut again = server.client().await;
        assert_eq!(again.join(&code, device).await.unwrap_err().error, ErrorCode::Kicked, "{device}");
        assert_eq!(again.watch(&code, device).await.unwrap_err().error, ErrorCode::Kicked, "{device}");
    }
}

/// JOIN-6, FAIR-2: the replay contains the names of newcomers; and CHAT-1: the host joins the table once, like the
/// others.
#[tokio::test]
async fn newcomers_are_in_the_replay_and_the_host_joins() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("high-low", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[1].until("Ann is heard of", |c| c.has_chat_line("Ann joined the game")).await;
    assert!(!clients[1].has_chat_line("Ann reconnected"));
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    let mut cleo = server.client().await;
    cleo.join(&code, "Cleo").await.unwrap();
    clients[0].act(Action::EndGame).await.unwrap();
    let game = clients[0].table().game.clone();
    let (status, text) = server.http("GET", &format!("/api/replays/{game}"), Some(&secret("Ann")), "").await;
    assert_eq!(status, 200, "{text}");
    let replay: Replay = serde_json::from_str(&text).unwrap();
    assert_eq!(replay.names, ["Ann", "Ben", "Cleo"]);
}

/// KICK-3: within a minute the lead takes a removal back; the player may come back, and gets the seat that a bot has kept.
#[tokio::test]
async fn the_lead_takes_a_removal_back() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    let ben = clients[1].id();
    let seat = clients[1].player("Ben").seat;
    clients[0].act(Action::KickPlayer { player_id: ben.clone() }).await.unwrap();
    assert_eq!(clients[1].read_until_closed().await, "seat/kicked");
    let undo = || Action::UndoKick { player_id: ben.clone() };
    assert_eq!(clients[2].expect_refusal(undo()).await, ErrorCode::NotLead);
    let mut again = server.client().await;
    assert_eq!(again.join(&code, "Ben").await.unwrap_err().error, ErrorCode::Kicked);
    clients[0].act(undo()).await.unwrap();
    let mut again = server.client().await;
    again.join(&code, "Ben").await.unwrap();
    assert_eq!(again.player("Ben").seat, seat);
    assert!(again.table().players.iter().all(|player| player.bot.is_none() || player.presence == Presence::Left));
    assert_eq!(clients[0].expect_refusal(undo()).await, ErrorCode::NoSuchPlayer);
}

/// KICK-3: after a minute a removal stays.
#[tokio::test]
async fn a_removal_stays_after_a_minute() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    let ben = clients[1].id();
    clients[0].act(Action::KickPlayer { player_id: ben.clone() }).await.unwrap();
    server.clock.advance(60_000);
    assert_eq!(clients[0].expect_refusal(Action::UndoKick { player_id: ben }).await, ErrorCode::NoSuchPlayer);
    let mut again = server.client().await;
    assert_eq!(again.join(&code, "Ben").await.unwrap_err().error, ErrorCode::Kicked);
}
