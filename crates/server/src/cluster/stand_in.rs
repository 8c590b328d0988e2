//! In the place of a table that another node has.

use super::Cluster;
use super::exchange::{Order, ToNode};
use crate::Services;
use crate::encode;
use crate::orders::Obeyed;
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
    let there = There { cluster, node };
    let (end, ended) = oneshot::channel();
    there.wants(ToNode::Begin { code: code.to_owned(), end });
    // What is counted are tables, each at the node that has it.
    services.metrics.tables.fetch_sub(1, Relaxed);
    pass_on(services, &there, code, notes, ended).await;
    services.metrics.tables.fetch_add(1, Relaxed);
    there.wants(ToNode::Leave { code: code.to_owned() });
}

/// The node with the table.
struct There<'a> {
    cluster: &'a Cluster,
    node: &'a str,
}

impl There<'_> {
    fn wants(&self, wanted: ToNode) {
        self.cluster.order(Order::At(self.node.to_owned(), wanted));
    }
}

async fn pass_on(
    services: &Services,
    there: &There<'_>,
    code: &str,
    notes: &mut mpsc::Receiver<Note>,
    mut ended: oneshot::Receiver<()>,
) {
    let mut clients: HashSet<ClientId> = HashSet::new();
    loop {
        let note = tokio::select! {
            biased;
            _ = &mut ended => return,
            note = notes.recv() => note,
        };
        match note {
            // Two nodes must not pass a client back and forth: whoever comes from another asks the store again.
            Some(Note::Join(join)) if join.outbox.is_guest() => send_back(&join),
            Some(Note::Look { guest: true, reply, .. }) => drop(reply.send(Err(ErrorCode::Closing))),
            Some(Note::Join(join)) => {
                clients.insert(join.client);
                there.wants(ToNode::Join { code: code.to_owned(), join });
            }
            Some(Note::Act(act)) => {
                let Act { client, request, action, .. } = *act;
                there.wants(match encode::json_text("an action", &action) {
                    Ok(action) => ToNode::Act { client, request, action },
                    Err(error) => {
                        tracing::error!(%code, %error, "an action is refused");
                        ToNode::Refuse { client, request }
                    }
                });
            }
            Some(Note::Gone { client }) => {
                clients.remove(&client);
                there.wants(ToNode::Gone { client });
            }
            Some(Note::Look { member, reply, .. }) => {
                let member = member.map(|member| *member);
                there.wants(ToNode::Look { code: code.to_owned(), member, reply });
            }
            Some(Note::Obey(obey)) => drop(obey.reply.send(Obeyed::Elsewhere)),
            // Whoever has the table is told of it there, and only there are bots.
            Some(Note::Reloaded { .. } | Note::Thought { .. } | Note::Lost) => {}
            Some(Note::Stop) | None => return,
        }
        if clients.is_empty() && services.hub.park(code, notes) {
            return;
        }
    }
}

fn send_back(join: &JoinRequest) {
    join.outbox.put(Outgoing::Close(ErrorCode::Closing));
    join.outbox.go();
}
