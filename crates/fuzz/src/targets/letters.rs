//! Letters between nodes: another node, or whoever can write to the channel that they share.

use crate::target::{Seen, Target};
use baize_server::fuzzing::{self, Letterbox};

pub const TARGET: Target = Target {
    name: "letters",
    law: "Any bytes are no letter, or one that is written and read back the same; whoever takes it keeps a bounded amount of it.",
    run,
    seeds: fuzzing::letters,
    words: &["\u{1}", "node", "{\"type\":\"heartbeat\"}", "\u{7f}"],
    longest: 4 * 1024,
    tests: 300_000,
};

fn run(bytes: &[u8]) -> Seen {
    let Some(kind) = fuzzing::letter(bytes) else { return Seen::refused("no letter") };
    // The same letter arrives with many numbers.
    let mut letterbox = Letterbox::default();
    for _ in 0..3 {
        letterbox.take(bytes);
    }
    Seen::accepted(kind)
}
