//! Tests `baize admin` with running servers.

use crate::client::Client;
use crate::process::Process;
use baize_protocol::{Action, ReportTarget, TableStatus};
use baize_test_servers::{Postgres, RedisServer};
use serde_json::Value;
use std::process::Command;

/// Runs `baize admin`. Returns whether it succeeded, and its output.
fn admin(place: &[&str], command: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_baize")).arg("admin").args(command).args(place).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.success(), printed)
}

fn done(place: &[&str], command: &[&str]) -> String {
    let (ok, printed) = admin(place, command);
    assert!(ok, "{command:?}: {printed}");
    printed
}

fn json(place: &[&str], command: &[&str]) -> Value {
    serde_json::from_str(&done(place, command)).unwrap()
}

/// Two people at a table with a running game.
async fn begun(processes: [&Process; 2]) -> (String, Vec<Client>) {
    let code = processes[0].table("pig", "Ann").await;
    let mut clients = Vec::new();
    for (process, name) in processes.into_iter().zip(["Ann", "Ben"]) {
        let mut client = Client::connect(process.address).await;
        client.join(&code, name).await.unwrap();
        client.act(Action::Nonce { nonce: name.into() }).await.unwrap();
        clients.push(client);
    }
    clients[0].act(Action::StartGame).await.unwrap();
    for client in &mut clients {
        client.until("it has begun", |c| c.view.is_some()).await;
    }
    (code, clients)
}

/// Runs all commands of an operator against a server on SQLite, or against several nodes on Postgres.
async fn looks_after(place: &[&str], processes: [&Process; 2]) {
    let (code, mut clients) = begun(processes).await;
    let pack = processes[0].http("POST", "/api/packs?name=Rude", "Ben", "deck,text\nanswer,Tea").await;
    let pack = serde_json::from_str::<Value>(&pack).unwrap()["packs"][0]["id"].as_str().unwrap().to_owned();
    clients[1].act(Action::Chat { text: "Go away\u{1b}[2J".into() }).await.unwrap();
    clients[0].until("it was said", |c| c.chat.iter().any(|line| line.text.starts_with("Go away"))).await;
    let n = clients[0].chat.iter().find(|line| line.text.starts_with("Go away")).unwrap().n;
    clients[0].act(Action::Report { about: ReportTarget::Line { n } }).await.unwrap();
    // Lists for people, and the same as JSON.
    assert!(done(place, &["tables", "list"]).contains(&code));
    assert!(done(place, &["tables", "show", &code]).contains("name: Ben"));
    let table = json(place, &["tables", "export", &code]);
    assert!(table["chat"].as_array().unwrap().iter().any(|line| line["from"] == "Ben"), "{table}");
    assert!(!table.to_string().contains("seed"), "{table}");
    let reports = done(place, &["reports", "list"]);
    assert!(reports.contains(&code) && reports.contains("Go away") && !reports.contains('\u{1b}'), "{reports}");
    let report = json(place, &["reports", "export"]);
    let ben = report["about"].as_str().unwrap().to_owned();
    assert!(done(place, &["reports", "show", &report["id"].to_string()]).contains("kind: line"));
    assert!(done(place, &["makers", "list"]).contains(&ben));
    assert!(done(place, &["makers", "show", &ben[..12]]).contains(&pack));
    assert_eq!(json(place, &["makers", "export", &ben])["tables"][0]["code"], code.as_str());
    assert!(done(place, &["packs", "list"]).contains(&pack));
    assert!(done(place, &["packs", "show", &pack]).contains("Tea"));
    assert_eq!(json(place, &["packs", "export", &pack])["pack"]["name"], "Rude");
    // Orders: close, delete, forget.
    done(place, &["packs", "delete", &pack]);
    assert!(!admin(place, &["packs", "show", &pack]).0);
    done(place, &["tables", "close", &code, "--reason", "Be kind."]);
    for client in &mut clients {
        client.until("it is over", |c| c.table().status == TableStatus::Ended && c.table().abandoned).await;
        assert!(client.has_chat_line("The people who run this server have closed this table: Be kind."));
    }
    done(place, &["reports", "delete", &report["id"].to_string()]);
    assert!(!admin(place, &["reports", "delete", &report["id"].to_string()]).0);
    done(place, &["makers", "delete", &ben]);
    let table = json(place, &["tables", "export", &code]);
    assert!(!table.to_string().contains("Ben") && table.to_string().contains("Somebody"), "{table}");
    done(place, &["tables", "delete", &code]);
    let (ok, printed) = admin(place, &["tables", "show", &code]);
    assert!(!ok && printed.contains("There is no table"), "{printed}");
    let (ok, printed) = admin(place, &["tables", "close", &code]);
    assert!(!ok && printed.contains("There is no table"), "{printed}");
}

#[tokio::test]
async fn an_operator_looks_after_a_server_on_sqlite() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    let place = ["--data", data.path().to_str().unwrap()];
    looks_after(&place, [&process, &process]).await;
}

#[tokio::test]
async fn an_operator_looks_after_several_nodes_on_postgres() {
    let (data, postgres, redis) =
        (tempfile::tempdir().unwrap(), Postgres::start().unwrap(), RedisServer::start().unwrap());
    let node = |name: &str| {
        let folder = data.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        Process::node(&folder, &postgres.url(), &redis.url(), name)
    };
    let (one, other) = (node("one"), node("other"));
    let url = postgres.url();
    looks_after(&["--database", &url], [&one, &other]).await;
}

