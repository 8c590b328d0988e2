//! What an operator can set. `baize serve` fills it from flags and environment; tests by hand.

use crate::clock::Clock;
use crate::library::Read;
use baize_engine::live::LiveTable;
use baize_store::{Faults, PackQuota, PackQuotas};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    /// Where `baize.db` lives, unless nodes share a database.
    pub data: PathBuf,
    pub shared: Option<Shared>,
    /// The folder with `*.baize`, or one rules file.
    pub games: PathBuf,
    /// How often changed rules files are looked for, in milliseconds.
    pub look_every: u64,
    /// A designer works on the files: what is wrong with them is told at the table, and to this.
    pub workshop: Option<OnRead>,
    /// A folder with packs the operator vouches for (JSON or CSV).
    pub packs: Option<PathBuf>,
    /// What links begin with, as in `https://cards.example`. Missing: the address listened on.
    pub public_url: Option<String>,
    /// Other sites whose pages may talk to this server. The server's own page always may.
    pub origins: Vec<String>,
    pub web: Web,
    /// How long bots seem to think: 1000 is as long as people find natural, 0 not at all.
    pub bot_delay: u64,
    /// Threads on which bots think, apart from the rooms.
    pub bot_threads: usize,
    /// A table nobody is connected to leaves memory after so many milliseconds.
    pub park_after: u64,
    /// A table nothing has happened at is deleted after so many milliseconds. 0: never.
    pub purge_after: u64,
    /// After a restart players keep their presence for so long, to come back.
    pub return_within: u64,
    /// Tables in memory at once; more are refused with `server/busy`.
    pub max_tables: usize,
    /// Connections at once, in all and from one address. Above that, those that have joined no table make room for new ones.
    /// In all there are never more than the system gives the server files.
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    /// Sockets at once, in all and from one address.
    pub max_sockets: usize,
    pub max_sockets_per_address: usize,
    /// People who may watch one table at the same time.
    pub max_spectators: usize,
    /// Messages a socket may send a second; three seconds' worth at once.
    pub actions_per_second: u32,
    /// Tables and packs one address may make in a minute.
    pub makes_per_minute: u32,
    /// Tables and replays one address may look up in a minute, joins that failed included: each may have to be read from disk.
    pub looks_per_minute: u32,
    /// How much the packs that people upload may take up, in all and from one address.
    pub pack_quotas: PackQuotas,
    /// A pack that no table uses is deleted when it was last chosen so many milliseconds ago. 0: never.
    pub pack_expiry: u64,
    /// Reports of players are deleted after so many milliseconds. 0: never.
    pub report_expiry: u64,
    /// So many reverse proxies stand in front of the server, each of which adds whom it was asked by to `X-Forwarded-For`.
    pub proxies: usize,
    /// Names this server answers to beside that of [`Config::public_url`], if that is set.
    pub hosts: Vec<String>,
    pub timeouts: Timeouts,
    /// For tests: faults on purpose, at the edges that `docs/operating.md` lists under *Faults*.
    pub faults: Faults,
    /// How long a server that ends waits for its tables, and then for its store. Longer than a database that is away is waited for.
    pub stop_within: Duration,
    /// A commit that takes longer than so many milliseconds means that the disk is in trouble: `/healthz` says so.
    pub slow_commit: u64,
    /// For tests: a game that is read from the store is replaced by what this makes of it.
    pub on_load: Option<OnLoad>,
    pub clock: Clock,
}

/// How long a connection may take, in milliseconds. Those of WebSockets are in the file `socket.rs`.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From the beginning to the end of its first request's head.
    pub head: u64,
    /// From the end of a head to the end of what the request brings along.
    pub body: u64,
    /// From the end of a head to the end of the answer.
    pub answer: u64,
    /// From an answer to the end of the next head. A proxy has to let go of a connection sooner.
    pub idle: u64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { head: 10_000, body: 60_000, answer: 120_000, idle: 75_000 }
    }
}

/// What makes this server one of many equal nodes.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Postgres, as in `postgres://user@host/name`.
    pub database: String,
    /// As in `redis://host`. Without, the nodes reach each other through the database, more slowly.
    pub redis: Option<String>,
    /// No other running node has this name. A node that is started again under its name has its tables again at once.
    pub node: String,
    /// How long a node that is gone keeps its tables.
    pub lease: Duration,
}

/// Is called for every rules file that was read. See [`Config::workshop`].
#[derive(Clone)]
pub struct OnRead(pub Arc<dyn Fn(&Read) + Send + Sync>);

impl std::fmt::Debug for OnRead {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("OnRead")
    }
}

/// See [`Config::on_load`].
#[derive(Clone)]
pub struct OnLoad(pub Arc<dyn Fn(LiveTable) -> LiveTable + Send + Sync>);

impl std::fmt::Debug for OnLoad {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("OnLoad")
    }
}

/// The browser client's files.
#[derive(Clone, Copy, Debug, Default)]
pub enum Web {
    /// Only the API.
    #[default]
    None,
    /// Compiled into the binary: path without a leading slash, content.
    Embedded(&'static [(&'static str, &'static [u8])]),
    /// A folder such as `web/dist`, read at each request: for developers.
    Folder(&'static str),
}

impl Config {
    /// Sensible values for everything but the places.
    pub fn new(listen: SocketAddr, data: PathBuf, games: PathBuf) -> Self {
        Config {
            listen,
            data,
            shared: None,
            games,
            look_every: 2_000,
            workshop: None,
            packs: None,
            public_url: None,
            origins: Vec::new(),
            web: Web::None,
            bot_delay: 1000,
            bot_threads: 2,
            park_after: 60_000,
            purge_after: 90 * 24 * 3_600_000,
            return_within: 30_000,
            max_tables: 100_000,
            max_connections: usize::MAX,
            max_connections_per_address: 512,
            max_sockets: 100_000,
            max_sockets_per_address: 256,
            max_spectators: 100,
            actions_per_second: 20,
            makes_per_minute: 30,
            looks_per_minute: 600,
            pack_quotas: PackQuotas {
                total: PackQuota { packs: 20_000, bytes: 1 << 30 },
                origin: PackQuota { packs: 1_000, bytes: 32 << 20 },
            },
            pack_expiry: 30 * 24 * 3_600_000,
            report_expiry: 90 * 24 * 3_600_000,
            proxies: 0,
            hosts: Vec::new(),
            timeouts: Timeouts::default(),
            faults: Faults::default(),
            stop_within: Duration::from_secs(25),
            slow_commit: 5_000,
            on_load: None,
            clock: Clock::system(),
        }
    }
}
