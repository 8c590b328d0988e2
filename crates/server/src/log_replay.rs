//! Plays a game's log again, page by page and aside, so that nobody else waits. See [`LogReplay`].

use crate::slow_work;
use baize_engine::observe::SavedObserver;
use baize_room::log_replay::LogReplay;
use baize_room::prepared::PreparedGame;
use baize_room::record::GameRecord;
use baize_store::{Store, StoreError};

/// Log rows per read.
const ROWS_PER_READ: u32 = 512;
/// Steps played before other tasks get a turn.
const STEPS_PER_TURN: usize = 64;

/// The observer of spectators after the step `seq`.
pub async fn spectators(
    store: &dyn Store,
    prepared: &PreparedGame,
    record: &GameRecord,
    seq: u64,
) -> Result<Option<SavedObserver>, StoreError> {
    let replay = slow_work::run_aside(|| LogReplay::for_spectators(prepared, record, seq));
    Ok(play(store, &record.id, replay).await?.into_spectators())
}

/// All batches of a game's replay, as JSON.
pub async fn replay(store: &dyn Store, prepared: &PreparedGame, record: &GameRecord) -> Result<Vec<u8>, StoreError> {
    let replay = slow_work::run_aside(|| LogReplay::for_replay(prepared, record));
    Ok(play(store, &record.id, replay).await?.into_batches())
}

async fn play(store: &dyn Store, game: &str, mut replay: LogReplay) -> Result<LogReplay, StoreError> {
    loop {
        let rows = store.log(game, replay.seq(), ROWS_PER_READ).await?;
        for chunk in rows.chunks(STEPS_PER_TURN) {
            slow_work::run_aside(|| replay.handle_rows(chunk)).map_err(StoreError::Failed)?;
            tokio::task::yield_now().await;
        }
        if rows.len() < ROWS_PER_READ as usize || replay.is_complete() {
            return Ok(replay);
        }
    }
}
