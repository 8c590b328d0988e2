//! At the node with the table: clients whose sockets are at another node. Nothing here sends, waits or reads a clock.

use super::letter::Item;
use super::line::Line;
use crate::frames::Framed;
use crate::identity::Member;
use crate::outbox::Outgoing;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode};
use baize_room::{Act, ClientId, Join, encode};
use std::collections::BTreeMap;

/// A line from a node that has sockets for tables of ours.
pub struct Inward {
    pub line: Line,
    /// By the name their own node has for them: our name for each.
    guests: BTreeMap<ClientId, ClientId>,
    pub out: Vec<Item>,
}

/// For one guest, by the name its own node has for it.
pub enum ToGuest {
    Joined(ClientId),
    Frame(ClientId, Framed),
    Close(ClientId, ErrorCode),
}

/// What the node with the table has to do. Guests are named as that node names them.
#[derive(Debug, PartialEq)]
pub enum ToTable {
    /// Pass this on, and tell [`Inward::handle_passed`] what came of it.
    Join {
        guest: ClientId,
        code: String,
        join: Box<Join>,
    },
    /// The same.
    Act {
        guest: ClientId,
        act: Box<Act>,
    },
    Gone {
        client: ClientId,
    },
    /// Look at this table, and hand in its card.
    Look {
        query: u64,
        code: String,
        member: Option<Member>,
    },
}

impl Inward {
    pub fn new(line: Line) -> Self {
        Inward { line, guests: BTreeMap::new(), out: Vec::new() }
    }

    /// What a guest wants. `fresh` is a name for a client that nobody has; `received` is handed through to the room.
    pub fn wants(&mut self, item: Item, fresh: ClientId, received: u64) -> Option<ToTable> {
        match item {
            Item::Join { client: guest, code, request, member, name, watch, last } => {
                let last = last.map(Into::into);
                let join = Box::new(Join { client: fresh, request, member, name, watch, last, received });
                Some(ToTable::Join { guest, code, join })
            }
            Item::Act { client: guest, request, action } => {
                let client = *self.guests.get(&guest)?;
                // What the other node has read, this one can read.
                let action = serde_json::from_str::<Action>(&action).ok()?;
                Some(ToTable::Act { guest, act: Box::new(Act { client, request, action, received }) })
            }
            Item::Gone { client } => self.guests.remove(&client).map(|client| ToTable::Gone { client }),
            Item::Look { query, code, member } => Some(ToTable::Look { query, code, member }),
            // Those go the other way.
            Item::Joined { .. } | Item::Frame { .. } | Item::Close { .. } | Item::Card { .. } => None,
        }
    }

    /// A guest's join is in the inbox of its table.
    pub fn handle_joining(&mut self, guest: ClientId, client: ClientId) {
        self.guests.insert(guest, client);
    }

    /// What a guest wants could not be passed on. Returns our name for it if it is gone by that.
    pub fn handle_refused(&mut self, guest: ClientId, code: ErrorCode, request: String) -> Option<ClientId> {
        self.tell(match (code, Outgoing::refusal(code, Some(request))) {
            // It comes back by another way.
            (ErrorCode::Closing, _) => ToGuest::Close(guest, code),
            (_, Outgoing::Text(frame)) => ToGuest::Frame(guest, frame),
            (_, Outgoing::Close(code)) => ToGuest::Close(guest, code),
        })
    }

    /// Returns our name for a guest that is gone by that.
    pub fn tell(&mut self, item: ToGuest) -> Option<ClientId> {
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
                self.out.push(Item::Close { client, code: code.as_str().to_owned() });
                return self.guests.remove(&client);
            }
        }
        None
    }

    /// A table has been looked at for somebody at the other node.
    pub fn answer(&mut self, query: u64, card: Result<TableCard, ErrorCode>) {
        let card = card.and_then(|card| encode::json_text("a table's card", &card).map_err(|_| ErrorCode::Storage));
        self.out.push(Item::Card { query, card: card.map_err(|code| code.as_str().to_owned()) });
    }

    /// All guests are gone, as if their sockets had closed.
    pub fn end(self) -> Vec<ClientId> {
        self.guests.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(client: ClientId) -> Item {
        let (code, request) = ("table".into(), "r".into());
        Item::Join { client, code, request, member: [0; 32], name: None, watch: true, last: None }
    }

    #[test]
    fn guests_have_two_names() {
        let mut inward = Inward::new(Line::new(1, 0));
        assert!(
            matches!(inward.wants(join(1), 71, 0), Some(ToTable::Join { guest: 1, join, .. }) if join.client == 71)
        );
        let act = || Item::Act { client: 1, request: "r".into(), action: r#"{"type":"heartbeat"}"#.into() };
        assert_eq!(inward.wants(act(), 72, 0), None);
        inward.handle_joining(1, 71);
        assert!(matches!(inward.wants(act(), 73, 0), Some(ToTable::Act { act, .. }) if act.client == 71));
        assert_eq!(inward.wants(Item::Gone { client: 1 }, 74, 0), Some(ToTable::Gone { client: 71 }));
        assert!(inward.end().is_empty());
    }

    #[test]
    fn one_frame_for_many_guests_travels_once() {
        let mut inward = Inward::new(Line::new(1, 0));
        for client in 1..=3 {
            inward.tell(ToGuest::Frame(client, Framed::from([1, 2])));
        }
        assert_eq!(inward.out, [Item::Frame { clients: vec![1, 2, 3], frame: vec![1, 2] }]);
    }
}
