//! What a server keeps: a folder, and a database if it is one of several nodes.

use baize_server::Shared;
use baize_store::{PostgresConfig, PostgresStore, SqliteStore, Store};
use baize_test_servers::{Postgres, Redis};
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tempfile::TempDir;

/// As long as a server needs it.
pub struct Data {
    dir: TempDir,
    database: Option<Database>,
}

struct Database {
    url: String,
    redis: String,
    _backing: Arc<Backing>,
}

/// For all tests of the program; ends with the last that needs it.
struct Backing {
    postgres: Postgres,
    redis: Redis,
}

/// Whether several nodes are tested.
pub fn many_nodes() -> bool {
    std::env::var("BAIZE_NODES").is_ok_and(|nodes| nodes != "1")
}

fn backing() -> Arc<Backing> {
    static SHARED: Mutex<Weak<Backing>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    shared.upgrade().unwrap_or_else(|| {
        let backing = Backing { postgres: Postgres::start().unwrap(), redis: Redis::start().unwrap() };
        let backing = Arc::new(backing);
        *shared = Arc::downgrade(&backing);
        backing
    })
}

impl Data {
    pub fn new() -> Self {
        if many_nodes() { Self::of(None) } else { Self::alone() }
    }

    /// For several nodes, with a Redis of the test's own.
    pub fn shared(redis: &Redis) -> Self {
        Self::of(Some(redis.url()))
    }

    fn of(redis: Option<String>) -> Self {
        let backing = backing();
        let (url, redis) = (backing.postgres.database().unwrap(), redis.unwrap_or_else(|| backing.redis.url()));
        Data { database: Some(Database { url, redis, _backing: backing }), ..Self::alone() }
    }

    pub fn alone() -> Self {
        Data { dir: tempfile::tempdir().unwrap(), database: None }
    }

    /// The same again, of a server that has stopped and was alone.
    pub fn copy(&self) -> Self {
        assert!(self.database.is_none(), "a folder can be copied");
        let copy = Data::alone();
        for entry in std::fs::read_dir(self.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
            }
        }
        copy
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// One server by itself, or two nodes.
    pub fn nodes(&self) -> Vec<Option<Shared>> {
        let Some(Database { url, redis, .. }) = &self.database else { return vec![None] };
        // Most tests have one Redis: their nodes must not be taken for each other.
        let name = url.rsplit('/').next().unwrap_or_default();
        let node = |letter: &str| Shared {
            database: url.clone(),
            redis: Some(redis.clone()),
            node: format!("{name}-{letter}"),
            lease: Duration::from_secs(4),
        };
        vec![Some(node("a")), Some(node("b"))]
    }

    /// A look at what is kept.
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
