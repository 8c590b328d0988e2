#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod client;
pub mod compact;
pub mod error;
pub mod event;
pub mod http;
pub mod limits;
pub mod problem;
mod read;
pub mod server;
pub mod table;

pub use client::{Action, ClientMessage, Envelope, LastSeen, ReportTarget};
pub use error::ErrorCode;
pub use event::{LeaveReason, TableEvent};
pub use server::{Refused, ServerMessage, Sync, TableState, You};
pub use table::{
    Absence, AbsenceEnd, AskerInfo, BotLevel, ChatKind, ChatLine, DefinitionLinks, Door, Fairness, PauseReason,
    PlayerInfo, Presence, TableInfo, TableSettings, TableStatus, Vote,
};

/// JSON Schemas of all types by name, for the OpenAPI document. `tests/typescript.rs` generates them and fails when the
/// file is stale.
pub const SCHEMAS: &str = include_str!("../schema/types.json");

/// The version of this protocol: the `v` of every client message and of `state`.
pub const VERSION: u32 = 4;
