//! Orders: what an operator, or somebody who wants to be forgotten, asks of a table.

use super::Room;
use super::allowance::FORGETTING;
use crate::identity::Member;
use crate::message::{ClientId, Time};
use baize_engine::input::Input;
use baize_engine::view::{Piece, RichText};
use baize_protocol::{ChatLine, ErrorCode, LeaveReason, Presence, TableEvent, TableStatus};
use std::collections::BTreeSet;

impl Room {
    /// Ends the table for everybody, as when its host abandons it, and shows the reason.
    pub(super) fn close_table(&mut self, reason: &str) {
        if self.record.abandoned {
            return;
        }
        self.record.abandoned = true;
        self.starting = None;
        self.session(closed_because(reason));
        // An announcement, for people who do not read the chat.
        let text = RichText(vec![Piece::Text(closed_because(reason))]);
        self.pending.event(TableEvent::Announced { text, kind: "session".into() });
        if self.is_game_running() {
            self.apply_input(Input::Abandon);
        }
        if self.record.status != TableStatus::Ended {
            self.record.status = TableStatus::Ended;
            self.record.ended_at = Some(self.date());
            self.pending.event(TableEvent::GameEnded);
        }
        self.pending.table();
    }

    /// Removes a member for good. The shell removes the member from the stored records after this is stored.
    pub(super) fn remove_member(&mut self, member: &Member) {
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

    /// Whether this table may forget somebody now. For each request the room sends everybody the whole table, and the store reads
    /// all of its games, so there is a limit; the shell tries the order again later.
    pub fn may_forget(&mut self, time: Time) -> bool {
        self.allowances.forgetting.take(FORGETTING, 1, time.now).is_ok()
    }

    /// The store has forgotten the member, and now the room does. Connections and rate limits of others do not change.
    pub(super) fn forgotten(&mut self, member: &Member, lines: Vec<ChatLine>) {
        let was_player = !self.record.forget(member).is_empty();
        if let Some(play) = &mut self.play {
            play.record.forget(member, &BTreeSet::new());
        }
        let changed = was_player || !lines.is_empty();
        for line in lines {
            if let Some(kept) = self.chat.iter_mut().find(|kept| kept.line.n == line.n) {
                (kept.line, kept.topic) = (line, None);
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

/// The text that players read when a table is closed.
pub fn closed_because(reason: &str) -> String {
    let reason = reason.trim();
    match reason.is_empty() {
        true => "The people who run this server have closed this table.".into(),
        false => format!("The people who run this server have closed this table: {reason}"),
    }
}
