//! Metrics for Prometheus, written by hand: a dozen counters need no library.

use baize_protocol::http::Online;
use std::fmt::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

#[derive(Debug, Default)]
pub struct Metrics {
    /// Tables in memory.
    pub tables: AtomicI64,
    pub sockets: AtomicI64,
    /// All connections, sockets included.
    pub connections: AtomicI64,
    /// Bytes of large answers that clients have not read.
    pub unsent_bytes: AtomicI64,
    /// Connections that were shed: closed to make room for others.
    pub shed: AtomicU64,
    pub moves: AtomicU64,
    pub refused: AtomicU64,
    pub messages: AtomicU64,
    pub bytes_sent: AtomicU64,
    /// Clients that were cut off because they did not read.
    pub cut: AtomicU64,
    /// Tables, bots and sockets that panicked.
    pub panics: AtomicU64,
    pub bot_moves: AtomicU64,
    pub bot_micros: AtomicU64,
    pub handle: Histogram,
}

/// Returns the microseconds since the first call of this function. Only the difference of two stamps means something.
pub fn stamp() -> u64 {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    STARTED.get_or_init(Instant::now).elapsed().as_micros() as u64
}

/// Durations from a message's arrival at this node to its answer.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

/// Upper bounds in microseconds.
const BOUNDS: [u64; 10] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000];

impl Histogram {
    pub fn note(&self, micros: u64) {
        if let Some(bucket) = BOUNDS.iter().position(|bound| micros <= *bound) {
            self.buckets[bucket].fetch_add(1, Relaxed);
        }
        self.count.fetch_add(1, Relaxed);
        self.micros.fetch_add(micros, Relaxed);
    }
}

impl Metrics {
    pub fn online(&self) -> Online {
        let count = |metric: &AtomicI64| metric.load(Relaxed).max(0) as u32;
        Online { people: count(&self.sockets), tables: count(&self.tables) }
    }

    pub fn write(&self, store: &baize_store::Stats) -> String {
        let mut out = String::new();
        let mut line = |name: &str, kind: &str, help: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(out, "# HELP baize_{name} {help}\n# TYPE baize_{name} {kind}\nbaize_{name} {value}");
        };
        let seconds = |micros: &AtomicU64| micros.load(Relaxed) as f64 / 1e6;
        line("tables", "gauge", "Tables in memory.", &self.tables.load(Relaxed));
        line("sockets", "gauge", "Connected sockets.", &self.sockets.load(Relaxed));
        line("connections", "gauge", "Open connections, sockets included.", &self.connections.load(Relaxed));
        line("unsent_bytes", "gauge", "Large answers not read yet.", &self.unsent_bytes.load(Relaxed));
        line("shed_total", "counter", "Connections closed to make room for others.", &self.shed.load(Relaxed));
        line("moves_total", "counter", "Moves and inputs applied.", &self.moves.load(Relaxed));
        line("refused_total", "counter", "Actions refused.", &self.refused.load(Relaxed));
        line("messages_total", "counter", "Messages sent.", &self.messages.load(Relaxed));
        line("sent_bytes_total", "counter", "Bytes of messages sent.", &self.bytes_sent.load(Relaxed));
        line("cut_total", "counter", "Clients cut off because they did not read.", &self.cut.load(Relaxed));
        line("panics_total", "counter", "Faults of the program that were caught.", &self.panics.load(Relaxed));
        line("store_restarts_total", "counter", "Threads of the store begun again.", &store.restarts.load(Relaxed));
        line("bot_moves_total", "counter", "Decisions made by bots.", &self.bot_moves.load(Relaxed));
        line("bot_seconds_total", "counter", "Time bots thought.", &seconds(&self.bot_micros));
        line("commits_total", "counter", "Transactions.", &store.commits.load(Relaxed));
        line("commit_jobs_total", "counter", "Changes in those transactions.", &store.requests.load(Relaxed));
        line("commit_seconds_total", "counter", "Time spent committing.", &seconds(&store.commit_micros));
        let _ = writeln!(out, "# HELP baize_action_seconds From arrival at a room to the answer.");
        let _ = writeln!(out, "# TYPE baize_action_seconds histogram");
        let mut below = 0;
        for (bound, bucket) in BOUNDS.iter().zip(&self.handle.buckets) {
            below += bucket.load(Relaxed);
            let _ = writeln!(out, "baize_action_seconds_bucket{{le=\"{}\"}} {below}", *bound as f64 / 1e6);
        }
        let count = self.handle.count.load(Relaxed);
        let _ = writeln!(out, "baize_action_seconds_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "baize_action_seconds_sum {}", seconds(&self.handle.micros));
        let _ = writeln!(out, "baize_action_seconds_count {count}");
        out
    }
}
