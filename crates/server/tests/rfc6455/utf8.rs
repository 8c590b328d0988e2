//! Valid and invalid UTF-8: the sixth part of the Autobahn test suite.

use crate::cases::{Cases, first, last, middle, text, text_message};

/// The suite's word: its accented letter is U+1F79, which has three bytes, and not U+03CC, which has two.
pub const KOSME: &str = "κ\u{1f79}σμε";

pub fn cases(cases: &mut Cases) {
    cases.ok("6.1.1", "text without content", &[text("")], vec![text_message("")]);
    cases.ok("6.1.2", "three empty fragments", &[first(""), middle(""), last("")], vec![text_message("")]);
    let sent = [first(""), middle("middle frame payload"), last("")];
    cases.ok("6.1.3", "two empty fragments around one", &sent, vec![text_message("middle frame payload")]);

    let words = "Hello-µ@ßöäüàá-UTF-8!!";
    cases.ok("6.2.1", "text", &[text(words)], vec![text_message(words)]);
    let (head, tail) = words.split_at("Hello-µ@ßöä".len());
    cases.ok("6.2.2", "text in two fragments", &[first(head), last(tail)], vec![text_message(words)]);
    cases.ok("6.2.3", "text in fragments of one byte", &by_bytes(words.as_bytes()), vec![text_message(words)]);
    cases.ok("6.2.4", "the same, longer characters", &by_bytes(KOSME.as_bytes()), vec![text_message(KOSME)]);

    let bad = [KOSME.as_bytes(), b"\xed\xa0\x80edited"].concat();
    cases.fails("6.3.1", "a surrogate in the middle", &[text(&bad)], vec![], 1007);
    cases.fails("6.3.2", "the same in fragments of one byte", &by_bytes(&bad), vec![], 1007);

    // The error is reported as early as possible: after these bytes comes no further invalid byte, nor the end of the
    // message.
    let whole = [KOSME.as_bytes(), b"\xf4\x90\x80\x80edited"].concat();
    let parts = [[&whole[..11], &whole[11..15]], [&whole[..12], &whole[12..13]]];
    for (n, [good, bad]) in parts.into_iter().enumerate() {
        let about = "the second of three fragments, and then nothing";
        cases.fails(&format!("6.4.{}", n + 1), about, &[first(good), middle(bad)], vec![], 1007);
        let mut beginning = text(&whole);
        beginning.truncate(6 + good.len() + bad.len());
        let case =
            cases.fails(&format!("6.4.{}", n + 3), "a part of a frame, and then nothing", &[beginning], vec![], 1007);
        case.in_pieces_of(6 + good.len());
    }
    for (group, sequences) in groups() {
        for (n, (bytes, valid)) in sequences.into_iter().enumerate() {
            let (id, about) = (format!("6.{group}.{}", n + 1), format!("{:02x?}", &bytes[..bytes.len().min(12)]));
            match valid {
                true => cases.ok(&id, &about, &[text(&bytes)], vec![text_message(String::from_utf8(bytes).unwrap())]),
                false => cases.fails(&id, &about, &[text(&bytes)], vec![], 1007),
            };
        }
    }
}

fn by_bytes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let [begin, between @ .., end] = bytes else { panic!("too short") };
    let mut frames = vec![first([*begin])];
    frames.extend(between.iter().map(|byte| middle([*byte])));
    frames.push(last([*end]));
    frames
}

type Sequences = Vec<(Vec<u8>, bool)>;

fn all(valid: bool, sequences: &[&[u8]]) -> Sequences {
    sequences.iter().map(|bytes| (bytes.to_vec(), valid)).collect()
}

