//! What reaches a table's task, and what becomes of it where there is no room.

use crate::identity::Member;
use crate::orders::{Obey, Obeyed};
use crate::outbox::{Outgoing, Recipient};
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode};
use baize_room::{Join, Message};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Messages waiting for a room. A room that is this far behind refuses more.
pub const CAPACITY: usize = 1024;

/// What reaches a table's task.
pub enum TableMessage {
    // Boxed: an inbox has space for many messages, most of which are never there.
    Join(Box<JoinRequest>),
    /// For the room as it is: an action, a client that is gone, a decision of a bot.
    Room(Message),
    /// What the link's page shows before joining.
    Look {
        member: Option<Box<Member>>,
        /// Another node asks, for somebody who asked there.
        guest: bool,
        reply: oneshot::Sender<Result<TableCard, ErrorCode>>,
    },
    /// The files of these games have changed on disk.
    Reloaded {
        games: Arc<[String]>,
    },
    /// An operator, or somebody who wants to be forgotten, asks something of the table.
    Obey(Box<Obey>),
    /// Another node has the table now: nothing can be written any more.
    Lost,
    /// Write down what is only in memory and end.
    Stop,
}

/// A client's first message, and where its answers go.
pub struct JoinRequest {
    pub join: Box<Join>,
    pub outbox: Arc<dyn Recipient>,
}

impl JoinRequest {
    /// Refuses somebody who has not claimed a place, or has none any more.
    pub fn refuse(self, code: ErrorCode) {
        self.outbox.put(Outgoing::refusal(code, Some(self.join.request)));
        self.outbox.go();
    }
}

impl TableMessage {
    /// What this is called in the log, and where tests let it go wrong.
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
            TableMessage::Room(_) => "room/other",
            TableMessage::Look { .. } => "room/look",
            TableMessage::Reloaded { .. } => "room/reloaded",
            TableMessage::Lost => "room/lost",
            TableMessage::Obey(_) => "room/obey",
            TableMessage::Stop => "room/stop",
        }
    }
}

pub fn refuse_all(messages: &mut mpsc::Receiver<TableMessage>, code: ErrorCode) {
    // Orders come again.
    drop(refuse_but_obey(messages, code));
}

/// There is no room: everyone is told so, and orders are carried out all the same.
pub fn refuse_but_obey(messages: &mut mpsc::Receiver<TableMessage>, code: ErrorCode) -> Vec<Obey> {
    let mut orders = Vec::new();
    while let Ok(message) = messages.try_recv() {
        match message {
            TableMessage::Join(join) => join.refuse(code),
            TableMessage::Look { reply, .. } => drop(reply.send(Err(code))),
            // A table that is not there needs nothing done.
            TableMessage::Obey(obey) if code == ErrorCode::NoTable => drop(obey.reply.send(Obeyed::Done)),
            TableMessage::Obey(obey) => orders.push(*obey),
            _ => {}
        }
    }
    orders
}
