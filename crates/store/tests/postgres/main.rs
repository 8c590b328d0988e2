//! Tests of the Postgres store: the contract suite, several nodes on one database, lost connections, and mailboxes.

mod letters;
mod load;
mod lost_connections;
mod nodes;
mod proxy;

use baize_store::{
    Commit, GameRow, LogRow, NewTable, OpenTable, PostgresConfig, PostgresStore, Store, TableQuotas, Write, contract,
};
use baize_test_servers::Postgres;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

async fn try_node(url: &str, node: &str, lease: Duration) -> Result<Node, baize_store::StoreError> {
    PostgresStore::connect(PostgresConfig { url: url.into(), node: node.into(), lease }).await
}

type Node = (PostgresStore, UnboundedReceiver<String>);

/// A lease that does not end during a test.
const LONG: Duration = Duration::from_secs(3600);

async fn node(url: &str, name: &str, lease: Duration) -> Node {
    try_node(url, name, lease).await.unwrap()
}

/// Connects to the database like another program.
async fn visitor(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn count(client: &tokio_postgres::Client, query: &str) -> i64 {
    client.query_one(query, &[]).await.unwrap().get(0)
}

fn table(code: &str) -> NewTable {
    let mut key = [0; 32];
    key[..code.len()].copy_from_slice(code.as_bytes());
    NewTable {
        key,
        code: code.into(),
        at: 1000,
        record: b"{\"a\" :  1}".to_vec(),
        members: vec![],
        blobs: vec![],
        origin: None,
        quotas: TableQuotas::default(),
    }
}

/// Creates a table and opens it.
async fn opened(store: &PostgresStore, code: &str) -> OpenTable {
    store.create(table(code)).await.unwrap();
    store.open(code).await.unwrap().opened_here().expect("a table of nobody's")
}

fn log(game: &str, seq: u64) -> Write {
    Write::Log { game: game.into(), row: LogRow { seq, at: 2000 + seq, input: vec![1], old_batches: vec![2] } }
}

fn game(id: &str) -> Write {
    Write::Game(GameRow { id: id.into(), record: b"{}".to_vec() })
}

fn commit(open: &OpenTable, writes: Vec<Write>) -> Commit {
    Commit { table: open.id, epoch: open.epoch, writes }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_keeps_the_contract() {
    let server = Postgres::shared().unwrap();
    let (store, _lost) = node(&server.database().unwrap(), "a", LONG).await;
    contract::run(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_closes_all_connections() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (store, _lost) = node(&url, "a", LONG).await;
    let open = opened(&store, "t").await;
    store.commit(commit(&open, vec![game("g"), log("g", 1)])).await.unwrap();
    let visitor = visitor(&url).await;
    let ours =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'baize %'";
    assert!(count(&visitor, ours).await > 0);
    store.close().await.unwrap();
    // Postgres may notice a little later that a connection has ended.
    while count(&visitor, ours).await > 0 {}
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_have_ended_are_archived_and_read_as_before() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (store, _lost) = node(&url, "a", LONG).await;
    let open = opened(&store, "t").await;
    let snapshot = baize_store::Snapshot { seq: 2, body: vec![7] };
    let write = Write::Snapshot { game: "old".into(), snapshot: snapshot.clone() };
    let old = vec![game("old"), log("old", 1), log("old", 2), write];
    store.commit(commit(&open, old)).await.unwrap();
    store.commit(commit(&open, vec![Write::Ended { game: "old".into() }])).await.unwrap();
    store.commit(commit(&open, vec![game("new"), log("new", 1)])).await.unwrap();
    let rows = store.log("old", 0, 10).await.unwrap();
    assert_eq!(store.purge(0).await, Ok(0));
    let visitor = visitor(&url).await;
    assert_eq!(count(&visitor, "SELECT count(*) FROM game_events").await, 1);
    assert_eq!(count(&visitor, "SELECT count(*) FROM games WHERE state IS NOT NULL").await, 0);
    assert_eq!(count(&visitor, "SELECT count(*) FROM archived_events").await, 2);
    assert_eq!((rows.len(), store.log("old", 0, 10).await.unwrap()), (2, rows));
    assert_eq!(store.log("old", 1, 10).await.unwrap().len(), 1);
    assert_eq!(store.snapshot("old").await.unwrap(), Some(snapshot));
    assert_eq!(store.game("old").await.unwrap().unwrap().record, b"{}");
    // A second run finds nothing to do; and purging deletes from the archive, too.
    assert_eq!(store.purge(0).await, Ok(0));
    assert_eq!(store.purge(5000).await, Ok(1));
    for left in ["games", "game_events", "archived_games", "archived_events", "rooms", "chat"] {
        assert_eq!(count(&visitor, &format!("SELECT count(*) FROM {left}")).await, 0, "{left}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_commit_can_create_snapshot_and_end_a_game() {
    let server = Postgres::shared().unwrap();
    let (store, _lost) = node(&server.database().unwrap(), "a", LONG).await;
    let open = opened(&store, "t").await;
    let kept = |seq| Write::Snapshot { game: "g".into(), snapshot: baize_store::Snapshot { seq, body: vec![] } };
    let record = |text: &str| Write::Game(GameRow { id: "g".into(), record: text.into() });
    let writes = vec![record("1"), kept(1), log("g", 1), kept(2), Write::Ended { game: "g".into() }, record("2")];
    store.commit(commit(&open, writes)).await.unwrap();
    assert_eq!(store.snapshot("g").await.unwrap().unwrap().seq, 2);
    assert_eq!(store.game("g").await.unwrap().unwrap().record, b"2");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_may_contain_zero_characters() {
    let server = Postgres::shared().unwrap();
    let (store, _lost) = node(&server.database().unwrap(), "a", LONG).await;
    let members = vec![baize_store::MemberRow { member: [1; 32], name: "Nu\0ll".into(), n: None }];
    store.create(NewTable { members, ..table("t") }).await.unwrap();
    assert_eq!(store.open("t\0").await.unwrap(), baize_store::Opened::Unknown);
    assert_eq!(store.peek("\0").await.unwrap(), None);
    // A record comes back exactly as it was written, with its spaces.
    assert_eq!(store.peek("t").await.unwrap().unwrap().record, b"{\"a\" :  1}");
}

/// Regression: the names of strangers stayed for ever, even when they belonged to no table any more.
#[tokio::test(flavor = "multi_thread")]
async fn names_of_browsers_without_a_table_are_deleted() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let (store, _lost) = node(&url, "a", LONG).await;
    let open = opened(&store, "t").await;
    let member =
        |n: u8, name: &str| Write::Member(baize_store::MemberRow { member: [n; 32], name: name.into(), n: None });
    // An empty name does not replace a known one.
    let writes = vec![member(1, "Ann"), member(1, ""), member(2, "Ben"), Write::Forget { member: [2; 32] }];
    store.commit(commit(&open, writes)).await.unwrap();
    store.commit(commit(&open, vec![member(1, ""), Write::Forget { member: [2; 32] }])).await.unwrap();
    store.purge(0).await.unwrap();
    let rows = visitor(&url).await.query("SELECT display_name FROM players", &[]).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>(), ["Ann"]);
}
