//! Reads a table from the store and makes its room.

use crate::Services;
use crate::identity;
use crate::log_replay;
use crate::slow_work;
use baize_engine::table::SEMANTICS;
use baize_protocol::TableStatus;
use baize_protocol::limits::CHAT_HISTORY;
use baize_room::record::{GameRecord, TableRecord};
use baize_room::rules::CurrentFile;
use baize_room::{LoadError, Loading, Room, StoredGame, StoredTable};
use baize_store::{OpenTable, StoreError};
use std::sync::Arc;

/// Log rows per read.
const PAGE: u32 = 512;

/// Why a table can't be opened.
#[derive(Debug)]
pub enum LoadFailure {
    Store(StoreError),
    /// The log was written under another version of the engine's semantics.
    Semantics(u32),
}

impl From<StoreError> for LoadFailure {
    fn from(error: StoreError) -> Self {
        LoadFailure::Store(error)
    }
}

impl From<LoadError> for LoadFailure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Damaged(why) => LoadFailure::Store(StoreError::Failed(why)),
            LoadError::Semantics(version) => LoadFailure::Semantics(version),
        }
    }
}

pub async fn load_room(services: &Arc<Services>, open: OpenTable) -> Result<Room, LoadFailure> {
    let store = services.store.as_ref();
    let record: TableRecord = serde_json::from_slice(&open.row.record).map_err(damaged)?;
    let (id, pin) = (&record.definition_id, record.pin);
    let rules = match pin.semantics == SEMANTICS {
        true => services.library.pinned(id, pin, store).await?,
        false if record.status != TableStatus::Lobby => return Err(LoadFailure::Semantics(pin.semantics)),
        // There is no log yet, so the source can be compiled again.
        false => {
            let recompiled = services.library.recompile(id, pin, store).await?;
            Some(recompiled.ok_or(LoadFailure::Semantics(pin.semantics))?)
        }
    };
    let rules = rules.ok_or_else(|| StoreError::Failed("the table's rules are missing".into()))?;
    let chat = store.chat(open.id, 0, CHAT_HISTORY as u32).await?;
    let file = current_file(services, &record);
    let stored = StoredTable { record, updated_at: open.row.updated_at, chat, rules };
    let time = services.config.clock.time();
    let mut loading = Loading::new(services.rooms.clone(), stored, file, identity::random(), time)?;
    if let Some(game) = loading.wanted_game()
        && let Some(row) = store.game(&game).await?
    {
        load_game(services, &mut loading, serde_json::from_slice(&row.record).map_err(damaged)?).await?;
    }
    Ok(loading.finish())
}

async fn load_game(services: &Services, loading: &mut Loading, record: GameRecord) -> Result<(), LoadFailure> {
    let store = services.store.as_ref();
    if record.pin.semantics != SEMANTICS {
        return Err(LoadFailure::Semantics(record.pin.semantics));
    }
    let (game, packs) = (record.id.clone(), services.packs.of_game(store, &record).await?);
    let snapshot = store.snapshot(&game).await?;
    {
        let _permit = services.slow_work.permit(!record.packs.is_empty()).await;
        slow_work::run_aside(|| loading.handle_game(StoredGame { record, packs, snapshot }))?;
    }
    loop {
        let rows = store.log(&game, loading.wanted_rows(), PAGE).await?;
        loading.handle_rows(&rows)?;
        if rows.len() < PAGE as usize {
            break;
        }
    }
    if let (Some(other), Some((prepared, record, seq))) = (&services.config.on_load, loading.loaded_game()) {
        let watching = log_replay::spectators(services, prepared, record, seq).await?;
        loading.replace_table(watching, |live| other.0(live));
    }
    Ok(())
}

/// The table's game as it is in the games folder now.
pub fn current_file(services: &Services, record: &TableRecord) -> CurrentFile {
    services.library.current(&record.definition_id, services.config.workshop.is_some())
}

fn damaged(error: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("a record is damaged: {error}"))
}
