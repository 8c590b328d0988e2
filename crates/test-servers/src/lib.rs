#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod postgres;
mod process;
mod redis;

pub use postgres::Postgres;
pub use redis::Redis;
