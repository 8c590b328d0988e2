//! Packs of strangers: unlisted, bounded, deletable, and deleted when nobody uses them.

use crate::client::request;
use crate::server::{TestServer, secret};
use baize_protocol::http::{CreateTable, HttpRefused, PackInfo, PackPage, PacksImported};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, ErrorCode};
use baize_store::{PackQuery, PackQuota, PackQuotas, TableQuotas};

const GAME: &str = "cards-against-humanity";
const DAY: u64 = 24 * 3_600_000;

/// A pack with enough cards for a game of three.
fn large_enough_pack() -> String {
    let prompts: String = (0..40).map(|n| format!("prompt,Number {n} is _.\n")).collect();
    let answers: String = (0..120).map(|n| format!("answer,Answer {n}\n")).collect();
    format!("deck,text\n{prompts}{answers}")
}

async fn upload(server: &TestServer, name: &str, who: Option<&str>, body: &str) -> (u16, String) {
    server.http("POST", &format!("/api/packs?name={name}"), who.map(secret).as_deref(), body).await
}

async fn uploaded(server: &TestServer, name: &str, who: Option<&str>, body: &str) -> PackInfo {
    let (status, text) = upload(server, name, who, body).await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str::<PacksImported>(&text).unwrap().packs.remove(0)
}

async fn page(server: &TestServer, who: Option<&str>, query: &str) -> PackPage {
    let (status, text) = server.http("GET", &format!("/api/packs{query}"), who.map(secret).as_deref(), "").await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).unwrap()
}

fn refusal(text: &str) -> ErrorCode {
    serde_json::from_str::<HttpRefused>(text).unwrap_or_else(|e| panic!("{e}: {text}")).error
}

async fn stored_packs(server: &TestServer) -> usize {
    let store = server.data().store().await;
    let count = store.packs(PackQuery { limit: 100_000, ..PackQuery::default() }).await.unwrap().len();
    store.close().await.unwrap();
    count
}

