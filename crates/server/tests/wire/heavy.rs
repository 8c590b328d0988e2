//! Slow work: it counts against a limit, and nobody else waits for it.

use crate::client::{message, request};
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::PacksImported;
use baize_protocol::table::{OptionSetting, TableSettings};
use baize_protocol::{Action, ErrorCode};
use baize_room::record::StartSpending;
use std::time::Instant;

/// Uploads about as many cards as a game may have (20,000) for Ann.
async fn largest_packs(server: &TestServer) -> TableSettings {
    let headers = format!(
        "Host: {}\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n",
        server.address,
        secret("Ann")
    );
    let mut pack_ids = Vec::new();
    for (pack, cards) in [("One", 10_000), ("Two", 9_000)] {
        let rows: String = (0..cards)
            .map(|n| if n % 10 == 0 { format!("prompt,{pack} asks {n} ___\n") } else { format!("answer,{pack} {n}\n") })
            .collect();
        let path = format!("/api/packs?name={pack}");
        let body = format!("deck,text\n{rows}");
        let (_, _, text) = request(server.address, "POST", &path, &headers, body.as_bytes()).await.unwrap();
        let imported = serde_json::from_str::<PacksImported>(&text).unwrap_or_else(|_| panic!("{text}"));
        pack_ids.push(imported.packs[0].id.clone());
    }
    TableSettings { pack_ids, ..quick() }
}

/// HEAVY-1: while a game with the largest packs is dealt, ended and dealt again, another table on the same thread gets
/// answers.
#[tokio::test]
async fn another_table_is_answered_while_the_largest_packs_are_dealt() {
    let server = TestServer::alone(|_| {}).await;
    let settings = largest_packs(&server).await;
    let (_, mut judges) = server.seated("cards-against-humanity", settings, &["Ann", "Ben", "Cleo"]).await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    let dan = &mut others[0];
    let mut meanwhile = Vec::new();
    for round in 0..2 {
        for judge in &mut judges {
            judge.act(Action::Nonce { nonce: format!("nonce {round}") }).await.unwrap();
        }
        for (step, action) in [Action::StartGame, Action::EndGame, Action::Rematch].into_iter().enumerate() {
            let ann = &mut judges[0];
            let asked = format!("heavy-{round}-{step}");
            ann.send_text(&message(&asked, action)).await;
            let begun = Instant::now();
            let mut waits = Vec::new();
            {
                let answered = ann.answer(&asked);
                tokio::pin!(answered);
                loop {
                    let since = Instant::now();
                    let beat = dan.act(Action::Heartbeat);
                    tokio::pin!(beat);
                    // Whichever comes first; a heartbeat that was sent is always awaited.
                    let over = tokio::select! {
                        biased;
                        answer = &mut answered => Some(answer),
                        beat = &mut beat => { beat.unwrap(); waits.push(since.elapsed()); continue; }
                    };
                    beat.await.unwrap();
                    over.unwrap().unwrap();
                    break;
                }
            }
            waits.sort();
            let (p50, worst) = (waits.get(waits.len() / 2), waits.last());
            println!("{asked}: {:?}, {} answers meanwhile, p50 {p50:?}, worst {worst:?}", begun.elapsed(), waits.len());
            meanwhile.push(waits.len());
        }
        server.clock.advance(600_000);
    }
    // The first start prepares the game; the other table once had to wait for that.
    assert!(meanwhile[0] >= 5, "{meanwhile:?}");
}

/// HEAVY-2: starts, ends and rematches are limited, and large packs count more.
#[tokio::test]
async fn repeated_starts_are_refused_for_a_while() {
    let server = TestServer::start_with(|config| config.actions_per_second = 100).await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let mut rounds = 0;
    'over: loop {
        for client in &mut clients {
            client.act(Action::Nonce { nonce: format!("nonce {rounds}") }).await.unwrap();
        }
        for action in [Action::StartGame, Action::EndGame, Action::Rematch] {
            match clients[0].act(action).await {
                Ok(()) => {}
                Err(refused) => break 'over assert_eq!(refused.error, ErrorCode::TooFast),
            }
        }
        rounds += 1;
    }
    assert_eq!(rounds, 20);
    // A fifth of the usual two seconds, because this server allows five times the usual messages.
    server.clock.advance(400);
    clients[0].act(Action::StartGame).await.unwrap();
}

/// HEAVY-3: a table whose settings change before each start writes another definition each time, until the bytes that
/// its starts may write are used up. Then no start is accepted, and the data folder does not grow.
#[tokio::test]
async fn starts_write_only_so_much() {
    let server = TestServer::alone(|_| {}).await;
    let settings = largest_packs(&server).await;
    let (_, mut judges) = server.seated("cards-against-humanity", settings.clone(), &["Ann", "Ben", "Cleo"]).await;
    let (mut starts, mut refused) = (0, 0);
    for hand_size in 3..=15 {
        let options = [("handSize".to_owned(), OptionSetting::Number(hand_size))].into();
        judges[0].act(Action::Configure { settings: TableSettings { options, ..settings.clone() } }).await.unwrap();
        for judge in &mut judges {
            judge.act(Action::Nonce { nonce: format!("nonce {hand_size}") }).await.unwrap();
        }
        match judges[0].act(Action::StartGame).await {
            Err(refusal) => {
                assert_eq!(refusal.error, ErrorCode::TooFast);
                refused += 1;
            }
            Ok(()) => {
                assert_eq!(refused, 0, "a start was accepted after the budget was used up");
                starts += 1;
                judges[0].act(Action::EndGame).await.unwrap();
                judges[0].act(Action::Rematch).await.unwrap();
            }
        }
    }
    drop(judges);
    let data = server.stop().await;
    let files = std::fs::read_dir(data.path()).unwrap().map(|file| file.unwrap().metadata().unwrap());
    let size: u64 = files.filter(|file| file.is_file()).map(|file| file.len()).sum();
    println!("{starts} starts accepted, {refused} refused, {} MiB in the data folder", size >> 20);
    assert!(starts >= 3 && refused >= 3);
    // The packs and the log of each game come on top of what starts may write.
    assert!(size < StartSpending::BURST + (12 << 20), "{size} bytes");
}
