//! A link between two nodes: numbered packets over a transport that may lose, repeat and reorder them.
//!
//! Each side keeps the packets that the other has not acknowledged and sends them again on request. The link ends if a
//! requested packet is no longer kept or if the other side is silent for too long. Then the sockets that were served
//! over the link are closed, and their clients come back with the last `seq` they have. Nothing here sends, waits or
//! reads a clock.

use super::peer_message::{Body, PacketItem, PeerMessage};
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};

/// How often each side sends a heartbeat, in milliseconds.
pub const HEARTBEAT: u64 = 400;
/// A link ends after this many milliseconds without any message.
const SILENCE_LIMIT: u64 = 3_000;
/// Missing packets are requested at most once in this many milliseconds.
const RESEND_EVERY: u64 = 150;
/// Upper bound on the bytes of unacknowledged packets; a link with more ends.
const MAX_UNACKED_BYTES: usize = 16 << 20;
/// Upper bound on packets kept behind a missing one. The sender reaches its own bound, in bytes, long before.
const MAX_OUT_OF_ORDER: usize = 1 << 16;

#[derive(Debug)]
pub struct PeerLink {
    pub session: u64,
    /// Number of the last packet sent.
    sent: u64,
    /// The other side has all packets up to this number.
    acked: u64,
    /// Encoded messages with the packets after `acked`, by packet number.
    unacked: VecDeque<(u64, Bytes)>,
    unacked_bytes: usize,
    /// All packets up to this number have arrived.
    received_up_to: u64,
    /// Packets that arrived before one that is still missing.
    out_of_order: BTreeMap<u64, Vec<PacketItem>>,
    heard_at: u64,
    resend_requested_at: u64,
    /// False until the first message has arrived.
    pub has_heard: bool,
}

/// The link can't continue.
#[derive(Debug, PartialEq, Eq)]
pub struct LinkEnded;

/// The result of one message.
#[derive(Debug, Default)]
pub struct Received {
    /// The items in the order in which they were sent, each exactly once.
    pub items: Vec<PacketItem>,
    pub reply: Option<Body>,
    /// Encoded messages to send again unchanged.
    pub resend: Vec<Bytes>,
}

impl PeerLink {
    pub fn new(session: u64, now: u64) -> Self {
        PeerLink {
            session,
            sent: 0,
            acked: 0,
            unacked: VecDeque::new(),
            unacked_bytes: 0,
            received_up_to: 0,
            out_of_order: BTreeMap::new(),
            heard_at: now,
            resend_requested_at: 0,
            has_heard: false,
        }
    }

    /// Wraps a body into a message of this link.
    pub fn message(&self, from: &str, to_table: bool, body: Body) -> PeerMessage {
        let PeerLink { session, received_up_to, acked, .. } = *self;
        PeerMessage { from: from.to_owned(), session, to_table, received_up_to, acked, body }
    }

    pub fn next_packet(&mut self, items: Vec<PacketItem>) -> Body {
        self.sent += 1;
        Body::Packet { n: self.sent, items }
    }

    /// Keeps the encoded message of the last packet until the other side acknowledges it.
    pub fn keep_unacked(&mut self, message: Bytes) -> Result<(), LinkEnded> {
        self.unacked_bytes += message.len();
        self.unacked.push_back((self.sent, message));
        if self.unacked_bytes > MAX_UNACKED_BYTES { Err(LinkEnded) } else { Ok(()) }
    }

    pub fn heartbeat(&self) -> Body {
        Body::Heartbeat { sent: self.sent }
    }

    /// Fails if the other side has been silent for too long.
    pub fn check(&self, now: u64) -> Result<(), LinkEnded> {
        if now.saturating_sub(self.heard_at) > SILENCE_LIMIT { Err(LinkEnded) } else { Ok(()) }
    }

    /// Whether the other side was heard from within the last three heartbeats.
    pub fn is_alive(&self, now: u64) -> bool {
        self.has_heard && now.saturating_sub(self.heard_at) <= 3 * HEARTBEAT
    }

