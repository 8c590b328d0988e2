//! Postgres: one truth for many nodes.
//!
//! A node that opens a table **has** it, by a lease that runs by Postgres' clock and that it renews; every commit names the
//! **epoch** under which it was opened, and its own number under that epoch. So a node that was asleep writes nothing, and a
//! commit whose connection was lost is looked for before anything is answered: its number tells whether it was written.
//!
//! Everything a table's room writes goes through one task ([`writer`]), which puts whatever has queued up while the database
//! was busy into one statement. Opening, creating and reading have connections of their own.

mod admin;
mod archive;
mod batch;
mod leases;
mod link;
mod mailbox;
mod reader;
mod rooms;
mod schema;
mod shelf;
mod writer;

use crate::{
    ChatRow, Commit, Created, DefinitionRow, Expiry, Faults, GameRow, Hash, LogRow, MakerRow, NewTable, Opened,
    OrderRow, PackChoice, PackQuery, PackQuotas, PackRow, Pending, ReportRow, Snapshot, Stats, Store, StoreError,
    TableRow,
};
pub use mailbox::Mailbox;

use crate::supervise::keep;
use leases::Leases;
use link::Link;
use std::borrow::Cow;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tokio_postgres::Config;
use writer::{Order, Writer};

/// A statement that has not answered for so long is asked again on another connection.
const SILENCE: Duration = Duration::from_secs(10);
/// Upkeep moves much at a time.
const UPKEEP_SILENCE: Duration = Duration::from_secs(600);

/// Statements that write are planned once, and find their rows by index however small the tables were at that time.
const WRITER_SETTINGS: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off";

/// A running game's log is newer than its table's row, which is not written for every move.
const TABLE: &str = "SELECT code, record::text, greatest(updated_at, coalesce(
  (SELECT at FROM game_events WHERE game_id = running ORDER BY seq DESC LIMIT 1), 0)) AS changed";

pub struct PostgresConfig {
    /// `postgres://user:password@host:port/database`
    pub url: String,
    /// The name of this node, which no other has.
    pub node: String,
    /// How long a table stays this node's if nothing is heard of it.
    pub lease: Duration,
}

pub struct PostgresStore {
    shared: Arc<Shared>,
    runtime: Handle,
    /// Whatever is under way holds a copy: the writer ends, and with it everything, when the last is gone.
    writes: Mutex<Option<mpsc::UnboundedSender<Order>>>,
    ended: watch::Receiver<bool>,
}

/// What the writer and the rest both use.
struct Shared {
    node: String,
    lease: Duration,
    config: Config,
    /// Milliseconds by which leases are counted begin here.
    started: Instant,
    leases: Mutex<Leases>,
    stats: Stats,
    /// What takes long is not begun any more.
    closing: AtomicBool,
    faults: Faults,
    /// For what is short, and never behind anything long.
    link: Link,
    reads: Link,
}

impl Shared {
    fn leases(&self) -> MutexGuard<'_, Leases> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Steady time in milliseconds, for leases.
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }
}

impl PostgresStore {
    /// Connects to a database and brings it up to date. The receiver gives the codes of tables that this node had and has
    /// no longer: another has taken them over, or it is not known what became of a commit.
    pub async fn connect(config: PostgresConfig) -> Result<(Self, mpsc::UnboundedReceiver<String>), StoreError> {
        Self::connect_with(config, Faults::default()).await
    }

    /// With faults on purpose, at the edges `store/write` and `store/renew`.
    pub async fn connect_with(
        config: PostgresConfig,
        faults: Faults,
    ) -> Result<(Self, mpsc::UnboundedReceiver<String>), StoreError> {
        let upkeep = Link::new(&address(&config.url)?, &format!("baize {} schema", config.node), "", UPKEEP_SILENCE);
        schema::prepare(&upkeep).await?;
        Self::start_up(config, faults)
    }

    /// Connects to the database of servers that may be running, for their operator. It must have the tables of this program: a
    /// server alone changes them.
    pub async fn attach(config: PostgresConfig) -> Result<Self, StoreError> {
        let upkeep = Link::new(&address(&config.url)?, &format!("baize {} schema", config.node), "", UPKEEP_SILENCE);
        schema::check(&upkeep).await?;
        Self::start_up(config, Faults::default()).map(|(store, _)| store)
    }

