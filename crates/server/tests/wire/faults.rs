//! A fault harms one table for a moment: panics of tables, bots, the store's threads and the server's tasks.

use crate::client::Client;
use crate::fault_injector::FaultInjector;
use crate::games::{catch_up, play_out};
use crate::log;
use crate::server::{TestServer, quick};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, ErrorCode, Presence, TableStatus};
use baize_room::random_answer::random_answer;
use baize_server::admin;

async fn server() -> (TestServer, FaultInjector) {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    (TestServer::start_with(|config| config.faults = faults).await, injector)
}

/// Starts a game and waits until everybody has a view.
async fn begun(server: &TestServer, names: &[&str]) -> (String, Vec<Client>) {
    let (code, mut clients) = server.seated("donkey", quick(), names).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    (code, clients)
}

/// The rows of the log as the store has them now.
async fn rows(server: &TestServer, code: &str) -> Vec<baize_store::LogRow> {
    let store = server.data().store().await;
    let rows = store.log(&format!("{code}-1"), 0, 1000).await.unwrap();
    store.close().await.unwrap();
    rows
}

fn asked(clients: &[Client]) -> usize {
    clients.iter().position(|c| c.view().decision.is_some()).expect("somebody's turn")
}

/// FAULT-1: the step that panicked is refused and not done, everyone stays connected, the table goes on from its log,
/// and other tables notice nothing. Earlier, the table answered `server/busy` for ever.
#[tokio::test]
async fn a_table_that_panics_goes_on_from_its_log() {
    let (server, injector) = server().await;
    let (_, mut clients) = begun(&server, &["Ann", "Ben", "Cleo"]).await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    others[0].act(Action::StartGame).await.unwrap();
    others[0].until("it has begun", |c| c.view.is_some()).await;
    for client in &mut clients {
        client.act(Action::Chat { text: "hello".into() }).await.unwrap();
    }
    let at = asked(&clients);
    let answer = random_answer(clients[at].view(), 1).unwrap();
    let before = clients[at].seq();
    injector.panic_once("room/move");
    let refused = clients[at].act_with("the-move", Action::Move(answer.clone())).await.unwrap_err();
    assert_eq!((refused.error, injector.count("room/move")), (ErrorCode::Fault, 1));
    // Nothing of the failed step is stored, so the same request counts as a new one.
    clients[at].act_with("the-move", Action::Move(answer)).await.unwrap();
    for client in &mut clients {
        client.until("the move is seen", |c| c.seq() > before).await;
        assert!(client.table().players.iter().all(|player| player.presence == Presence::Active));
        assert_eq!(client.chat.iter().filter(|line| line.text == "hello").count(), 3, "{:?}", client.chat);
    }
    assert!(others.iter().all(|other| other.closed.is_none()));
    others[0].act(Action::Chat { text: "still here".into() }).await.unwrap();
    catch_up(&mut clients).await;
    play_out(&mut clients, 7).await;
}

/// FAULT-1: the log names the table and the step of each panic, also when a second one ends the table.
#[tokio::test]
async fn the_log_names_the_table_that_panicked_and_the_step() {
    log::keep_errors();
    let (server, injector) = server().await;
    let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
    let (other, _others) = begun(&server, &["Dan", "Eve"]).await;
    for (point, action) in [("room/chat", Action::Chat { text: "x".into() }), ("room/action", Action::PauseGame)] {
        injector.panic_once(point);
        assert_eq!(clients[0].expect_refusal(action).await, ErrorCode::Fault);
    }
    let panicked: Vec<String> = log::errors_about(&code).into_iter().filter(|line| line.contains("panicked")).collect();
    assert_eq!(panicked.len(), 2, "{panicked:?}");
    for (line, step) in panicked.iter().zip(["room/chat", "room/action"]) {
        assert!(line.contains(&format!("step=\"{step}\"")) || line.contains(&format!("step={step} ")), "{line}");
        assert!(line.contains(&format!("a fault on purpose at {step}")), "{line}");
    }
    assert!(panicked[1].contains("it ends void"), "{panicked:?}");
    assert!(log::errors_about(&other).is_empty());
}

