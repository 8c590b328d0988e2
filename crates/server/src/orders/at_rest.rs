//! Carries out orders while a table is not in memory. The caller has opened the table, so nobody else writes to it.

use super::opened_table::{OpenedTable, encode, end_game_of, read_record, write_record};
use super::{Order, OrderRequest, OrderResult, forget};
use crate::Services;
use crate::identity::unhex;
use baize_protocol::{ChatKind, ChatLine, TableStatus};
use baize_room::closed_because;
use baize_room::record::ChatRecord;
use baize_store::{ChatRow, StoreError, Write};

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
    record.ended_at.get_or_insert(now);
    record.chat += 1;
    let (n, text) = (record.chat, closed_because(reason));
    let line = ChatLine { n, at: now, kind: ChatKind::Session, from: None, text };
    let chat = ChatRecord { line, request: None, about: Vec::new() };
    let mut writes = vec![Write::Chat(ChatRow { n, body: encode(&chat)? }), write_record(&record, row.updated_at)?];
    writes.extend(end_game_of(services.store.as_ref(), &record, now).await?);
    services.store.commit(opened.commit(writes)).await
}
