//! The queries.

use super::{Order, Read};
use crate::{ChatRow, GameRow, Hash, LogRow, PackRow, Snapshot, TableRow};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use std::sync::mpsc::Receiver;

/// Runs until it is closed.
pub fn run(connection: Connection, orders: &Receiver<Order<Read>>) {
    while let Ok(order) = orders.recv() {
        match order {
            Order::Do(query) => query(&connection),
            Order::Close(told) => {
                drop(connection);
                let _ = told.send(());
                return;
            }
        }
    }
}

/// A running game's log is newer than its table's row, which is not written for every move.
const TABLE: &str = "SELECT code, record, max(updated_at, coalesce(
  (SELECT at FROM events WHERE game = (SELECT n FROM games WHERE id = tables.running) ORDER BY seq DESC LIMIT 1), 0))
  AS changed FROM tables";

fn table(row: &Row) -> Result<TableRow> {
    let changed: i64 = row.get(2)?;
    Ok(TableRow { code: row.get(0)?, record: row.get(1)?, updated_at: changed as u64 })
}

pub fn peek(c: &Connection, code: &str) -> Result<Option<TableRow>> {
    c.prepare_cached(&format!("{TABLE} WHERE code = ?"))?.query_row([code], table).optional()
}

pub fn tables_of(c: &Connection, member: &Hash, limit: u32) -> Result<Vec<TableRow>> {
    let sql = format!(
        "{TABLE} WHERE listed AND id IN (SELECT table_id FROM members WHERE member = ?) ORDER BY changed DESC LIMIT ?"
    );
    c.prepare_cached(&sql)?.query_map(params![member, limit], table)?.collect()
}

pub fn game(c: &Connection, game: &str) -> Result<Option<GameRow>> {
    c.prepare_cached("SELECT id, record FROM games WHERE id = ?")?
        .query_row([game], |row| Ok(GameRow { id: row.get(0)?, record: row.get(1)? }))
        .optional()
}

pub fn log(c: &Connection, game: &str, after: u64, limit: u32) -> Result<Vec<LogRow>> {
    const ROWS: &str = "SELECT seq, at, input, told FROM events
      WHERE game = (SELECT n FROM games WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?";
    c.prepare_cached(ROWS)?
        .query_map(params![game, after as i64, limit], |row| {
            let (seq, at): (i64, i64) = (row.get(0)?, row.get(1)?);
            Ok(LogRow { seq: seq as u64, at: at as u64, input: row.get(2)?, told: row.get(3)? })
        })?
        .collect()
}

pub fn snapshot(c: &Connection, game: &str) -> Result<Option<Snapshot>> {
    c.prepare_cached("SELECT seq, body FROM snapshots WHERE game_id = ?")?
        .query_row([game], |row| {
            let seq: i64 = row.get(0)?;
            Ok(Snapshot { seq: seq as u64, body: row.get(1)? })
        })
        .optional()
}

pub fn chat(c: &Connection, table: i64, after: u64, limit: u32) -> Result<Vec<ChatRow>> {
    let mut lines: Vec<ChatRow> = c
        .prepare_cached("SELECT n, body FROM chat WHERE table_id = ? AND n > ? ORDER BY n DESC LIMIT ?")?
        .query_map(params![table, after as i64, limit], |row| {
            let n: i64 = row.get(0)?;
            Ok(ChatRow { n: n as u64, body: row.get(1)? })
        })?
        .collect::<Result<_>>()?;
    lines.reverse();
    Ok(lines)
}

pub fn blob(c: &Connection, hash: &Hash) -> Result<Option<Vec<u8>>> {
    c.prepare_cached("SELECT body FROM blobs WHERE hash = ?")?.query_row([hash], |row| row.get(0)).optional()
}

pub fn packs(c: &Connection) -> Result<Vec<PackRow>> {
    c.prepare_cached("SELECT id, official, hash, info FROM packs ORDER BY official DESC, id")?
        .query_map([], |row| {
            Ok(PackRow { id: row.get(0)?, official: row.get(1)?, hash: row.get(2)?, info: row.get(3)? })
        })?
        .collect()
}
