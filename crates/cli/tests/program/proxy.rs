//! Tests the proxy of `deploy/`, Caddy, in front of two nodes.

use crate::player::{LoadRun, PLAYERS, check_games, games};
use crate::process::{Process, root};
use baize_test_servers::{Postgres, RedisServer, free_port};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;
use tokio::task::block_in_place;

struct Caddy {
    child: Child,
    address: SocketAddr,
}

impl Caddy {
    /// Starts Caddy and waits until it forwards requests. If Caddy ends instead, this panics with what Caddy wrote.
    async fn start(data: &Path, nodes: &[&Process]) -> Self {
        let free = || SocketAddr::from(([127, 0, 0, 1], free_port().unwrap()));
        let (address, admin) = (free(), free());
        let log = data.join("caddy.log");
        let nodes: Vec<String> = nodes.iter().map(|node| node.address.to_string()).collect();
        let child = Command::new("caddy")
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(root().join("deploy/Caddyfile"))
            .env("SITE", format!("http://{address}"))
            .env("NODES", nodes.join(" "))
            .env("CADDY_ADMIN", admin.to_string())
            .env("XDG_DATA_HOME", data)
            .env("XDG_CONFIG_HOME", data)
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .expect("Caddy is installed");
        let mut caddy = Caddy { child, address };
        let host = format!("Host: {address}\r\n");
        let mut tick = tokio::time::interval(Duration::from_millis(20));
        while !matches!(crate::client::request(address, "GET", "/healthz", &host, b"").await, Ok((200, ..))) {
            if let Some(status) = caddy.child.try_wait().unwrap() {
                panic!("Caddy ended with {status}:\n{}", std::fs::read_to_string(&log).unwrap());
            }
            tick.tick().await;
        }
        caddy
    }
}

impl Drop for Caddy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn sockets(node: &Process) -> u32 {
    let metrics = node.http("GET", "/metrics", PLAYERS[0], "").await;
    metrics.lines().find_map(|line| line.strip_prefix("baize_sockets ")?.parse().ok()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_drains_behind_the_proxy_and_every_table_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let (postgres, redis) = (Postgres::start().unwrap(), RedisServer::start().unwrap());
    let node = |name: &str| {
        let data = data.path().join(name);
        std::fs::create_dir_all(&data).unwrap();
        Process::node(&data, &postgres.url(), &redis.url(), name)
    };
    let (mut first, second) = (node("anvil"), node("bellows"));
    let caddy = Caddy::start(data.path(), &[&first, &second]).await;
    let games = &games()[..4];
    let mut codes = Vec::new();
    for (n, game) in games.iter().enumerate() {
        codes.push([&first, &second][n % 2].table(game, PLAYERS[0]).await);
    }
    // All players connect to the proxy.
    let world = LoadRun::new(vec![caddy.address], games.len());
    let players = world.people(&codes, 1);
    world.all_go_on().await;
    assert!(sockets(&first).await > 0 && sockets(&second).await > 0, "both have people");
    block_in_place(|| first.terminate());
    world.all_go_on().await;
    let ledgers = world.stop(players).await;
    check_games(&[&second], games, &codes, &ledgers).await;
}