/// FAULT-1, DUR-1: an action that was stored before the panic is acknowledged, and repeating it has no second effect.
#[tokio::test]
async fn an_action_stored_before_a_panic_is_acknowledged() {
    let (server, injector) = server().await;
    let (_, mut clients) = begun(&server, &["Ann", "Ben"]).await;
    injector.panic_once("room/answer");
    let line = Action::Chat { text: "once".into() };
    clients[0].act_with("the-line", line.clone()).await.unwrap();
    assert_eq!(injector.count("room/answer"), 1);
    clients[0].act_with("the-line", line).await.unwrap();
    clients[0].act(Action::Chat { text: "twice".into() }).await.unwrap();
    clients[1].until("both are there", |c| c.has_chat_line("twice")).await;
    assert_eq!(clients[1].chat.iter().filter(|line| line.text == "once").count(), 1);
}

/// FAULT-1: joins, starts and timeouts recover like any other step.
#[tokio::test]
async fn a_table_goes_on_after_a_panic_in_any_step() {
    let (server, injector) = server().await;
    let code = server.table("donkey", "Ann", quick()).await;
    let mut ann = server.client().await;
    injector.panic_once("room/join");
    assert_eq!(ann.join(&code, "Ann").await.unwrap_err().error, ErrorCode::Fault);
    ann.join(&code, "Ann").await.unwrap();
    server.clock.advance(60_000);
    // The task opens the table again by itself.
    injector.panic_once("room/load");
    let other = server.table("pig", "Bea", quick()).await;
    let mut bea = server.client().await;
    bea.join(&other, "Bea").await.unwrap();
    ann.act(Action::Nonce { nonce: "x".into() }).await.unwrap();
    ann.act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    injector.panic_once("room/start");
    assert_eq!(ann.expect_refusal(Action::StartGame).await, ErrorCode::Fault);
    server.clock.advance(60_000);
    ann.act(Action::StartGame).await.unwrap();
    ann.until("it has begun", |c| c.view.is_some()).await;
    for point in ["room/bot", "room/tick", "room/gone", "room/look", "room/heartbeat"] {
        server.clock.advance(60_000);
        injector.panic_once(point);
        let mut watcher = server.client().await;
        let _ = watcher.watch(&code, "Watcher").await;
        drop(watcher);
        let _ = server.http("GET", &format!("/api/tables/{code}"), None, "").await;
        // A bot takes its time on a busy machine, so the test counts no attempts.
        let struck = async {
            for n in 0.. {
                if injector.count(point) > 0 {
                    break;
                }
                if ann.table().status == TableStatus::Ended {
                    let _ = ann.act(Action::Rematch).await;
                    let _ = ann.act(Action::Nonce { nonce: "again".into() }).await;
                    let _ = ann.act(Action::StartGame).await;
                }
                let view = ann.view.as_ref().filter(|view| view.decision.is_some());
                if let Some(answer) = view.and_then(|view| random_answer(view, n)) {
                    let _ = ann.act(Action::Move(answer)).await;
                }
                // Messages of the same group as the one that panics are refused as well.
                let _ = ann.act(Action::Heartbeat).await;
            }
        };
        let _ = tokio::time::timeout(std::time::Duration::from_secs(30), struck).await;
        assert_eq!(injector.count(point), 1, "{point}");
        ann.act(Action::Chat { text: format!("after {point}") }).await.unwrap();
    }
    assert_eq!(ann.closed, None);
}