/// A file of the compact form with this many packs.
fn compact_packs(n: u32) -> String {
    let pack = |at: u32| format!(r#"{{"name":"Pack {n} {at}","white":[{at}],"black":[]}}"#);
    let packs: Vec<String> = (0..1000).map(pack).collect();
    let cards: Vec<String> = (0..1000).map(|at| format!("\"Card {n} {at}\"")).collect();
    format!(r#"{{"white":[{}],"black":[],"packs":[{}]}}"#, cards.join(","), packs.join(","))
}

/// PACK-1, PACK-3: thirteen uploads once made thirteen thousand public packs, for ever. Now one address may have a
/// thousand, nobody else sees them in a list, and they are deleted when no table uses them.
#[tokio::test]
async fn uploaded_packs_are_limited_unlisted_and_expire() {
    let server = TestServer::start().await;
    let before = page(&server, None, "").await;
    let mut answers = Vec::new();
    let mut blobs = None;
    for n in 0..13 {
        answers.push(upload(&server, "Flood", Some("Mallory"), &compact_packs(n)).await);
        blobs = blobs.or_else(|| server.data().blobs());
    }
    // Regression: every refused upload left its texts in the database until the next upkeep.
    assert_eq!(server.data().blobs(), blobs, "refused uploads are stored");
    assert!(blobs.is_none_or(|(count, _)| count >= 1000));
    assert_eq!(answers[0].0, 200, "{:.200}", answers[0].1);
    for (status, text) in &answers[1..] {
        assert_eq!((*status, refusal(text)), (429, ErrorCode::PackQuota));
    }
    assert_eq!(stored_packs(&server).await, 1000);
    assert_eq!(page(&server, None, "").await, before);
    assert_eq!(page(&server, Some("Ann"), "").await, before);
    server.clock.advance(31 * DAY);
    let gone = async {
        while stored_packs(&server).await > 0 {
            server.clock.advance(3_600_000);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), gone).await.expect("unused packs are deleted");
}

/// PACK-1: a pack is unlisted: its maker finds it, clients with its id get it, and nobody can guess the id.
#[tokio::test]
async fn only_its_maker_and_clients_with_its_id_see_an_uploaded_pack() {
    let server = TestServer::start().await;
    let mine = uploaded(&server, "House", Some("Ann"), "deck,text\nanswer,Tea").await;
    assert!(mine.mine && !mine.official);
    let other = uploaded(&server, "House", Some("Ann"), "deck,text\nanswer,Tea").await;
    assert_ne!(mine.id, other.id);
    assert_eq!(mine.id.len(), "house-".len() + 16, "{}", mine.id);
    let ids = |page: PackPage| page.packs.into_iter().map(|pack| pack.id).collect::<Vec<_>>();
    let seen = ids(page(&server, Some("Ann"), "").await);
    assert!(seen.contains(&mine.id) && seen.contains(&other.id) && seen.contains(&"house".to_owned()));
    for who in [None, Some("Ben")] {
        let seen = ids(page(&server, who, "").await);
        assert!(seen.contains(&"house".to_owned()) && !seen.contains(&mine.id), "{seen:?}");
    }
    let info = async |who: Option<&str>| {
        let (status, text) =
            server.http("GET", &format!("/api/packs/{}/info", mine.id), who.map(secret).as_deref(), "").await;
        assert_eq!(status, 200, "{text}");
        serde_json::from_str::<PackInfo>(&text).unwrap()
    };
    assert_eq!(info(Some("Ann")).await, mine);
    assert_eq!(info(Some("Ben")).await, PackInfo { mine: false, ..mine.clone() });
    let (status, text) = server.http("GET", &format!("/api/packs/{}?format=csv", mine.id), None, "").await;
    assert!(status == 200 && text.contains("Tea"));
    assert_eq!(server.http("GET", "/api/packs/nope/info", None, "").await.0, 404);
}

/// PACK-2: lists come in pages.
#[tokio::test]
async fn lists_of_packs_come_in_pages() {
    let server = TestServer::start().await;
    for n in 0..5 {
        uploaded(&server, &format!("Mine{n}"), Some("Ann"), "deck,text\nanswer,Tea").await;
    }
    let all = page(&server, Some("Ann"), "").await;
    assert!(all.next.is_none());
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let next = page(&server, Some("Ann"), &format!("?limit=2&after={after}")).await;
        assert!(next.packs.len() <= 2);
        seen.extend(next.packs);
        match next.next {
            Some(next) => after = next,
            None => break,
        }
    }
    assert_eq!(seen, all.packs);
    assert_eq!(seen.iter().filter(|pack| pack.mine).count(), 5);
}

/// PACK-1, PACK-4: a host uploads a pack and plays with it, friends get it with the table, and the game goes on when
/// its maker deletes it.
#[tokio::test]
async fn friends_play_with_an_uploaded_pack_and_it_can_be_deleted() {
    let server = TestServer::start().await;
    let pack = uploaded(&server, "Ours", Some("Ann"), &large_enough_pack()).await;
    let settings = TableSettings { pack_ids: vec![pack.id.clone()], ..TableSettings::default() };
    let (code, mut clients) = server.seated(GAME, settings.clone(), &["Ann", "Ben", "Cleo"]).await;
    clients[0].act(Action::Configure { settings }).await.unwrap();
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    let path = format!("/api/packs/{}", pack.id);
    let (status, text) = server.http("DELETE", &path, None, "").await;
    assert_eq!((status, refusal(&text)), (401, ErrorCode::BadSecret));
    let (status, text) = server.http("DELETE", &path, Some(&secret("Ben")), "").await;
    assert_eq!((status, refusal(&text)), (403, ErrorCode::NotYourPack));
    let (status, text) = server.http("DELETE", "/api/packs/house", Some(&secret("Ann")), "").await;
    assert_eq!((status, refusal(&text)), (403, ErrorCode::NotYourPack));
    assert_eq!(server.http("DELETE", &path, Some(&secret("Ann")), "").await, (200, r#"{"done":true}"#.into()));
    let (status, text) = server.http("DELETE", &path, Some(&secret("Ann")), "").await;
    assert_eq!((status, refusal(&text)), (404, ErrorCode::NoPack));
    assert_eq!(server.http("GET", &path, None, "").await.0, 404);
    // The game has its cards, also on a server that never saw the pack.
    drop(clients);
    let server = server.crash().await;
    let mut ann = server.client().await;
    ann.join(&code, "Ann").await.unwrap();
    assert!(ann.view.is_some());
}

/// PACK-4: a lobby whose pack was deleted refuses to start with the reason.
#[tokio::test]
async fn a_lobby_whose_pack_is_gone_refuses_to_start() {
    let server = TestServer::start().await;
    let pack = uploaded(&server, "Ours", Some("Ann"), &large_enough_pack()).await;
    let settings = TableSettings { pack_ids: vec![pack.id.clone()], ..TableSettings::default() };
    let code = server.table(GAME, "Ann", settings).await;
    server.http("DELETE", &format!("/api/packs/{}", pack.id), Some(&secret("Ann")), "").await;
    let mut clients = Vec::new();
    for name in ["Ann", "Ben", "Cleo"] {
        let mut client = server.client().await;
        client.join(&code, name).await.unwrap();
        client.act(Action::Nonce { nonce: name.into() }).await.unwrap();
        clients.push(client);
    }
    assert_eq!(clients[0].expect_refusal(Action::StartGame).await, ErrorCode::NoPack);
    clients[0].act(Action::Configure { settings: TableSettings::default() }).await.unwrap();
    clients[0].act(Action::StartGame).await.unwrap();
}

/// PACK-3: the packs of all addresses together are limited, and so are the bytes of one address.
#[tokio::test]
async fn packs_have_quotas_for_an_address_and_for_all() {
    let quotas =
        PackQuotas { total: PackQuota { packs: 4, bytes: 1 << 20 }, origin: PackQuota { packs: 3, bytes: 2000 } };
    let with = |config: &mut baize_server::Config| {
        config.pack_quotas = quotas;
        config.proxies = 1;
    };
    let server = TestServer::start_with(with).await;
    let from = async |address: &str, body: &str| {
        let headers = format!("Host: {}\r\nX-Forwarded-For: {address}\r\n", server.address);
        let (status, _, text) =
            request(server.address, "POST", "/api/packs?name=Mine", &headers, body.as_bytes()).await.unwrap();
        if status == 200 { Ok(()) } else { Err((status, refusal(&text))) }
    };
    let small = "deck,text\nanswer,Tea";
    let large = format!("deck,text\n{}", (0..100).map(|n| format!("answer,Card number {n}\n")).collect::<String>());
    assert_eq!(from("10.0.0.1", &large).await, Err((429, ErrorCode::PackQuota)));
    for _ in 0..3 {
        assert_eq!(from("10.0.0.1", small).await, Ok(()));
    }
    assert_eq!(from("10.0.0.1", small).await, Err((429, ErrorCode::PackQuota)));
    // Quotas count the network of an IPv6 address and not the single address.
    assert_eq!(from("2001:db8::1", small).await, Ok(()));
    assert_eq!(from("2001:db8::2", small).await, Err((507, ErrorCode::PacksFull)));
}

/// PACK-5: a pack is kept as long as a table that has chosen it, and is deleted with the table.
#[tokio::test]
async fn a_pack_is_kept_as_long_as_a_table_uses_it() {
    let server = TestServer::start_with(|config| {
        config.purge_after = 90 * DAY;
        // Nobody comes to this test's table.
        config.unused_table_expiry = 0;
    })
    .await;
    let pack = uploaded(&server, "Ours", Some("Ann"), &large_enough_pack()).await;
    uploaded(&server, "Unused", Some("Ann"), "deck,text\nanswer,Tea").await;
    let settings = TableSettings { pack_ids: vec![pack.id.clone()], ..TableSettings::default() };
    server.table(GAME, "Ann", settings).await;
    let until = async |left: usize| {
        let reached = async {
            while stored_packs(&server).await > left {
                server.clock.advance(3_600_000);
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), reached).await.expect("unused packs are deleted");
    };
    server.clock.advance(31 * DAY);
    until(1).await;
    assert_eq!(server.http("GET", &format!("/api/packs/{}", pack.id), None, "").await.0, 200);
    server.clock.advance(90 * DAY);
    until(0).await;
}

/// PACK-3. Regression: a table kept the text of a deleted pack, which counted no more. So whoever made a table with each upload, and
/// deleted the pack or pressed *Forget me*, stored any number of packs.
#[tokio::test]
async fn deleting_a_pack_that_a_table_uses_frees_no_quota() {
    let quotas = PackQuota { packs: 2, bytes: 1 << 20 };
    let server = TestServer::start_with(|config| {
        config.pack_quotas = PackQuotas { total: PackQuota { packs: 9, ..quotas }, origin: quotas };
        config.purge_after = 10 * DAY;
    })
    .await;
    for n in 0..2 {
        let who = format!("Mallory{n}");
        let pack = uploaded(&server, "Ours", Some(&who), &large_enough_pack()).await;
        let settings = TableSettings { pack_ids: vec![pack.id.clone()], ..TableSettings::default() };
        server.table(GAME, &who, settings).await;
        let path = if n == 0 { format!("/api/packs/{}", pack.id) } else { "/api/me".into() };
        assert_eq!(server.http("DELETE", &path, Some(&secret(&who)), "").await.0, 200);
        assert_eq!(server.http("GET", &format!("/api/packs/{}", pack.id), None, "").await.0, 404);
    }
    assert_eq!(stored_packs(&server).await, 0);
    let (status, text) = upload(&server, "More", Some("Mallory"), &large_enough_pack()).await;
    assert_eq!((status, refusal(&text)), (429, ErrorCode::PackQuota));
    // When the tables are deleted, so are the texts.
    let freed = async {
        while upload(&server, "More", Some("Mallory"), "deck,text\nanswer,Tea").await.0 != 200 {
            server.clock.advance(DAY);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), freed).await.expect("the quota is free again");
}

async fn make_table(server: &TestServer, id: &str) -> Result<String, (u16, ErrorCode)> {
    let body =
        CreateTable { id: id.into(), game: "pig".into(), name: "Ann".into(), settings: TableSettings::default() };
    let body = serde_json::to_string(&body).unwrap();
    let (status, text) = server.http("POST", "/api/tables", Some(&secret("Ann")), &body).await;
    if status == 200 { Ok(text) } else { Err((status, refusal(&text))) }
}

/// TABLES-1: tables have quotas, in all and for one address. A repeated request finds its table all the same.
#[tokio::test]
async fn tables_have_quotas_for_an_address_and_for_all() {
    for (quotas, expected) in [
        (TableQuotas { total: 9, origin: 2 }, (429, ErrorCode::TableQuota)),
        (TableQuotas { total: 2, origin: 9 }, (507, ErrorCode::TablesFull)),
    ] {
        let server = TestServer::start_with(|config| config.table_quotas = quotas).await;
        let first = make_table(&server, "request-number-1").await.unwrap();
        make_table(&server, "request-number-2").await.unwrap();
        assert_eq!(make_table(&server, "request-number-3").await, Err(expected));
        assert_eq!(make_table(&server, "request-number-1").await, Ok(first));
    }
}

/// TABLES-2: a table that nobody has come to is deleted after a day, also if somebody has looked at its invitation; a table that
/// somebody has joined is kept.
#[tokio::test]
async fn tables_that_nobody_has_come_to_are_deleted() {
    let server = TestServer::start_with(|config| config.table_quotas = TableQuotas { total: 9, origin: 9 }).await;
    let unused = server.table("pig", "Ann", TableSettings::default()).await;
    let used = server.table("pig", "Ben", TableSettings::default()).await;
    server.clock.advance(1_000);
    let mut ben = server.client().await;
    ben.join(&used, "Ben").await.unwrap();
    drop(ben);
    let look = async |code: &str| server.http("GET", &format!("/api/tables/{code}"), None, "").await.0;
    assert_eq!((look(&unused).await, look(&used).await), (200, 200));
    let gone = async {
        while look(&unused).await != 404 {
            server.clock.advance(3_600_000);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), gone).await.expect("the unused table is deleted");
    assert!(server.clock.now() >= 1_700_000_000_000 + DAY, "it was deleted too early");
    assert_eq!(look(&used).await, 200);
}
