//! A store in Postgres that many nodes share.
//!
//! A node that opens a table gets a **lease** on it, which runs by Postgres' clock and which the node renews. Every commit has the
//! **epoch** under which its table was opened, and a number under that epoch. So a node whose lease has passed to another cannot write.
//! And when the connection is lost during a commit, the number tells whether the commit was written; only then the caller gets an answer.
//!
//! One task ([`writer`]) makes all commits. It writes the commits that queued up while the database was busy as one group in one
//! statement ([`group_statement`]). Creating, opening and reading tables use other connections.

mod admin;
mod archive;
mod blobs;
mod connection;
mod group_statement;
mod leases;
mod mailbox;
mod reader;
mod schema;
mod tables;
mod writer;

use crate::{
    ChatRow, Commit, Created, DefinitionRow, Expiry, Faults, GameRow, Hash, LogRow, MakerRow, NewTable, Opened,
    OrderRow, PackChoice, PackQuery, PackQuotas, PackRow, Pending, ReportRow, Snapshot, Stats, Store, StoreError,
    TableRow,
};
pub use mailbox::Mailbox;

use crate::supervise::restart_on_panic;
use connection::Connection;
use leases::Leases;
use std::borrow::Cow;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tokio_postgres::Config;
use writer::{WriteRequest, Writer};

/// If a statement has no answer after this time, the store sends it again in another session.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of statements of upkeep and migrations, which move many rows.
const UPKEEP_TIMEOUT: Duration = Duration::from_secs(600);

/// Postgres plans each of the writer's statements once, and uses indexes even if the tables were almost empty at that time.
const WRITER_SETUP: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off";

/// Selects table rows. The time of the last change also looks at the running game's log: a move does not update the table's row.
const SELECT_TABLE: &str = "SELECT code, record::text, greatest(updated_at, coalesce(
  (SELECT at FROM game_events WHERE game_id = running ORDER BY seq DESC LIMIT 1), 0)) AS changed";

pub struct PostgresConfig {
    /// `postgres://user:password@host:port/database`
    pub url: String,
    /// The name of this node; no other node may have it.
    pub node: String,
    /// How long a table stays with this node if the node does not renew the lease.
    pub lease: Duration,
}

pub struct PostgresStore {
    shared: Arc<Shared>,
    runtime: Handle,
    /// Every running request holds a clone of the sender. When the store is closed and the last clone is dropped, the writer ends.
    writes: Mutex<Option<mpsc::UnboundedSender<WriteRequest>>>,
    /// True when the writer has ended and all connections are closed.
    ended: watch::Receiver<bool>,
}

/// The state that the writer shares with all other requests.
struct Shared {
    node: String,
    lease: Duration,
    config: Config,
    /// The clock of the leases counts milliseconds since this moment.
    started: Instant,
    leases: Mutex<Leases>,
    stats: Stats,
    /// Tells upkeep to stop.
    closing: AtomicBool,
    faults: Faults,
    /// The connection for short writes other than commits. Statements that take long have other connections, so that no short
    /// write waits for them.
    short_writes: Connection,
    reads: Connection,
}

impl Shared {
    fn leases(&self) -> MutexGuard<'_, Leases> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time of the leases' clock, in milliseconds.
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }
}

impl PostgresStore {
    /// Connects to a database and migrates it. The receiver gives the codes of tables that this node has lost: another node has taken
    /// them over, or it stayed unknown whether a commit was written.
    pub async fn connect(config: PostgresConfig) -> Result<(Self, mpsc::UnboundedReceiver<String>), StoreError> {
        Self::connect_with(config, Faults::default()).await
    }

    /// Like [`PostgresStore::connect`], with faults injected at `store/write` and `store/renew`.
    pub async fn connect_with(
        config: PostgresConfig,
        faults: Faults,
    ) -> Result<(Self, mpsc::UnboundedReceiver<String>), StoreError> {
        let upkeep =
            Connection::new(&parse_url(&config.url)?, &format!("baize {} schema", config.node), "", UPKEEP_TIMEOUT);
        schema::prepare(&upkeep).await?;
        Self::start(config, faults)
    }

