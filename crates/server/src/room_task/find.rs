//! Finds out which node has a table.

use crate::Services;
use baize_store::{OpenTable, Opened, StoreError};
use std::time::{Duration, Instant};

/// Where a table is.
pub enum Found {
    Nowhere,
    Here(OpenTable),
    /// At this node, which answers.
    At(String),
    /// At a node that does not answer, and still has it.
    OutOfReach,
}

/// How long a node that has a table and does not answer is waited for, and how often it is asked.
const FIND_WITHIN: Duration = Duration::from_secs(10);
const FIND_AGAIN: u64 = 300;

/// Opens the table here, unless another node has it.
pub async fn find(services: &Services, code: &str) -> Result<Found, StoreError> {
    let cluster = services.cluster.as_ref();
    if let Some(cluster) = cluster
        && let Some(redis) = &cluster.redis
        && let Some(node) = redis.location(code).await
        && node != cluster.node
        && cluster.reach(&node).await
    {
        return Ok(Found::At(node));
    }
    let since = Instant::now();
    loop {
        let (node, left) = match services.store.open(code).await? {
            Opened::Unknown => return Ok(Found::Nowhere),
            Opened::Here(open) => {
                if let Some(redis) = cluster.and_then(|cluster| cluster.redis.as_ref()) {
                    redis.put_location(code);
                }
                return Ok(Found::Here(open));
            }
            Opened::Elsewhere { node, left } => (node, left),
        };
        let Some(cluster) = cluster else { return Ok(Found::OutOfReach) };
        if cluster.reach(&node).await {
            return Ok(Found::At(node));
        }
        if since.elapsed() > FIND_WITHIN {
            return Ok(Found::OutOfReach);
        }
        tokio::time::sleep(Duration::from_millis(left.clamp(20, FIND_AGAIN))).await;
    }
}
