#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod postgres;
mod process;
mod redis;

pub use postgres::Postgres;
pub use process::free_port;
pub use redis::RedisServer;
