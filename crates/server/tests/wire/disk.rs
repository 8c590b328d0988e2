//! The disk fails while people play: nothing unstored is acknowledged, players are told, and it recovers by itself.

use crate::client::Client;
use crate::games::{catch_up, play_out};
use crate::server::{TestServer, quick};
use crate::trouble::Trouble;
use baize_protocol::http::Health;
use baize_protocol::{Action, ErrorCode};
use baize_server::random_answer::random_answer;
use std::path::Path;
use std::time::Instant;

struct Play {
    server: TestServer,
    trouble: Trouble,
    code: String,
    clients: Vec<Client>,
}

async fn begun() -> Play {
    let trouble = Trouble::default();
    let faults = trouble.faults();
    let server = TestServer::alone(|config| config.faults = faults).await;
    let (code, mut clients) = server.seated("donkey", quick(), &["Ann", "Ben"]).await;
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    Play { server, trouble, code, clients }
}

impl Play {
    async fn health(&self) -> (u16, Health) {
        let (status, text) = self.server.http("GET", "/healthz", None, "").await;
        (status, serde_json::from_str(&text).unwrap())
    }

    fn database(&self) -> std::path::PathBuf {
        self.server.data().path().join("baize.db")
    }

    /// While the cause lasts: whatever is tried is refused, nobody is cut off, and `/healthz` is red.
    async fn everything_is_refused(&mut self, what: &str) {
        let at = self.clients.iter().position(|c| c.view().decision.is_some()).unwrap();
        let before: Vec<_> = self.clients.iter().map(|c| c.view.clone()).collect();
        for _ in 0..2 {
            let answer = random_answer(self.clients[at].view(), 1).unwrap();
            assert_eq!(self.clients[at].refused(Action::Move(answer)).await, ErrorCode::Storage, "{what}");
            let chat = Action::Chat { text: "is anybody there?".into() };
            assert_eq!(self.clients[1 - at].refused(chat).await, ErrorCode::Storage, "{what}");
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

    /// Says something until it is stored.
    async fn until_stored(&mut self, line: &str) {
        let stored = async { while self.clients[0].act(Action::Chat { text: line.to_owned() }).await.is_err() {} };
        tokio::time::timeout(std::time::Duration::from_secs(30), stored).await.expect("it recovers");
    }

    /// The cause is gone: it goes on by itself, on the sockets that are there, with everything that was acknowledged.
    async fn it_recovers(mut self, what: &str) -> Vec<Client> {
        let since = Instant::now();
        let line = format!("after {what}");
        self.until_stored(&line).await;
        eprintln!("{what}: recovered after {:?}", since.elapsed());
        self.clients[1].until("the line is there", |c| c.said(&line)).await;
        let (status, health) = self.health().await;
        assert_eq!((status, health.stores), (200, true), "{what}");
        catch_up(&mut self.clients).await;
        play_out(&mut self.clients, 3).await;
        let views: Vec<_> = self.clients.iter().map(|c| c.view.clone()).collect();
        assert!(self.clients.iter().all(|c| c.closed.is_none()), "nobody was cut off: {what}");
        // And all of it is there for the next server.
        let (code, clock) = (self.code.clone(), self.server.clock.clone());
        let data = self.server.stop().await;
        let server = TestServer::on(data, clock, |_| {}).await;
        for (name, view) in ["Ann", "Ben"].iter().zip(views) {
            let mut client = server.client().await;
            client.join(&code, name).await.unwrap();
            assert_eq!(client.view, view, "{what}");
            assert!(client.said(&line));
        }
        self.clients
    }
}

/// DISK-1, DISK-2: the disk is full, or read-only, or gives an error: at the beginning of a commit, in it, or when it is synced.
#[tokio::test]
async fn a_disk_that_fails_is_told_and_recovers() {
    for (edge, why) in [
        ("store/write", "attempt to write a readonly database"),
        ("store/commit", "database or disk is full"),
        ("store/commit", "disk I/O error"),
        ("store/sync", "Input/output error (os error 5)"),
    ] {
        let mut play = begun().await;
        play.trouble.fail(edge, why);
        // A sync that failed may have happened: what it was for is found out when the table is opened again.
        if edge != "store/sync" {
            play.everything_is_refused(why).await;
        } else {
            assert_eq!(play.clients[0].refused(Action::Chat { text: "x".into() }).await, ErrorCode::Storage);
            assert_eq!(play.health().await.0, 503);
        }
        play.trouble.over(edge);
        play.it_recovers(why).await;
    }
}

/// DISK-3: the disk does not answer. Nothing is acknowledged meanwhile, `/healthz` turns red, and then everything is.
#[tokio::test]
async fn a_slow_disk_is_waited_for_and_told() {
    let trouble = Trouble::default();
    let faults = trouble.faults();
    let server = TestServer::alone(|config| {
        config.faults = faults;
        config.slow_commit = 1;
    })
    .await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    let health = async || server.http("GET", "/healthz", None, "").await.0;
    assert_eq!(health().await, 200);
    trouble.stall("store/sync");
    clients[0].send_text(&crate::client::message("slow", Action::Chat { text: "slow".into() })).await;
    while health().await == 200 {}
    let (_, text) = server.http("GET", "/healthz", None, "").await;
    assert!(!serde_json::from_str::<Health>(&text).unwrap().stores);
    clients[1].send_text(&crate::client::message("later", Action::Chat { text: "later".into() })).await;
    assert!(clients.iter().all(|c| !c.said("slow")));
    assert_eq!(trouble.struck("store/sync"), 1);
    trouble.over("store/sync");
    clients[0].answer("slow").await.unwrap();
    clients[1].answer("later").await.unwrap();
    clients[0].until("both lines", |c| c.said("slow") && c.said("later")).await;
    while health().await != 200 {}
}

/// STOP-1, DISK-3: a disk that never answers does not keep the server from ending.
#[tokio::test]
async fn a_disk_that_never_answers_does_not_hold_up_the_end() {
    let trouble = Trouble::default();
    let faults = trouble.faults();
    let server = TestServer::alone(|config| {
        config.faults = faults;
        config.stop_within = std::time::Duration::from_millis(100);
    })
    .await;
    let (_, mut clients) = server.seated("pig", quick(), &["Ann", "Ben"]).await;
    trouble.stall("store/sync");
    clients[0].send_text(&crate::client::message("never", Action::Chat { text: "never".into() })).await;
    while trouble.struck("store/sync") == 0 {
        tokio::task::yield_now().await;
    }
    let ended = tokio::time::timeout(std::time::Duration::from_secs(30), server.stop()).await;
    trouble.over("store/sync");
    assert!(ended.is_ok(), "it still waits");
}

fn moved(from: &Path, to: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let name = |path: &Path| std::path::PathBuf::from(format!("{}{ending}", path.display()));
        let _ = std::fs::rename(name(from), name(to));
    }
}

/// DISK-4: the database's files are moved away, and back.
#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_moved_away_and_back() {
    let mut play = begun().await;
    let (here, there) = (play.database(), play.server.data().path().join("elsewhere.db"));
    moved(&here, &there);
    play.everything_is_refused("the database is gone").await;
    moved(&there, &here);
    play.it_recovers("the database came back").await;
}

