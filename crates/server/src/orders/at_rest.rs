//! Orders that are carried out while a table is not in memory. Whoever calls this has opened the table: nobody else writes to it.

use super::{Obey, Obeyed, Order, forget};
use crate::Services;
use crate::identity::unhex;
use baize_protocol::{ChatKind, ChatLine, TableStatus};
use baize_room::closed_because;
use baize_room::record::{ChatRecord, Record};
use baize_store::{ChatRow, Commit, StoreError, TableRow, Write};

/// A table that was opened under this epoch.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub id: i64,
    pub epoch: i64,
}

impl Held {
    pub fn commit(self, writes: Vec<Write>) -> Commit {
        Commit { table: self.id, epoch: self.epoch, writes }
    }
}

/// Carries orders out and answers them. What fails is not answered, and tried again later.
pub async fn carry_out(services: &Services, code: &str, held: Held, orders: Vec<Obey>) {
    for Obey { order, reply } in orders {
        let done = match &order {
            Order::Close { reason, .. } => close(services, code, held, reason).await,
            Order::Delete { .. } => services.store.delete_table(held.id, held.epoch).await,
            Order::Forget { member } => match unhex(member) {
                Some(member) => forget::at_table(services, code, held, &member).await.map(drop),
                None => Ok(()),
            },
        };
        match done {
            Ok(()) => drop(reply.send(Obeyed::Done)),
            Err(error) => tracing::warn!(%code, %error, "an order could not be carried out"),
        }
    }
}

/// For a table that can't be loaded: otherwise its room does this.
async fn close(services: &Services, code: &str, held: Held, reason: &str) -> Result<(), StoreError> {
    let Some(row) = services.store.peek(code).await? else { return Ok(()) };
    let mut record = read(&row)?;
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
    let said = ChatRecord { line, request: None, about: Vec::new() };
    let writes = vec![Write::Chat(ChatRow { n, body: bytes(&said)? }), table(&record, row.updated_at)?];
    services.store.commit(held.commit(writes)).await
}

pub fn read(row: &TableRow) -> Result<Record, StoreError> {
    serde_json::from_slice(&row.record).map_err(|error| StoreError::Failed(format!("a record is damaged: {error}")))
}

/// The record as it is written.
pub fn table(record: &Record, at: u64) -> Result<Write, StoreError> {
    let listed = record.status != TableStatus::Ended && !record.abandoned;
    Ok(Write::Table { record: bytes(record)?, at, listed, running: record.running() })
}

pub fn bytes(value: &impl serde::Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Failed(error.to_string()))
}
