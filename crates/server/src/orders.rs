//! Orders to tables from an operator, or from somebody who wants to be forgotten.
//!
//! An order is a row of the store. Every node polls for orders and passes them to its hub ([`crate::order_task`]). The
//! node that has the table carries the order out, and the row is deleted when everything is done. So an order works
//! from another process (`baize admin`), with one server or many nodes, and after a crash: carrying it out twice does
//! no harm.

pub mod at_rest;
pub mod forget;
pub mod opened_table;

use crate::identity::{Member, hash, hex};
use baize_store::{Hash, Store, StoreError};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// Upper bound on the characters of the reason that players read.
pub const REASON_CHARS: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Order {
    /// End a table for good, and tell its players why.
    Close { table: String, reason: String },
    /// Close a table and delete everything about it.
    Delete { table: String },
    /// Forget a browser: its seats, its names, its chat lines, its packs.
    Forget {
        /// The hash of its secret, in hex.
        member: String,
    },
}

impl Order {
    pub fn forget(member: &Member) -> Order {
        Order::Forget { member: hex(member) }
    }

    /// Stores the order. Returns its id.
    pub async fn put(&self, store: &dyn Store, now: u64) -> Result<i64, StoreError> {
        let body = serde_json::to_vec(self).map_err(|error| StoreError::Failed(error.to_string()))?;
        store.put_order(key(&body), now, body).await
    }
}

/// The key by which the store recognises an order that it already has.
fn key(body: &[u8]) -> Hash {
    hash(&[b"baize order v1", body])
}

/// An order on its way to a table.
pub struct OrderRequest {
    pub order: Order,
    pub reply: oneshot::Sender<OrderResult>,
}

/// The result of an order at one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderResult {
    Done,
    /// Another node has the table and carries the order out.
    Elsewhere,
}
