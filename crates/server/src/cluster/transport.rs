//! How messages travel: by Redis and, if Redis does not deliver, by the database's mailbox. Both may lose messages and
//! one may overtake the other; the [peer link](super::peer_link) repairs that.

use super::redis::Redis;
use crate::Services;
use crate::supervise::panicked;
use baize_store::Mailbox;
use baize_store::Unwritable;
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// Upper bound on messages that are sent with one round trip.
const GROUP: usize = 256;

enum TransportJob {
    Send(String, Bytes),
    /// Reply when everything queued before this is sent.
    Flush(oneshot::Sender<()>),
}

/// Upper bound on the bytes of messages that wait to be sent. While Redis and the database are slow, further messages are
/// lost; the receiver asks for them again, or its links end.
const MAX_WAITING_BYTES: usize = 64 << 20;
/// An empty message takes some memory, too.
const MESSAGE_BYTES: usize = 256;

pub struct Transport {
    jobs: mpsc::UnboundedSender<TransportJob>,
    waiting: Arc<WaitingBytes>,
}

/// The bytes of messages that wait to be sent.
#[derive(Default)]
struct WaitingBytes(AtomicUsize);

impl WaitingBytes {
    /// Returns false if there is no space for the message.
    fn take(&self, message: &Bytes) -> bool {
        let size = message.len() + MESSAGE_BYTES;
        let fits = |waiting: usize| (waiting + size <= MAX_WAITING_BYTES).then_some(waiting + size);
        self.0.fetch_update(Relaxed, Relaxed, fits).is_ok()
    }

    fn release(&self, message: &Bytes) {
        self.0.fetch_sub(message.len() + MESSAGE_BYTES, Relaxed);
    }
}

impl Transport {
    pub fn new(services: Arc<Services>, redis: Option<Arc<Redis>>, mailbox: Mailbox) -> Self {
        let (sender, mut jobs) = mpsc::unbounded_channel();
        let waiting = Arc::new(WaitingBytes::default());
        let sent = waiting.clone();
        // Messages that are lost in a panic are requested again.
        tokio::spawn(async move {
            loop {
                let send = send_all(&services, redis.as_deref(), &mailbox, &mut jobs, &sent);
                if !panicked("transport", &services.panics, send).await {
                    return;
                }
            }
        });
        Transport { jobs: sender, waiting }
    }

    /// A message that could not be encoded is lost. If it held a packet, [`Peers`](super::peers::Peers) has ended its link.
    pub fn send(&self, to: &str, message: Result<Bytes, Unwritable>) {
        match message {
            Ok(message) if self.waiting.take(&message) => {
                let _ = self.jobs.send(TransportJob::Send(to.to_owned(), message));
            }
            Ok(_) => tracing::warn!(%to, "too many messages wait to be sent; one to another node is lost"),
            Err(error) => tracing::error!(%to, %error, "a message to another node is lost"),
        }
    }

    /// Replies when everything that was sent before has left this node.
    pub fn reply_when_sent(&self, done: oneshot::Sender<()>) {
        let _ = self.jobs.send(TransportJob::Flush(done));
    }
}

async fn send_all(
    services: &Services,
    redis: Option<&Redis>,
    mailbox: &Mailbox,
    jobs: &mut mpsc::UnboundedReceiver<TransportJob>,
    waiting: &WaitingBytes,
) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
        // The counts are released before anything can panic, so that no message counts as waiting for ever.
        for job in &group {
            if let TransportJob::Send(_, message) = job {
                waiting.release(message);
            }
        }
        services.config.faults.trip("task/transport", "");
        let mut messages = Vec::with_capacity(group.len());
        let mut flush_replies = Vec::new();
        for job in group.drain(..) {
            match job {
                TransportJob::Send(to, message) => messages.push((to, message)),
                TransportJob::Flush(done) => flush_replies.push(done),
            }
        }
        let left = match redis {
            Some(redis) => redis.publish(messages).await,
            None => messages,
        };
        // The mailbox may be slow or closed, so only a caller that asked to flush waits for it. A node that misses a
        // message requests it again.
        let posted: Vec<_> = left.iter().map(|(to, message)| mailbox.send(to, message.to_vec())).collect();
        if !flush_replies.is_empty() {
            for sent in posted {
                let _ = sent.await;
            }
        }
        for done in flush_replies {
            let _ = done.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_that_wait_to_be_sent_are_bounded() {
        let (waiting, message) = (WaitingBytes::default(), Bytes::from(vec![0; 1 << 20]));
        let taken = (0..1_000).filter(|_| waiting.take(&message)).count();
        assert_eq!(taken, MAX_WAITING_BYTES / ((1 << 20) + MESSAGE_BYTES));
        waiting.release(&message);
        assert!(waiting.take(&message) && !waiting.take(&message));
    }
}
