//! How messages travel: by Redis and, if Redis does not deliver, by the database's mailbox. Both may lose messages and
//! one may overtake the other; the [peer link](super::peer_link) repairs that.

use super::redis::Redis;
use crate::Services;
use crate::supervise::panicked;
use baize_store::Mailbox;
use baize_store::Unwritable;
use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Messages sent with one round trip.
const GROUP: usize = 256;

enum TransportJob {
    Send(String, Bytes),
    /// Reply when everything queued before this is sent.
    Flush(oneshot::Sender<()>),
}

pub struct Transport(mpsc::UnboundedSender<TransportJob>);

impl Transport {
    pub fn new(services: Arc<Services>, redis: Option<Arc<Redis>>, mailbox: Mailbox) -> Self {
        let (sender, mut jobs) = mpsc::unbounded_channel();
        // Messages that are lost in a panic are requested again.
        tokio::spawn(async move {
            while panicked("transport", &services.panics, send_all(&services, redis.as_deref(), &mailbox, &mut jobs))
                .await
            {}
        });
        Transport(sender)
    }

    /// A message that could not be encoded is lost. If it held a packet, [`Peers`](super::peers::Peers) has ended its link.
    pub fn send(&self, to: &str, message: Result<Bytes, Unwritable>) {
        match message {
            Ok(message) => drop(self.0.send(TransportJob::Send(to.to_owned(), message))),
            Err(error) => tracing::error!(%to, %error, "a message to another node is lost"),
        }
    }

    /// Replies when everything that was sent before has left this node.
    pub fn reply_when_sent(&self, done: oneshot::Sender<()>) {
        let _ = self.0.send(TransportJob::Flush(done));
    }
}

async fn send_all(
    services: &Services,
    redis: Option<&Redis>,
    mailbox: &Mailbox,
    jobs: &mut mpsc::UnboundedReceiver<TransportJob>,
) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.recv_many(&mut group, GROUP).await > 0 {
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
