//! The cases of the Autobahn test suite that apply to a server without compression (12 and 13 are in `handshake.rs`),
//! by their numbers, and some cases of the RFC that the suite does not have.
//!
//! A target with a limit of 16 MiB gets the suite's sizes. A target with the limit of the server gets the same cases in
//! sizes up to this limit; where a size or a fragment is larger, the expected result is the status for that. Every case
//! that the server survives ends with the client's close frame. `docs/performance.md` lists what differs from the suite.

use crate::raw::{ServerFrame, frame};
use crate::utf8;

/// The longest message that the server accepts.
pub const LIMIT: usize = baize_protocol::limits::FRAME_BYTES;

pub struct Case {
    pub id: String,
    pub about: String,
    frames: Vec<Vec<u8>>,
    cut: Cut,
    pub expected: Vec<ServerFrame>,
}

/// How much is sent at a time.
#[derive(Clone, Copy)]
enum Cut {
    Whole,
    Frames,
    /// One frame, and the next one when the answer has come.
    RoundTrips,
    Bytes(usize),
}

/// The largest message of the suite. A target with this limit gets the suite's sizes.
pub const LARGEST: usize = 16 << 20;

pub fn text(body: impl AsRef<[u8]>) -> Vec<u8> {
    frame(true, 0, 1, body.as_ref())
}

fn binary(body: &[u8]) -> Vec<u8> {
    frame(true, 0, 2, body)
}

fn ping(body: &[u8]) -> Vec<u8> {
    frame(true, 0, 9, body)
}

fn pong(body: &[u8]) -> Vec<u8> {
    frame(true, 0, 10, body)
}

pub fn first(body: impl AsRef<[u8]>) -> Vec<u8> {
    frame(false, 0, 1, body.as_ref())
}

pub fn middle(body: impl AsRef<[u8]>) -> Vec<u8> {
    frame(false, 0, 0, body.as_ref())
}

pub fn last(body: impl AsRef<[u8]>) -> Vec<u8> {
    frame(true, 0, 0, body.as_ref())
}

fn close(status: u16, reason: &[u8]) -> Vec<u8> {
    frame(true, 0, 8, &[&status.to_be_bytes(), reason].concat())
}

pub fn text_message(text: impl Into<String>) -> ServerFrame {
    ServerFrame::Text(text.into())
}

fn close_frame(status: u16) -> ServerFrame {
    ServerFrame::Close(Some((status, String::new())))
}

/// Collects cases.
pub struct Cases {
    all: Vec<Case>,
    limit: usize,
}

impl Cases {
    /// The connection survives these frames.
    pub fn ok(&mut self, id: &str, about: &str, sent: &[Vec<u8>], mut expected: Vec<ServerFrame>) -> &mut Case {
        expected.push(close_frame(1000));
        self.ends(id, about, &[sent, &[close(1000, b"")]].concat(), expected)
    }

    /// The server ends the connection with this status and ignores later frames.
    pub fn fails(
        &mut self,
        id: &str,
        about: &str,
        sent: &[Vec<u8>],
        mut expected: Vec<ServerFrame>,
        status: u16,
    ) -> &mut Case {
        expected.push(close_frame(status));
        self.ends(id, about, sent, expected)
    }

    fn ends(&mut self, id: &str, about: &str, sent: &[Vec<u8>], expected: Vec<ServerFrame>) -> &mut Case {
        let (id, about, frames) = (id.to_owned(), about.to_owned(), sent.to_vec());
        self.all.push(Case { id, about, frames, cut: Cut::Whole, expected });
        self.all.last_mut().unwrap()
    }

    /// Adds a message that the server echoes or refuses as too large.
    fn sized(&mut self, id: &str, about: &str, sent: &[Vec<u8>], echo: ServerFrame) -> &mut Case {
        let length = match &echo {
            ServerFrame::Text(text) => text.len(),
            ServerFrame::Binary(bytes) => bytes.len(),
            _ => 0,
        };
        match length <= self.limit {
            true => self.ok(id, about, sent, vec![echo]),
            false => self.fails(id, about, sent, vec![], 1009),
        }
    }
}

