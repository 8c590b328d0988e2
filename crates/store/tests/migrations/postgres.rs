//! Migrations of Postgres databases.

use crate::{assert_explains_newer_version, contents, earlier};
use baize_store::{PostgresConfig, PostgresStore, Store, StoreError, contract};
use baize_test_servers::Postgres;
use std::time::Duration;
use tokio_postgres::Client;

/// A lease that does not end during a test.
const LONG: Duration = Duration::from_secs(3600);

/// Counts the commands that change the schema, and stops a migration at one of them.
const PROBE: &str = "
CREATE SCHEMA probe;
CREATE SEQUENCE probe.steps;
CREATE TABLE probe.stop (at bigint NOT NULL, kill boolean NOT NULL);
INSERT INTO probe.stop VALUES (-1, false);
CREATE FUNCTION probe.count() RETURNS void LANGUAGE plpgsql AS $$
DECLARE n bigint := nextval('probe.steps');
BEGIN
  IF n = (SELECT at FROM probe.stop) THEN
    IF (SELECT kill FROM probe.stop) THEN
      PERFORM pg_terminate_backend(pg_backend_pid());
    ELSE
      RAISE EXCEPTION 'stopped at step %', n;
    END IF;
  END IF;
END $$;
CREATE FUNCTION probe.command() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM probe.count(); END $$;
CREATE FUNCTION probe.version() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM probe.count(); RETURN new; END $$;
CREATE TRIGGER probe BEFORE INSERT OR UPDATE ON schema_version FOR EACH ROW EXECUTE FUNCTION probe.version();
CREATE EVENT TRIGGER probe ON ddl_command_start EXECUTE FUNCTION probe.command();
";

fn config(url: &str, node: &str) -> PostgresConfig {
    PostgresConfig { url: url.into(), node: node.into(), lease: LONG }
}

async fn open(url: &str, node: &str) -> Result<PostgresStore, StoreError> {
    PostgresStore::connect(config(url, node)).await.map(|(store, _)| store)
}

