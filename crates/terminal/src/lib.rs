#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod choices;
#[cfg(feature = "laws")]
mod law;
mod terminal;
mod writer;

pub use choices::{Choice, choices};
#[cfg(feature = "laws")]
pub use law::offers_are_accepted;
pub use terminal::Terminal;
pub use writer::MOST_CHOICES;
