//! What an operator, or somebody who wants to be forgotten, asks of a table.

use super::Room;
use crate::identity::Member;
use crate::message::ClientId;
use baize_engine::input::Input;
use baize_engine::view::{Line, Piece};
use baize_protocol::{ErrorCode, LeaveReason, Presence, TableEvent, TableStatus};

impl Room {
    /// The table is over for everyone, as when its host abandons it, and everyone reads why.
    pub(super) fn close_table(&mut self, reason: &str) {
        if self.record.abandoned {
            return;
        }
        self.record.abandoned = true;
        self.starting = None;
        self.session(closed_because(reason));
        // Also for those who do not read the chat.
        let text = Line(vec![Piece::Text(closed_because(reason))]);
        self.pending.event(TableEvent::Announced { text, kind: "session".into() });
        if self.under_way() {
            self.put(Input::Abandon);
        }
        if self.record.status != TableStatus::Ended {
            self.record.status = TableStatus::Ended;
            self.record.ended_at = Some(self.date());
            self.pending.event(TableEvent::GameEnded);
        }
        self.pending.table();
    }

    /// Somebody leaves for good. What the records know of them is scrubbed when the room has ended.
    pub(super) fn farewell(&mut self, member: &Member) {
        let theirs = self.clients.iter().filter(|client| client.member == *member);
        let theirs: Vec<ClientId> = theirs.map(|client| client.id).collect();
        let player = self.record.by_member(member).filter(|player| player.presence != Presence::Left);
        if let Some(id) = player.map(|player| player.id.clone()) {
            self.remove(&id, LeaveReason::Left);
        }
        theirs.into_iter().for_each(|client| self.pending.close(client, ErrorCode::Forgotten));
        self.answered.remove(member);
        self.allowances.remove(member);
        self.askers.remove(member);
    }
}

/// What players read when a table is closed.
pub fn closed_because(reason: &str) -> String {
    let reason = reason.trim();
    match reason.is_empty() {
        true => "The people who run this server have closed this table.".into(),
        false => format!("The people who run this server have closed this table: {reason}"),
    }
}
