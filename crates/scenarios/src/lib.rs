#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod arrange;
mod chance;
mod conditions;
mod expect;
mod file;
mod moves;
mod run;
mod scenario_table;
mod slips;
mod words;

pub use file::{Mistake, Scenario, ScenarioFile, Tick, read};
pub use run::run;