/// A prefix of fewer than eight digits matches no maker, even if there is only one. The message repeats the prefix without
/// control characters.
#[tokio::test]
async fn an_operator_names_a_maker_by_eight_digits_at_least() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    let code = process.table("pig", "Ann").await;
    let place = ["--data", data.path().to_str().unwrap()];
    let maker = json(&place, &["tables", "export", &code])["people"][0]["maker"].as_str().unwrap().to_owned();
    for command in ["show", "export", "delete"] {
        for short in ["", &maker[..7], "zzzzzzzz"] {
            let (ok, printed) = admin(&place, &["makers", command, short]);
            assert!(!ok && printed.contains("at least the first 8 digits"), "{command} {short}: {printed}");
        }
    }
    assert!(done(&place, &["makers", "show", &maker[..8]]).contains(&code));
    for kind in ["tables", "packs"] {
        let (ok, printed) = admin(&place, &[kind, "show", "x\u{1b}]0;y\u{7}\u{202e}"]);
        assert!(!ok && !printed.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{printed:?}");
    }
}

/// An operator reads the log of a game that is over, and nothing of one that is under way.
#[tokio::test]
async fn an_operator_reads_the_log_of_a_game_that_is_over() {
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path());
    let place = ["--data", data.path().to_str().unwrap()];
    let (code, mut clients) = begun([&process, &process]).await;
    let (ok, printed) = admin(&place, &["tables", "log", &code]);
    assert!(!ok && printed.contains("under way") && !printed.contains("seed"), "{printed}");
    clients[0].act(Action::EndGame).await.unwrap();
    clients[0].until("it is over", |c| c.table().status == TableStatus::Ended).await;
    let printed = done(&place, &["tables", "log", &code]);
    let lines: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["game"], format!("{code}-1"));
    assert!(lines[0]["source"].as_str().unwrap().starts_with("game ") && lines[0]["void"] == false, "{}", lines[0]);
    assert_eq!(lines[0]["seed"].as_str().map(str::len), Some(64));
    let steps: Vec<String> = lines[1..].iter().map(|line| line["step"].to_string()).collect();
    assert!(steps.iter().any(|step| step.contains("Start")) && steps.last().unwrap().contains("Abandon"), "{steps:?}");
    // The next game is under way; the log of the first can be read all the same.
    clients[0].act(Action::Rematch).await.unwrap();
    clients[0].act(Action::StartGame).await.unwrap();
    clients[0].until("it has begun", |c| c.table().status == TableStatus::Playing).await;
    assert_eq!(done(&place, &["tables", "log", &code]), printed);
    let (ok, printed) = admin(&place, &["tables", "log", "nothing1"]);
    assert!(!ok && printed.contains("There is no table"), "{printed}");
}

/// Without a running server the command says that the order waits.
#[tokio::test]
async fn an_order_is_obeyed_when_a_server_starts() {
    let data = tempfile::tempdir().unwrap();
    let mut process = Process::start(data.path());
    let code = process.table("pig", "Ann").await;
    process.terminate();
    let place = ["--data", data.path().to_str().unwrap()];
    let (ok, printed) = admin(&place, &["tables", "delete", &code]);
    assert!(!ok && printed.contains("No server has carried it out yet"), "{printed}");
    let _process = Process::start(data.path());
    while admin(&place, &["tables", "show", &code]).0 {}
}

/// The command shows rows that it can't read as damaged. Regression: a damaged pack or report looked like an empty one, and the
/// command left out damaged chat lines and games.
#[tokio::test]
async fn an_operator_is_told_about_damaged_rows() {
    let data = tempfile::tempdir().unwrap();
    let place = ["--data", data.path().to_str().unwrap()];
    let mut process = Process::start(data.path());
    let (code, mut clients) = begun([&process, &process]).await;
    let pack = process.http("POST", "/api/packs?name=Rude", "Ben", "deck,text\nanswer,Tea").await;
    let pack = serde_json::from_str::<Value>(&pack).unwrap()["packs"][0]["id"].as_str().unwrap().to_owned();
    clients[1].act(Action::Chat { text: "Go away".into() }).await.unwrap();
    clients[0].until("it was said", |c| c.has_chat_line("Go away")).await;
    let n = clients[0].chat.iter().find(|line| line.text == "Go away").unwrap().n;
    clients[0].act(Action::Report { about: ReportTarget::Line { n } }).await.unwrap();
    process.terminate();
    let maker = json(&place, &["packs", "export", &pack])["maker"].as_str().unwrap().to_owned();
    let database = rusqlite::Connection::open(data.path().join("baize.db")).unwrap();
    database
        .execute_batch(
            "UPDATE packs SET info = X'7B'; UPDATE reports SET body = X'7B'; UPDATE chat SET body = X'7B';
             UPDATE games SET record = X'7B'; UPDATE tables SET record = X'7B';",
        )
        .unwrap();
    drop(database);
    for list in ["tables", "packs", "reports"] {
        let printed = done(&place, &[list, "list"]);
        assert!(printed.contains("damaged: "), "{list}: {printed}");
    }
    let table = json(&place, &["tables", "export", &code]);
    for part in ["/damaged", "/chat/0/damaged", "/games/0/damaged"] {
        assert!(table.pointer(part).is_some_and(Value::is_string), "{part}: {table}");
    }
    for part in ["/tables/0/damaged", "/packs/0/damaged"] {
        let shown = json(&place, &["makers", "export", &maker]);
        assert!(shown.pointer(part).is_some_and(Value::is_string), "{part}: {shown}");
    }
    assert!(json(&place, &["packs", "export", &pack])["damaged"].is_string());
}
