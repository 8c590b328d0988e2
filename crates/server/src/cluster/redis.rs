//! Redis: letters to nodes, where tables are, who is online. Only ever a hint: whatever is lost here is found otherwise, later.

use crate::supervise::{Panics, failed};
use baize_protocol::http::Online;
use baize_store::Faults;
use bytes::Bytes;
use futures_util::StreamExt;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisResult};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

/// A Redis that takes longer is as good as none.
const PATIENCE: Duration = Duration::from_millis(500);
/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(250);
/// A table's place is forgotten by itself if its node had no time to say so, in seconds.
const PLACE_FOR: u64 = 3600;
/// What a node says of itself is believed for so long, in milliseconds.
const ONLINE_FOR: u64 = 10_000;

const ONLINE: &str = "baize:online";

pub struct Redis {
    client: Client,
    node: String,
    /// None while it is away.
    connection: Mutex<Option<MultiplexedConnection>>,
    lost: Notify,
}

fn channel(node: &str) -> String {
    format!("baize:node:{node}")
}

fn place(code: &str) -> String {
    format!("baize:table:{code}")
}

impl Redis {
    /// Connects now if it can, and whenever it can't any more; letters to this node are handed over from then on.
    pub fn open(
        url: &str,
        node: &str,
        faults: &Faults,
        panics: &Arc<Panics>,
        letters: impl Fn(Vec<u8>) + Send + Sync + 'static,
    ) -> RedisResult<Arc<Self>> {
        let redis = Arc::new(Redis {
            client: Client::open(url)?,
            node: node.to_owned(),
            connection: Mutex::new(None),
            lost: Notify::new(),
        });
        let (here, watch, strike) = (redis.clone(), panics.clone(), faults.clone());
        tokio::spawn(async move { while failed("redis connection", &watch, connect(&here, &strike)).await {} });
        let (here, watch, strike) = (redis.clone(), panics.clone(), faults.clone());
        tokio::spawn(async move { while failed("redis reader", &watch, listen(&here, &strike, &letters)).await {} });
        Ok(redis)
    }

    fn connection(&self) -> Option<MultiplexedConnection> {
        self.connection.lock().expect("no panic under this lock").clone()
    }

    /// It did not do what it was asked: until it is there again, nobody waits for it.
    fn away(&self, error: &redis::RedisError) {
        if self.connection.lock().expect("no panic under this lock").take().is_some() {
            tracing::warn!(%error, "Redis is away");
            self.lost.notify_one();
        }
    }

    /// Sends letters with one round trip; returns those that nobody has taken.
    pub async fn publish(&self, letters: Vec<(String, Bytes)>) -> Vec<(String, Bytes)> {
        let Some(mut connection) = self.connection().filter(|_| !letters.is_empty()) else { return letters };
        let mut pipeline = redis::pipe();
        for (to, letter) in &letters {
            pipeline.cmd("PUBLISH").arg(channel(to)).arg(&letter[..]);
        }
        let heard: RedisResult<Vec<u64>> = pipeline.query_async(&mut connection).await;
        match heard {
            Ok(heard) => letters.into_iter().zip(heard).filter(|(_, heard)| *heard == 0).map(|(it, _)| it).collect(),
            Err(error) => {
                self.away(&error);
                letters
            }
        }
    }

    /// Which node had this table lately.
    pub async fn place(&self, code: &str) -> Option<String> {
        let mut connection = self.connection()?;
        let node: RedisResult<Option<String>> = redis::cmd("GET").arg(place(code)).query_async(&mut connection).await;
        node.inspect_err(|error| self.away(error)).ok().flatten()
    }

    /// This node has the table.
    pub fn put(self: &Arc<Self>, code: &str) {
        let mut command = redis::cmd("SET");
        command.arg(place(code)).arg(&self.node).arg("EX").arg(PLACE_FOR);
        self.tell(command);
    }

    /// Nobody is known to have the table.
    pub fn forget(self: &Arc<Self>, code: &str) {
        let mut command = redis::cmd("DEL");
        command.arg(place(code));
        self.tell(command);
    }

    /// Says how much goes on here.
    pub fn report(self: &Arc<Self>, Online { people, tables }: Online, now: u64) {
        let mut command = redis::cmd("HSET");
        command.arg(ONLINE).arg(&self.node).arg(format!("{now} {tables} {people}"));
        self.tell(command);
    }

    /// What all nodes say, of those that have said something lately.
    pub async fn online(&self, now: u64) -> Option<Online> {
        let mut connection = self.connection()?;
        let nodes: RedisResult<Vec<(String, String)>> =
            redis::cmd("HGETALL").arg(ONLINE).query_async(&mut connection).await;
        let nodes = nodes.inspect_err(|error| self.away(error)).ok()?;
        let mut sum = Online { people: 0, tables: 0 };
        for (_, said) in nodes {
            let mut numbers = said.split(' ').map(|number| number.parse::<u64>().unwrap_or(0));
            let (at, tables, people) =
                (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            if now.abs_diff(at) <= ONLINE_FOR {
                sum.tables += tables as u32;
                sum.people += people as u32;
            }
        }
        Some(sum)
    }

    fn tell(self: &Arc<Self>, command: redis::Cmd) {
        let Some(mut connection) = self.connection() else { return };
        let redis = self.clone();
        tokio::spawn(async move {
            let told: RedisResult<()> = command.query_async(&mut connection).await;
            let _ = told.inspect_err(|error| redis.away(error));
        });
    }
}

async fn connect(redis: &Redis, faults: &Faults) {
    loop {
        faults.trip("task/redis connection", "");
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(PATIENCE)).set_response_timeout(Some(PATIENCE));
        match redis.client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(connection) => {
                *redis.connection.lock().expect("no panic under this lock") = Some(connection);
                tracing::info!("Redis is there");
                redis.lost.notified().await;
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Letters to this node. While it can't listen, nobody's letter is taken, and their writers know.
async fn listen(redis: &Redis, faults: &Faults, letters: &(impl Fn(Vec<u8>) + Sync)) {
    loop {
        if let Ok(mut listening) = redis.client.get_async_pubsub().await
            && listening.subscribe(channel(&redis.node)).await.is_ok()
        {
            let mut heard = listening.on_message();
            while let Some(message) = heard.next().await {
                faults.trip("task/redis reader", "");
                letters(message.get_payload_bytes().to_vec());
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}
