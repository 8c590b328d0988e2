//! Acknowledged actions survive, repeated requests have one effect, and a restarted server goes on.

use crate::client::Client;
use crate::games::{catch_up, play_out};
use crate::server::{TestServer, quick, secret};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode, Presence, TableEvent, TableStatus};
use baize_room::random_answer::random_answer;

async fn reconnect_all(server: &TestServer, code: &str, before: Vec<Client>, names: &[&str]) -> Vec<Client> {
    let mut clients = Vec::new();
    for (old, name) in before.into_iter().zip(names) {
        let mut client = server.client().await;
        client.view = old.view.clone();
        client.chat = old.chat.clone();
        client.join_as(code, &secret(name), None, false, Some(old.last())).await.unwrap();
        assert_eq!(client.view, old.view, "{name} sees what it saw, with the same handles");
        clients.push(client);
    }
    clients
}

/// DUR-2: after an orderly stop or a crash, every table continues where it was, for everyone alike.
#[tokio::test]
async fn a_restarted_server_continues_every_table() {
    for crash in [false, true] {
        let mut server = TestServer::start().await;
        let names = ["Ann", "Ben", "Cleo"];
        let (code, mut clients) = server.seated("donkey", quick(), &names).await;
        clients[0].act(Action::StartGame).await.unwrap();
        for client in &mut clients {
            client.until("it has begun", |c| c.view.is_some()).await;
        }
        for round in 0..5 {
            let at = clients.iter().position(|c| c.view().decision.is_some()).expect("somebody's turn");
            let answer = random_answer(clients[at].view(), round).unwrap();
            clients[at].play(answer).await.unwrap();
            catch_up(&mut clients).await;
        }
        server = if crash { server.crash().await } else { server.restart().await };
        clients = reconnect_all(&server, &code, clients, &names).await;
        // A restart does not count as an absence.
        assert!(clients[0].table().players.iter().all(|player| player.presence == Presence::Active));
        assert_eq!(clients[0].table().status, TableStatus::Playing);
        play_out(&mut clients, 11).await;
    }
}

/// DUR-3: a player who does not come back after a restart is disconnected when the time to return is over.
#[tokio::test]
async fn a_player_who_does_not_return_after_a_restart_is_disconnected() {
    let mut server = TestServer::start().await;
    let (code, mut clients) = server.seated("high-low", TableSettings::default(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    server = server.restart().await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.player("Ben").presence, Presence::Active);
    server.clock.advance(30_000);
    ann.until("Ben is gone", |c| c.player("Ben").presence == Presence::Disconnected).await;
    ann.until("it is Ann's turn", |c| c.view().decision.is_some()).await;
}

/// DUR-1: a repeated request has one effect and the same answer, also from another socket and after a crash.
#[tokio::test]
async fn a_repeated_request_has_one_effect() {
    let mut server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act_with("bot-1", Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    clients[0].act_with("bot-1", Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    clients[0].until("the bot is there", |c| c.table().players.len() == 3).await;
    clients[0].act(Action::Heartbeat).await.unwrap();
    assert_eq!(clients[0].table().players.len(), 3);
    clients[0].act_with("start", Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let is_asked = |c: &Client| c.view().decision.is_some();
    while !clients.iter().any(is_asked) {
        let before = clients[0].seq();
        clients[0].until("the bot has moved", |c| c.seq() > before).await;
        catch_up(&mut clients).await;
    }
    let at = clients.iter().position(is_asked).unwrap();
    let name = ["Ann", "Ben"][at];
    let answer = random_answer(clients[at].view(), 1).unwrap();
    clients[at].act_with("the-move", Action::Move(answer.clone())).await.unwrap();
    clients[at].act_with("the-move", Action::Move(answer.clone())).await.unwrap();
    server = server.crash().await;
    let mut again = server.client().await;
    again.join(&code, name).await.unwrap();
    again.act_with("the-move", Action::Move(answer.clone())).await.unwrap();
    again.act_with("bot-1", Action::AddBot { level: BotLevel::Easy }).await.unwrap_or_else(|e| {
        // Only the lead may add bots, and Ann is lead; for Ben the id was never used.
        assert_eq!(e.error, ErrorCode::NotLead);
    });
    let refused = again.act_with("another", Action::Move(answer)).await.unwrap_err();
    assert!(
        matches!(refused.error, ErrorCode::DecisionClosed | ErrorCode::NotACandidate | ErrorCode::NotYours),
        "{refused:?}"
    );
}

/// PARK-1: a table without clients leaves memory and comes back complete.
#[tokio::test]
async fn an_idle_table_is_parked_and_comes_back() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let metrics = || async { server.http("GET", "/metrics", None, "").await.1 };
    assert!(metrics().await.contains("baize_tables 1"));
    drop(clients);
    // The test can't know when the room hears of the closed sockets; until then the clock goes on.
    let parked = async {
        while !metrics().await.contains("baize_tables 0") {
            server.clock.advance(60_000);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), parked).await.expect("parked");
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.table().status, TableStatus::Playing);
    assert!(ann.has_chat_line("Ben disconnected"));
}

/// DUR-1, CHAT-3: a reaction that is sent again is shown once.
#[tokio::test]
async fn a_repeated_reaction_is_shown_once() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    for _ in 0..2 {
        clients[0].act_with("hurray", Action::React { reaction: "🎉".into() }).await.unwrap();
    }
    // The later line arrives after the reaction.
    clients[0].act(Action::Chat { text: "well played".into() }).await.unwrap();
    clients[1].until("the line is there", |c| c.has_chat_line("well played")).await;
    let shown = clients[1].events.iter().filter(|event| matches!(event, TableEvent::Reaction { .. })).count();
    assert_eq!(shown, 1);
}
