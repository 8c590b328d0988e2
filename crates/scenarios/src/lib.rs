//! Scenarios: small stories about the rules of a game. How the table stands, what players do, and what must hold then.
//!
//! `docs/scenarios.md` explains the form of the files. [`read`] understands the frame of a file; what cards, zones and
//! moves are called depends on the game and is looked at when a scenario is [`run`].

#![forbid(unsafe_code)]

mod chance;
mod conditions;
mod expect;
mod file;
mod moves;
mod run;
mod stage;
mod words;

pub use file::{File, Mistake, Scenario, Tick, read};
pub use run::run;
