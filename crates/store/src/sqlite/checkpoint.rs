//! What was written goes from the log of writes to its place in the file beside the writer, so that nobody's commit waits
//! for it.
//!
//! A log that is in its place entirely is begun anew by the next write; but while writes go on, something has always come
//! since. So when most of it is in its place, the writer puts the rest there itself, between two groups: that is little.

use super::place::Line;
use crate::stats::said;
use crate::{Faults, Stats};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::JoinHandle;

/// Jobs after which it is time. The ends of many games' logs are written over and over: the later, the less is written twice.
pub const JOBS: u64 = 4096;
/// A group of jobs counts as so many at least: it adds a page to the log however few they are, and the log shall not grow beyond the
/// room that was made for it.
const GROUP: u64 = 4;
/// So many times as many, and the log is in nobody's place yet: the writer does not wait for others any more.
const TOO_MANY: u64 = 8;

/// The writer's side.
pub struct Checkpoints {
    asked: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    mostly_done: Arc<AtomicBool>,
    /// Jobs between two times.
    every: u64,
    /// Jobs since it was last asked for, and since the writer last did its part.
    since_asked: u64,
    since_done: u64,
}

impl Checkpoints {
    /// With a connection of its own.
    pub fn start(line: Line, every: u64, faults: Faults, stats: Arc<Stats>) -> Result<Self, crate::StoreError> {
        let (asked, orders) = mpsc::sync_channel(1);
        let mostly_done = Arc::new(AtomicBool::new(false));
        let done = mostly_done.clone();
        let thread = super::spawn("baize-store-file", move || run(&line, &orders, &done, &faults, &stats))?;
        Ok(Checkpoints { asked: Some(asked), thread: Some(thread), mostly_done, every, since_asked: 0, since_done: 0 })
    }

    /// Between two groups: whoever wrote has been answered.
    pub fn after(&mut self, jobs: u64, writer: &Connection) {
        let jobs = jobs.max(GROUP);
        self.since_asked += jobs;
        self.since_done += jobs;
        if self.mostly_done.swap(false, Ordering::Relaxed) || self.since_done >= TOO_MANY * self.every {
            checkpoint(writer);
            self.since_done = 0;
        }
        if self.since_asked >= self.every && self.asked.as_ref().is_some_and(|asked| asked.try_send(()).is_ok()) {
            self.since_asked = 0;
        }
    }

    /// Ends when its connection is closed.
    pub fn end(mut self) {
        self.asked.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A checkpoint that panics is made again the next time it is asked for.
fn run(line: &Line, orders: &Receiver<()>, mostly_done: &AtomicBool, faults: &Faults, stats: &Stats) {
    while orders.recv().is_ok() {
        let work = || {
            faults.trip("store/checkpoint", "");
            drop(line.with(checkpoint));
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            stats.restarted();
            tracing::error!(panic = said(&*panic), "a checkpoint of the store panicked");
        }
        mostly_done.store(true, Ordering::Relaxed);
    }
    line.close();
}

/// As far as readers and the writer let it. What it can't do is done the next time: nothing depends on it.
fn checkpoint(connection: &Connection) {
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)");
}

#[cfg(test)]
mod tests {
    use super::super::place::Place;
    use super::*;

    #[test]
    fn however_much_is_written_the_log_is_begun_anew() {
        let dir = tempfile::tempdir().unwrap();
        let connect = || super::super::schema::connect(&dir.path().join("test.db")).unwrap();
        let writer = connect();
        // As the writer of a store does, which waits for the disk with each commit.
        writer.execute_batch("PRAGMA synchronous = FULL").unwrap();
        writer.execute_batch("CREATE TABLE notes (n INTEGER PRIMARY KEY, text TEXT)").unwrap();
        let place = Place::new(dir.path().join("test.db"), Faults::default());
        let line = Line::new(&place, connect());
        let mut checkpoints = Checkpoints::start(line, 32, Faults::default(), Arc::default()).unwrap();
        for n in 0..1500 {
            writer.execute("INSERT INTO notes VALUES (?, ?)", rusqlite::params![n, "x".repeat(1000)]).unwrap();
            checkpoints.after(1, &writer);
        }
        // A page of 4 KiB at least for each; only the last few hundred can still be there.
        let log = std::fs::metadata(dir.path().join("test.db-wal")).unwrap().len();
        assert!(log < 3 << 20, "{log} bytes");
        checkpoints.end();
        let count: i64 = writer.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1500);
    }
}
