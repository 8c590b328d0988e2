//! What happens is told in words: live, after a reload, and to nobody who could not see it.

use crate::client::{Client, secret};
use crate::games::catch_up;
use crate::seats::begun;
use crate::server::{TestServer, quick, quick_if_any};
use baize_narrator::NarrationKind;
use baize_protocol::http::TableLog;
use baize_protocol::{Action, Door, ErrorCode, Presence};
use baize_room::random_answer::random_answer;

async fn log_of(server: &TestServer, code: &str, name: &str, query: &str) -> TableLog {
    let (status, text) = server.http("GET", &format!("/api/tables/{code}/log{query}"), Some(&secret(name)), "").await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

async fn play_some(clients: &mut [Client], moves: u64) {
    for n in 0..moves {
        catch_up(clients).await;
        let Some(at) = clients.iter().position(|client| client.view().decision.is_some()) else { return };
        let answer = random_answer(clients[at].view(), n).unwrap();
        clients[at].play(answer).await.unwrap();
    }
    catch_up(clients).await;
}

/// LOG-1, LOG-2: after a reload, and after a restart of the server, a player reads what was told live, and before it the deal.
#[tokio::test]
async fn a_reload_tells_what_was_told_live() {
    let server = TestServer::alone(|_| {}).await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben", "Cleo"]).await;
    assert!(log_of(&server, &code, "Ann", "").await.steps.is_empty(), "no game, no log");
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    play_some(&mut clients, 9).await;
    let log = log_of(&server, &code, "Ann", "").await;
    assert_eq!((&log.game, log.earlier), (&clients[0].table().game, false));
    assert!(log.steps[0].narrations.iter().any(|told| told.kind == NarrationKind::Session), "the deal is told");
    let live: Vec<_> = clients[0].narrated.iter().filter(|(_, told)| !told.is_empty()).collect();
    let read: Vec<_> = log.steps.iter().skip(1).map(|step| (&step.seq, &step.narrations)).collect();
    assert_eq!(live, read);
    assert!(live.len() >= 9);
    // A page ends before the given step.
    let page = log_of(&server, &code, "Ann", &format!("?before={}", log.steps[4].seq)).await;
    assert_eq!(page.steps, log.steps[..4]);
    let clock = server.clock.clone();
    let data = server.stop().await;
    let server = TestServer::on(data, clock, |_| {}).await;
    assert_eq!(log_of(&server, &code, "Ann", "").await.steps, log.steps);
}

/// LOG-3: somebody who gets a seat reads as its player only what happened since, and what was before as a spectator.
#[tokio::test]
async fn a_seat_that_changes_hands_tells_nothing_of_its_last_player() {
    let server = TestServer::start().await;
    let (code, mut clients) =
        server.seated("go-fish", quick_if_any(&server, "go-fish").await, &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    play_some(&mut clients, 8).await;
    let (cleo, olga) = (log_of(&server, &code, "Cleo", "").await, log_of(&server, &code, "Olga", "").await);
    assert_ne!(cleo.steps, olga.steps, "a player sees more than spectators");
    let mut dan = server.client().await;
    dan.watch(&code, "Dan").await.unwrap();
    drop(clients.remove(2));
    clients[0].until("Cleo is gone", |c| c.player("Cleo").presence == Presence::Disconnected).await;
    clients[0].act(Action::HandSeat { player_id: "p3".into(), to: dan.id() }).await.unwrap();
    dan.until("Dan has the seat", |c| c.view().seat == Some(2)).await;
    clients.push(dan);
    let before = cleo.steps.last().unwrap().seq;
    play_some(&mut clients, 6).await;
    let (dan, olga) = (log_of(&server, &code, "Dan", "").await, log_of(&server, &code, "Olga", "").await);
    let until = |log: &TableLog| log.steps.iter().filter(|step| step.seq <= before).cloned().collect::<Vec<_>>();
    assert_eq!(until(&dan), until(&olga));
    // Cleo lost the seat, and with it everything that only its player could see.
    assert_eq!(log_of(&server, &code, "Cleo", "").await.steps, olga.steps);
    for step in dan.steps.iter().filter(|step| step.seq > before) {
        if let Some(live) = clients[2].narrated.get(&step.seq) {
            assert_eq!(live, &step.narrations);
        }
    }
}

/// LOG-4, HTTP-10: a log is told to people at the table, and to strangers only if they could watch. Each request counts as look-ups.
#[tokio::test]
async fn a_log_is_for_those_who_may_be_at_the_table() {
    let server = TestServer::start_with(|config| config.looks_per_minute = 40).await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    begun(&mut clients).await;
    let path = format!("/api/tables/{code}/log");
    let refused = |(status, text): (u16, String)| {
        let refused: baize_protocol::http::HttpRefused =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
        (status, refused.error)
    };
    assert_eq!(refused(server.http("GET", &path, None, "").await), (401, ErrorCode::BadSecret));
    let stranger = secret("Stranger");
    let unknown = server.http("GET", "/api/tables/nothing/log", Some(&stranger), "").await;
    assert_eq!(refused(unknown), (404, ErrorCode::NoTable));
    assert_eq!(server.http("GET", &path, Some(&stranger), "").await.0, 200, "the door is open");
    clients[0].act(Action::SetDoor { door: Door::Locked }).await.unwrap();
    assert_eq!(refused(server.http("GET", &path, Some(&stranger), "").await), (403, ErrorCode::DoorLocked));
    assert_eq!(server.http("GET", &path, Some(&secret("Ben")), "").await.0, 200);
    let mut answers = Vec::new();
    for _ in 0..40 {
        answers.push(server.http("GET", &path, Some(&secret("Ben")), "").await.0);
    }
    assert!(answers.contains(&200) && answers.last() == Some(&429), "{answers:?}");
}
