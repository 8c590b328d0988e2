//! Slow work: it counts against a limit, and nobody else waits for it.

use crate::client::{Client, message, request};
use crate::fault_injector::FaultInjector;
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::PacksImported;
use baize_protocol::table::{OptionSetting, TableSettings};
use baize_protocol::{Action, ErrorCode};
use baize_room::record::StartSpending;
use std::future::Future;
use std::time::{Duration, Instant};

/// Uploads a pack for Ann and returns its id.
async fn large_pack(server: &TestServer, pack: &str, cards: usize) -> String {
    let headers = format!(
        "Host: {}\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n",
        server.address,
        secret("Ann")
    );
    let rows: String = (0..cards)
        .map(|n| if n % 10 == 0 { format!("prompt,{pack} asks {n} ___\n") } else { format!("answer,{pack} {n}\n") })
        .collect();
    let path = format!("/api/packs?name={pack}");
    let body = format!("deck,text\n{rows}");
    let (_, _, text) = request(server.address, "POST", &path, &headers, body.as_bytes()).await.unwrap();
    let imported = serde_json::from_str::<PacksImported>(&text).unwrap_or_else(|_| panic!("{text}"));
    imported.packs[0].id.clone()
}

/// Uploads about as many cards as a game may have (20,000) for Ann.
async fn largest_packs(server: &TestServer) -> TableSettings {
    let pack_ids = vec![large_pack(server, "One", 10_000).await, large_pack(server, "Two", 9_000).await];
    TableSettings { pack_ids, ..quick() }
}

/// Upper bound on the wait for an answer that must come. Only a failing test waits so long.
const TOO_LONG: Duration = Duration::from_secs(60);

/// Makes work stop at the fault point `point`. Returns how often work was there before.
fn stop_at(injector: &FaultInjector, point: &'static str) -> usize {
    injector.stall(point);
    injector.count(point)
}

