//! One table as a state machine: messages in, effects out.
//!
//! A [`Room`] holds everything that happens at a table: the lobby, the door, presence, clocks, chat and its limits, the pace of
//! bots, votes, reports, and the game itself. It does no IO, reads no clock, starts no thread and has no randomness but what it is
//! given, so that the same room runs on a server, in a browser's tab and in a simulator. The documentation of [`Room`] says
//! in which order a shell calls it.
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod encode;
pub mod entropy;
pub mod identity;
pub mod log_replay;
pub mod mentions;
pub mod message;
pub mod names;
pub mod packs;
pub mod payload;
pub mod prepared;
pub mod random_answer;
pub mod record;
mod refusal;
mod room;
pub mod rules;
pub mod setup;
pub mod snapshot;

pub use message::{Act, ClientId, Effect, Join, Message, Recipients, Thought, Time};
pub use payload::Payload;
pub use refusal::ActionRefusal;
pub use room::{
    Client, HeldBack, LoadError, Loading, Room, RoomConfig, RoomContext, SpectatorsWanted, StoredGame, StoredTable,
    Unanswered, Uncommitted, closed_because, log_row,
};
