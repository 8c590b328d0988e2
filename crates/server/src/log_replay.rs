//! Plays a game's log again, page by page, on a thread that blocks no other task. See [`LogReplay`].

use crate::Services;
use crate::slow_work;
use baize_engine::observe::SavedObserver;
use baize_room::log_replay::LogReplay;
use baize_room::prepared::PreparedGame;
use baize_room::record::GameRecord;
use baize_store::StoreError;

/// Log rows per read.
const ROWS_PER_READ: u32 = 512;
/// Steps played before other tasks get a turn.
pub const STEPS_PER_TURN: usize = 64;

/// The observer of spectators after the step `seq`.
pub async fn spectators(
    services: &Services,
    prepared: &PreparedGame,
    record: &GameRecord,
    seq: u64,
) -> Result<Option<SavedObserver>, StoreError> {
    let replay = run_aside(services, record, || LogReplay::for_spectators(prepared, record, seq)).await;
    Ok(play(services, record, replay).await?.into_spectators())
}

/// All batches of a game's replay, as JSON.
pub async fn replay(services: &Services, prepared: &PreparedGame, record: &GameRecord) -> Result<Vec<u8>, StoreError> {
    let replay = run_aside(services, record, || LogReplay::for_replay(prepared, record)).await;
    Ok(play(services, record, replay).await?.into_batches())
}

async fn play(services: &Services, record: &GameRecord, mut replay: LogReplay) -> Result<LogReplay, StoreError> {
    loop {
        let rows = services.store.log(&record.id, replay.seq(), ROWS_PER_READ).await?;
        for chunk in rows.chunks(STEPS_PER_TURN) {
            run_aside(services, record, || replay.handle_rows(chunk)).await.map_err(StoreError::Failed)?;
            tokio::task::yield_now().await;
        }
        if rows.len() < ROWS_PER_READ as usize || replay.is_complete() {
            return Ok(replay);
        }
    }
}

/// Waits for a permit, and then runs a piece of slow work. See [`slow_work::run_aside`].
pub async fn run_aside<T>(services: &Services, record: &GameRecord, work: impl FnOnce() -> T) -> T {
    let _permit = services.slow_work.permit(!record.packs.is_empty()).await;
    slow_work::run_aside(work)
}
