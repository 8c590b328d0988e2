//! WebSocket frames (RFC 6455), as far as a server of small messages needs them: no extensions, no outgoing fragments.
//!
//! This is our own code because a table has several sockets that are idle most of the time, and their state is most of
//! the server's memory. An idle [`Decoder`] holds nothing, and a frame is encoded once for all clients that get it.

mod decoder;

pub use decoder::Decoder;

use sha1::{Digest, Sha1};
use smallvec::SmallVec;
use std::sync::Arc;

/// An encoded frame, for any number of clients.
pub type FrameBytes = Arc<[u8]>;

/// A frame or message from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    Text(String),
    Binary(Vec<u8>),
    /// The server answers it with the same bytes.
    Ping(Vec<u8>),
    Pong,
    /// A close frame, possibly with a code and a reason. Further input is ignored.
    Close(Option<(u16, String)>),
    /// The connection has to be closed. Further input is ignored.
    Failed(FrameError),
}

/// Why a connection has to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// A frame that a client must not send, or not at this point.
    Protocol,
    /// Text that is not UTF-8.
    NotUtf8,
    /// More bytes than a message may have.
    TooLarge,
}

impl FrameError {
    /// The status code of the close frame that answers it (RFC 6455, 7.4.1).
    pub fn close_code(self) -> u16 {
        match self {
            FrameError::Protocol => PROTOCOL_ERROR,
            FrameError::NotUtf8 => 1007,
            FrameError::TooLarge => TOO_LARGE,
        }
    }
}

/// Status codes of close frames.
pub const PROTOCOL_ERROR: u16 = 1002;
/// The answer to binary messages: the server understands only text.
pub const NOT_UNDERSTOOD: u16 = 1003;
pub const TOO_LARGE: u16 = 1009;

/// Opcodes of the frames that a server sends (RFC 6455, 11.8).
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PONG: u8 = 10;

/// Decodes input that arrived in these pieces. A pure function, for tests and fuzzing.
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

/// Encodes a text message. The bytes are UTF-8, as JSON always is.
pub fn text(text: &[u8]) -> FrameBytes {
    frame(TEXT, text)
}

pub fn binary(body: &[u8]) -> FrameBytes {
    frame(BINARY, body)
}

pub fn ping() -> FrameBytes {
    Arc::new([0x89, 0])
}

pub fn pong(body: &[u8]) -> FrameBytes {
    frame(PONG, body)
}

pub fn close(code: u16, reason: &str) -> FrameBytes {
    frame(CLOSE, &[&code.to_be_bytes(), reason.as_bytes()].concat())
}

/// The answer to a close frame: the same code and reason.
pub fn close_again(close: &Option<(u16, String)>) -> FrameBytes {
    match close {
        Some((code, reason)) => super::frames::close(*code, reason),
        None => frame(CLOSE, b""),
    }
}

/// A frame from a server: final and not masked (RFC 6455, 5.2).
fn frame(opcode: u8, body: &[u8]) -> FrameBytes {
    // Most frames are short, and are then built without a further allocation.
    let mut out: SmallVec<[u8; 1024]> = SmallVec::new();
    out.push(0x80 | opcode);
    match (u8::try_from(body.len()), u16::try_from(body.len())) {
        (Ok(short @ ..=125), _) => out.push(short),
        (_, Ok(long)) => {
            out.push(126);
            out.extend_from_slice(&long.to_be_bytes());
        }
        _ => {
            out.push(127);
            out.extend_from_slice(&(body.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(body);
    Arc::from(&out[..])
}

/// Whether this is a `Sec-WebSocket-Key`: 16 bytes in base64.
pub fn is_key(key: &str) -> bool {
    let Some(digits) = key.strip_suffix("==") else { return false };
    // The last letter encodes two bits; its other four are zero.
    digits.len() == 22
        && digits.bytes().all(|letter| LETTERS.contains(&letter))
        && digits.ends_with(['A', 'Q', 'g', 'w'])
}

/// The value of `Sec-WebSocket-Accept`, which shows a client that the server has understood its key.
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
    fn the_handshake_matches_the_example_of_rfc_6455() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn a_frame_has_the_shortest_header_for_its_length() {
        for (length, header) in [
            (0, &[0x81, 0][..]),
            (125, &[0x81, 125]),
            (126, &[0x81, 126, 0, 126]),
            (65_535, &[0x81, 126, 0xff, 0xff]),
            (65_536, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let body = "a".repeat(length);
            let frame = text(body.as_bytes());
            assert_eq!(frame.split_at(header.len()), (header, body.as_bytes()), "{length}");
        }
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
