//! The wire: messages between a browser and the server, error codes, and the bodies of the HTTP API.
//!
//! Vocabulary. A client sends **actions**, each with a `requestId`; every action is answered by one `ack` or one
//! `error` with the same id. The server sends **state** (everything, after joining) and **events** (what changed).
//! What happens in the game arrives as **batches**, in the compact form of [`compact`]; what happens at the table
//! (people, chat, pauses) as [`TableEvent`]s.
//!
//! Nothing here knows a game, a socket or a store. `docs/protocol.md` describes behaviour; `web/src/protocol/generated.ts`
//! is made from these types and from the engine's views (`tests/typescript.rs`).
#![forbid(unsafe_code)]

pub mod client;
pub mod compact;
pub mod error;
pub mod event;
pub mod http;
pub mod limits;
mod read;
pub mod server;
pub mod table;

pub use client::{Action, ClientMessage, Envelope, LastSeen, Reported};
pub use error::ErrorCode;
pub use event::{LeaveReason, TableEvent};
pub use server::{Refused, ServerMessage, Sync, TableState, You};
pub use table::{
    AskerInfo, BotLevel, ChatKind, ChatLine, DefinitionLinks, Door, Fairness, PauseReason, PlayerInfo, Presence,
    TableInfo, TableSettings, TableStatus, Vote,
};

/// JSON Schemas of all types by name, for the OpenAPI document. Made by `tests/typescript.rs`, which fails when they are stale.
pub const SCHEMAS: &str = include_str!("../schema/types.json");

/// The version of this protocol: the `v` of every client message and of `state`.
pub const VERSION: u32 = 3;
