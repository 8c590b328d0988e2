//! Log rows that are committed but not yet in their games' logs.
//!
//! A group of commits adds rows to the logs of many games. The group writes them all as one value, one row of the table `journal`: that
//! touches one page at the end of a small table, however many games there are. When the journal has about a thousand rows, the writer
//! flushes it: it sorts the rows by game, writes them as [`LogSegment`]s to the table `stretches` and empties the journal.
//! Until then readers find these rows in memory, in the [`LogTails`].

use super::{failed, log_encoding};
use crate::{LogRow, StoreError};
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The writer flushes a journal with at least this many rows.
pub const FLUSH_ROWS: usize = 1024;
/// An idle writer flushes a journal with at least this many rows.
pub const FLUSH_ROWS_WHEN_IDLE: usize = 256;

/// A segment of at least this length gets no more rows.
pub const MAX_SEGMENT_BYTES: usize = 16 << 10;

/// Consecutive rows of one game's log: one row of the table `stretches`.
#[derive(Clone, Debug, Default)]
pub struct LogSegment {
    /// `seq` and time of its last row.
    last_seq: u64,
    last_at: u64,
    /// For each row the group it came with, and where it begins and ends there.
    rows: Vec<(Arc<Vec<u8>>, usize, usize)>,
    /// Bytes of all rows.
    length: usize,
}

impl LogSegment {
    /// The encoded rows, one after the other.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.length);
        self.rows.iter().for_each(|(group, begin, end)| bytes.extend_from_slice(&group[*begin..*end]));
        bytes
    }
}

/// For each game the rows of its log that only the journal has. The writer changes it, all threads read it.
#[derive(Clone, Default)]
pub struct LogTails(Arc<Mutex<HashMap<i64, Vec<LogSegment>>>>);

impl LogTails {
    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Vec<LogSegment>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The segments of a game's log that have rows after `seq`.
    pub fn after(&self, game: i64, seq: u64) -> Vec<LogSegment> {
        let tails = self.lock();
        let segments = tails.get(&game).map(Vec::as_slice).unwrap_or_default();
        segments.iter().filter(|segment| segment.last_seq > seq).cloned().collect()
    }

    /// The `seq` and the time of the last row of a game's log, if the journal has it.
    pub fn last(&self, game: i64) -> Option<(u64, u64)> {
        self.lock().get(&game)?.last().map(|segment| (segment.last_seq, segment.last_at))
    }
}

/// The writer's side of the journal.
pub struct Journal {
    pub tails: LogTails,
    /// How many rows the tails have.
    count: usize,
    /// The encoded rows of the group that the writer writes now.
    group: Vec<u8>,
    group_rows: Vec<GroupRow>,
}

/// One row of the group that the writer writes now.
struct GroupRow {
    game: i64,
    seq: u64,
    at: u64,
    /// Where the row begins and ends in the group.
    range: (usize, usize),
}

/// The lengths of [`Journal::group`] and [`Journal::group_rows`] before a commit.
#[derive(Clone, Copy)]
pub struct JournalSavepoint(usize, usize);

impl Journal {
    pub fn new(tails: LogTails) -> Self {
        Journal { tails, count: 0, group: Vec::new(), group_rows: Vec::new() }
    }

