//! A store in one SQLite file, with one writer and group commits.
//!
//! One thread writes ([`writer`]). It runs all requests that queued up while the disk was busy as one group in one transaction: a hundred
//! rooms share one sync, and the rows that they add to their games' logs are one row of the database (see [`journal`]). Reads have a
//! connection and a thread of their own ([`reader`]), and so have checkpoints ([`checkpoint`]): SQLite's write-ahead log (WAL) lets
//! both run beside the writer.

mod admin;
pub mod backup;
mod checkpoint;
mod commit;
mod database_file;
mod files;
#[cfg(test)]
mod interrupted;
mod journal;
mod log_encoding;
mod reader;
mod schema;
mod side_connection;
mod tables;
mod wal;
mod write_connection;
mod write_group;
mod write_request;
mod writer;

use crate::{
    ChatRow, Commit, Created, Expiry, Faults, GameRow, Hash, LogRow, MakerRow, NewTable, Opened, OrderRow, PackChoice,
    PackQuery, PackQuotas, PackRow, Pending, ReportRow, Snapshot, Stats, Store, StoreError, TableRow,
};
use checkpoint::{CHECKPOINT_EVERY, CheckpointThread};
use database_file::DatabaseFile;
use side_connection::SideConnection;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};
use write_connection::WriteConnection;
use write_request::WriteRequest;

/// Upper bound on reads that wait at the same time. Further reads fail at once, so that an overloaded reader can catch up.
const MAX_WAITING_READS: usize = 65_536;

/// A query for the reading thread.
type Read = Box<dyn reader::Query>;

/// Dropping a store waits at most this long for its threads.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// A message to the writing or the reading thread.
enum ThreadMessage<R> {
    Run(R),
    /// The thread closes its connection, answers and ends. It drops all later messages.
    Close(oneshot::Sender<()>),
}

pub struct SqliteStore {
    writes: mpsc::Sender<ThreadMessage<WriteRequest>>,
    reads: mpsc::Sender<ThreadMessage<Read>>,
    /// One permit for each read that may still wait.
    read_permits: Arc<Semaphore>,
    threads: Vec<JoinHandle<()>>,
    stats: Arc<Stats>,
}

impl SqliteStore {
    /// Opens `baize.db` in a folder. Makes the folder and the database if they do not exist.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        Self::open_with(dir, Faults::default())
    }

    /// Like [`SqliteStore::open`], with faults injected at `store/write`, `store/commit`, `store/sync`, `store/read` and
    /// `store/checkpoint`.
    pub fn open_with(dir: &Path, faults: Faults) -> Result<Self, StoreError> {
        let file = DatabaseFile::new(files::prepare(dir)?, faults.clone());
        let connection = schema::connect(&file.path)?;
        schema::prepare(&connection)?;
        let reading = SideConnection::new(&file, schema::connect(&file.path)?);
        let checkpointing = SideConnection::new(&file, schema::connect(&file.path)?);
        let stats = Arc::new(Stats::default());
        let checkpoint_thread =
            CheckpointThread::start(checkpointing.clone(), CHECKPOINT_EVERY, faults.clone(), stats.clone())?;
        let tails = journal::LogTails::default();
        let open = WriteConnection::new(connection, &file, tails.clone(), 0)?;
        let (file_id, side_connections) = (open.file_id, [reading.clone(), checkpointing]);
        let connection_source =
            writer::ConnectionSource { file, tails: tails.clone(), file_id, generation: 0, side_connections };
        let (writes, write_messages) = mpsc::channel();
        let (reads, read_messages) = mpsc::channel::<ThreadMessage<Read>>();
        let threads = vec![
            spawn("baize-store-write", {
                let stats = stats.clone();
                move || writer::run(connection_source, open, &write_messages, checkpoint_thread, &stats)
            })?,
            spawn("baize-store-read", {
                let stats = stats.clone();
                move || reader::run(&reading, &tails, &read_messages, &faults, &stats)
            })?,
        ];
        let read_permits = Arc::new(Semaphore::new(MAX_WAITING_READS));
        Ok(SqliteStore { writes, reads, read_permits, threads, stats })
    }

    /// Opens the database of a server that may be running, for its operator. The database must exist and have this program's schema
    /// version: only a server migrates it.
    pub fn attach(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join("baize.db");
        if !path.is_file() {
            return Err(StoreError::Failed(format!("there is no database at {}", path.display())));
        }
        schema::check(&schema::connect(&path)?)?;
        Self::open(dir)
    }

    fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&reader::ReadConnection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Pending<T> {
        let Ok(permit) = self.read_permits.clone().try_acquire_owned() else {
            return Box::pin(async { Err(StoreError::Failed("too many reads wait".into())) });
        };
        let (reply, answer) = oneshot::channel();
        let request: Read = Box::new(reader::QueryRequest { query, reply, _permit: permit });
        let sent = self.reads.send(ThreadMessage::Run(request)).is_ok();
        pending(sent, answer)
    }

    fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut WriteConnection) -> Result<T, StoreError> + Send + 'static,
    ) -> Pending<T> {
        self.request(|reply| WriteRequest::grouped(change, reply))
    }

    fn request<T: Send + 'static>(
        &self,
        request: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> WriteRequest,
    ) -> Pending<T> {
        let (reply, answer) = oneshot::channel();
        let sent = self.writes.send(ThreadMessage::Run(request(reply))).is_ok();
        pending(sent, answer)
    }
}

