//! Real faults of the storage under the real program: a full disk, refused writes, a database that another process locks.
//!
//! Each test prints the time from the end of the fault to the next acknowledged line.

use crate::client::{Client, request, secret};
use crate::process::Process;
use baize_protocol::http::{CreateTable, Health};
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, ErrorCode};
use std::io::Write;
use std::ops::Not;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A timeout that only a failing test reaches.
const TOO_LONG: Duration = Duration::from_secs(60);

struct Table {
    clients: Vec<Client>,
    /// The acknowledged lines.
    said: Vec<String>,
    n: usize,
}

impl Table {
    async fn new(process: &Process) -> Self {
        let code = process.table("donkey", "Ann").await;
        let mut clients = Vec::new();
        for name in ["Ann", "Ben"] {
            let mut client = Client::connect(process.address).await;
            client.join(&code, name).await.unwrap();
            clients.push(client);
        }
        Table { clients, said: Vec::new(), n: 0 }
    }

    /// Sends a chat line. Returns whether the server stored it.
    async fn say(&mut self) -> Result<(), ErrorCode> {
        self.n += 1;
        // Long lines fill the disk sooner.
        let line = format!("{} {}", self.n, "x".repeat(300));
        let (at, text) = (self.n % 2, line.clone());
        self.clients[at].act(Action::Chat { text }).await.map_err(|refused| refused.error)?;
        self.said.push(line);
        Ok(())
    }

    /// Sends chat lines until the server refuses one.
    async fn until_refused(&mut self) {
        let refused = async {
            loop {
                match self.say().await {
                    Ok(()) | Err(ErrorCode::TooFast) => {}
                    Err(code) => break code,
                }
            }
        };
        let code = tokio::time::timeout(TOO_LONG, refused).await.expect("it is refused");
        assert_eq!(code, ErrorCode::Storage);
    }

    /// Waits until the server stores a line, and prints how long that took.
    async fn until_stored(&mut self, what: &str) {
        let since = Instant::now();
        let stored = async { while self.say().await.is_err() {} };
        tokio::time::timeout(TOO_LONG, stored).await.expect("it recovers by itself");
        eprintln!("{what}: stored again after {:?}", since.elapsed());
    }

    /// Checks that the client is still connected, and that a newcomer sees every acknowledged line once.
    async fn check(&mut self, process: &Process) {
        assert!(self.clients.iter().all(|client| client.closed.is_none()));
        let code = self.clients[0].table().code.clone();
        let mut fresh = Client::connect(process.address).await;
        fresh.join(&code, "Ann").await.unwrap();
        let there: Vec<_> = fresh.chat.iter().map(|line| line.text.clone()).collect();
        // A newcomer gets the last hundred lines.
        for line in self.said.iter().rev().take(40) {
            assert_eq!(there.iter().filter(|other| *other == line).count(), 1, "{line}");
        }
    }
}

async fn health(process: &Process) -> (u16, Health) {
    let headers = format!("Host: {}\r\n", process.address);
    let (status, _, text) = request(process.address, "GET", "/healthz", &headers, b"").await.unwrap();
    (status, serde_json::from_str(&text).unwrap())
}

/// Makes a table. Returns the HTTP status.
async fn make(process: &Process, id: String) -> u16 {
    let headers = format!(
        "Host: {}\r\nContent-Type: application/json\r\nAuthorization: Bearer {}\r\n",
        process.address,
        secret("Ann")
    );
    let body = CreateTable { id, game: "pig".into(), name: "Ann".into(), settings: TableSettings::default() };
    let body = serde_json::to_vec(&body).unwrap();
    request(process.address, "POST", "/api/tables", &headers, &body).await.unwrap().0
}

/// Waits until the server reports that the store works; the server checks that every two seconds.
async fn until_healthy(process: &Process) {
    let since = Instant::now();
    let healthy = async { while health(process).await.0 != 200 {} };
    tokio::time::timeout(TOO_LONG, healthy).await.expect("green again");
    eprintln!("green again after {:?}", since.elapsed());
}

