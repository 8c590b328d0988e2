//! Looking on from outside: spectators, and the replay when all is over.
//!
//! A step is told to spectators only while there are any. See [`log_replay`](crate::log_replay).

use super::Room;
use super::effects::game_row;
use super::join::Client;
use crate::identity::hash;
use crate::prepared::PreparedGame;
use crate::record::GameRecord;
use baize_engine::observe::SavedObserver;
use baize_engine::view::Viewer;
use baize_rows::Write;
use std::sync::Arc;

/// Somebody watches a game that nobody watched. The shell plays its log again up to this step with
/// [`LogReplay`](crate::log_replay::LogReplay) and calls [`Room::handle_spectators`].
pub struct SpectatorsWanted {
    pub prepared: Arc<PreparedGame>,
    pub record: GameRecord,
    pub seq: u64,
}

impl Room {
    fn watches(&self, client: &Client) -> bool {
        !client.cut && self.viewer(client) == Viewer::Spectator
    }

    /// Whether spectators need what they would have seen so far. Asked when everything up to here is stored.
    pub fn spectators_wanted(&self) -> Option<SpectatorsWanted> {
        let play = self.play.as_ref().filter(|play| !play.watched)?;
        if !self.clients.iter().any(|client| self.watches(client)) {
            return None;
        }
        let (prepared, record) = (play.live.prepared().clone(), play.record.clone());
        Some(SpectatorsWanted { prepared, record, seq: play.live.seq() })
    }

    /// Spectators see what one sees who has been here from the start.
    pub fn handle_spectators(&mut self, saved: Option<SavedObserver>) {
        if let (Some(play), Some(saved)) = (&mut self.play, saved) {
            play.watched = play.live.admit(saved);
        }
    }

    /// The last one has gone, perhaps. Asked now and then and not each time: who comes back soon costs nothing.
    pub(super) fn dismiss_spectators(&mut self) {
        let watched = self.clients.iter().any(|client| self.watches(client));
        if let Some(play) = self.play.as_mut().filter(|play| play.watched && !watched) {
            play.watched = false;
            play.live.dismiss(Viewer::Spectator);
        }
    }

    /// What a game that is over was like, with everything face up. Not written with each step: few games are ever looked at
    /// again, and in one go it is a fraction of the work. If this comes to nothing, the next room of the table tries
    /// again, and who asks for the replay before that waits for it.
    pub(super) fn replay_written(&mut self, mut record: GameRecord, batches: Vec<u8>) {
        let address = hash(&[&batches]);
        record.told = Some(address);
        if let Some(play) = self.play.as_mut().filter(|play| play.record.id == record.id) {
            play.record.told = record.told;
        }
        self.pending.writes.push(Write::Blob { hash: address, body: batches });
        self.pending.add(game_row(&record));
    }
}
