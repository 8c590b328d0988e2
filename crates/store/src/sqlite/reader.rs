//! The queries.

use super::journal::Tails;
use super::place::Line;
use super::{Order, Read, failed, rows};
use crate::stats::said;
use crate::{ChatRow, Faults, GameRow, Hash, LogRow, Snapshot, Stats, StoreError, TableRow};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

type Result<T, E = rusqlite::Error> = std::result::Result<T, E>;

/// Runs until it is closed. A query that panics is its caller's loss alone: the next one gets a new connection.
pub fn run(line: &Line, tails: &Tails, orders: &Receiver<Order<Read>>, faults: &Faults, stats: &Stats) {
    while let Ok(order) = orders.recv() {
        match order {
            // Whoever asked has gone: a crowd that asks and hangs up must not hold up the others.
            Order::Do(query) if query.is_abandoned() => {}
            Order::Do(query) => {
                let read = || {
                    if let Err(error) = faults.at("store/read", "") {
                        return query.run(Err(StoreError::Failed(error.to_string())));
                    }
                    // Not inside of the line's own closure: whoever asked is told also if there is no connection.
                    let mut query = Some(query);
                    let done = line.with(|connection| {
                        if let Some(query) = query.take() {
                            query.run(Ok(&Shelf { connection, tails: tails.clone() }));
                        }
                    });
                    if let (Err(error), Some(query)) = (done, query.take()) {
                        query.run(Err(error));
                    }
                };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(read)) {
                    stats.restarted();
                    tracing::error!(panic = said(&*panic), "a query of the store panicked");
                }
            }
            Order::Close(told) => {
                line.close();
                let _ = told.send(());
                return;
            }
        }
    }
}

/// Something to read, and whom to tell.
pub trait Query: Send {
    /// Nobody waits for the answer any more.
    fn is_abandoned(&self) -> bool;
    fn run(self: Box<Self>, shelf: Result<&Shelf, StoreError>);
}

pub struct Asked<T, F> {
    pub query: F,
    pub reply: oneshot::Sender<Result<T, StoreError>>,
    /// Among the reads that wait.
    pub _place: OwnedSemaphorePermit,
}

impl<T: Send, F: FnOnce(&Shelf) -> rusqlite::Result<T> + Send> Query for Asked<T, F> {
    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(self: Box<Self>, shelf: Result<&Shelf, StoreError>) {
        let Asked { query, reply, _place } = *self;
        let _ = reply.send(shelf.and_then(|shelf| query(shelf).map_err(failed)));
    }
}

/// The database, and what of it is still in memory.
pub struct Shelf<'a> {
    pub connection: &'a Connection,
    pub tails: Tails,
}

/// A running game's log is newer than its table's row, which is not written for every move.
pub const TABLE: &str = "SELECT code, tables.record, max(updated_at, coalesce(
  (SELECT at FROM stretches WHERE game = games.n ORDER BY last DESC LIMIT 1), 0)), games.n
  FROM tables LEFT JOIN games ON games.id = tables.running";

