//! Looks for [orders](crate::orders) in the store and passes them to their tables.

use crate::Services;
use crate::identity::{Member, unhex};
use crate::inbox::TableMessage;
use crate::orders::{Order, OrderRequest, OrderResult};
use baize_store::StoreError;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Upper bound on orders that the server carries out at the same time.
const CONCURRENT_ORDERS: u32 = 32;
/// Upper bound on the tables of one member that get an order in one round, so that a member with many tables does not hold up the other orders.
const TABLES_PER_ROUND: u32 = 64;
/// How long a table may take to answer. After that, the order stays in the store and the next round tries again.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Looks for orders as long as the server runs.
pub async fn run(services: Arc<Services>) {
    let clock = services.config.clock.clone();
    loop {
        services.config.faults.trip("task/orders", "");
        carry_out_all(&services).await;
        clock.sleep_until(clock.now() + services.config.look_every, pin!(None)).await;
    }
}

async fn carry_out_all(services: &Arc<Services>) {
    let orders = match services.store.orders(CONCURRENT_ORDERS).await {
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
            if let Err(error) = carry_out(&services, row.id, &order).await {
                tracing::warn!(order = row.id, %error, "an order could not be obeyed yet");
            }
        });
    }
    while tasks.join_next().await.is_some() {}
}

/// Carries out this node's part of an order. Returns true if the order is done and deleted.
pub async fn carry_out(services: &Arc<Services>, id: i64, order: &Order) -> Result<bool, StoreError> {
    let done = match order {
        Order::Close { table, .. } | Order::Delete { table } => pass_to_table(services, table, order).await,
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

/// Passes an order to a table. Returns true if the table has carried it out.
async fn pass_to_table(services: &Arc<Services>, table: &str, order: &Order) -> bool {
    let (reply, answer) = oneshot::channel();
    let message = TableMessage::Order(Box::new(OrderRequest { order: order.clone(), reply }));
    if services.hub.pass(services, table, message).is_err() {
        return false;
    }
    matches!(tokio::time::timeout(ANSWER_TIMEOUT, answer).await, Ok(Ok(OrderResult::Done)))
}

/// Passes the order to all tables of the member; when none is left, deletes the rest.
async fn forget_everywhere(services: &Arc<Services>, member: &Member, order: &Order) -> Result<bool, StoreError> {
    let store = &services.store;
    loop {
        let tables = store.codes_of(member, TABLES_PER_ROUND).await?;
        if tables.is_empty() {
            store.forget(member).await?;
            return Ok(true);
        }
        let mut is_incomplete = false;
        for table in &tables {
            is_incomplete |= !pass_to_table(services, table, order).await;
        }
        // Other nodes carry out their part; whatever is left, the next round does.
        if is_incomplete {
            return Ok(false);
        }
    }
}
