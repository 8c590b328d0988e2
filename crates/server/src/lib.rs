#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod address;
pub mod admin;
pub mod bots;
pub mod clock;
mod cluster;
pub mod config;
mod connections;
pub mod frames;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod hub;
mod identity;
mod inbox;
mod library;
mod log_replay;
mod metrics;
mod order_task;
mod orders;
mod outbox;
mod outgoing;
mod packs;
mod player_log;
mod replay;
mod room_task;
mod slow_work;
mod socket;
mod supervise;

#[doc(hidden)]
pub use baize_room::snapshot;
pub use baize_store::Faults;
pub use clock::ServerClock;
pub use config::{Config, OnGameFile, OnLoad, Shared, Timeouts, Web};
pub use library::{Compiled, GameFile};
pub use replay::{VerifyError, table as replayed, verify};

use baize_room::{RoomConfig, RoomContext};
use baize_store::{Expiry, SqliteStore, Store, StoreError};
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use supervise::panicked;
use tokio::task::JoinSet;

/// Everything that the parts of the server share.
pub(crate) struct Services {
    pub config: Config,
    /// The scheme and host that links to tables begin with.
    pub public_url: String,
    pub store: Arc<dyn Store>,
    pub library: library::Library,
    pub packs: packs::Packs,
    pub rooms: Arc<RoomContext>,
    pub bots: bots::Bots,
    pub metrics: Arc<metrics::Metrics>,
    /// Panics of the server's own tasks.
    pub panics: Arc<supervise::Panics>,
    pub hub: hub::Hub,
    pub slow_work: slow_work::SlowWork,
    /// None if this server is the only node.
    pub cluster: Option<cluster::Cluster>,
    pub addresses: address::AddressLimits,
    pub connections: Arc<connections::Connections>,
    pub bodies: http::BodyBudget,
    pub answers: Arc<http::UnsentAnswers>,
    pub game_list: http::JsonCache,
    /// Definitions and exported packs.
    pub texts: http::TextCache,
    /// Replays. They have a cache of their own because a replay may take seconds to make.
    pub replays: http::TextCache,
    /// Permits for telling tables' logs.
    pub player_logs: tokio::sync::Semaphore,
    pub hosts: http::Hosts,
}