/// FAULT-2: a second panic within a minute ends the table void. Its log is kept, other tables play on, and the server
/// can stop.
#[tokio::test]
async fn a_table_that_panics_twice_within_a_minute_ends_void() {
    let (server, injector) = server().await;
    let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
    let (_, mut others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    let before = rows(&server, &code).await;
    assert!(!before.is_empty());
    // Two panics more than a minute apart do not end the table.
    for _ in 0..2 {
        injector.panic_once("room/chat");
        assert_eq!(clients[0].expect_refusal(Action::Chat { text: "x".into() }).await, ErrorCode::Fault);
        assert_eq!(clients[0].table().status, TableStatus::Playing);
        server.clock.advance(60_000);
        clients[0].act(Action::Heartbeat).await.unwrap();
    }
    for _ in 0..2 {
        injector.panic_once("room/chat");
        assert_eq!(clients[0].expect_refusal(Action::Chat { text: "x".into() }).await, ErrorCode::Fault);
    }
    for client in &mut clients {
        client.until("it is over", |c| c.table().status == TableStatus::Ended && c.table().abandoned).await;
        assert!(client.chat.iter().any(|line| line.text.contains("fault in the server")), "{:?}", client.chat);
        assert_eq!(client.closed, None);
    }
    assert_eq!(clients[0].expect_refusal(Action::Rematch).await, ErrorCode::TableOver);
    assert_eq!(rows(&server, &code).await, before, "its log is kept");
    // An operator can read the log of a game that is over. Regression: the game's own record had no end.
    let (mut lines, store) = (Vec::new(), server.data().store().await);
    let found = admin::logs(store.as_ref(), &code, &mut |line| lines.push(line.clone())).await.unwrap();
    store.close().await.unwrap();
    assert_eq!((found, lines.len()), (Some((1, 0)), 1 + before.len()));
    assert!(lines[0]["endedAt"].is_u64() && lines[0]["void"] == true, "{}", lines[0]);
    assert!(lines[1..].iter().all(|line| line["step"].is_object()), "{lines:?}");
    // There is no replay, because playing the game again could panic again.
    assert_eq!(server.http("GET", &format!("/api/replays/{code}-1"), None, "").await.0, 404);
    others[0].act(Action::StartGame).await.unwrap();
    others[1].until("others play", |c| c.view.is_some()).await;
    // Clients that come later get the same answer.
    let mut late = server.client().await;
    late.join(&code, "Ann").await.unwrap();
    assert_eq!((late.table().status, late.view.is_none()), (TableStatus::Ended, true));
    let stopped = tokio::time::timeout(std::time::Duration::from_secs(15), server.stop()).await;
    assert!(stopped.is_ok(), "a server with a table that panicked ends");
}

/// FAULT-2: a table that can't be opened refuses its clients and keeps nobody waiting.
#[tokio::test]
async fn a_table_that_cannot_be_opened_refuses_its_clients() {
    let (server, injector) = server().await;
    let code = server.table("pig", "Ann", quick()).await;
    injector.panic_always("room/load");
    let mut ann = server.client().await;
    assert_eq!(ann.join(&code, "Ann").await.unwrap_err().error, ErrorCode::Fault);
    injector.clear("room/load");
    ann.join(&code, "Ann").await.unwrap();
    assert_eq!(ann.table().status, TableStatus::Ended);
    let (_, clients) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    assert_eq!(clients.len(), 2);
    assert!(tokio::time::timeout(std::time::Duration::from_secs(15), server.stop()).await.is_ok());
}

/// FAULT-3, BOT-1: a bot that panics makes the default move, and its thread goes on. Earlier, the thread ended, and
/// with it every bot.
#[tokio::test]
async fn a_bot_that_panics_makes_the_default_move() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::start_with(|config| {
        config.faults = faults;
        config.bot_threads = 1;
    })
    .await;
    let code = server.table("pig", "Ann", TableSettings::default()).await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    ann.act(Action::Nonce { nonce: "x".into() }).await.unwrap();
    ann.act(Action::AddBot { level: BotLevel::Difficult }).await.unwrap();
    injector.panic_once("bot/think");
    ann.act(Action::StartGame).await.unwrap();
    ann.until("it has begun", |c| c.view.is_some()).await;
    let mut clients = vec![ann];
    play_out(&mut clients, 3).await;
    assert_eq!(injector.count("bot/think"), 1);
    // A bot that always panics plays whole games by default moves. The other player may win before the bot has been
    // asked often.
    injector.panic_always("bot/think");
    for game in 0..50 {
        clients[0].act(Action::Rematch).await.unwrap();
        clients[0].until("the lobby", |c| c.table().status == TableStatus::Lobby).await;
        clients[0].act(Action::Nonce { nonce: format!("nonce {game}") }).await.unwrap();
        clients[0].act(Action::StartGame).await.unwrap();
        clients[0].until("it has begun again", |c| c.view.as_ref().is_some_and(|view| view.outcome.is_none())).await;
        play_out(&mut clients, 4 + game).await;
        if injector.count("bot/think") > 2 {
            break;
        }
    }
    assert!(injector.count("bot/think") > 2);
}

