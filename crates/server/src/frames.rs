//! WebSocket frames (RFC 6455), as much of it as a server of small text messages needs.
//!
//! Written here because a table is held by four sockets that are idle most of the time: whatever a socket keeps between two
//! messages is most of what the server needs memory for. An idle [`Decoder`] holds nothing, and a frame is made once for
//! everybody who is sent the same.

use sha1::{Digest, Sha1};
use smallvec::SmallVec;
use std::sync::Arc;

/// A frame as it goes out, to any number of clients.
pub type Framed = Arc<[u8]>;

/// What a client has sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    Text(String),
    Binary,
    /// To be answered with the same bytes.
    Ping(Vec<u8>),
    Pong,
    Close,
    /// More than a message may have.
    TooLarge,
    /// Not a frame a client may send. The connection can't go on.
    Broken,
}

/// Puts frames together from whatever arrives.
#[derive(Debug, Default)]
pub struct Decoder {
    /// Bytes of a frame that is not complete.
    pending: Vec<u8>,
    /// The message so far, if it comes in several frames, and whether it is text.
    message: Option<(bool, Vec<u8>)>,
}

/// Longest message a client may send.
const MOST: usize = baize_protocol::limits::FRAME_BYTES;

impl Decoder {
    pub fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The next message or control frame that is complete.
    pub fn next(&mut self) -> Option<Incoming> {
        loop {
            let frame = match self.frame() {
                Ok(frame) => frame?,
                Err(bad) => return Some(bad),
            };
            if self.pending.is_empty() {
                self.pending = Vec::new();
            }
            if let Some(incoming) = self.take(frame) {
                return Some(incoming);
            }
        }
    }

    /// Cuts one frame off, unmasked; none if it is not all there.
    fn frame(&mut self) -> Result<Option<Frame>, Incoming> {
        let [first, second, ..] = self.pending[..] else { return Ok(None) };
        let (last, kind, control) = (first & 0x80 != 0, first & 0x0f, first & 0x08 != 0);
        let short = usize::from(second & 0x7f);
        // Nothing was agreed on that would need the reserved bits, and a client always masks.
        if first & 0x70 != 0 || second & 0x80 == 0 || !matches!(kind, 0..=2 | 8..=10) {
            return Err(Incoming::Broken);
        }
        if control && (!last || short > 125) {
            return Err(Incoming::Broken);
        }
        let (head, length) = match short {
            126 => match self.pending.get(2..4) {
                Some(length) => (4, usize::from(u16::from_be_bytes([length[0], length[1]]))),
                None => return Ok(None),
            },
            127 => return Err(Incoming::TooLarge),
            short => (2, short),
        };
        let before = self.message.as_ref().map_or(0, |(_, message)| message.len());
        if !control && before + length > MOST {
            return Err(Incoming::TooLarge);
        }
        let Some(rest) = self.pending.get(head..head + 4 + length) else { return Ok(None) };
        let (mask, masked) = rest.split_at(4);
        let body = masked.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask).collect();
        self.pending.drain(..head + 4 + length);
        Ok(Some(Frame { last, kind, body }))
    }

    fn take(&mut self, frame: Frame) -> Option<Incoming> {
        let Frame { last, kind, body } = frame;
        match kind {
            8 => return Some(Incoming::Close),
            9 => return Some(Incoming::Ping(body)),
            10 => return Some(Incoming::Pong),
            // Goes on with what has not begun, or begins anew before the end.
            0 if self.message.is_none() => return Some(Incoming::Broken),
            1 | 2 if self.message.is_some() => return Some(Incoming::Broken),
            0 => {
                if let Some((_, message)) = &mut self.message {
                    message.extend(body);
                }
            }
            _ => self.message = Some((kind == 1, body)),
        }
        if !last {
            return None;
        }
        let (text, message) = self.message.take()?;
        Some(match text {
            true => String::from_utf8(message).map_or(Incoming::Broken, Incoming::Text),
            false => Incoming::Binary,
        })
    }
}

struct Frame {
    last: bool,
    kind: u8,
    body: Vec<u8>,
}

/// A text message as it goes out, the same for everyone: UTF-8, as JSON always is.
pub fn text(text: &[u8]) -> Framed {
    frame(1, text)
}

pub fn ping() -> Framed {
    Arc::new([0x89, 0])
}

pub fn pong(body: &[u8]) -> Framed {
    frame(10, body)
}

