//! The disk fails while people play: nothing unstored is acknowledged, players are told, and the server recovers by
//! itself.

use crate::client::Client;
use crate::fault_injector::FaultInjector;
use crate::games::{catch_up, play_out};
use crate::server::{TestServer, quick};
use baize_protocol::http::Health;
use baize_protocol::{Action, ErrorCode};
use baize_room::random_answer::random_answer;
use std::path::Path;
use std::time::Instant;

struct DiskTest {
    server: TestServer,
    injector: FaultInjector,
    code: String,
    clients: Vec<Client>,
}

async fn start() -> DiskTest {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::alone(|config| config.faults = faults).await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    DiskTest { server, injector, code, clients }
}

impl DiskTest {
    async fn health(&self) -> (u16, Health) {
        let (status, text) = self.server.http("GET", "/healthz", None, "").await;
        (status, serde_json::from_str(&text).unwrap())
    }

    fn database(&self) -> std::path::PathBuf {
        self.server.data().path().join("baize.db")
    }

    /// Asserts that while the disk fails every action is refused, nobody is cut off, and `/healthz` reports a failure.
    async fn assert_everything_is_refused(&mut self, what: &str) {
        let at = self.clients.iter().position(|c| c.view().decision.is_some()).unwrap();
        let before: Vec<_> = self.clients.iter().map(|c| c.view.clone()).collect();
        for _ in 0..2 {
            let answer = random_answer(self.clients[at].view(), 1).unwrap();
            assert_eq!(self.clients[at].expect_refusal(Action::Move(answer)).await, ErrorCode::Storage, "{what}");
            let chat = Action::Chat { text: "is anybody there?".into() };
            assert_eq!(self.clients[1 - at].expect_refusal(chat).await, ErrorCode::Storage, "{what}");
        }
        let mut late = self.server.client().await;
        assert_eq!(late.watch(&self.code, "Cid").await.unwrap_err().error, ErrorCode::Storage, "{what}");
        for (client, before) in self.clients.iter_mut().zip(before) {
            client.act(Action::Heartbeat).await.unwrap();
            assert_eq!(client.view, before, "nobody sees what is not stored: {what}");
        }
        let (status, health) = self.health().await;
        assert_eq!((status, health.ok, health.stores), (503, false, false), "{what}");
        assert!(health.since_commit.is_some(), "{what}");
    }

    /// Sends a chat line until it is stored.
    async fn until_stored(&mut self, line: &str) {
        let stored = async { while self.clients[0].act(Action::Chat { text: line.to_owned() }).await.is_err() {} };
        tokio::time::timeout(std::time::Duration::from_secs(30), stored).await.expect("it recovers");
    }

    /// Asserts that after the disk works again the server goes on by itself, on the same sockets, with everything that was
    /// acknowledged.
    async fn assert_recovery(mut self, what: &str) -> Vec<Client> {
        let since = Instant::now();
        let line = format!("after {what}");
        self.until_stored(&line).await;
        eprintln!("{what}: recovered after {:?}", since.elapsed());
        self.clients[1].until("the line is there", |c| c.has_chat_line(&line)).await;
        let (status, health) = self.health().await;
        assert_eq!((status, health.stores), (200, true), "{what}");
        catch_up(&mut self.clients).await;
        play_out(&mut self.clients, 3).await;
        let views: Vec<_> = self.clients.iter().map(|c| c.view.clone()).collect();
        assert!(self.clients.iter().all(|c| c.closed.is_none()), "nobody was cut off: {what}");
        // The next server has all of it as well.
        let (code, clock) = (self.code.clone(), self.server.clock.clone());
        let data = self.server.stop().await;
        let server = TestServer::on(data, clock, |_| {}).await;
        for (name, view) in ["Ann", "Ben"].iter().zip(views) {
            let mut client = server.client().await;
            client.join(&code, name).await.unwrap();
            assert_eq!(client.view, view, "{what}");
            assert!(client.has_chat_line(&line));
        }
        self.clients
    }
}

/// DISK-1, DISK-2: the disk is full, read-only or returns an error: at the beginning of a commit, within it, or in the
/// sync.
#[tokio::test]
async fn a_failing_disk_is_reported_and_recovers() {
    for (point, why) in [
        ("store/write", "attempt to write a readonly database"),
        ("store/commit", "database or disk is full"),
        ("store/commit", "disk I/O error"),
        ("store/sync", "Input/output error (os error 5)"),
    ] {
        let mut play = start().await;
        play.injector.fail(point, why);
        // A failed sync may have succeeded on the disk: the table finds out when it is opened again.
        if point != "store/sync" {
            play.assert_everything_is_refused(why).await;
        } else {
            assert_eq!(play.clients[0].expect_refusal(Action::Chat { text: "x".into() }).await, ErrorCode::Storage);
            assert_eq!(play.health().await.0, 503);
        }
        play.injector.clear(point);
        play.assert_recovery(why).await;
    }
}

