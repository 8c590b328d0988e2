//! All peer links of a node, without IO: messages and requests in, messages and effects out.
//!
//! A node has two roles. For its own clients at tables elsewhere, a [`TablePeer`] is the link to the node with those
//! tables. For its own tables, a [`SocketPeer`] is the link to a node whose clients are guests at them.
//!
//! The [`peer_task`](super::peer_task) calls [`Peers::handle_message`] for each message that arrives,
//! [`Peers::handle_heartbeat`] every [`HEARTBEAT`](super::peer_link::HEARTBEAT), the functions of a peer for requests
//! of this node, and [`Peers::send_packets`] after each group of calls. Then it carries out every
//! [`Peers::poll_effect`]. All times are milliseconds of the caller's steady clock.

use super::peer_link::{LinkEnded, PeerLink, Received};
use super::peer_message::{Body, PeerMessage};
use super::socket_peer::{SocketPeer, TableEffect};
use super::table_peer::{SocketEffect, TablePeer};
use baize_room::ClientId;
use baize_store::Unwritable;
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};

pub enum PeerEffect {
    /// A message that can't be encoded counts as lost.
    Send { to: String, message: Result<Bytes, Unwritable> },
    /// The other node has sent a message.
    Heard { node: String },
    /// An effect for sockets at this node, from tables at that node.
    ToSockets { node: String, effect: SocketEffect },
    /// An effect for tables at this node, from guests of that node.
    ToTable { node: String, session: u64, effect: TableEffect },
    /// The link to a node with tables has ended; it served this many clients.
    TablePeerEnded { node: String, clients: usize },
    /// The link to a node with sockets has ended; these clients of tables here are gone with it.
    SocketPeerEnded { node: String, guests: Vec<ClientId> },
}

pub struct Peers {
    node: String,
    table_peers: BTreeMap<String, TablePeer>,
    socket_peers: BTreeMap<String, SocketPeer>,
    last_session: u64,
    effects: VecDeque<PeerEffect>,
}

impl Peers {
    /// `session` is the date, shifted left, so that a program that was started later uses larger session ids.
    pub fn new(node: String, session: u64) -> Self {
        Peers {
            node,
            table_peers: BTreeMap::new(),
            socket_peers: BTreeMap::new(),
            last_session: session,
            effects: VecDeque::new(),
        }
    }

    pub fn poll_effect(&mut self) -> Option<PeerEffect> {
        self.effects.pop_front()
    }

    /// The link to a node with tables for clients here; makes one if there is none.
    pub fn table_peer(&mut self, node: &str, now: u64) -> &mut TablePeer {
        self.table_peers.entry(node.to_owned()).or_insert_with(|| {
            self.last_session += 1;
            TablePeer::new(PeerLink::new(self.last_session, now))
        })
    }

    /// The link to a node with guests, if its session is still this one.
    pub fn socket_peer(&mut self, node: &str, session: u64) -> Option<&mut SocketPeer> {
        self.socket_peers.get_mut(node).filter(|socket_peer| socket_peer.link.session == session)
    }

    /// Whether the link to that node is alive. If not, sends a heartbeat, which that node answers.
    pub fn reach(&mut self, node: &str, now: u64) -> bool {
        let name = self.node.clone();
        let link = &self.table_peer(node, now).link;
        if link.is_alive(now) {
            return true;
        }
        let message = link.message(&name, true, link.heartbeat()).write();
        self.send(node, message);
        false
    }

    /// Ends the stand-in of a table on request of the stand-in itself.
    pub fn end_stand_in(&mut self, node: &str, table: &str, now: u64) {
        let effects = self.table_peer(node, now).end_stand_in(table);
        self.push_socket_effects(node, effects);
    }

