//! Runs the cases and prints what was expected of each and what came.

use crate::cases::{self, Case, LIMIT};
use crate::raw::{Got, talk};
use crate::targets;
use std::net::SocketAddr;

/// Tries every case and prints a table.
async fn try_all(target: &str, address: SocketAddr, cases: Vec<Case>, expected: impl Fn(&Case) -> Vec<Got>) {
    println!("\n{target}\n{:<10}{:<62}{:<44}{:<44}", "case", "what", "expected", "got");
    let (mut failed, count) = (Vec::new(), cases.len());
    for case in cases {
        let (expected, got) = (expected(&case), talk(address, &case.bytes, case.piece).await);
        let got: Vec<Got> = got.into_iter().map(|got| without_words(got, &expected)).collect();
        let sign = if got == expected { "" } else { "✗" };
        println!("{:<10}{:<62.60}{:<44}{:<44}{sign}", case.id, case.about, short(&expected), short(&got));
        if got != expected {
            failed.push(case.id);
        }
    }
    println!("{target}: {} of {count} cases hold", count - failed.len());
    assert!(failed.is_empty(), "{target}: {failed:?}");
}

/// What a server says of a connection that fails is its own choice; only the status counts, unless words are expected.
fn without_words(got: Got, expected: &[Got]) -> Got {
    match (&got, expected.last()) {
        (Got::Close(Some((status, _))), Some(Got::Close(Some((_, words))))) if words.is_empty() => {
            Got::Close(Some((*status, String::new())))
        }
        _ => got,
    }
}

/// In a few words, for the table.
fn short(got: &[Got]) -> String {
    let one = |got: &Got| match got {
        Got::Text(text) if text.len() > 24 => format!("text of {}", text.len()),
        Got::Text(text) => format!("{text:?}"),
        Got::Binary(bytes) => format!("binary of {}", bytes.len()),
        Got::Pong(bytes) => format!("pong of {}", bytes.len()),
        Got::Close(None) => "close".to_owned(),
        Got::Close(Some((status, words))) if words.len() > 9 => format!("close {status} and words"),
        Got::Close(Some((status, words))) => format!("close {status} {words}").trim_end().to_owned(),
        Got::Nonsense(bytes) => format!("nonsense of {}", bytes.len()),
        Got::Cut => "cut".to_owned(),
    };
    match got {
        [first, .., last] if got.len() > 3 => format!("{}, … {} …, {}", one(first), got.len() - 2, one(last)),
        few => few.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

/// SOCK-1, SOCK-2: an echo made of our frame layer, with the limit of the server.
#[tokio::test]
async fn the_frame_layer_passes_the_autobahn_cases() {
    let address = targets::echo::<LIMIT>().await;
    try_all("echo, 8 KiB", address, cases::all(LIMIT), |case| case.expected.clone()).await;
}

/// The same with a limit that all cases fit into.
#[tokio::test]
async fn the_frame_layer_passes_the_autobahn_cases_without_its_limit() {
    const MOST: usize = 16 << 20;
    let address = targets::echo::<MOST>().await;
    try_all("echo, 16 MiB", address, cases::all(MOST), |case| case.expected.clone()).await;
}

/// SOCK-1, SOCK-2: the server itself. Its clock stands still, so a connection that is closed was not waited for.
#[tokio::test]
async fn the_server_passes_the_autobahn_cases() {
    let data = tempfile::tempdir().unwrap();
    let address = targets::server(data.path()).await;
    try_all("server", address, cases::all(LIMIT), by_the_server).await;
}

/// The server does not repeat what it hears: text that is no message is refused, binary messages end the connection.
fn by_the_server(case: &Case) -> Vec<Got> {
    let mut expected = Vec::new();
    for got in &case.expected {
        expected.push(match got {
            Got::Text(_) => Got::Text(refusal()),
            Got::Binary(_) => {
                expected.push(Got::Close(Some((1003, String::new()))));
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