impl Case {
    pub fn in_pieces_of(&mut self, piece: usize) {
        self.cut = Cut::Bytes(piece);
    }

    fn by_frames(&mut self) {
        self.cut = Cut::Frames;
    }

    pub fn waits_for_answers(&self) -> bool {
        matches!(self.cut, Cut::RoundTrips)
    }

    /// Returns what is sent at a time.
    pub fn pieces(&self) -> Vec<Vec<u8>> {
        match self.cut {
            Cut::Whole => vec![self.frames.concat()],
            Cut::Frames | Cut::RoundTrips => self.frames.clone(),
            Cut::Bytes(piece) => self.frames.concat().chunks(piece).map(<[u8]>::to_vec).collect(),
        }
    }
}

pub fn all(limit: usize) -> Vec<Case> {
    let mut cases = Cases { all: Vec::new(), limit };
    framing(&mut cases);
    pings_and_pongs(&mut cases);
    reserved_bits(&mut cases);
    opcodes(&mut cases);
    fragments(&mut cases);
    utf8::cases(&mut cases);
    closing(&mut cases);
    limits(&mut cases);
    lengths_and_masks(&mut cases);
    cases.all
}

fn framing(cases: &mut Cases) {
    for (n, size) in [0, 125, 126, 127, 128, 65_535, 65_536, 65_536].into_iter().enumerate() {
        let (words, bytes) = ("*".repeat(size), vec![0xfe; size]);
        let piece = if n == 7 { 997 } else { usize::MAX };
        let (id, about) = (format!("1.1.{}", n + 1), format!("text of {size}"));
        cases.sized(&id, &about, &[text(&words)], text_message(words)).in_pieces_of(piece);
        let (id, about) = (format!("1.2.{}", n + 1), format!("binary message of {size}"));
        cases.sized(&id, &about, &[binary(&bytes)], ServerFrame::Binary(bytes)).in_pieces_of(piece);
    }
}

/// Bytes that are no text.
const ODD: &[u8] = b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff";

fn pings_and_pongs(cases: &mut Cases) {
    cases.ok("2.1", "ping without content", &[ping(b"")], vec![ServerFrame::Pong(vec![])]);
    cases.ok("2.2", "ping with text", &[ping(b"Hello, world!")], vec![ServerFrame::Pong(b"Hello, world!".to_vec())]);
    cases.ok("2.3", "ping with bytes that are no text", &[ping(ODD)], vec![ServerFrame::Pong(ODD.to_vec())]);
    cases.ok("2.4", "ping of 125", &[ping(&[0xfe; 125])], vec![ServerFrame::Pong(vec![0xfe; 125])]);
    cases.fails("2.5", "ping of 126", &[ping(&[0xfe; 126])], vec![], 1002);
    cases
        .ok("2.6", "ping of 125, byte by byte", &[ping(&[0xfe; 125])], vec![ServerFrame::Pong(vec![0xfe; 125])])
        .in_pieces_of(1);
    cases.ok("2.7", "pong nobody asked for", &[pong(b"")], vec![]);
    cases.ok("2.8", "the same with content", &[pong(b"unsolicited pong payload")], vec![]);
    let sent = [pong(b"unsolicited pong payload"), ping(b"ping payload")];
    cases.ok("2.9", "the same, then a ping", &sent, vec![ServerFrame::Pong(b"ping payload".to_vec())]);
    let ten: Vec<Vec<u8>> = (0..10).map(|n| format!("payload-{n}").into_bytes()).collect();
    let (pings, pongs): (Vec<_>, Vec<_>) = ten.iter().map(|body| (ping(body), ServerFrame::Pong(body.clone()))).unzip();
    cases.ok("2.10", "ten pings", &pings, pongs.clone());
    cases.ok("2.11", "ten pings, byte by byte", &pings, pongs).in_pieces_of(1);
}

