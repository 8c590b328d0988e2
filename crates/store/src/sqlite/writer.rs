//! The one writer.

use super::checkpoint::Checkpoints;
use super::{Order, failed};
use crate::{Commit, Created, Hash, LogRow, NewTable, OpenTable, Opened, PackRow, Stats, StoreError, TableRow, Write};
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::mpsc::Receiver;
use std::time::Instant;
use tokio::sync::oneshot;

/// Jobs in one transaction. Enough that the sync is shared by all who wait, little enough that none waits long.
const GROUP: usize = 512;

/// A change, and whom to tell once it is on disk (or that it failed).
pub struct Job {
    apply: Box<dyn FnOnce(&Connection) -> Done + Send>,
    /// One statement, which leaves nothing behind when it fails; several need a way back.
    single: bool,
}

/// Tells the outcome; `Err` if the shared commit failed after all.
type Done = (bool, Box<dyn FnOnce(Result<(), StoreError>) + Send>);

impl Job {
    pub fn new<T: Send + 'static>(
        single: bool,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        reply: oneshot::Sender<Result<T, StoreError>>,
    ) -> Self {
        Job {
            apply: Box::new(move |connection| {
                let result = change(connection);
                let good = result.is_ok();
                let tell = move |committed: Result<(), StoreError>| {
                    let _ = reply.send(committed.and(result));
                };
                (good, Box::new(tell))
            }),
            single,
        }
    }
}

/// Runs until it is closed and every job before that is done.
pub fn run(connection: Connection, orders: &Receiver<Order<Job>>, mut checkpoints: Checkpoints, stats: &Stats) {
    let mut closing = None;
    while closing.is_none()
        && let Ok(first) = orders.recv()
    {
        let mut group = Vec::new();
        for order in std::iter::once(first).chain(orders.try_iter()) {
            match order {
                Order::Do(job) => group.push(job),
                Order::Close(told) => closing = Some(told),
            }
            if closing.is_some() || group.len() == GROUP {
                break;
            }
        }
        if group.is_empty() {
            break;
        }
        let count = group.len() as u64;
        let begun = connection.execute_batch("BEGIN IMMEDIATE").map_err(failed);
        let mut tellers = Vec::with_capacity(group.len());
        for job in group {
            // A job that fails must not take the others of its group with it.
            let run = |sql| connection.prepare_cached(sql).and_then(|mut s| s.execute([]));
            let single = job.single;
            if !single {
                let _ = run("SAVEPOINT job");
            }
            let (good, tell) = (job.apply)(&connection);
            if !single {
                let _ = run(if good { "RELEASE job" } else { "ROLLBACK TO job" });
            }
            tellers.push(tell);
        }
        let started = Instant::now();
        let committed = begun.and_then(|()| connection.execute_batch("COMMIT").map_err(failed));
        stats.note(count, started.elapsed().as_micros() as u64);
        if committed.is_err() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        for tell in tellers {
            tell(committed.clone());
        }
        checkpoints.after(count, &connection);
    }
    checkpoints.end();
    drop(connection);
    if let Some(told) = closing {
        let _ = told.send(());
    }
}

pub fn create(c: &Connection, table: &NewTable) -> Result<Created, StoreError> {
    let existing: Option<String> = c
        .prepare_cached("SELECT code FROM tables WHERE key = ?")
        .and_then(|mut s| s.query_row([&table.key], |row| row.get(0)).optional())
        .map_err(failed)?;
    if let Some(code) = existing {
        return Ok(Created { code, new: false });
    }
    c.prepare_cached("INSERT INTO tables (code, key, updated_at, record) VALUES (?, ?, ?, ?)")
        .and_then(|mut s| s.execute(params![table.code, table.key, table.at as i64, table.record]))
        .map_err(failed)?;
    let id = c.last_insert_rowid();
    for member in &table.members {
        add_member(c, id, &member.member)?;
    }
    Ok(Created { code: table.code.clone(), new: true })
}

pub fn open(c: &Connection, code: &str) -> Result<Opened, StoreError> {
    c.prepare_cached("UPDATE tables SET epoch = epoch + 1 WHERE code = ? RETURNING id, epoch, record, updated_at")
        .and_then(|mut s| {
            s.query_row([code], |row| {
                let updated: i64 = row.get(3)?;
                let row_of = TableRow { code: code.to_owned(), record: row.get(2)?, updated_at: updated as u64 };
                Ok(OpenTable { id: row.get(0)?, epoch: row.get(1)?, row: row_of })
            })
            .optional()
        })
        .map(|open| open.map_or(Opened::Unknown, Opened::Here))
        .map_err(failed)
}

