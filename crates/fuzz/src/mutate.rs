//! Mutates bytes at random without knowledge of their format: flips bits, cuts, copies, splices, inserts words and numbers.

/// A pseudo-random generator that gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    pub fn new(seed: u64) -> Self {
        Generator(seed)
    }

    /// Returns the next number, by SplitMix64.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        among.get(self.below(among.len()))
    }
}

/// Numbers that often break readers, as texts.
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

/// Characters that often break readers: NUL, controls, joiners, direction marks, a byte order mark, the last code point, a
/// combining mark.
const CHARACTERS: &[&str] = &[
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

/// Mutates an input one to seven times.
pub fn mutate(input: &[u8], others: &[Vec<u8>], words: &[&str], longest: usize, generator: &mut Generator) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let times = 1 + generator.below(3) * generator.below(4);
    for _ in 0..times {
        mutate_once(&mut bytes, others, words, generator);
        bytes.truncate(longest);
    }
    bytes
}

fn mutate_once(bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], generator: &mut Generator) {
    let at = generator.below(bytes.len() + 1);
    match generator.below(16) {
        0 if at < bytes.len() => bytes[at] ^= 1 << generator.below(8),
        1 if at < bytes.len() => bytes[at] = generator.word() as u8,
        2 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add(generator.below(17) as u8).wrapping_sub(8),
        3 => {
            let some: Vec<u8> = (0..1 + generator.below(8)).map(|_| generator.word() as u8).collect();
            bytes.splice(at..at, some);
        }
        4 => {
            let end = (at + 1 + generator.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        // Copies a part: inserts it, or overwrites another part with it.
        5 | 6 => {
            let from = generator.below(bytes.len() + 1);
            let copy = bytes[from..(from + 1 + generator.below(64)).min(bytes.len())].to_vec();
            let end = if generator.below(2) == 0 { at } else { (at + copy.len()).min(bytes.len()) };
            bytes.splice(at..end, copy);
        }
        // Inserts a part of another input.
        7 => {
            if let Some(other) = generator.pick(others) {
                let from = generator.below(other.len() + 1);
                let end = (from + 1 + generator.below(200)).min(other.len());
                let stop = (at + generator.below(200)).min(bytes.len());
                bytes.splice(at..stop, other[from..end].iter().copied());
            }
        }
        8 => bytes.truncate(at),
        9 | 10 => insert_word(bytes, at, words, generator),
        11 => insert_word(bytes, at, CHARACTERS, generator),
        12 => replace_number(bytes, at, generator),
        13 => replace_word(bytes, at, words, generator),
        14 => mutate_lines(bytes, generator),
        // Overwrites bytes with a binary number.
        _ => {
            let number = [0u64, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX][generator.below(9)];
            let width = [1, 2, 4, 8][generator.below(4)];
            let end = (at + width).min(bytes.len());
            let little = number.to_le_bytes();
            let big = number.to_be_bytes();
            let spelled = if generator.below(2) == 0 { &little[..width] } else { &big[8 - width..] };
            bytes.splice(at..end, spelled.iter().copied());
        }
    }
}

fn insert_word(bytes: &mut Vec<u8>, at: usize, words: &[&str], generator: &mut Generator) {
    if let Some(word) = generator.pick(words) {
        bytes.splice(at..at, word.bytes());
    }
}

/// Replaces the next word after `at` by another one.
fn replace_word(bytes: &mut Vec<u8>, at: usize, words: &[&str], generator: &mut Generator) {
    replace(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_', words, generator);
}

fn replace_number(bytes: &mut Vec<u8>, at: usize, generator: &mut Generator) {
    replace(bytes, at, |byte| byte.is_ascii_digit(), NUMBERS, generator);
}

fn replace(bytes: &mut Vec<u8>, at: usize, inside: impl Fn(u8) -> bool, words: &[&str], generator: &mut Generator) {
    let Some(start) = bytes[at..].iter().position(|byte| inside(*byte)).map(|start| at + start) else { return };
    let end = bytes[start..].iter().position(|byte| !inside(*byte)).map_or(bytes.len(), |end| start + end);
    if let Some(word) = generator.pick(words) {
        bytes.splice(start..end, word.bytes());
    }
}

/// Removes, copies, swaps or indents a line.
fn mutate_lines(bytes: &mut Vec<u8>, generator: &mut Generator) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (generator.below(lines.len()), generator.below(lines.len()));
    match generator.below(4) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(a, lines[b].clone()),
        2 => lines.swap(a, b),
        _ => {
            lines[a].splice(0..0, *b"  ");
        }
    }
    *bytes = lines.join(&b'\n');
}

/// Finds a smaller input for which `still` holds, by leaving parts out.
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
    fn mutated_inputs_stay_within_the_length_limit() {
        let mut generator = Generator::new(1);
        let others = [vec![], b"abc 123\nxyz".to_vec()];
        for input in [&b""[..], b"x", b"one 2 three\nfour", &[0xff; 40]] {
            for _ in 0..4000 {
                assert!(mutate(input, &others, &["word"], 64, &mut generator).len() <= 64);
            }
        }
    }

    #[test]
    fn shrink_keeps_only_the_cause() {
        let input: Vec<u8> = (0..500).map(|n| (n % 90) as u8 + 100).chain(*b"ab").chain([7; 300]).collect();
        let found = shrink(&input, 10_000, |bytes| bytes.windows(2).any(|two| two == b"ab"));
        assert_eq!(found, b"ab");
    }
}
