//! What was told to somebody for whom nobody looked at the time: a game's log, played again for one viewer alone.
//!
//! While a game goes on, a step is told to those who sit at the table, and to spectators if there are any. Everything a viewer
//! sees follows from seed and log. So whoever comes to watch later gets what one has who was there from the start, and the
//! replay is written when the game is over, in one go.

use crate::heavy;
use crate::record::{GameRecord, Logged};
use crate::room::apply;
use crate::stages::Staged;
use baize_engine::live::{LiveTable, Told};
use baize_engine::observe::SavedObserver;
use baize_engine::view::Viewer;
use baize_protocol::compact::{Texts, write};
use baize_store::{Store, StoreError};

/// Log rows read at once.
const PAGE: u32 = 512;
/// Steps played before others get a turn.
const STRETCH: usize = 64;

/// What spectators have after so many steps.
pub async fn spectators(
    store: &dyn Store,
    staged: &Staged,
    record: &GameRecord,
    seq: u64,
) -> Result<Option<SavedObserver>, StoreError> {
    let live = play_again(store, staged, record, Viewer::Spectator, seq, |_| {}).await?;
    Ok(live.observer(Viewer::Spectator).map(|observer| observer.save()))
}

/// Everything the replay of a game shows, batch by batch, spelled out: it must be readable without anything else.
pub async fn replay(store: &dyn Store, staged: &Staged, record: &GameRecord) -> Result<Vec<u8>, StoreError> {
    let mut text = vec![b'['];
    let add = |told: &Told| {
        if let Some(batch) = told.of(Viewer::Replay) {
            if text.len() > 1 {
                text.push(b',');
            }
            write(batch, &[], &Texts::default(), &mut text);
        }
    };
    play_again(store, staged, record, Viewer::Replay, u64::MAX, add).await?;
    text.push(b']');
    Ok(text)
}

async fn play_again(
    store: &dyn Store,
    staged: &Staged,
    record: &GameRecord,
    viewer: Viewer,
    upto: u64,
    mut each: impl FnMut(&Told),
) -> Result<LiveTable, StoreError> {
    let failed = |what: &str| StoreError::Failed(format!("{}: {what}", record.id));
    let mut live = heavy::aside(|| staged.stage.table(record.seed).only(viewer));
    loop {
        let rows = store.log(&record.id, live.seq(), PAGE).await?;
        for some in rows.chunks(STRETCH) {
            heavy::aside(|| {
                for row in some.iter().take_while(|row| row.seq <= upto) {
                    let logged: Logged = postcard::from_bytes(&row.input).map_err(|_| failed("a row is damaged"))?;
                    let told = apply(&mut live, &logged.step).map_err(|_| failed("a logged step is refused"))?;
                    if told.seq != row.seq {
                        return Err(failed("the log has a gap"));
                    }
                    each(&told);
                }
                Ok(())
            })?;
            tokio::task::yield_now().await;
        }
        if rows.len() < PAGE as usize || live.seq() >= upto {
            return Ok(live);
        }
    }
}
