//! At the node with the table: clients whose sockets are at another node.

use super::exchange::Order;
use super::letter::Item;
use super::line::Line;
use crate::Services;
use crate::frames::Framed;
use crate::metrics::stamp;
use crate::outbox::{Outgoing, Recipient};
use crate::room_task::{JoinRequest, TableMessage};
use crate::socket::next_client;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode};
use baize_room::encode;
use baize_room::{Act, ClientId, Join, Message};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// A line from a node that has sockets for tables of ours.
pub struct Inward {
    pub line: Line,
    /// By the name their own node has for them: our name for each, and its room.
    guests: HashMap<ClientId, (ClientId, mpsc::Sender<TableMessage>)>,
    pub out: Vec<Item>,
}

/// Which line a guest came by.
pub struct GuestLine {
    pub node: String,
    pub session: u64,
}

/// For one guest.
pub enum ToGuest {
    Joined(ClientId),
    Frame(ClientId, Framed),
    Close(ClientId, ErrorCode),
}

/// What a room knows of a guest.
struct Guest {
    line: Arc<GuestLine>,
    client: ClientId,
    orders: mpsc::UnboundedSender<Order>,
}

impl Guest {
    fn tell(&self, item: ToGuest) {
        // The exchange ends after the rooms.
        let _ = self.orders.send(Order::ToSocket { guest: self.line.clone(), item });
    }
}

impl Recipient for Guest {
    fn joined(&self) {
        self.tell(ToGuest::Joined(self.client));
    }

    fn put(&self, message: Outgoing) -> bool {
        self.tell(match message {
            Outgoing::Text(frame) => ToGuest::Frame(self.client, frame),
            Outgoing::Close(code) => ToGuest::Close(self.client, code),
        });
        true
    }

    fn go(&self) {}

    fn is_guest(&self) -> bool {
        true
    }
}

impl Inward {
    pub fn new(line: Line) -> Self {
        Inward { line, guests: HashMap::new(), out: Vec::new() }
    }

    pub fn count(&self) -> usize {
        self.guests.len()
    }

    /// What a guest wants.
    pub fn wants(&mut self, services: &Arc<Services>, orders: &mpsc::UnboundedSender<Order>, from: &str, item: Item) {
        match item {
            Item::Join { client, code, request, member, name, watch, last } => {
                let line = Arc::new(GuestLine { node: from.to_owned(), session: self.line.session });
                let outbox = Arc::new(Guest { line, client, orders: orders.clone() });
                let (id, last, received) = (next_client(), last.map(Into::into), stamp());
                let wanted = request.clone();
                let join = Box::new(Join { client: id, request, member, name, watch, last, received });
                let join = JoinRequest { join, outbox };
                match services.hub.pass(services, &code, TableMessage::Join(Box::new(join))) {
                    Ok(inbox) => drop(self.guests.insert(client, (id, inbox))),
                    Err(code @ ErrorCode::Closing) => self.tell(ToGuest::Close(client, code)),
                    Err(code) => self.tell(refusal(client, code, wanted)),
                }
            }
            Item::Act { client, request, action } => {
                let Some((id, inbox)) = self.guests.get(&client) else { return };
                // What the other node has read, this one can read.
                let Ok(action) = serde_json::from_str::<Action>(&action) else { return };
                let act = Act { client: *id, request: request.clone(), action, received: stamp() };
                match inbox.try_send(TableMessage::Room(Message::Act(Box::new(act)))) {
                    Ok(()) => {}
                    Err(mpsc::error::TrySendError::Full(_)) => {
                        self.tell(refusal(client, ErrorCode::Busy, request));
                    }
                    Err(mpsc::error::TrySendError::Closed(_)) => self.tell(ToGuest::Close(client, ErrorCode::Closing)),
                }
            }
            Item::Gone { client } => {
                if let Some(guest) = self.guests.remove(&client) {
                    gone(guest);
                }
            }
            Item::Look { query, code, member } => {
                let (reply, answer) = oneshot::channel();
                let look = TableMessage::Look { member: member.map(Box::new), guest: true, reply };
                let passed = services.hub.pass(services, &code, look);
                let (orders, session, node) = (orders.clone(), self.line.session, from.to_owned());
                tokio::spawn(async move {
                    let card = match passed {
                        Ok(_) => answer.await.unwrap_or(Err(ErrorCode::Closing)),
                        Err(code) => Err(code),
                    };
                    let _ = orders.send(Order::Answer { node, session, query, card });
                });
            }
            // Those go the other way.
            Item::Joined { .. } | Item::Frame { .. } | Item::Close { .. } | Item::Card { .. } => {}
        }
    }

    pub fn tell(&mut self, item: ToGuest) {
        match item {
            ToGuest::Joined(client) => self.out.push(Item::Joined { client }),
            ToGuest::Frame(client, frame) => match self.out.last_mut() {
                // The same for many: spectators, and whatever is told to all.
                Some(Item::Frame { clients, frame: last }) if *last == frame[..] && !clients.contains(&client) => {
                    clients.push(client);
                }
                _ => self.out.push(Item::Frame { clients: vec![client], frame: frame.to_vec() }),
            },
            ToGuest::Close(client, code) => {
                self.guests.remove(&client);
                self.out.push(Item::Close { client, code: code.as_str().to_owned() });
            }
        }
    }

    /// A table has been looked at for somebody at the other node.
    pub fn answer(&mut self, query: u64, card: Result<TableCard, ErrorCode>) {
        let card = card.and_then(|card| encode::json_text("a table's card", &card).map_err(|_| ErrorCode::Storage));
        self.out.push(Item::Card { query, card: card.map_err(|code| code.as_str().to_owned()) });
    }

    /// All guests are gone, as if their sockets had closed.
    pub fn end(self) {
        self.guests.into_values().for_each(gone);
    }
}

fn refusal(client: ClientId, code: ErrorCode, request: String) -> ToGuest {
    match Outgoing::refusal(code, Some(request)) {
        Outgoing::Text(frame) => ToGuest::Frame(client, frame),
        Outgoing::Close(code) => ToGuest::Close(client, code),
    }
}

/// The room hears of it even if it has much to do.
fn gone((client, inbox): (ClientId, mpsc::Sender<TableMessage>)) {
    if let Err(mpsc::error::TrySendError::Full(note)) = inbox.try_send(TableMessage::Room(Message::Gone { client })) {
        tokio::spawn(async move { inbox.send(note).await });
    }
}
