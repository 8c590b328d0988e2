//! What a fuzz target is.

use std::hash::{DefaultHasher, Hash, Hasher};

/// One law, and what a driver needs to look for a counterexample.
pub struct Target {
    pub name: &'static str,
    /// The law as one sentence.
    pub law: &'static str,
    /// Panics if the law is broken.
    pub run: fn(&[u8]) -> Seen,
    /// Good and bad examples to start from, made of the repository's own files.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format. A mutation puts them where they do not belong.
    pub words: &'static [&'static str],
    /// Longest input that is worth trying.
    pub longest: usize,
    /// Executions of the bounded run in the tests: a few seconds.
    pub tests: u64,
}

/// What one execution reached. The plain driver knows no coverage: it keeps an input when it sees something new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// Whether the reader accepted the bytes. A bounded run in which this never changes tests nothing.
    pub accepted: bool,
    kind: u64,
}

impl Seen {
    pub fn accepted(kind: impl Hash) -> Self {
        Seen { accepted: true, kind: hash(kind) }
    }

    pub fn refused(kind: impl Hash) -> Self {
        Seen { accepted: false, kind: hash(kind) }
    }
}

fn hash(kind: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}

/// Sizes in powers of two: enough to tell "more of the same" from "something else".
pub fn magnitude(n: usize) -> u32 {
    usize::BITS - n.leading_zeros()
}