/// FAULT-4: a step that can't be encoded is not done, and nothing of it is stored.
#[tokio::test]
async fn a_step_that_cannot_be_encoded_is_not_done() {
    for point in ["encode/log", "encode/record"] {
        let (server, injector) = server().await;
        let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
        let before = rows(&server, &code).await;
        let at = asked(&clients);
        let action = match point {
            "encode/log" => Action::Move(random_answer(clients[at].view(), 1).unwrap()),
            _ => Action::Away { away: true },
        };
        injector.fail_once(point, "a key must be a string");
        assert_eq!(clients[at].act(action.clone()).await.unwrap_err().error, ErrorCode::Storage, "{point}");
        assert_eq!(rows(&server, &code).await, before, "{point}");
        assert!(before.iter().all(|row| !row.input.is_empty()));
        clients[at].act(action).await.unwrap();
        assert!(rows(&server, &code).await.len() > before.len(), "{point}");
    }
}

/// FAULT-5: the store's writer and reader panic; the request at that moment is refused, and both threads go on.
#[tokio::test]
async fn threads_of_the_store_are_restarted() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::alone(|config| config.faults = faults).await;
    let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
    for point in ["store/write", "store/commit", "store/sync"] {
        injector.panic_once(point);
        let said = clients[0].act(Action::Chat { text: point.into() }).await.map_err(|refused| refused.error);
        // The server's own writes may meet the fault instead of this line. In any case a refused line is not stored.
        assert!(matches!(said, Ok(()) | Err(ErrorCode::Storage)), "{point}: {said:?}");
        assert_eq!(injector.count(point), 1);
        clients[0].act(Action::Chat { text: format!("after {point}") }).await.unwrap();
        assert_eq!(clients[0].has_chat_line(point), said.is_ok(), "{point}");
        server.clock.advance(10_000);
    }
    injector.panic_once("store/read");
    while injector.count("store/read") == 0 {
        let (status, _) = server.http("GET", &format!("/api/tables/{code}"), None, "").await;
        assert!([200, 500].contains(&status), "{status}");
    }
    assert_eq!(server.http("GET", &format!("/api/tables/{code}"), None, "").await.0, 200);
    let figures = server.http("GET", "/metrics", None, "").await.1;
    assert!(figures.contains("baize_store_restarts_total 4"), "{figures}");
    assert_eq!(server.http("GET", "/healthz", None, "").await.0, 200);
    catch_up(&mut clients).await;
    play_out(&mut clients, 9).await;
}

/// FAULT-5: a task of the server that panics is restarted; if it always panics, the server is unhealthy until that
/// stops.
#[tokio::test]
async fn tasks_that_panic_are_restarted() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::alone(|config| config.faults = faults).await;
    let health = async || server.http("GET", "/healthz", None, "").await.0;
    for task in ["task/upkeep", "task/check", "task/orders"] {
        injector.panic_once(task);
        while injector.count(task) == 0 {
            server.clock.advance(2_000);
            assert_eq!(health().await, 200);
        }
        injector.panic_always(task);
        // The clock advances in small steps, so that five panics fall within a minute: the pause before each restart is real
        // time, in which hundreds of requests are answered.
        while health().await == 200 {
            server.clock.advance(4);
        }
        injector.clear(task);
        while health().await != 200 {
            server.clock.advance(2_000);
        }
    }
}

