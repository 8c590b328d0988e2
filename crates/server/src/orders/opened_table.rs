//! A table that this node has opened, and its record as the store has it.

use baize_protocol::TableStatus;
use baize_room::record::{GameRecord, TableRecord};
use baize_store::{Commit, GameRow, Store, StoreError, TableRow, Write};

/// A table that this node has opened, with its epoch.
#[derive(Clone, Copy, Debug)]
pub struct OpenedTable {
    pub id: i64,
    pub epoch: i64,
}

impl OpenedTable {
    pub fn commit(self, writes: Vec<Write>) -> Commit {
        Commit { table: self.id, epoch: self.epoch, writes }
    }
}

pub fn read_record(row: &TableRow) -> Result<TableRecord, StoreError> {
    serde_json::from_slice(&row.record).map_err(|error| StoreError::Failed(format!("a record is damaged: {error}")))
}

/// The write that stores a record.
pub fn write_record(record: &TableRecord, at: u64) -> Result<Write, StoreError> {
    let listed = record.status != TableStatus::Ended && !record.abandoned;
    Ok(Write::Table { record: encode(record)?, at, listed, running: record.running() })
}

/// The writes that end the current game of a table that no room executes any more. The game ends void. Changes nothing of a game that
/// is over.
pub async fn end_game_of(store: &dyn Store, record: &TableRecord, date: u64) -> Result<Vec<Write>, StoreError> {
    let id = record.game();
    let Some(row) = store.game(&id).await? else { return Ok(Vec::new()) };
    let mut game: GameRecord = match serde_json::from_slice(&row.record) {
        Ok(game) => game,
        // The table must end all the same.
        Err(error) => {
            tracing::error!(game = %id, %error, "a record is damaged and stays as it is");
            return Ok(vec![Write::Ended { game: id }]);
        }
    };
    if game.ended_at.is_some() {
        return Ok(Vec::new());
    }
    (game.ended_at, game.void) = (Some(date), true);
    Ok(vec![Write::Game(GameRow { id: id.clone(), record: encode(&game)? }), Write::Ended { game: id }])
}

pub fn encode(value: &impl serde::Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Failed(error.to_string()))
}
