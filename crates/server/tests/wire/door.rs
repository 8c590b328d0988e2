//! The door of a table: locked tables, and tables whose lead is asked.

use crate::client::Client;
use crate::server::{TestServer, quick, secret};
use baize_protocol::table::AskerInfo;
use baize_protocol::{Action, Door, ErrorCode, TableEvent, limits};

const LOCKED: Action = Action::SetDoor { door: Door::Locked };
const ASK: Action = Action::SetDoor { door: Door::Ask };
const OPEN: Action = Action::SetDoor { door: Door::Open };

/// The askers as the lead last received them.
fn askers(lead: &Client) -> Vec<AskerInfo> {
    let askers = lead.events.iter().rev().find_map(|event| match event {
        TableEvent::AskersChanged { askers } => Some(askers.clone()),
        _ => None,
    });
    askers.unwrap_or_default()
}

/// The code with which this browser and name are turned away.
async fn turned_away(server: &TestServer, code: &str, browser: &str, name: &str, watch: bool) -> ErrorCode {
    let mut client = server.client().await;
    client.join_as(code, &secret(browser), Some(name), watch, None).await.unwrap_err().error
}

/// DOOR-1: nobody new joins a locked table, whatever secret they use. Everybody who was there can come back, also after a
/// restart.
#[tokio::test]
async fn nobody_new_comes_to_a_locked_table() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    assert_eq!(clients[1].expect_refusal(LOCKED).await, ErrorCode::NotLead);
    clients[0].act(LOCKED).await.unwrap();
    clients[1].until("told of it", |c| c.table().door == Door::Locked).await;
    clients[0].act(Action::KickPlayer { player_id: "p3".into() }).await.unwrap();
    assert_eq!(clients[2].read_until_closed().await, "seat/kicked");
    // Each of them has a new secret and another name, and wants to play or to watch.
    for (browser, name) in [("other browser", "Cleo"), ("third browser", "Zoe")] {
        for watch in [false, true] {
            assert_eq!(turned_away(&server, &code, browser, name, watch).await, ErrorCode::DoorLocked, "{name}");
        }
    }
    let (_, card) = server.http("GET", &format!("/api/tables/{code}"), Some(&secret("stranger")), "").await;
    assert!(card.contains("table/locked"), "{card}");
    drop((clients, dan));
    let server = server.restart().await;
    for (name, watch) in [("Ben", false), ("Dan", true), ("Ann", false)] {
        let mut back = server.client().await;
        back.join_as(&code, &secret(name), Some(name), watch, None).await.unwrap();
    }
    assert_eq!(turned_away(&server, &code, "stranger", "Zoe", true).await, ErrorCode::DoorLocked);
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    ann.act(OPEN).await.unwrap();
    let mut zoe = server.client().await;
    zoe.join(&code, "Zoe").await.unwrap();
    // When nobody is left who could open the door, it opens.
    ann.act(LOCKED).await.unwrap();
    for mut client in [zoe, ann] {
        client.act(Action::Leave).await.unwrap();
    }
    let mut ben = server.client().await;
    ben.join(&code, "Ben").await.unwrap();
    ben.act(Action::Leave).await.unwrap();
    let mut new = server.client().await;
    new.join(&code, "Somebody new").await.unwrap();
}

