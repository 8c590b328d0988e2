//! Several nodes, seen from the socket. `BAIZE_NODES=2` runs all other tests of this folder on two nodes as well.

use crate::client::{Client, request};
use crate::games::play_out;
use crate::joining::assert_joins_only_the_first;
use crate::server::{TestServer, quick, secret};
use baize_protocol::http::{CreateTable, CreatedTable, Online, PackPage, TableCard};
use baize_protocol::{Action, Door, ErrorCode, Presence, TableStatus};
use std::net::SocketAddr;
use std::time::Duration;

async fn http(at: SocketAddr, method: &str, path: &str, body: &str) -> (u16, String) {
    let headers =
        format!("Host: {at}\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n", secret("Ann"));
    let (status, _, text) = request(at, method, path, &headers, body.as_bytes()).await.unwrap();
    (status, text)
}

/// Three people, each at another node than the one before.
async fn seated(server: &TestServer, game: &str) -> (String, Vec<Client>) {
    server.seated(game, quick(), &["Ann", "Ben", "Cleo"]).await
}

/// Reconnects like a browser: a client that arrives before the stopping node has released the table has to try again.
async fn reconnect(at: SocketAddr, code: &str, name: &str) -> Client {
    for attempt in 0..1_000 {
        let mut client = Client::connect(at).await;
        let (table, secret, name) = (code.to_owned(), secret(name), Some(name.to_owned()));
        let join = Action::Join { table, secret, name, watch: false, last: None };
        match client.try_act_with(&format!("back-{attempt}"), join).await {
            Some(joined) => {
                joined.unwrap();
                client.until("told who I am", |c| c.you.is_some()).await;
                return client;
            }
            None => assert_eq!(client.closed.as_deref(), Some("server/closing")),
        }
        // The node that stops needs its share of a busy machine.
        if attempt > 20 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    panic!("told to come again for ever");
}

/// CLUSTER-2: clients of any node reach the same table.
#[tokio::test]
async fn any_node_takes_any_socket() {
    let (server, _redis) = TestServer::nodes().await;
    let (code, mut clients) = seated(&server, "donkey").await;
    for node in [0, 1] {
        let (status, text) = http(server.node(node), "GET", &format!("/api/tables/{code}"), "").await;
        assert_eq!(status, 200, "{text}");
        let card: TableCard = serde_json::from_str(&text).unwrap();
        assert_eq!((card.players.len(), card.status), (3, TableStatus::Lobby), "at node {node}");
    }
    let mut watching = Client::connect(server.node(1)).await;
    watching.watch(&code, "Dora").await.unwrap();
    clients[0].act(Action::StartGame).await.unwrap();
    clients[1].act(Action::Chat { text: "across".into() }).await.unwrap();
    watching.until("it is said", |c| c.has_chat_line("across")).await;
    clients[0].until("it is said", |c| c.has_chat_line("across")).await;
    // A client of the other node disconnects, and everybody hears of it.
    drop(clients.pop());
    clients[0].until("gone", |c| c.player("Cleo").presence == Presence::Disconnected).await;
    let mut cleo = Client::connect(server.node(0)).await;
    cleo.join(&code, "Cleo").await.unwrap();
    clients.push(cleo);
    play_out(&mut clients, 1).await;
    watching.until("the end", |c| c.table().status == TableStatus::Ended).await;
    let fresh = {
        let mut fresh = Client::connect(server.node(0)).await;
        fresh.watch(&code, "Emil").await.unwrap();
        fresh.view().clone()
    };
    assert_eq!(watching.view(), &fresh);
}

/// CLUSTER-3: a stopping node hands its tables over. Their clients are told to reconnect, and the next node has the
/// tables at once.
#[tokio::test]
async fn a_stopping_node_hands_its_tables_over() {
    let (server, _redis) = TestServer::nodes().await;
    // The first client is at the first node, so that node has the table.
    let (code, mut clients) = seated(&server, "pig").await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].act(Action::Chat { text: "before".into() }).await.unwrap();
    server.drain(0);
    for client in &mut clients {
        assert_eq!(client.read_until_closed().await, "server/closing");
    }
    let ann = reconnect(server.node(1), &code, "Ann").await;
    assert!(ann.has_chat_line("before"));
    assert_eq!(ann.table().status, TableStatus::Playing);
}

