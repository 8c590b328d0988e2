//! WebSocket frames, which anybody who can connect may send.

use crate::target::{Execution, FuzzTarget};
use baize_protocol::limits::FRAME_BYTES;
use baize_server::frames::{Incoming, decode};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "frames",
    law: "Bytes that arrive in pieces give the same messages as the same bytes at once, and the decoder gives nothing after the end.",
    run,
    seeds,
    words: &["\u{1}", "~", "\u{7f}"],
    longest: 20 * 1024,
    tests: 300_000,
};

fn run(bytes: &[u8]) -> Execution {
    // The first byte of the input says where the stream is cut.
    let Some((cut, stream)) = bytes.split_first() else { return Execution::refused("nothing") };
    let at_once = decode(&[stream]);
    let pieces: Vec<&[u8]> = stream.chunks(usize::from(*cut).max(1)).collect();
    assert_eq!(at_once, decode(&pieces), "cut every {cut} bytes");
    for (at, incoming) in at_once.iter().enumerate() {
        match incoming {
            Incoming::Text(text) => assert!(text.len() <= FRAME_BYTES),
            Incoming::Binary(body) => assert!(body.len() <= FRAME_BYTES),
            Incoming::Ping(body) => assert!(body.len() <= 125),
            Incoming::Close(_) | Incoming::Failed(_) => {
                assert!(at + 1 == at_once.len(), "something comes after the end")
            }
            Incoming::Pong => {}
        }
    }
    let kinds: Vec<_> = at_once.iter().take(4).map(std::mem::discriminant).collect();
    match at_once.last() {
        None | Some(Incoming::Failed(_)) => Execution::refused((kinds, at_once.len().min(4))),
        _ => Execution::accepted((kinds, at_once.len().min(4))),
    }
}

/// Makes a frame as a client sends it.
fn frame(first: u8, body: &[u8]) -> Vec<u8> {
    let mask = [0x11, 0x22, 0x33, 0x44];
    let mut out = vec![first];
    match body.len() {
        short @ ..126 => out.push(0x80 | short as u8),
        long => {
            out.push(0x80 | 126);
            out.extend_from_slice(&(long as u16).to_be_bytes());
        }
    }
    out.extend_from_slice(&mask);
    out.extend(body.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    out
}

fn seeds() -> Vec<Vec<u8>> {
    let text = "Aé😀".as_bytes();
    let streams = [
        frame(0x81, b"{\"v\":3}"),
        frame(0x81, text),
        [frame(0x01, &text[..2]), frame(0x89, b"ping"), frame(0x80, &text[2..])].concat(),
        [frame(0x81, &[b'x'; 300]), frame(0x8a, b""), frame(0x82, b"\0\x01")].concat(),
        frame(0x81, &[b'x'; 8192]),
        frame(0x81, &[b'x'; 8193]),
        frame(0x88, &[0x03, 0xe8, b'b', b'y', b'e']),
        frame(0x88, &[0x03]),
        frame(0x81, &[0xff, 0xfe]),
        vec![0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, b'a'],
        vec![0x81, 0xfe, 0, 1, 1, 2, 3, 4, b'a'],
        vec![0xc1, 0x80, 0, 0, 0, 0],
        vec![0x81, 0x01, b'a'],
    ];
    streams.iter().enumerate().map(|(at, stream)| [&[at as u8 + 1], &stream[..]].concat()).collect()
}
