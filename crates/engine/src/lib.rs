//! Plays compiled rules: table state, legal moves, views, events.
//!
//! Nothing in this crate does IO, reads a clock or starts a thread.
//!
//! A [`Program`](baize_rules::program::Program) becomes an [`Instance`](instance::Instance) when options, packs and seats are known;
//! a [`Frame`](frame::Frame) is the changing state of one table of it.
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods)]

mod build;
pub mod cardset;
pub mod chance;
pub mod definition;
pub mod eval;
pub mod frame;
pub mod input;
pub mod instance;
#[cfg(feature = "laws")]
pub mod laws;
pub mod legal;
pub mod live;
pub mod moves;
pub mod observe;
mod play;
pub mod present;
pub mod reduce;
pub mod resample;
pub mod sight;
pub mod sink;
mod soundness;
mod step;
pub mod switch;
pub mod table;
pub mod text;
pub mod view;
pub mod world;

pub use build::instantiate;

#[cfg(test)]
mod tests;
