//! Rows that an operator works with: packs of strangers, orders to tables, reports, and who made what.

use crate::Hash;

/// A pack that somebody uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackRow {
    pub id: String,
    /// Hash of its canonical text, which is a blob.
    pub hash: Hash,
    /// What a list shows of it, as JSON.
    pub info: Vec<u8>,
    /// The browser that uploaded it. None: unknown, or forgotten.
    pub maker: Option<Hash>,
    /// A keyed hash of the address it came from.
    pub origin: Option<Hash>,
    /// Length of its canonical text.
    pub bytes: u64,
    pub created_at: u64,
    /// When a table last chose it.
    pub used_at: u64,
}

/// How much uploaded packs may take up, as packs and as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackQuota {
    pub packs: u64,
    pub bytes: u64,
}

/// Quotas that an upload must fit into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackQuotas {
    /// For all packs together.
    pub total: PackQuota,
    /// For the packs that came from one address.
    pub origin: PackQuota,
}

/// A page of a list of packs, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackQuery {
    /// Only packs of this maker.
    pub maker: Option<Hash>,
    /// Only ids after this one.
    pub after: String,
    pub limit: u32,
}

/// Which packs to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackChoice {
    Id(String),
    /// Every pack of a maker.
    Maker(Hash),
}

/// Something that the nodes of a server shall do with tables. It stays in the store until a node has done it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    pub id: i64,
    pub at: u64,
    /// The server's own form.
    pub body: Vec<u8>,
}

/// A browser, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakerRow {
    pub member: Hash,
    /// Tables at which it has or had a place.
    pub tables: u64,
    pub packs: u64,
    pub pack_bytes: u64,
    /// Reports about it.
    pub reports: u64,
}

/// What is too old to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// Packs that no table speaks of and none has chosen since.
    pub packs: u64,
    /// Reports made before.
    pub reports: u64,
}

/// Reports that are kept of one table, and of all together. Beyond that a new report replaces an old one: of the person at that
/// table about whom there are most, and of these the oldest by whoever reports most; in all, the oldest of the table with most.
pub const REPORTS_PER_TABLE: u64 = 50;
pub const REPORTS: u64 = 10_000;
/// Orders that wait at the same time.
pub const ORDERS: u64 = 10_000;
