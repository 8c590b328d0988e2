//! Ids and secrets, made from random bytes of the operating system.

pub use baize_room::identity::{Member, create_key, hash, hex, member, unhex};

use baize_room::ClientId;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A client id that this program has not used before.
pub fn next_client() -> ClientId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Relaxed)
}

pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without randomness no table can be fair, so the server can't go on.
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A table code for links: 8 characters, nearly 40 bits.
pub fn code() -> String {
    baize_room::identity::code(random())
}
