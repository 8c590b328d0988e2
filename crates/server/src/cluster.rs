//! Many nodes: any of them takes any socket, and one of them has the table.
//!
//! The store says which node has a table ([`baize_store::Opened::Elsewhere`]). At every other node a [`stand_in`] takes the
//! table's place in the hub: it passes what its clients want on to that node and what comes back to them. Between two nodes lies a
//! [`line`]; all lines of a node belong to its [`switchboard`], with the clients whose tables are [`elsewhere`] at their one end and
//! the [`guests`] of tables at their other. These four do no IO; the task around them is the [`exchange`]. Letters travel by Redis, and where that fails by the
//! database's mailbox ([`roads`]). Who may write to a table is decided by the store alone: nothing that gets lost, comes
//! late or comes twice here can make two nodes write to one.

mod elsewhere;
mod exchange;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod guests;
mod letter;
mod line;
mod redis;
mod roads;
mod stand_in;
mod start;
mod switchboard;

pub use stand_in::stand_in;
pub use start::{Start, join};

use exchange::{Order, ToNode};
use redis::Redis;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// How long a node may take to answer before it counts as out of reach.
const REACH: Duration = Duration::from_millis(1_200);

/// This node's place among the others.
pub struct Cluster {
    pub node: String,
    orders: mpsc::UnboundedSender<Order>,
    pub redis: Option<Arc<Redis>>,
}

impl Cluster {
    /// The place, and what the exchange will be asked.
    fn new(node: String) -> (Cluster, mpsc::UnboundedReceiver<Order>) {
        let (orders, ordered) = mpsc::unbounded_channel();
        (Cluster { node, orders, redis: None }, ordered)
    }

    fn order(&self, order: Order) {
        // The exchange ends with the program.
        let _ = self.orders.send(order);
    }

    /// Whether that node answers.
    pub async fn reach(&self, node: &str) -> bool {
        let (there, answered) = oneshot::channel();
        self.order(Order::At(node.to_owned(), ToNode::Reach(there)));
        matches!(tokio::time::timeout(REACH, answered).await, Ok(Ok(())))
    }

    /// Sends what waits to be sent.
    pub async fn close(&self) {
        let (sent, done) = oneshot::channel();
        self.order(Order::Close(sent));
        let _ = done.await;
    }

    /// A way for letters to come in.
    fn letters(&self) -> impl Fn(Vec<u8>) + Send + Sync + 'static + use<> {
        let orders = self.orders.clone();
        move |letter| drop(orders.send(Order::Letter(letter)))
    }
}
