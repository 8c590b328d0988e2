//! How letters travel: by Redis, and by the database's mailbox when Redis does not take them. Either may lose letters, and one may
//! overtake the other: that is a [line](super::line)'s business.

use super::redis::Redis;
use crate::Services;
use crate::supervise::failed;
use baize_store::Mailbox;
use baize_store::Unwritable;
use bytes::Bytes;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Letters sent with one round trip.
const TOGETHER: usize = 256;

enum Parcel {
    Letter(String, Bytes),
    /// Everything before this is on its way.
    Flushed(oneshot::Sender<()>),
}

pub struct Roads(mpsc::UnboundedSender<Parcel>);

impl Roads {
    pub fn new(services: Arc<Services>, redis: Option<Arc<Redis>>, mailbox: Mailbox) -> Self {
        let (sender, mut waiting) = mpsc::unbounded_channel();
        // Letters that are lost in a panic are asked for again.
        tokio::spawn(async move {
            while failed("roads", &services.panics, carry(&services, redis.as_deref(), &mailbox, &mut waiting)).await {}
        });
        Roads(sender)
    }

    /// A letter that could not be written is lost, as any letter may be.
    pub fn send(&self, to: &str, letter: Result<Bytes, Unwritable>) {
        match letter {
            Ok(letter) => drop(self.0.send(Parcel::Letter(to.to_owned(), letter))),
            Err(error) => tracing::error!(%to, %error, "a letter is lost"),
        }
    }

    /// Tells when all that was sent before is on its way.
    pub fn flushed(&self, done: oneshot::Sender<()>) {
        let _ = self.0.send(Parcel::Flushed(done));
    }
}

async fn carry(
    services: &Services,
    redis: Option<&Redis>,
    mailbox: &Mailbox,
    waiting: &mut mpsc::UnboundedReceiver<Parcel>,
) {
    let mut group = Vec::with_capacity(TOGETHER);
    while waiting.recv_many(&mut group, TOGETHER).await > 0 {
        services.config.faults.trip("task/roads", "");
        let mut letters = Vec::with_capacity(group.len());
        let mut told = Vec::new();
        for parcel in group.drain(..) {
            match parcel {
                Parcel::Letter(to, letter) => letters.push((to, letter)),
                Parcel::Flushed(done) => told.push(done),
            }
        }
        let left = match redis {
            Some(redis) => redis.publish(letters).await,
            None => letters,
        };
        // Nobody waits for this road, which may be slow or closed: whoever misses a letter asks for it.
        let posted: Vec<_> = left.iter().map(|(to, letter)| mailbox.send(to, letter.to_vec())).collect();
        if !told.is_empty() {
            for sent in posted {
                let _ = sent.await;
            }
        }
        for done in told {
            let _ = done.send(());
        }
    }
}
