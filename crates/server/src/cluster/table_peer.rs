//! Clients whose tables are at another node, as the node with the sockets sees them. Nothing here sends, waits or reads a clock.

use super::peer_link::PeerLink;
use super::peer_message::{self, PacketItem};
use crate::frames::FrameBytes;
use baize_protocol::ErrorCode;
use baize_protocol::http::TableCard;
use baize_room::identity::Member;
use baize_room::{ClientId, Join};
use std::collections::{BTreeMap, BTreeSet};

/// The link to a node that has tables for clients of ours.
pub struct TablePeer {
    pub link: PeerLink,
    /// Codes of the tables that have a stand-in here.
    stand_ins: BTreeSet<String>,
    /// The code of each client's table.
    clients: BTreeMap<ClientId, String>,
    next_query: u64,
    pub outgoing: Vec<PacketItem>,
}

/// An effect at the node with the sockets.
#[derive(Debug, PartialEq)]
pub enum SocketEffect {
    /// The table has accepted this client.
    Joined {
        client: ClientId,
    },
    /// The table has not accepted this client, which may join another.
    Released {
        client: ClientId,
    },
    Frame {
        clients: Vec<ClientId>,
        frame: FrameBytes,
    },
    Close {
        client: ClientId,
        code: ErrorCode,
    },
    /// End the stand-in of this table.
    EndStandIn {
        table: String,
    },
    /// The table is no longer at the node that was recorded for it.
    ForgetLocation {
        table: String,
    },
    Card {
        query: u64,
        card: Result<TableCard, ErrorCode>,
    },
}

impl TablePeer {
    pub fn new(link: PeerLink) -> Self {
        TablePeer { link, stand_ins: BTreeSet::new(), clients: BTreeMap::new(), next_query: 0, outgoing: Vec::new() }
    }

    pub fn client_count(&self) -> usize {
        self.clients.len()
    }

    /// No stand-in and no client needs this link.
    pub fn is_idle(&self) -> bool {
        self.stand_ins.is_empty() && self.clients.is_empty() && self.outgoing.is_empty()
    }

    /// Registers a stand-in for this table.
    pub fn add_stand_in(&mut self, code: String) {
        self.stand_ins.insert(code);
    }

    pub fn join(&mut self, code: String, join: Join) {
        let Join { client, request, member, name, watch, last, .. } = join;
        self.clients.insert(client, code.clone());
        self.outgoing.push(PacketItem::Join { client, code, request, member, name, watch, last: last.map(Into::into) });
    }

    /// Requests a table's card. The returned number identifies the answer.
    pub fn request_card(&mut self, code: String, member: Option<Member>) -> u64 {
        self.next_query += 1;
        self.outgoing.push(PacketItem::Look { query: self.next_query, code, member });
        self.next_query
    }

    pub fn handle_gone(&mut self, client: ClientId) {
        self.clients.remove(&client);
        self.outgoing.push(PacketItem::Gone { client });
    }

    /// Handles one item of a packet from the node with the tables.
    pub fn handle_item(&mut self, item: PacketItem) -> Vec<SocketEffect> {
        match item {
            PacketItem::Joined { client } if self.clients.contains_key(&client) => {
                vec![SocketEffect::Joined { client }]
            }
            PacketItem::Released { client } if self.clients.contains_key(&client) => {
                vec![SocketEffect::Released { client }]
            }
            PacketItem::Frame { mut clients, frame } => {
                clients.retain(|client| self.clients.contains_key(client));
                vec![SocketEffect::Frame { clients, frame: FrameBytes::from(frame) }]
            }
            PacketItem::Close { client, code } => {
                let code = peer_message::refusal_code(&code);
                let Some(table) = self.clients.remove(&client) else { return Vec::new() };
                let mut effects = vec![SocketEffect::Close { client, code }];
                // The node does not have the table. The next client asks the store where it is.
                if matches!(code, ErrorCode::Closing | ErrorCode::Storage) {
                    effects.extend(self.end_stand_in(&table));
                    effects.push(SocketEffect::ForgetLocation { table });
                }
                effects
            }
            PacketItem::Card { query, card } => {
                let card = card.map_err(|code| peer_message::refusal_code(&code));
                let card = card.and_then(|json| serde_json::from_str(&json).map_err(|_| ErrorCode::Busy));
                vec![SocketEffect::Card { query, card }]
            }
            // The item goes in the opposite direction, or its client is gone.
            _ => Vec::new(),
        }
    }

    /// Ends the stand-in of a table and closes its clients.
    pub fn end_stand_in(&mut self, table: &str) -> Vec<SocketEffect> {
        let mut effects = Vec::new();
        if self.stand_ins.remove(table) {
            effects.push(SocketEffect::EndStandIn { table: table.to_owned() });
        }
        let theirs: Vec<ClientId> =
            self.clients.iter().filter(|(_, code)| *code == table).map(|(client, _)| *client).collect();
        for client in theirs {
            self.clients.remove(&client);
            effects.push(SocketEffect::Close { client, code: ErrorCode::Closing });
            self.outgoing.push(PacketItem::Gone { client });
        }
        effects
    }

    /// Ends the link; all its clients are closed and reconnect.
    pub fn end(self) -> Vec<SocketEffect> {
        let clients = self.clients.into_keys().map(|client| SocketEffect::Close { client, code: ErrorCode::Closing });
        let stand_ins = self.stand_ins.into_iter().map(|table| SocketEffect::EndStandIn { table });
        clients.chain(stand_ins).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_peer() -> TablePeer {
        let mut table_peer = TablePeer::new(PeerLink::new(1, 0));
        table_peer.add_stand_in("table".into());
        for client in [1, 2] {
            let (request, name) = (String::new(), None);
            let join = Join { client, request, member: [0; 32], name, watch: false, last: None, received: 0 };
            table_peer.join("table".into(), join);
        }
        table_peer
    }

    #[test]
    fn a_closing_table_ends_its_stand_in_and_all_its_clients() {
        let mut table_peer = table_peer();
        let effects = table_peer.handle_item(PacketItem::Close { client: 1, code: ErrorCode::Closing.as_str().into() });
        let close = |client| SocketEffect::Close { client, code: ErrorCode::Closing };
        let end = SocketEffect::EndStandIn { table: "table".into() };
        assert_eq!(effects, [close(1), end, close(2), SocketEffect::ForgetLocation { table: "table".into() }]);
        table_peer.outgoing.clear();
        assert!(table_peer.is_idle());
    }

    /// A claimed socket whose join is never answered would refuse every other table.
    #[test]
    fn a_lost_link_closes_clients_whose_joins_are_unanswered() {
        let effects = table_peer().end();
        let close = |client| SocketEffect::Close { client, code: ErrorCode::Closing };
        assert_eq!(effects, [close(1), close(2), SocketEffect::EndStandIn { table: "table".into() }]);
    }

    #[test]
    fn a_kicked_client_leaves_the_others_connected() {
        let mut table_peer = table_peer();
        let effects = table_peer.handle_item(PacketItem::Close { client: 1, code: ErrorCode::Kicked.as_str().into() });
        assert_eq!(effects, [SocketEffect::Close { client: 1, code: ErrorCode::Kicked }]);
        let effects = table_peer.handle_item(PacketItem::Frame { clients: vec![1, 2], frame: vec![0x81, 0] });
        assert_eq!(effects, [SocketEffect::Frame { clients: vec![2], frame: FrameBytes::from([0x81, 0]) }]);
    }
}
