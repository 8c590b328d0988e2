//! Messages and links between nodes, for the fuzz targets.

use super::peer_link::PeerLink;
use super::peer_message::{Body, CompactLastSeen, PacketItem, PeerMessage};
use baize_protocol::LastSeen;

/// Reads a message and returns its kind, or none if the bytes are no message. Asserts that writing and reading it again
/// gives the same message.
pub fn peer_message_kind(bytes: &[u8]) -> Option<String> {
    let read = PeerMessage::read(bytes)?;
    let written = read.write().expect("a message can be written");
    let again = PeerMessage::read(&written).expect("a message of ours can be read");
    assert_eq!(format!("{read:?}"), format!("{again:?}"), "a message changes on the way");
    let kind = match &read.body {
        Body::Packet { items, .. } => {
            items.iter().take(3).map(|item| format!("{:?}", std::mem::discriminant(item))).collect()
        }
        other => format!("{:?}", std::mem::discriminant(other)),
    };
    Some(kind)
}

/// A link that accepts any bytes.
pub struct PeerInbox {
    link: PeerLink,
    now: u64,
}

impl Default for PeerInbox {
    fn default() -> Self {
        PeerInbox { link: PeerLink::new(1, 0), now: 0 }
    }
}

impl PeerInbox {
    pub fn take(&mut self, bytes: &[u8]) {
        let Some(message) = PeerMessage::read(bytes) else { return };
        self.now += 100;
        let _ = self.link.handle(message.received_up_to, message.body, self.now);
    }
}

/// One message of each kind.
pub fn peer_messages() -> Vec<Vec<u8>> {
    let last = CompactLastSeen::from(LastSeen { game: "abc-1".into(), seq: 4, seat: Some(1), chat: 2 });
    let items = vec![
        PacketItem::Join {
            client: 1,
            code: "abcdefgh".into(),
            request: "r".into(),
            member: [7; 32],
            name: Some("Ann".into()),
            watch: false,
            last: Some(last),
        },
        PacketItem::Act { client: 1, request: "r".into(), action: r#"{"type":"heartbeat"}"#.into() },
        PacketItem::Gone { client: 1 },
        PacketItem::Look { query: 3, code: "abcdefgh".into(), member: None },
        PacketItem::Joined { client: 1 },
        PacketItem::Released { client: 1 },
        PacketItem::Frame { clients: vec![1, 2], frame: vec![0x81, 0] },
        PacketItem::Close { client: 1, code: "server/closing".into() },
        PacketItem::Card { query: 3, card: Err("table/unknown".into()) },
    ];
    let bodies =
        [Body::Heartbeat { sent: 3 }, Body::Resend { from: 1 }, Body::End, Body::Packet { n: 1, items: items.clone() }];
    let single = items.into_iter().map(|item| Body::Packet { n: 2, items: vec![item] });
    let message =
        |body| PeerMessage { from: "node-a".into(), session: 9, to_table: true, received_up_to: 1, acked: 1, body };
    bodies
        .into_iter()
        .chain(single)
        .map(|body| message(body).write().expect("a message can be written").to_vec())
        .collect()
}
