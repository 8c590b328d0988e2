//! Fuzz targets and the results of their executions.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A law, and everything that a driver needs to look for a counterexample.
pub struct FuzzTarget {
    pub name: &'static str,
    /// The law as one sentence.
    pub law: &'static str,
    /// Panics if the law is broken.
    pub run: fn(&[u8]) -> Execution,
    /// Valid and invalid inputs to start from, made from the repository's own files.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format. Mutations insert them at random places.
    pub words: &'static [&'static str],
    /// Upper bound on the bytes of an input.
    pub longest: usize,
    /// How many executions the bounded run in the tests makes, for a few seconds.
    pub tests: u64,
}

/// The result of one execution. The random driver does not measure coverage: it keeps an input whose result is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Execution {
    /// Whether the reader accepted the bytes. A bounded run in which this never changes fails, because it tests nothing.
    pub accepted: bool,
    kind: u64,
}

impl Execution {
    pub fn accepted(kind: impl Hash) -> Self {
        Execution { accepted: true, kind: hash(kind) }
    }

    pub fn refused(kind: impl Hash) -> Self {
        Execution { accepted: false, kind: hash(kind) }
    }
}

fn hash(kind: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}

/// Rounds a size to a power of two, so that a slightly larger input does not count as new.
pub fn magnitude(n: usize) -> u32 {
    usize::BITS - n.leading_zeros()
}
