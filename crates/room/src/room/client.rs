//! One connected browser, as the room knows it.

use crate::identity::Member;
use crate::message::ClientId;
use crate::names;
use baize_protocol::ErrorCode;

/// A client that has joined.
#[derive(Clone, Debug)]
pub struct Client {
    pub id: ClientId,
    pub member: Member,
    /// `None` for a spectator.
    pub player: Option<String>,
    pub spectator: u32,
    pub name: String,
    /// The keys by which the name is compared. The room keeps them because making them takes microseconds, and it compares each
    /// newcomer with everybody.
    pub(super) keys: names::Keys,
    pub watching_because: Option<ErrorCode>,
    /// Whether the room has closed this client. It sends such a client nothing more.
    pub(super) closed: bool,
}

impl Client {
    pub fn public_id(&self) -> String {
        self.player.clone().unwrap_or_else(|| format!("s{}", self.spectator))
    }
}
