//! Uploaded packs: the shell reads them before a message that needs them, and the room keeps them only until the game begins, or
//! until a report is written.

use super::Room;
use crate::message::Message;
use crate::setup;
use baize_protocol::{Action, TableStatus};
use baize_rows::Write;

impl Room {
    /// Ids of the packs that this message may need and the room does not have. The shell reads the uploaded ones among them and
    /// hands them in as [`Message::Packs`] before the message. The room treats packs that the shell did not find as missing.
    pub fn packs_wanted(&self, message: &Message) -> Option<Vec<String>> {
        let chosen = self.record.settings.pack_ids.as_slice();
        let ids = match message {
            Message::Act(act) => match &act.action {
                // A change of settings that will be refused must not remove the packs for a start that waits for nonces.
                Action::Configure { settings }
                    if self.must_lead(act.client).is_ok() && self.must_be_lobby().is_ok() =>
                {
                    settings.pack_ids.as_slice()
                }
                Action::StartGame | Action::Nonce { .. } | Action::AddBot { .. }
                    if self.record.status == TableStatus::Lobby =>
                {
                    chosen
                }
                Action::RestartGame => chosen,
                Action::Report { about } => return self.packs_for_report(act.client, about),
                _ => return None,
            },
            // The join may take the last seat and so start the game.
            Message::Join(_) if self.record.status == TableStatus::Lobby => chosen,
            _ => return None,
        };
        let has = |id: &String| self.packs.get(id).is_some() || self.context.operator_packs.get(id).is_some();
        (!ids.iter().all(has)).then(|| ids.to_vec())
    }

    /// Makes the table reference the packs it has chosen, so that the store keeps them as long as the table.
    pub(super) fn reference_packs(&mut self) {
        let chosen = setup::packs(&self.rules, &self.record.settings, &self.context.operator_packs, &self.packs);
        let chosen: Vec<_> = chosen.unwrap_or_default().into_iter().filter(|pack| pack.uploaded).collect();
        for pack in &chosen {
            let body = baize_packs::to_json(&pack.pack).into_bytes();
            self.pending.writes.push(Write::Blob { hash: pack.hash, body });
        }
        self.pending.use_packs(chosen.into_iter().map(|pack| pack.pack.id.clone()).collect(), self.time.date);
    }

    /// Drops the packs that a report needed.
    pub(super) fn drop_packs_of_report(&mut self) {
        if self.record.status != TableStatus::Lobby && self.starting.is_none() {
            self.packs.clear();
        }
    }

    /// Drops the packs when the game has begun: the game has their cards.
    pub(super) fn drop_packs(&mut self) {
        let used = self.record.settings.pack_ids.iter().filter(|id| self.packs.get(id).is_some()).cloned().collect();
        self.pending.use_packs(used, self.time.date);
        self.packs.clear();
    }
}
