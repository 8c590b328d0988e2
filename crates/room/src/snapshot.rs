//! The stored form of snapshots: a format, a checksum, and the saved game.
//!
//! ```text
//! "BZS" 1   the first 16 bytes of the SHA-256 of the saved game   the saved game
//! ```
//!
//! A snapshot only saves time: everything in it follows from the log. So the room ignores a damaged snapshot, or one of another
//! format, and plays the log from its beginning.

use crate::identity::hash;

const FORMAT: &[u8; 4] = b"BZS\x01";
const SUM: usize = 16;

/// Why a snapshot is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// Another version wrote it, or it is no snapshot at all.
    Format,
    /// The checksum does not match.
    Damaged,
}

impl std::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            SnapshotError::Format => "the snapshot has another format",
            SnapshotError::Damaged => "the snapshot is damaged",
        })
    }
}

pub fn seal(saved: &[u8]) -> Vec<u8> {
    let sum = hash(&[saved]);
    [&FORMAT[..], &sum[..SUM], saved].concat()
}

/// Checks a snapshot and returns the saved game.
pub fn unseal(body: &[u8]) -> Result<&[u8], SnapshotError> {
    let rest = body.strip_prefix(FORMAT).ok_or(SnapshotError::Format)?;
    let (sum, saved) = rest.split_at_checked(SUM).ok_or(SnapshotError::Damaged)?;
    match hash(&[saved])[..SUM] == *sum {
        true => Ok(saved),
        false => Err(SnapshotError::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_anywhere_is_found() {
        let saved: Vec<u8> = (0..200).map(|n| (n * 37 % 251) as u8).collect();
        let sealed = seal(&saved);
        assert_eq!(unseal(&sealed), Ok(&saved[..]));
        for bit in 0..sealed.len() * 8 {
            let mut flipped = sealed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_snapshot_that_was_cut_short_is_found() {
        let sealed = seal(b"a saved game");
        for length in 0..sealed.len() {
            assert!(unseal(&sealed[..length]).is_err(), "{length} bytes");
        }
        assert_eq!(unseal(b"a saved game of before"), Err(SnapshotError::Format));
    }
}