impl Shelf<'_> {
    /// A row of [`TABLE`].
    pub fn table(&self, row: &Row) -> Result<TableRow> {
        let (changed, running): (i64, Option<i64>) = (row.get(2)?, row.get(3)?);
        Ok(TableRow { code: row.get(0)?, record: row.get(1)?, updated_at: self.changed(changed, running) })
    }

    /// When a table was changed last, given what the database knows of it.
    fn changed(&self, known: i64, running: Option<i64>) -> u64 {
        let played = running.and_then(|game| self.tails.last(game)).map_or(0, |(_, at)| at);
        played.max(known as u64)
    }

    pub fn peek(&self, code: &str) -> Result<Option<TableRow>> {
        let mut find = self.connection.prepare_cached(&format!("{TABLE} WHERE code = ?"))?;
        find.query_row([code], |row| self.table(row)).optional()
    }

    pub fn tables_of(&self, member: &Hash, limit: u32) -> Result<Vec<TableRow>> {
        // First which ones, then the rest of those: a record is long.
        const MINE: &str = "SELECT tables.id, max(updated_at, coalesce(
            (SELECT at FROM stretches WHERE game = games.n ORDER BY last DESC LIMIT 1), 0)), games.n
          FROM tables LEFT JOIN games ON games.id = tables.running
          WHERE listed AND tables.id IN (SELECT table_id FROM members WHERE member = ?)";
        let mut find = self.connection.prepare_cached(MINE)?;
        let found =
            find.query_map([member], |row| Ok((self.changed(row.get(1)?, row.get(2)?), row.get::<_, i64>(0)?)))?;
        let mut found = found.collect::<Result<Vec<(u64, i64)>>>()?;
        found.sort_by_key(|(changed, id)| (Reverse(*changed), *id));
        found.truncate(limit as usize);
        let mut read = self.connection.prepare_cached("SELECT code, record FROM tables WHERE id = ?")?;
        let mut tables = Vec::with_capacity(found.len());
        for (updated_at, id) in found {
            let row = |row: &Row| Ok(TableRow { code: row.get(0)?, record: row.get(1)?, updated_at });
            tables.extend(read.query_row([id], row).optional()?);
        }
        Ok(tables)
    }

    pub fn game(&self, game: &str) -> Result<Option<GameRow>> {
        let mut find = self.connection.prepare_cached("SELECT id, record FROM games WHERE id = ?")?;
        find.query_row([game], |row| Ok(GameRow { id: row.get(0)?, record: row.get(1)? })).optional()
    }

    pub fn log(&self, game: &str, after: u64, limit: u32) -> Result<Vec<LogRow>> {
        const STRETCHES: &str = "SELECT rows FROM stretches WHERE game = ? AND last > ? ORDER BY last";
        let mut find = self.connection.prepare_cached("SELECT n FROM games WHERE id = ?")?;
        let Some(game) = find.query_row([game], |row| row.get::<_, i64>(0)).optional()? else { return Ok(Vec::new()) };
        // Before the database is asked: what is put in its place in between is then found twice, and not nowhere.
        let tail = self.tails.after(game, after);
        let mut log = Log { last: after, rows: Vec::new(), limit: limit as usize };
        let mut read = self.connection.prepare_cached(STRETCHES)?;
        let mut stretches = read.query(params![game, after as i64])?;
        while !log.is_full()
            && let Some(row) = stretches.next()?
        {
            log.add(row.get_ref(0)?.as_blob()?);
        }
        tail.iter().for_each(|stretch| log.add(&stretch.side_by_side()));
        Ok(log.rows)
    }

    pub fn snapshot(&self, game: &str) -> Result<Option<Snapshot>> {
        let mut find = self.connection.prepare_cached("SELECT seq, body FROM snapshots WHERE game_id = ?")?;
        let snapshot = find.query_row([game], |row| {
            let seq: i64 = row.get(0)?;
            Ok(Snapshot { seq: seq as u64, body: row.get(1)? })
        });
        snapshot.optional()
    }

    pub fn chat(&self, table: i64, after: u64, limit: u32) -> Result<Vec<ChatRow>> {
        const LAST: &str = "SELECT n, body FROM chat WHERE table_id = ? AND n > ? ORDER BY n DESC LIMIT ?";
        let mut read = self.connection.prepare_cached(LAST)?;
        let lines = read.query_map(params![table, after as i64, limit], |row| {
            let n: i64 = row.get(0)?;
            Ok(ChatRow { n: n as u64, body: row.get(1)? })
        })?;
        let mut lines: Vec<ChatRow> = lines.collect::<Result<_>>()?;
        lines.reverse();
        Ok(lines)
    }

    pub fn blob(&self, hash: &Hash) -> Result<Option<Vec<u8>>> {
        let mut find = self.connection.prepare_cached("SELECT body FROM blobs WHERE hash = ?")?;
        find.query_row([hash], |row| row.get(0)).optional()
    }
}

/// Rows of a log as they are read, up to so many.
struct Log {
    /// Of the last row.
    last: u64,
    rows: Vec<LogRow>,
    limit: usize,
}

impl Log {
    fn is_full(&self) -> bool {
        self.rows.len() >= self.limit
    }

    /// Goes on with those of these rows that come after all there are.
    fn add(&mut self, mut stretch: &[u8]) {
        while !self.is_full()
            && let Some(row) = rows::take(&mut stretch)
        {
            if row.seq > self.last {
                self.last = row.seq;
                self.rows.push(row);
            }
        }
    }
}
