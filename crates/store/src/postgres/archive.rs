//! Upkeep: moves ended games to the archive, so that the tables for running games stay small, and deletes old tables. A store that is
//! closing stops between two statements; the next upkeep does the rest.

use super::connection::Connection;
use crate::StoreError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Upper bounds for one statement, so that nobody waits long for its locks.
const GAMES_AT_ONCE: i64 = 200;
const TABLES_AT_ONCE: i64 = 200;
/// How often the store tries to delete blobs or players, because a new reference may get in between.
const TRIES: u32 = 3;

/// Moves the snapshot and the log of every ended game to the archive. Several nodes may do so at once: each skips the games that another
/// has locked.
pub async fn archive(connection: &Connection, closing: &AtomicBool) -> Result<(), StoreError> {
    const MOVE: &str = "WITH ended AS (
        SELECT id, state_seq, state FROM games WHERE status = 'ended' LIMIT $1 FOR UPDATE SKIP LOCKED),
      kept AS (
        INSERT INTO archived_games (game_id, state_seq, state) SELECT id, state_seq, state FROM ended),
      emptied AS (
        UPDATE games SET status = 'archived', state_seq = NULL, state = NULL FROM ended WHERE games.id = ended.id),
      rows AS (DELETE FROM game_events USING ended WHERE game_id = ended.id RETURNING game_events.*),
      log AS (
        INSERT INTO archived_events (game_id, seq, at, input, told) SELECT game_id, seq, at, input, told FROM rows)
      SELECT count(*) FROM ended";
    while !closing.load(Relaxed) && count(connection, MOVE, &[&GAMES_AT_ONCE]).await? > 0 {}
    Ok(())
}

/// Deletes tables that have not changed since `before`. A running game's log counts: a move does not update the table's row.
pub async fn purge(connection: &Connection, before: u64, closing: &AtomicBool) -> Result<u64, StoreError> {
    // Events and chat have no foreign keys, so a cascade does not delete them.
    const PURGE: &str = "WITH old AS (
        SELECT id FROM tables WHERE updated_at < $1 AND NOT EXISTS (
          SELECT 1 FROM game_events WHERE game_id = running AND at >= $1) LIMIT $2 FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM tables USING old WHERE tables.id = old.id RETURNING tables.id),
      played AS (DELETE FROM games USING gone WHERE table_id = gone.id RETURNING games.id),
      log AS (DELETE FROM game_events USING played WHERE game_id = played.id),
      archived AS (DELETE FROM archived_events USING played WHERE game_id = played.id),
      said AS (DELETE FROM chat USING gone WHERE table_id = gone.id)
      SELECT count(*) FROM gone";
    let mut purged = 0;
    while !closing.load(Relaxed) {
        match count(connection, PURGE, &[&(before as i64), &TABLES_AT_ONCE]).await? {
            0 => break,
            some => purged += some,
        }
    }
    delete_unused_players(connection).await?;
    delete_unused_blobs(connection).await?;
    const DELETED_PACKS: &str =
        "DELETE FROM deleted_packs WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.hash = deleted_packs.hash)";
    connection.query_with_retries(DELETED_PACKS, &[]).await?;
    Ok(purged)
}

/// Deletes browsers that belong to no table any more. If one joins a table meanwhile, the whole statement fails.
async fn delete_unused_players(connection: &Connection) -> Result<(), StoreError> {
    const DELETE: &str =
        "DELETE FROM players WHERE NOT EXISTS (SELECT 1 FROM table_players WHERE player_id = players.id)";
    delete_unreferenced(connection, DELETE).await
}

/// Deletes blobs without references. If a reference is added meanwhile, its foreign key makes the whole statement fail.
async fn delete_unused_blobs(connection: &Connection) -> Result<(), StoreError> {
    const DELETE: &str =
        "DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM spoken_of WHERE spoken_of.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM game_blobs WHERE game_blobs.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM card_packs WHERE card_packs.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM game_definitions WHERE game_definitions.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM tables WHERE NOT counted)";
    delete_unreferenced(connection, DELETE).await
}

async fn delete_unreferenced(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    for _ in 0..TRIES {
        match connection.query_with_retries(sql, &[]).await {
            Err(StoreError::Missing) => {}
            done => return done.map(|_| ()),
        }
    }
    // The next purge tries again.
    Ok(())
}

async fn count(connection: &Connection, sql: &str, params: super::connection::Params<'_>) -> Result<u64, StoreError> {
    let rows = connection.query_with_retries(sql, params).await?;
    Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0) as u64))
}
