//! The outboxes of a room's clients.

use crate::metrics::Metrics;
use crate::outbox::Recipient;
use crate::outgoing::Outgoing;
use baize_protocol::ErrorCode;
use baize_room::ClientId;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Outboxes, sorted by client id. A table has few clients, and a list takes less memory than a map.
#[derive(Default)]
pub struct Clients(Vec<(ClientId, Arc<dyn Recipient>)>);

/// What a room sends in one go. It is added to the metrics once, because all threads share their counters.
#[derive(Default)]
pub struct SentCount {
    messages: u64,
    bytes: u64,
    /// Clients that were cut off.
    cut: u64,
}

impl SentCount {
    pub fn add_to(&self, metrics: &Metrics) {
        metrics.messages.fetch_add(self.messages, Relaxed);
        metrics.bytes_sent.fetch_add(self.bytes, Relaxed);
        metrics.cut.fetch_add(self.cut, Relaxed);
    }
}

/// Upper bound on clients that were turned away and still get answers.
const MAX_TURNED_AWAY: usize = 64;

impl Clients {
    pub fn add(&mut self, client: ClientId, outbox: Arc<dyn Recipient>) {
        if let Err(at) = self.position(client) {
            self.0.insert(at, (client, outbox));
        }
    }

    /// Adds a client that is not at the table. Beyond [`MAX_TURNED_AWAY`] the clients that connected first are dropped.
    pub fn add_briefly(&mut self, client: ClientId, outbox: Arc<dyn Recipient>) {
        self.add(client, outbox);
        let surplus = self.0.len().saturating_sub(MAX_TURNED_AWAY);
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
                outbox.enqueue(Outgoing::Close(code));
                outbox.send_queued();
            }
            keep
        });
    }

    /// The room has accepted this client.
    pub fn notify_joined(&self, client: ClientId) {
        if let Some(outbox) = self.get(client) {
            outbox.joined();
        }
    }

    /// Queues a message for the next [`Clients::send_queued`]. Returns false if the client's queue is full: the client
    /// does not read, is cut off, and catches up by its last `seq` when it reconnects.
    pub fn enqueue(&self, client: ClientId, message: Outgoing, sent: &mut SentCount) -> bool {
        let Some(outbox) = self.get(client) else { return true };
        sent.messages += 1;
        if let Outgoing::Text(text) = &message {
            sent.bytes += text.len() as u64;
        }
        let taken = outbox.enqueue(message);
        sent.cut += u64::from(!taken);
        taken
    }

    pub fn send_queued(&self) {
        self.0.iter().for_each(|(_, outbox)| outbox.send_queued());
    }

    fn position(&self, client: ClientId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&client, |(client, _)| *client)
    }
}