fn reserved_bits(cases: &mut Cases) {
    let hello = || vec![text_message("Hello, world!")];
    cases.fails("3.1", "RSV 1", &[frame(true, 1, 1, b"Hello, world!")], vec![], 1002);
    for (n, reserved) in [(2, 2), (3, 3), (4, 4)] {
        let sent = [text("Hello, world!"), frame(true, reserved, 1, b"Hello, world!"), ping(b"")];
        let case = cases.fails(&format!("3.{n}"), &format!("text, RSV {reserved}, ping"), &sent, hello(), 1002);
        match n {
            3 => case.by_frames(),
            4 => case.in_pieces_of(1),
            _ => {}
        }
    }
    cases.fails("3.5", "binary message with RSV 5", &[frame(true, 5, 2, ODD)], vec![], 1002);
    // The suite describes a ping and sends a binary message.
    cases.fails("3.6", "binary message with RSV 6", &[frame(true, 6, 2, b"Hello, world!")], vec![], 1002);
    cases.fails("RFC 5.2", "ping with RSV 6", &[frame(true, 6, 9, b"Hello, world!")], vec![], 1002);
    cases.fails("3.7", "close frame with RSV 7", &[frame(true, 7, 8, b"")], vec![], 1002);
}

fn opcodes(cases: &mut Cases) {
    for (group, first) in [("4.1", 3), ("4.2", 11)] {
        for n in 0..5 {
            let (id, opcode) = (format!("{group}.{}", n + 1), first + n);
            let body: &[u8] = match n {
                0 | 2 => b"",
                1 => b"reserved opcode payload",
                _ => b"Hello, world!",
            };
            let about = format!("opcode {opcode}");
            match n {
                0 | 1 => cases.fails(&id, &about, &[frame(true, 0, opcode, body)], vec![], 1002),
                _ => {
                    let sent = [text("Hello, world!"), frame(true, 0, opcode, body), ping(b"")];
                    cases.fails(&id, &format!("text, {about}, ping"), &sent, vec![text_message("Hello, world!")], 1002)
                }
            }
            .in_pieces_of(if n == 4 { 1 } else { usize::MAX });
        }
    }
}

fn fragments(cases: &mut Cases) {
    let two = || [first("fragment1"), last("fragment2")];
    let both = || text_message("fragment1fragment2");
    cases.fails("5.1", "ping in two fragments", &[frame(false, 0, 9, b"fragment1"), last("fragment2")], vec![], 1002);
    cases.fails("5.2", "pong in two fragments", &[frame(false, 0, 10, b"fragment1"), last("fragment2")], vec![], 1002);
    let cuts = [("at once", Cut::Whole), ("by frames", Cut::Frames), ("byte by byte", Cut::Bytes(1))];
    for (id, (about, cut)) in ["5.3", "5.4", "5.5"].into_iter().zip(cuts) {
        cases.ok(id, &format!("text in two fragments, {about}"), &two(), vec![both()]).cut = cut;
    }
    for (id, (about, cut)) in ["5.6", "5.7", "5.8"].into_iter().zip(cuts) {
        let sent = [first("fragment1"), ping(b"ping payload"), last("fragment2")];
        let about = format!("ping between two fragments, {about}");
        cases.ok(id, &about, &sent, vec![ServerFrame::Pong(b"ping payload".to_vec()), both()]).cut = cut;
    }
    for (ids, about, continuation) in [
        (["5.9", "5.10", "5.11"], "last fragment of nothing, then text", last("non-continuation payload")),
        (["5.12", "5.13", "5.14"], "fragment of nothing, then text", middle("non-continuation payload")),
    ] {
        for (id, (_, cut)) in ids.into_iter().zip(cuts) {
            cases.fails(id, about, &[continuation.clone(), text("Hello, world!")], vec![], 1002).cut = cut;
        }
    }
    let sent = [first("fragment1"), last("fragment2"), middle("fragment3"), text("fragment4")];
    cases.fails("5.15", "text in two fragments, a fragment of nothing, text", &sent, vec![both()], 1002);
    for (id, about, nothing) in
        [("5.16", "fragment", middle("fragment1")), ("5.17", "last fragment", last("fragment1"))]
    {
        let sent = [nothing, first("fragment2"), last("fragment3")].concat().repeat(2);
        cases.fails(id, &format!("{about} of nothing, text in two fragments, twice"), &[sent], vec![], 1002);
    }
    cases.fails(
        "5.18",
        "text begins before the last has ended",
        &[first("fragment1"), text("fragment2")],
        vec![],
        1002,
    );
    let parts = [
        first("fragment1"),
        middle("fragment2"),
        ping(b"pongme 1!"),
        middle("fragment3"),
        ping(b"pongme 2!"),
        middle("fragment4"),
        last("fragment5"),
    ];
    let whole = || {
        let pong = |body: &[u8]| ServerFrame::Pong(body.to_vec());
        vec![pong(b"pongme 1!"), pong(b"pongme 2!"), text_message("fragment1fragment2fragment3fragment4fragment5")]
    };
    cases.ok("5.19", "text in five fragments with pings between, at once", &parts, whole());
    cases.ok("5.20", "the same, by frames", &parts, whole()).by_frames();
}

