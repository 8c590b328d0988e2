//! Messages to clients, each encoded once, however many clients get it.

use crate::encode;
use baize_rows::Unwritable;
use serde::Serialize;
use smallvec::SmallVec;
use std::sync::Arc;

/// A message to clients: JSON text behind the header of a WebSocket text frame.
///
/// A server with thousands of sockets sends these bytes to each client without copying them. A shell without sockets reads the
/// [`json`](Payload::json) behind the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(Arc<[u8]>);

/// The opcode of a text message (RFC 6455, 11.8).
const TEXT: u8 = 1;

impl Payload {
    pub fn new(message: &impl Serialize) -> Result<Self, Unwritable> {
        encode::json("a message", message).map(|json| Payload::from_json(&json))
    }

    /// Makes a payload of JSON that is already encoded.
    pub fn from_json(json: &[u8]) -> Self {
        Payload(websocket_frame(TEXT, json))
    }

    /// The message without the frame's header.
    pub fn json(&self) -> Option<&str> {
        let header = match self.0.get(1)? {
            126 => 4,
            127 => 10,
            _ => 2,
        };
        std::str::from_utf8(self.0.get(header..)?).ok()
    }

    /// The whole frame.
    pub fn into_frame(self) -> Arc<[u8]> {
        self.0
    }
}

/// A frame from a server: final and not masked (RFC 6455, 5.2).
pub fn websocket_frame(opcode: u8, body: &[u8]) -> Arc<[u8]> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_of_any_length_is_read_back_from_its_frame() {
        for length in [0, 125, 126, 65_535, 65_536] {
            let body = "a".repeat(length);
            assert_eq!(Payload::from_json(body.as_bytes()).json(), Some(&body[..]));
        }
    }
}
