//! Connections are lost while tables commit: no acknowledged commit is lost, none is written twice, and the tables go on.

use crate::load::{Dice, Load};
use crate::proxy::{Cut, Proxy};
use crate::*;
use std::sync::Arc;

const TABLES: u32 = 6;

#[tokio::test(flavor = "multi_thread")]
async fn the_writer_resolves_commits_with_unknown_outcome() {
    let server = Postgres::shared().unwrap();
    let direct = server.database().unwrap();
    let proxy = Proxy::start(&direct).await;
    let store = Arc::new(node(&proxy.url, "a", LONG).await.0);
    let mut load = Load::start(&store, TABLES).await;
    let mut dice = Dice::new(7);
    for _ in 0..30 {
        load.go_on(dice.roll(20)).await;
        proxy.cut([Cut::After, Cut::Before, Cut::Within][dice.roll(3) as usize]);
        // The tables go on until the cut has happened.
        while !proxy.is_cut() {
            load.go_on(1).await;
        }
    }
    load.go_on(50).await;
    load.check(&store, &direct).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_writer_survives_lost_connections() {
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
async fn the_store_survives_a_crash_of_postgres() {
    let server = Arc::new(Postgres::start().unwrap());
    let store = Arc::new(node(&server.url(), "a", LONG).await.0);
    let mut load = Load::start(&store, TABLES).await;
    let mut dice = Dice::new(13);
    for _ in 0..3 {
        load.go_on(dice.roll(100)).await;
        let server = server.clone();
        let restarting = tokio::task::spawn_blocking(move || server.restart());
        // Reading and opening tables waits for Postgres, too.
        let code = format!("other{}", dice.roll(1 << 30));
        let open = opened(&store, &code).await;
        assert_eq!(store.peek(&code).await.unwrap().unwrap().code, code);
        store.release(open.id, open.epoch).await.unwrap();
        restarting.await.unwrap().unwrap();
    }
    load.go_on(50).await;
    load.check(&store, &server.url()).await;
}

/// While Postgres is down, commits fail and the store reports it. When Postgres is back, the store recovers even if nobody
/// commits.
#[tokio::test(flavor = "multi_thread")]
async fn the_store_reports_that_postgres_is_down() {
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
    let open = store.open("t").await.unwrap().opened_here().expect("its own table");
    assert_eq!(store.log("g", 0, 9).await.unwrap().len(), 1, "what was refused is not there");
    store.commit(commit(&open, vec![log("g", 2)])).await.unwrap();
    eprintln!("Postgres came back: the store wrote again after {:?}", back.elapsed());
}

/// When the writer's task panics, its commits fail, written or not. Later commits succeed, and the node keeps its tables.
#[tokio::test(flavor = "multi_thread")]
async fn the_writer_restarts_after_a_panic() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    let server = Postgres::shared().unwrap();
    let url = server.database().unwrap();
    for point in ["store/write", "store/renew"] {
        let left = Arc::new(AtomicUsize::new(0));
        let armed = left.clone();
        let faults = baize_store::Faults::new(move |name, _| {
            let strikes = name == point && armed.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok();
            assert!(!strikes, "a fault on purpose");
            Ok(())
        });
        let lease = Duration::from_millis(200);
        let config = PostgresConfig { url: url.clone(), node: format!("a {point}"), lease };
        let (store, _lost) = PostgresStore::connect_with(config, faults).await.unwrap();
        let code = point.replace('/', "-");
        let (first, second) = (format!("{code}-1"), format!("{code}-2"));
        let open = opened(&store, &code).await;
        left.store(1, SeqCst);
        if point == "store/write" {
            assert!(store.commit(commit(&open, vec![game(&first)])).await.is_err());
        }
        while left.load(SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
        let open = store.open(&code).await.unwrap().opened_here().expect("its own table");
        store.commit(commit(&open, vec![game(&second), log(&second, 1)])).await.unwrap();
        assert_eq!(store.stats().restarts.load(SeqCst), 1, "{point}");
        assert!(store.stats().health().failing.is_none());
        store.close().await.unwrap();
    }
}
