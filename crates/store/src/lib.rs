#![doc = include_str!("../README.md")]
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
    Expiry, MAX_ORDERS, MAX_REPORTS, MAX_REPORTS_PER_TABLE, MakerRow, OrderRow, PackChoice, PackQuery, PackQuota,
    PackQuotas, PackRow, TableQuotas,
};
pub use baize_rows::{
    CHAT_KEPT, CHAT_TRIM_EVERY, ChatRow, GAMES_KEPT, GAMES_TRIMMED_AT_ONCE, GameRow, Hash, LogRow, MEMBERS_KEPT,
    MEMBERS_TRIM_EVERY, MemberRow, ReportRow, SOMEBODY, Snapshot, Unwritable, Write,
};
pub use faults::Faults;
pub use postgres::{Mailbox, PostgresConfig, PostgresStore};
pub use sqlite::{SqliteStore, backup};
pub use stats::{Health, Stats};

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// The future result of a request. The request runs even if the caller drops this.
pub type Pending<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// All that a server asks of its storage. The contract suite (feature `contract`) runs on every implementation.
pub trait Store: Send + Sync + 'static {
    /// Creates a table. If a table with the same key exists, returns its code and writes nothing. Fails with [`StoreError::Missing`] if
    /// a blob that the table references does not exist, and with [`StoreError::Full`] or [`StoreError::AddressFull`] if a quota is
    /// used up.
    fn create(&self, table: NewTable) -> Pending<Created>;
    /// Reads a table and takes it over, unless another node has it. This raises the epoch, so that whoever opened the table before can no
    /// longer write to it.
    fn open(&self, code: &str) -> Pending<Opened>;
    /// Releases a table, so that any node may open it. Does nothing if `epoch` is not the table's.
    fn release(&self, table: i64, epoch: i64) -> Pending<()>;
    /// Reads a table's record without taking it over.
    fn peek(&self, code: &str) -> Pending<Option<TableRow>>;
    /// Writes all of a commit or nothing. The commit is on disk when the future is ready.
    fn commit(&self, commit: Commit) -> Pending<()>;

    fn game(&self, game: &str) -> Pending<Option<GameRow>>;
    /// Log rows after `seq`, at most `limit`, in order.
    fn log(&self, game: &str, after: u64, limit: u32) -> Pending<Vec<LogRow>>;
    fn snapshot(&self, game: &str) -> Pending<Option<Snapshot>>;
    /// The last `limit` chat lines after number `after`, in order.
    fn chat(&self, table: i64, after: u64, limit: u32) -> Pending<Vec<ChatRow>>;
    /// The listed tables that this member belongs to, the most recently changed first.
    fn tables_of(&self, member: &Hash, limit: u32) -> Pending<Vec<TableRow>>;

    /// Stores a blob. The next [`Store::purge`] deletes it unless a table, a game or a pack references it by then.
    fn put_blob(&self, hash: Hash, body: Vec<u8>) -> Pending<()>;
    fn blob(&self, hash: &Hash) -> Pending<Option<Vec<u8>>>;
    /// Adds a game's rules to a catalogue for people who look into the database. The server never reads it, and a store may ignore this.
    fn note_definition(&self, _definition: DefinitionRow) -> Pending<()> {
        Box::pin(async { Ok(()) })
    }

    /// Stores all of these texts and adds all of these packs, which come from one address. Stores and adds nothing if an id exists
    /// ([`StoreError::Taken`]), a blob does not ([`StoreError::Missing`]) or a quota is used up ([`StoreError::Full`],
    /// [`StoreError::AddressFull`]). A deleted pack counts until no table and no game uses its text.
    fn add_packs(&self, packs: Vec<PackRow>, texts: Vec<(Hash, Vec<u8>)>, quotas: PackQuotas) -> Pending<()>;
    fn packs(&self, query: PackQuery) -> Pending<Vec<PackRow>>;
    fn pack(&self, id: &str) -> Pending<Option<PackRow>>;
    /// Notes that tables have chosen these packs at this time.
    fn touch_packs(&self, ids: Vec<String>, at: u64) -> Pending<()>;
    /// Returns how many packs it has deleted. Blobs of these packs that tables or games reference stay, and count for the quotas; all
    /// others are deleted at once.
    fn delete_packs(&self, choice: PackChoice) -> Pending<u64>;

    /// Adds an order for the nodes, unless one with the same key waits already. Fails with [`StoreError::Full`] if too many wait.
    fn put_order(&self, key: Hash, at: u64, body: Vec<u8>) -> Pending<i64>;
    /// The waiting orders, the oldest first.
    fn orders(&self, limit: u32) -> Pending<Vec<OrderRow>>;
    fn finish_order(&self, id: i64) -> Pending<()>;

    /// Reports with ids greater than `after`, in order.
    fn reports(&self, after: i64, limit: u32) -> Pending<Vec<ReportRow>>;
    /// Returns whether the report existed.
    fn delete_report(&self, id: i64) -> Pending<bool>;

    /// All tables with codes after `after`, in order.
    fn tables(&self, after: &str, limit: u32) -> Pending<Vec<TableRow>>;
    /// Codes of the tables a member belongs to, listed or not.
    fn codes_of(&self, member: &Hash, limit: u32) -> Pending<Vec<String>>;
    /// The id of a table, without opening it.
    fn table_id(&self, code: &str) -> Pending<Option<i64>>;
    /// Ids of the games played at a table.
    fn games_of(&self, table: i64) -> Pending<Vec<String>>;
    /// Browsers with hashes after `after`, in order.
    fn makers(&self, after: Option<Hash>, limit: u32) -> Pending<Vec<MakerRow>>;

    /// Deletes a table that was opened under this epoch, with everything that belongs to it.
    fn delete_table(&self, table: i64, epoch: i64) -> Pending<()>;
    /// Replaces the inputs of existing log rows, by `seq`. This is how the words of a forgotten person leave the logs.
    fn rewrite_log(&self, table: i64, epoch: i64, game: &str, inputs: Vec<(u64, Vec<u8>)>) -> Pending<()>;
    /// Forgets a browser that belongs to no table any more: deletes its packs and its name, and removes it from reports.
    fn forget(&self, member: &Hash) -> Pending<()>;
    /// Deletes packs, reports and unused tables that are too old. Returns how many packs it has deleted.
    fn expire(&self, expiry: Expiry) -> Pending<u64>;
    /// Returns the value that all nodes share under this name. If there is none yet, stores `proposed` and returns it.
    fn shared_value(&self, name: &str, proposed: Vec<u8>) -> Pending<Vec<u8>>;

    /// Deletes tables not changed since `before` with everything that belongs to them, and blobs without references. Returns how many
    /// tables it has deleted.
    fn purge(&self, before: u64) -> Pending<u64>;

    /// Finishes all earlier requests and closes all files and connections; they are closed when the future is ready. Later requests fail.
    fn close(&self) -> Pending<()>;

    /// Tries whether the store can write, if the last commit failed, so that [`Stats::health`] recovers even if nobody commits.
    fn check(&self) -> Pending<()>;

    fn stats(&self) -> &Stats;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// Hash of the browser that makes the table and of the id that the browser gave it. A repeated request has the same key.
    pub key: Hash,
    /// Must be new; otherwise the request fails with [`StoreError::Taken`].
    pub code: String,
    pub at: u64,
    pub record: Vec<u8>,
    pub members: Vec<MemberRow>,
    /// The blobs that the table references.
    pub blobs: Vec<Hash>,
    /// A keyed hash of the address it came from.
    pub origin: Option<Hash>,
    pub quotas: TableQuotas,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    pub code: String,
    /// False if the table existed already.
    pub new: bool,
}

