//! The cost of sharing: the same load on SQLite, on one node with Postgres and Redis, and on two nodes between which
//! half of the moves travel.

use crate::parts::{rounded, start};
use crate::process::{ProcessPurpose, ServerProcess, cpu_of};
use crate::tables::{Pace, SharedResults, TableResults, percentile, seat_all};
use crate::{BenchOptions, finish, http};
use baize_test_servers::{Postgres, RedisServer};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio::time::sleep;

const NODES: [&str; 2] = ["one", "two"];

/// Measures all three setups in turn, as often as requested, so that other load on the machine affects them alike.
pub fn run(settings: &BenchOptions) -> Result<Value, String> {
    let mut rounds = Vec::new();
    for _ in 0..settings.rounds {
        let kinds = [alone(settings)?, together(settings, 1)?, together(settings, 2)?];
        kinds.iter().for_each(|measurement| eprintln!("{}", measurement.show()));
        rounds.push(kinds);
    }
    let median = |metric: &dyn Fn(&[Measurement; 3]) -> f64| {
        let mut figures: Vec<f64> = rounds.iter().map(metric).collect();
        figures.sort_by(f64::total_cmp);
        rounded(percentile(&figures, 0.5))
    };
    let names = ["sqlite", "oneNode", "twoNodes"];
    let shown = |kinds: &[Measurement; 3]| -> Value {
        names
            .iter()
            .zip(kinds)
            .map(|(name, measurement)| ((*name).to_owned(), measurement.show()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    Ok(json!({
        "game": settings.game,
        "tables": settings.tables.unwrap_or(TABLES),
        "quota": settings.quota,
        "rounds": rounds.iter().map(shown).collect::<Vec<_>>(),
        "medians": {
            "microsecondsPerMove": names.iter().enumerate()
                .map(|(n, name)| ((*name).to_owned(), median(&|kinds| kinds[n].per_move()).into())).collect::<serde_json::Map<_, _>>(),
            "oneNodeToSqlite": median(&|kinds| kinds[1].per_move() / kinds[0].per_move()),
            "twoNodesToSqlite": median(&|kinds| kinds[2].per_move() / kinds[0].per_move()),
            // The ratio if each node had the same share of a core as the single one.
            "movesOfTwoNodesToOne": median(&|kinds| 2.0 * kinds[1].per_move() / kinds[2].per_move()),
            // The measured ratio; useful where each node has its quota.
            "movesPerSecondOfTwoNodesToOne": median(&|kinds| kinds[2].moves_per_second() / kinds[1].moves_per_second()),
        },
    }))
}

const TABLES: usize = 100;

/// The sums of counters of all nodes. They only grow.
#[derive(Clone, Copy, Default)]
struct Counters {
    /// Statements of the store, and the commits in them.
    statements: u64,
    commits: u64,
    /// Bytes of Postgres' write-ahead log.
    wal: u64,
    /// Messages that went through Redis, and bytes that it has received.
    messages: u64,
    message_bytes: u64,
}

/// The results of one measurement.
struct Measurement {
    wall: f64,
    moves: u64,
    /// Seconds of CPU time of each node, of Postgres and of Redis.
    cpu: Vec<f64>,
    postgres: f64,
    redis: f64,
    counters: Counters,
    latency: Vec<f64>,
    refused: u64,
    closed: u64,
}

impl Measurement {
    /// Microseconds of all nodes together per move.
    fn per_move(&self) -> f64 {
        self.cpu.iter().sum::<f64>() * 1e6 / self.moves as f64
    }

    fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.wall
    }

    fn show(&self) -> Value {
        let each = |seconds: f64| rounded(seconds * 1e6 / self.moves as f64);
        json!({
            "movesPerSecond": rounded(self.moves_per_second()),
            "microsecondsPerMove": rounded(self.per_move()),
            "ofEachNode": self.cpu.iter().map(|cpu| each(*cpu)).collect::<Vec<_>>(),
            "nodesCpuShare": rounded(self.cpu.iter().sum::<f64>() / self.wall),
            "postgresMicrosecondsPerMove": each(self.postgres),
            "redisMicrosecondsPerMove": each(self.redis),
            "commitsInAStatement": rounded(self.counters.commits as f64 / self.counters.statements as f64),
            "walBytesPerMove": self.counters.wal / self.moves,
            "messagesPerMove": rounded(self.counters.messages as f64 / self.moves as f64),
            "bytesToRedisPerMove": self.counters.message_bytes / self.moves,
            "p50ms": rounded(percentile(&self.latency, 0.5)),
            "p99ms": rounded(percentile(&self.latency, 0.99)),
            "refused": self.refused,
            "closed": self.closed,
        })
    }
}

fn alone(settings: &BenchOptions) -> Result<Measurement, String> {
    let server = ServerProcess::start(settings.binary.as_deref(), ProcessPurpose::Alone, settings.quota)?;
    finish(measure(&[server], None, settings))
}

/// Starts new nodes with a new Postgres and Redis, so that earlier measurements leave nothing behind.
fn together(settings: &BenchOptions, nodes: usize) -> Result<Measurement, String> {
    let (postgres, redis) = (Postgres::start()?, RedisServer::start()?);
    let (database, redis_url) = (postgres.url(), redis.url());
    let node = |name: &&str| {
        let purpose = ProcessPurpose::Node { name, database: &database, redis: &redis_url };
        ServerProcess::start(settings.binary.as_deref(), purpose, settings.quota)
    };
    let nodes = NODES[..nodes].iter().map(node).collect::<Result<Vec<_>, _>>()?;
    let measurement = finish(measure(&nodes, Some((&database, &redis_url)), settings));
    drop(nodes);
    measurement
}

async fn measure(
    nodes: &[ServerProcess],
    servers: Option<(&str, &str)>,
    settings: &BenchOptions,
) -> io::Result<Measurement> {
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    let results = SharedResults::default();
    let players = seat_all(&addresses, &settings.game, 0, settings.tables.unwrap_or(TABLES)).await?;
    let tasks = start(players, &results, Pace::AtOnce);
    sleep(Duration::from_secs(2)).await;
    let before = read_counters(&addresses, servers).await?;
    let cpu: Vec<Duration> = nodes.iter().map(ServerProcess::cpu).collect();
    let (postgres, redis, begun) = (cpu_of("postgres"), cpu_of("redis-server"), Instant::now());
    *results.borrow_mut() = TableResults::default();
    sleep(Duration::from_secs_f64(settings.seconds)).await;
    let wall = begun.elapsed().as_secs_f64();
    let cpu = nodes.iter().zip(cpu).map(|(node, before)| (node.cpu() - before).as_secs_f64()).collect();
    let mut results = std::mem::take(&mut *results.borrow_mut());
    let ran = |name: &str, before: Duration| cpu_of(name).saturating_sub(before).as_secs_f64();
    let (postgres, redis) = (ran("postgres", postgres), ran("redis-server", redis));
    let after = read_counters(&addresses, servers).await?;
    tasks.iter().for_each(JoinHandle::abort);
    results.latency.sort_by(f64::total_cmp);
    Ok(Measurement {
        wall,
        moves: results.moves,
        cpu,
        postgres,
        redis,
        counters: Counters {
            statements: after.statements - before.statements,
            commits: after.commits - before.commits,
            wal: after.wal - before.wal,
            messages: after.messages - before.messages,
            message_bytes: after.message_bytes - before.message_bytes,
        },
        latency: results.latency,
        refused: results.refused,
        closed: results.closed,
    })
}

async fn read_counters(nodes: &[SocketAddr], servers: Option<(&str, &str)>) -> io::Result<Counters> {
    let mut counters = Counters::default();
    for node in nodes {
        let metrics = http::get(*node, "/metrics").await?;
        let of = |name: &str| metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        counters.statements += of("baize_commits_total ").unwrap_or(0);
        counters.commits += of("baize_commit_jobs_total ").unwrap_or(0);
    }
    if let Some((database, redis)) = servers {
        let mut asked = Command::new("psql");
        asked.args([database, "-Atc", "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"]);
        counters.wal = String::from_utf8_lossy(&asked.output()?.stdout).trim().parse().unwrap_or(0);
        let info = redis_info(redis.trim_start_matches("redis://"))?;
        let of = |name: &str| {
            let rest = info.lines().find_map(|line| line.strip_prefix(name))?;
            rest.split(',').next()?.trim().parse::<u64>().ok()
        };
        counters.messages = of("cmdstat_publish:calls=").unwrap_or(0);
        counters.message_bytes = of("total_net_input_bytes:").unwrap_or(0);
    }
    Ok(counters)
}

/// The answer of Redis to `INFO`.
fn redis_info(address: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"INFO everything\r\nQUIT\r\n")?;
    let mut said = String::new();
    stream.read_to_string(&mut said)?;
    Ok(said)
}
