//! WebSocket frames (RFC 6455), as much of it as a server of small messages needs: no extensions, no fragments going out.
//!
//! Written here because a table is held by four sockets that are idle most of the time: whatever a socket keeps between two
//! messages is most of what the server needs memory for. An idle [`Decoder`] holds nothing, and a frame is made once for
//! everybody who is sent the same.

mod decoder;

pub use decoder::Decoder;

use baize_room::payload::websocket_frame;
use sha1::{Digest, Sha1};
use std::sync::Arc;

/// A frame as it goes out, to any number of clients.
pub type Framed = Arc<[u8]>;

/// What a client has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    Text(String),
    Binary(Vec<u8>),
    /// To be answered with the same bytes.
    Ping(Vec<u8>),
    Pong,
    /// The client has said goodbye, perhaps with a code and a reason. Nothing after it counts.
    Close(Option<(u16, String)>),
    /// The connection can't go on. Nothing after it counts.
    Failed(Failure),
}

/// Why a connection can't go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Not a frame that a client may send, or not at this point.
    Protocol,
    /// Text that is not UTF-8.
    NotUtf8,
    /// More than a message may have.
    TooLarge,
}

impl Failure {
    /// The status code of the close frame that answers it (RFC 6455, 7.4.1).
    pub fn close_code(self) -> u16 {
        match self {
            Failure::Protocol => PROTOCOL_ERROR,
            Failure::NotUtf8 => 1007,
            Failure::TooLarge => TOO_LARGE,
        }
    }
}

/// Status codes of close frames.
pub const PROTOCOL_ERROR: u16 = 1002;
/// Sent to who sends binary messages: the server understands text alone.
pub const NOT_UNDERSTOOD: u16 = 1003;
pub const TOO_LARGE: u16 = 1009;

/// Everything that a client says by these bytes, which arrived in these pieces. A pure function, for tests and fuzzing.
pub fn decode(pieces: &[&[u8]]) -> Vec<Incoming> {
    let mut decoder: Decoder = Decoder::default();
    let mut found = Vec::new();
    for piece in pieces {
        let mut rest = *piece;
        while let Some(incoming) = decoder.next(&mut rest) {
            found.push(incoming);
        }
    }
    found
}

/// A text message as it goes out, the same for everyone: UTF-8, as JSON always is.
pub fn text(text: &[u8]) -> Framed {
    websocket_frame(1, text)
}

pub fn binary(body: &[u8]) -> Framed {
    websocket_frame(2, body)
}

pub fn ping() -> Framed {
    Arc::new([0x89, 0])
}

pub fn pong(body: &[u8]) -> Framed {
    websocket_frame(10, body)
}

pub fn close(code: u16, reason: &str) -> Framed {
    websocket_frame(8, &[&code.to_be_bytes(), reason.as_bytes()].concat())
}

/// The answer to a close frame: the same again.
pub fn close_again(said: &Option<(u16, String)>) -> Framed {
    match said {
        Some((code, reason)) => close(*code, reason),
        None => websocket_frame(8, b""),
    }
}

/// Whether this is a `Sec-WebSocket-Key`: 16 bytes in base64.
pub fn is_key(key: &str) -> bool {
    let Some(letters) = key.strip_suffix("==") else { return false };
    // The last letter stands for two bits; the others of its six are zero.
    letters.len() == 22
        && letters.bytes().all(|letter| LETTERS.contains(&letter))
        && letters.ends_with(['A', 'Q', 'g', 'w'])
}

/// What a server answers to a client's `Sec-WebSocket-Key`, to show that it has understood.
pub fn accept(key: &str) -> String {
    let mut hash = Sha1::new();
    hash.update(key.as_bytes());
    hash.update(b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    base64(&hash.finalize())
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handshake_is_answered_as_in_the_example_of_the_standard() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn keys_are_sixteen_bytes_in_base64() {
        assert!(is_key("dGhlIHNhbXBsZSBub25jZQ=="));
        for bad in [
            "",
            "==",
            "dGhlIHNhbXBsZSBub25jZQ",
            "dGhlIHNhbXBsZSBub25jZR==",
            "dGhlIHNhbXBsZSBub25jZ===",
            "dGhl IHNhbXBsZSBub25jQ==",
            "dGhlIHNhbXBsZSBub25jZQ==dGhlIHNhbXBsZSBub25jZQ==",
        ] {
            assert!(!is_key(bad), "{bad:?}");
        }
    }
}
