//! Those who watch: how many, what their coming and going costs, and who may send them away.

use crate::client::Client;
use crate::server::{TestServer, quick, secret};
use baize_protocol::{Action, ErrorCode};

/// Bytes of messages the server has sent so far.
async fn bytes_sent(server: &TestServer) -> u64 {
    let (_, text) = server.http("GET", "/metrics", None, "").await;
    let line = text.lines().find(|line| line.starts_with("baize_sent_bytes_total")).expect("the figure");
    line.split(' ').nth(1).and_then(|figure| figure.parse().ok()).expect("a number")
}

/// Reads whatever comes until the connection ends, so that the server never waits for this client.
async fn read_on(mut client: Client) {
    while client.read().await.is_some() {}
}

/// WATCH-3: 220 people come to watch a running game and go again. Each coming and going is a small event and not the whole
/// table: it used to cost 856 MB.
#[tokio::test]
async fn spectators_who_come_and_go_cost_little() {
    let server = TestServer::alone(|config| config.max_spectators = 1_000).await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let ben = tokio::spawn(read_on(clients.pop().unwrap()));
    let mut ann = clients.pop().unwrap();
    let before = bytes_sent(&server).await;
    let mut watching = Vec::new();
    for n in 0..220 {
        let mut client = server.client().await;
        // As fast as strangers may come to watch.
        server.clock.advance(500);
        client
            .join_as(&code, &secret(&format!("watcher{n}")), Some(&format!("Watcher {n}")), true, None)
            .await
            .unwrap();
        watching.push(tokio::spawn(read_on(client)));
        ann.until("everybody is listed", |c| c.table().spectators.len() == n + 1).await;
    }
    for task in watching {
        task.abort();
    }
    ann.until("all are gone", |c| c.table().spectators.is_empty()).await;
    let sent = bytes_sent(&server).await - before;
    println!("220 spectators came and went: {sent} bytes sent");
    assert!(sent < 12_000_000, "{sent} bytes");
    ben.abort();
}

/// WATCH-4: so many people watch a table and no more; another window of one of them is nobody new.
#[tokio::test]
async fn a_table_has_room_for_so_many_spectators() {
    let server = TestServer::start_with(|config| config.max_spectators = 2).await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let mut cleo = server.client().await;
    cleo.watch(&code, "Cleo").await.unwrap();
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    let mut eve = server.client().await;
    assert_eq!(eve.watch(&code, "Eve").await.unwrap_err().error, ErrorCode::WatchersFull);
    let mut other_window = server.client().await;
    other_window.watch(&code, "Dan").await.unwrap();
    assert_eq!(other_window.id(), dan.id());
    // Who plays may come back whoever watches, and a place that is free again goes to the next.
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    // Ann has heard of both before one of them goes.
    clients[0].until("two watch", |c| c.table().spectators.len() == 2).await;
    drop(cleo);
    clients[0].until("Cleo is gone", |c| c.table().spectators.len() == 1).await;
    eve.watch(&code, "Eve").await.unwrap();
    clients[0].until("Eve watches", |c| c.table().spectators.iter().any(|s| s.name == "Eve")).await;
}

/// KICK-2: the lead removes somebody who watches; they can't come back with what they have.
#[tokio::test]
async fn the_lead_removes_a_spectator() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    let kick = || Action::KickPlayer { player_id: dan.id() };
    assert_eq!(clients[1].refused(kick()).await, ErrorCode::NotLead);
    clients[0].act(kick()).await.unwrap();
    assert_eq!(dan.hung_up().await, "seat/kicked");
    clients[1].until("everybody sees it", |c| c.table().spectators.is_empty()).await;
    clients[1].until("it is told", |c| c.said("Dan was removed by the lead")).await;
    let mut again = server.client().await;
    assert_eq!(again.watch(&code, "Dan").await.unwrap_err().error, ErrorCode::Kicked);
    assert_eq!(again.join(&code, "Dan").await.unwrap_err().error, ErrorCode::Kicked);
    assert_eq!(clients[0].refused(Action::KickPlayer { player_id: "s99".into() }).await, ErrorCode::NoSuchPlayer);
    // A player who also watches in another window keeps the seat.
    let mut window = server.client().await;
    window.watch(&code, "Ben").await.unwrap();
    clients[0].act(Action::KickPlayer { player_id: window.id() }).await.unwrap();
    assert_eq!(window.hung_up().await, "seat/kicked");
    clients[1].act(Action::Chat { text: "still here".into() }).await.unwrap();
    let mut back = server.client().await;
    back.join(&code, "Ben").await.unwrap();
}