/// FAULT-5, CLUSTER-1: any task between nodes may panic; clients reconnect where necessary, and every table goes on.
#[tokio::test]
async fn tasks_between_nodes_are_restarted() {
    const POINTS: [&str; 10] = [
        "task/peer links",
        "task/transport",
        "task/report",
        "task/redis reader",
        "task/redis connection",
        "store/write",
        "store/renew",
        "mail/send",
        "mail/take",
        "task/mail",
    ];
    let redis = baize_test_servers::RedisServer::start().unwrap();
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let data = crate::data::TestData::shared(&redis);
    let clock = baize_server::ServerClock::driven(1_700_000_000_000);
    let server = TestServer::on(data, clock, |config| config.faults = faults).await;
    let names = ["Ann", "Ben"];
    let (code, mut clients) = begun(&server, &names).await;
    for point in POINTS {
        eprintln!("{point}");
        // These tasks work only while Redis is away.
        let away = ["task/redis connection", "mail/send", "mail/take", "task/mail"].contains(&point);
        if away {
            redis.stop().unwrap();
        }
        injector.panic_once(point);
        let mut n = 0;
        while injector.count(point) == 0 || n < 3 {
            n += 1;
            assert!(n < 2_000, "{point} was never reached");
            for (at, name) in names.iter().enumerate() {
                let said = Action::Chat { text: format!("{point} {n} {name}") };
                server.clock.advance(3_000);
                let done = clients[at].try_act_with(&format!("{point}-{n}-{at}"), said).await;
                if let Some(Err(refused)) = &done {
                    assert!(matches!(refused.error, ErrorCode::Storage | ErrorCode::Closing), "{point}: {refused:?}");
                }
                if done.is_none() {
                    clients[at] = reconnect(&server, at, &code, name).await;
                }
            }
            if away && injector.count(point) > 0 {
                let _ = redis.start_again();
            }
        }
    }
    for (at, name) in names.iter().enumerate() {
        clients[at] = reconnect(&server, at, &code, name).await;
    }
    catch_up(&mut clients).await;
    play_out(&mut clients, 2).await;
}

/// FAULT-5: the task that hears which tables this node has lost panics, and so does a room that is told so. The table finds out by its
/// next commit, and goes on.
#[tokio::test]
async fn the_task_for_lost_tables_is_restarted() {
    let redis = baize_test_servers::RedisServer::start().unwrap();
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let data = crate::data::TestData::shared(&redis);
    let clock = baize_server::ServerClock::driven(1_700_000_000_000);
    let server = TestServer::on(data, clock, |config| config.faults = faults).await;
    let names = ["Ann", "Ben"];
    let (code, mut clients) = begun(&server, &names).await;
    for point in ["task/lost", "room/lost"] {
        injector.panic_once(point);
        // Only the renewal of leases may tell the node, so nobody does anything that a commit is needed for.
        server.data().take_away(&code).await;
        let told = async {
            while injector.count(point) == 0 {
                server.http("GET", "/healthz", None, "").await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(60), told).await.expect(point);
        server.clock.advance(60_000);
        for (at, name) in names.iter().enumerate() {
            let said = Action::Chat { text: format!("{point} {name}") };
            if !matches!(clients[at].try_act_with(&format!("{point}-{name}"), said).await, Some(Ok(()))) {
                clients[at] = reconnect(&server, at, &code, name).await;
            }
        }
    }
    for (at, name) in names.iter().enumerate() {
        clients[at] = reconnect(&server, at, &code, name).await;
    }
    catch_up(&mut clients).await;
    play_out(&mut clients, 2).await;
}

/// FAULT-1: a panic while a frame is handled closes that socket and no other. The browser comes back to its seat.
#[tokio::test]
async fn a_socket_that_panics_is_closed_alone() {
    let (server, injector) = server().await;
    let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
    injector.panic_once("socket/frame");
    assert!(clients[0].try_act_with("the-beat", Action::Heartbeat).await.is_none(), "the socket is open");
    assert_eq!(injector.count("socket/frame"), 1);
    clients[1].until("Ann is gone", |c| c.table().players.iter().any(|p| p.presence == Presence::Disconnected)).await;
    clients[0] = server.client().await;
    clients[0].join(&code, "Ann").await.unwrap();
    catch_up(&mut clients).await;
    play_out(&mut clients, 11).await;
}

/// FAULT-1: a request that panics is refused, and the server answers the next one. Regression: the connection broke off without an answer.
#[tokio::test]
async fn a_request_that_panics_is_refused() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::alone(|config| config.faults = faults).await;
    for path in ["/api/games", "/api/tables/nowhere"] {
        injector.panic_once("http/request");
        let (status, text) = server.http("GET", path, None, "").await;
        assert_eq!((status, text.contains(ErrorCode::Fault.as_str())), (500, true), "{text}");
    }
    assert_eq!(injector.count("http/request"), 2);
    assert_eq!(server.http("GET", "/api/games", None, "").await.0, 200);
    let figures = server.http("GET", "/metrics", None, "").await.1;
    assert!(figures.contains("baize_panics_total 2"), "{figures}");
}

