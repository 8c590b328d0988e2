//! Orders: what an operator, or somebody who wants to be forgotten, asks of tables.
//!
//! An order is a row of the store. Every node looks for orders again and again and passes them to its hub; the node that has the
//! table obeys, and the row is deleted when all is done. So an order works from another process (`baize admin`), with one
//! server or with many nodes, and after a crash: obeying twice does no harm.

pub mod at_rest;
pub mod forget;

use crate::Services;
use crate::identity::{Member, hash, hex, unhex};
use crate::room_task::TableMessage;
use baize_store::{Hash, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Orders that are obeyed at the same time.
const TOGETHER: u32 = 32;
/// Tables of one member that are seen to before the others get a turn.
const TABLES: u32 = 64;
/// A table that takes longer is asked again the next time.
const PATIENCE: Duration = Duration::from_secs(30);
/// Characters of the reason that players are told.
pub const REASON_CHARS: usize = 200;

/// What shall be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Order {
    /// End a table for good, and tell its players.
    Close { table: String, reason: String },
    /// Close a table and delete everything about it.
    Delete { table: String },
    /// Forget a browser: its places, its names, what it wrote in chats, its packs.
    Forget {
        /// The hash of its secret, in hex.
        member: String,
    },
}

impl Order {
    pub fn forget(member: &Member) -> Order {
        Order::Forget { member: hex(member) }
    }

    /// Puts the order where the nodes look for it. Returns its number.
    pub async fn put(&self, store: &dyn Store, now: u64) -> Result<i64, StoreError> {
        let body = serde_json::to_vec(self).map_err(|error| StoreError::Failed(error.to_string()))?;
        store.put_order(key(&body), now, body).await
    }
}

/// The same order is put once.
fn key(body: &[u8]) -> Hash {
    hash(&[b"baize order v1", body])
}

/// An order on its way to a table.
pub struct Obey {
    pub order: Order,
    pub reply: oneshot::Sender<Obeyed>,
}

/// What came of an order at one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obeyed {
    Done,
    /// Another node has the table, and obeys by itself.
    Elsewhere,
}

/// Looks for orders as long as the server runs.
pub async fn run(services: Arc<Services>) {
    let clock = services.config.clock.clone();
    loop {
        obey_all(&services).await;
        clock.sleep_until(clock.now() + services.config.look_every, pin!(None)).await;
    }
}

async fn obey_all(services: &Arc<Services>) {
    let orders = match services.store.orders(TOGETHER).await {
        Ok(orders) => orders,
        Err(error) => return tracing::warn!(%error, "orders could not be read"),
    };
    let mut tasks = JoinSet::new();
    for row in orders {
        let services = services.clone();
        tasks.spawn(async move {
            let Ok(order) = serde_json::from_slice(&row.body) else {
                tracing::warn!(order = row.id, "an order could not be read, and is dropped");
                return drop(services.store.finish_order(row.id).await);
            };
            if let Err(error) = obey(&services, row.id, &order).await {
                tracing::warn!(order = row.id, %error, "an order could not be obeyed yet");
            }
        });
    }
    while tasks.join_next().await.is_some() {}
}

/// Does what this node can do. True: all is done, and the order is gone.
pub async fn obey(services: &Arc<Services>, id: i64, order: &Order) -> Result<bool, StoreError> {
    let done = match order {
        Order::Close { table, .. } | Order::Delete { table } => pass(services, table, order).await,
        Order::Forget { member } => match unhex(member) {
            Some(member) => forget_everywhere(services, &member, order).await?,
            None => true,
        },
    };
    if done {
        services.store.finish_order(id).await?;
    }
    Ok(done)
}

/// Passes an order to a table. True: done.
async fn pass(services: &Arc<Services>, table: &str, order: &Order) -> bool {
    let (reply, answer) = oneshot::channel();
    let message = TableMessage::Obey(Box::new(Obey { order: order.clone(), reply }));
    if services.hub.pass(services, table, message).is_err() {
        return false;
    }
    matches!(tokio::time::timeout(PATIENCE, answer).await, Ok(Ok(Obeyed::Done)))
}

/// When a member belongs to no table any more, the rest is deleted.
async fn forget_everywhere(services: &Arc<Services>, member: &Member, order: &Order) -> Result<bool, StoreError> {
    let store = &services.store;
    loop {
        let tables = store.codes_of(member, TABLES).await?;
        if tables.is_empty() {
            store.forget(member).await?;
            return Ok(true);
        }
        let mut left = false;
        for table in &tables {
            left |= !pass(services, table, order).await;
        }
        // The other nodes do their part, or this one the next time.
        if left {
            return Ok(false);
        }
    }
}
