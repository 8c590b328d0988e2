//! Counts open connections, and decides which of them to close when there are too many.
//!
//! A connection needs a file descriptor, and the system limits those. Players need them most. So the server counts
//! connections when it accepts them, by address and in all. Where one more does not fit, the server closes (*sheds*)
//! one that has not joined a table: it takes the address with the most of those, prefers a connection that waits for a
//! request to one that is being answered, and takes the oldest. A socket that has joined a table is never shed.

use crate::address::Network;
use crate::metrics::Metrics;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

pub struct Connections {
    limits: ConnectionLimits,
    metrics: Arc<Metrics>,
    registry: Mutex<ConnectionRegistry>,
}

#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    pub connections: usize,
    pub connections_per_address: usize,
    pub sockets: usize,
    pub sockets_per_address: usize,
    /// All connections come from proxies, so only the requests tell which client they belong to.
    pub proxied: bool,
}

#[derive(Default)]
struct ConnectionRegistry {
    next: u64,
    open: HashMap<u64, OpenConnection>,
    sockets: usize,
    addresses: HashMap<Network, AddressCounts>,
    /// Addresses by the number of their connections that can be shed.
    by_sheddable: BTreeSet<(usize, Network)>,
}

struct OpenConnection {
    /// The other end of the connection: a client, or a proxy.
    peer: Network,
    /// The client that the connection counts for now.
    network: Network,
    priority: KeepPriority,
    socket: bool,
    signal: Arc<ConnectionSignal>,
}

/// Wakes the task of a connection, because the connection is shed or because its socket has something to write. Both share one
/// signal, because a task registers with each signal that it waits for every time it waits.
#[derive(Default)]
pub struct ConnectionSignal {
    wake: Notify,
    is_shed: AtomicBool,
}

impl ConnectionSignal {
    /// Wakes the task, now or when it waits next.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    pub async fn wait(&self) {
        self.wake.notified().await;
    }

    pub fn is_shed(&self) -> bool {
        self.is_shed.load(Relaxed)
    }

    fn shed(&self) {
        self.is_shed.store(true, Relaxed);
        self.wake();
    }
}

/// How much a connection is worth keeping, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KeepPriority {
    /// The connection waits for a request, or is a socket that has not joined a table.
    Waiting,
    /// A request is being read or answered.
    Busy,
    /// A socket that has joined a table.
    Joined,
}

/// The open connections of one address.
#[derive(Default)]
struct AddressCounts {
    connections: usize,
    sockets: usize,
    /// The connections that can be shed, in the order in which they are shed.
    sheddable: BTreeSet<(KeepPriority, u64)>,
}

/// A connection that is counted until this is dropped.
pub struct Ticket {
    connections: Arc<Connections>,
    id: u64,
    signal: Arc<ConnectionSignal>,
}

/// The client of a socket: its counted connection, and the address that the connection counts for.
pub struct Visitor {
    pub ticket: Arc<Ticket>,
    pub network: Network,
}

