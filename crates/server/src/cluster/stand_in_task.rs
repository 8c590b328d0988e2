//! The task of a stand-in: carries messages to a [`StandIn`], and carries out its effects.

use super::Cluster;
use super::peer_task::{CardReply, NodeRequest, PeerTaskRequest};
use super::stand_in::{StandIn, StandInEffect, StandInMessage};
use crate::Services;
use crate::identity::Member;
use crate::inbox::{JoinRequest, TableMessage};
use crate::orders::{OrderRequest, OrderResult};
use crate::outgoing::Outgoing;
use baize_protocol::ErrorCode;
use baize_room::Message;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// A request for the table's card.
struct Look {
    member: Option<Box<Member>>,
    reply: CardReply,
}

type TaskMessage = StandInMessage<Box<JoinRequest>, Look, Box<OrderRequest>>;
type TaskEffect = StandInEffect<Box<JoinRequest>, Look, Box<OrderRequest>>;

/// Forwards messages to the node with the table, until no client of this node is left or the table has moved.
pub async fn stand_in(services: &Arc<Services>, code: &str, node: &str, messages: &mut mpsc::Receiver<TableMessage>) {
    let Some(cluster) = &services.cluster else { return };
    let table_node = TableNode { cluster, node, code };
    let (end, mut ended) = oneshot::channel();
    table_node.send(NodeRequest::Begin { code: code.to_owned(), end });
    // The metric counts each table once, at the node that has it.
    services.metrics.tables.fetch_sub(1, Relaxed);
    let mut stand_in = StandIn::default();
    loop {
        let message = tokio::select! {
            biased;
            _ = &mut ended => StandInMessage::Ended,
            message = messages.recv() => message.map_or(StandInMessage::Stop, task_message),
        };
        if let Some(effect) = stand_in.handle(message) {
            table_node.carry_out(effect);
        }
        if stand_in.is_idle() && services.hub.park(code, messages) {
            stand_in.handle(StandInMessage::Parked).into_iter().for_each(|effect| table_node.carry_out(effect));
        }
        if stand_in.is_over() {
            break;
        }
    }
    services.metrics.tables.fetch_add(1, Relaxed);
}

fn task_message(message: TableMessage) -> TaskMessage {
    match message {
        TableMessage::Join(join) => {
            StandInMessage::Join { client: join.join.client, is_guest: join.outbox.is_guest(), join }
        }
        TableMessage::Room(Message::Act(act)) => StandInMessage::Act(act),
        TableMessage::Room(Message::Gone { client }) => StandInMessage::Gone { client },
        TableMessage::Look { member, guest, reply } => {
            StandInMessage::Look { is_guest: guest, look: Look { member, reply } }
        }
        TableMessage::Order(order) => StandInMessage::Order(order),
        TableMessage::Room(_) | TableMessage::Reloaded { .. } | TableMessage::Lost => StandInMessage::ForRoom,
        TableMessage::Stop => StandInMessage::Stop,
    }
}

/// The node with the table.
struct TableNode<'a> {
    cluster: &'a Cluster,
    node: &'a str,
    code: &'a str,
}

impl TableNode<'_> {
    fn send(&self, request: NodeRequest) {
        self.cluster.request(PeerTaskRequest::ForNode(self.node.to_owned(), request));
    }

    fn carry_out(&self, effect: TaskEffect) {
        let code = self.code.to_owned();
        match effect {
            StandInEffect::ForwardJoin(join) => self.send(NodeRequest::Join { code, join }),
            StandInEffect::ForwardAct { client, request, action } => {
                self.send(NodeRequest::Act { client, request, action });
            }
            StandInEffect::ForwardGone { client } => self.send(NodeRequest::Gone { client }),
            StandInEffect::ForwardLook(Look { member, reply }) => {
                self.send(NodeRequest::Look { code, member: member.map(|member| *member), reply });
            }
            StandInEffect::Refuse { client, request, error } => {
                tracing::error!(%code, %error, "an action is refused");
                self.send(NodeRequest::Refuse { client, request });
            }
            StandInEffect::ReturnJoin(join) => {
                join.outbox.enqueue(Outgoing::Close(ErrorCode::Closing));
                join.outbox.send_queued();
            }
            StandInEffect::ReturnLook(look) => drop(look.reply.send(Err(ErrorCode::Closing))),
            StandInEffect::ReturnOrder(order) => drop(order.reply.send(OrderResult::Elsewhere)),
            StandInEffect::Leave => self.send(NodeRequest::Leave { code }),
        }
    }
}
