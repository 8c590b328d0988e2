//! Fuzzing: one law for each reader of bytes that strangers can send, and a driver that tries to break it.
//!
//! A [`Target`] is a plain function of bytes that panics when its law is broken. Three callers share it: the tests of this
//! crate (a bounded run with a fixed seed, and every case in `cases/`), the plain random driver ([`drive`]) and libFuzzer (the
//! small programs in `fuzz/` at the root). `cargo xtask fuzz` picks one of the last two.
//!
//! To add a target: a file in `targets/`, a line in [`TARGETS`], a program of three lines in `fuzz/fuzz_targets`.
#![forbid(unsafe_code)]

pub mod drive;
pub mod files;
pub mod mutate;
pub mod target;
mod targets;

pub use target::{Seen, Target};
pub use targets::TARGETS;

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs a target that is known to exist: what the programs for libFuzzer call.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).unwrap_or_else(|| panic!("there is no target {name}"));
    (target.run)(bytes);
}
