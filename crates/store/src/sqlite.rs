//! SQLite: one file, one writer, shared commits.
//!
//! Everything that writes goes through one thread ([`writer`]), which puts whatever has queued up while the disk was busy
//! into one transaction: a hundred rooms pay for one sync, and what they add to their games' logs is one row
//! of the database (see [`journal`]). Reads have a connection and a thread of their own, and so has
//! [putting what was written into its place](checkpoint): write-ahead logging lets both run beside the writer.

mod admin;
pub mod backup;
mod checkpoint;
mod files;
#[cfg(test)]
mod interrupted;
mod journal;
mod place;
mod reader;
mod rows;
mod schema;
mod writer;

use crate::{
    ChatRow, Commit, Created, Expiry, Faults, GameRow, Hash, LogRow, MakerRow, NewTable, Opened, OrderRow, PackChoice,
    PackQuery, PackQuotas, PackRow, Pending, ReportRow, Snapshot, Stats, Store, StoreError, TableRow,
};
use place::{Line, Place};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

/// Reads that wait at the same time. Beyond that the reader is so far behind that another read only makes it worse.
const READS: usize = 65_536;

/// A query for the reading thread.
type Read = Box<dyn reader::Query>;

/// How long the end of the program waits for the threads.
const CLOSE_WITHIN: Duration = Duration::from_secs(10);

/// What a thread with a connection is sent.
enum Order<J> {
    Do(J),
    /// Let go of the file, tell so and end: nothing that comes later is done.
    Close(oneshot::Sender<()>),
}

pub struct SqliteStore {
    writes: mpsc::Sender<Order<writer::Job>>,
    reads: mpsc::Sender<Order<Read>>,
    /// One permit for each read that may still wait.
    places: Arc<Semaphore>,
    threads: Vec<JoinHandle<()>>,
    stats: Arc<Stats>,
}

impl SqliteStore {
    /// Opens or makes `baize.db` in a directory.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        Self::open_with(dir, Faults::default())
    }

    /// With faults on purpose, at the edges `store/write`, `store/commit`, `store/sync`, `store/read` and `store/checkpoint`.
    pub fn open_with(dir: &Path, faults: Faults) -> Result<Self, StoreError> {
        let place = Place::new(files::prepare(dir)?, faults.clone());
        let path = &place.database;
        let writing = schema::connect(path)?;
        schema::prepare(&writing)?;
        let reading = Line::new(&place, schema::connect(path)?);
        let checking = Line::new(&place, schema::connect(path)?);
        let stats = Arc::new(Stats::default());
        let checkpoints =
            checkpoint::Checkpoints::start(checking.clone(), checkpoint::JOBS, faults.clone(), stats.clone())?;
        let tails = journal::Tails::default();
        let book = writer::Book::new(writing, &place, tails.clone(), 0)?;
        let (identity, others) = (book.identity, [reading.clone(), checking]);
        let keeper = writer::Keeper { place, tails: tails.clone(), identity, generation: 0, others };
        let (writes, write_jobs) = mpsc::channel();
        let (reads, read_jobs) = mpsc::channel::<Order<Read>>();
        let threads = vec![
            spawn("baize-store-write", {
                let stats = stats.clone();
                move || writer::run(keeper, book, &write_jobs, checkpoints, &stats)
            })?,
            spawn("baize-store-read", {
                let stats = stats.clone();
                move || reader::run(&reading, &tails, &read_jobs, &faults, &stats)
            })?,
        ];
        let places = Arc::new(Semaphore::new(READS));
        Ok(SqliteStore { writes, reads, places, threads, stats })
    }

    /// Opens the database of a server that may be running, for its operator. It must exist and have the tables of this program:
    /// the server alone changes them.
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
        query: impl FnOnce(&reader::Shelf) -> rusqlite::Result<T> + Send + 'static,
    ) -> Pending<T> {
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            return Box::pin(async { Err(StoreError::Failed("too many reads wait".into())) });
        };
        let (reply, answer) = oneshot::channel();
        let job: Read = Box::new(reader::Asked { query, reply, _place: place });
        let sent = self.reads.send(Order::Do(job)).is_ok();
        pending(sent, answer)
    }

    fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut writer::Book) -> Result<T, StoreError> + Send + 'static,
    ) -> Pending<T> {
        self.order(|reply| writer::Job::other(change, reply))
    }

    fn order<T: Send + 'static>(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> writer::Job,
    ) -> Pending<T> {
        let (reply, answer) = oneshot::channel();
        let sent = self.writes.send(Order::Do(job(reply))).is_ok();
        pending(sent, answer)
    }
}

