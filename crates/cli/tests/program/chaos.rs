//! Runs three nodes with one database and one Redis while people play, and breaks each part in turn.
//!
//! Each accident happens once; `BAIZE_CHAOS=50 cargo test -p baize --test program chaos` runs more rounds. `BAIZE_SEED` repeats the
//! moments of the accidents, as far as processes are reproducible.

use crate::client::secret;
use crate::player::{LoadRun, PLAYERS, check_chat, check_games, games, number};
use crate::process::Process;
use baize_engine::chance::{Chance, FastChance};
use baize_store::{PostgresConfig, PostgresStore, Store};
use baize_test_servers::{Postgres, RedisServer};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tokio::task::block_in_place;

const NODES: [&str; 3] = ["anvil", "bellows", "chisel"];
/// A time that is longer than the lease of a node.
const PAST_THE_LEASE: Duration = Duration::from_secs(6);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Accident {
    /// Kills a node with `kill -9` and starts it again after a while.
    Kill,
    /// Freezes a node until the others have taken its tables, then wakes it up.
    Stop,
    /// Stops a node in an orderly way and starts it again.
    Drain,
    PostgresRestarts,
    RedisRestarts,
    RedisForgets,
    /// Stops Redis, and starts it again after a while.
    RedisAway,
}

const ACCIDENTS: [Accident; 7] = [
    Accident::Kill,
    Accident::Stop,
    Accident::Drain,
    Accident::PostgresRestarts,
    Accident::RedisRestarts,
    Accident::RedisForgets,
    Accident::RedisAway,
];

struct Nodes<'a> {
    data: &'a Path,
    database: String,
    redis: String,
    running: Vec<Process>,
}

impl Nodes<'_> {
    fn start(&self, n: usize) -> Process {
        let data = self.data.join(NODES[n]);
        std::fs::create_dir_all(&data).unwrap();
        Process::node(&data, &self.database, &self.redis, NODES[n])
    }

    fn addresses(&self) -> Vec<SocketAddr> {
        self.running.iter().map(|node| node.address).collect()
    }

    /// The addresses of all nodes but one, as a load balancer would know them.
    fn without(&self, n: usize) -> Vec<SocketAddr> {
        let mut addresses = self.addresses();
        addresses.remove(n);
        addresses
    }
}

/// CLUSTER-1: no acknowledged move is lost or made twice, two nodes never write to one table, every table goes on, and
/// every player sees the same as a newcomer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_whatever_happens_to_three_nodes() {
    let (rounds, seed) = (number("BAIZE_CHAOS", 1), number("BAIZE_SEED", 1));
    eprintln!("{rounds} rounds, seed {seed}");
    let data = tempfile::Builder::new().disable_cleanup(std::env::var_os("BAIZE_KEEP").is_some()).tempdir().unwrap();
    let (postgres, redis) = (Postgres::start().unwrap(), RedisServer::start().unwrap());
    let mut nodes = Nodes { data: data.path(), database: postgres.url(), redis: redis.url(), running: Vec::new() };
    for n in 0..NODES.len() {
        let node = nodes.start(n);
        nodes.running.push(node);
    }
    let games = games();
    let mut codes = Vec::new();
    for (n, game) in games.iter().enumerate() {
        codes.push(nodes.running[n % NODES.len()].table(game, PLAYERS[0]).await);
    }
    let world = LoadRun::new(nodes.addresses(), games.len());
    let players = world.people(&codes, seed);
    world.all_go_on().await;

    let mut chance = FastChance::new(seed);
    let mut silences: BTreeMap<Accident, Vec<Duration>> = BTreeMap::new();
    for round in 0..rounds as usize * ACCIDENTS.len() {
        let accident = ACCIDENTS[round % ACCIDENTS.len()];
        let now = *world.acknowledged.borrow();
        let more = u64::from(1 + chance.below(80));
        world.until_acknowledged(|moves| moves >= now + more).await;
        let n = chance.below(NODES.len() as u32) as usize;
        world.longest_silence();
        match accident {
            Accident::Kill => {
                nodes.running[n].kill();
                world.addresses.send_replace(nodes.without(n));
                world.all_go_on().await;
                nodes.running[n] = nodes.start(n);
            }
            Accident::Stop => {
                nodes.running[n].signal(Signal::STOP);
                world.addresses.send_replace(nodes.without(n));
                tokio::time::sleep(PAST_THE_LEASE).await;
                world.all_go_on().await;
                nodes.running[n].signal(Signal::CONT);
            }
            Accident::Drain => {
                world.addresses.send_replace(nodes.without(n));
                block_in_place(|| nodes.running[n].terminate());
                nodes.running[n] = nodes.start(n);
            }
            Accident::PostgresRestarts => block_in_place(|| postgres.restart()).unwrap(),
            Accident::RedisRestarts => block_in_place(|| redis.restart()).unwrap(),
            Accident::RedisForgets => block_in_place(|| redis.flush()).unwrap(),
            Accident::RedisAway => {
                block_in_place(|| redis.stop()).unwrap();
                world.all_go_on().await;
                world.all_go_on().await;
                block_in_place(|| redis.start_again()).unwrap();
            }
        }
        world.addresses.send_replace(nodes.addresses());
        // A repeated request gets the same table from any node.
        let again = nodes.running[round % NODES.len()].table(&games[0], PLAYERS[0]).await;
        assert_eq!(again, codes[0]);
        world.all_go_on().await;
        let silence = world.longest_silence();
        eprintln!("{accident:?}: no table stood still for longer than {:.1} s", silence.as_secs_f32());
        silences.entry(accident).or_default().push(silence);
    }
    for (accident, mut silences) in silences {
        silences.sort_unstable();
        let [median, longest] = [silences.len() / 2, silences.len() - 1].map(|at| silences[at].as_secs_f32());
        eprintln!(
            "{accident:?}, {} times: tables stood still for {median:.1} s, at most {longest:.1} s",
            silences.len()
        );
    }
    let ledgers = world.stop(players).await;
    let all: Vec<&Process> = nodes.running.iter().collect();
    check_games(&all, &games, &codes, &ledgers).await;

    nodes.running.iter_mut().for_each(Process::terminate);
    let config = PostgresConfig { url: postgres.url(), node: "auditor".into(), lease: PAST_THE_LEASE };
    let (store, _lost) = PostgresStore::connect(config).await.unwrap();
    // A node releases its tables when it ends, so the others need not wait for the lease.
    check_chat(&store, &codes, &ledgers).await;
    store.close().await.unwrap();
    for node in NODES {
        let log = std::fs::read_to_string(data.path().join(node).join("log")).unwrap();
        for name in PLAYERS {
            assert!(!log.contains(&secret(name)), "a secret is in the log");
        }
    }
}