fn closing(cases: &mut Cases) {
    let bye = close(1000, b"");
    cases.ok("7.1.1", "message, close", &[text("Hello World!")], vec![text_message("Hello World!")]);
    cases.ends("7.1.2", "two close frames", &[bye.clone(), frame(true, 0, 8, b"")], vec![close_frame(1000)]);
    cases.ends("7.1.3", "ping after close", &[bye.clone(), ping(b"")], vec![close_frame(1000)]);
    cases.ends("7.1.4", "text after close", &[bye.clone(), text("Hello World!")], vec![close_frame(1000)]);
    let sent = [first("fragment1"), bye.clone(), last("fragment2")];
    cases.ends("7.1.5", "close between two fragments", &sent, vec![close_frame(1000)]);
    let (large, hello) = (repeated(TEXT, 256 << 10), "Hello World!");
    let large = String::from_utf8(large).unwrap();
    let sent = [text(&large), text(hello), bye.clone(), ping(b"")];
    let about = "text of 256 KiB, text, close, ping";
    match large.len() <= cases.limit {
        true => {
            cases.ends("7.1.6", about, &sent, vec![text_message(large), text_message(hello), close_frame(1000)]);
        }
        false => {
            cases.fails("7.1.6", about, &sent, vec![], 1009);
        }
    }
    cases.ends("7.3.1", "close without content", &[frame(true, 0, 8, b"")], vec![ServerFrame::Close(None)]);
    cases.fails("7.3.2", "close with one byte", &[frame(true, 0, 8, b"a")], vec![], 1002);
    cases.ends("7.3.3", "close with a status", &[bye], vec![close_frame(1000)]);
    let words = |reason: &str| ServerFrame::Close(Some((1000, reason.to_owned())));
    cases.ends("7.3.4", "close with a reason", &[close(1000, b"Hello World!")], vec![words("Hello World!")]);
    let longest = "*".repeat(123);
    cases.ends("7.3.5", "close with the longest reason", &[close(1000, longest.as_bytes())], vec![words(&longest)]);
    cases.fails("7.3.6", "close with a reason too long", &[close(1000, &[b'*'; 124])], vec![], 1002);
    let reason = utf8::KOSME.bytes().chain(*b"\xed\xa0\x80edited").collect::<Vec<u8>>();
    cases.fails("7.5.1", "close with a reason that is no text", &[close(1000, &reason)], vec![], 1007);
    let valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
    for (n, status) in valid.into_iter().enumerate() {
        let about = format!("close with status {status}");
        cases.ends(&format!("7.7.{}", n + 1), &about, &[close(status, b"")], vec![close_frame(status)]);
    }
    for (n, status) in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].into_iter().enumerate() {
        let about = format!("close with status {status}");
        cases.fails(&format!("7.9.{}", n + 1), &about, &[close(status, b"")], vec![], 1002);
    }
    for (n, status) in [5000, 65_535].into_iter().enumerate() {
        let about = format!("close with status {status}");
        cases.fails(&format!("7.13.{}", n + 1), &about, &[close(status, b"")], vec![], 1002);
    }
}

