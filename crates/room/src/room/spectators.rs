//! Spectators, and the replay of a game that has ended.
//!
//! The room makes batches for spectators only while there are any. See [`log_replay`](crate::log_replay).

use super::Room;
use super::client::Client;
use super::effects::game_row;
use crate::identity::hash;
use crate::prepared::PreparedGame;
use crate::record::GameRecord;
use baize_engine::observe::SavedObserver;
use baize_engine::view::Viewer;
use baize_rows::Write;
use std::sync::Arc;

/// Somebody watches a game that had no spectators. The shell plays its log again up to this step with
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

    /// Whether spectators need the state of a spectator who was there from the start. To be called when every step is stored.
    pub fn spectators_wanted(&self) -> Option<SpectatorsWanted> {
        let play = self.play.as_ref().filter(|play| !play.watched)?;
        if !self.clients.iter().any(|client| self.watches(client)) {
            return None;
        }
        let (prepared, record) = (play.live.prepared().clone(), play.record.clone());
        Some(SpectatorsWanted { prepared, record, seq: play.live.seq() })
    }

    /// Takes the state of such a spectator.
    pub fn handle_spectators(&mut self, saved: Option<SavedObserver>) {
        if let (Some(play), Some(saved)) = (&mut self.play, saved) {
            play.watched = play.live.admit(saved);
        }
    }

    /// Stops making batches for spectators if the last one is gone. It is called only now and then, so that somebody who
    /// reloads the page costs nothing.
    pub(super) fn dismiss_spectators(&mut self) {
        let watched = self.clients.iter().any(|client| self.watches(client));
        if let Some(play) = self.play.as_mut().filter(|play| play.watched && !watched) {
            play.watched = false;
            play.live.dismiss(Viewer::Spectator);
        }
    }

    /// Stores the replay of an ended game, with everything face up. It is not written step by step: few games are ever
    /// replayed, and writing it in one go costs a fraction. If the replay is lost in a crash, the next room of the table writes
    /// it, and a request before that makes the server compute it.
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
