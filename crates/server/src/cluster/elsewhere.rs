//! At the node with the sockets: clients whose tables are at another node. Nothing here sends, waits or reads a clock.

use super::letter::{self, Item};
use super::line::Line;
use crate::frames::Framed;
use crate::identity::Member;
use baize_protocol::ErrorCode;
use baize_protocol::http::TableCard;
use baize_room::{ClientId, Join};
use std::collections::{BTreeMap, BTreeSet};

/// A line to a node that has tables for clients of ours.
pub struct Outward {
    pub line: Line,
    /// Codes of the tables that have a stand-in here.
    stand_ins: BTreeSet<String>,
    /// Each with the code of its table.
    clients: BTreeMap<ClientId, String>,
    next_look: u64,
    pub out: Vec<Item>,
}

/// What the node with the sockets has to do.
#[derive(Debug, PartialEq)]
pub enum ToSockets {
    /// A table has taken this client in.
    Joined {
        client: ClientId,
    },
    Frame {
        clients: Vec<ClientId>,
        frame: Framed,
    },
    Close {
        client: ClientId,
        code: ErrorCode,
    },
    /// The stand-in of this table has to end.
    EndStandIn {
        table: String,
    },
    /// The table is not where it was thought to be.
    ForgetPlace {
        table: String,
    },
    Card {
        query: u64,
        card: Result<TableCard, ErrorCode>,
    },
}

impl Outward {
    pub fn new(line: Line) -> Self {
        Outward { line, stand_ins: BTreeSet::new(), clients: BTreeMap::new(), next_look: 0, out: Vec::new() }
    }

    pub fn count(&self) -> usize {
        self.clients.len()
    }

    /// Nobody needs this line any more, as far as stand-ins and clients go.
    pub fn is_idle(&self) -> bool {
        self.stand_ins.is_empty() && self.clients.is_empty() && self.out.is_empty()
    }

    /// A stand-in for this table begins.
    pub fn begin(&mut self, code: String) {
        self.stand_ins.insert(code);
    }

    pub fn join(&mut self, code: String, join: Join) {
        let Join { client, request, member, name, watch, last, .. } = join;
        self.clients.insert(client, code.clone());
        self.out.push(Item::Join { client, code, request, member, name, watch, last: last.map(Into::into) });
    }

    /// Asks for a table's card; the number comes back with it.
    pub fn look(&mut self, code: String, member: Option<Member>) -> u64 {
        self.next_look += 1;
        self.out.push(Item::Look { query: self.next_look, code, member });
        self.next_look
    }

    pub fn gone(&mut self, client: ClientId) {
        self.clients.remove(&client);
        self.out.push(Item::Gone { client });
    }

    /// What a table says to its clients here.
    pub fn says(&mut self, item: Item) -> Vec<ToSockets> {
        match item {
            Item::Joined { client } if self.clients.contains_key(&client) => vec![ToSockets::Joined { client }],
            Item::Frame { mut clients, frame } => {
                clients.retain(|client| self.clients.contains_key(client));
                vec![ToSockets::Frame { clients, frame: Framed::from(frame) }]
            }
            Item::Close { client, code } => {
                let code = letter::refusal(&code);
                let Some(table) = self.clients.remove(&client) else { return Vec::new() };
                let mut told = vec![ToSockets::Close { client, code }];
                // The table is no longer there, or never was. Whoever comes next asks the store where it is.
                if matches!(code, ErrorCode::Closing | ErrorCode::Storage) {
                    told.extend(self.end_stand_in(&table));
                    told.push(ToSockets::ForgetPlace { table });
                }
                told
            }
            Item::Card { query, card } => {
                let card = card.map_err(|code| letter::refusal(&code));
                let card = card.and_then(|json| serde_json::from_str(&json).map_err(|_| ErrorCode::Busy));
                vec![ToSockets::Card { query, card }]
            }
            // The others go the other way, or are for nobody.
            _ => Vec::new(),
        }
    }

    /// Its clients are closed with it.
    pub fn end_stand_in(&mut self, table: &str) -> Vec<ToSockets> {
        let mut told = Vec::new();
        if self.stand_ins.remove(table) {
            told.push(ToSockets::EndStandIn { table: table.to_owned() });
        }
        let theirs: Vec<ClientId> =
            self.clients.iter().filter(|(_, code)| *code == table).map(|(client, _)| *client).collect();
        for client in theirs {
            self.clients.remove(&client);
            told.push(ToSockets::Close { client, code: ErrorCode::Closing });
            self.out.push(Item::Gone { client });
        }
        told
    }

    /// Everyone served over this line comes back by another way.
    pub fn end(self) -> Vec<ToSockets> {
        let clients = self.clients.into_keys().map(|client| ToSockets::Close { client, code: ErrorCode::Closing });
        let stand_ins = self.stand_ins.into_iter().map(|table| ToSockets::EndStandIn { table });
        clients.chain(stand_ins).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outward() -> Outward {
        let mut outward = Outward::new(Line::new(1, 0));
        outward.begin("table".into());
        for client in [1, 2] {
            let (request, name) = (String::new(), None);
            let join = Join { client, request, member: [0; 32], name, watch: false, last: None, received: 0 };
            outward.join("table".into(), join);
        }
        outward
    }

    #[test]
    fn a_table_that_closes_ends_its_stand_in_and_all_its_clients() {
        let mut outward = outward();
        let told = outward.says(Item::Close { client: 1, code: ErrorCode::Closing.as_str().into() });
        let close = |client| ToSockets::Close { client, code: ErrorCode::Closing };
        let end = ToSockets::EndStandIn { table: "table".into() };
        assert_eq!(told, [close(1), end, close(2), ToSockets::ForgetPlace { table: "table".into() }]);
        outward.out.clear();
        assert!(outward.is_idle());
    }

    #[test]
    fn a_client_that_is_sent_away_takes_nobody_along() {
        let mut outward = outward();
        let told = outward.says(Item::Close { client: 1, code: ErrorCode::Kicked.as_str().into() });
        assert_eq!(told, [ToSockets::Close { client: 1, code: ErrorCode::Kicked }]);
        let told = outward.says(Item::Frame { clients: vec![1, 2], frame: vec![0x81, 0] });
        assert_eq!(told, [ToSockets::Frame { clients: vec![2], frame: Framed::from([0x81, 0]) }]);
    }
}