/// DOOR-2: the lead is asked about everybody new and admits or declines them; nobody else hears of it.
#[tokio::test]
async fn the_lead_is_asked_who_may_come_in() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(ASK).await.unwrap();
    assert_eq!(turned_away(&server, &code, "dan", "Dan", false).await, ErrorCode::DoorAsked);
    assert_eq!(turned_away(&server, &code, "eve", "Eve", true).await, ErrorCode::DoorAsked);
    // Asking again is the same request.
    assert_eq!(turned_away(&server, &code, "dan", "Dan", false).await, ErrorCode::DoorAsked);
    let ann = &mut clients[0];
    ann.until("both ask", |c| askers(c).len() == 2).await;
    let asked: Vec<_> = askers(ann).into_iter().map(|asker| (asker.name, asker.watch)).collect();
    assert_eq!(asked, [("Dan".to_owned(), false), ("Eve".to_owned(), true)]);
    let [dan, eve] = [0, 1].map(|n| askers(ann)[n].id.clone());
    let answer = |id: &str, admit| Action::AnswerAsker { asker_id: id.into(), admit };
    ann.act(answer(&dan, true)).await.unwrap();
    ann.act(answer(&eve, false)).await.unwrap();
    assert_eq!(ann.expect_refusal(answer(&dan, true)).await, ErrorCode::NoSuchAsker);
    ann.until("nobody asks any more", |c| askers(c).is_empty()).await;
    let mut dan = server.client().await;
    dan.join(&code, "dan").await.unwrap();
    assert_eq!(turned_away(&server, &code, "eve", "Eve", true).await, ErrorCode::DoorDeclined);
    assert_eq!(turned_away(&server, &code, "eve", "Eve", false).await, ErrorCode::DoorDeclined);
    let ben = &mut clients[1];
    assert_eq!(ben.expect_refusal(answer(&eve, true)).await, ErrorCode::NotLead);
    assert!(!ben.heard.iter().any(|text| text.contains("askersChanged") || text.contains("Eve")));
    // With a new secret, a kicked person counts as somebody new.
    clients[0].until("Dan sits", |c| c.table().players.len() == 3).await;
    let dans = clients[0].player("dan").id.clone();
    clients[0].act(Action::KickPlayer { player_id: dans }).await.unwrap();
    assert_eq!(turned_away(&server, &code, "dan", "dan", false).await, ErrorCode::Kicked);
    assert_eq!(turned_away(&server, &code, "dan again", "Dan", false).await, ErrorCode::DoorAsked);
}

/// DOOR-2: the next lead learns who asks, and so does a lead who reconnects.
#[tokio::test]
async fn the_next_lead_learns_who_asks() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(ASK).await.unwrap();
    assert_eq!(turned_away(&server, &code, "dan", "Dan", false).await, ErrorCode::DoorAsked);
    clients[0].act(Action::PassLead { player_id: "p2".into() }).await.unwrap();
    clients[1].until("Ben is told", |c| askers(c).len() == 1).await;
    let mut window = server.client().await;
    window.join(&code, "Ben").await.unwrap();
    window.until("told as well", |c| askers(c).len() == 1).await;
}

/// DOOR-3: only a limited number may ask at the same time; an asker who goes away is forgotten, and one without an
/// answer is told so.
#[tokio::test]
async fn requests_to_come_in_are_bounded_and_expire() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(ASK).await.unwrap();
    for n in 0..limits::ASKERS {
        let stranger = format!("stranger {n}");
        assert_eq!(turned_away(&server, &code, &stranger, &stranger, true).await, ErrorCode::DoorAsked);
    }
    assert_eq!(turned_away(&server, &code, "one more", "One more", true).await, ErrorCode::DoorCrowded);
    clients[0].until("all ask", |c| askers(c).len() == limits::ASKERS).await;
    // One of them stays; the others have closed the page.
    for _ in 0..17 {
        server.clock.advance(10_000);
        clients[0].act(Action::Heartbeat).await.unwrap();
        assert_eq!(turned_away(&server, &code, "stranger 3", "stranger 3", true).await, ErrorCode::DoorAsked);
    }
    clients[0].until("one is left", |c| askers(c).len() == 1).await;
    server.clock.advance(10_000);
    assert_eq!(turned_away(&server, &code, "stranger 3", "stranger 3", true).await, ErrorCode::DoorUnanswered);
    clients[0].until("nobody asks", |c| askers(c).is_empty()).await;
    server.clock.advance(5 * 60_000);
    assert_eq!(turned_away(&server, &code, "stranger 3", "stranger 3", true).await, ErrorCode::DoorAsked);
}

/// DOOR-3: new secrets can't make more requests than the limit for one table.
#[tokio::test]
async fn strangers_can_ask_only_a_limited_number_of_times() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(ASK).await.unwrap();
    let mut asked = 0;
    for n in 0..100 {
        if turned_away(&server, &code, &format!("secret {n}"), "Eve", true).await == ErrorCode::DoorAsked {
            asked += 1;
            let before = askers(&clients[0]).len();
            clients[0].until("told of it", |c| askers(c).len() == before + 1).await;
            let asker_id = askers(&clients[0])[0].id.clone();
            clients[0].act(Action::AnswerAsker { asker_id, admit: false }).await.unwrap();
            clients[0].until("answered", |c| askers(c).is_empty()).await;
        }
    }
    assert_eq!(asked, 20);
}
