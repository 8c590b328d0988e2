//! Every connection that is open, and which of them has to go when there are too many.
//!
//! A connection is a file, of which the system gives the server only so many, and what is left of them belongs to the players.
//! So connections are counted when they are accepted, by address and in all. Where one more does not fit, the server closes
//! (*sheds*) one that has not joined a table: of the address with the most of those, one that waits for a request rather than one
//! that is being answered, and the oldest of them. A socket that has joined a table is never shed.

use crate::address::Network;
use crate::metrics::Metrics;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

pub struct Connections {
    limits: Limits,
    metrics: Arc<Metrics>,
    table: Mutex<Table>,
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub connections: usize,
    pub connections_per_address: usize,
    pub sockets: usize,
    pub sockets_per_address: usize,
    /// All connections come from proxies, so that only requests tell whose they are.
    pub proxied: bool,
}

#[derive(Default)]
struct Table {
    next: u64,
    open: HashMap<u64, Entry>,
    sockets: usize,
    addresses: HashMap<Network, Counts>,
    /// Addresses by how many connections of theirs can be shed.
    by_sheddable: BTreeSet<(usize, Network)>,
}

struct Entry {
    /// Whoever connected: a client, or a proxy.
    peer: Network,
    /// Whom it counts for now.
    network: Network,
    stage: Stage,
    socket: bool,
    shed: Arc<Notify>,
}

/// How much a connection is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// It waits for a request, or is a socket that has not joined a table.
    Waiting,
    /// A request is being read or answered.
    Busy,
    /// Somebody is at a table.
    Joined,
}

/// What one address has open.
#[derive(Default)]
struct Counts {
    connections: usize,
    sockets: usize,
    /// In the order in which they are shed.
    sheddable: BTreeSet<(Stage, u64)>,
}

/// A connection that is counted until this is dropped.
pub struct Ticket {
    connections: Arc<Connections>,
    id: u64,
    shed: Arc<Notify>,
}

/// The client of a socket: its connection, which is counted as long as it lives, and the address it counts for.
pub struct Visitor {
    pub ticket: Arc<Ticket>,
    pub network: Network,
}

impl Connections {
    pub fn new(limits: Limits, metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Connections { limits, metrics, table: Mutex::default() })
    }

    /// Counts a connection that was just accepted. None: there is no place for it, even if others were shed.
    pub fn admit(self: &Arc<Self>, peer: Network) -> Option<Ticket> {
        let mut table = self.lock();
        let each = if self.limits.proxied { usize::MAX } else { self.limits.connections_per_address };
        if table.count(peer) >= each && !self.shed(&mut table, Some(peer)) {
            return None;
        }
        if table.open.len() >= self.limits.connections && !self.shed(&mut table, None) {
            return None;
        }
        let id = table.next;
        table.next += 1;
        let shed = Arc::new(Notify::new());
        let entry = Entry { peer, network: peer, stage: Stage::Waiting, socket: false, shed: shed.clone() };
        table.insert(id, entry);
        self.metrics.connections.store(table.open.len() as i64, Relaxed);
        Some(Ticket { connections: self.clone(), id, shed })
    }

    /// Closes a connection that can be done without. False: there is none.
    pub fn shed_one(&self) -> bool {
        self.shed(&mut self.lock(), None)
    }

    /// Sheds a connection, of this address or of the one with the most.
    fn shed(&self, table: &mut Table, network: Option<Network>) -> bool {
        let network = network.or_else(|| table.by_sheddable.last().map(|(_, network)| *network));
        let counts = network.and_then(|network| table.addresses.get(&network));
        let Some((_, id)) = counts.and_then(|counts| counts.sheddable.first().copied()) else { return false };
        if let Some(entry) = table.remove(id) {
            entry.shed.notify_one();
            self.metrics.shed.fetch_add(1, Relaxed);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("no panic under this lock")
    }
}

impl Ticket {
    /// A request has begun; it counts for the client it comes from. False: that client has too many, or this connection is being
    /// shed.
    pub fn begin_request(&self, network: Network) -> bool {
        let mut table = self.connections.lock();
        let Some(mut entry) = table.remove(self.id) else { return false };
        let allowed =
            entry.network == network || table.count(network) < self.connections.limits.connections_per_address;
        if allowed {
            (entry.network, entry.stage) = (network, Stage::Busy);
        }
        table.insert(self.id, entry);
        allowed
    }

    /// A request has been answered.
    pub fn end_request(&self) {
        let mut table = self.connections.lock();
        if let Some(mut entry) = table.remove(self.id) {
            if !entry.socket {
                (entry.network, entry.stage) = (entry.peer, Stage::Waiting);
            }
            table.insert(self.id, entry);
        }
    }

    /// A request turns the connection into a socket. False: there are too many of those.
    pub fn become_socket(&self) -> bool {
        let limits = &self.connections.limits;
        let mut table = self.connections.lock();
        let Some(mut entry) = table.remove(self.id) else { return false };
        let here = table.addresses.get(&entry.network).map_or(0, |counts| counts.sockets);
        let allowed = table.sockets < limits.sockets && here < limits.sockets_per_address;
        if allowed {
            (entry.socket, entry.stage) = (true, Stage::Waiting);
        }
        table.insert(self.id, entry);
        allowed
    }

