//! In the place of a table that another node has.
//!
//! [`StandIn`] decides what becomes of each message and does no IO; [`stand_in`] is the task around it.

use super::Cluster;
use super::exchange::{Order, ToNode};
use crate::Services;
use crate::inbox::{JoinRequest, TableMessage};
use crate::orders::Obeyed;
use crate::outbox::Outgoing;
use baize_protocol::{Action, ErrorCode};
use baize_room::{Act, ClientId, Message, encode};
use baize_store::Unwritable;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// Who is at a table that another node has, as far as this node knows.
#[derive(Debug, Default)]
struct StandIn {
    clients: BTreeSet<ClientId>,
}

/// What becomes of a client or of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// To the node with the table.
    Onward,
    /// Back where it came from. Two nodes must not pass a client back and forth: whoever comes from another asks the store again.
    Back,
}

impl StandIn {
    fn join(&mut self, client: ClientId, is_guest: bool) -> Direction {
        if is_guest {
            return Direction::Back;
        }
        self.clients.insert(client);
        Direction::Onward
    }

    fn look(&self, is_guest: bool) -> Direction {
        if is_guest { Direction::Back } else { Direction::Onward }
    }

    fn gone(&mut self, client: ClientId) {
        self.clients.remove(&client);
    }

    /// Nobody here is at the table any more.
    fn is_idle(&self) -> bool {
        self.clients.is_empty()
    }
}

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
    let mut stand_in = StandIn::default();
    loop {
        let message = tokio::select! {
            biased;
            _ = &mut ended => return,
            message = messages.recv() => message,
        };
        match message {
            Some(TableMessage::Join(join)) => match stand_in.join(join.join.client, join.outbox.is_guest()) {
                Direction::Onward => there.wants(ToNode::Join { code: code.to_owned(), join }),
                Direction::Back => send_back(&join),
            },
            Some(TableMessage::Room(Message::Act(act))) => {
                let Act { client, request, action, .. } = *act;
                there.wants(match write(&action) {
                    Ok(action) => ToNode::Act { client, request, action },
                    Err(error) => {
                        tracing::error!(%code, %error, "an action is refused");
                        ToNode::Refuse { client, request }
                    }
                });
            }
            Some(TableMessage::Room(Message::Gone { client })) => {
                stand_in.gone(client);
                there.wants(ToNode::Gone { client });
            }
            Some(TableMessage::Look { member, guest, reply }) => match stand_in.look(guest) {
                Direction::Onward => {
                    let member = member.map(|member| *member);
                    there.wants(ToNode::Look { code: code.to_owned(), member, reply });
                }
                Direction::Back => drop(reply.send(Err(ErrorCode::Closing))),
            },
            Some(TableMessage::Obey(obey)) => drop(obey.reply.send(Obeyed::Elsewhere)),
            // Whoever has the table is told of it there, and only there are bots.
            Some(TableMessage::Reloaded { .. } | TableMessage::Room(_) | TableMessage::Lost) => {}
            Some(TableMessage::Stop) | None => return,
        }
        if stand_in.is_idle() && services.hub.park(code, messages) {
            return;
        }
    }
}

fn write(action: &Action) -> Result<String, Unwritable> {
    encode::json_text("an action", action)
}

fn send_back(join: &JoinRequest) {
    join.outbox.put(Outgoing::Close(ErrorCode::Closing));
    join.outbox.go();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_sent_back_and_keeps_no_stand_in_alive() {
        let mut stand_in = StandIn::default();
        assert_eq!((stand_in.join(1, true), stand_in.look(true)), (Direction::Back, Direction::Back));
        assert!(stand_in.is_idle());
        assert_eq!((stand_in.join(2, false), stand_in.look(false)), (Direction::Onward, Direction::Onward));
        stand_in.gone(1);
        assert!(!stand_in.is_idle());
        stand_in.gone(2);
        assert!(stand_in.is_idle());
    }
}
