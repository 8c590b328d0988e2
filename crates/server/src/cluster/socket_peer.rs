//! Clients whose sockets are at another node, as the node with the table sees them. Nothing here sends, waits or reads a clock.

use super::peer_link::PeerLink;
use super::peer_message::PacketItem;
use crate::frames::FrameBytes;
use crate::outgoing::Outgoing;
use baize_protocol::http::TableCard;
use baize_protocol::{Action, ErrorCode};
use baize_room::identity::Member;
use baize_room::{Act, ClientId, Join, encode};
use std::collections::BTreeMap;

/// The link to a node that has the sockets of guests at our tables.
pub struct SocketPeer {
    pub link: PeerLink,
    /// The client id that we gave each guest, by the id its own node has for it.
    guests: BTreeMap<ClientId, ClientId>,
    pub outgoing: Vec<PacketItem>,
}

/// A message to one guest, by the id its own node has for it.
pub enum GuestMessage {
    Joined(ClientId),
    Released(ClientId),
    Frame(ClientId, FrameBytes),
    Close(ClientId, ErrorCode),
}

/// An effect at the node with the table. `guest` is the id of the node with the socket.
#[derive(Debug, PartialEq)]
pub enum TableEffect {
    /// Pass the join to the table; if that fails, call [`SocketPeer::handle_refused_join`].
    Join {
        guest: ClientId,
        code: String,
        join: Box<Join>,
        /// Our client id from an earlier join of this guest, which was refused and is over.
        earlier: Option<ClientId>,
    },
    /// Pass the action to the table; if that fails, call [`SocketPeer::handle_refused`].
    Act {
        guest: ClientId,
        act: Box<Act>,
    },
    Gone {
        client: ClientId,
    },
    /// Ask the table for its card, then call [`SocketPeer::send_card`].
    Look {
        query: u64,
        code: String,
        member: Option<Member>,
    },
}

impl SocketPeer {
    pub fn new(link: PeerLink) -> Self {
        SocketPeer { link, guests: BTreeMap::new(), outgoing: Vec::new() }
    }

    /// Handles one item of a packet. `next_client` is an unused client id; `received` is passed on to the room.
    pub fn handle_item(&mut self, item: PacketItem, next_client: ClientId, received: u64) -> Option<TableEffect> {
        match item {
            PacketItem::Join { client: guest, code, request, member, name, watch, last } => {
                let last = last.map(Into::into);
                let join = Box::new(Join { client: next_client, request, member, name, watch, last, received });
                // Items that follow in the same packet are read before this join is passed on.
                let earlier = self.guests.insert(guest, next_client);
                Some(TableEffect::Join { guest, code, join, earlier })
            }
            PacketItem::Act { client: guest, request, action } => {
                let Some(client) = self.guests.get(&guest).copied() else {
                    // The guest sent this before it knew that its join is refused.
                    self.handle_refused(guest, ErrorCode::JoinFirst, request);
                    return None;
                };
                // The other node has already parsed this action.
                let action = serde_json::from_str::<Action>(&action).ok()?;
                Some(TableEffect::Act { guest, act: Box::new(Act { client, request, action, received }) })
            }
            PacketItem::Gone { client } => self.guests.remove(&client).map(|client| TableEffect::Gone { client }),
            PacketItem::Look { query, code, member } => Some(TableEffect::Look { query, code, member }),
            // These items go in the opposite direction.
            PacketItem::Joined { .. }
            | PacketItem::Released { .. }
            | PacketItem::Frame { .. }
            | PacketItem::Close { .. }
            | PacketItem::Card { .. } => None,
        }
    }

    /// The guest's join could not be passed on. The guest may join another table.
    pub fn handle_refused_join(&mut self, guest: ClientId, client: ClientId, code: ErrorCode, request: String) {
        if self.guests.get(&guest) == Some(&client) {
            self.guests.remove(&guest);
        }
        self.send_to_guest(GuestMessage::Released(guest));
        self.handle_refused(guest, code, request);
    }

    /// The guest's message could not be passed on. Returns our client id of the guest if the guest is gone now.
    pub fn handle_refused(&mut self, guest: ClientId, code: ErrorCode, request: String) -> Option<ClientId> {
        self.send_to_guest(match (code, Outgoing::refusal(code, Some(request))) {
            // The guest is closed and reconnects.
            (ErrorCode::Closing, _) => GuestMessage::Close(guest, code),
            (_, Outgoing::Text(frame)) => GuestMessage::Frame(guest, frame),
            (_, Outgoing::Close(code)) => GuestMessage::Close(guest, code),
        })
    }

