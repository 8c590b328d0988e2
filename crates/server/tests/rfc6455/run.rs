//! Runs the cases and prints the expected and the actual result of each.

use crate::cases::{self, Case, LARGEST, LIMIT};
use crate::raw::{ServerFrame, talk};
use crate::targets;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Runs every case and prints a table.
async fn run_all(target: &str, address: SocketAddr, cases: Vec<Case>, expected: impl Fn(&Case) -> Vec<ServerFrame>) {
    println!("\n{target}\n{:<10}{:<62}{:<44}{:<44}", "case", "what", "expected", "got");
    assert_complete(&cases);
    let (mut failed, count) = (Vec::new(), cases.len());
    // Cases that hold and all cases, by the suite's number of the group.
    let mut groups: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for case in cases {
        let (expected, got) = (expected(&case), talk(address, &case.pieces(), case.waits_for_answers()).await);
        let got: Vec<ServerFrame> = got.into_iter().map(|got| without_reason(got, &expected)).collect();
        let sign = if got == expected { "" } else { "✗" };
        println!("{:<10}{:<62.60}{:<44}{:<44}{sign}", case.id, case.about, short(&expected), short(&got));
        let group = case.id.split('.').next().and_then(|group| group.parse().ok()).unwrap_or(0);
        let (held, all) = groups.entry(group).or_default();
        *held += usize::from(got == expected);
        *all += 1;
        if got != expected {
            failed.push(case.id);
        }
    }
    for (group, (held, all)) in groups {
        println!("{target}, group {group}: {held} of {all} cases hold");
    }
    println!("{target}: {} of {count} cases hold", count - failed.len());
    assert!(failed.is_empty(), "{target}: {failed:?}");
}

/// A server may choose the reason of a close frame; only the status counts, unless a reason is expected.
fn without_reason(got: ServerFrame, expected: &[ServerFrame]) -> ServerFrame {
    match (&got, expected.last()) {
        (ServerFrame::Close(Some((status, _))), Some(ServerFrame::Close(Some((_, words))))) if words.is_empty() => {
            ServerFrame::Close(Some((*status, String::new())))
        }
        _ => got,
    }
}

/// A short form for the table.
fn short(got: &[ServerFrame]) -> String {
    let one = |got: &ServerFrame| match got {
        ServerFrame::Text(text) if text.len() > 24 => format!("text of {}", text.len()),
        ServerFrame::Text(text) => format!("{text:?}"),
        ServerFrame::Binary(bytes) => format!("binary of {}", bytes.len()),
        ServerFrame::Pong(bytes) => format!("pong of {}", bytes.len()),
        ServerFrame::Close(None) => "close".to_owned(),
        ServerFrame::Close(Some((status, words))) if words.len() > 9 => format!("close {status} and words"),
        ServerFrame::Close(Some((status, words))) => format!("close {status} {words}").trim_end().to_owned(),
        ServerFrame::Invalid(bytes) => format!("invalid bytes: {}", bytes.len()),
        ServerFrame::Reset => "reset".to_owned(),
    };
    match got {
        [first, .., last] if got.len() > 3 => format!("{}, … {} …, {}", one(first), got.len() - 2, one(last)),
        few => few.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// SOCK-1, SOCK-2: an echo server made of our frame layer, with the limit of the server.
#[tokio::test]
async fn the_frame_layer_passes_the_autobahn_cases() {
    let address = targets::echo::<LIMIT>().await;
    run_all("echo, 8 KiB", address, cases::all(LIMIT), |case| case.expected.clone()).await;
}

/// The suite's sizes, with a limit that they fit into.
#[tokio::test]
async fn the_frame_layer_passes_the_autobahn_cases_without_its_limit() {
    let address = targets::echo::<LARGEST>().await;
    run_all("echo, 16 MiB", address, cases::all(LARGEST), |case| case.expected.clone()).await;
}

/// SOCK-1, SOCK-2: the server itself. Its clock stands still, so no connection is closed by a timeout.
#[tokio::test]
async fn the_server_passes_the_autobahn_cases() {
    let data = tempfile::tempdir().unwrap();
    let address = targets::server(data.path()).await;
    run_all("server", address, cases::all(LIMIT), expected_of_server).await;
}

/// The server does not echo: text that is no message is refused, and binary messages end the connection.
fn expected_of_server(case: &Case) -> Vec<ServerFrame> {
    let mut expected = Vec::new();
    for got in &case.expected {
        expected.push(match got {
            ServerFrame::Text(_) => ServerFrame::Text(refusal()),
            ServerFrame::Binary(_) => {
                expected.push(ServerFrame::Close(Some((1003, String::new()))));
                break;
            }
            got => got.clone(),
        });
    }
    expected
}

fn refusal() -> String {
    let code = baize_protocol::ErrorCode::BadMessage;
    let refused = baize_protocol::Refused { request_id: None, error: code, text: code.text().to_owned(), line: None };
    serde_json::to_string(&baize_protocol::ServerMessage::Error(refused)).unwrap()
}

/// Number of cases in each group of the suite, without compression.
const SUITE: [(&str, usize); 9] =
    [("1", 16), ("2", 11), ("3", 7), ("4", 10), ("5", 20), ("6", 145), ("7", 37), ("9", 54), ("10", 1)];

/// Asserts that every number of the suite is there once.
fn assert_complete(cases: &[Case]) {
    let mut numbers: Vec<&str> = cases.iter().map(|case| &case.id[..]).filter(|id| !id.starts_with("RFC")).collect();
    for (group, count) in SUITE {
        let found = numbers.iter().filter(|id| id.split('.').next() == Some(group)).count();
        assert_eq!(found, count, "group {group}");
    }
    let count = numbers.len();
    assert_eq!(count, SUITE.iter().map(|(_, count)| count).sum::<usize>(), "a group that the suite does not have");
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count, "a number is there twice");
}

#[test]
fn every_case_of_the_suite_is_sent_once() {
    assert_complete(&cases::all(LIMIT));
}
