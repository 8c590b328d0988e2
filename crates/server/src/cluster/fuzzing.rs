//! Letters and lines for the fuzz targets.

use super::letter::{Body, Item, Last, Letter};
use super::line::Line;
use baize_protocol::LastSeen;

/// Reads a letter; its kind, if it is one. It must be written and read back as the same letter.
pub fn letter(bytes: &[u8]) -> Option<String> {
    let read = Letter::read(bytes)?;
    let written = read.write().expect("a letter can be written");
    let again = Letter::read(&written).expect("a letter of ours is read");
    assert_eq!(format!("{read:?}"), format!("{again:?}"), "a letter changes on the way");
    let kind = match &read.body {
        Body::Parcel { items, .. } => {
            items.iter().take(3).map(|item| format!("{:?}", std::mem::discriminant(item))).collect()
        }
        other => format!("{:?}", std::mem::discriminant(other)),
    };
    Some(kind)
}

/// A line that takes whatever arrives.
pub struct Letterbox {
    line: Line,
    now: u64,
}

impl Default for Letterbox {
    fn default() -> Self {
        Letterbox { line: Line::new(1, 0), now: 0 }
    }
}

impl Letterbox {
    pub fn take(&mut self, bytes: &[u8]) {
        let Some(letter) = Letter::read(bytes) else { return };
        self.now += 100;
        let _ = self.line.arrived(letter.got, letter.body, self.now);
    }
}

/// A letter of each kind.
pub fn letters() -> Vec<Vec<u8>> {
    let last = Last::from(LastSeen { game: "abc-1".into(), seq: 4, seat: Some(1), chat: 2 });
    let items = vec![
        Item::Join {
            client: 1,
            code: "abcdefgh".into(),
            request: "r".into(),
            member: [7; 32],
            name: Some("Ann".into()),
            watch: false,
            last: Some(last),
        },
        Item::Act { client: 1, request: "r".into(), action: r#"{"type":"heartbeat"}"#.into() },
        Item::Gone { client: 1 },
        Item::Look { query: 3, code: "abcdefgh".into(), member: None },
        Item::Joined { client: 1 },
        Item::Frame { clients: vec![1, 2], frame: vec![0x81, 0] },
        Item::Close { client: 1, code: "server/closing".into() },
        Item::Card { query: 3, card: Err("table/unknown".into()) },
    ];
    let bodies =
        [Body::Beat { sent: 3 }, Body::Again { from: 1 }, Body::End, Body::Parcel { n: 1, items: items.clone() }];
    let single = items.into_iter().map(|item| Body::Parcel { n: 2, items: vec![item] });
    let letter = |body| Letter { from: "node-a".into(), session: 9, to_table: true, got: 1, confirmed: 1, body };
    bodies
        .into_iter()
        .chain(single)
        .map(|body| letter(body).write().expect("a letter can be written").to_vec())
        .collect()
}
