//! In the place of a table that another node has.

use super::exchange::{Cluster, Order};
use super::letter::Item;
use crate::Services;
use crate::outbox::Outgoing;
use crate::room::{Act, ClientId, JoinRequest, Note};
use baize_protocol::ErrorCode;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// Passes notes on to the node with the table, until nobody here is at it any more or it is no longer there.
pub async fn stand_in(services: &Arc<Services>, code: &str, node: &str, notes: &mut mpsc::Receiver<Note>) {
    let Some(cluster) = &services.cluster else { return };
    let (node, code) = (node.to_owned(), code.to_owned());
    let (end, mut ended) = oneshot::channel();
    cluster.order(Order::Begin { node: node.clone(), code: code.clone(), end });
    // What is counted are tables, each at the node that has it.
    services.metrics.tables.fetch_sub(1, Relaxed);
    pass_on(services, cluster, &code, &node, notes, &mut ended).await;
    services.metrics.tables.fetch_add(1, Relaxed);
    cluster.order(Order::Leave { node, code });
}

async fn pass_on(
    services: &Services,
    cluster: &Cluster,
    code: &str,
    node: &str,
    notes: &mut mpsc::Receiver<Note>,
    ended: &mut oneshot::Receiver<()>,
) {
    let (node, code) = (|| node.to_owned(), || code.to_owned());
    let mut clients: HashSet<ClientId> = HashSet::new();
    loop {
        let note = tokio::select! {
            biased;
            _ = &mut *ended => return,
            note = notes.recv() => note,
        };
        match note {
            // Two nodes must not pass a client back and forth: whoever comes from another asks the store again.
            Some(Note::Join(join)) if join.outbox.is_guest() => send_back(&join),
            Some(Note::Look { guest: true, reply, .. }) => drop(reply.send(Err(ErrorCode::Closing))),
            Some(Note::Join(join)) => {
                clients.insert(join.client);
                cluster.order(Order::Join { node: node(), code: code(), join });
            }
            Some(Note::Act(act)) => {
                let Act { client, request, action, .. } = *act;
                let action = serde_json::to_string(&action).unwrap_or_default();
                cluster.order(Order::ToTable { node: node(), item: Item::Act { client, request, action } });
            }
            Some(Note::Gone { client }) => {
                clients.remove(&client);
                cluster.order(Order::ToTable { node: node(), item: Item::Gone { client } });
            }
            Some(Note::Look { member, reply, .. }) => {
                let member = member.map(|member| *member);
                cluster.order(Order::Look { node: node(), code: code(), member, reply });
            }
            // Whoever has the table is told of it there, and only there are bots.
            Some(Note::Reloaded { .. } | Note::Thought { .. } | Note::Lost) => {}
            Some(Note::Stop) | None => return,
        }
        if clients.is_empty() && services.hub.park(&code(), notes) {
            return;
        }
    }
}

fn send_back(join: &JoinRequest) {
    join.outbox.put(Outgoing::Close(ErrorCode::Closing));
    join.outbox.go();
}
