//! A node takes its place: the shared store, the roads to the others, and what it listens to.

use super::Cluster;
use super::exchange::{self, Order};
use super::redis::Redis;
use super::roads::Roads;
use crate::config::Shared;
use crate::room::Note;
use crate::{RunError, Services};
use baize_store::{Mailbox, PostgresConfig, PostgresStore, Store};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// How often a node says how much goes on at it.
const REPORT: Duration = Duration::from_secs(2);

/// What reaches a node, until it can take it up.
pub struct Start {
    ordered: mpsc::UnboundedReceiver<Order>,
    mailbox: Mailbox,
    mail: mpsc::Receiver<Vec<u8>>,
    /// Codes of tables that other nodes have taken over.
    lost: mpsc::UnboundedReceiver<String>,
}

pub async fn join(shared: &Shared) -> Result<(Arc<dyn Store>, Cluster, Start), RunError> {
    let Shared { database, redis, node, lease } = shared;
    let config = PostgresConfig { url: database.clone(), node: node.clone(), lease: *lease };
    let (store, lost) = PostgresStore::connect(config).await.map_err(RunError::Store)?;
    let (mailbox, mail) = Mailbox::connect(database, node).await.map_err(RunError::Store)?;
    let (mut cluster, ordered) = Cluster::new(node.clone());
    if let Some(url) = redis {
        cluster.redis = Some(Redis::open(url, node, cluster.letters()).map_err(RunError::Redis)?);
    }
    Ok((Arc::new(store), cluster, Start { ordered, mailbox, mail, lost }))
}

impl Start {
    /// Takes up what reaches this node; ends with the tasks.
    pub fn begin(self, services: &Arc<Services>) -> JoinSet<()> {
        let Start { ordered, mailbox, mut mail, mut lost } = self;
        let mut tasks = JoinSet::new();
        let Some(cluster) = &services.cluster else { return tasks };
        let roads = Roads::new(cluster.redis.clone(), mailbox);
        tasks.spawn(exchange::run(services.clone(), ordered, roads));
        let letter = cluster.letters();
        tasks.spawn(async move {
            while let Some(body) = mail.recv().await {
                letter(body);
            }
        });
        let room = services.clone();
        tasks.spawn(async move {
            while let Some(code) = lost.recv().await {
                room.hub.tell(&code, Note::Lost);
            }
        });
        if let Some(redis) = cluster.redis.clone() {
            let services = services.clone();
            tasks.spawn(async move {
                loop {
                    redis.report(services.metrics.online(), services.config.clock.now());
                    tokio::time::sleep(REPORT).await;
                }
            });
        }
        tasks
    }
}
