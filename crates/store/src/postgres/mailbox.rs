//! The slow road between nodes, for the time when Redis is away.
//!
//! A letter is a row that its receiver deletes when it takes it: it arrives once or, if a connection is lost at that
//! moment, not at all. Letters of one sender to one node arrive in the order in which they were sent.

use super::link::{Link, Trouble};
use super::{SILENCE, address, closed, schema};
use crate::supervise::keep;
use crate::{Faults, Pending, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};

/// Letters in one statement.
const GROUP: usize = 512;
/// A notification may be lost with its connection: the letters are looked for this often besides.
const LOOK: Duration = Duration::from_secs(1);
/// How often letters are thrown away whose receivers do not come.
const SWEEP: Duration = Duration::from_secs(30);
/// Letters taken and not yet read; the others stay in the database.
const WAITING: usize = 1024;

pub struct Mailbox {
    letters: mpsc::UnboundedSender<Letter>,
}

struct Letter {
    to: String,
    body: Vec<u8>,
    sent: oneshot::Sender<Result<(), StoreError>>,
}

impl Mailbox {
    /// The mailbox of a node; the receiver gives what is sent to it.
    pub async fn connect(url: &str, node: &str) -> Result<(Self, mpsc::Receiver<Vec<u8>>), StoreError> {
        Self::connect_with(url, node, Faults::default()).await
    }

    /// With faults on purpose, at the edges `mail/send` and `mail/take`.
    pub async fn connect_with(
        url: &str,
        node: &str,
        faults: Faults,
    ) -> Result<(Self, mpsc::Receiver<Vec<u8>>), StoreError> {
        let config = address(url)?;
        let listen = format!("LISTEN {}", channel(node));
        let taking = Link::new(&config, &format!("baize {node} mailbox"), &listen, SILENCE);
        let sending = Link::new(&config, &format!("baize {node} post"), "", SILENCE);
        schema::prepare(&sending).await?;
        taking.live().await?;
        let (letters, posted) = mpsc::unbounded_channel();
        let (arrived, arrivals) = mpsc::channel(WAITING);
        let (sending, posted) = (Arc::new(sending), Arc::new(Mutex::new(posted)));
        let sender = faults.clone();
        // A letter that is lost in a panic is asked for again.
        tokio::spawn(keep("post", || {}, move || send(sending.clone(), posted.clone(), sender.clone())));
        let (node, taking) = (node.to_owned(), Arc::new(taking));
        tokio::spawn(keep(
            "mailbox",
            || {},
            move || {
                let (node, taking, arrived, faults) = (node.clone(), taking.clone(), arrived.clone(), faults.clone());
                async move {
                    // Ends with its reader.
                    tokio::select! {
                        () = take(&taking, &node, &arrived, &faults) => {}
                        () = arrived.closed() => {}
                    }
                }
            },
        ));
        Ok((Mailbox { letters }, arrivals))
    }

    /// Ready when the letter is in the database; an error means that it may never arrive.
    pub fn send(&self, to: &str, body: Vec<u8>) -> Pending<()> {
        let (sent, answer) = oneshot::channel();
        let posted = self.letters.send(Letter { to: to.to_owned(), body, sent }).is_ok();
        Box::pin(async move {
            match posted {
                true => answer.await.unwrap_or_else(|_| Err(closed())),
                false => Err(closed()),
            }
        })
    }
}

async fn send(link: Arc<Link>, posted: Arc<Mutex<mpsc::UnboundedReceiver<Letter>>>, faults: Faults) {
    const SEND: &str = "WITH sent AS (INSERT INTO mail (to_node, body) SELECT * FROM unnest($1::text[], $2::bytea[]))
      SELECT pg_notify(channel, '') FROM unnest($3::text[]) AS channel";
    let mut letters = Vec::new();
    let mut posted = posted.lock().await;
    while posted.recv_many(&mut letters, GROUP).await > 0 {
        faults.trip("mail/send", "");
        let to: Vec<_> = letters.iter().map(|letter| letter.to.as_str()).collect();
        let bodies: Vec<_> = letters.iter().map(|letter| letter.body.as_slice()).collect();
        let mut channels: Vec<_> = to.iter().map(|node| channel(node)).collect();
        channels.sort_unstable();
        channels.dedup();
        // Not sent again if the outcome is unknown: a letter that comes twice is worse than one that does not come.
        let done = match link.ask(SEND, &[&to, &bodies, &channels]).await {
            Ok(_) => Ok(()),
            Err(Trouble::Refused(error) | Trouble::Away(error)) => Err(error),
            Err(Trouble::Unknown(why)) => Err(StoreError::Failed(why)),
        };
        for letter in letters.drain(..) {
            let _ = letter.sent.send(done.clone());
        }
    }
}

async fn take(link: &Link, node: &str, arrived: &mpsc::Sender<Vec<u8>>, faults: &Faults) {
    const TAKE: &str = "WITH mine AS (
        DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE to_node = $1 ORDER BY id LIMIT $2) RETURNING id, body, at)
      SELECT body, at > clock_timestamp() - interval '30 seconds' FROM mine ORDER BY id";
    const STALE: &str = "DELETE FROM mail WHERE at < clock_timestamp() - interval '30 seconds'";
    let mut sweep = Instant::now() + SWEEP;
    loop {
        faults.trip("mail/take", "");
        match link.ask(TAKE, &[&node, &(GROUP as i64)]).await {
            Ok(rows) if rows.is_empty() => {
                let _ = timeout(LOOK, link.news.notified()).await;
            }
            Ok(rows) => {
                for row in rows.iter().filter(|row| row.get(1)) {
                    if arrived.send(row.get(0)).await.is_err() {
                        return;
                    }
                }
            }
            Err(_) => sleep(LOOK / 10).await,
        }
        if Instant::now() > sweep {
            let _ = link.ask(STALE, &[]).await;
            sweep = Instant::now() + SWEEP;
        }
    }
}

/// Where a node listens. Names of nodes may be longer than Postgres' names; two that share a channel look once too often.
fn channel(node: &str) -> String {
    let hash = node
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("baize_mail_{hash:016x}")
}
