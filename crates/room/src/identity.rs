//! Members: each browser has a secret, of which only a hash is stored.

use baize_protocol::limits;
use baize_rows::Hash;
use sha2::{Digest, Sha256};

/// A browser, by the hash of its secret.
pub type Member = Hash;

/// The alphabet of codes, without letters and digits that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789z";

pub fn member(secret: &str) -> Option<Member> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !limits::SECRET_CHARS.contains(&secret.len()) || !secret.chars().all(plain) {
        return None;
    }
    Some(hash(&[b"baize member v1", secret.as_bytes()]))
}

/// The key under which a browser makes a table. A repeated request has the same key, so it makes no second table.
pub fn create_key(member: &Member, id: &str) -> Option<Hash> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !limits::CREATE_ID_CHARS.contains(&id.len()) || !id.chars().all(plain) {
        return None;
    }
    Some(hash(&[b"baize table v1", member, id.as_bytes()]))
}

pub fn hash(parts: &[&[u8]]) -> Hash {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// A code for links and seats, from random bytes: 8 characters, nearly 40 bits.
pub fn code(random: [u8; 8]) -> String {
    random.iter().map(|byte| ALPHABET[usize::from(byte % 32)] as char).collect()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn unhex(text: &str) -> Option<Hash> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_secrets_make_members() {
        assert!(member(&"a".repeat(22)).is_some());
        for bad in ["", "short", &"x".repeat(200), &"ü".repeat(30), "has spaces in it, quite long"] {
            assert!(member(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn unhex_reads_what_hex_writes() {
        let bytes = hash(&[b"anything"]);
        assert_eq!(unhex(&hex(&bytes)), Some(bytes));
        assert_eq!(unhex("xy"), None);
    }
}
