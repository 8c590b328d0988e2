//! Carries out orders while a table is not in memory. The caller has opened the table, so nobody else writes to it.

use super::{Order, OrderRequest, OrderResult, forget};
use crate::Services;
use crate::identity::unhex;
use baize_protocol::{ChatKind, ChatLine, TableStatus};
use baize_room::closed_because;
use baize_room::record::{ChatRecord, TableRecord};
use baize_store::{ChatRow, Commit, StoreError, TableRow, Write};

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

/// Carries orders out and answers them. A failed order gets no answer and comes again.
pub async fn carry_out(services: &Services, code: &str, opened: OpenedTable, orders: Vec<OrderRequest>) {
    for OrderRequest { order, reply } in orders {
        let done = match &order {
            Order::Close { reason, .. } => close(services, code, opened, reason).await,
            Order::Delete { .. } => services.store.delete_table(opened.id, opened.epoch).await,
            Order::Forget { member } => match unhex(member) {
                Some(member) => forget::forget_at_table(services, code, opened, &member).await.map(drop),
                None => Ok(()),
            },
        };
        match done {
            Ok(()) => drop(reply.send(OrderResult::Done)),
            Err(error) => tracing::warn!(%code, %error, "an order could not be carried out"),
        }
    }
}

/// Closes a table that could not be loaded; otherwise its room does this.
async fn close(services: &Services, code: &str, opened: OpenedTable, reason: &str) -> Result<(), StoreError> {
    let Some(row) = services.store.peek(code).await? else { return Ok(()) };
    let mut record = read_record(&row)?;
    if record.abandoned {
        return Ok(());
    }
    let now = services.config.clock.date();
    record.abandoned = true;
    record.status = TableStatus::Ended;
    record.ended_at = Some(now);
    record.chat += 1;
    let (n, text) = (record.chat, closed_because(reason));
    let line = ChatLine { n, at: now, kind: ChatKind::Session, from: None, text, line: None };
    let chat = ChatRecord { line, request: None, about: Vec::new() };
    let writes = vec![Write::Chat(ChatRow { n, body: encode(&chat)? }), write_record(&record, row.updated_at)?];
    services.store.commit(opened.commit(writes)).await
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