impl Connections {
    pub fn new(limits: ConnectionLimits, metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Connections { limits, metrics, registry: Mutex::default() })
    }

    /// Counts a connection that was just accepted. Returns none if there is no place for it, even if others are shed.
    pub fn admit(self: &Arc<Self>, peer: Network) -> Option<Ticket> {
        let mut registry = self.lock();
        let each = if self.limits.proxied { usize::MAX } else { self.limits.connections_per_address };
        if registry.count(peer) >= each && !self.shed_of(&mut registry, Some(peer)) {
            return None;
        }
        if registry.open.len() >= self.limits.connections && !self.shed_of(&mut registry, None) {
            return None;
        }
        let id = registry.next;
        registry.next += 1;
        let signal = Arc::new(ConnectionSignal::default());
        let priority = KeepPriority::Waiting;
        let entry = OpenConnection { peer, network: peer, priority, socket: false, signal: signal.clone() };
        registry.insert(id, entry);
        self.metrics.connections.store(registry.open.len() as i64, Relaxed);
        Some(Ticket { connections: self.clone(), id, signal })
    }

    /// Sheds the connection that is worth least. Returns false if there is none to shed.
    pub fn shed_one(&self) -> bool {
        self.shed_of(&mut self.lock(), None)
    }

    /// Sheds a connection of this address, or of the address with the most.
    fn shed_of(&self, registry: &mut ConnectionRegistry, network: Option<Network>) -> bool {
        let network = network.or_else(|| registry.by_sheddable.last().map(|(_, network)| *network));
        let counts = network.and_then(|network| registry.addresses.get(&network));
        let Some((_, id)) = counts.and_then(|counts| counts.sheddable.first().copied()) else { return false };
        if let Some(entry) = registry.remove(id) {
            entry.signal.shed();
            self.metrics.shed.fetch_add(1, Relaxed);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionRegistry> {
        self.registry.lock().expect("no panic under this lock")
    }
}

impl Ticket {
    /// A request has begun; the connection now counts for the request's client. Returns false if that client has too
    /// many connections, or if this connection is being shed.
    pub fn begin_request(&self, network: Network) -> bool {
        let mut registry = self.connections.lock();
        let Some(mut entry) = registry.remove(self.id) else { return false };
        let allowed =
            entry.network == network || registry.count(network) < self.connections.limits.connections_per_address;
        if allowed {
            (entry.network, entry.priority) = (network, KeepPriority::Busy);
        }
        registry.insert(self.id, entry);
        allowed
    }

    /// A request has been answered.
    pub fn end_request(&self) {
        let mut registry = self.connections.lock();
        if let Some(mut entry) = registry.remove(self.id) {
            if !entry.socket {
                (entry.network, entry.priority) = (entry.peer, KeepPriority::Waiting);
            }
            registry.insert(self.id, entry);
        }
    }

    /// Turns the connection into a socket. Returns false if there are too many sockets.
    pub fn become_socket(&self) -> bool {
        let limits = &self.connections.limits;
        let mut registry = self.connections.lock();
        let Some(mut entry) = registry.remove(self.id) else { return false };
        let here = registry.addresses.get(&entry.network).map_or(0, |counts| counts.sockets);
        let allowed = registry.sockets < limits.sockets && here < limits.sockets_per_address;
        if allowed {
            (entry.socket, entry.priority) = (true, KeepPriority::Waiting);
        }
        registry.insert(self.id, entry);
        allowed
    }

    /// The socket has joined a table and is never shed.
    pub fn join_table(&self) {
        let mut registry = self.connections.lock();
        if let Some(mut entry) = registry.remove(self.id) {
            entry.priority = KeepPriority::Joined;
            registry.insert(self.id, entry);
        }
    }

    /// Waits until this connection is shed.
    pub async fn shed(&self) {
        while !self.signal.is_shed() {
            self.signal.wait().await;
        }
    }

    pub fn signal(&self) -> &ConnectionSignal {
        &self.signal
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut registry = self.connections.lock();
        registry.remove(self.id);
        self.connections.metrics.connections.store(registry.open.len() as i64, Relaxed);
    }
}

impl ConnectionRegistry {
    fn count(&self, network: Network) -> usize {
        self.addresses.get(&network).map_or(0, |counts| counts.connections)
    }

    fn insert(&mut self, id: u64, entry: OpenConnection) {
        self.change(entry.network, |counts| {
            counts.connections += 1;
            counts.sockets += usize::from(entry.socket);
            if entry.priority != KeepPriority::Joined {
                counts.sheddable.insert((entry.priority, id));
            }
        });
        self.sockets += usize::from(entry.socket);
        self.open.insert(id, entry);
    }

    fn remove(&mut self, id: u64) -> Option<OpenConnection> {
        let entry = self.open.remove(&id)?;
        self.sockets -= usize::from(entry.socket);
        self.change(entry.network, |counts| {
            counts.connections -= 1;
            counts.sockets -= usize::from(entry.socket);
            counts.sheddable.remove(&(entry.priority, id));
        });
        Some(entry)
    }

    /// Changes the counts of an address, and its place in `by_sheddable`.
    fn change(&mut self, network: Network, change: impl FnOnce(&mut AddressCounts)) {
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
        let limits = ConnectionLimits { connections, connections_per_address, sockets, sockets_per_address, proxied };
        Connections::new(limits, Arc::default())
    }

    fn address(n: u8) -> Network {
        Network::of([10, 0, 0, n].into())
    }

    fn is_shed(ticket: &Ticket) -> bool {
        ticket.shed().now_or_never().is_some()
    }

    #[test]
    fn an_address_with_too_many_connections_sheds_its_own() {
        let all = connections(100, 2, false);
        let other = all.admit(address(2)).unwrap();
        let (first, second) = (all.admit(address(1)).unwrap(), all.admit(address(1)).unwrap());
        let third = all.admit(address(1)).unwrap();
        assert!(is_shed(&first) && !is_shed(&second) && !is_shed(&other));
        assert!(second.begin_request(address(1)));
        let fourth = all.admit(address(1)).unwrap();
        assert!(is_shed(&third) && !is_shed(&second), "one that waits goes before one that is answered");
        drop((first, second, third, fourth, other));
        let registry = all.lock();
        assert!(registry.open.is_empty() && registry.addresses.is_empty() && registry.by_sheddable.is_empty());
    }

    #[test]
    fn the_address_with_most_connections_sheds_and_players_stay() {
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
    fn requests_behind_a_proxy_count_for_their_clients() {
        let all = connections(100, 2, true);
        let proxy = address(9);
        let tickets: Vec<Ticket> = (0..5).map(|_| all.admit(proxy).unwrap()).collect();
        assert!(tickets[0].begin_request(address(1)) && tickets[1].begin_request(address(1)));
        assert!(!tickets[2].begin_request(address(1)), "the third at a time");
        assert!(tickets[2].begin_request(address(2)));
        tickets[0].end_request();
        assert!(tickets[3].begin_request(address(1)));
        // A socket continues to count for its client.
        assert!(tickets[3].become_socket());
        tickets[3].end_request();
        assert!(!tickets[4].begin_request(address(1)));
    }
}