    fn start_up(config: PostgresConfig, faults: Faults) -> Result<(Self, mpsc::UnboundedReceiver<String>), StoreError> {
        let PostgresConfig { url, node, lease } = config;
        let config = address(&url)?;
        let name = |what: &str| format!("baize {node} {what}");
        let (writes, orders) = mpsc::unbounded_channel();
        let (lost, losses) = mpsc::unbounded_channel();
        let (end, ended) = watch::channel(false);
        let link = Link::new(&config, &name("writer"), WRITER_SETTINGS, SILENCE);
        let shared = Arc::new(Shared {
            link: Link::new(&config, &name("rooms"), "", SILENCE),
            reads: Link::new(&config, &name("reader"), "", SILENCE),
            started: Instant::now(),
            leases: Mutex::new(Leases::new(lease.as_millis() as u64, 0)),
            stats: Stats::default(),
            closing: AtomicBool::new(false),
            faults,
            node,
            lease,
            config,
        });
        let writer = Arc::new(Writer { shared: shared.clone(), link, lost });
        let orders = Arc::new(tokio::sync::Mutex::new(orders));
        let runtime = Handle::current();
        runtime.spawn({
            let shared = shared.clone();
            async move {
                let restarted = || {
                    shared.stats.restarted();
                    shared.stats.bad("the writer of the store panicked");
                };
                keep("writer", restarted, || writer.clone().run(orders.clone())).await;
                shared.link.close().await;
                shared.reads.close().await;
                let _ = end.send(true);
            }
        });
        Ok((PostgresStore { shared, runtime, writes: Mutex::new(Some(writes)), ended }, losses))
    }