/// FAULT-1: notices, orders and the end of the server may meet a panic as well.
#[tokio::test]
async fn a_table_goes_on_after_a_panic_in_a_notice_or_an_order() {
    use baize_server::admin::Order;
    let games = tempfile::tempdir().unwrap();
    let pig = std::fs::read_to_string(crate::server::root().join("games/pig.baize")).unwrap();
    std::fs::write(games.path().join("pig.baize"), &pig).unwrap();
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let folder = games.path().to_owned();
    let server = TestServer::alone(|config| {
        config.faults = faults;
        config.games = folder;
    })
    .await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    injector.panic_once("room/reloaded");
    std::fs::write(games.path().join("pig.baize"), format!("{pig}\n")).unwrap();
    until_count(&server, &injector, "room/reloaded").await;
    clients[0].act(Action::Chat { text: "still here".into() }).await.unwrap();
    server.clock.advance(60_000);
    injector.panic_once("room/obey");
    let store = server.data().store().await;
    Order::Close { table: code.clone(), reason: "It is late.".into() }.put(store.as_ref(), 1).await.unwrap();
    store.close().await.unwrap();
    until_count(&server, &injector, "room/obey").await;
    // The order stays in the store until it is done.
    let closed = async {
        while !clients[1].table().abandoned {
            server.clock.advance(2_000);
            let _ = clients[1].act(Action::Heartbeat).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), closed).await.expect("the table is closed");
    let (_, others) = server.seated("pig", quick(), &["Dan", "Eve"]).await;
    injector.panic_once("room/stop");
    assert!(tokio::time::timeout(std::time::Duration::from_secs(30), server.stop()).await.is_ok());
    assert_eq!((injector.count("room/stop"), others.len()), (1, 2));
}

/// Advances time until a fault has happened.
async fn until_count(server: &TestServer, injector: &FaultInjector, point: &'static str) {
    let struck = async {
        while injector.count(point) == 0 {
            server.clock.advance(2_000);
            assert_eq!(server.http("GET", "/api/games", None, "").await.0, 200);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), struck).await.expect(point);
}

/// FAULT-3: a thread of the bots outlives a panic between two jobs, and a panic while it hands in an answer. Regression: the thread
/// ended, the lock stayed poisoned, and no bot ever moved again.
#[tokio::test]
async fn threads_of_bots_outlive_every_panic() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::start_with(|config| {
        config.faults = faults;
        config.bot_threads = 1;
    })
    .await;
    let (_, mut clients) = server.seated("pig", TableSettings::default(), &["Ann"]).await;
    clients[0].act(Action::AddBot { level: BotLevel::Easy }).await.unwrap();
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    for point in ["bot/reply", "bot/thread"] {
        injector.panic_once(point);
        for game in 0..50 {
            play_out(&mut clients, 20 + game).await;
            clients[0].act(Action::Rematch).await.unwrap();
            clients[0].until("the lobby", |c| c.table().status == TableStatus::Lobby).await;
            clients[0].act(Action::Nonce { nonce: format!("{point} {game}") }).await.unwrap();
            clients[0].act(Action::StartGame).await.unwrap();
            clients[0].until("it has begun", |c| c.view.as_ref().is_some_and(|view| view.outcome.is_none())).await;
            if injector.count(point) > 0 {
                break;
            }
        }
        assert_eq!(injector.count(point), 1, "{point}");
    }
    play_out(&mut clients, 80).await;
}