#[derive(Debug)]
pub enum RunError {
    Listen(SocketAddr, std::io::Error),
    Games(std::path::PathBuf, std::io::Error),
    Store(StoreError),
    Redis(redis::RedisError),
    Io(std::io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RunError::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            RunError::Games(folder, error) => write!(f, "cannot read the games in {}: {error}", folder.display()),
            RunError::Store(error) => error.fmt(f),
            RunError::Redis(error) => write!(f, "the address of Redis can't be used: {error}"),
            RunError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

/// A server that listens and does not serve yet.
pub struct Server {
    services: Arc<Services>,
    listener: tokio::net::TcpListener,
    /// What the cluster has opened and not started yet.
    cluster_start: Option<cluster::ClusterStart>,
}

impl Server {
    pub async fn bind(config: Config) -> Result<Server, RunError> {
        let listener = http::listen(config.listen).map_err(|e| RunError::Listen(config.listen, e))?;
        let address = listener.local_addr().map_err(RunError::Io)?;
        let public_url = config.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let library = library::Library::open(&config.games).map_err(|e| RunError::Games(config.games.clone(), e))?;
        library.files().iter().for_each(|read| report_game_file(&config, read));
        let panics = Arc::new(supervise::Panics::new(&config.clock));
        let (store, cluster, cluster_start): (Arc<dyn Store>, _, _) = match &config.shared {
            None => {
                let store = SqliteStore::open_with(&config.data, config.faults.clone()).map_err(RunError::Store)?;
                (Arc::new(store), None, None)
            }
            Some(shared) => {
                let (store, cluster, start) = cluster::join(shared, &config.faults, &panics).await?;
                (store, Some(cluster), Some(start))
            }
        };
        let packs = packs::Packs::open(config.packs.as_deref(), store.as_ref(), &config.faults).await;
        let packs = packs.map_err(RunError::Store)?;
        let rooms = Arc::new(RoomContext {
            config: room_config(&config),
            operator_packs: packs.of_operator().clone(),
            games: Default::default(),
        });
        let metrics = Arc::new(metrics::Metrics::default());
        let bots = bots::Bots::new(config.bot_threads, metrics.clone(), &config.faults).map_err(RunError::Io)?;
        let connections = connections::Connections::new(connection_limits(&config), metrics.clone());
        let answers = http::UnsentAnswers::new(metrics.clone());
        let services = Services {
            public_url: public_url.trim_end_matches('/').to_owned(),
            store,
            library,
            packs,
            rooms,
            bots,
            metrics,
            panics,
            hub: hub::Hub::default(),
            slow_work: slow_work::SlowWork::default(),
            cluster,
            addresses: address::AddressLimits::default(),
            connections,
            bodies: http::BodyBudget::default(),
            answers,
            game_list: http::JsonCache::default(),
            texts: http::TextCache::default(),
            replays: http::TextCache::default(),
            player_logs: tokio::sync::Semaphore::new(player_log::READ_TOGETHER),
            hosts: http::Hosts::new(&config),
            config,
        };
        Ok(Server { services: Arc::new(services), listener, cluster_start })
    }

    pub fn address(&self) -> Result<SocketAddr, RunError> {
        self.listener.local_addr().map_err(RunError::Io)
    }

    /// The address to open in a browser.
    pub fn url(&self) -> &str {
        &self.services.public_url
    }

    /// Serves until `shutdown` is ready. Then stores everything that is only in memory and tells every client to
    /// reconnect.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<(), RunError> {
        tracing::info!(address = %self.address()?, url = self.url(), "listening");
        let services = self.services;
        let mut tasks = JoinSet::new();
        let here = services.clone();
        tasks.spawn(async move { while panicked("upkeep", &here.panics, upkeep(&here)).await {} });
        let here = services.clone();
        tasks.spawn(async move { while panicked("store check", &here.panics, check_store(&here)).await {} });
        let here = services.clone();
        tasks.spawn(async move { while panicked("orders", &here.panics, order_task::run(here.clone())).await {} });
        let cluster = self.cluster_start.map(|start| start.begin(&services));
        let (closed, closing) = tokio::sync::oneshot::channel();
        let stopping = {
            let services = services.clone();
            async move {
                shutdown.await;
                tracing::info!("stopping");
                services.hub.close(services.config.stop_within).await;
                if let Some(cluster) = &services.cluster {
                    let _ = tokio::time::timeout(STOP_GRACE, cluster.close()).await;
                }
                let over = tokio::time::Instant::now() + STOP_GRACE;
                // Clients hear why the server stops before the program ends; a client that does not read delays the end
                // only briefly.
                let all_gone = async {
                    while services.metrics.sockets.load(std::sync::atomic::Ordering::Relaxed) > 0 {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                };
                let _ = tokio::time::timeout_at(over - STOP_GRACE / 4, all_gone).await;
                let _ = closed.send(over);
            }
        };
        // Requests that have begun are answered; the server does not wait for one that never ends.
        let over = async {
            match closing.await {
                Ok(over) => tokio::time::sleep_until(over).await,
                Err(_) => std::future::pending().await,
            }
        };
        let (store, stop_within) = (services.store.clone(), services.config.stop_within);
        tokio::select! {
            () = http::serve(services, self.listener, stopping) => {}
            () = over => {}
        }
        drop(tasks);
        drop(cluster);
        // A task that still runs may hold the store. Closing it frees its files for another process all the same.
        if tokio::time::timeout(stop_within, store.close()).await.is_err() {
            tracing::error!("the store did not close in time");
        }
        tracing::info!("stopped");
        Ok(())
    }
}

/// The part of the configuration that rooms need.
fn room_config(config: &Config) -> RoomConfig {
    RoomConfig {
        bot_delay: config.bot_delay,
        park_after: config.park_after,
        return_within: config.return_within,
        max_spectators: config.max_spectators,
        actions_per_second: config.actions_per_second,
        ..RoomConfig::default()
    }
}

/// How many connections the server accepts. Each connection is a file descriptor, and the database and the game files
/// need some too.
fn connection_limits(config: &Config) -> connections::ConnectionLimits {
    #[cfg(unix)]
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let files = None;
    let files = files.map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX));
    connections::ConnectionLimits {
        connections: config.max_connections.min(files - (files / 4).min(OTHER_FILES)),
        connections_per_address: config.max_connections_per_address,
        sockets: config.max_sockets,
        sockets_per_address: config.max_sockets_per_address,
        proxied: config.proxies > 0,
    }
}

