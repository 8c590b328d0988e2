//! Which browsers belong to the table. The store finds a browser's tables by these rows, for the list of its tables and for
//! *Forget me*.
//!
//! The store keeps the row of everybody who has played as long as the table. Everybody else's row has a number, and the store
//! keeps only the newest numbers: a new secret is free, and strangers who come and go must not fill the store. A browser that
//! the record still names gets a new number before the store would delete its row.

use super::Room;
use crate::identity::{Member, hex};
use baize_rows::{MEMBERS_TRIM_EVERY, MemberRow, Write};
use std::collections::BTreeMap;

impl Room {
    /// Notes that this browser has left something at the table: a seat in the lobby, a chat line, an entry in a list.
    pub(super) fn note_member(&mut self, member: Member, name: String) {
        self.record.members_noted += 1;
        let n = self.record.members_noted;
        if n.is_multiple_of(MEMBERS_TRIM_EVERY) {
            // The store deletes old rows with this number.
            self.renew_members(n - 1);
            self.pending.record = true;
        }
        self.pending.writes.push(Write::Member(MemberRow { member, name, n: Some(n) }));
    }

    /// Notes that the record or the log of a game names this browser.
    pub(super) fn note_player(&mut self, member: Member, name: String) {
        self.pending.writes.push(Write::Member(MemberRow { member, name, n: None }));
    }

    fn renew_members(&mut self, n: u64) {
        let record = &self.record;
        let listed = [&record.banned, &record.muted, &record.inside].into_iter().flatten();
        let moved = record.left_behind.iter().map(|(_, member)| member);
        let authors = self.chat.iter().filter_map(|kept| kept.author.as_ref());
        let mut known: BTreeMap<Member, String> =
            listed.chain(moved).chain(authors).map(|member| (*member, String::new())).collect();
        known.extend(record.players.iter().filter_map(|player| Some((player.name_owner()?, player.name.clone()))));
        let rows = known.into_iter().map(|(member, name)| Write::Member(MemberRow { member, name, n: Some(n) }));
        self.pending.writes.extend(rows);
    }
}

/// The topic of session lines about a person: the browser, or the name of somebody without one. The room folds lines with the
/// same topic. If the name alone were the topic, strangers who take one name after each other would share one line, and only the
/// last of them could be found by it.
pub fn topic(member: Option<&Member>, name: &str) -> String {
    member.map_or_else(|| name.to_owned(), |member| hex(member))
}
