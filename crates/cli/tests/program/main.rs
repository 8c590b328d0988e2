//! Tests the program as operators and players run it: processes, files, exit codes.

mod admin;
mod backup;
mod chaos;
#[path = "../../../server/tests/wire/client.rs"]
#[allow(dead_code)]
mod client;
mod crash;
mod hostile;
mod log;
mod player;
mod process;
mod proxy;
mod replays;
mod storage;
