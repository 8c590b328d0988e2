//! Where tables survive: an append-only log of every game, and the tables, packs and sources around it.
//!
//! Vocabulary. A **table** row is one link; its record is opaque here (the server's own form). A **game** is one playing
//! at a table; a rematch is another game of the same table. The **log** of a game has one row per `seq`: what was put in
//! (a move, an absence, a clock that ran out). **Blobs** are texts kept by their hash: sources, packs, programs, replays. A table or a pack **speaks of** blobs; one that
//! nobody speaks of is deleted together with old tables.
//!
//! The store knows no game and no protocol. A [`Commit`] is all or nothing and is on disk when its future is ready. The
//! **epoch** is the fence: whoever opened a table last may write to it, and nobody else. Where several nodes share a store,
//! the one that opened a table **has** it for a while, again and again, and the others are told who that is.
#![forbid(unsafe_code)]

mod admin;
#[cfg(feature = "contract")]
pub mod contract;
mod faults;
mod postgres;
mod sqlite;
mod stats;
mod supervise;
mod version;

pub use admin::{
    Expiry, MakerRow, ORDERS, OrderRow, PackChoice, PackQuery, PackQuota, PackQuotas, PackRow, REPORTS,
    REPORTS_PER_TABLE,
};
pub use baize_rows::{
    CHAT_KEPT, CHAT_TRIM_EVERY, ChatRow, GameRow, Hash, LogRow, MemberRow, ReportRow, SOMEBODY, Snapshot, Unwritable,
    Write,
};
pub use faults::Faults;
pub use postgres::{Mailbox, PostgresConfig, PostgresStore};
pub use sqlite::{SqliteStore, backup};
pub use stats::{Condition, Stats};

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// An answer that is on its way.
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// All that a server asks of its storage. The contract suite (feature `contract`) runs on every implementation.
pub trait Store: Send + Sync + 'static {
    /// Makes a table, unless one was made with the same key: then that one's code is returned and nothing is written. If a
    /// blob is not there that it speaks of: [`StoreError::Missing`].
    fn create(&self, table: NewTable) -> Pending<Created>;
    /// Takes a table over, unless another node has it: raises its epoch, so that whoever had it can no longer write, and
    /// reads it.
    fn open(&self, code: &str) -> Pending<Opened>;
    /// Lets go of a table: any node may open it from now on. With another epoch than the table's, nothing happens.
    fn release(&self, table: i64, epoch: i64) -> Pending<()>;
    /// Reads a table's record without taking it over.
    fn peek(&self, code: &str) -> Pending<Option<TableRow>>;
    /// Writes all of it or nothing.
    fn commit(&self, commit: Commit) -> Pending<()>;

    fn game(&self, game: &str) -> Pending<Option<GameRow>>;
    /// Log rows after `seq`, at most `limit`, in order.
    fn log(&self, game: &str, after: u64, limit: u32) -> Pending<Vec<LogRow>>;
    fn snapshot(&self, game: &str) -> Pending<Option<Snapshot>>;
    /// The last `limit` chat lines after number `after`, in order.
    fn chat(&self, table: i64, after: u64, limit: u32) -> Pending<Vec<ChatRow>>;
    /// Tables this member belongs to that are still to be listed, most recently changed first.
    fn tables_of(&self, member: &Hash, limit: u32) -> Pending<Vec<TableRow>>;

    /// Keeps a blob until the next [`Store::purge`]; longer only if somebody speaks of it by then.
    fn put_blob(&self, hash: Hash, body: Vec<u8>) -> Pending<()>;
    fn blob(&self, hash: &Hash) -> Pending<Option<Vec<u8>>>;
    /// A game's rules are in use: an entry in a catalogue for people who look into the database. Nothing is read back from it,
    /// and a store may do without.
    fn note_definition(&self, _definition: DefinitionRow) -> Pending<()> {
        Box::pin(async { Ok(()) })
    }

    /// Adds all of these packs, or none if an id exists ([`StoreError::Taken`]), a blob does not ([`StoreError::Missing`]) or a
    /// quota is used up ([`StoreError::Full`], [`StoreError::FullHere`]). All of them come from one address.
    fn add_packs(&self, packs: Vec<PackRow>, quotas: PackQuotas) -> Pending<()>;
    fn packs(&self, query: PackQuery) -> Pending<Vec<PackRow>>;
    fn pack(&self, id: &str) -> Pending<Option<PackRow>>;
    /// Tables have chosen these packs at this time.
    fn touch_packs(&self, ids: Vec<String>, at: u64) -> Pending<()>;
    /// Returns how many packs are gone. What tables have of them stays.
    fn delete_packs(&self, choice: PackChoice) -> Pending<u64>;

    /// Asks the nodes for something, unless the same order (by `key`) waits already. [`StoreError::Full`] if too many wait.
    fn put_order(&self, key: Hash, at: u64, body: Vec<u8>) -> Pending<i64>;
    /// Orders that wait, the oldest first.
    fn orders(&self, limit: u32) -> Pending<Vec<OrderRow>>;
    fn finish_order(&self, id: i64) -> Pending<()>;

    /// Reports after this number, in order.
    fn reports(&self, after: i64, limit: u32) -> Pending<Vec<ReportRow>>;
    /// True: it was there.
    fn delete_report(&self, id: i64) -> Pending<bool>;

    /// All tables with codes after this one, in order.
    fn tables(&self, after: &str, limit: u32) -> Pending<Vec<TableRow>>;
    /// Codes of the tables a member belongs to, listed or not.
    fn codes_of(&self, member: &Hash, limit: u32) -> Pending<Vec<String>>;
    /// The number of a table, without opening it.
    fn table_id(&self, code: &str) -> Pending<Option<i64>>;
    /// Ids of the games played at a table.
    fn games_of(&self, table: i64) -> Pending<Vec<String>>;
    /// Browsers after this one, in the order of their hashes.
    fn makers(&self, after: Option<Hash>, limit: u32) -> Pending<Vec<MakerRow>>;

    /// Deletes a table that was opened under this epoch, with everything that belongs to it.
    fn delete_table(&self, table: i64, epoch: i64) -> Pending<()>;
    /// Replaces what was put in by rows of a game's log that exist; for what must be forgotten.
    fn rewrite_log(&self, table: i64, epoch: i64, game: &str, inputs: Vec<(u64, Vec<u8>)>) -> Pending<()>;
    /// Forgets a browser that belongs to no table any more: its packs, its name, and its part in reports.
    fn forget(&self, member: &Hash) -> Pending<()>;
    /// Deletes packs and reports that are too old; returns how many packs.
    fn expire(&self, expiry: Expiry) -> Pending<u64>;
    /// A value that all nodes share: the one that is kept under this name, or else this one from now on.
    fn shared_value(&self, name: &str, fresh: Vec<u8>) -> Pending<Vec<u8>>;

    /// Deletes tables not changed since `before` with everything that belongs to them, and blobs nobody speaks of; returns
    /// how many tables.
    fn purge(&self, before: u64) -> Pending<u64>;

    /// Does what was asked before, and lets go of its files and connections: when this is ready, nothing of it is
    /// touched any more. What is asked later fails.
    fn close(&self) -> Pending<()>;

    /// Finds out whether anything can be written, so that [`Stats::condition`] is right although nobody writes.
    fn check(&self) -> Pending<()>;

    fn stats(&self) -> &Stats;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// Of the browser that made it and the id that browser gave: the same again is the same table.
    pub key: Hash,
    /// A code nobody has; taken: [`StoreError::Taken`].
    pub code: String,
    pub at: u64,
    pub record: Vec<u8>,
    /// Who belongs to it from the beginning.
    pub members: Vec<MemberRow>,
    /// The blobs it speaks of.
    pub blobs: Vec<Hash>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    pub code: String,
    /// False: it existed already.
    pub new: bool,
}

