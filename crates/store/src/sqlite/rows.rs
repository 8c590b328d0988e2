//! Rows of games' logs as bytes, side by side: a stretch of a log is one value of the database, and not a row for each row.
//!
//! ```text
//! row      length of what follows, seq, at, length of input, input, told
//! journal  game, row, game, row …
//! ```
//!
//! Numbers are written seven bits at a time, the lowest first.

use crate::LogRow;

/// Appends a row.
pub fn put(row: &LogRow, out: &mut Vec<u8>) {
    let head = [row.seq, row.at, row.input.len() as u64];
    let length = head.iter().map(|n| width(*n)).sum::<usize>() + row.input.len() + row.told.len();
    number(length as u64, out);
    head.into_iter().for_each(|n| number(n, out));
    out.extend_from_slice(&row.input);
    out.extend_from_slice(&row.told);
}

/// Cuts the first row off; none at the end, and none where the bytes are not what [`put`] has written.
pub fn take(bytes: &mut &[u8]) -> Option<LogRow> {
    let mut row = take_bytes(bytes)?;
    let (seq, at) = (take_number(&mut row)?, take_number(&mut row)?);
    let input = take_bytes(&mut row)?.to_vec();
    Some(LogRow { seq, at, input, told: row.to_vec() })
}

/// Appends a number.
pub fn number(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Cuts a number off.
pub fn take_number(bytes: &mut &[u8]) -> Option<u64> {
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

fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_number(bytes)?).ok()?;
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn width(n: u64) -> usize {
    (64 - n.leading_zeros()).div_ceil(7).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let row = |seq, at, input: usize, told: usize| LogRow { seq, at, input: vec![1; input], told: vec![2; told] };
        let rows = [row(0, 0, 0, 0), row(127, 128, 1, 300), row(u64::MAX, 1 << 42, 200, 0), row(5, 6, 16_384, 7)];
        let mut bytes = Vec::new();
        rows.iter().for_each(|row| put(row, &mut bytes));
        let mut rest = &bytes[..];
        for row in &rows {
            assert_eq!(take(&mut rest).as_ref(), Some(row));
        }
        assert_eq!(take(&mut rest), None);
        // Cut off anywhere, there are so many rows and no more.
        for end in 0..bytes.len() {
            let mut rest = &bytes[..end];
            let whole = std::iter::from_fn(|| take(&mut rest)).collect::<Vec<_>>();
            assert!(whole.len() < rows.len() && whole[..] == rows[..whole.len()]);
        }
        assert_eq!(take_number(&mut &[0xff; 11][..]), None);
    }
}
