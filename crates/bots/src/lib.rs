#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod bot;
mod level;
mod memory;
mod names;
mod pace;
mod search;
mod taste;
mod valuation;

pub use bot::Bot;
pub use level::Level;
pub use names::{NAMES, name};
pub use pace::pause_ms;
pub use valuation::Valuation;
