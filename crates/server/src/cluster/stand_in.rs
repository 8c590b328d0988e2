//! Takes the place of a table that another node has.
//!
//! [`StandIn`] decides where each message goes and does no IO; [`stand_in`] is the task around it.

use super::Cluster;
use super::peer_task::{NodeRequest, PeerTaskRequest};
use crate::Services;
use crate::inbox::{JoinRequest, TableMessage};
use crate::orders::OrderResult;
use crate::outgoing::Outgoing;
use baize_protocol::{Action, ErrorCode};
use baize_room::{Act, ClientId, Message, encode};
use baize_store::Unwritable;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// The clients of this node at a table that another node has.
#[derive(Debug, Default)]
struct StandIn {
    clients: BTreeSet<ClientId>,
}

/// Where a client or a request for a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// It goes on to the node with the table.
    Forward,
    /// It goes back to the node it came from, which asks the store again. Otherwise two nodes could forward a client to each
    /// other for ever.
    Return,
}

impl StandIn {
    fn join(&mut self, client: ClientId, is_guest: bool) -> Direction {
        if is_guest {
            return Direction::Return;
        }
        self.clients.insert(client);
        Direction::Forward
    }

    fn look(&self, is_guest: bool) -> Direction {
        if is_guest { Direction::Return } else { Direction::Forward }
    }

    fn handle_gone(&mut self, client: ClientId) {
        self.clients.remove(&client);
    }

    /// True when no client of this node is at the table.
    fn is_idle(&self) -> bool {
        self.clients.is_empty()
    }
}

/// Forwards messages to the node with the table, until no client of this node is left or the table has moved.
pub async fn stand_in(services: &Arc<Services>, code: &str, node: &str, messages: &mut mpsc::Receiver<TableMessage>) {
    let Some(cluster) = &services.cluster else { return };
    let table_node = TableNode { cluster, node };
    let (end, ended) = oneshot::channel();
    table_node.send(NodeRequest::Begin { code: code.to_owned(), end });
    // The metric counts each table once, at the node that has it.
    services.metrics.tables.fetch_sub(1, Relaxed);
    forward(services, &table_node, code, messages, ended).await;
    services.metrics.tables.fetch_add(1, Relaxed);
    table_node.send(NodeRequest::Leave { code: code.to_owned() });
}

struct TableNode<'a> {
    cluster: &'a Cluster,
    node: &'a str,
}

impl TableNode<'_> {
    fn send(&self, request: NodeRequest) {
        self.cluster.request(PeerTaskRequest::ForNode(self.node.to_owned(), request));
    }
}

async fn forward(
    services: &Services,
    table_node: &TableNode<'_>,
    code: &str,
    messages: &mut mpsc::Receiver<TableMessage>,
    mut ended: oneshot::Receiver<()>,
) {
    let mut stand_in = StandIn::default();
    loop {
        let message = tokio::select! {
            biased;
            _ = &mut ended => return,
            message = messages.recv() => message,
        };
        match message {
            Some(TableMessage::Join(join)) => match stand_in.join(join.join.client, join.outbox.is_guest()) {
                Direction::Forward => table_node.send(NodeRequest::Join { code: code.to_owned(), join }),
                Direction::Return => send_back(&join),
            },
            Some(TableMessage::Room(Message::Act(act))) => {
                let Act { client, request, action, .. } = *act;
                table_node.send(match encode_action(&action) {
                    Ok(action) => NodeRequest::Act { client, request, action },
                    Err(error) => {
                        tracing::error!(%code, %error, "an action is refused");
                        NodeRequest::Refuse { client, request }
                    }
                });
            }
            Some(TableMessage::Room(Message::Gone { client })) => {
                stand_in.handle_gone(client);
                table_node.send(NodeRequest::Gone { client });
            }
            Some(TableMessage::Look { member, guest, reply }) => match stand_in.look(guest) {
                Direction::Forward => {
                    let member = member.map(|member| *member);
                    table_node.send(NodeRequest::Look { code: code.to_owned(), member, reply });
                }
                Direction::Return => drop(reply.send(Err(ErrorCode::Closing))),
            },
            Some(TableMessage::Order(order)) => drop(order.reply.send(OrderResult::Elsewhere)),
            // The node with the table handles these itself: it has the file and the bots.
            Some(TableMessage::Reloaded { .. } | TableMessage::Room(_) | TableMessage::Lost) => {}
            Some(TableMessage::Stop) | None => return,
        }
        if stand_in.is_idle() && services.hub.park(code, messages) {
            return;
        }
    }
}

fn encode_action(action: &Action) -> Result<String, Unwritable> {
    encode::json_text("an action", action)
}

fn send_back(join: &JoinRequest) {
    join.outbox.enqueue(Outgoing::Close(ErrorCode::Closing));
    join.outbox.send_queued();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_sends_guests_back_and_does_not_wait_for_them() {
        let mut stand_in = StandIn::default();
        assert_eq!((stand_in.join(1, true), stand_in.look(true)), (Direction::Return, Direction::Return));
        assert!(stand_in.is_idle());
        assert_eq!((stand_in.join(2, false), stand_in.look(false)), (Direction::Forward, Direction::Forward));
        stand_in.handle_gone(1);
        assert!(!stand_in.is_idle());
        stand_in.handle_gone(2);
        assert!(stand_in.is_idle());
    }
}
