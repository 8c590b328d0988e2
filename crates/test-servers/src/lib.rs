//! Servers of one's own for tests and benches: a [`Postgres`] and a [`Redis`] on ports of their own, in directories of
//! their own, that can be stopped, started again and killed at will.
//!
//! All calls block until the server does what was asked; async tests call the slow ones from a blocking task. A server
//! ends when it is dropped, and (on Linux) also when the program that started it is killed.
#![forbid(unsafe_code)]

mod postgres;
mod process;
mod redis;

pub use postgres::Postgres;
pub use redis::Redis;
