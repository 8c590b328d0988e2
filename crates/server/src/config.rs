//! The settings of a server. `baize serve` fills them from flags and environment, tests by hand.

use crate::clock::ServerClock;
use crate::library::GameFile;
use baize_engine::live::LiveTable;
use baize_store::{Faults, PackQuota, PackQuotas, TableQuotas};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    /// The folder of `baize.db`; not used when nodes share a database.
    pub data: PathBuf,
    pub shared: Option<Shared>,
    /// The folder with `*.baize`, or one rules file.
    pub games: PathBuf,
    /// How often the server looks for changed rules files and for orders, in milliseconds.
    pub look_every: u64,
    /// A designer works on the rules files: tables show their problems, and this function gets every file that is read.
    pub workshop: Option<OnGameFile>,
    /// A folder with packs that the operator vouches for (JSON or CSV).
    pub packs: Option<PathBuf>,
    /// The scheme and host with which links begin, as in `https://cards.example`. By default it is the address on which the
    /// server listens.
    pub public_url: Option<String>,
    /// Other sites whose pages may talk to this server. The server's own page always may.
    pub origins: Vec<String>,
    pub web: Web,
    /// How long bots seem to think: 1000 is as long as people find natural, 0 not at all.
    pub bot_delay: u64,
    /// Threads on which bots think, apart from the rooms.
    pub bot_threads: usize,
    /// A table without connections leaves memory after this many milliseconds.
    pub park_after: u64,
    /// A table that does not change is deleted after this many milliseconds. 0: never.
    pub purge_after: u64,
    /// After a restart players stay present for this many milliseconds, so that they can reconnect.
    pub return_within: u64,
    /// Upper bound on tables in memory. Requests for more are refused with `server/busy`.
    pub max_tables: usize,
    /// Upper bounds on connections at the same time, in all and from one address. Beyond them, new connections replace ones that
    /// have not joined a table. The system's limit on open files bounds the number in all as well.
    pub max_connections: usize,
    pub max_connections_per_address: usize,
    /// Upper bounds on sockets at the same time, in all and from one address.
    pub max_sockets: usize,
    pub max_sockets_per_address: usize,
    /// Upper bound on spectators at one table at the same time.
    pub max_spectators: usize,
    /// Messages that a socket may send per second. It may send three seconds' worth at once.
    pub actions_per_second: u32,
    /// Tables and packs that one address may make in a minute.
    pub makes_per_minute: u32,
    /// Tables and replays that one address may look up in a minute, failed joins included: each may cost a read from
    /// disk.
    pub looks_per_minute: u32,
    /// How much space uploaded packs may take, in all and from one address.
    pub pack_quotas: PackQuotas,
    /// A pack that no table uses is deleted this many milliseconds after it was last chosen. 0: never.
    pub pack_expiry: u64,
    /// Upper bounds on stored tables, in all and from one address.
    pub table_quotas: TableQuotas,
    /// A table that nobody has come to is deleted this many milliseconds after it was made. 0: never.
    pub unused_table_expiry: u64,
    /// Reports of players are deleted after this many milliseconds. 0: never.
    pub report_expiry: u64,
    /// The number of reverse proxies in front of the server, each of which appends its client's address to
    /// `X-Forwarded-For`.
    pub proxies: usize,
    /// Host names this server answers to beside that of [`Config::public_url`], if that is set.
    pub hosts: Vec<String>,
    pub timeouts: Timeouts,
    /// Faults that tests inject, at the fault points that `docs/operating.md` lists under *Faults*.
    pub faults: Faults,
    /// How long a stopping server waits for its tables, and then for its store. It must be longer than the server waits for a
    /// database that does not answer.
    pub stop_within: Duration,
    /// A commit that takes longer than this many milliseconds means trouble with the disk, and `/healthz` reports it.
    pub slow_commit: u64,
    /// Lets tests replace each game that is read from the store.
    pub on_load: Option<OnLoad>,
    pub clock: ServerClock,
}

/// How long an HTTP connection may take, in milliseconds. The timeouts of WebSockets are in `socket/session.rs`.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// Time from accepting the connection to the end of its first request's head.
    pub head: u64,
    /// Time from the end of a head to the end of the request's body.
    pub body: u64,
    /// Time from the end of a head to the end of the answer.
    pub answer: u64,
    /// Time from the end of an answer to the end of the next head. A proxy has to close its idle connections sooner.
    pub idle: u64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { head: 10_000, body: 60_000, answer: 120_000, idle: 75_000 }
    }
}

/// Makes this server one of several equal nodes.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The address of Postgres, as in `postgres://user@host/name`.
    pub database: String,
    /// The address of Redis, as in `redis://host`. Without Redis the nodes reach each other through the database, more slowly.
    pub redis: Option<String>,
    /// A name that no other running node has. A node that is restarted under its old name gets its tables back at once.
    pub node: String,
    /// How long a node that has died keeps its tables.
    pub lease: Duration,
}

/// A function that is called for every rules file that is read. See [`Config::workshop`].
#[derive(Clone)]
pub struct OnGameFile(pub Arc<dyn Fn(&GameFile) + Send + Sync>);

impl std::fmt::Debug for OnGameFile {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("OnGameFile")
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
    /// The server serves the API and no pages.
    #[default]
    None,
    /// Files that are compiled into the binary: path without a leading slash, and content.
    Embedded(&'static [(&'static str, &'static [u8])]),
    /// The path of a folder such as `web/dist`, which is read at each request. For developers.
    Folder(&'static str),
}

impl Config {
    /// Default values for everything except address and folders.
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
            table_quotas: TableQuotas { total: 200_000, origin: 2_000 },
            unused_table_expiry: 24 * 3_600_000,
            report_expiry: 90 * 24 * 3_600_000,
            proxies: 0,
            hosts: Vec::new(),
            timeouts: Timeouts::default(),
            faults: Faults::default(),
            stop_within: Duration::from_secs(25),
            slow_commit: 5_000,
            on_load: None,
            clock: ServerClock::system(),
        }
    }
}
