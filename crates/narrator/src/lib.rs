#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod movement;
mod narrator;
mod phrases;
mod second_person;
mod sentence;

pub use narrator::{Narration, NarrationKind, Narrator};
pub use phrases::phrases;
pub use second_person::address;