/// DISK-4: the whole folder is moved away, and back.
#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_is_moved_away_and_back() {
    let mut play = begun().await;
    let here = play.server.data().path().to_owned();
    let there = here.with_extension("away");
    std::fs::rename(&here, &there).unwrap();
    play.everything_is_refused("the folder is gone").await;
    std::fs::rename(&there, &here).unwrap();
    play.it_recovers("the folder came back").await;
}

/// A copy of the database as it is now, as a backup program makes it.
fn backup(database: &Path, copy: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.execute("VACUUM INTO ?", [copy.to_str().unwrap()]).unwrap();
}

/// DISK-5: the database is deleted, and a backup put in its place. Tables go on as the backup has them: nobody writes on in a log that
/// is another's.
#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_deleted_and_restored_from_a_backup() {
    for with_log in [true, false] {
        let mut play = begun().await;
        let copy = play.server.data().path().join("backup.db");
        backup(&play.database(), &copy);
        let kept = play.clients[0].view.clone();
        // What the backup does not have.
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
        play.everything_is_refused("the database is deleted").await;
        // Without its log of writes being deleted: that is the old one's, and must not be read with the new one.
        std::fs::rename(&copy, &database).unwrap();
        play.until_stored("restored").await;
        play.clients[0].until("it is as the backup has it", |c| c.view == kept && c.said("restored")).await;
        play.it_recovers("a backup was put in place").await;
    }
}

/// DISK-4: only the log of writes is deleted. What is in it is still open, and goes to the database first.
#[cfg(unix)]
#[tokio::test]
async fn a_log_of_writes_that_is_deleted_loses_nothing() {
    let mut play = begun().await;
    play.clients[0].act(Action::Chat { text: "in the log".into() }).await.unwrap();
    for ending in ["-wal", "-shm"] {
        std::fs::remove_file(format!("{}{ending}", play.database().display())).unwrap();
    }
    let clients = play.it_recovers("the log of writes was deleted").await;
    assert!(clients[0].said("in the log"));
}

/// DISK-2: somebody else has the database locked.
#[tokio::test]
async fn a_locked_database_is_told_and_recovers() {
    let mut play = begun().await;
    let other = rusqlite::Connection::open(play.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(play.clients[0].refused(Action::Chat { text: "x".into() }).await, ErrorCode::Storage);
    assert_eq!(play.health().await.0, 503);
    other.execute_batch("ROLLBACK").unwrap();
    play.it_recovers("the lock was released").await;
}
