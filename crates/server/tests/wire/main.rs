//! Tests that cross the socket: raw WebSocket clients against a whole server, with driven time and no sleeps.
//!
//! Each test names the behaviours of `docs/protocol.md` it holds the server to.

mod client;
mod durability;
mod fairness;
mod games;
mod http;
mod joining;
mod presence;
mod refusals;
mod server;
mod slow;
