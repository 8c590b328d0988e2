//! Kills the real program with `kill -9` at random moments under load, and checks that nothing acknowledged is lost.
//!
//! It kills twenty times; `BAIZE_KILLS=500 cargo test -p baize --test program crash` kills more often. `BAIZE_SEED` repeats the moments,
//! as far as processes are reproducible.

use crate::client::secret;
use crate::player::{LoadRun, PLAYERS, check_chat, check_games, games, number};
use crate::process::Process;
use baize_engine::chance::{Chance, FastChance};
use baize_store::SqliteStore;

/// DUR-1, DUR-2: no acknowledged move is lost or made twice, every table goes on, and every replay is valid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_by_kill_9() {
    let (kills, seed) = (number("BAIZE_KILLS", 20), number("BAIZE_SEED", 1));
    eprintln!("{kills} kills, seed {seed}");
    let data = tempfile::tempdir().unwrap();
    let mut process = Process::start(data.path());
    let games = games();
    let mut codes = Vec::new();
    for game in &games {
        codes.push(process.table(game, PLAYERS[0]).await);
    }
    let world = LoadRun::new(vec![process.address], games.len());
    let players = world.people(&codes, seed);

    let mut chance = FastChance::new(seed);
    for _ in 0..kills {
        let now = *world.acknowledged.borrow();
        let more = u64::from(1 + chance.below(80));
        world.until_acknowledged(|moves| moves >= now + more).await;
        // A random delay, so that not every kill follows an acknowledgement.
        for _ in 0..chance.below(3000) {
            tokio::task::yield_now().await;
        }
        world.addresses.send_replace(Vec::new());
        process.kill();
        process = Process::start(data.path());
        let again = process.table(&games[0], PLAYERS[0]).await;
        assert_eq!(again, codes[0], "making a table twice makes it once");
        world.addresses.send_replace(vec![process.address]);
    }
    world.all_go_on().await;
    let ledgers = world.stop(players).await;
    check_games(&[&process], &games, &codes, &ledgers).await;

    process.kill();
    let store = SqliteStore::open(data.path()).unwrap();
    check_chat(&store, &codes, &ledgers).await;
    let log = std::fs::read_to_string(data.path().join("log")).unwrap();
    for name in PLAYERS {
        assert!(!log.contains(&secret(name)), "a secret is in the log");
    }
    assert!(!log.contains("ERROR"), "{log}");
}
