//! Spectators: how many there may be, what joining and leaving cost, and who may remove them.

use crate::client::Client;
use crate::server::{TestServer, quick, secret};
use baize_protocol::{Action, ErrorCode};

/// Bytes of messages that the server has sent so far.
async fn bytes_sent(server: &TestServer) -> u64 {
    let (_, text) = server.http("GET", "/metrics", None, "").await;
    let line = text.lines().find(|line| line.starts_with("baize_sent_bytes_total")).expect("the metric");
    line.split(' ').nth(1).and_then(|metric| metric.parse().ok()).expect("a number")
}

/// Reads until the connection ends, so that the server never waits for this client.
async fn read_on(mut client: Client) {
    while client.read().await.is_some() {}
}

/// WATCH-3: 220 people join a running game as spectators and leave again. Each joining and leaving is a small event and
/// not the whole table, which once cost 856 MB.
#[tokio::test]
async fn joining_and_leaving_spectators_cost_little() {
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
        // The clock advances by the shortest time in which another stranger may join as a spectator.
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

/// WATCH-4: the number of spectators is limited; another window of a spectator does not count.
#[tokio::test]
async fn the_number_of_spectators_is_limited() {
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
    // Players may always come back, and a free place goes to the next spectator.
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    // Ann has heard of both before one of them leaves.
    clients[0].until("two watch", |c| c.table().spectators.len() == 2).await;
    drop(cleo);
    clients[0].until("Cleo is gone", |c| c.table().spectators.len() == 1).await;
    // Regression: whoever sat down and left watched although all places were taken.
    eve.watch(&code, "Eve").await.unwrap();
    let mut fay = server.client().await;
    fay.join(&code, "Fay").await.unwrap();
    fay.act(Action::Leave).await.unwrap();
    assert_eq!(fay.read_until_closed().await, "table/watchers-full");
    clients[0].until("Fay is gone", |c| c.table().players.iter().all(|player| player.name != "Fay")).await;
    clients[0].until("two watch again", |c| c.table().spectators.len() == 2).await;
    clients[0].until("Eve watches", |c| c.table().spectators.iter().any(|s| s.name == "Eve")).await;
}

/// KICK-2: the lead removes a spectator, who can't come back with the same secret.
#[tokio::test]
async fn the_lead_removes_a_spectator() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    let kick = || Action::KickPlayer { player_id: dan.id() };
    assert_eq!(clients[1].expect_refusal(kick()).await, ErrorCode::NotLead);
    clients[0].act(kick()).await.unwrap();
    assert_eq!(dan.read_until_closed().await, "seat/kicked");
    clients[1].until("everybody sees it", |c| c.table().spectators.is_empty()).await;
    clients[1].until("it is told", |c| c.has_chat_line("Dan was removed by the lead")).await;
    let mut again = server.client().await;
    assert_eq!(again.watch(&code, "Dan").await.unwrap_err().error, ErrorCode::Kicked);
    assert_eq!(again.join(&code, "Dan").await.unwrap_err().error, ErrorCode::Kicked);
    assert_eq!(
        clients[0].expect_refusal(Action::KickPlayer { player_id: "s99".into() }).await,
        ErrorCode::NoSuchPlayer
    );
    // A player who also watches in another window keeps the seat.
    let mut window = server.client().await;
    window.watch(&code, "Ben").await.unwrap();
    clients[0].act(Action::KickPlayer { player_id: window.id() }).await.unwrap();
    assert_eq!(window.read_until_closed().await, "seat/kicked");
    clients[1].act(Action::Chat { text: "still here".into() }).await.unwrap();
    let mut back = server.client().await;
    back.join(&code, "Ben").await.unwrap();
}
