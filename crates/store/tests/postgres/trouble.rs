//! Connections are lost while tables commit: nothing that was acknowledged is lost, nothing is written twice, play goes on.

use crate::load::{Dice, Load};
use crate::proxy::{Cut, Proxy};
use crate::*;
use std::sync::Arc;

const TABLES: u32 = 6;

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_was_lost_is_looked_for() {
    let server = Postgres::shared().unwrap();
    let direct = server.database().unwrap();
    let proxy = Proxy::start(&direct).await;
    let store = Arc::new(node(&proxy.url, "a", LONG).await.0);
    let mut load = Load::start(&store, TABLES).await;
    let mut dice = Dice::new(7);
    for _ in 0..30 {
        load.go_on(dice.roll(20)).await;
        proxy.cut([Cut::After, Cut::Before, Cut::Within][dice.roll(3) as usize]);
        // Until it has happened; the tables do not stand still.
        while !proxy.is_cut() {
            load.go_on(1).await;
        }
    }
    load.go_on(50).await;
    load.check(&store, &direct).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_writers_connection_may_be_ended_at_any_moment() {
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    let store = Arc::new(node(&url, "a", LONG).await.0);
    let visitor = visitor(&url).await;
    let mut load = Load::start(&store, TABLES).await;
    let mut dice = Dice::new(11);
    for _ in 0..20 {
        load.go_on(dice.roll(20)).await;
        let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'baize a writer'";
        while count(&visitor, kill).await == 0 {}
    }
    load.go_on(50).await;
    load.check(&store, &url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_may_crash_and_come_back() {
    let server = Arc::new(Postgres::start().unwrap());
    let store = Arc::new(node(&server.url(), "a", LONG).await.0);
    let mut load = Load::start(&store, TABLES).await;
    let mut dice = Dice::new(13);
    for _ in 0..3 {
        load.go_on(dice.roll(100)).await;
        let server = server.clone();
        let restarting = tokio::task::spawn_blocking(move || server.restart());
        // Reads and openings wait for it, too.
        let code = format!("other{}", dice.roll(1 << 30));
        let open = opened(&store, &code).await;
        assert_eq!(store.peek(&code).await.unwrap().unwrap().code, code);
        store.release(open.id, open.epoch).await.unwrap();
        restarting.await.unwrap().unwrap();
    }
    load.go_on(50).await;
    load.check(&store, &server.url()).await;
}

/// While Postgres is away nothing is written and the store says so; when it is back, so is the store, although nobody writes.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_without_its_postgres_says_so_until_it_is_back() {
    let server = Arc::new(Postgres::start().unwrap());
    let store = node(&server.url(), "a", LONG).await.0;
    let open = opened(&store, "t").await;
    store.commit(commit(&open, vec![game("g"), log("g", 1)])).await.unwrap();
    let now = store.stats().health();
    assert!(now.failing.is_none() && now.since_success.is_some(), "{now:?}");
    tokio::task::spawn_blocking({
        let server = server.clone();
        move || server.stop()
    })
    .await
    .unwrap()
    .unwrap();
    assert!(store.commit(commit(&open, vec![log("g", 2)])).await.is_err(), "nothing is acknowledged");
    assert!(store.stats().health().failing.is_some());
    tokio::task::spawn_blocking({
        let server = server.clone();
        move || server.start_again()
    })
    .await
    .unwrap()
    .unwrap();
    let back = std::time::Instant::now();
    store.check().await.unwrap();
    assert!(store.stats().health().failing.is_none());
    let open = store.open("t").await.unwrap().here().expect("its own table");
    assert_eq!(store.log("g", 0, 9).await.unwrap().len(), 1, "what was refused is not there");
    store.commit(commit(&open, vec![log("g", 2)])).await.unwrap();
    eprintln!("Postgres came back: the store wrote again after {:?}", back.elapsed());
}

/// The writer's task panics: its commits fail and are not there, or are; the next ones are written, and tables stay this node's.
#[tokio::test(flavor = "multi_thread")]
async fn the_writer_is_begun_again_after_a_panic() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    for edge in ["store/write", "store/renew"] {
        let left = Arc::new(AtomicUsize::new(0));
        let armed = left.clone();
        let faults = baize_store::Faults::new(move |name, _| {
            let strikes = name == edge && armed.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok();
            assert!(!strikes, "a fault on purpose");
            Ok(())
        });
        let lease = Duration::from_millis(200);
        let config = PostgresConfig { url: url.clone(), node: format!("a {edge}"), lease };
        let (store, _lost) = PostgresStore::connect_with(config, faults).await.unwrap();
        let code = edge.replace('/', "-");
        let (first, second) = (format!("{code}-1"), format!("{code}-2"));
        let open = opened(&store, &code).await;
        left.store(1, SeqCst);
        if edge == "store/write" {
            assert!(store.commit(commit(&open, vec![game(&first)])).await.is_err());
        }
        while left.load(SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
        let open = store.open(&code).await.unwrap().here().expect("its own table");
        store.commit(commit(&open, vec![game(&second), log(&second, 1)])).await.unwrap();
        assert_eq!(store.stats().restarts.load(SeqCst), 1, "{edge}");
        assert!(store.stats().health().failing.is_none());
        store.close().await.unwrap();
    }
}