    pub fn handle(&mut self, received_up_to: u64, body: Body, now: u64) -> Result<Received, LinkEnded> {
        self.heard_at = now;
        self.has_heard = true;
        self.acknowledge(received_up_to);
        let mut received = Received::default();
        match body {
            Body::Packet { n, items } => {
                if n > self.received_up_to {
                    self.out_of_order.insert(n, items);
                }
                while let Some(items) = self.out_of_order.remove(&(self.received_up_to + 1)) {
                    self.received_up_to += 1;
                    received.items.extend(items);
                }
                if self.out_of_order.len() > MAX_OUT_OF_ORDER {
                    return Err(LinkEnded);
                }
                if !self.out_of_order.is_empty() {
                    received.reply = self.request_resend(now);
                }
            }
            Body::Heartbeat { sent } if sent > self.received_up_to => received.reply = self.request_resend(now),
            Body::Heartbeat { .. } => {}
            Body::Resend { from } => {
                if self.unacked.front().map_or(self.sent + 1, |(n, _)| *n) > from {
                    return Err(LinkEnded);
                }
                let wanted = self.unacked.iter().filter(|(n, _)| *n >= from);
                received.resend = wanted.map(|(_, message)| message.clone()).collect();
            }
            Body::End => return Err(LinkEnded),
        }
        Ok(received)
    }

    fn request_resend(&mut self, now: u64) -> Option<Body> {
        let is_due = now.saturating_sub(self.resend_requested_at) >= RESEND_EVERY;
        is_due.then(|| {
            self.resend_requested_at = now;
            Body::Resend { from: self.received_up_to + 1 }
        })
    }

    fn acknowledge(&mut self, received_up_to: u64) {
        self.acked = self.acked.max(received_up_to.min(self.sent));
        while let Some((_, message)) = self.unacked.front().filter(|(n, _)| *n <= self.acked) {
            self.unacked_bytes -= message.len();
            self.unacked.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baize_engine::chance::{Chance, FastChance};

    fn item(client: u64) -> PacketItem {
        PacketItem::Gone { client }
    }

    fn send(link: &mut PeerLink, client: u64) -> (u64, Body) {
        let body = link.next_packet(vec![item(client)]);
        link.keep_unacked(Bytes::copy_from_slice(&client.to_le_bytes())).unwrap();
        (link.received_up_to, body)
    }

    /// The body of a message that was kept.
    fn resent(unacked: &Bytes) -> Body {
        let client = u64::from_le_bytes(unacked[..].try_into().unwrap());
        Body::Packet { n: client, items: vec![item(client)] }
    }

    #[test]
    fn packets_arrive_once_and_in_order_over_a_lossy_transport() {
        for seed in 0..200 {
            let mut chance = FastChance::new(seed);
            let (mut here, mut there) = (PeerLink::new(1, 0), PeerLink::new(1, 0));
            let mut in_transit: Vec<(u64, Body)> = Vec::new();
            let mut seen = Vec::new();
            let (mut now, mut next) = (0, 1);
            while seen.len() < 100 {
                now += 60;
                if next <= 100 {
                    in_transit.push(send(&mut here, next));
                    next += 1;
                }
                in_transit.push((here.received_up_to, here.heartbeat()));
                // A third of the messages is lost; the others arrive in any order.
                while !in_transit.is_empty() && chance.below(4) > 0 {
                    let (received_up_to, body) = in_transit.swap_remove(chance.below(in_transit.len() as u32) as usize);
                    if chance.below(3) == 0 {
                        continue;
                    }
                    let received = there.handle(received_up_to, body, now).unwrap();
                    seen.extend(received.items);
                    if let Some(reply) = received.reply {
                        let back = here.handle(there.received_up_to, reply, now).unwrap();
                        in_transit.extend(back.resend.iter().map(|message| (here.received_up_to, resent(message))));
                    }
                }
            }
            assert_eq!(seen, (1..=100).map(item).collect::<Vec<_>>(), "seed {seed}");
        }
    }

    #[test]
    fn a_link_drops_acknowledged_packets_and_ends_when_one_is_requested() {
        let mut link = PeerLink::new(1, 0);
        for client in 1..=3 {
            send(&mut link, client);
        }
        assert!(link.handle(2, Body::Heartbeat { sent: 0 }, 5).unwrap().resend.is_empty());
        assert_eq!(link.unacked.len(), 1);
        assert_eq!(link.handle(2, Body::Resend { from: 3 }, 5).unwrap().resend.len(), 1);
        assert_eq!(link.handle(2, Body::Resend { from: 2 }, 5).err(), Some(LinkEnded));
    }

    #[test]
    fn a_link_ends_when_too_many_packets_wait_for_a_missing_one() {
        let mut link = PeerLink::new(1, 0);
        let ended = (2..1 << 20).find(|n| link.handle(0, Body::Packet { n: *n, items: Vec::new() }, 0).is_err());
        assert_eq!(ended, Some(MAX_OUT_OF_ORDER as u64 + 2));
    }

    #[test]
    fn silence_ends_a_link() {
        let link = PeerLink::new(1, 1000);
        assert_eq!(link.check(1000 + SILENCE_LIMIT), Ok(()));
        assert_eq!(link.check(1001 + SILENCE_LIMIT), Err(LinkEnded));
    }
}