    /// Connects to the database of servers that may be running, for their operator. The database must have this program's schema
    /// version: only a server migrates it.
    pub async fn attach(config: PostgresConfig) -> Result<Self, StoreError> {
        let upkeep =
            Connection::new(&parse_url(&config.url)?, &format!("baize {} schema", config.node), "", UPKEEP_TIMEOUT);
        schema::check(&upkeep).await?;
        Self::start(config, Faults::default()).map(|(store, _)| store)
    }

    fn start(config: PostgresConfig, faults: Faults) -> Result<(Self, mpsc::UnboundedReceiver<String>), StoreError> {
        let PostgresConfig { url, node, lease } = config;
        let config = parse_url(&url)?;
        let name = |purpose: &str| format!("baize {node} {purpose}");
        let (writes, requests) = mpsc::unbounded_channel();
        let (lost, losses) = mpsc::unbounded_channel();
        let (end, ended) = watch::channel(false);
        let connection = Connection::new(&config, &name("writer"), WRITER_SETUP, STATEMENT_TIMEOUT);
        let shared = Arc::new(Shared {
            short_writes: Connection::new(&config, &name("rooms"), "", STATEMENT_TIMEOUT),
            reads: Connection::new(&config, &name("reader"), "", STATEMENT_TIMEOUT),
            started: Instant::now(),
            leases: Mutex::new(Leases::new(lease.as_millis() as u64, 0)),
            stats: Stats::default(),
            closing: AtomicBool::new(false),
            faults,
            node,
            lease,
            config,
        });
        let writer = Arc::new(Writer { shared: shared.clone(), connection, lost });
        let requests = Arc::new(tokio::sync::Mutex::new(requests));
        let runtime = Handle::current();
        runtime.spawn({
            let shared = shared.clone();
            async move {
                let on_restart = || {
                    shared.stats.count_restart();
                    shared.stats.commit_failed("the writer of the store panicked");
                };
                restart_on_panic("writer", on_restart, || writer.clone().run(requests.clone())).await;
                shared.short_writes.close().await;
                shared.reads.close().await;
                let _ = end.send(true);
            }
        });
        Ok((PostgresStore { shared, runtime, writes: Mutex::new(Some(writes)), ended }, losses))
    }