pub fn close(code: u16, reason: &str) -> Framed {
    frame(8, &[&code.to_be_bytes(), reason.as_bytes()].concat())
}

/// What [`text`] was made of.
pub fn said(frame: &Framed) -> Option<&str> {
    let head = match frame.get(1)? {
        126 => 4,
        127 => 10,
        _ => 2,
    };
    std::str::from_utf8(frame.get(head..)?).ok()
}

fn frame(kind: u8, body: &[u8]) -> Framed {
    // Most are short, and then need no other memory than what is sent.
    let mut out: SmallVec<[u8; 1024]> = SmallVec::new();
    out.push(0x80 | kind);
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

/// What a server answers to a client's `Sec-WebSocket-Key`, to show that it has understood.
pub fn accept(key: &str) -> String {
    let mut hash = Sha1::new();
    hash.update(key.as_bytes());
    hash.update(b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    base64(&hash.finalize())
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

    /// As a client sends it.
    fn sent(first: u8, body: &[u8]) -> Vec<u8> {
        let mask = [7, 99, 0, 255];
        let mut out = vec![first];
        match u8::try_from(body.len()) {
            Ok(short @ ..=125) => out.push(0x80 | short),
            _ => {
                out.push(0x80 | 126);
                out.extend((body.len() as u16).to_be_bytes());
            }
        }
        out.extend(mask);
        out.extend(body.iter().zip(mask.iter().cycle()).map(|(b, m)| b ^ m));
        out
    }

    fn decoded(bytes: &[u8], step: usize) -> Vec<Incoming> {
        let mut decoder = Decoder::default();
        let mut found = Vec::new();
        for some in bytes.chunks(step) {
            decoder.push(some);
            while let Some(incoming) = decoder.next() {
                let over = matches!(incoming, Incoming::Broken | Incoming::TooLarge);
                found.push(incoming);
                if over {
                    return found;
                }
            }
        }
        assert!(decoder.pending.capacity() == 0 || !decoder.pending.is_empty(), "an idle decoder holds nothing");
        found
    }

    #[test]
    fn frames_are_put_together_however_they_arrive() {
        let long = "ü".repeat(300);
        let bytes = [
            sent(0x81, b"hello"),
            sent(0x01, b"in "),
            sent(0x89, b"still there?"),
            sent(0x00, b"three "),
            sent(0x80, b"parts"),
            sent(0x81, long.as_bytes()),
            sent(0x82, b"\x00\xff"),
            sent(0x8a, b""),
            sent(0x88, b"\x03\xe8"),
        ]
        .concat();
        for step in [1, 2, 3, 7, 64, bytes.len()] {
            let expected = [
                Incoming::Text("hello".into()),
                Incoming::Ping(b"still there?".to_vec()),
                Incoming::Text("in three parts".into()),
                Incoming::Text(long.clone()),
                Incoming::Binary,
                Incoming::Pong,
                Incoming::Close,
            ];
            assert_eq!(decoded(&bytes, step), expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn what_no_client_may_send_is_told_apart() {
        let unmasked = [0x81, 1, b'a'];
        let big = sent(0x81, &[b'a'; MOST + 1]);
        let in_parts = [sent(0x01, &[b'a'; MOST]), sent(0x80, b"a")].concat();
        let huge = [0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0];
        for (bytes, what) in [
            (&unmasked[..], Incoming::Broken),
            (&sent(0xc1, b"reserved"), Incoming::Broken),
            (&sent(0x83, b"no such kind"), Incoming::Broken),
            (&sent(0x09, b"a control frame in parts"), Incoming::Broken),
            (&sent(0x80, b"goes on with nothing"), Incoming::Broken),
            (&[sent(0x01, b"one"), sent(0x81, b"another")].concat(), Incoming::Broken),
            (&sent(0x81, b"\xff\xfe"), Incoming::Broken),
            (&big, Incoming::TooLarge),
            (&in_parts, Incoming::TooLarge),
            (&huge, Incoming::TooLarge),
        ] {
            assert_eq!(decoded(bytes, bytes.len()).last(), Some(&what), "{:?}", &bytes[..3]);
        }
    }

    #[test]
    fn what_goes_out_can_be_read_again() {
        for length in [0, 125, 126, 65_535, 65_536] {
            let body = "a".repeat(length);
            assert_eq!(said(&text(body.as_bytes())), Some(&body[..]));
        }
        // The example of the standard.
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
