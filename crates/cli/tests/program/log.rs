//! Tests the log that an operator reads.

use crate::client::request;
use crate::process::Process;
use serde_json::Value;

/// RELOAD-1: the log has a record of the address, of the end of the program, and of each game file with errors, at the start
/// and after a change.
#[tokio::test]
async fn the_log_has_records_of_start_end_and_broken_files() {
    let (data, games) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(games.path().join("first.baize"), "game \"First\"\nplayers 2..4\nnonsense\n").unwrap();
    let mut process = Process::with_games(data.path(), games.path(), &["--log", "json"]);
    std::fs::write(games.path().join("second.baize"), "nonsense\n").unwrap();
    let host = format!("Host: {}\r\n", process.address);
    let read =
        async { while request(process.address, "GET", "/api/games/second", &host, b"").await.unwrap().0 != 422 {} };
    tokio::time::timeout(std::time::Duration::from_secs(20), read).await.expect("the new file is read");
    process.terminate();
    let log = std::fs::read_to_string(data.path().join("log")).unwrap();
    let records: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect();
    let records_of =
        |message: &str| records.iter().filter(move |record| record["message"] == message).collect::<Vec<_>>();
    assert_eq!(records_of("listening")[0]["address"], process.address.to_string(), "{log}");
    let broken: Vec<_> = records_of("a game file has errors").iter().map(|record| record["file"].to_string()).collect();
    assert!(broken.len() == 2 && broken[0].contains("first.baize") && broken[1].contains("second.baize"), "{log}");
    assert!(records_of("a game file has errors")[0]["first"].as_str().unwrap().starts_with("line 3"), "{log}");
    assert_eq!((records_of("stopping").len(), records_of("stopped").len()), (1, 1), "{log}");
}