    /// Handles a message from another node. `next_client` makes an unused client id.
    pub fn handle_message(
        &mut self,
        message: PeerMessage,
        now: u64,
        received: u64,
        mut next_client: impl FnMut() -> ClientId,
    ) {
        let PeerMessage { from, session, to_table, received_up_to, acked, body } = message;
        if to_table && self.socket_peer(&from, session).is_none() {
            // The first packets of this link went to an earlier run of this program, so this run can't continue it.
            if acked > 0 {
                let message = PeerLink::new(session, now).message(&self.node, false, Body::End);
                return self.send(&from, message.write());
            }
            let later = self.socket_peers.get(&from).is_none_or(|socket_peer| socket_peer.link.session < session);
            if !later || matches!(body, Body::End) {
                return;
            }
            self.end_socket_peer(&from);
            self.socket_peers.insert(from.clone(), SocketPeer::new(PeerLink::new(session, now)));
        }
        let link = match to_table {
            true => self.socket_peers.get_mut(&from).map(|socket_peer| &mut socket_peer.link),
            false => self.table_peers.get_mut(&from).map(|table_peer| &mut table_peer.link),
        };
        let Some(link) = link.filter(|link| link.session == session) else { return };
        // A heartbeat is answered at once: the other side may be waiting for the first message.
        let asked = to_table && matches!(body, Body::Heartbeat { .. });
        let Ok(Received { items, reply, resend }) = link.handle(received_up_to, body, now) else {
            return if to_table { self.end_socket_peer(&from) } else { self.end_table_peer(&from) };
        };
        let answers = asked.then(|| link.heartbeat()).into_iter().chain(reply);
        let answers: Vec<_> = answers.map(|body| link.message(&self.node, !to_table, body).write()).collect();
        answers.into_iter().chain(resend.into_iter().map(Ok)).for_each(|message| self.send(&from, message));
        if !to_table && self.table_peers.contains_key(&from) {
            self.effects.push_back(PeerEffect::Heard { node: from.clone() });
        }
        for item in items {
            if to_table {
                let wanted = self
                    .socket_peers
                    .get_mut(&from)
                    .and_then(|socket_peer| socket_peer.handle_item(item, next_client(), received));
                let effect = |effect| PeerEffect::ToTable { node: from.clone(), session, effect };
                self.effects.extend(wanted.map(effect));
            } else {
                let effects =
                    self.table_peers.get_mut(&from).map(|table_peer| table_peer.handle_item(item)).unwrap_or_default();
                self.push_socket_effects(&from, effects);
            }
        }
    }

    /// Sends a heartbeat on every link, and ends links that are silent or no longer needed. `is_wanted` tells whether
    /// somebody at this node waits for an answer of a node.
    pub fn handle_heartbeat(&mut self, now: u64, is_wanted: impl Fn(&str) -> bool) {
        for node in self.table_peers.keys().cloned().collect::<Vec<_>>() {
            let table_peer = &self.table_peers[&node];
            match table_peer.link.check(now) {
                Err(LinkEnded) => self.end_table_peer(&node),
                Ok(()) if table_peer.is_idle() && !is_wanted(&node) => self.end_table_peer(&node),
                Ok(()) => {
                    let message = table_peer.link.message(&self.node, true, table_peer.link.heartbeat()).write();
                    self.send(&node, message);
                }
            }
        }
        for node in self.socket_peers.keys().cloned().collect::<Vec<_>>() {
            let socket_peer = &self.socket_peers[&node];
            match socket_peer.link.check(now) {
                Err(LinkEnded) => self.end_socket_peer(&node),
                Ok(()) => {
                    let message = socket_peer.link.message(&self.node, false, socket_peer.link.heartbeat()).write();
                    self.send(&node, message);
                }
            }
        }
    }

    /// Sends the items that wait on each link as one packet.
    pub fn send_packets(&mut self) {
        let mut ended = Vec::new();
        let table_peers =
            self.table_peers.iter_mut().map(|(node, peer)| (node, true, &mut peer.link, &mut peer.outgoing));
        let socket_peers =
            self.socket_peers.iter_mut().map(|(node, peer)| (node, false, &mut peer.link, &mut peer.outgoing));
        for (node, to_table, link, outgoing) in
            table_peers.chain(socket_peers).filter(|(.., outgoing)| !outgoing.is_empty())
        {
            let body = link.next_packet(std::mem::take(outgoing));
            let message = link.message(&self.node, to_table, body).write();
            let kept = message.as_ref().is_ok_and(|message| link.keep_unacked(message.clone()).is_ok());
            if !kept {
                ended.push((node.clone(), to_table));
            }
            self.effects.push_back(PeerEffect::Send { to: node.clone(), message });
        }
        for (node, to_table) in ended {
            if to_table { self.end_table_peer(&node) } else { self.end_socket_peer(&node) }
        }
    }

    /// Ends all links; everyone served over them reconnects.
    pub fn end_all(&mut self) {
        for node in self.table_peers.keys().cloned().collect::<Vec<_>>() {
            self.end_table_peer(&node);
        }
        for node in self.socket_peers.keys().cloned().collect::<Vec<_>>() {
            self.end_socket_peer(&node);
        }
    }

    fn end_table_peer(&mut self, node: &str) {
        let Some(table_peer) = self.table_peers.remove(node) else { return };
        let (message, clients) =
            (table_peer.link.message(&self.node, true, Body::End).write(), table_peer.client_count());
        self.send(node, message);
        self.push_socket_effects(node, table_peer.end());
        self.effects.push_back(PeerEffect::TablePeerEnded { node: node.to_owned(), clients });
    }

    fn end_socket_peer(&mut self, node: &str) {
        let Some(socket_peer) = self.socket_peers.remove(node) else { return };
        let message = socket_peer.link.message(&self.node, false, Body::End).write();
        self.send(node, message);
        self.effects.push_back(PeerEffect::SocketPeerEnded { node: node.to_owned(), guests: socket_peer.end() });
    }