impl Drop for SqliteStore {
    /// Everything accepted is written before the store is gone; but a disk that does not answer holds nobody up for ever.
    fn drop(&mut self) {
        drop(self.close());
        let give_up = Instant::now() + CLOSE_WITHIN;
        while self.threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < give_up {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Store for SqliteStore {
    fn create(&self, table: NewTable) -> Pending<Created> {
        self.write(move |book| book.create(&table))
    }

    fn open(&self, code: &str) -> Pending<Opened> {
        let code = code.to_owned();
        self.write(move |book| book.open(&code))
    }

    /// A file has one server; the next to open a table need not be let in.
    fn release(&self, _: i64, _: i64) -> Pending<()> {
        Box::pin(async { Ok(()) })
    }

    fn peek(&self, code: &str) -> Pending<Option<TableRow>> {
        let code = code.to_owned();
        self.read(move |shelf| shelf.peek(&code))
    }

    fn commit(&self, commit: Commit) -> Pending<()> {
        self.order(|reply| writer::Job::Commit(commit, reply))
    }

    fn game(&self, game: &str) -> Pending<Option<GameRow>> {
        let game = game.to_owned();
        self.read(move |shelf| shelf.game(&game))
    }

    fn log(&self, game: &str, after: u64, limit: u32) -> Pending<Vec<LogRow>> {
        let game = game.to_owned();
        self.read(move |shelf| shelf.log(&game, after, limit))
    }

    fn snapshot(&self, game: &str) -> Pending<Option<Snapshot>> {
        let game = game.to_owned();
        self.read(move |shelf| shelf.snapshot(&game))
    }

    fn chat(&self, table: i64, after: u64, limit: u32) -> Pending<Vec<ChatRow>> {
        self.read(move |shelf| shelf.chat(table, after, limit))
    }

    fn tables_of(&self, member: &Hash, limit: u32) -> Pending<Vec<TableRow>> {
        let member = *member;
        self.read(move |shelf| shelf.tables_of(&member, limit))
    }

    fn put_blob(&self, hash: Hash, body: Vec<u8>) -> Pending<()> {
        self.write(move |book| book.put_blob(&hash, &body))
    }

    fn blob(&self, hash: &Hash) -> Pending<Option<Vec<u8>>> {
        let hash = *hash;
        self.read(move |shelf| shelf.blob(&hash))
    }

    fn add_packs(&self, packs: Vec<PackRow>, quotas: PackQuotas) -> Pending<()> {
        self.write(move |book| book.add_packs(&packs, &quotas))
    }

    fn packs(&self, query: PackQuery) -> Pending<Vec<PackRow>> {
        self.read(move |shelf| shelf.packs(&query))
    }

    fn pack(&self, id: &str) -> Pending<Option<PackRow>> {
        let id = id.to_owned();
        self.read(move |shelf| shelf.pack(&id))
    }

    fn touch_packs(&self, ids: Vec<String>, at: u64) -> Pending<()> {
        self.write(move |book| book.touch_packs(&ids, at))
    }

    fn delete_packs(&self, choice: PackChoice) -> Pending<u64> {
        self.write(move |book| book.delete_packs(&choice))
    }

    fn put_order(&self, key: Hash, at: u64, body: Vec<u8>) -> Pending<i64> {
        self.write(move |book| book.put_order(&key, at, &body))
    }

    fn orders(&self, limit: u32) -> Pending<Vec<OrderRow>> {
        self.read(move |shelf| shelf.orders(limit))
    }

    fn finish_order(&self, id: i64) -> Pending<()> {
        self.write(move |book| book.finish_order(id))
    }

    fn reports(&self, after: i64, limit: u32) -> Pending<Vec<ReportRow>> {
        self.read(move |shelf| shelf.reports(after, limit))
    }

    fn delete_report(&self, id: i64) -> Pending<bool> {
        self.write(move |book| book.delete_report(id))
    }

    fn tables(&self, after: &str, limit: u32) -> Pending<Vec<TableRow>> {
        let after = after.to_owned();
        self.read(move |shelf| shelf.tables(&after, limit))
    }

    fn codes_of(&self, member: &Hash, limit: u32) -> Pending<Vec<String>> {
        let member = *member;
        self.read(move |shelf| shelf.codes_of(&member, limit))
    }

    fn table_id(&self, code: &str) -> Pending<Option<i64>> {
        let code = code.to_owned();
        self.read(move |shelf| shelf.table_id(&code))
    }

    fn games_of(&self, table: i64) -> Pending<Vec<String>> {
        self.read(move |shelf| shelf.games_of(table))
    }

    fn makers(&self, after: Option<Hash>, limit: u32) -> Pending<Vec<MakerRow>> {
        self.read(move |shelf| shelf.makers(after, limit))
    }

    fn delete_table(&self, table: i64, epoch: i64) -> Pending<()> {
        self.order(|reply| writer::Job::alone(move |book| book.delete_table(table, epoch), reply))
    }

    fn rewrite_log(&self, table: i64, epoch: i64, game: &str, inputs: Vec<(u64, Vec<u8>)>) -> Pending<()> {
        let game = game.to_owned();
        self.order(|reply| writer::Job::alone(move |book| book.rewrite_log(table, epoch, &game, inputs), reply))
    }

    fn forget(&self, member: &Hash) -> Pending<()> {
        let member = *member;
        self.write(move |book| book.forget_member(&member))
    }

    fn expire(&self, expiry: Expiry) -> Pending<u64> {
        self.write(move |book| book.expire(expiry))
    }

    fn shared_value(&self, name: &str, fresh: Vec<u8>) -> Pending<Vec<u8>> {
        let name = name.to_owned();
        self.write(move |book| book.shared_value(&name, &fresh))
    }

    fn purge(&self, before: u64) -> Pending<u64> {
        self.order(|reply| writer::Job::purge(before, reply))
    }

    fn close(&self) -> Pending<()> {
        let (read, read_ended) = oneshot::channel();
        let (wrote, write_ended) = oneshot::channel();
        // A thread that takes no orders has ended already.
        let _ = self.reads.send(Order::Close(read));
        let _ = self.writes.send(Order::Close(wrote));
        Box::pin(async move {
            let _ = (read_ended.await, write_ended.await);
            Ok(())
        })
    }

    fn check(&self) -> Pending<()> {
        let failing = self.stats.condition().failing.is_some();
        self.write(move |book| book.probe(failing))
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
