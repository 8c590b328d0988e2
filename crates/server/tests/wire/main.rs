//! Tests that cross the socket: raw WebSocket clients against a whole server, with driven time and no sleeps.
//!
//! Each test names the behaviours of `docs/protocol.md` it holds the server to.

// Shared with the tests of the program, which use other parts of it.
#[allow(dead_code)]
mod client;
mod cluster;
mod data;
mod durability;
mod fairness;
mod fuzz;
mod games;
mod governing;
mod http;
mod joining;
mod leaks;
mod limits;
mod old_replays;
mod openapi;
mod pages;
mod presence;
mod refusals;
mod seats;
mod server;
mod slow;
mod upkeep;