/// The contents of large messages, as the suite repeats them.
const TEXT: &[u8] = b"BAsd7&jh23";
const BINARY: &[u8] = b"\x00\xfe\x23\xfa\xf0";

fn repeated(pattern: &[u8], length: usize) -> Vec<u8> {
    pattern.iter().copied().cycle().take(length).collect()
}

/// Sizes of the group 9: those of the suite, or sizes up to a smaller limit.
struct Sizes {
    /// Messages in one frame.
    whole: [usize; 6],
    /// Messages in fragments, for each size of a fragment.
    fragmented: [usize; FRAGMENTS.len()],
    /// Messages whose frame is sent piece by piece.
    cut: usize,
    /// The message in fragments of 1,300 bytes.
    automatic: usize,
}

/// The sizes of fragments, from 64 bytes to 4 MiB.
const FRAGMENTS: [usize; 9] = [64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];

fn sizes(limit: usize) -> Sizes {
    match limit {
        LARGEST => Sizes {
            whole: [64 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, LARGEST],
            fragmented: [4 << 20; FRAGMENTS.len()],
            cut: 1 << 20,
            automatic: 65_536,
        },
        // A fragment of more than the limit is part of a message of the suite's size.
        _ => Sizes {
            whole: [limit / 4, limit / 2, limit - 1, limit, limit + 1, 65_536],
            fragmented: FRAGMENTS.map(|fragment| if fragment <= limit { limit } else { 4 << 20 }),
            cut: limit,
            automatic: limit,
        },
    }
}

/// How many messages the cases 9.7 and 9.8 send.
const MANY: usize = 1_000;

fn limits(cases: &mut Cases) {
    let sizes = sizes(cases.limit);
    let words = |length| String::from_utf8(repeated(TEXT, length)).unwrap();
    for (n, size) in sizes.whole.into_iter().enumerate() {
        let (id, about) = (format!("9.1.{}", n + 1), format!("text of {size}"));
        cases.sized(&id, &about, &[text(words(size))], text_message(words(size)));
        let (id, about, bytes) =
            (format!("9.2.{}", n + 1), format!("binary message of {size}"), repeated(BINARY, size));
        cases.sized(&id, &about, &[binary(&bytes)], ServerFrame::Binary(bytes));
    }
    for (n, (fragment, size)) in FRAGMENTS.into_iter().zip(sizes.fragmented).enumerate() {
        in_fragments_of(cases, &format!("{}", n + 1), fragment, size);
    }
    for (n, piece) in [64, 128, 256, 512, 1024, 2048].into_iter().enumerate() {
        let (words, about) = (words(sizes.cut), format!("{} in pieces of {piece}", sizes.cut));
        cases.sized(&format!("9.5.{}", n + 1), &about, &[text(&words)], text_message(words)).in_pieces_of(piece);
        let bytes = repeated(BINARY, sizes.cut);
        let case = cases.sized(&format!("9.6.{}", n + 1), &about, &[binary(&bytes)], ServerFrame::Binary(bytes));
        case.in_pieces_of(piece);
    }
    for (n, size) in [0, 16, 64, 256, 1024, 4096].into_iter().enumerate() {
        let (words, about) = ("*".repeat(size), format!("{MANY} messages of {size}, one after the other"));
        let echoes = vec![text_message(&words); MANY];
        cases.ok(&format!("9.7.{}", n + 1), &about, &vec![text(&words); MANY], echoes).cut = Cut::RoundTrips;
        let bytes = vec![0xfe; size];
        let echoes = vec![ServerFrame::Binary(bytes.clone()); MANY];
        cases.ok(&format!("9.8.{}", n + 1), &about, &vec![binary(&bytes); MANY], echoes).cut = Cut::RoundTrips;
    }
    let words = "*".repeat(sizes.automatic);
    let parts = in_fragments(1, words.as_bytes(), 1300);
    cases.sized("10.1.1", "fragments of 1300, as some clients make them", &parts, text_message(words));
}

