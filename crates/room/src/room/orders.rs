//! What an operator, or somebody who wants to be forgotten, asks of a table.

use super::Room;
use super::allowance::FORGETTING;
use crate::identity::Member;
use crate::message::{ClientId, Time};
use baize_engine::input::Input;
use baize_engine::view::{Line, Piece};
use baize_protocol::{ChatLine, ErrorCode, LeaveReason, Presence, TableEvent, TableStatus};
use std::collections::BTreeSet;

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

    /// Somebody leaves for good. What the records know of them is scrubbed when this is stored.
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

    /// Whether this table may forget somebody now. Everybody at it is sent the whole table each time, and the store reads all
    /// of its games, so whoever comes back under a new secret over and over has to wait; the order comes again by itself.
    pub fn may_forget(&mut self, time: Time) -> bool {
        self.allowances.forgetting.take(FORGETTING, 1, time.now).is_ok()
    }

    /// The store is scrubbed; the room forgets the same. Nobody's connection and nobody's limits are concerned.
    pub(super) fn forgotten(&mut self, member: &Member, lines: Vec<ChatLine>) {
        let was_player = !self.record.forget(member).is_empty();
        if let Some(play) = &mut self.play {
            play.record.forget(member, &BTreeSet::new());
        }
        let changed = was_player || !lines.is_empty();
        for line in lines {
            if let Some(kept) = self.chat.iter_mut().find(|kept| kept.line.n == line.n) {
                (kept.line, kept.about) = (line, None);
                kept.author.take_if(|author| author == member);
            }
        }
        if changed {
            let ids: Vec<ClientId> = self.clients.iter().map(|client| client.id).collect();
            ids.into_iter().for_each(|id| self.pending.state(id, None));
        }
        self.pending.record = true;
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
