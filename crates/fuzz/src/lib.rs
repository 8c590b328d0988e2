#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod drive;
pub mod files;
pub mod mutate;
pub mod target;
mod targets;

pub use target::{Execution, FuzzTarget};
pub use targets::TARGETS;

/// Finds a target by its name.
pub fn target(name: &str) -> Option<&'static FuzzTarget> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs a target. The programs for libFuzzer call this. Panics if there is no such target, or if its law is broken.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).unwrap_or_else(|| panic!("there is no target {name}"));
    (target.run)(bytes);
}
