//! Messages between nodes through the database: the fallback while Redis is unavailable.
//!
//! A letter is a row that its receiver deletes when it reads it. So a letter arrives once or, if the connection is lost at that moment,
//! not at all. Letters of one sender to one node arrive in the order in which they were sent.

use super::connection::{Connection, QueryError};
use super::{STATEMENT_TIMEOUT, closed, parse_url, schema};
use crate::supervise::restart_on_panic;
use crate::{Faults, Pending, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};

/// Upper bound on letters in one statement.
const MAX_GROUP: usize = 512;
/// A notification may be lost with its session, so the mailbox also looks for letters this often.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often the mailbox deletes letters to receivers that do not take them.
const SWEEP_INTERVAL: Duration = Duration::from_secs(30);
/// Letters taken from the database that the server has not read yet; further letters stay in the database.
const MAX_UNREAD: usize = 1024;

/// Upper bound on letters that wait to be sent. More are refused, as if the database did not answer.
const MAX_WAITING: usize = 4096;

pub struct Mailbox {
    letters: mpsc::Sender<Letter>,
}

struct Letter {
    to: String,
    body: Vec<u8>,
    sent: oneshot::Sender<Result<(), StoreError>>,
}

impl Mailbox {
    /// Opens the mailbox of a node; the receiver gives the letters to this node.
    pub async fn connect(url: &str, node: &str) -> Result<(Self, mpsc::Receiver<Vec<u8>>), StoreError> {
        Self::connect_with(url, node, Faults::default()).await
    }

    /// Like [`Mailbox::connect`], with faults injected at `mail/send` and `mail/take`.
    pub async fn connect_with(
        url: &str,
        node: &str,
        faults: Faults,
    ) -> Result<(Self, mpsc::Receiver<Vec<u8>>), StoreError> {
        let config = parse_url(url)?;
        let listen = format!("LISTEN {}", channel(node));
        let taking = Connection::new(&config, &format!("baize {node} mailbox"), &listen, STATEMENT_TIMEOUT);
        let sending = Connection::new(&config, &format!("baize {node} post"), "", STATEMENT_TIMEOUT);
        schema::prepare(&sending).await?;
        taking.session().await?;
        let (letters, posted) = mpsc::channel(MAX_WAITING);
        let (arrived, arrivals) = mpsc::channel(MAX_UNREAD);
        let (sending, posted) = (Arc::new(sending), Arc::new(Mutex::new(posted)));
        let sender = faults.clone();
        // A panic may lose letters; the receiving node notices the gap in their numbers and asks for them again.
        tokio::spawn(restart_on_panic("post", || {}, move || send(sending.clone(), posted.clone(), sender.clone())));
        let (node, taking) = (node.to_owned(), Arc::new(taking));
        tokio::spawn(restart_on_panic(
            "mailbox",
            || {},
            move || {
                let (node, taking, arrived, faults) = (node.clone(), taking.clone(), arrived.clone(), faults.clone());
                async move {
                    // The task ends when the receiver is dropped.
                    tokio::select! {
                        () = take(&taking, &node, &arrived, &faults) => {}
                        () = arrived.closed() => {}
                    }
                }
            },
        ));
        Ok((Mailbox { letters }, arrivals))
    }

    /// Ready when the letter is in the database. After an error the letter may still arrive, or never.
    pub fn send(&self, to: &str, body: Vec<u8>) -> Pending<()> {
        let (sent, answer) = oneshot::channel();
        let posted = self.letters.try_send(Letter { to: to.to_owned(), body, sent }).is_ok();
        Box::pin(async move {
            match posted {
                true => answer.await.unwrap_or_else(|_| Err(closed())),
                false => Err(closed()),
            }
        })
    }
}

async fn send(connection: Arc<Connection>, posted: Arc<Mutex<mpsc::Receiver<Letter>>>, faults: Faults) {
    const SEND: &str = "WITH sent AS (INSERT INTO mail (to_node, body) SELECT * FROM unnest($1::text[], $2::bytea[]))
      SELECT pg_notify(channel, '') FROM unnest($3::text[]) AS channel";
    let mut letters = Vec::new();
    let mut posted = posted.lock().await;
    while posted.recv_many(&mut letters, MAX_GROUP).await > 0 {
        faults.trip("mail/send", "");
        let to: Vec<_> = letters.iter().map(|letter| letter.to.as_str()).collect();
        let bodies: Vec<_> = letters.iter().map(|letter| letter.body.as_slice()).collect();
        let mut channels: Vec<_> = to.iter().map(|node| channel(node)).collect();
        channels.sort_unstable();
        channels.dedup();
        // No retry when the outcome is unknown: a letter that arrives twice does more harm than a lost one.
        let done = match connection.query_once(SEND, &[&to, &bodies, &channels]).await {
            Ok(_) => Ok(()),
            Err(QueryError::Refused(error) | QueryError::Unreachable(error)) => Err(error),
            Err(QueryError::OutcomeUnknown(why)) => Err(StoreError::Failed(why)),
        };
        for letter in letters.drain(..) {
            let _ = letter.sent.send(done.clone());
        }
    }
}

async fn take(connection: &Connection, node: &str, arrived: &mpsc::Sender<Vec<u8>>, faults: &Faults) {
    const TAKE: &str = "WITH mine AS (
        DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE to_node = $1 ORDER BY id LIMIT $2) RETURNING id, body, at)
      SELECT body, at > clock_timestamp() - interval '30 seconds' FROM mine ORDER BY id";
    const STALE: &str = "DELETE FROM mail WHERE at < clock_timestamp() - interval '30 seconds'";
    let mut sweep = Instant::now() + SWEEP_INTERVAL;
    loop {
        faults.trip("mail/take", "");
        match connection.query_once(TAKE, &[&node, &(MAX_GROUP as i64)]).await {
            Ok(rows) if rows.is_empty() => {
                let _ = timeout(POLL_INTERVAL, connection.notified.notified()).await;
            }
            Ok(rows) => {
                for row in rows.iter().filter(|row| row.get(1)) {
                    if arrived.send(row.get(0)).await.is_err() {
                        return;
                    }
                }
            }
            Err(_) => sleep(POLL_INTERVAL / 10).await,
        }
        if Instant::now() > sweep {
            let _ = connection.query_once(STALE, &[]).await;
            sweep = Instant::now() + SWEEP_INTERVAL;
        }
    }
}

/// The notification channel of a node. It has a hash, because a node's name may be longer than Postgres allows. If two nodes share a
/// channel, each looks for letters more often than necessary.
fn channel(node: &str) -> String {
    let hash = node
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("baize_mail_{hash:016x}")
}
