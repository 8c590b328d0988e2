//! Rows for operators: uploaded packs, orders to tables, makers, and limits.

use crate::Hash;

/// A pack that somebody uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackRow {
    pub id: String,
    /// Hash of the pack's canonical text, which is a blob.
    pub hash: Hash,
    /// What a list of packs shows, as JSON.
    pub info: Vec<u8>,
    /// The browser that uploaded the pack. `None` if it is unknown or forgotten.
    pub maker: Option<Hash>,
    /// A keyed hash of the address it came from.
    pub origin: Option<Hash>,
    /// Length of the canonical text.
    pub bytes: u64,
    pub created_at: u64,
    /// When a table last chose it.
    pub used_at: u64,
}

/// A limit on uploaded packs and on their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackQuota {
    pub packs: u64,
    pub bytes: u64,
}

/// The quotas that apply to an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackQuotas {
    /// The quota of all packs together.
    pub total: PackQuota,
    /// The quota of the packs that came from one address.
    pub origin: PackQuota,
}

/// Upper bounds on stored tables. A request for a table that exists already is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableQuotas {
    /// The bound on all tables together.
    pub total: u64,
    /// The bound on the tables that were made from one address.
    pub origin: u64,
}

impl Default for TableQuotas {
    /// No bounds.
    fn default() -> Self {
        TableQuotas { total: u64::MAX, origin: u64::MAX }
    }
}

/// A page of a list of packs, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackQuery {
    /// If there is a maker, the page has only packs of this maker.
    pub maker: Option<Hash>,
    /// The page has only ids after this one.
    pub after: String,
    pub limit: u32,
}

/// Which packs to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackChoice {
    Id(String),
    /// All packs of a maker.
    Maker(Hash),
}

/// What an operator asks of a table. It stays in the store until a node has carried it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    pub id: i64,
    pub at: u64,
    /// The order, which the server encodes.
    pub body: Vec<u8>,
}

/// A browser with its tables, packs and reports, as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakerRow {
    pub member: Hash,
    /// How many tables it belongs to.
    pub tables: u64,
    pub packs: u64,
    pub pack_bytes: u64,
    /// How many reports are about it.
    pub reports: u64,
}

/// Times before which packs, reports and unused tables are too old to keep. 0 keeps all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expiry {
    /// The store deletes packs that no table references and no table has chosen since this time.
    pub packs: u64,
    /// The store deletes reports from before this time.
    pub reports: u64,
    /// The store deletes tables made before this time to which nobody has ever come: no room has written a record with another time.
    pub tables: u64,
}

/// Upper bound on reports from one table. A further report replaces an older one: the oldest by the busiest reporter about the most
/// reported person.
pub const MAX_REPORTS_PER_TABLE: u64 = 50;
/// Upper bound on all reports. A further report replaces the oldest one from the table with the most reports.
pub const MAX_REPORTS: u64 = 10_000;
/// Upper bound on orders that wait at the same time.
pub const MAX_ORDERS: u64 = 10_000;
