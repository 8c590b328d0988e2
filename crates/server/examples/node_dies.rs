//! What happens when one of many nodes dies, by arithmetic with chance: who has to reconnect, what the database is asked, and how
//! long it takes until everybody is back at a table that goes on.
//!
//! `cargo run --release -p baize-server --example node_dies`. The constants are those of the server, the client and the
//! measurements in `docs/scaling.md`; nothing is sent anywhere.

use std::collections::{BinaryHeap, HashMap};

/// Tables at each node, with four people each whom the proxy has put at any node.
const TABLES: usize = 5_000;
const SEATS: usize = 4;
/// `--lease`, renewed four times in that time, all tables of a node together.
const LEASE: f64 = 4.0;
/// `cluster/line.rs`: a node that is not heard of for so long is given up, looked at once in a beat.
const SILENCE: f64 = 3.0;
const BEAT: f64 = 0.4;
/// `cluster/exchange.rs`: how long a sign of life is waited for; `room.rs`: how often a table is asked for again, and how long.
const REACH: f64 = 1.2;
const AGAIN: f64 = 0.3;
const FIND_WITHIN: f64 = 10.0;
/// `web/src/protocol/connection.ts`: the first wait, which doubles, a quarter more or less.
const FIRST_WAIT: f64 = 0.4;
/// Seconds of Postgres for asking for a table that is another's, for taking one over, for reading it back.
const ASK: f64 = 260e-6;
const TAKE: f64 = 420e-6;
const READ: f64 = 490e-6;

/// The same sequence for the same seed.
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

/// A node asks the database for a table, which somebody there waits for since then. Times in nanoseconds, so that they have an order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Asks {
    at: std::cmp::Reverse<u64>,
    table: usize,
    node: usize,
    since: u64,
}

struct Outage {
    /// Sockets that were at the node, and at others with a table at the node.
    cut: usize,
    passed: usize,
    asked: usize,
    /// The most that was asked within a second.
    busiest: usize,
    /// When each table had everybody back, sorted.
    back: Vec<f64>,
}

fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

/// Node 0 of so many dies at time 0; Postgres has so many cores.
fn outage(nodes: usize, cores: usize, seed: u64) -> Outage {
    let mut chance = Chance(seed);
    let free_at = LEASE * (0.75 + chance.unit() / 4.0);
    let (mut cut, mut passed) = (0, 0);
    let mut asks = BinaryHeap::new();
    // Of each table: who asks for it where, and since when.
    for table in 0..TABLES {
        let mut arrivals: HashMap<usize, f64> = HashMap::new();
        for _ in 0..SEATS {
            let lost = if chance.below(nodes) == 0 {
                cut += 1;
                0.0
            } else {
                passed += 1;
                SILENCE + chance.unit() * BEAT
            };
            let wait = FIRST_WAIT * (0.75 + chance.unit() / 2.0);
            // The proxy has noticed.
            let to = 1 + chance.below(nodes - 1);
            let first = arrivals.entry(to).or_insert(f64::MAX);
            *first = first.min(lost + wait);
        }
        for (node, at) in arrivals {
            // First whoever Redis names is waited for, and that is the dead one.
            asks.push(Asks { at: std::cmp::Reverse(nanos(at + REACH)), table, node, since: nanos(at) });
        }
    }
    // The other people of the dead node sat at tables elsewhere, and are back when they have reconnected.
    cut += TABLES * SEATS * (nodes - 1) / nodes;
    // A node asks over one connection.
    let mut busy = vec![0u64; cores.min(nodes - 1)];
    let (mut owner, mut back) = (vec![None; TABLES], vec![0u64; TABLES]);
    let mut seconds: HashMap<u64, usize> = HashMap::new();
    let mut asked = 0;
    while let Some(Asks { at: std::cmp::Reverse(at), table, node, since }) = asks.pop() {
        asked += 1;
        *seconds.entry(at / 1_000_000_000).or_default() += 1;
        // The first core that is free.
        let core = busy.iter_mut().min().expect("a core");
        let begun = at.max(*core);
        let taken = owner[table].is_none() && begun >= nanos(free_at);
        *core = begun + nanos(if taken { TAKE + READ } else { ASK });
        let done = *core;
        if taken {
            owner[table] = Some(node);
            back[table] = back[table].max(done);
        } else if owner[table].is_some() {
            // At a node that answers at once.
            back[table] = back[table].max(done);
        } else if done - since < nanos(FIND_WITHIN) {
            let left = (free_at - done as f64 / 1e9).clamp(0.02, AGAIN);
            let at = std::cmp::Reverse(done + nanos(REACH + left));
            asks.push(Asks { at, table, node, since });
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
            print!("{cores:2} cores  {nodes:5}  {cut:11}  {passed:9}  {asked:5}  {busiest:16}");
            println!("  {half:7.1} s  {most:3.1} s  {all:3.1} s");
        }
    }
}
