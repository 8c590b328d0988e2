//! Shuffles that anyone can check, and secrets that are not revealed too early.

use crate::games::play_out;
use crate::server::{TestServer, quick};
use baize_protocol::Action;
use baize_protocol::http::Replay;
use baize_protocol::table::TableSettings;
use baize_server::{VerifyError, verify};

/// Games that end void: because their rules say so, at the limit of moves, and because a step takes too long.
const VOID_GAMES: [(&str, &str); 3] = [
    ("said", "limit 50 moves, then draw\nask first player \"Go on\"\n  go \"Go\"\nend void, \"It does not count\"\n"),
    ("limit", "limit 3 moves, then void\nrepeat 20 times\n  ask first player \"Go on\"\n    go \"Go\"\nend draw\n"),
    (
        "budget",
        "limit 50 moves, then draw\nstate\n  n: 0..9 = 0\nask first player \"Go on\"\n  go \"Go\"\nrepeat 100 times\n  repeat 100 times\n    repeat 100 times\n      n := 1\nend draw\nshow\n  status \"{n}\"\n",
    ),
];

/// FAIR-1, FAIR-2: clients learn the commitment before the deal, and the seed and the replay only after the end. A
/// changed replay does not verify.
#[tokio::test]
async fn the_seed_is_committed_to_and_revealed_at_the_end() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    let promised = clients[0].table().fairness.clone();
    assert!(promised.commitment.is_some() && promised.seed.is_none());
    let game = clients[0].table().game.clone();
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let (status, _) = server.http("GET", &format!("/api/replays/{game}"), None, "").await;
    assert_eq!(status, 404);
    assert!(clients[0].table().fairness.seed.is_none());
    play_out(&mut clients, 2).await;
    clients[0].until("the seed is told", |c| c.table().fairness.seed.is_some()).await;
    assert_eq!(clients[0].table().fairness.commitment, promised.commitment);
    let (_, text) = server.http("GET", &format!("/api/replays/{game}"), None, "").await;
    let replay: Replay = serde_json::from_str(&text).unwrap();
    assert_eq!(Some(&replay.commitment), promised.commitment.as_ref());
    verify(&replay).unwrap();

    let mut other_seed = replay.clone();
    other_seed.seed = "00".repeat(32);
    assert_eq!(verify(&other_seed), Err(VerifyError::Commitment));
    // Without the players' nonces the same seed deals other cards.
    let mut no_nonces = replay.clone();
    let is_nonce = |step: &serde_json::Value| step.to_string().contains("Nonce");
    for step in no_nonces.steps.iter_mut().filter(|step| is_nonce(step)) {
        step["Input"]["Nonce"]["bytes"] = serde_json::json!([1]);
    }
    assert!(matches!(verify(&no_nonces), Err(VerifyError::Differs { .. } | VerifyError::Refused { .. })));
    // A replay is of a finished game: one that was cut short does not verify, even if the rest is consistent.
    let mut short = replay.clone();
    short.steps.pop();
    short.batches.pop();
    assert_eq!(verify(&short), Err(VerifyError::Unfinished));
    short.steps.clear();
    short.batches.clear();
    assert_eq!(verify(&short), Err(VerifyError::Unfinished));
    let mut untold = replay.clone();
    untold.batches.pop();
    assert_eq!(verify(&untold), Err(VerifyError::Unreadable("steps")));
    let mut moved = replay;
    let last = moved.batches.len() - 1;
    moved.batches[last].events.pop();
    assert!(matches!(verify(&moved), Err(VerifyError::Differs { .. })));
}

/// FAIR-3: the replay of a game that the lead ended verifies, and does not without its end.
#[tokio::test]
async fn a_game_that_was_ended_can_be_verified() {
    let server = TestServer::start().await;
    let (_, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].act(Action::EndGame).await.unwrap();
    let (_, text) = server.http("GET", &format!("/api/replays/{}", clients[0].table().game), None, "").await;
    let mut replay: Replay = serde_json::from_str(&text).unwrap();
    verify(&replay).unwrap();
    replay.steps.pop();
    replay.batches.pop();
    assert_eq!(verify(&replay), Err(VerifyError::Unfinished));
}

/// FAIR-4: a game that ends void has its replay like any other, whatever made it void.
#[tokio::test]
async fn void_games_have_replays() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rules) in VOID_GAMES {
        let rules = format!("game \"Void {name}\"\nplayers 2..4\n{rules}");
        std::fs::write(folder.path().join(format!("{name}.baize")), rules).unwrap();
    }
    let games = folder.path().to_owned();
    let server = TestServer::start_with(move |config| config.games = games).await;
    for (name, _) in VOID_GAMES {
        // A table's id contains the time, and the same id would give the same table.
        server.clock.advance(1);
        let (_, mut clients) = server.seated(name, TableSettings::default(), &["Ann", "Ben"]).await;
        clients[0].act(Action::StartGame).await.unwrap();
        for client in &mut clients {
            client.until("it has begun", |c| c.view.is_some()).await;
        }
        play_out(&mut clients, 1).await;
        let outcome = clients[0].view().outcome.clone().unwrap();
        assert_eq!(serde_json::to_value(&outcome).unwrap()["kind"], "void", "{name}: {outcome:?}");
        // The room stores the replay before it handles the next message.
        clients[0].act(Action::Heartbeat).await.unwrap();
        let game = clients[0].table().game.clone();
        let store = server.data().store().await;
        let record: serde_json::Value =
            serde_json::from_slice(&store.game(&game).await.unwrap().unwrap().record).unwrap();
        store.close().await.unwrap();
        assert!(record["told"].is_array() && !record["ended_at"].is_null(), "{name}: {record}");
        let (status, text) = server.http("GET", &format!("/api/replays/{game}"), None, "").await;
        assert_eq!(status, 200, "{name}: {text}");
        let replay: Replay = serde_json::from_str(&text).unwrap();
        verify(&replay).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