pub fn commit(c: &Connection, commit: &Commit) -> Result<(), StoreError> {
    let fence = (commit.table, commit.epoch);
    // Only the log's rows and the table's record carry the fence; whatever else is written has one of them beside it
    // or is checked here first.
    let fenced = commit.writes.iter().any(|w| matches!(w, Write::Table { .. } | Write::Log { .. }));
    if !fenced {
        let held: Option<i64> = c
            .prepare_cached("SELECT 1 FROM tables WHERE id = ? AND epoch = ?")
            .and_then(|mut s| s.query_row(params![fence.0, fence.1], |row| row.get(0)).optional())
            .map_err(failed)?;
        held.ok_or(StoreError::Fenced)?;
    }
    for write in &commit.writes {
        match write {
            Write::Table { record, at, listed, running } => held(
                c.prepare_cached(
                    "UPDATE tables SET record = ?, updated_at = ?, listed = ?, running = ? WHERE id = ? AND epoch = ?",
                )
                .and_then(|mut s| s.execute(params![record, *at as i64, listed, running, fence.0, fence.1])),
            )?,
            Write::Member(member) => add_member(c, fence.0, &member.member)?,
            Write::Blob { hash, body } => put_blob(c, hash, body)?,
            Write::Game(game) => {
                c.prepare_cached(
                    "INSERT INTO games (id, table_id, record) VALUES (?, ?, ?)
                     ON CONFLICT (id) DO UPDATE SET record = excluded.record",
                )
                .and_then(|mut s| s.execute(params![game.id, fence.0, game.record]))
                .map_err(failed)?;
            }
            // All games are in one file anyway.
            Write::Ended { .. } => {}
            Write::Log { game, row } => append(c, game, row, fence)?,
            Write::Snapshot { game, snapshot } => {
                c.prepare_cached("INSERT OR REPLACE INTO snapshots (game_id, seq, body) VALUES (?, ?, ?)")
                    .and_then(|mut s| s.execute(params![game, snapshot.seq as i64, snapshot.body]))
                    .map_err(failed)?;
            }
            Write::Chat(line) => {
                c.prepare_cached("INSERT INTO chat (table_id, n, body) VALUES (?, ?, ?)")
                    .and_then(|mut s| s.execute(params![fence.0, line.n as i64, line.body]))
                    .map_err(failed)?;
            }
        }
    }
    Ok(())
}

/// One statement that also checks the owner's epoch.
fn append(c: &Connection, game: &str, row: &LogRow, fence: (i64, i64)) -> Result<(), StoreError> {
    held(
        c.prepare_cached(
            "INSERT INTO events (game, seq, at, input, told)
             SELECT (SELECT n FROM games WHERE id = ?), ?, ?, ?, ?
             WHERE EXISTS (SELECT 1 FROM tables WHERE id = ? AND epoch = ?)",
        )
        .and_then(|mut s| {
            s.execute(params![game, row.seq as i64, row.at as i64, row.input, row.told, fence.0, fence.1])
        }),
    )
}

/// A statement with the fence in it that changed nothing was fenced off.
fn held(changed: rusqlite::Result<usize>) -> Result<(), StoreError> {
    match changed.map_err(failed)? {
        0 => Err(StoreError::Fenced),
        _ => Ok(()),
    }
}

fn add_member(c: &Connection, table: i64, member: &Hash) -> Result<(), StoreError> {
    c.prepare_cached("INSERT OR IGNORE INTO members (member, table_id) VALUES (?, ?)")
        .and_then(|mut s| s.execute(params![member, table]))
        .map_err(failed)?;
    Ok(())
}

pub fn put_blob(c: &Connection, hash: &Hash, body: &[u8]) -> Result<(), StoreError> {
    c.prepare_cached("INSERT OR IGNORE INTO blobs (hash, body) VALUES (?, ?)")
        .and_then(|mut s| s.execute(params![hash, body]))
        .map_err(failed)?;
    Ok(())
}

pub fn add_packs(c: &Connection, packs: &[PackRow]) -> Result<(), StoreError> {
    for pack in packs {
        c.prepare_cached("INSERT INTO packs (id, official, hash, info) VALUES (?, ?, ?, ?)")
            .and_then(|mut s| s.execute(params![pack.id, pack.official, pack.hash, pack.info]))
            .map_err(failed)?;
    }
    Ok(())
}

pub fn purge(c: &Connection, before: u64) -> Result<u64, StoreError> {
    c.prepare_cached(
        "DELETE FROM tables WHERE updated_at < ?1 AND NOT EXISTS
           (SELECT 1 FROM events WHERE game = (SELECT n FROM games WHERE id = tables.running) AND at >= ?1)",
    )
    .and_then(|mut s| s.execute([before as i64]))
    .map(|n| n as u64)
    .map_err(failed)
}
