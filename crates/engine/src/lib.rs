#![doc = include_str!("../README.md")]
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
