//! Messages between nodes: another node, or whoever can write to the channel that they share, may send any bytes.

use crate::target::{Execution, FuzzTarget};
use baize_server::fuzzing::{self, PeerInbox};

pub const TARGET: FuzzTarget = FuzzTarget {
    name: "peer_messages",
    law: "A node refuses the bytes, or reads a message that stays the same when it is written and read back. What it keeps of messages is bounded.",
    run,
    seeds: fuzzing::peer_messages,
    words: &["\u{1}", "node", "{\"type\":\"heartbeat\"}", "\u{7f}"],
    longest: 4 * 1024,
    tests: 300_000,
};

fn run(bytes: &[u8]) -> Execution {
    let Some(kind) = fuzzing::peer_message_kind(bytes) else { return Execution::refused("no message") };
    // The link numbers packets, so a repeated message takes another path through it.
    let mut inbox = PeerInbox::default();
    for _ in 0..3 {
        inbox.take(bytes);
    }
    Execution::accepted(kind)
}
