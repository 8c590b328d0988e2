//! Browsers that are forgotten, operators who close tables, and players who report something.

use crate::client::Client;
use crate::games::play_out;
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::{MemberTables, Replay};
use baize_protocol::{Action, ErrorCode, Presence, ReportTarget, TableStatus};
use baize_server::admin::{self, Order};
use baize_store::Store;
use std::time::Duration;

/// Everything that the store has about a table, as text.
async fn everything(store: &dyn Store, code: &str) -> String {
    let id = store.table_id(code).await.unwrap().unwrap();
    let mut all = String::from_utf8(store.peek(code).await.unwrap().unwrap().record).unwrap();
    for line in store.chat(id, 0, 10_000).await.unwrap() {
        all += &String::from_utf8(line.body).unwrap();
    }
    for game in store.games_of(id).await.unwrap() {
        all += &String::from_utf8(store.game(&game).await.unwrap().unwrap().record).unwrap();
        for row in store.log(&game, 0, 100_000).await.unwrap() {
            all += &format!("{:?}", row.input);
        }
    }
    all
}

/// The hash of a secret in the forms of records, logs and the operator's lists.
async fn hash_of(store: &dyn Store, code: &str, name: &str) -> (String, String, String) {
    let table = admin::table(store, code).await.unwrap().unwrap();
    let people = table["people"].as_array().unwrap();
    let hex = people.iter().find(|person| person["name"] == name).unwrap()["maker"].as_str().unwrap().to_owned();
    let bytes: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect();
    let list = bytes.iter().map(u8::to_string).collect::<Vec<_>>();
    (list.join(","), list.join(", "), hex)
}

