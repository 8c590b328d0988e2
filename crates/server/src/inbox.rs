//! The messages to a table's task.

use crate::identity::Member;
use crate::orders::{OrderRequest, OrderResult};
use crate::outbox::Recipient;
use crate::outgoing::Outgoing;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode};
use baize_room::{Join, Message};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Upper bound on messages that wait for a room, which refuses more.
pub const CAPACITY: usize = 1024;

pub enum TableMessage {
    // The request is boxed, because an inbox reserves space for many messages and holds few.
    Join(Box<JoinRequest>),
    /// A message for the room itself: an action, a client that is gone, a decision of a bot.
    Room(Message),
    /// Asks for the card that the link's page shows before joining.
    Look {
        member: Option<Box<Member>>,
        /// True if another node asks for one of its clients.
        guest: bool,
        reply: oneshot::Sender<Result<TableCard, ErrorCode>>,
    },
    /// The files of these games have changed on disk.
    Reloaded {
        games: Arc<[String]>,
    },
    /// An order of an operator, or of somebody who wants to be forgotten.
    Order(Box<OrderRequest>),
    /// Another node has taken over the table: this node can't write to it any more.
    Lost,
    /// Tells the task to store everything that is only in memory, and to end.
    Stop,
}

/// A client's first message, and its outbox.
pub struct JoinRequest {
    pub join: Box<Join>,
    pub outbox: Arc<dyn Recipient>,
}

impl JoinRequest {
    /// Refuses a client whose join has reached no room.
    pub fn refuse(self, code: ErrorCode) {
        self.outbox.release();
        self.outbox.enqueue(Outgoing::refusal(code, Some(self.join.request)));
        self.outbox.send_queued();
    }
}

impl TableMessage {
    /// The name of this message in the log and in test faults.
    pub fn step(&self) -> &'static str {
        match self {
            TableMessage::Join(_) => "room/join",
            TableMessage::Room(Message::Act(act)) => match act.action {
                Action::Move(_) => "room/move",
                Action::Chat { .. } => "room/chat",
                Action::StartGame => "room/start",
                Action::Heartbeat => "room/heartbeat",
                _ => "room/action",
            },
            TableMessage::Room(Message::Gone { .. }) => "room/gone",
            TableMessage::Room(Message::Decided { .. }) => "room/bot",
            // Only the room itself makes the other messages.
            TableMessage::Room(_) => "room/action",
            TableMessage::Look { .. } => "room/look",
            TableMessage::Reloaded { .. } => "room/reloaded",
            TableMessage::Lost => "room/lost",
            TableMessage::Order(_) => "room/obey",
            TableMessage::Stop => "room/stop",
        }
    }
}

pub fn refuse_all(messages: &mut mpsc::Receiver<TableMessage>, code: ErrorCode) {
    // Orders stay in the store and come again.
    drop(refuse_and_return_orders(messages, code));
}

/// Refuses all messages, because there is no room. Returns the orders, which can be carried out without one.
pub fn refuse_and_return_orders(messages: &mut mpsc::Receiver<TableMessage>, code: ErrorCode) -> Vec<OrderRequest> {
    let (mut orders, mut refused) = (Vec::new(), Vec::new());
    while let Ok(message) = messages.try_recv() {
        match message {
            TableMessage::Join(join) => {
                refused.push((join.join.client, join.outbox.clone()));
                join.refuse(code);
            }
            // The client sent this before it knew that its join is refused.
            TableMessage::Room(Message::Act(act)) => {
                if let Some((_, outbox)) = refused.iter().find(|(client, _)| *client == act.client) {
                    outbox.enqueue(Outgoing::refusal(ErrorCode::JoinFirst, Some(act.request)));
                    outbox.send_queued();
                }
            }
            TableMessage::Look { reply, .. } => drop(reply.send(Err(code))),
            // There is no table, so nothing is left to do.
            TableMessage::Order(order) if code == ErrorCode::NoTable => drop(order.reply.send(OrderResult::Done)),
            TableMessage::Order(order) => orders.push(*order),
            _ => {}
        }
    }
    orders
}
