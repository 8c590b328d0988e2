//! The program as an operator and a player run it: processes, files, exit codes.

mod chaos;
#[path = "../../../server/tests/wire/client.rs"]
#[allow(dead_code)]
mod client;
mod crash;
mod log;
mod player;
mod process;
mod proxy;
mod replays;
