//! Packs that people uploaded: read before a note that needs them is taken up, kept only until the game begins.

use super::{Note, Room};
use crate::setup;
use baize_protocol::{Action, TableStatus};
use baize_store::Write;

impl Room {
    /// Reads the uploaded packs that this note may need. Taking up a note waits for nothing, so this comes before.
    pub(super) async fn gather_packs(&mut self, note: &Note) {
        let Some(ids) = self.packs_needed(note).filter(|ids| self.packs.lacks(ids, &self.services.packs)) else {
            return;
        };
        match self.services.packs.gather(ids, self.services.store.as_ref()).await {
            Ok(gathered) => self.packs = gathered,
            // Then they count as missing, and whoever wants them is told.
            Err(error) => tracing::warn!(code = %self.record.code, %error, "packs could not be read"),
        }
    }

    fn packs_needed<'a>(&'a self, note: &'a Note) -> Option<&'a [String]> {
        let chosen = self.record.settings.pack_ids.as_slice();
        let ids = match note {
            Note::Act(act) => match &act.action {
                // A refused one must not take away the packs that a start is waiting to use.
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
                _ => return None,
            },
            // The last seat may be taken, and the game begin by itself.
            Note::Join(_) if self.record.status == TableStatus::Lobby => chosen,
            _ => return None,
        };
        (!ids.is_empty()).then_some(ids)
    }

    /// The table speaks of the packs it has chosen from now on, so that they are kept as long as it is.
    pub(super) fn note_packs(&mut self) {
        let chosen = setup::packs(&self.rules, &self.record.settings, &self.services.packs, &self.packs);
        let chosen: Vec<_> = chosen.unwrap_or_default().into_iter().filter(|pack| pack.uploaded).collect();
        for pack in &chosen {
            let body = baize_packs::to_json(&pack.pack).into_bytes();
            self.effects.writes.push(Write::Blob { hash: pack.hash, body });
        }
        self.touch_packs(chosen.into_iter().map(|pack| pack.pack.id.clone()).collect());
    }

    /// These packs are in use. Nobody waits for this to be written.
    fn touch_packs(&self, ids: Vec<String>) {
        if !ids.is_empty() {
            drop(self.services.store.touch_packs(ids, self.date()));
        }
    }

    /// The game has begun, and has the cards itself.
    pub(super) fn drop_packs(&mut self) {
        let used = self.record.settings.pack_ids.iter().filter(|id| self.packs.get(id).is_some()).cloned().collect();
        self.touch_packs(used);
        self.packs.clear();
    }
}
