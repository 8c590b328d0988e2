//! A node takes its place: the shared store, the roads to the others, and what it listens to.

use super::Cluster;
use super::exchange::{self, Order};
use super::redis::Redis;
use super::roads::Roads;
use crate::config::Shared;
use crate::inbox::TableMessage;
use crate::supervise::{Panics, failed};
use crate::{RunError, Services};
use baize_store::{Faults, Mailbox, PostgresConfig, PostgresStore, Store};
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

pub async fn join(
    shared: &Shared,
    faults: &Faults,
    panics: &Arc<Panics>,
) -> Result<(Arc<dyn Store>, Cluster, Start), RunError> {
    let Shared { database, redis, node, lease } = shared;
    let config = PostgresConfig { url: database.clone(), node: node.clone(), lease: *lease };
    let (store, lost) = PostgresStore::connect_with(config, faults.clone()).await.map_err(RunError::Store)?;
    let (mailbox, mail) = Mailbox::connect_with(database, node, faults.clone()).await.map_err(RunError::Store)?;
    let (mut cluster, ordered) = Cluster::new(node.clone());
    if let Some(url) = redis {
        let redis = Redis::open(url, node, faults, panics, cluster.letters()).map_err(RunError::Redis)?;
        cluster.redis = Some(redis);
    }
    Ok((Arc::new(store), cluster, Start { ordered, mailbox, mail, lost }))
}

impl Start {
    /// Takes up what reaches this node; ends with the tasks.
    pub fn begin(self, services: &Arc<Services>) -> JoinSet<()> {
        let Start { ordered, mailbox, mut mail, mut lost } = self;
        let mut tasks = JoinSet::new();
        let Some(cluster) = &services.cluster else { return tasks };
        let roads = Roads::new(services.clone(), cluster.redis.clone(), mailbox);
        tasks.spawn(exchange::run(services.clone(), ordered, roads));
        let (letter, here) = (cluster.letters(), services.clone());
        // A letter that is lost in a panic is asked for again.
        tasks.spawn(async move { while failed("mail", &here.panics, take_mail(&here, &mut mail, &letter)).await {} });
        let here = services.clone();
        // A table that is not told finds out by its next commit.
        tasks.spawn(async move { while failed("lost tables", &here.panics, tell_lost(&here, &mut lost)).await {} });
        if let Some(redis) = cluster.redis.clone() {
            let here = services.clone();
            tasks.spawn(async move { while failed("report", &here.panics, report(&here, &redis)).await {} });
        }
        tasks
    }
}

async fn take_mail(services: &Services, mail: &mut mpsc::Receiver<Vec<u8>>, letter: &(impl Fn(Vec<u8>) + Sync)) {
    while let Some(body) = mail.recv().await {
        services.config.faults.trip("task/mail", "");
        letter(body);
    }
}

async fn tell_lost(services: &Services, lost: &mut mpsc::UnboundedReceiver<String>) {
    while let Some(code) = lost.recv().await {
        services.config.faults.trip("task/lost", &code);
        services.hub.tell(&code, TableMessage::Lost);
    }
}

async fn report(services: &Services, redis: &Arc<Redis>) {
    loop {
        services.config.faults.trip("task/report", "");
        redis.report(services.metrics.online(), services.config.clock.date());
        tokio::time::sleep(REPORT).await;
    }
}