impl Drop for SqliteStore {
    /// Waits until every accepted request is written, or until [`CLOSE_TIMEOUT`] has passed: a disk that does not answer must not block
    /// the program for ever.
    fn drop(&mut self) {
        drop(self.close());
        let give_up = Instant::now() + CLOSE_TIMEOUT;
        while self.threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < give_up {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Store for SqliteStore {
    fn create(&self, table: NewTable) -> Pending<Created> {
        self.write(move |connection| connection.create(&table))
    }

    fn open(&self, code: &str) -> Pending<Opened> {
        let code = code.to_owned();
        self.write(move |connection| connection.open(&code))
    }

    /// Does nothing: a file has one server, so no other node waits for the table.
    fn release(&self, _: i64, _: i64) -> Pending<()> {
        Box::pin(async { Ok(()) })
    }

    fn peek(&self, code: &str) -> Pending<Option<TableRow>> {
        let code = code.to_owned();
        self.read(move |connection| connection.peek(&code))
    }

    fn commit(&self, commit: Commit) -> Pending<()> {
        self.request(|reply| WriteRequest::Commit(commit, reply))
    }

    fn game(&self, game: &str) -> Pending<Option<GameRow>> {
        let game = game.to_owned();
        self.read(move |connection| connection.game(&game))
    }

    fn log(&self, game: &str, after: u64, limit: u32) -> Pending<Vec<LogRow>> {
        let game = game.to_owned();
        self.read(move |connection| connection.log(&game, after, limit))
    }

    fn snapshot(&self, game: &str) -> Pending<Option<Snapshot>> {
        let game = game.to_owned();
        self.read(move |connection| connection.snapshot(&game))
    }

    fn chat(&self, table: i64, after: u64, limit: u32) -> Pending<Vec<ChatRow>> {
        self.read(move |connection| connection.chat(table, after, limit))
    }

    fn tables_of(&self, member: &Hash, limit: u32) -> Pending<Vec<TableRow>> {
        let member = *member;
        self.read(move |connection| connection.tables_of(&member, limit))
    }

    fn put_blob(&self, hash: Hash, body: Vec<u8>) -> Pending<()> {
        self.write(move |connection| connection.put_blob(&hash, &body))
    }

    fn blob(&self, hash: &Hash) -> Pending<Option<Vec<u8>>> {
        let hash = *hash;
        self.read(move |connection| connection.blob(&hash))
    }

    fn add_packs(&self, packs: Vec<PackRow>, texts: Vec<(Hash, Vec<u8>)>, quotas: PackQuotas) -> Pending<()> {
        self.write(move |connection| connection.add_packs(&packs, &texts, &quotas))
    }

    fn packs(&self, query: PackQuery) -> Pending<Vec<PackRow>> {
        self.read(move |connection| connection.packs(&query))
    }

    fn pack(&self, id: &str) -> Pending<Option<PackRow>> {
        let id = id.to_owned();
        self.read(move |connection| connection.pack(&id))
    }

    fn touch_packs(&self, ids: Vec<String>, at: u64) -> Pending<()> {
        self.write(move |connection| connection.touch_packs(&ids, at))
    }

    fn delete_packs(&self, choice: PackChoice) -> Pending<u64> {
        self.write(move |connection| connection.delete_packs(&choice))
    }

    fn put_order(&self, key: Hash, at: u64, body: Vec<u8>) -> Pending<i64> {
        self.write(move |connection| connection.put_order(&key, at, &body))
    }

    fn orders(&self, limit: u32) -> Pending<Vec<OrderRow>> {
        self.read(move |connection| connection.orders(limit))
    }

    fn finish_order(&self, id: i64) -> Pending<()> {
        self.write(move |connection| connection.finish_order(id))
    }

    fn reports(&self, after: i64, limit: u32) -> Pending<Vec<ReportRow>> {
        self.read(move |connection| connection.reports(after, limit))
    }

    fn delete_report(&self, id: i64) -> Pending<bool> {
        self.write(move |connection| connection.delete_report(id))
    }

    fn tables(&self, after: &str, limit: u32) -> Pending<Vec<TableRow>> {
        let after = after.to_owned();
        self.read(move |connection| connection.tables(&after, limit))
    }

    fn codes_of(&self, member: &Hash, limit: u32) -> Pending<Vec<String>> {
        let member = *member;
        self.read(move |connection| connection.codes_of(&member, limit))
    }

    fn table_id(&self, code: &str) -> Pending<Option<i64>> {
        let code = code.to_owned();
        self.read(move |connection| connection.table_id(&code))
    }

    fn games_of(&self, table: i64) -> Pending<Vec<String>> {
        self.read(move |connection| connection.games_of(table))
    }

    fn makers(&self, after: Option<Hash>, limit: u32) -> Pending<Vec<MakerRow>> {
        self.read(move |connection| connection.makers(after, limit))
    }

    fn delete_table(&self, table: i64, epoch: i64) -> Pending<()> {
        self.request(|reply| WriteRequest::exclusive(move |connection| connection.delete_table(table, epoch), reply))
    }

    fn rewrite_log(&self, table: i64, epoch: i64, game: &str, inputs: Vec<(u64, Vec<u8>)>) -> Pending<()> {
        let game = game.to_owned();
        self.request(|reply| {
            WriteRequest::exclusive(move |connection| connection.rewrite_log(table, epoch, &game, inputs), reply)
        })
    }

    fn forget(&self, member: &Hash) -> Pending<()> {
        let member = *member;
        self.write(move |connection| connection.forget_member(&member))
    }

    fn expire(&self, expiry: Expiry) -> Pending<u64> {
        self.write(move |connection| connection.expire(expiry))
    }

    fn shared_value(&self, name: &str, proposed: Vec<u8>) -> Pending<Vec<u8>> {
        let name = name.to_owned();
        self.write(move |connection| connection.shared_value(&name, &proposed))
    }

    fn purge(&self, before: u64) -> Pending<u64> {
        self.request(|reply| WriteRequest::purge(before, reply))
    }

    fn close(&self) -> Pending<()> {
        let (close_reader, reader_closed) = oneshot::channel();
        let (close_writer, writer_closed) = oneshot::channel();
        // Sending fails if the thread has ended already.
        let _ = self.reads.send(ThreadMessage::Close(close_reader));
        let _ = self.writes.send(ThreadMessage::Close(close_writer));
        Box::pin(async move {
            let _ = (reader_closed.await, writer_closed.await);
            Ok(())
        })
    }

    fn check(&self) -> Pending<()> {
        let failing = self.stats.health().failing.is_some();
        self.write(move |connection| connection.probe(failing))
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    std::thread::Builder::new().name(name.into()).spawn(run).map_err(|e| StoreError::Failed(e.to_string()))
}

fn pending<T: Send + 'static>(sent: bool, answer: oneshot::Receiver<Result<T, StoreError>>) -> Pending<T> {
    Box::pin(async move {
        let closed = || StoreError::Failed("the store is closed".into());
        if !sent {
            return Err(closed());
        }
        answer.await.unwrap_or_else(|_| Err(StoreError::Failed("the store did not answer".into())))
    })
}

fn failed(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => StoreError::Taken,
        _ => StoreError::Failed(error.to_string()),
    }
}