/// The sequences of Markus Kuhn's stress test, as the suite numbers them.
fn groups() -> Vec<(u32, Sequences)> {
    let incomplete: [&[u8]; 10] = [
        b"\xc0",
        b"\xe0\x80",
        b"\xf0\x80\x80",
        b"\xf8\x80\x80\x80",
        b"\xfc\x80\x80\x80\x80",
        b"\xdf",
        b"\xef\xbf",
        b"\xf7\xbf\xbf",
        b"\xfb\xbf\xbf\xbf",
        b"\xfd\xbf\xbf\xbf\xbf",
    ];
    // The suite leaves out the last byte of this range, and of the ranges below.
    let continuations: Vec<u8> = (0x80..0xbf).collect();
    let unexpected: Vec<Vec<u8>> =
        (1..=7).map(|count| b"\x80\xbf".iter().copied().cycle().take(count).collect()).chain([continuations]).collect();
    let lonely = |starts: std::ops::Range<u8>| starts.flat_map(|start| [start, b' ']).collect::<Vec<u8>>();
    let lonely = [lonely(0xc0..0xdf), lonely(0xe0..0xef), lonely(0xf0..0xf7), lonely(0xf8..0xfb), lonely(0xfc..0xfd)];
    let prefixes = (1..=KOSME.len()).map(|end| (KOSME.as_bytes()[..end].to_vec(), KOSME.is_char_boundary(end)));
    let character = |code: u32| (char::from_u32(code).unwrap().to_string().into_bytes(), true);
    let surrogates = [0xd800, 0xdb7f, 0xdb80, 0xdbff, 0xdc00, 0xdf80, 0xdfff];
    let pairs = [0xd800, 0xdb7f, 0xdb80, 0xdbff].into_iter().flat_map(|high| [(high, 0xdc00), (high, 0xdfff)]);
    vec![
        (
            5,
            all(
                true,
                &[
                    b"hello$world",
                    "hello¢world".as_bytes(),
                    "hello€world".as_bytes(),
                    "hello𤭢world".as_bytes(),
                    KOSME.as_bytes(),
                ],
            ),
        ),
        (6, prefixes.collect()),
        (7, all(true, &[b"\x00", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"])),
        (8, all(false, &[b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"])),
        (9, all(true, &[b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"])),
        (10, all(false, &[b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"])),
        (
            11,
            [
                all(true, &[b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf"]),
                all(false, &[b"\xf4\x90\x80\x80"]),
            ]
            .concat(),
        ),
        (12, unexpected.into_iter().map(|bytes| (bytes, false)).collect()),
        (13, lonely.into_iter().map(|bytes| (bytes, false)).collect()),
        (14, all(false, &incomplete)),
        (15, vec![(incomplete.concat(), false)]),
        (16, all(false, &[b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"])),
        (
            17,
            all(
                false,
                &[
                    b"\xc0\xaf",
                    b"\xe0\x80\xaf",
                    b"\xf0\x80\x80\xaf",
                    b"\xf8\x80\x80\x80\xaf",
                    b"\xfc\x80\x80\x80\x80\xaf",
                ],
            ),
        ),
        (
            18,
            all(
                false,
                &[
                    b"\xc1\xbf",
                    b"\xe0\x9f\xbf",
                    b"\xf0\x8f\xbf\xbf",
                    b"\xf8\x87\xbf\xbf\xbf",
                    b"\xfc\x83\xbf\xbf\xbf\xbf",
                ],
            ),
        ),
        (
            19,
            all(
                false,
                &[
                    b"\xc0\x80",
                    b"\xe0\x80\x80",
                    b"\xf0\x80\x80\x80",
                    b"\xf8\x80\x80\x80\x80",
                    b"\xfc\x80\x80\x80\x80\x80",
                ],
            ),
        ),
        (20, surrogates.into_iter().map(|code| (surrogate(code).to_vec(), false)).collect()),
        (21, pairs.map(|(high, low)| ([surrogate(high), surrogate(low)].concat(), false)).collect()),
        (22, (0..=16).flat_map(|plane| [character(plane << 16 | 0xfffe), character(plane << 16 | 0xffff)]).collect()),
        (23, (0xfff9..=0xffff).map(character).collect()),
    ]
}

/// A surrogate, encoded as if it were a character.
fn surrogate(code: u16) -> [u8; 3] {
    [0xe0 | (code >> 12) as u8, 0x80 | (code >> 6) as u8 & 0x3f, 0x80 | code as u8 & 0x3f]
}
