//! Many nodes: any of them takes any socket, and one of them has the table.
//!
//! The store says which node has a table ([`baize_store::Opened::Elsewhere`]). At every other node a [`stand_in`] takes the
//! table's place in the hub: it passes what its clients want on to that node and what comes back to them. Between two nodes lies a
//! [`line`]; all lines of a node are looked after by one task, the [`exchange`]. Letters travel by Redis, and where that fails by the
//! database's mailbox ([`roads`]). Who may write to a table is decided by the store alone: nothing that gets lost, comes
//! late or comes twice here can make two nodes write to one.

mod exchange;
mod letter;
mod line;
mod redis;
mod roads;
mod stand_in;
mod start;

pub use exchange::Cluster;
pub use stand_in::stand_in;
pub use start::{Start, join};
