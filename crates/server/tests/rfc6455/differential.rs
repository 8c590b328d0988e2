//! Our decoder against that of tungstenite: both must read the same from random frames that are cut at random places.

use crate::raw::frame;
use baize_engine::chance::{Chance, FastChance};
use baize_protocol::limits::FRAME_BYTES;
use baize_server::frames::{FrameError, Incoming, decode};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket};

/// Streams per run; `BAIZE_STREAMS=1000000 cargo test -p baize-server --test rfc6455 differential` runs more.
const STREAMS: u64 = 20_000;

/// Input that arrives piece by piece; output is discarded.
struct Pieces(VecDeque<Vec<u8>>);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(mut piece) = self.0.pop_front() else { return Err(ErrorKind::WouldBlock.into()) };
        let count = piece.len().min(buffer.len());
        buffer[..count].copy_from_slice(&piece[..count]);
        let rest = piece.split_off(count);
        if !rest.is_empty() {
            self.0.push_front(rest);
        }
        Ok(count)
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Everything that tungstenite reads from these pieces, as our type.
fn decode_with_tungstenite(pieces: &[&[u8]]) -> Vec<Incoming> {
    let config = WebSocketConfig::default().max_message_size(Some(FRAME_BYTES)).max_frame_size(Some(FRAME_BYTES));
    let stream = Pieces(pieces.iter().map(|piece| piece.to_vec()).collect());
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let mut found = Vec::new();
    loop {
        found.push(match socket.read() {
            Ok(Message::Text(text)) => Incoming::Text(text.to_string()),
            Ok(Message::Binary(bytes)) => Incoming::Binary(bytes.to_vec()),
            Ok(Message::Ping(bytes)) => Incoming::Ping(bytes.to_vec()),
            Ok(Message::Pong(_)) => Incoming::Pong,
            Ok(Message::Close(None)) => Incoming::Close(None),
            // Tungstenite reports a forbidden status by this answer.
            Ok(Message::Close(Some(said))) if said.reason.as_str() == "Protocol violation" => {
                Incoming::Failed(FrameError::Protocol)
            }
            Ok(Message::Close(Some(said))) => Incoming::Close(Some((said.code.into(), said.reason.to_string()))),
            Ok(Message::Frame(_)) => continue,
            Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => return found,
            Err(Error::Capacity(_)) => Incoming::Failed(FrameError::TooLarge),
            Err(Error::Utf8(_)) => Incoming::Failed(FrameError::NotUtf8),
            Err(Error::Protocol(_)) => Incoming::Failed(FrameError::Protocol),
            Err(error) => panic!("{error}"),
        });
        if matches!(found.last(), Some(Incoming::Close(_) | Incoming::Failed(_))) {
            return found;
        }
    }
}

/// Frames as a client might send them, most of them valid. Cases in which the RFC leaves a choice are left out: which
/// of two errors of a frame is reported, and what becomes of an incomplete frame.
fn stream(chance: &mut FastChance) -> Vec<u8> {
    let mut out = Vec::new();
    let mut open = false;
    for _ in 0..1 + chance.below(10) {
        let odd = chance.below(12) == 0;
        let opcode = match chance.below(10) {
            0 => 9,
            1 => 10,
            2 if chance.below(4) == 0 => 8,
            _ if odd => chance.below(16) as u8,
            _ if open => 0,
            _ => 1 + chance.below(2) as u8,
        };
        let last = opcode >= 8 || chance.below(2) == 0;
        let reserved = if odd && chance.below(3) == 0 { chance.below(8) as u8 } else { 0 };
        let expected = match opcode {
            0 => open,
            1 | 2 => !open,
            _ => false,
        };
        // A frame is too long only if everything else in it is valid.
        let most = match expected && reserved == 0 {
            true if chance.below(8) == 0 => FRAME_BYTES as u32 + 2,
            true => 300,
            false => 125,
        };
        let body = match opcode {
            8 => close_body(chance),
            _ => {
                let length = chance_length(most, chance);
                body(chance, length)
            }
        };
        let mut frame = frame(last, reserved, opcode, &body);
        if odd && chance.below(6) == 0 && body.len() <= 125 {
            // Clears the mask bit and removes the four bytes of the mask.
            frame[1] &= 0x7f;
            frame.drain(2..6);
        }
        out.extend(frame);
        if opcode < 8 {
            open = !last;
        }
    }
    out
}

fn chance_length(most: u32, chance: &mut FastChance) -> usize {
    // Lengths at a boundary are tried more often.
    match chance.below(4) {
        0 => most as usize - chance.below(3.min(most)) as usize,
        1 => chance.below(4) as usize,
        _ => chance.below(most + 1) as usize,
    }
}

/// Returns text that may be cut or damaged.
fn body(chance: &mut FastChance, length: usize) -> Vec<u8> {
    let characters = ["a", "ß", "€", "𤭢", "\u{ffff}"];
    let mut body = Vec::new();
    while body.len() < length {
        body.extend(characters[chance.below(5) as usize].bytes());
    }
    body.truncate(length);
    if chance.below(8) == 0 && length > 0 {
        body[chance.below(length as u32) as usize] = chance.below(256) as u8;
    }
    body
}

fn close_body(chance: &mut FastChance) -> Vec<u8> {
    let codes = [0, 999, 1000, 1001, 1005, 1006, 1007, 1011, 1015, 2999, 3000, 4999, 5000];
    match chance.below(6) {
        0 => Vec::new(),
        1 => vec![3],
        _ => {
            let code: u16 = codes[chance.below(codes.len() as u32) as usize];
            let length = chance.below(124) as usize;
            let reason = match code {
                1000..=1003 | 1007..=1011 | 3000..=4999 => body(chance, length),
                _ => vec![b'a'; length],
            };
            [&code.to_be_bytes()[..], &reason].concat()
        }
    }
}

/// SOCK-1: input in any pieces gives the same result as with another decoder.
#[test]
fn both_decoders_read_the_same() {
    let streams = std::env::var("BAIZE_STREAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(STREAMS);
    let (mut items, mut failures) = (0, [0; 3]);
    for seed in 0..streams {
        let mut chance = FastChance::new(seed);
        let bytes = stream(&mut chance);
        let mut pieces = Vec::new();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let most = if chance.below(2) == 0 { 8 } else { rest.len() as u32 };
            let (piece, more) = rest.split_at((1 + chance.below(most) as usize).min(rest.len()));
            pieces.push(piece);
            rest = more;
        }
        let ours = decode(&pieces);
        assert_eq!(ours, decode_with_tungstenite(&pieces), "seed {seed}");
        assert_eq!(ours, decode(&[&bytes]), "seed {seed}, at once");
        items += ours.len();
        if let Some(Incoming::Failed(failure)) = ours.last() {
            failures[*failure as usize] += 1;
        }
    }
    println!("{streams} streams, {items} items; failures of protocol, text, size: {failures:?}");
    assert!(failures.into_iter().all(|count| count > streams / 100), "every failure is tried: {failures:?}");
}