    fn send(&mut self, to: &str, message: Result<Bytes, Unwritable>) {
        self.effects.push_back(PeerEffect::Send { to: to.to_owned(), message });
    }

    fn push_socket_effects(&mut self, node: &str, effects: Vec<SocketEffect>) {
        self.effects.extend(effects.into_iter().map(|effect| PeerEffect::ToSockets { node: node.to_owned(), effect }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_protocol::ErrorCode;
    use baize_room::Join;

    /// Two nodes whose messages all arrive at once.
    struct Pair {
        sockets: Peers,
        table: Peers,
        seen: Vec<PeerEffect>,
        now: u64,
    }

    impl Pair {
        fn new() -> Self {
            let (sockets, table) = (Peers::new("sockets".into(), 100), Peers::new("table".into(), 50));
            Pair { sockets, table, seen: Vec::new(), now: 1_000 }
        }

        /// Delivers messages until there are none; keeps every other effect.
        fn settle(&mut self) {
            let mut next = 70;
            loop {
                self.sockets.send_packets();
                self.table.send_packets();
                let (sent, back) = (drain(&mut self.sockets), drain(&mut self.table));
                if sent.is_empty() && back.is_empty() {
                    return;
                }
                for (effects, other) in [(sent, &mut self.table), (back, &mut self.sockets)] {
                    for effect in effects {
                        match effect {
                            PeerEffect::Send { message, .. } => {
                                let message = PeerMessage::read(&message.unwrap()).unwrap();
                                other.handle_message(message, self.now, 0, || {
                                    next += 1;
                                    next
                                });
                            }
                            effect => self.seen.push(effect),
                        }
                    }
                }
            }
        }

        fn join(&mut self, client: ClientId) {
            let table_peer = self.sockets.table_peer("table", self.now);
            table_peer.add_stand_in("code".into());
            let (request, name) = ("r".into(), None);
            let join = Join { client, request, member: [1; 32], name, watch: false, last: None, received: 0 };
            table_peer.join("code".into(), join);
        }

        /// The session by which the first guest came to the table, and the guest's client id there.
        fn joined(&self) -> (u64, ClientId) {
            let joined = self.seen.iter().find_map(|effect| match effect {
                PeerEffect::ToTable { session, effect: TableEffect::Join { guest: 1, join, .. }, .. } => {
                    Some((*session, join.client))
                }
                _ => None,
            });
            joined.expect("the table hears of the client")
        }
    }

    fn drain(peers: &mut Peers) -> Vec<PeerEffect> {
        std::iter::from_fn(|| peers.poll_effect()).collect()
    }

    #[test]
    fn a_client_joins_a_table_at_another_node_and_hears_from_it() {
        let mut pair = Pair::new();
        assert!(!pair.sockets.reach("table", pair.now));
        pair.join(1);
        pair.settle();
        let (session, _) = pair.joined();
        assert!(pair.seen.iter().any(|effect| matches!(effect, PeerEffect::Heard { node } if node == "table")));
        let socket_peer = pair.table.socket_peer("sockets", session).unwrap();
        socket_peer.send_to_guest(super::super::socket_peer::GuestMessage::Joined(1));
        pair.settle();
        let effects = |effect: &PeerEffect| {
            matches!(effect, PeerEffect::ToSockets { effect: SocketEffect::Joined { client: 1 }, .. })
        };
        assert!(pair.seen.iter().any(effects));
        assert!(pair.sockets.reach("table", pair.now));
    }

    #[test]
    fn a_silent_link_ends_on_both_sides() {
        let mut pair = Pair::new();
        pair.join(1);
        pair.settle();
        let (_, guest) = pair.joined();
        pair.now += 60_000;
        pair.sockets.handle_heartbeat(pair.now, |_| false);
        pair.table.handle_heartbeat(pair.now, |_| false);
        let (sent, back) = (drain(&mut pair.sockets), drain(&mut pair.table));
        let closed = |effect: &PeerEffect| {
            matches!(
                effect,
                PeerEffect::ToSockets { effect: SocketEffect::Close { client: 1, code: ErrorCode::Closing }, .. }
            )
        };
        assert!(sent.iter().any(closed));
        assert!(
            back.iter()
                .any(|effect| matches!(effect, PeerEffect::SocketPeerEnded { guests, .. } if guests == &[guest]))
        );
    }

    #[test]
    fn the_link_of_a_restarted_node_replaces_the_old_one() {
        let mut pair = Pair::new();
        pair.join(1);
        pair.settle();
        let (_, guest) = pair.joined();
        pair.sockets = Peers::new("sockets".into(), 200);
        pair.join(2);
        pair.settle();
        assert!(pair.table.socket_peer("sockets", 101).is_none() && pair.table.socket_peer("sockets", 201).is_some());
        assert!(
            pair.seen
                .iter()
                .any(|effect| matches!(effect, PeerEffect::SocketPeerEnded { guests, .. } if guests == &[guest]))
        );
    }
}
