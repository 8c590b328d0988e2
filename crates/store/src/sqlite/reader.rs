//! The thread that reads, and its queries.

use super::journal::LogTails;
use super::side_connection::SideConnection;
use super::{Read, ThreadMessage, failed, log_encoding};
use crate::stats::panic_message;
use crate::{ChatRow, Faults, GameRow, Hash, LogRow, Snapshot, Stats, StoreError, TableRow};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

type Result<T, E = rusqlite::Error> = std::result::Result<T, E>;

/// Runs until the store is closed. A query that panics fails alone: the next one gets a new connection.
pub fn run(
    side_connection: &SideConnection,
    tails: &LogTails,
    messages: &Receiver<ThreadMessage<Read>>,
    faults: &Faults,
    stats: &Stats,
) {
    while let Ok(message) = messages.recv() {
        match message {
            // Clients that ask and disconnect in large numbers must not delay the others.
            ThreadMessage::Run(query) if query.is_abandoned() => {}
            ThreadMessage::Run(query) => {
                let read = || {
                    if let Err(error) = faults.at("store/read", "") {
                        return query.run(Err(StoreError::Failed(error.to_string())));
                    }
                    // The closure takes the query only if it runs; without a connection the query is left here to be answered.
                    let mut query = Some(query);
                    let connected = side_connection.with(|connection| {
                        if let Some(query) = query.take() {
                            query.run(Ok(&ReadConnection { connection, tails: tails.clone() }));
                        }
                    });
                    if let (Err(error), Some(query)) = (connected, query.take()) {
                        query.run(Err(error));
                    }
                };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(read)) {
                    stats.count_restart();
                    tracing::error!(panic = panic_message(&*panic), "a query of the store panicked");
                }
            }
            ThreadMessage::Close(closed) => {
                side_connection.close();
                let _ = closed.send(());
                return;
            }
        }
    }
}

/// A query with the channel for its answer.
pub trait Query: Send {
    /// Whether nobody waits for the answer any more.
    fn is_abandoned(&self) -> bool;
    fn run(self: Box<Self>, connection: Result<&ReadConnection, StoreError>);
}

pub struct QueryRequest<T, F> {
    pub query: F,
    pub reply: oneshot::Sender<Result<T, StoreError>>,
    /// Counts this request among the reads that wait.
    pub _permit: OwnedSemaphorePermit,
}

impl<T: Send, F: FnOnce(&ReadConnection) -> rusqlite::Result<T> + Send> Query for QueryRequest<T, F> {
    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(self: Box<Self>, connection: Result<&ReadConnection, StoreError>) {
        let QueryRequest { query, reply, _permit } = *self;
        let _ = reply.send(connection.and_then(|connection| query(connection).map_err(failed)));
    }
}

/// A connection for reading, with the log rows that are not in the logs yet.
pub struct ReadConnection<'a> {
    pub connection: &'a Connection,
    pub tails: LogTails,
}

/// Selects table rows. The time of the last change also looks at the running game's log: a move does not update the table's row.
pub const SELECT_TABLE: &str = "SELECT code, tables.record, max(updated_at, coalesce(
  (SELECT at FROM stretches WHERE game = games.n ORDER BY last DESC LIMIT 1), 0)), games.n
  FROM tables LEFT JOIN games ON games.id = tables.running";

impl ReadConnection<'_> {
    /// Reads a row of [`SELECT_TABLE`].
    pub fn table(&self, row: &Row) -> Result<TableRow> {
        let (changed, running): (i64, Option<i64>) = (row.get(2)?, row.get(3)?);
        Ok(TableRow { code: row.get(0)?, record: row.get(1)?, updated_at: self.last_change(changed, running) })
    }

    /// When a table last changed: by the database or, if that is later, by the tail of its running game's log.
    fn last_change(&self, in_database: i64, running: Option<i64>) -> u64 {
        let in_tail = running.and_then(|game| self.tails.last(game)).map_or(0, |(_, at)| at);
        in_tail.max(in_database as u64)
    }

    pub fn peek(&self, code: &str) -> Result<Option<TableRow>> {
        let mut find = self.connection.prepare_cached(&format!("{SELECT_TABLE} WHERE code = ?"))?;
        find.query_row([code], |row| self.table(row)).optional()
    }

    pub fn tables_of(&self, member: &Hash, limit: u32) -> Result<Vec<TableRow>> {
        // The first query finds the ids, the second reads the records of the few that are returned: records are long.
        const MINE: &str = "SELECT tables.id, max(updated_at, coalesce(
            (SELECT at FROM stretches WHERE game = games.n ORDER BY last DESC LIMIT 1), 0)), games.n
          FROM tables LEFT JOIN games ON games.id = tables.running
          WHERE listed AND tables.id IN (SELECT table_id FROM members WHERE member = ?)";
        let mut find = self.connection.prepare_cached(MINE)?;
        let found =
            find.query_map([member], |row| Ok((self.last_change(row.get(1)?, row.get(2)?), row.get::<_, i64>(0)?)))?;
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
        const SEGMENTS: &str = "SELECT rows FROM stretches WHERE game = ? AND last > ? ORDER BY last";
        let mut find = self.connection.prepare_cached("SELECT n FROM games WHERE id = ?")?;
        let Some(game) = find.query_row([game], |row| row.get::<_, i64>(0)).optional()? else { return Ok(Vec::new()) };
        // Reads the tail before the database: rows that the writer flushes in between are then found twice, and never missed.
        let tail = self.tails.after(game, after);
        let mut page = LogPage { last_seq: after, rows: Vec::new(), limit: limit as usize };
        let mut read = self.connection.prepare_cached(SEGMENTS)?;
        let mut segments = read.query(params![game, after as i64])?;
        while !page.is_full()
            && let Some(row) = segments.next()?
        {
            page.add(row.get_ref(0)?.as_blob()?);
        }
        tail.iter().for_each(|segment| page.add(&segment.to_bytes()));
        Ok(page.rows)
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

/// Rows of a log, at most `limit`.
struct LogPage {
    last_seq: u64,
    rows: Vec<LogRow>,
    limit: usize,
}

impl LogPage {
    fn is_full(&self) -> bool {
        self.rows.len() >= self.limit
    }

    /// Adds the rows of a segment that come after the last row of the page.
    fn add(&mut self, mut segment: &[u8]) {
        while !self.is_full()
            && let Some(row) = log_encoding::decode_row(&mut segment)
        {
            if row.seq > self.last_seq {
                self.last_seq = row.seq;
                self.rows.push(row);
            }
        }
    }
}
