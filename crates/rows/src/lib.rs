#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use std::fmt;

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// One change to the stored rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Replaces the table's record.
    Table {
        record: Vec<u8>,
        at: u64,
        /// Whether the table appears in its members' lists of tables.
        listed: bool,
        /// Id of the running game.
        running: Option<String>,
    },
    /// Adds a member to the table. A store keeps at least the last [`MEMBERS_KEPT`] numbered members of a table.
    Member(MemberRow),
    /// Stores a text by its hash, and notes that the table references it.
    Blob { hash: Hash, body: Vec<u8> },
    /// Stores a text by its hash, and notes that this game references it. The game's row exists, or stands earlier in the commit.
    GameBlob { game: String, hash: Hash, body: Vec<u8> },
    /// Adds a game, or replaces its record.
    Game(GameRow),
    /// The game's log is complete, and a store may archive it. If the table has more than [`GAMES_KEPT`] games, the store deletes the
    /// oldest ones with their logs, snapshots and blobs.
    Ended { game: String },
    /// Appends a row to a game's log. Rows arrive in the order of `seq`, except within a commit. If the row exists, the commit fails.
    Log { game: String, row: LogRow },
    /// Replaces the game's snapshot.
    Snapshot { game: String, snapshot: Snapshot },
    /// Adds a line of chat, or replaces its text. A store keeps at least the last [`CHAT_KEPT`] lines of a table.
    Chat(ChatRow),
    /// Replaces a line of chat if it exists.
    ChatChanged(ChatRow),
    /// Adds a report. If there are too many, the store deletes an older one.
    Report(ReportRow),
    /// Removes a member from the table.
    Forget { member: Hash },
}

/// A browser that belongs to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    pub member: Hash,
    /// The member's name, for people who look into the database. A store may ignore it. If it is empty, the room does not know
    /// the name, and the store keeps the name that it has.
    pub name: String,
    /// The number of the row at its table. A row without a number stays as long as the table does.
    pub n: Option<u64>,
}

/// How many numbered members of a table a store keeps. A new secret is free, so without this bound the rows of strangers who come
/// and go would grow for ever.
pub const MEMBERS_KEPT: u64 = 2_048;
/// A store deletes the members with older numbers whenever it writes a number that is a multiple of this.
pub const MEMBERS_TRIM_EVERY: u64 = 64;

impl MemberRow {
    /// If it is time to delete old members after writing this one, returns the last number to delete.
    pub fn trims_up_to(&self) -> Option<u64> {
        self.n.filter(|n| n.is_multiple_of(MEMBERS_TRIM_EVERY)).and_then(|n| n.checked_sub(MEMBERS_KEPT))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: String,
    /// JSON, like the record of a table.
    pub record: Vec<u8>,
}

/// How many games of a table a store keeps. Players may start over all day, so without this bound the rows of ended games would grow
/// for as long as the table lives.
pub const GAMES_KEPT: u64 = 200;
/// Upper bound on the games that a store deletes when one ends, so that no commit waits long for an old table with many games.
pub const GAMES_TRIMMED_AT_ONCE: u64 = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    pub seq: u64,
    pub at: u64,
    /// The move or other input, encoded by the room.
    pub input: Vec<u8>,
    /// The events that followed, in logs of earlier versions. New rows have none, because the room writes the replay when the game ends.
    pub old_batches: Vec<u8>,
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

/// How many chat lines of a table a store keeps.
pub const CHAT_KEPT: u64 = 1_000;
/// A store deletes older lines whenever it writes a line whose number is a multiple of this.
pub const CHAT_TRIM_EVERY: u64 = 64;

impl ChatRow {
    /// If it is time to delete old lines after writing this one, returns the number of the last line to delete.
    pub fn trims_up_to(&self) -> Option<u64> {
        self.n.checked_sub(CHAT_KEPT).filter(|_| self.n.is_multiple_of(CHAT_TRIM_EVERY))
    }
}

/// A report by a player about a chat line, a name or the words on a card, as that player saw them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// The store assigns ids; 0 in a new report.
    pub id: i64,
    /// A repeated report has the same key, and the store keeps it once.
    pub key: Hash,
    pub at: u64,
    /// The code of the table.
    pub table: String,
    pub kind: String,
    pub reporter: Option<Hash>,
    /// The browser whose words or name the report is about. `None` if nobody knows it, or if the person is forgotten.
    pub about: Option<Hash>,
    /// The name that the person had then.
    pub name: String,
    /// Further details, as JSON.
    pub body: Vec<u8>,
}

/// The name that replaces the name of a person who wants to be forgotten.
pub const SOMEBODY: &str = "Somebody";

/// A value that cannot be serialised. The commit that needs it fails; no store writes an empty row in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The kind of the value, such as "a log row".
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
