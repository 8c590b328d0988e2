//! Checkpoints: a thread of its own copies committed pages from the WAL to the database file, so that no commit waits for it.
//!
//! SQLite starts again at the beginning of the WAL when all of it is in the database file. While the writer goes on, the thread never
//! gets that far: new pages always arrive. So when the thread has copied most of the WAL, the writer copies the little that is left,
//! between two groups.

use super::failed;
use super::side_connection::SideConnection;
use crate::stats::panic_message;
use crate::{Faults, Stats, StoreError};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::JoinHandle;

/// Requests between two checkpoints. The writer changes the last pages of many logs again and again, so a rarer checkpoint copies fewer
/// pages twice.
pub const CHECKPOINT_EVERY: u64 = 4096;
/// A smaller group counts as this many requests: each group adds at least a page to the WAL, and the WAL must not grow beyond its
/// preallocated length.
const MIN_GROUP: u64 = 4;
/// If the thread has not finished within this multiple of [`CHECKPOINT_EVERY`] requests, the writer makes the checkpoint itself.
const FORCE_AFTER: u64 = 8;

/// The writer's handle to the checkpoint thread.
pub struct CheckpointThread {
    requests: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    /// The thread sets this when it has copied what it could.
    mostly_done: Arc<AtomicBool>,
    every: u64,
    /// Write requests since the writer last asked the thread for a checkpoint.
    since_asked: u64,
    /// Write requests since the writer last made its own part of a checkpoint.
    since_finished: u64,
}

impl CheckpointThread {
    pub fn start(
        side_connection: SideConnection,
        every: u64,
        faults: Faults,
        stats: Arc<Stats>,
    ) -> Result<Self, StoreError> {
        let (sender, requests) = mpsc::sync_channel(1);
        let mostly_done = Arc::new(AtomicBool::new(false));
        let done = mostly_done.clone();
        let run = move || run(&side_connection, &requests, &done, &faults, &stats);
        let thread = super::spawn("baize-store-file", run)?;
        Ok(CheckpointThread {
            requests: Some(sender),
            thread: Some(thread),
            mostly_done,
            every,
            since_asked: 0,
            since_finished: 0,
        })
    }

    /// The writer calls this between two groups, after it has sent all replies of the first one.
    pub fn after_group(&mut self, requests: u64, writer: &Connection) {
        let requests = requests.max(MIN_GROUP);
        self.since_asked += requests;
        self.since_finished += requests;
        if self.mostly_done.swap(false, Ordering::Relaxed) || self.since_finished >= FORCE_AFTER * self.every {
            checkpoint(writer);
            self.since_finished = 0;
        }
        if self.since_asked >= self.every && self.requests.as_ref().is_some_and(|sender| sender.try_send(()).is_ok()) {
            self.since_asked = 0;
        }
    }

    /// Returns when the thread has closed its connection.
    pub fn stop(mut self) {
        self.requests.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Makes a checkpoint for each request. If a checkpoint panics, the next request makes it again.
fn run(
    side_connection: &SideConnection,
    requests: &Receiver<()>,
    mostly_done: &AtomicBool,
    faults: &Faults,
    stats: &Stats,
) {
    while requests.recv().is_ok() {
        let work = || {
            faults.trip("store/checkpoint", "");
            drop(side_connection.with(checkpoint));
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            stats.count_restart();
            tracing::error!(panic = panic_message(&*panic), "a checkpoint of the store panicked");
        }
        mostly_done.store(true, Ordering::Relaxed);
    }
    side_connection.close();
}

/// Copies as many pages as readers and the writer allow. The next checkpoint copies the rest; no commit depends on it.
fn checkpoint(connection: &Connection) {
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)");
}

/// Copies the whole WAL to the database file and syncs it; fails if any page is left.
pub fn checkpoint_fully(connection: &Connection) -> Result<(), StoreError> {
    let (busy, in_wal, copied): (i64, i64, i64) = connection
        .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .map_err(failed)?;
    match busy == 0 && in_wal == copied {
        true => Ok(()),
        false => Err(StoreError::Failed("the log of writes could not be put in its place".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::database_file::DatabaseFile;
    use super::*;

    #[test]
    fn checkpoints_let_sqlite_reuse_the_wal() {
        let dir = tempfile::tempdir().unwrap();
        let connect = || super::super::schema::connect(&dir.path().join("test.db")).unwrap();
        let writer = connect();
        // The writer of a store waits for the disk with each commit, too.
        writer.execute_batch("PRAGMA synchronous = FULL").unwrap();
        writer.execute_batch("CREATE TABLE notes (n INTEGER PRIMARY KEY, text TEXT)").unwrap();
        let file = DatabaseFile::new(dir.path().join("test.db"), Faults::default());
        let side_connection = SideConnection::new(&file, connect());
        let mut checkpoint_thread =
            CheckpointThread::start(side_connection, 32, Faults::default(), Arc::default()).unwrap();
        for n in 0..1500 {
            writer.execute("INSERT INTO notes VALUES (?, ?)", rusqlite::params![n, "x".repeat(1000)]).unwrap();
            checkpoint_thread.after_group(1, &writer);
        }
        // Each insertion writes at least a page of 4 KiB, 6 MB in all; the WAL may hold the last few hundred of them.
        let length = std::fs::metadata(dir.path().join("test.db-wal")).unwrap().len();
        assert!(length < 3 << 20, "{length} bytes");
        checkpoint_thread.stop();
        let count: i64 = writer.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1500);
    }
}
