//! Whole games: from the link to the rematch, for every file in `games/`.

use crate::client::Client;
use crate::server::{TestServer, quick_if_any, root};
use baize_engine::input::Input;
use baize_engine::moves::Move;
use baize_engine::view::{View, Viewer};
use baize_narrator::NarrationKind;
use baize_protocol::http::Replay;
use baize_protocol::{Action, BotLevel, ErrorCode, TableStatus};
use baize_room::random_answer::random_answer;

/// Upper bound on moves: no game with quick options takes as many.
const MAX_MOVES: usize = 20_000;

/// Everyone answers at random until the game is over. Returns the number of moves that people made.
pub async fn play_out(clients: &mut [Client], seed: u64) -> usize {
    let mut moves = 0;
    for n in 0..MAX_MOVES {
        if clients[0].view().outcome.is_some() {
            return moves;
        }
        let asked: Vec<usize> = (0..clients.len()).filter(|at| clients[*at].view().decision.is_some()).collect();
        match asked.get(n % asked.len().max(1)) {
            Some(at) => {
                let answer = random_answer(clients[*at].view(), seed.wrapping_add(n as u64)).expect("a legal answer");
                match clients[*at].play(answer.clone()).await {
                    Ok(()) => moves += 1,
                    // A bot was faster, perhaps with the last move of the game, and the events are on their way.
                    Err(refused) if matches!(refused.error, ErrorCode::DecisionClosed | ErrorCode::GameOver) => {}
                    Err(refused) => panic!("{refused:?} for {answer:?} at\n{:?}", clients[*at].view().decision),
                }
            }
            None => {
                let before = clients[0].seq();
                clients[0].until("somebody else moves", |c| c.seq() > before).await;
            }
        }
        catch_up(clients).await;
    }
    panic!("not over after {MAX_MOVES} moves");
}

/// Waits until all clients have received as much as the most advanced one.
pub async fn catch_up(clients: &mut [Client]) {
    let most = clients.iter().map(Client::seq).max().unwrap_or(0);
    for client in clients.iter_mut() {
        client.until("caught up", |c| c.seq() >= most).await;
    }
}

/// A client that joins now has exactly the same view as one that followed from the beginning (SYNC-1, SYNC-2).
async fn assert_same_as_fresh(server: &TestServer, code: &str, client: &Client, name: &str) {
    let mut fresh = server.client().await;
    fresh.join(code, name).await.unwrap();
    assert_eq!(fresh.view(), client.view(), "{name} in {code}");
}

async fn play_from_link_to_rematch(game: &str) {
    let server = TestServer::start().await;
    let settings = quick_if_any(&server, game).await;
    let names = ["Ann", "Ben", "Cleo"];
    let (code, mut clients) = server.seated(game, settings, &names).await;
    clients[0].act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
        assert_eq!(client.table().status, TableStatus::Playing);
    }
    let moves = play_out(&mut clients, 7).await;
    assert!(moves > 0, "{game} was played by bots alone");
    for (client, name) in clients.iter_mut().zip(names) {
        client.until("it is over", |c| c.table().status == TableStatus::Ended).await;
        assert_same_as_fresh(&server, &code, client, name).await;
        // LOG-1: the last step tells how the game ended.
        let ended = client.narrated.values().flatten().any(|told| told.kind == NarrationKind::Outcome);
        assert!(ended, "{game}: {:?}", client.view().outcome);
    }
    let batches = clients.iter().flat_map(|c| &c.heard).filter(|text| text.contains("\"event\",\"b\":["));
    let (count, bytes) = batches.fold((0, 0), |(count, bytes), text| (count + 1, bytes + text.len()));
    eprintln!("{game}: {} bytes a move and client", bytes / count.max(1));
    // Now the seed is revealed and matches the commitment; anyone can verify the replay.
    let replay = clients[0].table().game.clone();
    let (status, text) = server.http("GET", &format!("/api/replays/{replay}"), None, "").await;
    assert_eq!(status, 200, "{text}");
    baize_server::verify(&serde_json::from_str(&text).unwrap()).unwrap();

    clients[0].act(Action::Rematch).await.unwrap();
    clients[0].until("a lobby again", |c| c.table().status == TableStatus::Lobby).await;
    let roster: Vec<_> = clients[0].table().players.iter().map(|player| player.name.clone()).collect();
    assert_eq!(roster.len(), 4);
    assert_eq!(roster[..3], names);
    clients[0].act(Action::StartGame).await.unwrap();
    // Nobody has given a nonce this time, so the start waits a second for them.
    clients[0].until("it waits for nonces", |c| c.table().starting).await;
    server.clock.advance(1000);
    clients[0].until("the rematch has begun", |c| c.table().status == TableStatus::Playing && c.view.is_some()).await;
    assert!(clients[0].table().game.ends_with("-2"));
}

/// Every file in the games folder.
pub fn all_games() -> Vec<String> {
    let mut games: Vec<String> = std::fs::read_dir(root().join("games"))
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            (path.extension()? == "baize").then(|| path.file_stem().unwrap().to_str().unwrap().to_owned())
        })
        .collect();
    games.sort();
    assert!(!games.is_empty());
    games
}

/// PLAY-1, PLAY-2, FAIR-3, REMATCH-1, START-3: every game in the folder.
#[tokio::test]
async fn every_game_can_be_played_from_link_to_rematch() {
    for game in all_games() {
        eprintln!("playing {game}");
        play_from_link_to_rematch(&game).await;
    }
}