/// FORGET-1: a forgotten browser is "Somebody" in every record: at a table in its lobby, in a running game, at a
/// finished table with two games, and where it only watched and wrote. Its packs and seats are gone; the others go on.
#[tokio::test]
async fn a_forgotten_browser_leaves_no_name_and_no_hash() {
    let server = TestServer::start().await;
    // A finished table, with a second game that Annika has left.
    let (over, mut clients) = server.seated("pig", quick(), &["Benno", "Annika"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    clients[1].act(Action::Chat { text: "My secret recipe".into() }).await.unwrap();
    clients[0].act(Action::Chat { text: "Thank you".into() }).await.unwrap();
    play_out(&mut clients, 1).await;
    let game = clients[0].table().game.clone();
    clients[1].act(Action::Leave).await.unwrap();
    clients[0].act(Action::Rematch).await.unwrap();
    clients[0].until("a lobby", |c| c.table().status == TableStatus::Lobby).await;
    // A running game.
    let (playing, mut players) = server.seated("donkey", quick(), &["Cleo", "Annika", "Dora"]).await;
    players[0].act(Action::StartGame).await.unwrap();
    for client in &mut players {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    // A lobby, and a table that she only watches.
    let (lobby, mut waiting) = server.seated("pig", quick(), &["Emil", "Annika"]).await;
    let watched = server.table("pig", "Fritz", quick()).await;
    let mut fritz = server.client().await;
    fritz.join(&watched, "Fritz").await.unwrap();
    let mut spectator = server.client().await;
    spectator.watch(&watched, "Annika").await.unwrap();
    spectator.act(Action::Chat { text: "Nice hat".into() }).await.unwrap();
    let upload = "deck,text\nanswer,Tea";
    server.http("POST", "/api/packs?name=Hers", Some(&secret("Annika")), upload).await;
    let store = server.data().store().await;
    let (json, debug, hex) = hash_of(store.as_ref(), &playing, "Annika").await;
    assert!(everything(store.as_ref(), &over).await.contains(&debug), "her hash is in the log");
    store.close().await.unwrap();

    let (status, text) = server.http("DELETE", "/api/me", Some(&secret("Annika")), "").await;
    assert_eq!(status, 200, "{text}");
    let store = server.data().store().await;
    wait_for_orders(&server, store.as_ref()).await;
    for code in [&over, &playing, &lobby, &watched] {
        let all = everything(store.as_ref(), code).await;
        for trace in ["Annika", "recipe", "Nice hat", &json, &debug, &hex] {
            assert!(!all.contains(trace), "{trace} at {code}: {all}");
        }
    }
    assert!(everything(store.as_ref(), &over).await.contains("Thank you"));
    assert!(
        !store.makers(None, 1000).await.unwrap().iter().any(|maker| admin::maker_line(maker)["maker"] == hex.as_str())
    );
    assert!(store.packs(baize_store::PackQuery { limit: 9, ..Default::default() }).await.unwrap().is_empty());
    store.close().await.unwrap();
    let (_, mine) = server.http("GET", "/api/me/tables", Some(&secret("Annika")), "").await;
    assert!(serde_json::from_str::<MemberTables>(&mine).unwrap().tables.is_empty());
    // Her browser is disconnected, everybody else is still there, and their replays verify.
    assert_eq!(players[1].read_until_closed().await, ErrorCode::Forgotten.as_str());
    assert_eq!(waiting[1].read_until_closed().await, ErrorCode::Forgotten.as_str());
    let (_, replay) = server.http("GET", &format!("/api/replays/{game}"), None, "").await;
    let replay: Replay = serde_json::from_str(&replay).unwrap();
    assert_eq!(replay.names, ["Benno", "Somebody"]);
    baize_server::verify(&replay).unwrap();
    let mut cleo = server.client().await;
    cleo.join(&playing, "Cleo").await.unwrap();
    assert!(cleo.has_chat_line("Somebody left the game"));
    let named = |c: &Client| c.table().players.iter().map(|p| (p.name.clone(), p.presence)).collect::<Vec<_>>();
    assert!(named(&cleo).iter().any(|(name, presence)| name == "Somebody" && *presence == Presence::Left));
    let mut dora = server.client().await;
    dora.join(&playing, "Dora").await.unwrap();
    play_out(&mut [cleo, dora], 2).await;
}

/// FORGET-1: forgetting a stranger who has written something disconnects nobody and resets nobody's limits.
#[tokio::test]
async fn forgetting_a_stranger_disturbs_nobody() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    while clients[0].act(Action::Chat { text: "talk".into() }).await.is_ok() {}
    let mut eve = server.client().await;
    eve.watch(&code, "Eve").await.unwrap();
    eve.act(Action::Chat { text: "Forget this".into() }).await.unwrap();
    let (status, text) = server.http("DELETE", "/api/me", Some(&secret("Eve")), "").await;
    assert_eq!((status, text.as_str()), (200, r#"{"done":true}"#));
    assert_eq!(eve.read_until_closed().await, ErrorCode::Forgotten.as_str());
    let store = server.data().store().await;
    assert!(!everything(store.as_ref(), &code).await.contains("Forget this"));
    store.close().await.unwrap();
    // The same connections go on, and the same limits hold.
    assert_eq!(clients[0].expect_refusal(Action::Chat { text: "more".into() }).await, ErrorCode::TooFast);
    clients[1].act(Action::Chat { text: "Who was that?".into() }).await.unwrap();
    let mut late = server.client().await;
    late.join(&code, "Ann").await.unwrap();
    assert!(late.has_chat_line("(removed)") && !late.has_chat_line("Forget this"));
}

/// FORGET-1: a table that can't be loaded any more is cleaned as well.
#[tokio::test]
async fn a_browser_is_forgotten_at_a_table_that_cannot_be_loaded() {
    let server = TestServer::start().await;
    let clock = server.clock.clone();
    let (code, mut clients) = server.seated("pig", quick(), &["Ben", "Annika"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    drop(clients);
    let data = server.stop().await;
    crate::upkeep::rewrite_record(&data, &code, |record| record["pin"]["semantics"] = 999.into()).await;
    let server = TestServer::on(data, clock, |_| {}).await;
    let (status, text) = server.http("DELETE", "/api/me", Some(&secret("Annika")), "").await;
    assert_eq!((status, text.as_str()), (200, r#"{"done":true}"#));
    let store = server.data().store().await;
    let all = everything(store.as_ref(), &code).await;
    assert!(!all.contains("Annika") && all.contains("Somebody"), "{all}");
    store.close().await.unwrap();
}

/// Stores an order like an operator, and waits until it is carried out.
async fn give_order(server: &TestServer, order: Order) {
    let store = server.data().store().await;
    order.put(store.as_ref(), 1).await.unwrap();
    wait_for_orders(server, store.as_ref()).await;
    store.close().await.unwrap();
}

/// Advances time until no order waits, but not so far that sockets time out.
async fn wait_for_orders(server: &TestServer, store: &dyn Store) {
    for _ in 0..10 {
        server.clock.advance(2_000);
        let none = async { while !store.orders(1).await.unwrap().is_empty() {} };
        if tokio::time::timeout(Duration::from_secs(2), none).await.is_ok() {
            return;
        }
    }
    panic!("an order still waits");
}

/// ADMIN-1: a table that an operator closes is over for good, and its players read why.
#[tokio::test]
async fn an_operator_closes_a_table_and_its_players_are_told() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    give_order(&server, Order::Close { table: code.clone(), reason: "Please be kind.".into() }).await;
    for client in &mut clients {
        client.until("it is over", |c| c.table().abandoned && c.table().status == TableStatus::Ended).await;
        assert!(client.has_chat_line("The people who run this server have closed this table: Please be kind."));
    }
    assert_eq!(clients[0].expect_refusal(Action::Rematch).await, ErrorCode::TableOver);
    let mut cleo = server.client().await;
    assert_eq!(cleo.join(&code, "Cleo").await.unwrap_err().error, ErrorCode::TableOver);
    // The order has no second effect, and an order for an unknown table needs nothing done.
    give_order(&server, Order::Close { table: code.clone(), reason: "Again".into() }).await;
    give_order(&server, Order::Close { table: "nowhere2".into(), reason: String::new() }).await;
    clients[0].act(Action::Heartbeat).await.unwrap();
    assert!(!clients[0].has_chat_line("The people who run this server have closed this table: Again"));
}

/// ADMIN-1: a table that an operator deletes is gone with everything.
#[tokio::test]
async fn an_operator_deletes_a_table() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    give_order(&server, Order::Delete { table: code.clone() }).await;
    assert_eq!(clients[1].read_until_closed().await, ErrorCode::TableClosed.as_str());
    assert!(clients[1].has_chat_line("The people who run this server have closed this table."));
    assert_eq!(server.http("GET", &format!("/api/tables/{code}"), None, "").await.0, 404);
    let mut ann = server.client().await;
    assert_eq!(ann.join(&code, "Ann").await.unwrap_err().error, ErrorCode::NoTable);
}

/// REPORT-1, REPORT-2: a player reports a line or a name; the operator finds it once, as the player saw it, and the
/// number of reports is limited.
#[tokio::test]
async fn lines_and_names_are_reported_as_they_were_seen() {
    let server = TestServer::start().await;
    let (code, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    clients[1].act(Action::Chat { text: "You are a <b>donkey</b>".into() }).await.unwrap();
    clients[0].until("it was said", |c| c.has_chat_line("You are a <b>donkey</b>")).await;
    let n = clients[0].chat.iter().find(|line| line.text.contains("donkey")).unwrap().n;
    let line = || Action::Report { about: ReportTarget::Line { n } };
    clients[0].act(line()).await.unwrap();
    clients[0].act(line()).await.unwrap();
    let ben = clients[0].player("Ben").id.clone();
    clients[0].act(Action::Report { about: ReportTarget::Name { player_id: ben } }).await.unwrap();
    // The server's own lines and unknown lines or players can't be reported.
    for about in
        [ReportTarget::Line { n: 1 }, ReportTarget::Line { n: 999 }, ReportTarget::Name { player_id: "p99".into() }]
    {
        assert_eq!(clients[0].expect_refusal(Action::Report { about }).await, ErrorCode::NothingToReport);
    }
    let mut dora = server.client().await;
    dora.watch(&code, "Dora").await.unwrap();
    dora.act(line()).await.unwrap();
    for _ in 0..2 {
        clients[0].act(line()).await.unwrap();
    }
    assert_eq!(clients[0].expect_refusal(line()).await, ErrorCode::TooFast);
    let store = server.data().store().await;
    let reports: Vec<_> = store.reports(0, 99).await.unwrap().iter().map(admin::report_line).collect();
    store.close().await.unwrap();
    let seen: Vec<_> = reports.iter().map(|r| (r["kind"].as_str().unwrap(), r["name"].as_str().unwrap())).collect();
    assert_eq!(seen, [("line", "Ben"), ("name", "Ben"), ("line", "Ben")]);
    assert_eq!((&reports[0]["text"], &reports[0]["table"]), (&"You are a <b>donkey</b>".into(), &code.as_str().into()));
    assert!(reports[0]["about"].is_string() && reports[0]["about"] == reports[1]["about"]);
    // After ten minutes more reports are allowed.
    server.clock.advance(10 * 60_000);
    clients[0].act(line()).await.unwrap();
}