    /// Does something beside the writer, from now on and whether or not the answer is waited for.
    fn start<T, F>(&self, work: impl FnOnce(Arc<Shared>) -> F) -> Pending<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let Some(under_way) = self.writes() else { return Box::pin(async { Err(closed()) }) };
        let work = work(self.shared.clone());
        let task = self.runtime.spawn(async move {
            let done = work.await;
            drop(under_way);
            done
        });
        Box::pin(async move { task.await.unwrap_or_else(|_| Err(closed())) })
    }

    fn order(&self, order: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> Order) -> Pending<()> {
        let (reply, answer) = oneshot::channel();
        let sent = self.writes().is_some_and(|writes| writes.send(order(reply)).is_ok());
        Box::pin(async move {
            match sent {
                true => answer.await.unwrap_or_else(|_| Err(closed())),
                false => Err(closed()),
            }
        })
    }

    fn writes(&self) -> Option<mpsc::UnboundedSender<Order>> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Store for PostgresStore {
    fn create(&self, table: NewTable) -> Pending<Created> {
        self.start(|shared| async move { rooms::create(&shared.link, &table).await })
    }

    fn open(&self, code: &str) -> Pending<Opened> {
        let code = code.to_owned();
        self.start(|shared| async move { rooms::open(&shared, &code).await })
    }

    fn release(&self, table: i64, epoch: i64) -> Pending<()> {
        self.order(|reply| Order::Release(table, epoch, reply))
    }

    fn peek(&self, code: &str) -> Pending<Option<TableRow>> {
        let code = code.to_owned();
        self.start(|shared| async move { reader::peek(&shared.reads, &code).await })
    }

    fn commit(&self, commit: Commit) -> Pending<()> {
        self.order(|reply| Order::Commit(commit, reply))
    }

    fn game(&self, game: &str) -> Pending<Option<GameRow>> {
        let game = game.to_owned();
        self.start(|shared| async move { reader::game(&shared.reads, &game).await })
    }

    fn log(&self, game: &str, after: u64, limit: u32) -> Pending<Vec<LogRow>> {
        let game = game.to_owned();
        self.start(move |shared| async move { reader::log(&shared.reads, &game, after, limit).await })
    }

    fn snapshot(&self, game: &str) -> Pending<Option<Snapshot>> {
        let game = game.to_owned();
        self.start(|shared| async move { reader::snapshot(&shared.reads, &game).await })
    }

    fn chat(&self, table: i64, after: u64, limit: u32) -> Pending<Vec<ChatRow>> {
        self.start(move |shared| async move { reader::chat(&shared.reads, table, after, limit).await })
    }

    fn tables_of(&self, member: &Hash, limit: u32) -> Pending<Vec<TableRow>> {
        let member = *member;
        self.start(move |shared| async move { reader::tables_of(&shared.reads, &member, limit).await })
    }

    fn put_blob(&self, hash: Hash, body: Vec<u8>) -> Pending<()> {
        self.start(move |shared| async move { shelf::put_blob(&shared.link, &hash, &body).await })
    }

    fn blob(&self, hash: &Hash) -> Pending<Option<Vec<u8>>> {
        let hash = *hash;
        self.start(move |shared| async move { reader::blob(&shared.reads, &hash).await })
    }

    fn note_definition(&self, definition: DefinitionRow) -> Pending<()> {
        self.start(|shared| async move { shelf::note_definition(&shared.link, &definition).await })
    }

    fn add_packs(&self, packs: Vec<PackRow>, quotas: PackQuotas) -> Pending<()> {
        self.start(move |shared| async move { admin::add_packs(&shared.link, &packs, &quotas).await })
    }

    fn packs(&self, query: PackQuery) -> Pending<Vec<PackRow>> {
        self.start(|shared| async move { admin::packs(&shared.reads, &query).await })
    }

    fn pack(&self, id: &str) -> Pending<Option<PackRow>> {
        let id = id.to_owned();
        self.start(|shared| async move { admin::one_pack(&shared.reads, &id).await })
    }

    fn touch_packs(&self, ids: Vec<String>, at: u64) -> Pending<()> {
        self.start(move |shared| async move { admin::touch_packs(&shared.link, &ids, at).await })
    }

    fn delete_packs(&self, choice: PackChoice) -> Pending<u64> {
        self.start(|shared| async move { admin::delete_packs(&shared.link, &choice).await })
    }

    fn put_order(&self, key: Hash, at: u64, body: Vec<u8>) -> Pending<i64> {
        self.start(move |shared| async move { admin::put_order(&shared.link, &key, at, &body).await })
    }

    fn orders(&self, limit: u32) -> Pending<Vec<OrderRow>> {
        self.start(move |shared| async move { admin::orders(&shared.reads, limit).await })
    }

    fn finish_order(&self, id: i64) -> Pending<()> {
        self.start(move |shared| async move { admin::finish_order(&shared.link, id).await })
    }

    fn reports(&self, after: i64, limit: u32) -> Pending<Vec<ReportRow>> {
        self.start(move |shared| async move { admin::reports(&shared.reads, after, limit).await })
    }

    fn delete_report(&self, id: i64) -> Pending<bool> {
        self.start(move |shared| async move { admin::delete_report(&shared.link, id).await })
    }

    fn tables(&self, after: &str, limit: u32) -> Pending<Vec<TableRow>> {
        let after = after.to_owned();
        self.start(move |shared| async move { admin::tables(&shared.reads, &after, limit).await })
    }

    fn codes_of(&self, member: &Hash, limit: u32) -> Pending<Vec<String>> {
        let member = *member;
        self.start(move |shared| async move { admin::codes_of(&shared.reads, &member, limit).await })
    }

    fn table_id(&self, code: &str) -> Pending<Option<i64>> {
        let code = code.to_owned();
        self.start(|shared| async move { admin::table_id(&shared.reads, &code).await })
    }

    fn games_of(&self, table: i64) -> Pending<Vec<String>> {
        self.start(move |shared| async move { admin::games_of(&shared.reads, table).await })
    }

    fn makers(&self, after: Option<Hash>, limit: u32) -> Pending<Vec<MakerRow>> {
        self.start(move |shared| async move { admin::makers(&shared.reads, after, limit).await })
    }

    fn delete_table(&self, table: i64, epoch: i64) -> Pending<()> {
        self.start(move |shared| async move { admin::delete_table(&shared.link, table, epoch).await })
    }

    fn rewrite_log(&self, table: i64, epoch: i64, game: &str, inputs: Vec<(u64, Vec<u8>)>) -> Pending<()> {
        let game = game.to_owned();
        self.start(move |shared| async move { admin::rewrite_log(&shared.link, table, epoch, &game, &inputs).await })
    }

    fn forget(&self, member: &Hash) -> Pending<()> {
        let member = *member;
        self.start(move |shared| async move { admin::forget(&shared.link, &member).await })
    }

    fn expire(&self, expiry: Expiry) -> Pending<u64> {
        self.start(move |shared| async move { admin::expire(&shared.link, expiry).await })
    }

    fn shared_value(&self, name: &str, fresh: Vec<u8>) -> Pending<Vec<u8>> {
        let name = name.to_owned();
        self.start(|shared| async move { admin::shared_value(&shared.link, &name, &fresh).await })
    }

    /// Also puts away what has ended.
    fn purge(&self, before: u64) -> Pending<u64> {
        self.start(move |shared| async move {
            let link = Link::new(&shared.config, &format!("baize {} upkeep", shared.node), "", UPKEEP_SILENCE);
            archive::archive(&link, &shared.closing).await?;
            archive::purge(&link, before, &shared.closing).await
        })
    }

    fn close(&self) -> Pending<()> {
        self.shared.closing.store(true, Relaxed);
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut ended = self.ended.clone();
        Box::pin(async move {
            // A writer that is gone has ended, too.
            let _ = ended.wait_for(|ended| *ended).await;
            Ok(())
        })
    }

    fn check(&self) -> Pending<()> {
        self.start(|shared| async move {
            if shared.stats.condition().failing.is_some() {
                shared.link.insist("SELECT 1", &[]).await.inspect(|_| shared.stats.good())?;
            }
            Ok(())
        })
    }

    fn stats(&self) -> &Stats {
        &self.shared.stats
    }
}

fn address(url: &str) -> Result<Config, StoreError> {
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

/// Postgres' texts cannot have a zero in them. What people type may; with another sign in its place it is at least no error,
/// and finds nothing.
fn text(text: &str) -> Cow<'_, str> {
    match text.contains('\0') {
        true => Cow::Owned(text.replace('\0', "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}
