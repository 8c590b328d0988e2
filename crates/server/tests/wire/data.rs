//! The data of a test server: a folder, and a database if it is one of several nodes.

use baize_server::Shared;
use baize_store::{PostgresConfig, PostgresStore, SqliteStore, Store};
use baize_test_servers::{Postgres, RedisServer};
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tempfile::TempDir;

/// The folder and the database are deleted when this is dropped.
pub struct TestData {
    dir: TempDir,
    database: Option<Database>,
}

struct Database {
    url: String,
    redis: String,
    _servers: Arc<SharedServers>,
}

/// Postgres and Redis for all tests of this program; they end with the last test that needs them.
struct SharedServers {
    postgres: Postgres,
    redis: RedisServer,
}

/// Whether the tests run on several nodes.
pub fn many_nodes() -> bool {
    std::env::var("BAIZE_NODES").is_ok_and(|nodes| nodes != "1")
}

fn shared_servers() -> Arc<SharedServers> {
    static SHARED: Mutex<Weak<SharedServers>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    shared.upgrade().unwrap_or_else(|| {
        let shared_servers =
            SharedServers { postgres: Postgres::start().unwrap(), redis: RedisServer::start().unwrap() };
        let shared_servers = Arc::new(shared_servers);
        *shared = Arc::downgrade(&shared_servers);
        shared_servers
    })
}

impl TestData {
    pub fn new() -> Self {
        if many_nodes() { Self::with_redis(None) } else { Self::alone() }
    }

    /// Makes data for several nodes that use the Redis of one test.
    pub fn shared(redis: &RedisServer) -> Self {
        Self::with_redis(Some(redis.url()))
    }

    fn with_redis(redis: Option<String>) -> Self {
        let servers = shared_servers();
        let (url, redis) = (servers.postgres.database().unwrap(), redis.unwrap_or_else(|| servers.redis.url()));
        TestData { database: Some(Database { url, redis, _servers: servers }), ..Self::alone() }
    }

    pub fn alone() -> Self {
        TestData { dir: tempfile::tempdir().unwrap(), database: None }
    }

    /// A copy of the data of a single server that has stopped.
    pub fn copy(&self) -> Self {
        assert!(self.database.is_none(), "a folder can be copied");
        let copy = TestData::alone();
        for entry in std::fs::read_dir(self.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
            }
        }
        copy
    }

    /// The number and the bytes of all stored blobs. Only SQLite tells.
    pub fn blobs(&self) -> Option<(i64, i64)> {
        if self.database.is_some() {
            return None;
        }
        let count = "SELECT count(*), coalesce(sum(length(body)), 0) FROM blobs";
        let connection = rusqlite::Connection::open(self.path().join("baize.db")).unwrap();
        Some(connection.query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap())
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The settings of one server, or of two nodes.
    pub fn nodes(&self) -> Vec<Option<Shared>> {
        let Some(Database { url, redis, .. }) = &self.database else { return vec![None] };
        // Most tests share one Redis, so node names contain the name of the test's database.
        let name = url.rsplit('/').next().unwrap_or_default();
        let node = |letter: &str| Shared {
            database: url.clone(),
            redis: Some(redis.clone()),
            node: format!("{name}-{letter}"),
            lease: Duration::from_secs(4),
        };
        vec![Some(node("a")), Some(node("b"))]
    }

    /// Takes a table away from the node that has it, as if another node had opened it and had died: any node may open it at once.
    pub async fn take_away(&self, code: &str) {
        const TAKE: &str = "UPDATE rooms SET owner = 'another node', epoch = epoch + 1, lease_until = clock_timestamp()
          FROM tables WHERE tables.id = rooms.table_id AND tables.code = $1";
        let Some(Database { url, .. }) = &self.database else { panic!("the data is not shared") };
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        assert_eq!(client.execute(TAKE, &[&code]).await.unwrap(), 1, "the table has a room");
        drop(client);
        connection.await.unwrap().unwrap();
    }

    /// Opens the store, to look into it.
    pub async fn store(&self) -> Box<dyn Store> {
        match &self.database {
            None => Box::new(SqliteStore::open(self.path()).unwrap()),
            Some(Database { url, .. }) => {
                let config = PostgresConfig { url: url.clone(), node: "a test".into(), lease: Duration::from_secs(4) };
                Box::new(PostgresStore::connect(config).await.unwrap().0)
            }
        }
    }
}
