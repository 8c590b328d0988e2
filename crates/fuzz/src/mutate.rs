//! Random changes to bytes that know nothing about the format: flipped bits, cuts, copies, splices, words and numbers.

/// A small generator of numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// SplitMix64.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 where there is none.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len()))
    }
}

/// Numbers at which readers go wrong, as text.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "1e999",
    "0.5",
];

/// Characters at which texts go wrong: NUL, controls, joiners, direction, a byte order mark, the last one, a combining mark.
const SIGNS: &[&str] = &[
    "\0",
    "\u{1b}",
    "\u{ad}",
    "\u{200d}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{10ffff}",
    "\u{301}",
    "ß",
    "İ",
    "\r\n",
    "\u{2028}",
];

/// Changes an input in one to eight places.
pub fn mutate(input: &[u8], others: &[Vec<u8>], words: &[&str], longest: usize, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let times = 1 + dice.below(3) * dice.below(4);
    for _ in 0..times {
        once(&mut bytes, others, words, dice);
        bytes.truncate(longest);
    }
    bytes
}

fn once(bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], dice: &mut Dice) {
    let at = dice.below(bytes.len() + 1);
    match dice.below(16) {
        0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        1 if at < bytes.len() => bytes[at] = dice.word() as u8,
        2 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add(dice.below(17) as u8).wrapping_sub(8),
        3 => {
            let some: Vec<u8> = (0..1 + dice.below(8)).map(|_| dice.word() as u8).collect();
            bytes.splice(at..at, some);
        }
        4 => {
            let end = (at + 1 + dice.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        // A part once more, or instead of another.
        5 | 6 => {
            let from = dice.below(bytes.len() + 1);
            let copy = bytes[from..(from + 1 + dice.below(64)).min(bytes.len())].to_vec();
            let end = if dice.below(2) == 0 { at } else { (at + copy.len()).min(bytes.len()) };
            bytes.splice(at..end, copy);
        }
        // A part of another input.
        7 => {
            if let Some(other) = dice.pick(others) {
                let from = dice.below(other.len() + 1);
                let end = (from + 1 + dice.below(200)).min(other.len());
                let stop = (at + dice.below(200)).min(bytes.len());
                bytes.splice(at..stop, other[from..end].iter().copied());
            }
        }
        8 => bytes.truncate(at),
        9 | 10 => insert_word(bytes, at, words, dice),
        11 => insert_word(bytes, at, SIGNS, dice),
        12 => replace_number(bytes, at, dice),
        13 => replace_word(bytes, at, words, dice),
        14 => lines(bytes, dice),
        // A number in binary.
        _ => {
            let number = [0u64, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX][dice.below(9)];
            let width = [1, 2, 4, 8][dice.below(4)];
            let end = (at + width).min(bytes.len());
            let little = number.to_le_bytes();
            let big = number.to_be_bytes();
            let spelled = if dice.below(2) == 0 { &little[..width] } else { &big[8 - width..] };
            bytes.splice(at..end, spelled.iter().copied());
        }
    }
}

fn insert_word(bytes: &mut Vec<u8>, at: usize, words: &[&str], dice: &mut Dice) {
    if let Some(word) = dice.pick(words) {
        bytes.splice(at..at, word.bytes());
    }
}

/// The next run of letters from `at` becomes another word.
fn replace_word(bytes: &mut Vec<u8>, at: usize, words: &[&str], dice: &mut Dice) {
    replace(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_', words, dice);
}

fn replace_number(bytes: &mut Vec<u8>, at: usize, dice: &mut Dice) {
    replace(bytes, at, |byte| byte.is_ascii_digit(), NUMBERS, dice);
}

fn replace(bytes: &mut Vec<u8>, at: usize, inside: impl Fn(u8) -> bool, words: &[&str], dice: &mut Dice) {
    let Some(start) = bytes[at..].iter().position(|byte| inside(*byte)).map(|start| at + start) else { return };
    let end = bytes[start..].iter().position(|byte| !inside(*byte)).map_or(bytes.len(), |end| start + end);
    if let Some(word) = dice.pick(words) {
        bytes.splice(start..end, word.bytes());
    }
}

/// A line is removed, copied, swapped or moved in.
fn lines(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(4) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(a, lines[b].clone()),
        2 => lines.swap(a, b),
        _ => {
            lines[a].splice(0..0, *b"  ");
        }
    }
    *bytes = lines.join(&b'\n');
}

/// A smaller input of which `still` holds, found by leaving parts out.
pub fn shrink(input: &[u8], mut tries: usize, mut still: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut width = (best.len() / 2).max(1);
    loop {
        let (mut at, mut smaller) = (0, false);
        while at < best.len() {
            if tries == 0 {
                return best;
            }
            tries -= 1;
            let mut shorter = best.clone();
            shorter.drain(at..(at + width).min(best.len()));
            if still(&shorter) {
                (best, smaller) = (shorter, true);
            } else {
                at += width;
            }
        }
        match width {
            1 if !smaller => return best,
            1 => {}
            _ => width = (width / 2).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_of_anything_stays_within_the_bound() {
        let mut dice = Dice::new(1);
        let others = [vec![], b"abc 123\nxyz".to_vec()];
        for input in [&b""[..], b"x", b"one 2 three\nfour", &[0xff; 40]] {
            for _ in 0..4000 {
                assert!(mutate(input, &others, &["word"], 64, &mut dice).len() <= 64);
            }
        }
    }

    #[test]
    fn shrinking_finds_the_cause() {
        let input: Vec<u8> = (0..500).map(|n| (n % 90) as u8 + 100).chain(*b"ab").chain([7; 300]).collect();
        let found = shrink(&input, 10_000, |bytes| bytes.windows(2).any(|two| two == b"ab"));
        assert_eq!(found, b"ab");
    }
}
