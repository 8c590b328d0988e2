//! How log rows are encoded as bytes, so that one value of the database holds many of them.
//!
//! ```text
//! row      length of the rest, seq, at, length of input, input, old batches
//! segment  row, row …
//! journal  game, row, game, row …
//! ```
//!
//! Numbers are variable-length integers (LEB128): seven bits in each byte, the lowest first.

use crate::LogRow;

pub fn encode_row(row: &LogRow, out: &mut Vec<u8>) {
    let head = [row.seq, row.at, row.input.len() as u64];
    let length = head.iter().map(|n| encoded_length(*n)).sum::<usize>() + row.input.len() + row.old_batches.len();
    encode_number(length as u64, out);
    head.into_iter().for_each(|n| encode_number(n, out));
    out.extend_from_slice(&row.input);
    out.extend_from_slice(&row.old_batches);
}

/// Removes the first row from `bytes` and returns it; `None` at the end and if the bytes are not an encoded row.
pub fn decode_row(bytes: &mut &[u8]) -> Option<LogRow> {
    let mut row = decode_bytes(bytes)?;
    let (seq, at) = (decode_number(&mut row)?, decode_number(&mut row)?);
    let input = decode_bytes(&mut row)?.to_vec();
    Some(LogRow { seq, at, input, old_batches: row.to_vec() })
}

pub fn encode_number(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

pub fn decode_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

fn decode_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(decode_number(bytes)?).ok()?;
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn encoded_length(n: u64) -> usize {
    (64 - n.leading_zeros()).div_ceil(7).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_returns_the_encoded_rows() {
        let row =
            |seq, at, input: usize, old: usize| LogRow { seq, at, input: vec![1; input], old_batches: vec![2; old] };
        let rows = [row(0, 0, 0, 0), row(127, 128, 1, 300), row(u64::MAX, 1 << 42, 200, 0), row(5, 6, 16_384, 7)];
        let mut bytes = Vec::new();
        rows.iter().for_each(|row| encode_row(row, &mut bytes));
        let mut rest = &bytes[..];
        for row in &rows {
            assert_eq!(decode_row(&mut rest).as_ref(), Some(row));
        }
        assert_eq!(decode_row(&mut rest), None);
        // Cut off anywhere, the bytes give the rows that are complete and no others.
        for end in 0..bytes.len() {
            let mut rest = &bytes[..end];
            let whole = std::iter::from_fn(|| decode_row(&mut rest)).collect::<Vec<_>>();
            assert!(whole.len() < rows.len() && whole[..] == rows[..whole.len()]);
        }
        assert_eq!(decode_number(&mut &[0xff; 11][..]), None);
    }
}