/// SYNC-3: after a lost connection a client gets only what it missed, which leads to the same view.
#[tokio::test]
async fn a_returning_client_receives_what_it_missed() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("high-low", crate::server::quick(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let away = clients.pop().unwrap();
    let (kept, last) = (away.view.clone(), away.last());
    drop(away);
    clients[0]
        .until("the loss is noticed", |c| c.has_chat_line("Cleo disconnected") && !c.view().seats[2].present)
        .await;
    catch_up(&mut clients).await;
    for _ in 0..4 {
        let at = usize::from(clients[0].view().decision.is_none());
        let answer = random_answer(clients[at].view(), 3).unwrap();
        clients[at].play(answer).await.unwrap();
        catch_up(&mut clients).await;
    }
    let mut back = server.client().await;
    back.view = kept;
    let secret = crate::server::secret("Cleo");
    back.join_as(&code, &secret, None, false, Some(last)).await.unwrap();
    assert!(back.resumed.is_some_and(|batches| batches >= 4), "{:?}", back.resumed);
    clients.push(back);
    catch_up(&mut clients).await;
    assert_same_as_fresh(&server, &code, &clients[2], "Cleo").await;
    // A client that knows another game, or too little, gets a whole view.
    let mut lost = server.client().await;
    let last = baize_protocol::LastSeen { game: "other-1".into(), seq: 3, seat: Some(2), chat: 0 };
    lost.join_as(&code, &secret, None, false, Some(last)).await.unwrap();
    assert!(lost.resumed.is_none() && lost.view.is_some());
}

/// WATCH-1: spectators see what everyone may see, and follow batch by batch.
#[tokio::test]
async fn spectators_follow_a_game() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("donkey", crate::server::quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    let mut watcher = server.client().await;
    watcher.watch(&code, "Olga").await.unwrap();
    assert!(watcher.view().seat.is_none() && watcher.view().decision.is_none());
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    clients.push(watcher);
    play_out(&mut clients, 1).await;
    let mut fresh = server.client().await;
    fresh.watch(&code, "Petra").await.unwrap();
    assert_eq!(fresh.view(), clients[2].view());
    assert_eq!(clients[2].expect_refusal(Action::StartGame).await, ErrorCode::NotLead);
}

/// A step as a replay contains it.
#[derive(serde::Deserialize)]
enum ReplayStep {
    Move { seat: u8, answer: Move },
    Input(Input),
}

/// WATCH-2: a spectator who comes after a time without spectators gets the same view as one who was there from the
/// start, also after a crash. Every game.
#[tokio::test]
async fn a_late_spectator_sees_what_an_early_one_sees() {
    for game in all_games() {
        let mut server = TestServer::alone(|_| {}).await;
        let settings = quick_if_any(&server, &game).await;
        let names = ["Ann", "Ben", "Cleo"];
        let (code, mut clients) = server.seated(&game, settings, &names).await;
        clients[0].act(Action::StartGame).await.unwrap();
        for client in &mut clients {
            client.until("it has begun", |c| c.view.is_some()).await;
        }
        // The views of spectators, each with its `seq`.
        let mut seen: Vec<View> = Vec::new();
        for part in 0..4 {
            make_random_moves(&mut clients, 6, part).await;
            let mut watcher = server.client().await;
            watcher.watch(&code, "Olga").await.unwrap();
            seen.push(watcher.view().clone());
            clients.push(watcher);
            for n in 0..4 {
                make_random_moves(&mut clients, 1, 10 + 4 * part + n).await;
                seen.push(clients[3].view().clone());
            }
            // The last spectator leaves; a while later the observer for spectators is dropped.
            drop(clients.pop());
            clients[0].until("gone", |c| c.table().spectators.is_empty()).await;
            server.clock.advance(11_000);
            for client in &mut clients {
                client.act(Action::Heartbeat).await.unwrap();
            }
            if part == 2 {
                clients.clear();
                server = server.crash().await;
                for name in names {
                    let mut client = server.client().await;
                    client.join(&code, name).await.unwrap();
                    clients.push(client);
                }
                catch_up(&mut clients).await;
            }
        }
        if clients[0].view().outcome.is_none() {
            clients[0].act(Action::EndGame).await.unwrap();
            clients[0].until("it is over", |c| c.table().status == TableStatus::Ended).await;
        }
        let path = format!("/api/replays/{}", clients[0].table().game);
        let (status, text) = server.http("GET", &path, None, "").await;
        assert_eq!(status, 200, "{game}: {text}");
        let replay: Replay = serde_json::from_str(&text).unwrap();
        // A spectator who was there from the start.
        let mut table = baize_server::replayed(&replay).unwrap();
        let mut expected = vec![table.view(Viewer::Spectator).unwrap().clone()];
        for step in replay.steps {
            match serde_json::from_value(step).unwrap() {
                ReplayStep::Move { seat, answer } => table.play(seat, &answer).unwrap(),
                ReplayStep::Input(input) => table.input(&input).unwrap(),
            };
            expected.push(table.view(Viewer::Spectator).unwrap().clone());
        }
        assert!(seen.len() >= 12, "{game}: {} views", seen.len());
        for view in seen {
            assert_eq!(view, expected[view.seq as usize], "{game}, step {}", view.seq);
        }
    }
}

/// Makes this many random moves, or fewer if the game ends.
async fn make_random_moves(clients: &mut [Client], count: usize, seed: u64) {
    for n in 0..count {
        let Some(at) = clients.iter().position(|client| client.view().decision.is_some()) else { return };
        let answer = random_answer(clients[at].view(), 1000 * seed + n as u64).expect("a legal answer");
        clients[at].play(answer).await.unwrap();
        catch_up(clients).await;
    }
}