/// File descriptors that are not for connections.
const OTHER_FILES: usize = 256;
/// How long a stopping server waits for its clients to be told, and for requests that have begun.
const STOP_GRACE: Duration = Duration::from_secs(2);
/// How often the server checks that the store can write, in milliseconds.
const CHECK_EVERY: u64 = 2_000;
/// How often the server looks for old tables, in milliseconds.
const PURGE_EVERY: u64 = 3_600_000;

/// Reports a game file that was read: to the designer in any case, to the log only if it has errors.
fn report_game_file(config: &Config, read: &GameFile) {
    match (&config.workshop, &read.game) {
        (Some(OnGameFile(report)), _) => report(read),
        (None, Compiled::Broken { problems }) => {
            let first = problems.first().map(|problem| format!("{}: {}", problem.at, problem.message));
            let first = first.unwrap_or_default();
            tracing::warn!(file = %read.path.display(), problems = problems.len(), first, "a game file has errors");
        }
        (None, Compiled::Playable(_)) => {}
    }
}

/// Checks again and again that the store can write, so that `/healthz` is right even when nobody plays.
async fn check_store(services: &Services) {
    let clock = &services.config.clock;
    let mut failed = false;
    loop {
        clock.sleep_until(clock.now() + CHECK_EVERY, pin!(None)).await;
        services.config.faults.trip("task/check", "");
        match services.store.check().await {
            Ok(()) if failed => tracing::info!("the store writes again"),
            Err(error) if !failed => tracing::error!(%error, "the store does not write"),
            _ => {}
        }
        failed = services.store.stats().health().failing.is_some();
    }
}

/// Reads game files that have changed, and deletes old tables.
async fn upkeep(services: &Services) {
    let clock = services.config.clock.clone();
    let mut purge_at = clock.now();
    loop {
        clock.sleep_until(clock.now() + services.config.look_every, pin!(None)).await;
        services.config.faults.trip("task/upkeep", "");
        match services.library.refresh() {
            Ok(read) if read.is_empty() => {}
            Ok(read) => {
                if services.config.workshop.is_none() {
                    tracing::info!(games = ?read, "game files read again");
                }
                read.iter()
                    .filter_map(|id| services.library.read(id))
                    .for_each(|read| report_game_file(&services.config, &read));
                let games: Arc<[String]> = read.into();
                services.hub.send_to_all(|| inbox::TableMessage::Reloaded { games: games.clone() });
            }
            Err(error) => tracing::warn!(%error, "game files could not be read"),
        }
        let (now, keep) = (clock.now(), services.config.purge_after);
        if now >= purge_at {
            purge_at = now + PURGE_EVERY;
            // If somebody sets the date forward, tables must not look old. The steady clock has not moved.
            let date = now.min(clock.date());
            expire(services, date).await;
            // Even if tables are kept for ever (`before` is 0), the store deletes blobs that no table uses.
            let before = if keep > 0 { date.saturating_sub(keep) } else { 0 };
            match services.store.purge(before).await {
                Ok(0) => {}
                Ok(tables) => tracing::info!(tables, "old tables deleted"),
                Err(error) => tracing::warn!(%error, "old tables could not be deleted"),
            }
        }
    }
}

/// Deletes packs that no table uses, tables that nobody has come to, and old reports.
async fn expire(services: &Services, now: u64) {
    let before = |keep: u64| if keep > 0 { now.saturating_sub(keep) } else { 0 };
    let expiry = Expiry {
        packs: before(services.config.pack_expiry),
        reports: before(services.config.report_expiry),
        tables: before(services.config.unused_table_expiry),
    };
    match services.store.expire(expiry).await {
        Ok(0) => {}
        Ok(packs) => tracing::info!(packs, "unused packs deleted"),
        Err(error) => tracing::warn!(%error, "unused packs could not be deleted"),
    }
}