/// What came of opening a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// No table has this code.
    Unknown,
    Here(OpenTable),
    /// Another node has it, and will for so many milliseconds if it does not ask again.
    Elsewhere {
        node: String,
        left: u64,
    },
}

impl Opened {
    /// The table, if it was opened here.
    pub fn here(self) -> Option<OpenTable> {
        match self {
            Opened::Here(table) => Some(table),
            Opened::Unknown | Opened::Elsewhere { .. } => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    pub id: i64,
    pub epoch: i64,
    pub row: TableRow,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    pub code: String,
    pub record: Vec<u8>,
    /// When it last changed: the latest of the row itself and its running game's log.
    pub updated_at: u64,
}

/// Writes that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub table: i64,
    /// As [`Store::open`] gave it.
    pub epoch: i64,
    pub writes: Vec<Write>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionRow {
    pub id: String,
    pub name: String,
    /// Of its definition, which is a blob.
    pub hash: Hash,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Somebody has opened the table since.
    Fenced,
    /// The code or the log row exists.
    Taken,
    /// A blob that is spoken of is not there (any more).
    Missing,
    /// There is no space for more of this.
    Full,
    /// There is no space for more of this from one address.
    FullHere,
    /// The disk, the database, or the store has been closed.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            StoreError::Fenced => f.write_str("another server has taken this table over"),
            StoreError::Taken => f.write_str("that row exists"),
            StoreError::Missing => f.write_str("a blob is not there"),
            StoreError::Full => f.write_str("there is no space for more"),
            StoreError::FullHere => f.write_str("there is no space for more from this address"),
            StoreError::Failed(why) => write!(f, "the store failed: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<Unwritable> for StoreError {
    fn from(unwritable: Unwritable) -> Self {
        StoreError::Failed(unwritable.to_string())
    }
}
