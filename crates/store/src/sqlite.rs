//! SQLite: one file, one writer, shared commits.
//!
//! Everything that writes goes through one thread ([`writer`]), which puts whatever has queued up while the disk was busy
//! into one transaction: a hundred rooms pay for one sync, and what they add to their games' logs is one row
//! of the database (see [`journal`]). Reads have a connection and a thread of their own, and so has
//! [putting what was written into its place](checkpoint): write-ahead logging lets both run beside the writer.

mod checkpoint;
mod journal;
mod reader;
mod rows;
mod schema;
mod writer;

use crate::{
    ChatRow, Commit, Created, GameRow, Hash, LogRow, NewTable, Opened, PackRow, Pending, Snapshot, Stats, Store,
    StoreError, TableRow,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// A closure for one of the threads, which also sends the reply.
type Read = Box<dyn FnOnce(&reader::Shelf) + Send>;

/// What a thread with a connection is sent.
enum Order<J> {
    Do(J),
    /// Let go of the file, tell so and end: nothing that comes later is done.
    Close(oneshot::Sender<()>),
}

pub struct SqliteStore {
    writes: mpsc::Sender<Order<writer::Job>>,
    reads: mpsc::Sender<Order<Read>>,
    threads: Vec<JoinHandle<()>>,
    stats: Arc<Stats>,
}

impl SqliteStore {
    /// Opens or makes `baize.db` in a directory.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(dir).map_err(|e| StoreError::Failed(format!("{}: {e}", dir.display())))?;
        let path = dir.join("baize.db");
        let writing = schema::connect(&path)?;
        schema::prepare(&writing)?;
        let reading = schema::connect(&path)?;
        let checkpoints = checkpoint::Checkpoints::start(schema::connect(&path)?, checkpoint::JOBS)?;
        let stats = Arc::new(Stats::default());
        let tails = journal::Tails::default();
        let book = writer::Book::new(writing, dir.join("baize.db-wal"), tails.clone())?;
        let reading = reader::Shelf { connection: reading, tails };
        let (writes, write_jobs) = mpsc::channel();
        let (reads, read_jobs) = mpsc::channel::<Order<Read>>();
        let threads = vec![
            spawn("baize-store-write", {
                let stats = stats.clone();
                move || writer::run(book, &write_jobs, checkpoints, &stats)
            })?,
            spawn("baize-store-read", move || reader::run(reading, &read_jobs))?,
        ];
        Ok(SqliteStore { writes, reads, threads, stats })
    }

    fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&reader::Shelf) -> rusqlite::Result<T> + Send + 'static,
    ) -> Pending<T> {
        let (reply, answer) = oneshot::channel();
        let job: Read = Box::new(move |shelf| {
            let _ = reply.send(query(shelf).map_err(failed));
        });
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
    /// Everything accepted is written before the store is gone.
    fn drop(&mut self) {
        drop(self.close());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
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

    fn add_packs(&self, packs: Vec<PackRow>) -> Pending<()> {
        self.write(move |book| book.add_packs(&packs))
    }

    fn packs(&self) -> Pending<Vec<PackRow>> {
        self.read(reader::Shelf::packs)
    }

    fn purge(&self, before: u64) -> Pending<u64> {
        self.order(|reply| writer::Job::Purge(before, reply))
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
        answer.await.unwrap_or_else(|_| Err(closed()))
    })
}

fn failed(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => StoreError::Taken,
        _ => StoreError::Failed(error.to_string()),
    }
}
