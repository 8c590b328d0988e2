//! Players for any game, made from its rules alone.
//!
//! A [`Bot`] is handed what its seat sees ([`Sight`](baize_engine::sight::Sight)) and what its seat has seen before, and searches
//! [`World`](baize_engine::world::World)s made from it. Nothing here can name a table. Nothing here reads a clock: budgets are in simulated moves, so that the
//! same seed and the same sight give the same answer on any machine.
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
