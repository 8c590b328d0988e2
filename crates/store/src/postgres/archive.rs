//! Upkeep: games that have ended are put away, so that what is being played stays small; old tables are deleted. A store that
//! is being closed leaves the rest for the next time.

use super::link::Link;
use crate::StoreError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// One statement takes no more, so that nobody waits long for it.
const GAMES: i64 = 200;
const TABLES: i64 = 200;
/// How often deleting blobs is begun again because somebody came in between.
const TRIES: u32 = 3;

/// Moves the state and the log of every game that has ended. Several nodes may do so at once: each takes games that no
/// other is at.
pub async fn archive(link: &Link, closing: &AtomicBool) -> Result<(), StoreError> {
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
    while !closing.load(Relaxed) && count(link, MOVE, &[&GAMES]).await? > 0 {}
    Ok(())
}

/// A running game's log is newer than its table's row, which is not written for every move.
pub async fn purge(link: &Link, before: u64, closing: &AtomicBool) -> Result<u64, StoreError> {
    // Referred to by nothing that Postgres would follow: the events and the chat are found here.
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
        match count(link, PURGE, &[&(before as i64), &TABLES]).await? {
            0 => break,
            some => purged += some,
        }
    }
    delete_blobs(link).await?;
    Ok(purged)
}

/// Blobs that nobody speaks of. If somebody begins to while they are being deleted, nothing is.
async fn delete_blobs(link: &Link) -> Result<(), StoreError> {
    const DELETE: &str =
        "DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM spoken_of WHERE spoken_of.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM card_packs WHERE card_packs.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM game_definitions WHERE game_definitions.hash = blobs.hash)
      AND NOT EXISTS (SELECT 1 FROM tables WHERE NOT counted)";
    for _ in 0..TRIES {
        match link.insist(DELETE, &[]).await {
            Err(StoreError::Missing) => {}
            done => return done.map(|_| ()),
        }
    }
    // The next time, then.
    Ok(())
}

async fn count(link: &Link, sql: &str, params: super::link::Params<'_>) -> Result<u64, StoreError> {
    let rows = link.insist(sql, params).await?;
    Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0) as u64))
}