    /// Fills the tails from the database.
    pub fn reload(&mut self, connection: &Connection) -> Result<(), StoreError> {
        self.discard_group();
        self.count = 0;
        let mut tails = self.tails.lock();
        tails.clear();
        let mut statement = connection.prepare_cached("SELECT rows FROM journal ORDER BY n").map_err(failed)?;
        let groups = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).map_err(failed)?;
        for group in groups {
            let group = Arc::new(group.map_err(failed)?);
            let mut rest = &group[..];
            while !rest.is_empty() {
                let damaged = || StoreError::Failed("the journal is damaged".into());
                let game = log_encoding::decode_number(&mut rest).ok_or_else(damaged)?;
                let begin = group.len() - rest.len();
                let row = log_encoding::decode_row(&mut rest).ok_or_else(damaged)?;
                let range = (begin, group.len() - rest.len());
                append(&mut tails, &GroupRow { game: game as i64, seq: row.seq, at: row.at, range }, &group);
                self.count += 1;
            }
        }
        Ok(())
    }

    pub fn savepoint(&self) -> JournalSavepoint {
        JournalSavepoint(self.group.len(), self.group_rows.len())
    }

    /// Removes the rows of a commit that failed from the group.
    pub fn roll_back_to(&mut self, JournalSavepoint(bytes, rows): JournalSavepoint) {
        self.group.truncate(bytes);
        self.group_rows.truncate(rows);
    }

    /// Adds a row to the group.
    pub fn add(&mut self, game: i64, row: &LogRow) {
        log_encoding::encode_number(game as u64, &mut self.group);
        let begin = self.group.len();
        log_encoding::encode_row(row, &mut self.group);
        self.group_rows.push(GroupRow { game, seq: row.seq, at: row.at, range: (begin, self.group.len()) });
    }

    /// The `seq` of the last row of a game's log, if the group or the journal has it.
    pub fn last_seq(&self, game: i64) -> Option<u64> {
        let in_group = self.group_rows.iter().rev().find(|row| row.game == game).map(|row| row.seq);
        in_group.or_else(|| self.tails.last(game).map(|(seq, _)| seq))
    }

    /// Writes the group to the journal, in the group's transaction.
    pub fn write_group(&self, connection: &Connection) -> Result<(), StoreError> {
        if self.group_rows.is_empty() {
            return Ok(());
        }
        let mut statement = connection.prepare_cached("INSERT INTO journal (rows) VALUES (?)").map_err(failed)?;
        statement.execute([&self.group]).map(|_| ()).map_err(failed)
    }

    /// Adds the group to the tails, where readers see it. The writer calls it when the group is on disk.
    pub fn keep_group(&mut self) {
        let group = Arc::new(std::mem::take(&mut self.group));
        let mut tails = self.tails.lock();
        self.group_rows.iter().for_each(|row| append(&mut tails, row, &group));
        drop(tails);
        self.count += self.group_rows.len();
        self.group_rows.clear();
    }

    /// Drops the group because its transaction failed.
    pub fn discard_group(&mut self) {
        self.group.clear();
        self.group_rows.clear();
    }

    /// How many rows wait to be flushed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Writes the tails as segments and empties the table `journal`. The caller holds a transaction, and calls [`Journal::clear`] after
    /// it has committed.
    pub fn write_segments(&self, connection: &Connection) -> Result<(), StoreError> {
        // The statement drops the rows of a game that was deleted meanwhile.
        const PUT: &str = "INSERT INTO stretches (game, last, at, rows)
          SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM games WHERE n = ?1)";
        let tails = self.tails.lock();
        let mut put = connection.prepare_cached(PUT).map_err(failed)?;
        for (game, segments) in tails.iter() {
            for segment in segments {
                let rows = segment.to_bytes();
                put.execute(params![game, segment.last_seq as i64, segment.last_at as i64, rows]).map_err(failed)?;
            }
        }
        connection.prepare_cached("DELETE FROM journal").and_then(|mut s| s.execute([])).map(|_| ()).map_err(failed)
    }

    /// Empties the tails after a flush.
    pub fn clear(&mut self) {
        *self.tails.lock() = HashMap::new();
        self.count = 0;
    }
}

/// Appends a row to its game's tail.
fn append(tails: &mut HashMap<i64, Vec<LogSegment>>, row: &GroupRow, group: &Arc<Vec<u8>>) {
    let segments = tails.entry(row.game).or_default();
    if segments.last().is_none_or(|segment| segment.length >= MAX_SEGMENT_BYTES) {
        segments.push(LogSegment::default());
    }
    if let Some(segment) = segments.last_mut() {
        let (begin, end) = row.range;
        (segment.last_seq, segment.last_at) = (row.seq, row.at);
        segment.rows.push((group.clone(), begin, end));
        segment.length += end - begin;
    }
}