/// DISK-3: while the disk does not answer, nothing is acknowledged and `/healthz` reports it; afterwards everything is
/// acknowledged.
#[tokio::test]
async fn a_slow_disk_is_reported_and_delays_acknowledgements() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::alone(|config| {
        config.faults = faults;
        config.slow_commit = 1;
    })
    .await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let health = async || server.http("GET", "/healthz", None, "").await.0;
    assert_eq!(health().await, 200);
    injector.stall("store/sync");
    clients[0].send_text(&crate::client::message("slow", Action::Chat { text: "slow".into() })).await;
    while health().await == 200 {}
    let (_, text) = server.http("GET", "/healthz", None, "").await;
    assert!(!serde_json::from_str::<Health>(&text).unwrap().stores);
    clients[1].send_text(&crate::client::message("later", Action::Chat { text: "later".into() })).await;
    assert!(clients.iter().all(|c| !c.has_chat_line("slow")));
    assert_eq!(injector.count("store/sync"), 1);
    injector.clear("store/sync");
    let since = Instant::now();
    clients[0].answer("slow").await.unwrap();
    eprintln!("the sync was slow: acknowledged after {:?}", since.elapsed());
    clients[1].answer("later").await.unwrap();
    clients[0].until("both lines", |c| c.has_chat_line("slow") && c.has_chat_line("later")).await;
    while health().await != 200 {}
}

/// STOP-1, DISK-3: a disk that never answers does not keep the server from stopping.
#[tokio::test]
async fn a_disk_that_never_answers_does_not_delay_the_stop() {
    let injector = FaultInjector::default();
    let faults = injector.faults();
    let server = TestServer::alone(|config| {
        config.faults = faults;
        config.stop_within = std::time::Duration::from_millis(100);
    })
    .await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    injector.stall("store/sync");
    clients[0].send_text(&crate::client::message("never", Action::Chat { text: "never".into() })).await;
    while injector.count("store/sync") == 0 {
        tokio::task::yield_now().await;
    }
    let ended = tokio::time::timeout(std::time::Duration::from_secs(30), server.stop()).await;
    injector.clear("store/sync");
    assert!(ended.is_ok(), "it still waits");
}

fn move_file(from: &Path, to: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let name = |path: &Path| std::path::PathBuf::from(format!("{}{ending}", path.display()));
        let _ = std::fs::rename(name(from), name(to));
    }
}

/// DISK-4: somebody moves the database's files away, and back.
#[cfg(unix)]
#[tokio::test]
async fn the_server_survives_a_database_that_is_moved_away_and_back() {
    let mut play = start().await;
    let (here, there) = (play.database(), play.server.data().path().join("elsewhere.db"));
    move_file(&here, &there);
    play.assert_everything_is_refused("the database is gone").await;
    move_file(&there, &here);
    play.assert_recovery("the database came back").await;
}

/// DISK-4: somebody moves the whole folder away, and back.
#[cfg(unix)]
#[tokio::test]
async fn the_server_survives_a_folder_that_is_moved_away_and_back() {
    let mut play = start().await;
    let here = play.server.data().path().to_owned();
    let there = here.with_extension("away");
    std::fs::rename(&here, &there).unwrap();
    play.assert_everything_is_refused("the folder is gone").await;
    std::fs::rename(&there, &here).unwrap();
    play.assert_recovery("the folder came back").await;
}

/// Copies the database as it is now, like a backup program.
fn backup(database: &Path, copy: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.execute("VACUUM INTO ?", [copy.to_str().unwrap()]).unwrap();
}

/// DISK-5: somebody deletes the database and restores a backup. Tables go on from the backup, and no room continues the
/// log of the deleted database.
#[cfg(unix)]
#[tokio::test]
async fn tables_go_on_from_a_restored_backup() {
    for with_log in [true, false] {
        let mut play = start().await;
        let copy = play.server.data().path().join("backup.db");
        backup(&play.database(), &copy);
        let kept = play.clients[0].view.clone();
        // A move that is not in the backup.
        let at = play.clients.iter().position(|c| c.view().decision.is_some()).unwrap();
        let answer = random_answer(play.clients[at].view(), 1).unwrap();
        play.clients[at].play(answer).await.unwrap();
        catch_up(&mut play.clients).await;
        let database = play.database();
        std::fs::remove_file(&database).unwrap();
        if with_log {
            for ending in ["-wal", "-shm"] {
                std::fs::remove_file(format!("{}{ending}", database.display())).unwrap();
            }
        }
        play.assert_everything_is_refused("the database is deleted").await;
        // The old write-ahead log stays, and must not be read with the restored database.
        std::fs::rename(&copy, &database).unwrap();
        play.until_stored("restored").await;
        play.clients[0].until("it is as the backup has it", |c| c.view == kept && c.has_chat_line("restored")).await;
        play.assert_recovery("a backup was put in place").await;
    }
}

/// DISK-4: somebody deletes only the write-ahead log. The server still has the file open, and writes it to the database
/// first.
#[cfg(unix)]
#[tokio::test]
async fn a_deleted_write_ahead_log_loses_nothing() {
    let mut play = start().await;
    play.clients[0].act(Action::Chat { text: "in the log".into() }).await.unwrap();
    for ending in ["-wal", "-shm"] {
        std::fs::remove_file(format!("{}{ending}", play.database().display())).unwrap();
    }
    let clients = play.assert_recovery("the log of writes was deleted").await;
    assert!(clients[0].has_chat_line("in the log"));
}

/// DISK-2: another process holds a lock on the database.
#[tokio::test]
async fn a_locked_database_is_reported_and_recovers() {
    let mut play = start().await;
    let other = rusqlite::Connection::open(play.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(play.clients[0].expect_refusal(Action::Chat { text: "x".into() }).await, ErrorCode::Storage);
    assert_eq!(play.health().await.0, 503);
    other.execute_batch("ROLLBACK").unwrap();
    play.assert_recovery("the lock was released").await;
}
