//! Plays a game's log again, page by page, where nobody else waits for an answer. See [`LogReplay`].

use crate::slow_work;
use baize_engine::observe::SavedObserver;
use baize_room::log_replay::LogReplay;
use baize_room::prepared::PreparedGame;
use baize_room::record::GameRecord;
use baize_store::{Store, StoreError};

/// Log rows read at once.
const PAGE: u32 = 512;
/// Steps played before others get a turn.
const STRETCH: usize = 64;

/// What spectators have after so many steps.
pub async fn spectators(
    store: &dyn Store,
    prepared: &PreparedGame,
    record: &GameRecord,
    seq: u64,
) -> Result<Option<SavedObserver>, StoreError> {
    let replay = slow_work::run_aside(|| LogReplay::for_spectators(prepared, record, seq));
    Ok(play(store, &record.id, replay).await?.into_spectators())
}

/// Everything the replay of a game shows, batch by batch, as JSON.
pub async fn replay(store: &dyn Store, prepared: &PreparedGame, record: &GameRecord) -> Result<Vec<u8>, StoreError> {
    let replay = slow_work::run_aside(|| LogReplay::for_replay(prepared, record));
    Ok(play(store, &record.id, replay).await?.into_batches())
}

async fn play(store: &dyn Store, game: &str, mut replay: LogReplay) -> Result<LogReplay, StoreError> {
    loop {
        let rows = store.log(game, replay.seq(), PAGE).await?;
        for some in rows.chunks(STRETCH) {
            slow_work::run_aside(|| replay.handle_rows(some)).map_err(StoreError::Failed)?;
            tokio::task::yield_now().await;
        }
        if rows.len() < PAGE as usize || replay.is_complete() {
            return Ok(replay);
        }
    }
}
