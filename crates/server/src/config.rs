//! What an operator can set. `baize serve` fills it from flags and environment; tests by hand.

use crate::clock::Clock;
use crate::library::Read;
use baize_engine::live::LiveTable;
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
    /// Sockets at once, in all and from one address.
    pub max_sockets: usize,
    pub max_sockets_per_address: usize,
    /// Messages a socket may send a second; three seconds' worth at once.
    pub actions_per_second: u32,
    /// Tables and packs one address may make in a minute.
    pub makes_per_minute: u32,
    /// Tables and replays one address may look up in a minute: each may have to be read from disk.
    pub looks_per_minute: u32,
    /// Behind a reverse proxy: believe its `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// For tests: a game that is read from the store is replaced by what this makes of it.
    pub on_load: Option<OnLoad>,
    pub clock: Clock,
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
            max_sockets: 100_000,
            max_sockets_per_address: 256,
            actions_per_second: 20,
            makes_per_minute: 30,
            looks_per_minute: 600,
            behind_proxy: false,
            on_load: None,
            clock: Clock::system(),
        }
    }
}