/// Connects to the database like another program.
async fn visitor(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn number(client: &Client, query: &str) -> i64 {
    client.query_one(query, &[]).await.unwrap().get(0)
}

async fn texts(client: &Client, query: &str) -> Vec<String> {
    client.query(query, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

/// Makes a database from a script.
async fn made(server: &Postgres, script: &str) -> (String, Client) {
    let url = server.database().unwrap();
    let client = visitor(&url).await;
    client.batch_execute(script).await.unwrap();
    (url, client)
}

const VERSION: &str = "SELECT version FROM schema_version";
/// The commands that the probe has counted.
const STEPS: &str = "SELECT last_value FROM probe.steps";

/// Columns, constraints and indexes.
async fn structure(client: &Client) -> Vec<String> {
    const ALL: &str = "
      SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, is_identity, is_generated)
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1";
    texts(client, ALL).await
}

/// Structure and contents.
async fn state(client: &Client) -> Vec<String> {
    let mut all = structure(client).await;
    for table in texts(client, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1").await {
        all.extend(texts(client, &format!("SELECT '{table} ' || t::text FROM \"{table}\" t ORDER BY 1")).await);
    }
    all
}

/// STORE-26: a migrated database of every earlier version has all its contents, works, and has the same structure as a new one.
#[tokio::test(flavor = "multi_thread")]
async fn every_earlier_postgres_database_is_migrated() {
    let server = Postgres::shared().unwrap();
    let (fresh, look) = made(&server, "").await;
    open(&fresh, "a").await.unwrap().close().await.unwrap();
    let (now, structure_now) = (number(&look, VERSION).await, structure(&look).await);
    let all = earlier("postgres");
    assert_eq!(all.len() as i64 + 1, now, "keep the schema before the newest as a file, too");
    for (old, script) in all {
        eprintln!("postgres-{old}");
        let (url, look) = made(&server, &script).await;
        assert_eq!(number(&look, VERSION).await, old);
        // An operator's command does not migrate; only a server does.
        let refused = PostgresStore::attach(config(&url, "admin")).await.map(drop).unwrap_err().to_string();
        assert!(refused.contains(&format!("has version {old}")) && refused.contains("start a server"), "{refused}");
        assert_eq!(number(&look, VERSION).await, old);
        let store = open(&url, "a").await.unwrap();
        contents::check(&store).await;
        store.close().await.unwrap();
        assert_eq!((number(&look, VERSION).await, structure(&look).await), (now, structure_now.clone()));
        let store = PostgresStore::attach(config(&url, "a")).await.unwrap();
        contract::run(&store).await;
    }
}

/// STORE-27: a database of a later version is refused with a reason, and not changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_newer_postgres_database_is_refused_and_left_alone() {
    let server = Postgres::shared().unwrap();
    let (url, look) = made(&server, "").await;
    open(&url, "a").await.unwrap().close().await.unwrap();
    let known = number(&look, VERSION).await;
    look.batch_execute("UPDATE schema_version SET version = 999; CREATE TABLE later (n int)").await.unwrap();
    let before = state(&look).await;
    assert_explains_newer_version(&open(&url, "a").await.map(drop).unwrap_err().to_string(), 999, known);
    let attached = PostgresStore::attach(config(&url, "admin")).await;
    assert_explains_newer_version(&attached.map(drop).unwrap_err().to_string(), 999, known);
    assert_eq!(state(&look).await, before);
}

/// STORE-28: if several nodes start at the same time, one migrates the database and the others wait.
#[tokio::test(flavor = "multi_thread")]
async fn many_nodes_that_start_at_once_migrate_once() {
    const NODES: i64 = 6;
    let server = Postgres::shared().unwrap();
    let empty = (0, "CREATE TABLE schema_version (version bigint NOT NULL)".to_owned());
    for (_, script) in earlier("postgres").into_iter().chain([empty]) {
        let script = format!("{script}; {PROBE}");
        let (url, look) = made(&server, &script).await;
        open(&url, "alone").await.unwrap().close().await.unwrap();
        let alone = number(&look, STEPS).await;
        let (url, look) = made(&server, &script).await;
        let nodes: Vec<_> = (0..NODES)
            .map(|n| {
                let url = url.clone();
                tokio::spawn(async move { open(&url, &n.to_string()).await.map(drop) })
            })
            .collect();
        for node in nodes {
            node.await.unwrap().unwrap();
        }
        // Each of the other nodes runs one command, which changes nothing: it creates the version's table if it is missing.
        assert_eq!(number(&look, STEPS).await, alone + NODES - 1);
        assert_eq!(number(&look, "SELECT count(*) FROM schema_version").await, 1);
    }
}

/// STORE-28: a migration that fails or loses its connection between any two of its commands changes nothing, and succeeds the
/// next time.
#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_migration_that_is_stopped_anywhere_changes_nothing() {
    let server = Postgres::shared().unwrap();
    for (old, script) in earlier("postgres") {
        let script = format!("{script}; {PROBE}");
        // A migration that nobody stops tells how many steps there are, and that it succeeds at all.
        let (url, look) = made(&server, &script).await;
        open(&url, "alone").await.unwrap().close().await.unwrap();
        let steps = number(&look, STEPS).await;
        assert!(steps >= 2, "postgres-{old} has only {steps} steps");
        let (url, look) = made(&server, &script).await;
        let before = state(&look).await;
        // Stops each step first by an error, then by a lost connection.
        for (step, kill) in (1..=steps).flat_map(|step| [(step, false), (step, true)]) {
            let stop = format!("UPDATE probe.stop SET at = {step}, kill = {kill}");
            look.batch_execute(&format!("SELECT setval('probe.steps', 1, false); {stop}")).await.unwrap();
            assert!(open(&url, "a").await.is_err(), "postgres-{old} was not stopped at step {step} (kill: {kill})");
            assert_eq!(state(&look).await, before, "postgres-{old}, stopped at step {step} (kill: {kill})");
        }
        look.batch_execute("UPDATE probe.stop SET at = -1").await.unwrap();
        let store = open(&url, "a").await.unwrap();
        contents::check(&store).await;
        store.close().await.unwrap();
    }
}