    /// The socket is at a table, and stays.
    pub fn join_table(&self) {
        let mut table = self.connections.lock();
        if let Some(mut entry) = table.remove(self.id) {
            entry.stage = Stage::Joined;
            table.insert(self.id, entry);
        }
    }

    /// Ready when this connection has to go.
    pub async fn shed(&self) {
        self.shed.notified().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut table = self.connections.lock();
        table.remove(self.id);
        self.connections.metrics.connections.store(table.open.len() as i64, Relaxed);
    }
}

impl Table {
    fn count(&self, network: Network) -> usize {
        self.addresses.get(&network).map_or(0, |counts| counts.connections)
    }

    fn insert(&mut self, id: u64, entry: Entry) {
        self.change(entry.network, |counts| {
            counts.connections += 1;
            counts.sockets += usize::from(entry.socket);
            if entry.stage != Stage::Joined {
                counts.sheddable.insert((entry.stage, id));
            }
        });
        self.sockets += usize::from(entry.socket);
        self.open.insert(id, entry);
    }

    fn remove(&mut self, id: u64) -> Option<Entry> {
        let entry = self.open.remove(&id)?;
        self.sockets -= usize::from(entry.socket);
        self.change(entry.network, |counts| {
            counts.connections -= 1;
            counts.sockets -= usize::from(entry.socket);
            counts.sheddable.remove(&(entry.stage, id));
        });
        Some(entry)
    }

    /// Changes the counts of an address, and its place among the others.
    fn change(&mut self, network: Network, change: impl FnOnce(&mut Counts)) {
        let counts = self.addresses.entry(network).or_default();
        let before = counts.sheddable.len();
        change(counts);
        let after = counts.sheddable.len();
        if counts.connections == 0 {
            self.addresses.remove(&network);
        }
        if before != after {
            self.by_sheddable.remove(&(before, network));
            if after > 0 {
                self.by_sheddable.insert((after, network));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn connections(connections: usize, connections_per_address: usize, proxied: bool) -> Arc<Connections> {
        let (sockets, sockets_per_address) = (usize::MAX, 2);
        let limits = Limits { connections, connections_per_address, sockets, sockets_per_address, proxied };
        Connections::new(limits, Arc::default())
    }

    fn address(n: u8) -> Network {
        Network::of([10, 0, 0, n].into())
    }

    fn is_shed(ticket: &Ticket) -> bool {
        ticket.shed().now_or_never().is_some()
    }

    #[test]
    fn an_address_sheds_its_own_connections() {
        let all = connections(100, 2, false);
        let other = all.admit(address(2)).unwrap();
        let (first, second) = (all.admit(address(1)).unwrap(), all.admit(address(1)).unwrap());
        let third = all.admit(address(1)).unwrap();
        assert!(is_shed(&first) && !is_shed(&second) && !is_shed(&other));
        assert!(second.begin_request(address(1)));
        let fourth = all.admit(address(1)).unwrap();
        assert!(is_shed(&third) && !is_shed(&second), "one that waits goes before one that is answered");
        drop((first, second, third, fourth, other));
        let table = all.lock();
        assert!(table.open.is_empty() && table.addresses.is_empty() && table.by_sheddable.is_empty());
    }

    #[test]
    fn whoever_has_most_makes_room_and_players_stay() {
        let all = connections(4, 100, false);
        let player = all.admit(address(1)).unwrap();
        assert!(player.begin_request(address(1)) && player.become_socket());
        player.join_table();
        let visitor = all.admit(address(2)).unwrap();
        let (first, second) = (all.admit(address(3)).unwrap(), all.admit(address(3)).unwrap());
        let newcomer = all.admit(address(4)).unwrap();
        assert!(is_shed(&first) && !is_shed(&second) && !is_shed(&visitor) && !is_shed(&player));
        for ticket in [&visitor, &second, &newcomer] {
            assert!(ticket.begin_request(address(2)) && ticket.become_socket() != std::ptr::eq(ticket, &newcomer));
            ticket.join_table();
        }
        assert!(all.admit(address(5)).is_none() && !all.shed_one(), "everyone is at a table");
        drop(visitor);
        assert!(all.admit(address(5)).is_some());
    }

    #[test]
    fn behind_a_proxy_requests_count_for_their_clients() {
        let all = connections(100, 2, true);
        let proxy = address(9);
        let tickets: Vec<Ticket> = (0..5).map(|_| all.admit(proxy).unwrap()).collect();
        assert!(tickets[0].begin_request(address(1)) && tickets[1].begin_request(address(1)));
        assert!(!tickets[2].begin_request(address(1)), "the third at a time");
        assert!(tickets[2].begin_request(address(2)));
        tickets[0].end_request();
        assert!(tickets[3].begin_request(address(1)));
        // A socket goes on to count for its client.
        assert!(tickets[3].become_socket());
        tickets[3].end_request();
        assert!(!tickets[4].begin_request(address(1)));
    }
}