/// CLUSTER-3: a stopping node also tells its clients whose tables are at another node; those tables go on.
#[tokio::test]
async fn a_stopping_node_tells_its_clients_at_other_nodes_tables() {
    let (server, _redis) = TestServer::nodes().await;
    let (code, mut clients) = seated(&server, "pig").await;
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.view.is_some()).await;
    server.drain(1);
    assert_eq!(clients[1].read_until_closed().await, "server/closing");
    clients[0].until("Ben is gone", |c| c.player("Ben").presence == Presence::Disconnected).await;
    let mut ben = Client::connect(server.node(0)).await;
    ben.join(&code, "Ben").await.unwrap();
    clients[0].until("Ben is back", |c| c.player("Ben").presence == Presence::Active).await;
}

/// CLUSTER-4: everything made at one node exists for all nodes: a table only once, and each pack under its own id.
#[tokio::test]
async fn tables_and_packs_of_one_node_exist_for_all_nodes() {
    let (server, _redis) = TestServer::nodes().await;
    let body = CreateTable {
        id: "the-same-table-at-two-nodes".into(),
        game: "pig".into(),
        name: "Ann".into(),
        settings: quick(),
    };
    let body = serde_json::to_string(&body).unwrap();
    let made = async |node| {
        let (status, text) = http(server.node(node), "POST", "/api/tables", &body).await;
        assert_eq!(status, 200, "{text}");
        serde_json::from_str::<CreatedTable>(&text).unwrap().code
    };
    let (one, other) = tokio::join!(made(0), made(1));
    assert_eq!(one, other, "made twice at the same time, and once in truth");
    let pack = "deck,text\nwhite,A card\nblack,Another ____.\n";
    let import = async |node| http(server.node(node), "POST", "/api/packs?name=Mine", pack).await;
    let ((one, first), (other, second)) = tokio::join!(import(0), import(1));
    assert_eq!((one, other), (200, 200), "{first} {second}");
    let ids = async |node| -> Vec<String> {
        let (_, text) = http(server.node(node), "GET", "/api/packs", "").await;
        let page: PackPage = serde_json::from_str(&text).unwrap();
        page.packs.into_iter().filter(|pack| pack.mine).map(|pack| pack.id).collect()
    };
    assert_eq!((ids(0).await.len(), ids(0).await), (2, ids(1).await));
}

/// JOIN-1: a socket whose tables are at another node sits at one of them only, and may try another after a refusal. When it closes,
/// nobody waits for it.
#[tokio::test]
async fn a_socket_sits_at_one_table_of_another_node() {
    const HOSTS: [&str; 4] = ["Ann", "Ben", "Cleo", "Dan"];
    let (server, _redis) = TestServer::nodes().await;
    let (mut codes, mut hosts) = (Vec::new(), Vec::new());
    for host in HOSTS {
        let code = server.table("pig", host, quick()).await;
        let mut client = Client::connect(server.node(1)).await;
        client.join(&code, host).await.unwrap();
        codes.push(code);
        hosts.push(client);
    }
    hosts[0].act(Action::SetDoor { door: Door::Locked }).await.unwrap();
    let mut eve = Client::connect(server.node(0)).await;
    assert_eq!(eve.join(&codes[0], "Eve").await.unwrap_err().error, ErrorCode::DoorLocked);
    // She asks for the locked table last.
    codes.reverse();
    assert_joins_only_the_first(&mut eve, &codes, &mut hosts).await;
    drop(eve);
    for host in &mut hosts {
        let gone =
            |c: &Client| c.table().players.iter().all(|p| p.name != "Eve" || p.presence == Presence::Disconnected);
        host.until("Eve is gone", gone).await;
    }
}

/// CLUSTER-5: without Redis the nodes reach each other through the database, and they notice by themselves when Redis
/// is back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_reach_each_other_without_redis() {
    let (server, redis) = TestServer::nodes().await;
    let (_, mut clients) = seated(&server, "donkey").await;
    clients[0].act(Action::StartGame).await.unwrap();
    tokio::task::block_in_place(|| redis.stop()).unwrap();
    clients[1].act(Action::Chat { text: "slowly".into() }).await.unwrap();
    clients[2].until("it is said", |c| c.has_chat_line("slowly")).await;
    clients[0].until("it is said", |c| c.has_chat_line("slowly")).await;
    tokio::task::block_in_place(|| redis.start_again()).unwrap();
    play_out(&mut clients, 1).await;
}

/// OPS-2: the online numbers are those of all nodes together.
#[tokio::test]
async fn online_numbers_include_all_nodes() {
    let (server, _redis) = TestServer::nodes().await;
    let (_code, _clients) = seated(&server, "pig").await;
    for node in [0, 1] {
        let counted = async {
            loop {
                let (_, text) = http(server.node(node), "GET", "/api/online", "").await;
                if serde_json::from_str::<Online>(&text).unwrap() == (Online { people: 3, tables: 1 }) {
                    return;
                }
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(20), counted).await.expect("three people at one table");
    }
}
