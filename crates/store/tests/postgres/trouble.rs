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