    /// Returns our client id of the guest if the guest is gone now.
    pub fn send_to_guest(&mut self, item: GuestMessage) -> Option<ClientId> {
        match item {
            GuestMessage::Joined(client) => self.outgoing.push(PacketItem::Joined { client }),
            GuestMessage::Released(client) => self.outgoing.push(PacketItem::Released { client }),
            GuestMessage::Frame(client, frame) => match self.outgoing.last_mut() {
                // A frame for many guests, such as all spectators, is sent once.
                Some(PacketItem::Frame { clients, frame: last })
                    if *last == frame[..] && !clients.contains(&client) =>
                {
                    clients.push(client);
                }
                _ => self.outgoing.push(PacketItem::Frame { clients: vec![client], frame: frame.to_vec() }),
            },
            GuestMessage::Close(client, code) => {
                self.outgoing.push(PacketItem::Close { client, code: code.as_str().to_owned() });
                return self.guests.remove(&client);
            }
        }
        None
    }

    /// Answers [`TableEffect::Look`].
    pub fn send_card(&mut self, query: u64, card: Result<TableCard, ErrorCode>) {
        let card = card.and_then(|card| encode::json_text("a table's card", &card).map_err(|_| ErrorCode::Storage));
        self.outgoing.push(PacketItem::Card { query, card: card.map_err(|code| code.as_str().to_owned()) });
    }

    /// Ends the link and returns the client ids of all guests, whose sockets count as closed.
    pub fn end(self) -> Vec<ClientId> {
        self.guests.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(client: ClientId) -> PacketItem {
        let (code, request) = ("table".into(), "r".into());
        PacketItem::Join { client, code, request, member: [0; 32], name: None, watch: true, last: None }
    }

    fn act() -> PacketItem {
        PacketItem::Act { client: 1, request: "r".into(), action: r#"{"type":"heartbeat"}"#.into() }
    }

    #[test]
    fn a_guest_has_an_id_at_each_node() {
        let mut socket_peer = SocketPeer::new(PeerLink::new(1, 0));
        assert_eq!(socket_peer.handle_item(act(), 70, 0), None);
        assert!(
            matches!(&socket_peer.outgoing[..], [PacketItem::Frame { clients, .. }] if clients == &[1]),
            "an action without a join is answered"
        );
        let joined = socket_peer.handle_item(join(1), 71, 0);
        assert!(matches!(joined, Some(TableEffect::Join { guest: 1, join, earlier: None, .. }) if join.client == 71));
        let again = socket_peer.handle_item(join(1), 72, 0);
        assert!(
            matches!(again, Some(TableEffect::Join { earlier: Some(71), .. })),
            "a room would wait for this client for ever"
        );
        assert_eq!(
            socket_peer.handle_item(PacketItem::Gone { client: 1 }, 74, 0),
            Some(TableEffect::Gone { client: 72 })
        );
        assert!(socket_peer.end().is_empty());
    }

    /// Regression: the items behind a join in its packet were those of the join before it, so an action was never answered
    /// and a table waited for ever for a guest who had gone.
    #[test]
    fn items_behind_a_join_in_its_packet_belong_to_it() {
        let mut socket_peer = SocketPeer::new(PeerLink::new(1, 0));
        socket_peer.handle_item(join(1), 71, 0);
        socket_peer.handle_item(join(1), 72, 0);
        assert!(
            matches!(socket_peer.handle_item(act(), 73, 0), Some(TableEffect::Act { act, .. }) if act.client == 72)
        );
        socket_peer.handle_refused_join(1, 71, ErrorCode::Busy, "r".into());
        let gone = socket_peer.handle_item(PacketItem::Gone { client: 1 }, 74, 0);
        assert_eq!(gone, Some(TableEffect::Gone { client: 72 }));
        socket_peer.handle_item(join(1), 75, 0);
        socket_peer.handle_refused_join(1, 75, ErrorCode::Busy, "r".into());
        assert!(socket_peer.end().is_empty());
    }

    #[test]
    fn a_frame_for_many_guests_is_sent_once() {
        let mut socket_peer = SocketPeer::new(PeerLink::new(1, 0));
        for client in 1..=3 {
            socket_peer.send_to_guest(GuestMessage::Frame(client, FrameBytes::from([1, 2])));
        }
        assert_eq!(socket_peer.outgoing, [PacketItem::Frame { clients: vec![1, 2, 3], frame: vec![1, 2] }]);
    }
}
