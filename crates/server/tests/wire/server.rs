//! A server on a free port, with its own data folder and a clock that only the test moves.
//!
//! With `BAIZE_NODES=2` it is two nodes that share a database, and clients connect to them in turn, so that every test
//! also checks tables at another node.

pub use crate::client::secret;
use crate::client::{self, Client};
use crate::data::TestData;
use baize_protocol::http::{CreateTable, CreatedTable};
use baize_protocol::table::TableSettings;
use baize_server::{Config, Server, ServerClock};
use baize_test_servers::RedisServer;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot, watch};

/// The start of driven time.
const START: u64 = 1_700_000_000_000;

pub struct TestServer {
    pub address: SocketAddr,
    /// The addresses of all nodes.
    addresses: Vec<SocketAddr>,
    turn: AtomicUsize,
    pub clock: ServerClock,
    data: Option<TestData>,
    /// One sender per node; it stops that node.
    stop: Vec<watch::Sender<bool>>,
    /// Closes when every node has stopped in an orderly way.
    ended: mpsc::Receiver<()>,
    /// The runtime is separate from the test's own, so that a crash can drop it with all its tasks.
    runtime: Option<Runtime>,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl TestServer {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a server with changed settings, which a restart does not keep.
    pub async fn start_with(with: impl FnOnce(&mut Config)) -> Self {
        Self::on(TestData::new(), ServerClock::driven(START), with).await
    }

    /// Starts two nodes, also when `BAIZE_NODES` is not set.
    pub async fn nodes() -> (Self, RedisServer) {
        let redis = RedisServer::start().unwrap();
        (Self::on(TestData::shared(&redis), ServerClock::driven(START), |_| {}).await, redis)
    }

    /// Starts one server, also when `BAIZE_NODES` is set, for tests of what each node counts by itself.
    pub async fn alone(with: impl FnOnce(&mut Config)) -> Self {
        Self::on(TestData::alone(), ServerClock::driven(START), with).await
    }

    /// Starts a server on existing data.
    pub async fn on(data: TestData, clock: ServerClock, with: impl FnOnce(&mut Config)) -> Self {
        let listen = "127.0.0.1:0".parse().unwrap();
        let mut config = Config::new(listen, data.path().to_owned(), root().join("games"));
        config.packs = Some(root().join("packs"));
        config.clock = clock.clone();
        config.bot_delay = 0;
        config.actions_per_second = 1_000_000;
        config.makes_per_minute = 1_000_000;
        config.looks_per_minute = 1_000_000;
        with(&mut config);
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let mut stop = Vec::new();
        let (end, ended) = mpsc::channel(1);
        let mut addresses = Vec::new();
        for shared in data.nodes() {
            let config = Config { shared, ..config.clone() };
            let (sender, address) = oneshot::channel();
            let (stopping, mut stopped) = watch::channel(false);
            stop.push(stopping);
            let end = end.clone();
            runtime.spawn(async move {
                let server = Server::bind(config).await.unwrap();
                let _ = sender.send(server.address().unwrap());
                let shutdown = async move {
                    let _ = stopped.wait_for(|stop| *stop).await;
                };
                server.serve(shutdown).await.unwrap();
                drop(end);
            });
            addresses.push(address.await.unwrap());
        }
        let (address, turn) = (addresses[0], AtomicUsize::new(0));
        TestServer { address, addresses, turn, clock, data: Some(data), stop, ended, runtime: Some(runtime) }
    }

    /// Makes one node stop in an orderly way.
    pub fn drain(&self, node: usize) {
        self.stop[node].send_replace(true);
    }

    /// The address of one of the nodes.
    pub fn node(&self, node: usize) -> SocketAddr {
        self.addresses[node]
    }

    /// Stops all nodes in an orderly way.
    async fn end(&mut self) {
        (0..self.stop.len()).for_each(|node| self.drain(node));
        assert!(self.ended.recv().await.is_none());
    }

    /// Stops in an orderly way and starts another server on the same data.
    pub async fn restart(mut self) -> Self {
        self.end().await;
        self.crash().await
    }

    /// Drops all tasks at once, as `kill -9` does, and starts another server on the same data. Whatever was not on disk
    /// is lost.
    pub async fn crash(mut self) -> Self {
        self.runtime.take().unwrap().shutdown_background();
        let data = self.data.take().unwrap();
        Self::on(data, self.clock.clone(), |_| {}).await
    }

    /// Stops in an orderly way and returns the data.
    pub async fn stop(mut self) -> TestData {
        self.end().await;
        self.data.take().unwrap()
    }

    pub fn data(&self) -> &TestData {
        self.data.as_ref().unwrap()
    }

    pub async fn client(&self) -> Client {
        let turn = self.turn.fetch_add(1, Relaxed);
        Client::connect(self.addresses[turn % self.addresses.len()]).await
    }

    /// Makes a table and returns its code.
    pub async fn table(&self, game: &str, host: &str, settings: TableSettings) -> String {
        let id = format!("test-table-{}-{}", host.to_lowercase(), self.clock.now());
        let body = CreateTable { id, game: game.into(), name: host.into(), settings };
        let (status, text) =
            self.http("POST", "/api/tables", Some(&secret(host)), &serde_json::to_string(&body).unwrap()).await;
        assert_eq!(status, 200, "{text}");
        serde_json::from_str::<CreatedTable>(&text).unwrap().code
    }

    /// Makes a table where these people sit, the first of them host and lead. All have given their nonces.
    pub async fn seated(&self, game: &str, settings: TableSettings, names: &[&str]) -> (String, Vec<Client>) {
        let code = self.table(game, names[0], settings).await;
        let mut clients = Vec::new();
        for name in names {
            let mut client = self.client().await;
            client.join(&code, name).await.unwrap();
            client.act(baize_protocol::Action::Nonce { nonce: format!("nonce of {name}") }).await.unwrap();
            clients.push(client);
        }
        (code, clients)
    }

    pub async fn http(&self, method: &str, path: &str, secret: Option<&str>, body: &str) -> (u16, String) {
        let mut headers = format!("Host: {}\r\nContent-Type: application/json\r\n", self.address);
        if let Some(secret) = secret {
            headers += &format!("Authorization: Bearer {secret}\r\n");
        }
        self.request(method, path, &headers, body).await
    }

    pub async fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let (status, _, body) = client::request(self.address, method, path, headers, body.as_bytes()).await.unwrap();
        (status, body)
    }
}

impl Drop for TestServer {
    /// Dropping a runtime blocks, which a test's own runtime forbids.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The quick preset, if the game has one.
pub async fn quick_if_any(server: &TestServer, game: &str) -> TableSettings {
    let (_, text) = server.http("GET", &format!("/api/games/{game}"), None, "").await;
    let definition: serde_json::Value = serde_json::from_str(&text).unwrap();
    let quick = definition["presets"].as_array().unwrap().iter().any(|preset| preset["id"] == "quick");
    TableSettings { preset: quick.then(|| "quick".into()), ..TableSettings::default() }
}

pub fn quick() -> TableSettings {
    TableSettings { preset: Some("quick".into()), ..TableSettings::default() }
}
