//! Finds out which node has a table.

use crate::Services;
use baize_store::{OpenTable, Opened, StoreError};
use std::time::{Duration, Instant};

pub enum TableLocation {
    Nowhere,
    Here(OpenTable),
    /// Another node has the table and answers.
    Elsewhere(String),
    /// Another node has the table and does not answer.
    Unreachable,
}

/// How long to wait for a node that has a table and does not answer, and how often to ask it.
const LOCATE_TIMEOUT: Duration = Duration::from_secs(10);
const ASK_EVERY: u64 = 300;

/// Opens the table here, unless another node has it.
pub async fn locate(services: &Services, code: &str) -> Result<TableLocation, StoreError> {
    let cluster = services.cluster.as_ref();
    if let Some(cluster) = cluster
        && let Some(redis) = &cluster.redis
        && let Some(node) = redis.location(code).await
        && node != cluster.node
        && cluster.reach(&node).await
    {
        return Ok(TableLocation::Elsewhere(node));
    }
    let started = Instant::now();
    loop {
        let (node, left) = match services.store.open(code).await? {
            Opened::Unknown => return Ok(TableLocation::Nowhere),
            Opened::Here(open) => {
                if let Some(redis) = cluster.and_then(|cluster| cluster.redis.as_ref()) {
                    redis.put_location(code);
                }
                return Ok(TableLocation::Here(open));
            }
            Opened::Elsewhere { node, left } => (node, left),
        };
        let Some(cluster) = cluster else { return Ok(TableLocation::Unreachable) };
        if cluster.reach(&node).await {
            return Ok(TableLocation::Elsewhere(node));
        }
        if started.elapsed() > LOCATE_TIMEOUT {
            return Ok(TableLocation::Unreachable);
        }
        tokio::time::sleep(Duration::from_millis(left.clamp(20, ASK_EVERY))).await;
    }
}
