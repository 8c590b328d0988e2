//! In the place of a table that another node has.

use super::Cluster;
use super::exchange::{Order, ToNode};
use crate::Services;
use crate::orders::Obeyed;
use crate::outbox::Outgoing;
use crate::room_task::{JoinRequest, TableMessage};
use baize_protocol::ErrorCode;
use baize_room::encode;
use baize_room::{Act, ClientId, Message};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// Passes messages on to the node with the table, until nobody here is at it any more or it is no longer there.
pub async fn stand_in(services: &Arc<Services>, code: &str, node: &str, messages: &mut mpsc::Receiver<TableMessage>) {
    let Some(cluster) = &services.cluster else { return };
    let there = There { cluster, node };
    let (end, ended) = oneshot::channel();
    there.wants(ToNode::Begin { code: code.to_owned(), end });
    // What is counted are tables, each at the node that has it.
    services.metrics.tables.fetch_sub(1, Relaxed);
    pass_on(services, &there, code, messages, ended).await;
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
    messages: &mut mpsc::Receiver<TableMessage>,
    mut ended: oneshot::Receiver<()>,
) {
    let mut clients: HashSet<ClientId> = HashSet::new();
    loop {
        let message = tokio::select! {
            biased;
            _ = &mut ended => return,
            message = messages.recv() => message,
        };
        match message {
            // Two nodes must not pass a client back and forth: whoever comes from another asks the store again.
            Some(TableMessage::Join(join)) if join.outbox.is_guest() => send_back(&join),
            Some(TableMessage::Look { guest: true, reply, .. }) => drop(reply.send(Err(ErrorCode::Closing))),
            Some(TableMessage::Join(join)) => {
                clients.insert(join.join.client);
                there.wants(ToNode::Join { code: code.to_owned(), join });
            }
            Some(TableMessage::Room(Message::Act(act))) => {
                let Act { client, request, action, .. } = *act;
                there.wants(match encode::json_text("an action", &action) {
                    Ok(action) => ToNode::Act { client, request, action },
                    Err(error) => {
                        tracing::error!(%code, %error, "an action is refused");
                        ToNode::Refuse { client, request }
                    }
                });
            }
            Some(TableMessage::Room(Message::Gone { client })) => {
                clients.remove(&client);
                there.wants(ToNode::Gone { client });
            }
            Some(TableMessage::Look { member, reply, .. }) => {
                let member = member.map(|member| *member);
                there.wants(ToNode::Look { code: code.to_owned(), member, reply });
            }
            Some(TableMessage::Obey(obey)) => drop(obey.reply.send(Obeyed::Elsewhere)),
            // Whoever has the table is told of it there, and only there are bots.
            Some(TableMessage::Reloaded { .. } | TableMessage::Room(_) | TableMessage::Lost) => {}
            Some(TableMessage::Stop) | None => return,
        }
        if clients.is_empty() && services.hub.park(code, messages) {
            return;
        }
    }
}

fn send_back(join: &JoinRequest) {
    join.outbox.put(Outgoing::Close(ErrorCode::Closing));
    join.outbox.go();
}
