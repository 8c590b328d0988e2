//! What sharing costs: the same load on SQLite, on one node with Postgres and Redis, and on two nodes between which half of
//! the moves travel.

use crate::parts::{rounded, start};
use crate::process::{Purpose, ServerProcess, cpu_of};
use crate::tables::{Pace, Score, Shared, percentile, seat_all};
use crate::{Settings, finish, http};
use baize_test_servers::{Postgres, Redis};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio::time::sleep;

const NODES: [&str; 2] = ["one", "two"];

/// All three, one after the other, as often as asked for: what the machine does besides hits them alike.
pub fn run(settings: &Settings) -> Result<Value, String> {
    let mut rounds = Vec::new();
    for _ in 0..settings.rounds {
        let kinds = [alone(settings)?, together(settings, 1)?, together(settings, 2)?];
        kinds.iter().for_each(|found| eprintln!("{}", found.show()));
        rounds.push(kinds);
    }
    let median = |metric: &dyn Fn(&[Found; 3]) -> f64| {
        let mut figures: Vec<f64> = rounds.iter().map(metric).collect();
        figures.sort_by(f64::total_cmp);
        rounded(percentile(&figures, 0.5))
    };
    let names = ["sqlite", "oneNode", "twoNodes"];
    let shown = |kinds: &[Found; 3]| -> Value {
        names
            .iter()
            .zip(kinds)
            .map(|(name, found)| ((*name).to_owned(), found.show()))
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
            // With as much of a core for each node as the one had.
            "movesOfTwoNodesToOne": median(&|kinds| 2.0 * kinds[1].per_move() / kinds[2].per_move()),
            // As it came out here: of use where each node has its quota.
            "movesPerSecondOfTwoNodesToOne": median(&|kinds| kinds[2].moves_per_second() / kinds[1].moves_per_second()),
        },
    }))
}

const TABLES: usize = 100;

/// What grows all along, of all nodes.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Statements of the store, and the commits in them.
    statements: u64,
    commits: u64,
    /// Bytes that Postgres has written ahead.
    wal: u64,
    /// Letters by way of Redis, and bytes that have reached it.
    letters: u64,
    letter_bytes: u64,
}

/// What was seen while it was measured.
struct Found {
    wall: f64,
    moves: u64,
    /// Seconds of CPU time of each node, of Postgres and of Redis.
    cpu: Vec<f64>,
    postgres: f64,
    redis: f64,
    counts: Counts,
    latency: Vec<f64>,
    refused: u64,
    closed: u64,
}

impl Found {
    /// Microseconds of all nodes for a move.
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
            "commitsInAStatement": rounded(self.counts.commits as f64 / self.counts.statements as f64),
            "walBytesPerMove": self.counts.wal / self.moves,
            "lettersPerMove": rounded(self.counts.letters as f64 / self.moves as f64),
            "bytesToRedisPerMove": self.counts.letter_bytes / self.moves,
            "p50ms": rounded(percentile(&self.latency, 0.5)),
            "p99ms": rounded(percentile(&self.latency, 0.99)),
            "refused": self.refused,
            "closed": self.closed,
        })
    }
}

fn alone(settings: &Settings) -> Result<Found, String> {
    let server = ServerProcess::start(settings.binary.as_deref(), Purpose::Alone, settings.quota)?;
    finish(measure(&[server], None, settings))
}

/// The nodes, Postgres and Redis anew, so that none has grown by what was measured before.
fn together(settings: &Settings, nodes: usize) -> Result<Found, String> {
    let (postgres, redis) = (Postgres::start()?, Redis::start()?);
    let (database, redis_url) = (postgres.url(), redis.url());
    let node = |name: &&str| {
        let purpose = Purpose::Node { name, database: &database, redis: &redis_url };
        ServerProcess::start(settings.binary.as_deref(), purpose, settings.quota)
    };
    let nodes = NODES[..nodes].iter().map(node).collect::<Result<Vec<_>, _>>()?;
    let found = finish(measure(&nodes, Some((&database, &redis_url)), settings));
    drop(nodes);
    found
}

async fn measure(nodes: &[ServerProcess], backing: Option<(&str, &str)>, settings: &Settings) -> io::Result<Found> {
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    let score = Shared::default();
    let players = seat_all(&addresses, &settings.game, 0, settings.tables.unwrap_or(TABLES)).await?;
    let tasks = start(players, &score, Pace::AtOnce);
    sleep(Duration::from_secs(2)).await;
    let before = counted(&addresses, backing).await?;
    let cpu: Vec<Duration> = nodes.iter().map(ServerProcess::cpu).collect();
    let (postgres, redis, begun) = (cpu_of("postgres"), cpu_of("redis-server"), Instant::now());
    *score.borrow_mut() = Score::default();
    sleep(Duration::from_secs_f64(settings.seconds)).await;
    let wall = begun.elapsed().as_secs_f64();
    let cpu = nodes.iter().zip(cpu).map(|(node, before)| (node.cpu() - before).as_secs_f64()).collect();
    let mut score = std::mem::take(&mut *score.borrow_mut());
    let ran = |name: &str, before: Duration| cpu_of(name).saturating_sub(before).as_secs_f64();
    let (postgres, redis) = (ran("postgres", postgres), ran("redis-server", redis));
    let after = counted(&addresses, backing).await?;
    tasks.iter().for_each(JoinHandle::abort);
    score.latency.sort_by(f64::total_cmp);
    Ok(Found {
        wall,
        moves: score.moves,
        cpu,
        postgres,
        redis,
        counts: Counts {
            statements: after.statements - before.statements,
            commits: after.commits - before.commits,
            wal: after.wal - before.wal,
            letters: after.letters - before.letters,
            letter_bytes: after.letter_bytes - before.letter_bytes,
        },
        latency: score.latency,
        refused: score.refused,
        closed: score.closed,
    })
}

async fn counted(nodes: &[SocketAddr], backing: Option<(&str, &str)>) -> io::Result<Counts> {
    let mut counts = Counts::default();
    for node in nodes {
        let metrics = http::get(*node, "/metrics").await?;
        let of = |name: &str| metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        counts.statements += of("baize_commits_total ").unwrap_or(0);
        counts.commits += of("baize_commit_jobs_total ").unwrap_or(0);
    }
    if let Some((database, redis)) = backing {
        let mut asked = Command::new("psql");
        asked.args([database, "-Atc", "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"]);
        counts.wal = String::from_utf8_lossy(&asked.output()?.stdout).trim().parse().unwrap_or(0);
        let told = info(redis.trim_start_matches("redis://"))?;
        let of = |name: &str| {
            let rest = told.lines().find_map(|line| line.strip_prefix(name))?;
            rest.split(',').next()?.trim().parse::<u64>().ok()
        };
        counts.letters = of("cmdstat_publish:calls=").unwrap_or(0);
        counts.letter_bytes = of("total_net_input_bytes:").unwrap_or(0);
    }
    Ok(counts)
}

/// What Redis says of itself.
fn info(address: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"INFO everything\r\nQUIT\r\n")?;
    let mut said = String::new();
    stream.read_to_string(&mut said)?;
    Ok(said)
}