/// The fault points that a source names.
fn points_in(folder: &std::path::Path, found: &mut std::collections::BTreeSet<String>) {
    const KINDS: [&str; 9] = ["room", "task", "aside", "bot", "encode", "store", "mail", "socket", "http"];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            points_in(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        // In these files every such word is a point; elsewhere, only what is handed to a fault point.
        let all = path.ends_with("inbox.rs") || path.ends_with("flush.rs");
        for (at, _) in text.match_indices('"') {
            let Some(word) = text[at + 1..].split('"').next() else { continue };
            let Some((kind, rest)) = word.split_once('/') else { continue };
            let called = [".trip(", "faults.at(", "self.step = "].iter().any(|call| text[..at].ends_with(call));
            let is_name = !rest.is_empty() && rest.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
            if KINDS.contains(&kind) && is_name && (all || called) {
                found.insert(word.to_owned());
            }
        }
    }
}

/// FAULT-7: every fault point of the program is triggered by a test and listed for operators.
#[test]
fn every_fault_point_is_tested_and_documented() {
    let crates = crate::server::root().join("crates");
    let mut points = std::collections::BTreeSet::new();
    for of in ["server", "store"] {
        points_in(&crates.join(of).join("src"), &mut points);
    }
    assert!(points.len() > 35, "{points:?}");
    let mut tests = String::new();
    for folder in ["server/tests/wire", "store/tests", "store/tests/postgres", "store/src/sqlite"] {
        for entry in std::fs::read_dir(crates.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "rs")
                && (!folder.contains("src") || path.ends_with("interrupted.rs"))
            {
                tests += &std::fs::read_to_string(&path).unwrap();
            }
        }
    }
    let guide = std::fs::read_to_string(crate::server::root().join("docs/operating.md")).unwrap();
    for point in points {
        assert!(tests.contains(&format!("\"{point}\"")), "no test triggers {point}");
        assert!(guide.contains(&format!("`{point}`")), "docs/operating.md does not list {point}");
    }
}

/// Reconnects like a browser, until it gets in, to the same node as before. So one of the two clients is always at
/// another node than the table.
async fn reconnect(server: &TestServer, node: usize, code: &str, name: &str) -> Client {
    for _ in 0..200 {
        let mut client = Client::connect(server.node(node)).await;
        let join = Action::Join {
            table: code.to_owned(),
            secret: crate::server::secret(name),
            name: Some(name.to_owned()),
            watch: false,
            last: None,
        };
        if let Some(Ok(())) = client.try_act_with(&format!("join-{}", crate::client::unique()), join).await {
            client.until("the state has come", |c| c.you.is_some()).await;
            return client;
        }
    }
    panic!("{name} is not let in");
}

