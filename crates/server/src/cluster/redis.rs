//! Redis carries messages to nodes and remembers where tables are and how many people are online. It is only a hint:
//! the server finds out by other means, later, whatever is lost here.

use crate::supervise::{Panics, panicked};
use baize_protocol::http::Online;
use baize_store::Faults;
use bytes::Bytes;
use futures_util::StreamExt;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisResult};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

/// The server does not wait longer for Redis.
const REDIS_TIMEOUT: Duration = Duration::from_millis(500);
/// The pause between two attempts to connect.
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);
/// How long Redis remembers a table's node, in seconds, if nobody deletes the entry.
const LOCATION_EXPIRY: u64 = 3600;
/// How long a node's report of its players counts, in milliseconds.
const REPORT_EXPIRY: u64 = 10_000;

const ONLINE: &str = "baize:online";

pub struct Redis {
    client: Client,
    node: String,
    /// None while Redis is unreachable.
    connection: Mutex<Option<MultiplexedConnection>>,
    lost: Notify,
}

fn channel(node: &str) -> String {
    format!("baize:node:{node}")
}

fn location_key(code: &str) -> String {
    format!("baize:table:{code}")
}

impl Redis {
    /// Connects in the background, and again whenever the connection is lost. Passes messages to this node on to
    /// `on_message`.
    pub fn open(
        url: &str,
        node: &str,
        faults: &Faults,
        panics: &Arc<Panics>,
        on_message: impl Fn(Vec<u8>) + Send + Sync + 'static,
    ) -> RedisResult<Arc<Self>> {
        let redis = Arc::new(Redis {
            client: Client::open(url)?,
            node: node.to_owned(),
            connection: Mutex::new(None),
            lost: Notify::new(),
        });
        let (connected, restarts, injected) = (redis.clone(), panics.clone(), faults.clone());
        tokio::spawn(
            async move { while panicked("redis connection", &restarts, connect(&connected, &injected)).await {} },
        );
        let (subscribed, restarts, injected) = (redis.clone(), panics.clone(), faults.clone());
        tokio::spawn(async move {
            while panicked("redis reader", &restarts, listen(&subscribed, &injected, &on_message)).await {}
        });
        Ok(redis)
    }

    fn connection(&self) -> Option<MultiplexedConnection> {
        self.connection.lock().expect("no panic under this lock").clone()
    }

    /// Drops the connection after an error, so that nobody waits for Redis until it is connected again.
    fn handle_error(&self, error: &redis::RedisError) {
        if self.connection.lock().expect("no panic under this lock").take().is_some() {
            tracing::warn!(%error, "Redis is away");
            self.lost.notify_one();
        }
    }

    /// Sends messages with one round trip; returns those that no node has received.
    pub async fn publish(&self, messages: Vec<(String, Bytes)>) -> Vec<(String, Bytes)> {
        let Some(mut connection) = self.connection().filter(|_| !messages.is_empty()) else { return messages };
        let mut pipeline = redis::pipe();
        for (to, message) in &messages {
            pipeline.cmd("PUBLISH").arg(channel(to)).arg(&message[..]);
        }
        let receivers: RedisResult<Vec<u64>> = pipeline.query_async(&mut connection).await;
        match receivers {
            Ok(receivers) => {
                messages.into_iter().zip(receivers).filter(|(_, receivers)| *receivers == 0).map(|(it, _)| it).collect()
            }
            Err(error) => {
                self.handle_error(&error);
                messages
            }
        }
    }

    /// The node that had this table when it was last recorded.
    pub async fn location(&self, code: &str) -> Option<String> {
        let mut connection = self.connection()?;
        let node: RedisResult<Option<String>> =
            redis::cmd("GET").arg(location_key(code)).query_async(&mut connection).await;
        node.inspect_err(|error| self.handle_error(error)).ok().flatten()
    }

    /// Records that this node has the table.
    pub fn put_location(self: &Arc<Self>, code: &str) {
        let mut command = redis::cmd("SET");
        command.arg(location_key(code)).arg(&self.node).arg("EX").arg(LOCATION_EXPIRY);
        self.send_command(command);
    }

    /// Deletes the record of the table's node.
    pub fn forget_location(self: &Arc<Self>, code: &str) {
        let mut command = redis::cmd("DEL");
        command.arg(location_key(code));
        self.send_command(command);
    }

    /// Records how many people and tables this node has.
    pub fn report(self: &Arc<Self>, Online { people, tables }: Online, now: u64) {
        let mut command = redis::cmd("HSET");
        command.arg(ONLINE).arg(&self.node).arg(format!("{now} {tables} {people}"));
        self.send_command(command);
    }

    /// The sum over all nodes that have reported recently.
    pub async fn online(&self, now: u64) -> Option<Online> {
        let mut connection = self.connection()?;
        let nodes: RedisResult<Vec<(String, String)>> =
            redis::cmd("HGETALL").arg(ONLINE).query_async(&mut connection).await;
        let nodes = nodes.inspect_err(|error| self.handle_error(error)).ok()?;
        let mut sum = Online { people: 0, tables: 0 };
        for (_, report) in nodes {
            let mut numbers = report.split(' ').map(|number| number.parse::<u64>().unwrap_or(0));
            let (at, tables, people) =
                (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            if now.abs_diff(at) <= REPORT_EXPIRY {
                sum.tables += tables as u32;
                sum.people += people as u32;
            }
        }
        Some(sum)
    }

    fn send_command(self: &Arc<Self>, command: redis::Cmd) {
        let Some(mut connection) = self.connection() else { return };
        let redis = self.clone();
        tokio::spawn(async move {
            let result: RedisResult<()> = command.query_async(&mut connection).await;
            let _ = result.inspect_err(|error| redis.handle_error(error));
        });
    }
}

async fn connect(redis: &Redis, faults: &Faults) {
    loop {
        faults.trip("task/redis connection", "");
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(REDIS_TIMEOUT))
            .set_response_timeout(Some(REDIS_TIMEOUT));
        match redis.client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(connection) => {
                *redis.connection.lock().expect("no panic under this lock") = Some(connection);
                tracing::info!("Redis is there");
                redis.lost.notified().await;
            }
            Err(_) => tokio::time::sleep(RECONNECT_PAUSE).await,
        }
    }
}

/// Receives messages to this node. While it is not subscribed, `PUBLISH` tells the senders that nobody received theirs.
async fn listen(redis: &Redis, faults: &Faults, on_message: &(impl Fn(Vec<u8>) + Sync)) {
    loop {
        if let Ok(mut listening) = redis.client.get_async_pubsub().await
            && listening.subscribe(channel(&redis.node)).await.is_ok()
        {
            let mut receivers = listening.on_message();
            while let Some(message) = receivers.next().await {
                faults.trip("task/redis reader", "");
                on_message(message.get_payload_bytes().to_vec());
            }
        }
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}