/// Adds the cases 9.3 and 9.4 with this number: a message of one size in fragments of another.
fn in_fragments_of(cases: &mut Cases, number: &str, fragment: usize, size: usize) {
    let (words, about) = ("*".repeat(size), format!("{size} in fragments of {fragment}"));
    let parts = in_fragments(1, words.as_bytes(), fragment);
    cases.sized(&format!("9.3.{number}"), &about, &parts, text_message(words));
    let bytes = vec![0xfe; size];
    let parts = in_fragments(2, &bytes, fragment);
    cases.sized(&format!("9.4.{number}"), &about, &parts, ServerFrame::Binary(bytes));
}

fn in_fragments(opcode: u8, body: &[u8], size: usize) -> Vec<Vec<u8>> {
    let count = body.len().div_ceil(size);
    let opcodes = std::iter::once(opcode).chain(std::iter::repeat(0));
    let parts = body.chunks(size).zip(opcodes).enumerate();
    parts.map(|(n, (part, opcode))| frame(n + 1 == count, 0, opcode, part)).collect()
}

/// Rules of the RFC that the suite does not test, and fragments that are together one byte more than the server's limit.
fn lengths_and_masks(cases: &mut Cases) {
    let words = "*".repeat(LIMIT + 1);
    for fragment in [64, 256, 1024, 4096] {
        let about = format!("{} in fragments of {fragment}", words.len());
        let (parts, echo) = (in_fragments(1, words.as_bytes(), fragment), text_message(&words));
        cases.sized("RFC 10.4", &format!("text of {about}"), &parts, echo);
        let (parts, echo) = (in_fragments(2, words.as_bytes(), fragment), words.clone().into_bytes());
        cases.sized("RFC 10.4", &format!("binary message of {about}"), &parts, ServerFrame::Binary(echo));
    }
    let unmasked = vec![0x81, 5, b'H', b'e', b'l', b'l', b'o'];
    cases.fails("RFC 5.1", "a frame without a mask", &[unmasked], vec![], 1002);
    for (about, head, status) in [
        ("two bytes for a length of 5", &[0x81, 0xfe, 0, 5][..], 1002),
        ("two bytes for a length of 125", &[0x81, 0xfe, 0, 125], 1002),
        ("eight bytes for a length of 5", &[0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 5], 1002),
        ("eight bytes for a length of 65535", &[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 1002),
        ("a length with the highest bit set", &[0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
        ("the longest length", &[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1009),
        ("a ping with a long length", &[0x89, 0xff, 0, 0, 0, 0, 0, 1, 0, 0], 1002),
    ] {
        cases.fails("RFC 5.2", about, &[head.to_vec()], vec![], status);
    }
    let sent = [binary(b""), middle("x")];
    cases.fails("RFC 5.4", "a fragment of a message that has ended", &sent, vec![ServerFrame::Binary(vec![])], 1002);
    for status in [1012, 1013, 1014] {
        let about = format!("close with status {status}, registered later");
        cases.ends("RFC 7.4", &about, &[close(status, b"")], vec![close_frame(status)]);
    }
    cases.fails("RFC 7.4", "close with status 1015, which is never sent", &[close(1015, b"")], vec![], 1002);
}