/// The result of opening a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// No table has this code.
    Unknown,
    Here(OpenTable),
    /// Another node has the table. Its lease ends in `left` milliseconds unless the node renews it.
    Elsewhere {
        node: String,
        left: u64,
    },
}

impl Opened {
    /// Returns the table, if it was opened here.
    pub fn opened_here(self) -> Option<OpenTable> {
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
    /// Time of the last change, of the row itself or of its running game's log.
    pub updated_at: u64,
}

/// Writes to one table that are stored together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub table: i64,
    /// The epoch that [`Store::open`] returned.
    pub epoch: i64,
    pub writes: Vec<Write>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionRow {
    pub id: String,
    pub name: String,
    /// Hash of the game's definition, which is a blob.
    pub hash: Hash,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Somebody else has opened the table since.
    Fenced,
    /// The code, the id or the log row exists already.
    Taken,
    /// A referenced blob does not exist.
    Missing,
    /// A limit for all rows of this kind is reached.
    Full,
    /// The limit for rows from one address is reached.
    AddressFull,
    /// The disk or the database has failed, or the store is closed.
    Failed(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            StoreError::Fenced => f.write_str("another server has taken this table over"),
            StoreError::Taken => f.write_str("that row exists"),
            StoreError::Missing => f.write_str("a blob is not there"),
            StoreError::Full => f.write_str("there is no space for more"),
            StoreError::AddressFull => f.write_str("there is no space for more from this address"),
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
