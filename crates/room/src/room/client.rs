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
    /// The keys by which the name is compared. They are kept because making them takes microseconds, and each newcomer is
    /// compared with everybody.
    pub(super) keys: names::Keys,
    pub watching_because: Option<ErrorCode>,
    /// The room has closed this client and sends it nothing more.
    pub(super) cut: bool,
}

impl Client {
    pub fn who(&self) -> String {
        self.player.clone().unwrap_or_else(|| format!("s{}", self.spectator))
    }
}