/// Whether this machine allows a test to mount a file system. If not, the test that asks is skipped: it says so on the real
/// standard error, which the test harness does not hide, and fails where CI is set to `true`.
fn can_mount(test: &str) -> bool {
    let tried = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).output();
    let can = tried.is_ok_and(|done| done.status.success());
    if !can {
        let _ =
            writeln!(std::io::stderr(), "SKIPPED {test}: this machine does not allow a test to mount a file system");
        assert!(std::env::var("CI").is_ok_and(|ci| ci == "true").not(), "{test} was skipped");
    }
    can
}

/// DISK-1, DISK-2: another program fills a disk of 16 MB and frees it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_reports_a_full_disk_and_recovers() {
    if !can_mount("the_server_reports_a_full_disk_and_recovers") {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let mount = format!("mount -t tmpfs -o size=16m none '{}' && exec \"$@\"", data.path().display());
    let process = Process::under(data.path(), &["unshare", "-rm", "sh", "-c", &mount, "sh"]);
    let mut table = Table::new(&process).await;
    table.say().await.unwrap();
    assert_eq!(health(&process).await.0, 200);
    let inside = format!("/proc/{}/root{}", process.id(), data.path().display());
    let filler = Path::new(&inside).join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    let full = std::io::copy(&mut std::io::repeat(1), &mut file).unwrap_err();
    assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    // The write-ahead log still has some space of its own.
    let made = (0..20_000).map(|n| format!("a-table-too-many-{n}"));
    let mut refused = false;
    for id in made {
        if make(&process, id).await != 200 {
            refused = true;
            break;
        }
    }
    assert!(refused, "the disk is full");
    table.until_refused().await;
    let (status, now) = health(&process).await;
    assert_eq!((status, now.stores), (503, false));
    drop(file);
    std::fs::remove_file(&filler).unwrap();
    table.until_stored("the disk was full").await;
    until_healthy(&process).await;
    table.check(&process).await;
}

/// DISK-1, DISK-2: the system refuses every write, because of a limit on file sizes, which SQLite reports as a broken disk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_reports_refused_writes_and_recovers() {
    let data = tempfile::tempdir().unwrap();
    // The program must ignore the signal of this limit, or the signal would end it.
    let process = Process::under(data.path(), &["sh", "-c", "trap '' XFSZ; exec \"$@\" 2>/dev/null", "sh"]);
    let mut table = Table::new(&process).await;
    table.say().await.unwrap();
    let limit = |to: &str| {
        let arguments = [format!("--pid={}", process.id()), format!("--fsize={to}:")];
        assert!(Command::new("prlimit").args(arguments).status().unwrap().success());
    };
    limit("4096");
    table.until_refused().await;
    let (status, now) = health(&process).await;
    assert_eq!((status, now.stores), (503, false));
    limit("unlimited");
    table.until_stored("the system refused to write").await;
    until_healthy(&process).await;
    table.check(&process).await;
}

/// DISK-2: another process locks the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_reports_a_locked_database_and_recovers() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    let mut table = Table::new(&process).await;
    table.say().await.unwrap();
    let other = rusqlite::Connection::open(data.path().join("baize.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    table.until_refused().await;
    assert_eq!(health(&process).await.0, 503);
    other.execute_batch("ROLLBACK").unwrap();
    table.until_stored("another process had the lock").await;
    until_healthy(&process).await;
    table.check(&process).await;
}

/// DISK-5: the folder is deleted and replaced by a backup.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_recovers_when_a_backup_replaces_a_deleted_folder() {
    let outer = tempfile::tempdir().unwrap();
    let (data, backup) = (outer.path().join("data"), outer.path().join("backup"));
    std::fs::create_dir_all(&data).unwrap();
    std::fs::create_dir_all(&backup).unwrap();
    let process = Process::start(&data);
    let mut table = Table::new(&process).await;
    table.say().await.unwrap();
    let copy = rusqlite::Connection::open(data.join("baize.db")).unwrap();
    copy.execute("VACUUM INTO ?", [backup.join("baize.db").to_str().unwrap()]).unwrap();
    drop(copy);
    std::fs::remove_dir_all(&data).unwrap();
    table.until_refused().await;
    assert_eq!(health(&process).await.0, 503);
    std::fs::rename(&backup, &data).unwrap();
    table.until_stored("a backup was put in place").await;
    until_healthy(&process).await;
    table.check(&process).await;
}
