//! The queries. The rows of an ended game may be moving to the archive: each statement looks in both places and, because the move is one
//! transaction, finds each row in exactly one.

use super::connection::Connection;
use super::{SELECT_TABLE, hex, text};
use crate::{ChatRow, GameRow, Hash, LogRow, Snapshot, StoreError, TableRow};
use tokio_postgres::Row;

impl From<&Row> for TableRow {
    /// Reads a row of a query that begins with [`SELECT_TABLE`].
    fn from(row: &Row) -> Self {
        TableRow { code: row.get(0), record: json(row, 1), updated_at: row.get::<_, i64>(2) as u64 }
    }
}

pub fn json(row: &Row, column: usize) -> Vec<u8> {
    row.get::<_, String>(column).into_bytes()
}

pub async fn peek(connection: &Connection, code: &str) -> Result<Option<TableRow>, StoreError> {
    let sql = format!("{SELECT_TABLE} FROM tables WHERE code = $1");
    Ok(connection.query_with_retries(&sql, &[&text(code)]).await?.first().map(TableRow::from))
}

pub async fn tables_of(connection: &Connection, member: &Hash, limit: u32) -> Result<Vec<TableRow>, StoreError> {
    let sql = format!(
        "{SELECT_TABLE} FROM tables WHERE listed AND id IN (SELECT table_id FROM table_players WHERE player_id = $1)
         ORDER BY changed DESC LIMIT $2"
    );
    Ok(connection
        .query_with_retries(&sql, &[&hex(member), &i64::from(limit)])
        .await?
        .iter()
        .map(TableRow::from)
        .collect())
}

pub async fn game(connection: &Connection, game: &str) -> Result<Option<GameRow>, StoreError> {
    let rows =
        connection.query_with_retries("SELECT id, record::text FROM games WHERE id = $1", &[&text(game)]).await?;
    Ok(rows.first().map(|row| GameRow { id: row.get(0), record: json(row, 1) }))
}

pub async fn log(connection: &Connection, game: &str, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
    const ROWS: &str = "SELECT seq, at, input, told FROM game_events WHERE game_id = $1 AND seq > $2
      UNION ALL SELECT seq, at, input, told FROM archived_events WHERE game_id = $1 AND seq > $2
      ORDER BY seq LIMIT $3";
    let rows = connection.query_with_retries(ROWS, &[&text(game), &(after as i64), &i64::from(limit)]).await?;
    let row = |row: &Row| LogRow {
        seq: row.get::<_, i64>(0) as u64,
        at: row.get::<_, i64>(1) as u64,
        input: row.get(2),
        old_batches: row.get(3),
    };
    Ok(rows.iter().map(row).collect())
}

pub async fn snapshot(connection: &Connection, game: &str) -> Result<Option<Snapshot>, StoreError> {
    const LAST: &str = "SELECT coalesce(games.state_seq, archived.state_seq), coalesce(games.state, archived.state)
      FROM games LEFT JOIN archived_games AS archived ON game_id = id WHERE id = $1";
    let rows = connection.query_with_retries(LAST, &[&text(game)]).await?;
    Ok(rows.first().and_then(|row| {
        let seq: Option<i64> = row.get(0);
        Some(Snapshot { seq: seq? as u64, body: row.get::<_, Option<Vec<u8>>>(1)? })
    }))
}

pub async fn chat(connection: &Connection, table: i64, after: u64, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
    const LINES: &str = "SELECT n, body FROM chat WHERE table_id = $1 AND n > $2 ORDER BY n DESC LIMIT $3";
    let rows = connection.query_with_retries(LINES, &[&table, &(after as i64), &i64::from(limit)]).await?;
    Ok(rows.iter().rev().map(|row| ChatRow { n: row.get::<_, i64>(0) as u64, body: row.get(1) }).collect())
}

pub async fn blob(connection: &Connection, hash: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
    let rows = connection.query_with_retries("SELECT body FROM blobs WHERE hash = $1", &[&hash.as_slice()]).await?;
    Ok(rows.first().map(|row| row.get(0)))
}
