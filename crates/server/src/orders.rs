//! Orders: what an operator, or somebody who wants to be forgotten, asks of tables.
//!
//! An order is a row of the store. Every node looks for orders again and again and passes them to its hub; the node that has the
//! table obeys, and the row is deleted when all is done. So an order works from another process (`baize admin`), with one
//! server or with many nodes, and after a crash: obeying twice does no harm.

pub mod at_rest;
pub mod forget;

use crate::identity::{Member, hash, hex};
use baize_store::{Hash, Store, StoreError};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

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
