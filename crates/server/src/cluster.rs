//! Several servers (*nodes*) share one database. Any node takes any socket; one node has each table.
//!
//! The store decides which node has a table ([`baize_store::Opened::Elsewhere`]). At every other node a [`stand_in`]
//! takes the table's place in the hub: it forwards its clients' messages to that node and the answers back to the
//! clients. Two nodes exchange numbered packets over a [`peer_link`]. [`peers`] holds all links of a node: a
//! [`table_peer`] has tables for clients of this node, a [`socket_peer`] has clients (*guests*) of this node's tables.
//! These modules do no IO; the [`peer_task`] is the shell around them. Messages travel by Redis or, when Redis fails,
//! by the database's mailbox ([`transport`]). Only the store decides who may write to a table, so no lost, late or
//! repeated message can make two nodes write to the same table.

#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod peer_link;
mod peer_message;
mod peer_task;
mod peers;
mod redis;
mod socket_peer;
mod stand_in;
mod stand_in_task;
mod start;
mod table_peer;
mod transport;

pub use stand_in_task::stand_in;
pub use start::{ClusterStart, join};

use peer_task::{NodeRequest, PeerTaskRequest};
use redis::Redis;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// A node that takes longer to answer counts as unreachable.
const REACH_TIMEOUT: Duration = Duration::from_millis(1_200);

/// A handle to the peer task of this node.
pub struct Cluster {
    pub node: String,
    requests: mpsc::UnboundedSender<PeerTaskRequest>,
    pub redis: Option<Arc<Redis>>,
}

impl Cluster {
    /// Also returns the receiving end of the peer task's requests.
    fn new(node: String) -> (Cluster, mpsc::UnboundedReceiver<PeerTaskRequest>) {
        let (sender, requests) = mpsc::unbounded_channel();
        (Cluster { node, requests: sender, redis: None }, requests)
    }

    fn request(&self, request: PeerTaskRequest) {
        // The send can't fail: the peer task runs as long as the program.
        let _ = self.requests.send(request);
    }

    pub async fn reach(&self, node: &str) -> bool {
        let (reply, answered) = oneshot::channel();
        self.request(PeerTaskRequest::ForNode(node.to_owned(), NodeRequest::Reach(reply)));
        matches!(tokio::time::timeout(REACH_TIMEOUT, answered).await, Ok(Ok(())))
    }

    /// Waits until every message that was queued so far is sent.
    pub async fn close(&self) {
        let (sent, done) = oneshot::channel();
        self.request(PeerTaskRequest::Close(sent));
        let _ = done.await;
    }

    /// The function that takes messages from other nodes.
    fn message_handler(&self) -> impl Fn(Vec<u8>) + Send + Sync + 'static + use<> {
        let requests = self.requests.clone();
        move |message| drop(requests.send(PeerTaskRequest::Received(message)))
    }
}
