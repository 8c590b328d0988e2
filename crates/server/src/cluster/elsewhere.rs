//! At the node with the sockets: clients whose tables are at another node.

use super::letter::{self, Item};
use super::line::Line;
use crate::Services;
use crate::frames::Framed;
use crate::identity::Member;
use crate::outbox::{Outgoing, Recipient};
use crate::room_task::JoinRequest;
use baize_protocol::ErrorCode;
use baize_protocol::http::TableCard;
use baize_room::{ClientId, Join};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::oneshot;

/// Where a table's card is awaited.
pub type Looked = oneshot::Sender<Result<TableCard, ErrorCode>>;

/// Cards awaited from one node at the same time.
const MOST_LOOKS: usize = 10_000;

/// A line to a node that has tables for clients of ours.
pub struct Outward {
    pub line: Line,
    /// By the code of their table: how each is told to end.
    stand_ins: HashMap<String, oneshot::Sender<()>>,
    /// Each with the code of its table.
    clients: HashMap<ClientId, (String, Arc<dyn Recipient>)>,
    looks: HashMap<u64, Looked>,
    next_look: u64,
    /// Who waits for the first sign of life.
    asking: Vec<oneshot::Sender<()>>,
    pub out: Vec<Item>,
}

impl Outward {
    pub fn new(line: Line) -> Self {
        Outward {
            line,
            stand_ins: HashMap::new(),
            clients: HashMap::new(),
            looks: HashMap::new(),
            next_look: 0,
            asking: Vec::new(),
            out: Vec::new(),
        }
    }

    pub fn count(&self) -> usize {
        self.clients.len()
    }

    /// Nobody needs this line any more.
    pub fn is_idle(&self) -> bool {
        let used = !self.stand_ins.is_empty() || !self.clients.is_empty() || !self.looks.is_empty();
        !used && self.out.is_empty() && self.asking.iter().all(oneshot::Sender::is_closed)
    }

    pub fn ask(&mut self, there: oneshot::Sender<()>) {
        // Whoever has given up waiting is not kept.
        self.asking.retain(|there| !there.is_closed());
        self.asking.push(there);
    }

    /// The other node is there.
    pub fn heard(&mut self) {
        for there in self.asking.drain(..) {
            let _ = there.send(());
        }
    }

    pub fn begin(&mut self, code: String, end: oneshot::Sender<()>) {
        self.stand_ins.insert(code, end);
    }

    pub fn join(&mut self, code: String, join: JoinRequest) {
        let JoinRequest { join, outbox } = join;
        let Join { client, request, member, name, watch, last, .. } = *join;
        self.clients.insert(client, (code.clone(), outbox));
        self.out.push(Item::Join { client, code, request, member, name, watch, last: last.map(Into::into) });
    }

    pub fn look(&mut self, code: String, member: Option<Member>, reply: Looked) {
        if self.looks.len() >= MOST_LOOKS {
            self.looks.retain(|_, reply| !reply.is_closed());
        }
        if self.looks.len() >= MOST_LOOKS {
            let _ = reply.send(Err(ErrorCode::Busy));
            return;
        }
        self.next_look += 1;
        self.looks.insert(self.next_look, reply);
        self.out.push(Item::Look { query: self.next_look, code, member });
    }

    /// What this client wants can't be passed on.
    pub fn refuse(&self, client: ClientId, request: String) {
        if let Some((_, outbox)) = self.clients.get(&client) {
            outbox.put(Outgoing::refusal(ErrorCode::Storage, Some(request)));
            outbox.go();
        }
    }

    pub fn gone(&mut self, client: ClientId) {
        self.clients.remove(&client);
        self.out.push(Item::Gone { client });
    }

    /// What a table says to its clients here.
    pub fn says(&mut self, services: &Services, item: Item) {
        match item {
            Item::Joined { client } => {
                if let Some((_, outbox)) = self.clients.get(&client) {
                    outbox.joined();
                }
            }
            Item::Frame { clients, frame } => {
                let frame = Framed::from(frame);
                for (_, outbox) in clients.iter().filter_map(|client| self.clients.get(client)) {
                    // A client that does not read is cut off, and its own task says so to the room.
                    if !outbox.put(Outgoing::Text(frame.clone())) {
                        services.metrics.cut.fetch_add(1, Relaxed);
                    }
                    outbox.go();
                }
            }
            Item::Close { client, code } => {
                let code = letter::refusal(&code);
                let Some((table, outbox)) = self.clients.remove(&client) else { return };
                close(&*outbox, code);
                // The table is no longer there, or never was. Whoever comes next asks the store where it is.
                if matches!(code, ErrorCode::Closing | ErrorCode::Storage) {
                    self.end_stand_in(&table);
                    if let Some(redis) = services.cluster.as_ref().and_then(|cluster| cluster.redis.as_ref()) {
                        redis.forget(&table);
                    }
                }
            }
            Item::Card { query, card } => {
                if let Some(reply) = self.looks.remove(&query) {
                    let card = card.map_err(|code| letter::refusal(&code));
                    let _ = reply.send(card.and_then(|json| serde_json::from_str(&json).map_err(|_| ErrorCode::Busy)));
                }
            }
            // Those go the other way.
            Item::Join { .. } | Item::Act { .. } | Item::Gone { .. } | Item::Look { .. } => {}
        }
    }

    /// Its clients are closed with it.
    pub fn end_stand_in(&mut self, table: &str) {
        if let Some(end) = self.stand_ins.remove(table) {
            let _ = end.send(());
        }
        for (client, (_, outbox)) in self.clients.extract_if(|_, (code, _)| code == table) {
            close(&*outbox, ErrorCode::Closing);
            self.out.push(Item::Gone { client });
        }
    }

    /// Everyone served over this line comes back by another way. Stand-ins are told by losing what tells them.
    pub fn end(self) {
        for (_, outbox) in self.clients.into_values() {
            close(&*outbox, ErrorCode::Closing);
        }
        for reply in self.looks.into_values() {
            let _ = reply.send(Err(ErrorCode::Closing));
        }
    }
}

fn close(outbox: &dyn Recipient, code: ErrorCode) {
    outbox.put(Outgoing::Close(code));
    outbox.go();
}
