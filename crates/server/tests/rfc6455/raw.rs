//! A client that sends any bytes in any pieces, and reports what it receives.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Only a failed test waits this long.
const TEST_TIMEOUT: Duration = Duration::from_secs(20);

/// A frame from a server, or the way in which the connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerFrame {
    Text(String),
    Binary(Vec<u8>),
    Pong(Vec<u8>),
    /// Status and reason, if there are any.
    Close(Option<(u16, String)>),
    /// Bytes that are no valid frame of a server.
    Invalid(Vec<u8>),
    /// The connection was reset instead of closed.
    Reset,
}

/// A masked frame, as clients send it.
pub fn frame(last: bool, reserved: u8, opcode: u8, body: &[u8]) -> Vec<u8> {
    let mut out = head(last, reserved, opcode, body.len());
    let mask = [0x37, 0xfa, 0x21, 0x3d];
    out.extend(mask);
    out.extend(body.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    out
}

/// The part of a frame before its mask.
fn head(last: bool, reserved: u8, opcode: u8, length: usize) -> Vec<u8> {
    let mut out = vec![u8::from(last) << 7 | reserved << 4 | opcode];
    match length {
        ..=125 => out.push(0x80 | length as u8),
        126..=65_535 => {
            out.push(0x80 | 126);
            out.extend((length as u16).to_be_bytes());
        }
        _ => {
            out.push(0x80 | 127);
            out.extend((length as u64).to_be_bytes());
        }
    }
    out
}

/// The request for a WebSocket, with additional header lines.
pub fn request(address: SocketAddr, more: &str) -> String {
    format!(
        "GET /api/ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
    )
}

/// Sends a request and reads the head of its answer.
pub async fn ask(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8(head).unwrap()
}

/// Sends these pieces over a WebSocket, and reads until the server closes the connection. With `round_trips` each piece
/// waits for the answer to the one before it.
pub async fn talk(address: SocketAddr, pieces: &[Vec<u8>], round_trips: bool) -> Vec<ServerFrame> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let head = ask(&mut stream, &request(address, "")).await;
    assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
    let mut received = Vec::new();
    let read = tokio::time::timeout(TEST_TIMEOUT, async {
        match round_trips {
            true => take_turns(&mut stream, pieces, &mut received).await,
            false => send_and_read(stream, pieces, &mut received).await,
        }
    })
    .await;
    let mut got = parse(&received);
    match read {
        Ok(Ok(())) => {}
        Ok(Err(_)) => got.push(ServerFrame::Reset),
        Err(_) => panic!("the connection stays open after {got:?}"),
    }
    got
}

/// Reads while it sends.
async fn send_and_read(stream: TcpStream, pieces: &[Vec<u8>], received: &mut Vec<u8>) -> io::Result<()> {
    let (mut reading, mut writing) = stream.into_split();
    let write = async {
        for piece in pieces {
            // After the server has closed the connection, its answer can still be read.
            if writing.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
    };
    let ((), read) = tokio::join!(write, reading.read_to_end(received));
    read.map(|_| ())
}

/// Sends a piece, and reads a frame before it sends the next one. The last piece is a close frame, which also answers a
/// close frame of the server.
async fn take_turns(stream: &mut TcpStream, pieces: &[Vec<u8>], received: &mut Vec<u8>) -> io::Result<()> {
    let Some((close, messages)) = pieces.split_last() else { return Ok(()) };
    let mut at = 0;
    for message in messages {
        stream.write_all(message).await?;
        let opcode = loop {
            if let Some((opcode, _, rest)) = split_frame(&received[at..]) {
                at = received.len() - rest.len();
                break opcode;
            }
            if stream.read_buf(received).await? == 0 {
                return Ok(());
            }
        };
        if opcode == 8 {
            break;
        }
    }
    stream.write_all(close).await?;
    stream.read_to_end(received).await.map(|_| ())
}

/// Parses the bytes of a server.
fn parse(mut bytes: &[u8]) -> Vec<ServerFrame> {
    let mut got = Vec::new();
    while !bytes.is_empty() {
        let Some((opcode, body, rest)) = split_frame(bytes) else {
            got.push(ServerFrame::Invalid(bytes.to_vec()));
            break;
        };
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        got.push(match (opcode, body) {
            (1, _) => ServerFrame::Text(text(body)),
            (2, _) => ServerFrame::Binary(body.to_vec()),
            (10, _) => ServerFrame::Pong(body.to_vec()),
            (8, []) => ServerFrame::Close(None),
            (8, [high, low, reason @ ..]) => {
                ServerFrame::Close(Some((u16::from_be_bytes([*high, *low]), text(reason))))
            }
            _ => ServerFrame::Invalid(bytes.to_vec()),
        });
        bytes = rest;
    }
    got
}

/// Splits off a complete, unmasked and unfragmented frame: opcode, body, and the rest.
fn split_frame(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (head, length) = match *bytes.get(1)? {
        126 => (4, u64::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)),
        short => (2, u64::from(short)),
    };
    let end = head + usize::try_from(length).ok()?;
    (bytes[0] & 0xf0 == 0x80).then_some((bytes[0] & 0x0f, bytes.get(head..end)?, &bytes[end..]))
}
