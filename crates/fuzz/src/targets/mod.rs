//! The targets, one file each. The first line of a file says who can send such bytes.

mod batches;
mod format;
mod frames;
mod messages;
mod moves;
mod packs;
mod peer_messages;
mod replays;
mod rules;
mod scenario_runs;

mod scenarios;
mod settings;
mod snapshots;
mod tables;

use crate::target::FuzzTarget;

/// Every target, in the order in which `cargo xtask fuzz` runs them.
pub static TARGETS: &[FuzzTarget] = &[
    rules::TARGET,
    format::TARGET,
    packs::TARGET,
    scenarios::TARGET,
    scenario_runs::TARGET,
    frames::TARGET,
    messages::TARGET,
    batches::TARGET,
    settings::TARGET,
    moves::TARGET,
    snapshots::TARGET,
    replays::TARGET,
    peer_messages::TARGET,
];
