//! Limits that the client and the server share. The server refuses anything beyond them.

/// Bytes of one WebSocket message from a client.
pub const FRAME_BYTES: usize = 8 * 1024;
/// Characters of a `requestId`.
pub const REQUEST_ID_CHARS: usize = 64;
/// Characters of a display name, after white space is folded.
pub const NAME_CHARS: usize = 24;
/// Characters of one chat message.
pub const CHAT_CHARS: usize = 400;
/// Lines of one chat message; further line breaks become spaces.
pub const CHAT_LINES: usize = 8;
/// People who may wait at the same time for the lead to admit them.
pub const ASKERS: usize = 16;
/// Chat lines sent on joining.
pub const CHAT_HISTORY: usize = 100;
/// Characters of a browser's secret: 22 characters of base64url hold 128 bits.
pub const SECRET_CHARS: std::ops::RangeInclusive<usize> = 22..=128;
/// Characters of the id that a client chooses for a new table.
pub const CREATE_ID_CHARS: std::ops::RangeInclusive<usize> = 16..=64;
/// Characters of a player's nonce.
pub const NONCE_CHARS: usize = 64;
/// Packs chosen for one table.
pub const PACKS: usize = 64;
/// Cards in the packs chosen for one table.
pub const PACK_CARDS: usize = 50_000;
/// Bytes of a table's settings as JSON. Every message about the table carries them, and they must fit into one message
/// from a client.
pub const SETTINGS_BYTES: usize = FRAME_BYTES;
/// The reactions that a client may send.
pub const REACTIONS: [&str; 8] = ["👍", "👏", "😂", "😮", "😢", "😡", "🎉", "🫏"];
