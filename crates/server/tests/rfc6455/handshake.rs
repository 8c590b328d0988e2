//! The handshake that turns a connection into a WebSocket.

use crate::raw::{ask, request};
use crate::targets;
use std::net::SocketAddr;
use tokio::net::TcpStream;

async fn answer(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    ask(&mut stream, request).await.to_ascii_lowercase()
}

/// SOCK-3: a request has to follow RFC 6455, 4.2.1. Earlier, any key was accepted, and a client of another version did
/// not learn ours.
#[tokio::test]
async fn a_handshake_has_to_follow_rfc_6455() {
    let data = tempfile::tempdir().unwrap();
    let address = targets::server(data.path()).await;
    let good = request(address, "");
    let host = format!("Host: {address}\r\n");
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    assert!(good.contains(&host) && good.contains(key));
    for (what, request, status) in [
        ("good", good.clone(), 101),
        ("more in the headers", good.replace("Connection: Upgrade", "Connection: keep-alive, upgrade"), 101),
        ("no key", good.replace(key, ""), 400),
        ("two keys", good.replace(key, &key.repeat(2)), 400),
        ("a key of 15 bytes", good.replace("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25j"), 400),
        ("a key that is no base64", good.replace("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25j!Q=="), 400),
        ("no host", good.replace(&host, ""), 400),
        ("two hosts", good.replace(&host, &host.repeat(2)), 400),
        ("no name of a host", good.replace(&host, "Host: a b\r\n"), 400),
        ("an empty host", good.replace(&host, "Host: \r\n"), 400),
        ("no upgrade", good.replace("Upgrade: websocket\r\n", ""), 400),
        ("another upgrade", good.replace("Upgrade: websocket", "Upgrade: h2c"), 400),
        ("no connection", good.replace("Connection: Upgrade", "Connection: close"), 400),
        ("no version", good.replace("Sec-WebSocket-Version: 13\r\n", ""), 400),
        ("version 8", good.replace("Version: 13", "Version: 8"), 426),
        ("several versions", good.replace("Version: 13", "Version: 13, 8"), 426),
        ("another method", good.replace("GET ", "POST "), 405),
        ("HTTP/1.0", good.replace("HTTP/1.1", "HTTP/1.0"), 400),
    ] {
        let answer = answer(address, &request).await;
        let got = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        assert_eq!(got, Some(status), "{what}: {answer}");
        assert_eq!(answer.contains("sec-websocket-version: 13\r\n"), status == 426, "{what}: {answer}");
        assert_eq!(answer.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n"), status == 101, "{what}");
    }
}

/// SOCK-3: cases 12 and 13 of the suite offer compression, which the server does not accept; nor does it choose a
/// subprotocol.
#[tokio::test]
async fn extensions_and_subprotocols_are_not_accepted() {
    let data = tempfile::tempdir().unwrap();
    let address = targets::server(data.path()).await;
    for offer in [
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n",
        "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover, x-webkit-deflate-frame\r\n",
        "Sec-WebSocket-Protocol: chat, superchat\r\n",
    ] {
        let answer = answer(address, &request(address, offer)).await;
        assert!(answer.starts_with("http/1.1 101 "), "{answer}");
        assert!(!answer.contains("sec-websocket-extensions") && !answer.contains("sec-websocket-protocol"), "{answer}");
    }
}
