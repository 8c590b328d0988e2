//! The rows that a table writes, as plain data: what a room wants stored and what a store stores.
//!
//! Both sides need these types, and neither may need the other: a room knows no database, a store knows no game.
#![forbid(unsafe_code)]

use std::fmt;

/// SHA-256 of something.
pub type Hash = [u8; 32];

/// One change to what is kept of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// The table's record changed.
    Table {
        record: Vec<u8>,
        at: u64,
        /// Whether its members find it among their tables.
        listed: bool,
        /// The game under way, if any.
        running: Option<String>,
    },
    /// Somebody belongs to the table now.
    Member(MemberRow),
    /// A text kept by its hash, of which the table speaks from now on.
    Blob { hash: Hash, body: Vec<u8> },
    /// A new game, or a changed record of one.
    Game(GameRow),
    /// Nothing will be added to this game's log: a store may put it where it is out of the way.
    Ended { game: String },
    /// The next row of a game's log: those of a game come in order, except within a commit. A row that exists is never
    /// overwritten: the commit fails.
    Log { game: String, row: LogRow },
    /// Replaces an older one.
    Snapshot { game: String, snapshot: Snapshot },
    /// A new line, or another text for one that is there. Of a table's lines the last [`CHAT_KEPT`] are kept, and a few more.
    Chat(ChatRow),
    /// Replaces a line that exists.
    ChatChanged(ChatRow),
    /// A player reported something. Where there are too many, an older one makes room.
    Report(ReportRow),
    /// This member does not belong to the table any more.
    Forget { member: Hash },
}

/// Somebody who belongs to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    pub member: Hash,
    /// For people who look into the database; a store may do without.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: String,
    /// JSON, like the record of a table.
    pub record: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    pub seq: u64,
    pub at: u64,
    /// What was put in.
    pub input: Vec<u8>,
    /// What was told of it; empty where that is written when the game is over.
    pub told: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub seq: u64,
    pub body: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    pub n: u64,
    pub body: Vec<u8>,
}

/// Chat lines of one table that are kept. A client is sent far fewer.
pub const CHAT_KEPT: u64 = 1_000;
/// Older lines are deleted with every so manieth line.
pub const CHAT_TRIM_EVERY: u64 = 64;

impl ChatRow {
    /// The last line that is to be deleted now that this one is written.
    pub fn trims_up_to(&self) -> Option<u64> {
        self.n.checked_sub(CHAT_KEPT).filter(|_| self.n.is_multiple_of(CHAT_TRIM_EVERY))
    }
}

/// What a player reported, as that player saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// The store numbers reports; 0 in one that is written.
    pub id: i64,
    /// The same key again is the same report.
    pub key: Hash,
    pub at: u64,
    /// The code of the table.
    pub table: String,
    pub kind: String,
    pub reporter: Option<Hash>,
    /// Whose text or name it is. None: a bot, or forgotten.
    pub about: Option<Hash>,
    /// The name under which that person was seen.
    pub name: String,
    /// The rest, as JSON.
    pub body: Vec<u8>,
}

/// The name that replaces the name of a person who wants to be forgotten.
pub const SOMEBODY: &str = "Somebody";

/// A value that has no written form. Whatever was to be done with it fails; it never becomes an empty row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// As in "a log row".
    what: &'static str,
    why: String,
}

impl Unwritable {
    pub fn new(what: &'static str, why: impl ToString) -> Self {
        Unwritable { what, why: why.to_string() }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} cannot be written down: {}", self.what, self.why)
    }
}

impl std::error::Error for Unwritable {}
