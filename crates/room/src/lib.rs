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
pub mod player_log;
pub mod prepared;
#[cfg(feature = "random-answer")]
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
    Client, HeldBack, LoadError, Loading, Room, RoomConfig, RoomContext, SpectatorReplayRequest, StoredGame,
    StoredTable, Unanswered, Uncommitted, closed_because, log_row,
};
