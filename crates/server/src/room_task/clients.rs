//! Where a room's clients are reached.

use crate::metrics::Metrics;
use crate::outbox::{Outgoing, Recipient};
use baize_protocol::ErrorCode;
use baize_room::ClientId;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Outboxes by client, in the order of their ids. A table has a few, and they are kept as long as it is: a list is smaller than a map.
#[derive(Default)]
pub struct Clients(Vec<(ClientId, Arc<dyn Recipient>)>);

/// Clients that were turned away and are still answered.
const MOST_TURNED_AWAY: usize = 64;

impl Clients {
    pub fn add(&mut self, client: ClientId, outbox: Arc<dyn Recipient>) {
        if let Err(at) = self.position(client) {
            self.0.insert(at, (client, outbox));
        }
    }

    /// The same for somebody who is not at the table. Of more than a few, those who have been connected for longest are forgotten.
    pub fn add_briefly(&mut self, client: ClientId, outbox: Arc<dyn Recipient>) {
        self.add(client, outbox);
        let surplus = self.0.len().saturating_sub(MOST_TURNED_AWAY);
        self.0.drain(..surplus);
    }

    pub fn get(&self, client: ClientId) -> Option<&Arc<dyn Recipient>> {
        self.position(client).ok().map(|at| &self.0[at].1)
    }

    pub fn remove(&mut self, client: ClientId) {
        if let Ok(at) = self.position(client) {
            self.0.remove(at);
        }
    }

    pub fn retain(&mut self, keep: impl Fn(ClientId) -> bool) {
        self.0.retain(|(client, _)| keep(*client));
    }

    pub fn close_unless(&mut self, keep: impl Fn(ClientId) -> bool, code: ErrorCode) {
        self.0.retain(|(client, outbox)| {
            let keep = keep(*client);
            if !keep {
                outbox.put(Outgoing::Close(code));
                outbox.go();
            }
            keep
        });
    }

    /// A room has taken this client in.
    pub fn joined(&self, client: ClientId) {
        if let Some(outbox) = self.get(client) {
            outbox.joined();
        }
    }

    /// Takes a message for the next [`Clients::go`]. False: the client's queue is full. It does not read, is cut off, and comes
    /// back by its last `seq`.
    pub fn put(&self, client: ClientId, message: Outgoing, metrics: &Metrics) -> bool {
        let Some(outbox) = self.get(client) else { return true };
        metrics.messages.fetch_add(1, Relaxed);
        if let Outgoing::Text(text) = &message {
            metrics.bytes_sent.fetch_add(text.len() as u64, Relaxed);
        }
        let taken = outbox.put(message);
        if !taken {
            metrics.cut.fetch_add(1, Relaxed);
        }
        taken
    }

    /// Sends what was put.
    pub fn go(&self) {
        self.0.iter().for_each(|(_, outbox)| outbox.go());
    }

    fn position(&self, client: ClientId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&client, |(client, _)| *client)
    }
}
