//! Postgres keeps the contract.

use baize_backing::Postgres;
use baize_store::{PostgresConfig, PostgresStore, contract};
use std::time::Duration;

async fn node(url: &str, node: &str, lease: u64) -> (PostgresStore, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let config = PostgresConfig { url: url.into(), node: node.into(), lease: Duration::from_millis(lease) };
    PostgresStore::connect(config).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_keeps_the_contract() {
    let server = Postgres::shared().unwrap();
    let (store, _lost) = node(&server.database().unwrap(), "a", 10_000).await;
    contract::run(&store).await;
}