    /// Runs a request beside the writer. It runs to its end even if the caller drops the returned future.
    fn spawn<T, F>(&self, work: impl FnOnce(Arc<Shared>) -> F) -> Pending<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let Some(keeps_writer_alive) = self.writes() else { return Box::pin(async { Err(closed()) }) };
        let work = work(self.shared.clone());
        let task = self.runtime.spawn(async move {
            let result = work.await;
            drop(keeps_writer_alive);
            result
        });
        Box::pin(async move { task.await.unwrap_or_else(|_| Err(closed())) })
    }

    fn request(&self, request: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> WriteRequest) -> Pending<()> {
        let (reply, answer) = oneshot::channel();
        let sent = self.writes().is_some_and(|writes| writes.send(request(reply)).is_ok());
        Box::pin(async move {
            match sent {
                true => answer.await.unwrap_or_else(|_| Err(closed())),
                false => Err(closed()),
            }
        })
    }

    fn writes(&self) -> Option<mpsc::UnboundedSender<WriteRequest>> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Store for PostgresStore {
    fn create(&self, table: NewTable) -> Pending<Created> {
        self.spawn(|shared| async move { tables::create(&shared.short_writes, &table).await })
    }

    fn open(&self, code: &str) -> Pending<Opened> {
        let code = code.to_owned();
        self.spawn(|shared| async move { tables::open(&shared, &code).await })
    }

    fn release(&self, table: i64, epoch: i64) -> Pending<()> {
        self.request(|reply| WriteRequest::Release(table, epoch, reply))
    }

    fn peek(&self, code: &str) -> Pending<Option<TableRow>> {
        let code = code.to_owned();
        self.spawn(|shared| async move { reader::peek(&shared.reads, &code).await })
    }

    fn commit(&self, commit: Commit) -> Pending<()> {
        self.request(|reply| WriteRequest::Commit(commit, reply))
    }

    fn game(&self, game: &str) -> Pending<Option<GameRow>> {
        let game = game.to_owned();
        self.spawn(|shared| async move { reader::game(&shared.reads, &game).await })
    }

    fn log(&self, game: &str, after: u64, limit: u32) -> Pending<Vec<LogRow>> {
        let game = game.to_owned();
        self.spawn(move |shared| async move { reader::log(&shared.reads, &game, after, limit).await })
    }

    fn snapshot(&self, game: &str) -> Pending<Option<Snapshot>> {
        let game = game.to_owned();
        self.spawn(|shared| async move { reader::snapshot(&shared.reads, &game).await })
    }

    fn chat(&self, table: i64, after: u64, limit: u32) -> Pending<Vec<ChatRow>> {
        self.spawn(move |shared| async move { reader::chat(&shared.reads, table, after, limit).await })
    }

    fn tables_of(&self, member: &Hash, limit: u32) -> Pending<Vec<TableRow>> {
        let member = *member;
        self.spawn(move |shared| async move { reader::tables_of(&shared.reads, &member, limit).await })
    }

    fn put_blob(&self, hash: Hash, body: Vec<u8>) -> Pending<()> {
        self.spawn(move |shared| async move { blobs::put_blob(&shared.short_writes, &hash, &body).await })
    }

    fn blob(&self, hash: &Hash) -> Pending<Option<Vec<u8>>> {
        let hash = *hash;
        self.spawn(move |shared| async move { reader::blob(&shared.reads, &hash).await })
    }

    fn note_definition(&self, definition: DefinitionRow) -> Pending<()> {
        self.spawn(|shared| async move { blobs::note_definition(&shared.short_writes, &definition).await })
    }

    fn add_packs(&self, packs: Vec<PackRow>, texts: Vec<(Hash, Vec<u8>)>, quotas: PackQuotas) -> Pending<()> {
        self.spawn(move |shared| async move { admin::add_packs(&shared.short_writes, &packs, &texts, &quotas).await })
    }

    fn packs(&self, query: PackQuery) -> Pending<Vec<PackRow>> {
        self.spawn(|shared| async move { admin::packs(&shared.reads, &query).await })
    }

    fn pack(&self, id: &str) -> Pending<Option<PackRow>> {
        let id = id.to_owned();
        self.spawn(|shared| async move { admin::one_pack(&shared.reads, &id).await })
    }

    fn touch_packs(&self, ids: Vec<String>, at: u64) -> Pending<()> {
        self.spawn(move |shared| async move { admin::touch_packs(&shared.short_writes, &ids, at).await })
    }

    fn delete_packs(&self, choice: PackChoice) -> Pending<u64> {
        self.spawn(|shared| async move { admin::delete_packs(&shared.short_writes, &choice).await })
    }

    fn put_order(&self, key: Hash, at: u64, body: Vec<u8>) -> Pending<i64> {
        self.spawn(move |shared| async move { admin::put_order(&shared.short_writes, &key, at, &body).await })
    }

    fn orders(&self, limit: u32) -> Pending<Vec<OrderRow>> {
        self.spawn(move |shared| async move { admin::orders(&shared.reads, limit).await })
    }

    fn finish_order(&self, id: i64) -> Pending<()> {
        self.spawn(move |shared| async move { admin::finish_order(&shared.short_writes, id).await })
    }

    fn reports(&self, after: i64, limit: u32) -> Pending<Vec<ReportRow>> {
        self.spawn(move |shared| async move { admin::reports(&shared.reads, after, limit).await })
    }

    fn delete_report(&self, id: i64) -> Pending<bool> {
        self.spawn(move |shared| async move { admin::delete_report(&shared.short_writes, id).await })
    }

    fn tables(&self, after: &str, limit: u32) -> Pending<Vec<TableRow>> {
        let after = after.to_owned();
        self.spawn(move |shared| async move { admin::tables(&shared.reads, &after, limit).await })
    }

    fn codes_of(&self, member: &Hash, limit: u32) -> Pending<Vec<String>> {
        let member = *member;
        self.spawn(move |shared| async move { admin::codes_of(&shared.reads, &member, limit).await })
    }

    fn table_id(&self, code: &str) -> Pending<Option<i64>> {
        let code = code.to_owned();
        self.spawn(|shared| async move { admin::table_id(&shared.reads, &code).await })
    }

    fn games_of(&self, table: i64) -> Pending<Vec<String>> {
        self.spawn(move |shared| async move { admin::games_of(&shared.reads, table).await })
    }

    fn makers(&self, after: Option<Hash>, limit: u32) -> Pending<Vec<MakerRow>> {
        self.spawn(move |shared| async move { admin::makers(&shared.reads, after, limit).await })
    }

    fn delete_table(&self, table: i64, epoch: i64) -> Pending<()> {
        self.spawn(move |shared| async move { admin::delete_table(&shared.short_writes, table, epoch).await })
    }

    fn rewrite_log(&self, table: i64, epoch: i64, game: &str, inputs: Vec<(u64, Vec<u8>)>) -> Pending<()> {
        let game = game.to_owned();
        self.spawn(
            move |shared| async move { admin::rewrite_log(&shared.short_writes, table, epoch, &game, &inputs).await },
        )
    }

    fn forget(&self, member: &Hash) -> Pending<()> {
        let member = *member;
        self.spawn(move |shared| async move { admin::forget(&shared.short_writes, &member).await })
    }

    fn expire(&self, expiry: Expiry) -> Pending<u64> {
        self.spawn(move |shared| async move { admin::expire(&shared.short_writes, expiry).await })
    }

    fn shared_value(&self, name: &str, proposed: Vec<u8>) -> Pending<Vec<u8>> {
        let name = name.to_owned();
        self.spawn(|shared| async move { admin::shared_value(&shared.short_writes, &name, &proposed).await })
    }

    /// Also moves ended games to the archive.
    fn purge(&self, before: u64) -> Pending<u64> {
        self.spawn(move |shared| async move {
            let name = format!("baize {} upkeep", shared.node);
            let connection = Connection::new(&shared.config, &name, "", UPKEEP_TIMEOUT);
            archive::archive(&connection, &shared.closing).await?;
            archive::purge(&connection, before, &shared.closing).await
        })
    }

    fn close(&self) -> Pending<()> {
        self.shared.closing.store(true, Relaxed);
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut ended = self.ended.clone();
        Box::pin(async move {
            // An error means that the writer's task is gone, so it has ended, too.
            let _ = ended.wait_for(|ended| *ended).await;
            Ok(())
        })
    }

    fn check(&self) -> Pending<()> {
        self.spawn(|shared| async move {
            if shared.stats.health().failing.is_some() {
                let answer = shared.short_writes.query_with_retries("SELECT 1", &[]).await;
                answer.inspect(|_| shared.stats.commit_succeeded())?;
            }
            Ok(())
        })
    }

    fn stats(&self) -> &Stats {
        &self.shared.stats
    }
}

fn parse_url(url: &str) -> Result<Config, StoreError> {
    url.parse().map_err(|e| StoreError::Failed(format!("the address of Postgres: {e}")))
}

fn closed() -> StoreError {
    StoreError::Failed("the store is closed".into())
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[digit as usize]))
        .collect()
}

/// Replaces zero characters, which Postgres does not allow in texts but which clients may send. A query for such a text finds nothing
/// instead of failing.
fn text(text: &str) -> Cow<'_, str> {
    match text.contains('\0') {
        true => Cow::Owned(text.replace('\0', "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}
