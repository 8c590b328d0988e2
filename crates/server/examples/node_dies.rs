//! Simulates the death of one of many nodes: who has to reconnect, how many queries the database gets, and how long it
//! takes until everybody is back at a running table.
//!
//! `cargo run --release -p baize-server --example node_dies`. The constants are those of the server, the client and the
//! measurements in `docs/scaling.md`; nothing is sent anywhere.

use std::collections::{BinaryHeap, HashMap};

/// Tables at each node, with four people each, whom the proxy has spread over all nodes.
const TABLES: usize = 5_000;
const SEATS: usize = 4;
/// The setting `--lease`. A node renews the leases of all its tables together, four times in that period.
const LEASE: f64 = 4.0;
/// `cluster/peer_link.rs`: a node gives up a peer after this silence, and checks once per heartbeat.
const SILENCE_LIMIT: f64 = 3.0;
const HEARTBEAT: f64 = 0.4;
/// `cluster.rs`: how long a node waits for an answer; `room_task/locate.rs`: how often it asks for a table again, and
/// for how long.
const REACH_TIMEOUT: f64 = 1.2;
const ASK_EVERY: f64 = 0.3;
const LOCATE_TIMEOUT: f64 = 10.0;
/// `web/src/protocol/connection.ts`: the first wait, which doubles, plus or minus a quarter.
const FIRST_WAIT: f64 = 0.4;
/// The time in seconds that Postgres takes to say who has a table, to give it to another node, and to read it back.
const ASK_COST: f64 = 260e-6;
const TAKE_COST: f64 = 420e-6;
const READ_COST: f64 = 490e-6;

/// A random generator that gives the same sequence for the same seed.
struct Chance(u64);

impl Chance {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }
}

/// A query of a node for a table that a client there waits for since `since`. Times are integers of nanoseconds, so
/// that they can be sorted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Query {
    at: std::cmp::Reverse<u64>,
    table: usize,
    node: usize,
    since: u64,
}

struct Outage {
    /// Sockets that were at the dead node, and sockets at other nodes with a table at the dead node.
    cut: usize,
    passed: usize,
    asked: usize,
    /// The largest number of queries within a second.
    busiest: usize,
    /// The times at which everybody was back at a table, one for each table, sorted.
    back: Vec<f64>,
}

fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

/// Simulates that node 0 of this many dies at time 0, while Postgres has this many cores.
fn outage(nodes: usize, cores: usize, seed: u64) -> Outage {
    let mut chance = Chance(seed);
    let free_at = LEASE * (0.75 + chance.unit() / 4.0);
    let (mut cut, mut passed) = (0, 0);
    let mut asks = BinaryHeap::new();
    // Each table gets queries from the nodes at which its clients arrive.
    for table in 0..TABLES {
        let mut arrivals: HashMap<usize, f64> = HashMap::new();
        for _ in 0..SEATS {
            let lost = if chance.below(nodes) == 0 {
                cut += 1;
                0.0
            } else {
                passed += 1;
                SILENCE_LIMIT + chance.unit() * HEARTBEAT
            };
            let wait = FIRST_WAIT * (0.75 + chance.unit() / 2.0);
            // The proxy knows that the node is dead and picks another one.
            let to = 1 + chance.below(nodes - 1);
            let first = arrivals.entry(to).or_insert(f64::MAX);
            *first = first.min(lost + wait);
        }
        for (node, at) in arrivals {
            // The node first waits for the one that Redis names, which is the dead one.
            asks.push(Query { at: std::cmp::Reverse(nanos(at + REACH_TIMEOUT)), table, node, since: nanos(at) });
        }
    }
    // The other clients of the dead node had tables at other nodes. They are back as soon as they have reconnected.
    cut += TABLES * SEATS * (nodes - 1) / nodes;
    // Each node asks over one connection, so Postgres uses at most as many cores as nodes ask.
    let mut busy = vec![0u64; cores.min(nodes - 1)];
    let (mut owner, mut back) = (vec![None; TABLES], vec![0u64; TABLES]);
    let mut seconds: HashMap<u64, usize> = HashMap::new();
    let mut asked = 0;
    while let Some(Query { at: std::cmp::Reverse(at), table, node, since }) = asks.pop() {
        asked += 1;
        *seconds.entry(at / 1_000_000_000).or_default() += 1;
        // The first core that is free.
        let core = busy.iter_mut().min().expect("a core");
        let begun = at.max(*core);
        let taken = owner[table].is_none() && begun >= nanos(free_at);
        *core = begun + nanos(if taken { TAKE_COST + READ_COST } else { ASK_COST });
        let done = *core;
        if taken {
            owner[table] = Some(node);
            back[table] = back[table].max(done);
        } else if owner[table].is_some() {
            // Another node has the table already and answers at once.
            back[table] = back[table].max(done);
        } else if done - since < nanos(LOCATE_TIMEOUT) {
            let left = (free_at - done as f64 / 1e9).clamp(0.02, ASK_EVERY);
            let at = std::cmp::Reverse(done + nanos(REACH_TIMEOUT + left));
            asks.push(Query { at, table, node, since });
        }
    }
    let mut back: Vec<f64> = back.into_iter().map(|at| at as f64 / 1e9).collect();
    back.sort_by(f64::total_cmp);
    Outage { cut, passed, asked, busiest: seconds.into_values().max().unwrap_or(0), back }
}

fn main() {
    let sockets = TABLES * SEATS;
    println!("{TABLES} tables and {sockets} sockets at each node, a lease of {LEASE} s");
    println!("Postgres  nodes  sockets cut  cut later  asked  most in a second  half back   99 %    all");
    for cores in [1, 4] {
        for nodes in [3, 10, 30, 100] {
            let Outage { cut, passed, asked, busiest, back } = outage(nodes, cores, 1);
            let at = |share: f64| back[((back.len() - 1) as f64 * share) as usize];
            let (half, most, all) = (at(0.5), at(0.99), at(1.0));
            let unit = if cores == 1 { "core " } else { "cores" };
            print!("{cores:2} {unit}  {nodes:5}  {cut:11}  {passed:9}  {asked:5}  {busiest:16}");
            println!("  {half:7.1} s  {most:3.1} s  {all:3.1} s");
        }
    }
}
