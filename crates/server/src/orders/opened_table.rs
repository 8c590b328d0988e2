//! A table that this node has opened, and its record as the store has it.

use baize_protocol::TableStatus;
use baize_room::record::TableRecord;
use baize_store::{Commit, StoreError, TableRow, Write};

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

pub fn encode(value: &impl serde::Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Failed(error.to_string()))
}