/// FAULT-6: a snapshot that is damaged, cut short or of another format is ignored, and the game is rebuilt from its
/// log.
#[tokio::test]
async fn a_damaged_snapshot_is_rebuilt_from_the_log() {
    use baize_store::{Commit, Snapshot, Write};
    type Damage = fn(&mut Vec<u8>);
    let damages: [Damage; 4] = [
        |body| {
            let middle = body.len() / 2;
            body[middle] ^= 0x10;
        },
        |body| body[6] ^= 0x01,
        |body| body.truncate(body.len() - 7),
        |body| drop(body.drain(..20)),
    ];
    for damage in damages {
        let server = TestServer::alone(|_| {}).await;
        let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
        for n in 0..6 {
            let at = asked(&clients);
            let answer = random_answer(clients[at].view(), n).unwrap();
            clients[at].play(answer).await.unwrap();
            catch_up(&mut clients).await;
        }
        let view = clients[0].view.clone();
        let clock = server.clock.clone();
        // All clients stay connected until the server stops.
        let data = server.stop().await;
        drop(clients);
        let store = data.store().await;
        let game = format!("{code}-1");
        let Snapshot { seq, mut body } = store.snapshot(&game).await.unwrap().expect("an orderly stop leaves one");
        damage(&mut body);
        let open = store.open(&code).await.unwrap().opened_here().unwrap();
        let write = Write::Snapshot { game, snapshot: Snapshot { seq, body } };
        store.commit(Commit { table: open.id, epoch: open.epoch, writes: vec![write] }).await.unwrap();
        store.close().await.unwrap();
        let server = TestServer::on(data, clock, |_| {}).await;
        let mut clients = Vec::new();
        for name in ["Ann", "Ben"] {
            let mut client = server.client().await;
            client.join(&code, name).await.unwrap();
            clients.push(client);
        }
        assert_eq!(clients[0].view, view);
        catch_up(&mut clients).await;
        play_out(&mut clients, 5).await;
    }
}

/// FAULT-6: a table whose log is damaged is refused and stays as it is; other tables are not affected.
#[tokio::test]
async fn a_damaged_log_is_refused() {
    use baize_store::{Commit, LogRow, Write};
    let server = TestServer::alone(|_| {}).await;
    let (code, mut clients) = begun(&server, &["Ann", "Ben"]).await;
    clients[0].act(Action::Chat { text: "x".into() }).await.unwrap();
    let (other, others) = server.seated("high-low", TableSettings::default(), &["Dan", "Eve"]).await;
    let clock = server.clock.clone();
    drop((clients, others));
    let data = server.stop().await;
    let store = data.store().await;
    let game = format!("{code}-1");
    let last = store.log(&game, 0, 1000).await.unwrap().last().unwrap().seq;
    let open = store.open(&code).await.unwrap().opened_here().unwrap();
    let row = LogRow { seq: last + 1, at: 1, input: vec![0xff; 9], old_batches: Vec::new() };
    let writes = vec![Write::Log { game, row }];
    store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await.unwrap();
    store.close().await.unwrap();
    let server = TestServer::on(data, clock, |_| {}).await;
    let mut ann = server.client().await;
    assert_eq!(ann.join(&code, "Ann").await.unwrap_err().error, ErrorCode::Storage);
    let mut dan = server.client().await;
    dan.join(&other, "Dan").await.unwrap();
}

/// FAULT-6, HTTP-9: the picture of a table whose record is damaged is a fault of the store and not an unknown table, and the log says
/// so. Regression: it was answered like a wrong code.
#[tokio::test]
async fn an_invitation_to_a_damaged_table_is_a_fault_of_the_store() {
    use baize_store::{Commit, Write};
    log::keep_errors();
    let server = TestServer::alone(|_| {}).await;
    let code = server.table("pig", "Ann", quick()).await;
    let picture = format!("/api/tables/{code}/picture.png");
    assert_eq!(server.http("GET", &picture, None, "").await.0, 200);
    let clock = server.clock.clone();
    let data = server.stop().await;
    let store = data.store().await;
    let open = store.open(&code).await.unwrap().opened_here().unwrap();
    let writes = vec![Write::Table { record: b"{".to_vec(), at: 1, listed: true, running: None }];
    store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await.unwrap();
    store.close().await.unwrap();
    let server = TestServer::on(data, clock, |_| {}).await;
    let (status, text) = server.http("GET", &picture, None, "").await;
    assert_eq!((status, text.contains(ErrorCode::Storage.as_str())), (500, true), "{text}");
    let logged = log::errors_about(&code);
    assert!(logged.iter().any(|line| line.contains("a record is damaged")), "{logged:?}");
}
