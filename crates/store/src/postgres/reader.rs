//! The queries. Games that have ended may be in the archive, or on their way into it: every statement sees each row in one
//! of both places.

use super::link::Link;
use super::{TABLE, hex, text};
use crate::{ChatRow, GameRow, Hash, LogRow, Snapshot, StoreError, TableRow};
use tokio_postgres::Row;

impl From<&Row> for TableRow {
    /// Of a query that begins with [`TABLE`].
    fn from(row: &Row) -> Self {
        TableRow { code: row.get(0), record: json(row, 1), updated_at: row.get::<_, i64>(2) as u64 }
    }
}

pub fn json(row: &Row, column: usize) -> Vec<u8> {
    row.get::<_, String>(column).into_bytes()
}

pub async fn peek(link: &Link, code: &str) -> Result<Option<TableRow>, StoreError> {
    let sql = format!("{TABLE} FROM tables WHERE code = $1");
    Ok(link.insist(&sql, &[&text(code)]).await?.first().map(TableRow::from))
}

pub async fn tables_of(link: &Link, member: &Hash, limit: u32) -> Result<Vec<TableRow>, StoreError> {
    let sql = format!(
        "{TABLE} FROM tables WHERE listed AND id IN (SELECT table_id FROM table_players WHERE player_id = $1)
         ORDER BY changed DESC LIMIT $2"
    );
    Ok(link.insist(&sql, &[&hex(member), &i64::from(limit)]).await?.iter().map(TableRow::from).collect())
}

pub async fn game(link: &Link, game: &str) -> Result<Option<GameRow>, StoreError> {
    let rows = link.insist("SELECT id, record::text FROM games WHERE id = $1", &[&text(game)]).await?;
    Ok(rows.first().map(|row| GameRow { id: row.get(0), record: json(row, 1) }))
}

pub async fn log(link: &Link, game: &str, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
    const ROWS: &str = "SELECT seq, at, input, told FROM game_events WHERE game_id = $1 AND seq > $2
      UNION ALL SELECT seq, at, input, told FROM archived_events WHERE game_id = $1 AND seq > $2
      ORDER BY seq LIMIT $3";
    let rows = link.insist(ROWS, &[&text(game), &(after as i64), &i64::from(limit)]).await?;
    let row = |row: &Row| LogRow {
        seq: row.get::<_, i64>(0) as u64,
        at: row.get::<_, i64>(1) as u64,
        input: row.get(2),
        told: row.get(3),
    };
    Ok(rows.iter().map(row).collect())
}

pub async fn snapshot(link: &Link, game: &str) -> Result<Option<Snapshot>, StoreError> {
    const LAST: &str = "SELECT coalesce(games.state_seq, archived.state_seq), coalesce(games.state, archived.state)
      FROM games LEFT JOIN archived_games AS archived ON game_id = id WHERE id = $1";
    let rows = link.insist(LAST, &[&text(game)]).await?;
    Ok(rows.first().and_then(|row| {
        let seq: Option<i64> = row.get(0);
        Some(Snapshot { seq: seq? as u64, body: row.get::<_, Option<Vec<u8>>>(1)? })
    }))
}

pub async fn chat(link: &Link, table: i64, after: u64, limit: u32) -> Result<Vec<ChatRow>, StoreError> {
    const LINES: &str = "SELECT n, body FROM chat WHERE table_id = $1 AND n > $2 ORDER BY n DESC LIMIT $3";
    let rows = link.insist(LINES, &[&table, &(after as i64), &i64::from(limit)]).await?;
    Ok(rows.iter().rev().map(|row| ChatRow { n: row.get::<_, i64>(0) as u64, body: row.get(1) }).collect())
}

pub async fn blob(link: &Link, hash: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
    let rows = link.insist("SELECT body FROM blobs WHERE hash = $1", &[&hash.as_slice()]).await?;
    Ok(rows.first().map(|row| row.get(0)))
}
