//! Joins this node to the cluster: opens the shared store and the mailbox, connects to Redis, and starts the tasks that
//! receive.

use super::Cluster;
use super::peer_task::{self, PeerTaskRequest};
use super::redis::Redis;
use super::transport::Transport;
use crate::config::Shared;
use crate::inbox::TableMessage;
use crate::supervise::{Panics, panicked};
use crate::{RunError, Services};
use baize_store::{Faults, Mailbox, PostgresConfig, PostgresStore, Store};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// How often a node reports its numbers of people and tables.
const REPORT_EVERY: Duration = Duration::from_secs(2);

/// What [`join`] has opened, until [`ClusterStart::begin`] starts the tasks.
pub struct ClusterStart {
    requests: mpsc::UnboundedReceiver<PeerTaskRequest>,
    mailbox: Mailbox,
    mail: mpsc::Receiver<Vec<u8>>,
    /// Codes of tables that other nodes have taken over.
    lost: mpsc::UnboundedReceiver<String>,
}

pub async fn join(
    shared: &Shared,
    faults: &Faults,
    panics: &Arc<Panics>,
) -> Result<(Arc<dyn Store>, Cluster, ClusterStart), RunError> {
    let Shared { database, redis, node, lease } = shared;
    let config = PostgresConfig { url: database.clone(), node: node.clone(), lease: *lease };
    let (store, lost) = PostgresStore::connect_with(config, faults.clone()).await.map_err(RunError::Store)?;
    let (mailbox, mail) = Mailbox::connect_with(database, node, faults.clone()).await.map_err(RunError::Store)?;
    let (mut cluster, requests) = Cluster::new(node.clone());
    if let Some(url) = redis {
        let redis = Redis::open(url, node, faults, panics, cluster.message_handler()).map_err(RunError::Redis)?;
        cluster.redis = Some(redis);
    }
    Ok((Arc::new(store), cluster, ClusterStart { requests, mailbox, mail, lost }))
}

impl ClusterStart {
    /// Starts the tasks; dropping the set ends them.
    pub fn begin(self, services: &Arc<Services>) -> JoinSet<()> {
        let ClusterStart { requests, mailbox, mut mail, mut lost } = self;
        let mut tasks = JoinSet::new();
        let Some(cluster) = &services.cluster else { return tasks };
        let transport = Transport::new(services.clone(), cluster.redis.clone(), mailbox);
        tasks.spawn(peer_task::run(services.clone(), requests, transport));
        let (on_message, here) = (cluster.message_handler(), services.clone());
        // A message that is lost in a panic is requested again.
        tasks.spawn(async move {
            while panicked("mail", &here.panics, receive_mail(&here, &mut mail, &on_message)).await {}
        });
        let here = services.clone();
        // A table that misses this notice finds out by its next commit.
        tasks.spawn(async move {
            while panicked("lost tables", &here.panics, notify_lost_tables(&here, &mut lost)).await {}
        });
        if let Some(redis) = cluster.redis.clone() {
            let here = services.clone();
            tasks.spawn(async move { while panicked("report", &here.panics, report(&here, &redis)).await {} });
        }
        tasks
    }
}

async fn receive_mail(services: &Services, mail: &mut mpsc::Receiver<Vec<u8>>, on_message: &(impl Fn(Vec<u8>) + Sync)) {
    while let Some(body) = mail.recv().await {
        services.config.faults.trip("task/mail", "");
        on_message(body);
    }
}

async fn notify_lost_tables(services: &Services, lost: &mut mpsc::UnboundedReceiver<String>) {
    while let Some(code) = lost.recv().await {
        services.config.faults.trip("task/lost", &code);
        services.hub.send(&code, TableMessage::Lost);
    }
}

async fn report(services: &Services, redis: &Arc<Redis>) {
    loop {
        services.config.faults.trip("task/report", "");
        redis.report(services.metrics.online(), services.config.clock.date());
        tokio::time::sleep(REPORT_EVERY).await;
    }
}