/// Waits until work has stopped at the fault point `point`. Fails if `done` comes first: then the work was not done aside.
async fn until_stopped(
    injector: &FaultInjector,
    (point, before): (&'static str, usize),
    done: impl Future<Output = ()>,
    what: &str,
) {
    let stopped = async {
        while injector.count(point) == before {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = stopped => {}
        () = done => panic!("{what} is not done aside"),
        () = tokio::time::sleep(TOO_LONG) => panic!("{what} does not begin"),
    }
}

/// The client gets several answers while work elsewhere stands still.
async fn is_answered(client: &mut Client, what: &str) {
    for _ in 0..5 {
        let beat = tokio::time::timeout(TOO_LONG, client.act(Action::Heartbeat)).await;
        beat.unwrap_or_else(|_| panic!("{what} holds up another table")).unwrap();
    }
}

async fn with_faults() -> (TestServer, FaultInjector) {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    (TestServer::alone(|config| config.faults = faults).await, injector)
}

/// HEAVY-1: while a game with the largest packs is dealt, ended and dealt again, another table on the same thread gets
/// answers. The test stops each step in the middle, so that a fast machine does not finish it before anybody asks.
#[tokio::test]
async fn another_table_is_answered_while_the_largest_packs_are_dealt() {
    let (server, injector) = with_faults().await;
    let settings = largest_packs(&server).await;
    let (_, mut judges) = server.seated("cards-against-humanity", settings, &["Ann", "Ben", "Cleo"]).await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    for round in 0..2 {
        for judge in &mut judges {
            judge.act(Action::Nonce { nonce: format!("nonce {round}") }).await.unwrap();
        }
        for (step, action) in [Action::StartGame, Action::EndGame, Action::Rematch].into_iter().enumerate() {
            let (ann, what) = (&mut judges[0], format!("{action:?}"));
            let asked = format!("heavy-{round}-{step}");
            let before = stop_at(&injector, "aside/table");
            ann.send_text(&message(&asked, action)).await;
            let answered = async { ann.answer(&asked).await.unwrap() };
            until_stopped(&injector, ("aside/table", before), answered, &what).await;
            is_answered(&mut others[0], &what).await;
            injector.clear("aside/table");
            ann.answer(&asked).await.unwrap();
        }
        server.clock.advance(600_000);
    }
}

/// The least number of answers that another table gets while four games with the largest packs start, end and return to the lobby.
const LEAST_ANSWERS: usize = 40;

/// HEAVY-1, in figures: asserts how many answers another table gets meanwhile, and prints how long another table on the same thread waits for its answers while games with the largest packs
/// start, end and return to the lobby.
#[tokio::test]
async fn another_table_goes_on_while_the_largest_packs_are_dealt() {
    let server = TestServer::alone(|config| config.actions_per_second = 1000).await;
    let settings = largest_packs(&server).await;
    let (_, mut judges) = server.seated("cards-against-humanity", settings, &["Ann", "Ben", "Cleo"]).await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    let mut waits = Vec::new();
    let deals = async {
        for round in 0..4 {
            for judge in &mut judges {
                judge.act(Action::Nonce { nonce: format!("nonce {round}") }).await.unwrap();
            }
            for action in [Action::StartGame, Action::EndGame, Action::Rematch] {
                judges[0].act(action).await.unwrap();
            }
            server.clock.advance(600_000);
        }
    };
    let answers = async {
        loop {
            let asked = Instant::now();
            others[0].act(Action::Heartbeat).await.unwrap();
            waits.push(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        () = deals => {}
        () = answers => {}
    }
    waits.sort();
    // If the steps were not aside, the other table would hardly get an answer between two of these twelve.
    assert!(waits.len() >= LEAST_ANSWERS, "the other table got only {} answers", waits.len());
    println!("{} answers, p50 {:?}, worst {:?}", waits.len(), waits[waits.len() / 2], waits[waits.len() - 1]);
}

/// HEAVY-1: while somebody uploads and exports packs of the largest size, other tables get answers. Earlier, a table
/// waited up to 1.6 s while 32 clients exported packs.
#[tokio::test]
async fn another_table_is_answered_while_large_packs_are_exported() {
    let (server, injector) = with_faults().await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    let id = large_pack(&server, "One", 10_000).await;
    for format in ["json", "csv"] {
        let path = format!("/api/packs/{id}?format={format}");
        let before = stop_at(&injector, "aside/text");
        let ann = secret("Ann");
        let export = server.http("GET", &path, Some(&ann), "");
        tokio::pin!(export);
        until_stopped(&injector, ("aside/text", before), async { drop(export.as_mut().await) }, format).await;
        is_answered(&mut others[0], format).await;
        injector.clear("aside/text");
        let (status, text) = export.await;
        assert_eq!((status, text.contains("One 1")), (200, true), "{format}");
    }
    let before = stop_at(&injector, "aside/text");
    let upload = large_pack(&server, "Two", 10_000);
    tokio::pin!(upload);
    until_stopped(&injector, ("aside/text", before), async { drop(upload.as_mut().await) }, "an upload").await;
    is_answered(&mut others[0], "an upload").await;
    injector.clear("aside/text");
    upload.await;
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
    // The wait is a fifth of the usual two seconds, because this server allows five times the usual messages.
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

/// FAULT-1: a table whose step panics aside goes on from its log, and a request whose text is read or written aside is refused. Nobody
/// else notices.
#[tokio::test]
async fn a_panic_aside_harms_one_step_or_one_request() {
    let (server, injector) = with_faults().await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    injector.panic_once("aside/table");
    assert_eq!(clients[0].expect_refusal(Action::StartGame).await, ErrorCode::Fault);
    assert_eq!(injector.count("aside/table"), 1);
    server.clock.advance(60_000);
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    let id = large_pack(&server, "One", 2_000).await;
    let export = async || server.http("GET", &format!("/api/packs/{id}?format=csv"), Some(&secret("Ann")), "").await;
    injector.panic_once("aside/text");
    let (status, text) = export().await;
    assert_eq!((status, text.contains(ErrorCode::Fault.as_str())), (500, true), "{text}");
    assert_eq!((export().await.0, injector.count("aside/text")), (200, 1));
    is_answered(&mut others[0], "a panic aside").await;
}
