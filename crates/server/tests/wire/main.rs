//! Tests that cross the socket: raw WebSocket clients against a whole server, with driven time and no sleeps.
//!
//! Each test cites the ids of the behaviours of `docs/protocol.md` that it checks.

// The tests of the program share this module and use other parts of it.
#[allow(dead_code)]
mod client;
mod clocks;
mod cluster;
mod connections;
mod data;
mod disk;
mod door;
mod durability;
mod fairness;
mod fault_injector;
mod faults;
mod forget;
mod fuzz;
mod games;
mod governing;
mod heavy;
mod http;
mod joining;
mod leaks;
mod limits;
mod log;
mod names;
mod narrations;
mod old_replays;
mod openapi;
mod pages;
mod presence;
mod refusals;
mod reports;
mod seats;
mod server;
mod slow;
mod spectators;
mod strangers;
mod upkeep;
