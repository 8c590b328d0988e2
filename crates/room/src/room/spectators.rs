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
pub struct SpectatorReplayRequest {
    pub prepared: Arc<PreparedGame>,
    pub record: GameRecord,
    pub seq: u64,
}

impl Room {
    fn watches(&self, client: &Client) -> bool {
        !client.closed && self.viewer(client) == Viewer::Spectator
    }

    /// Says whether spectators need the state of a spectator who was there from the start. The shell calls it when every step is
    /// stored.
    pub fn spectator_replay_request(&self) -> Option<SpectatorReplayRequest> {
        let play = self.play.as_ref().filter(|play| !play.watched)?;
        if !self.clients.iter().any(|client| self.watches(client)) {
            return None;
        }
        let (prepared, record) = (play.live.prepared().clone(), play.record.clone());
        Some(SpectatorReplayRequest { prepared, record, seq: play.live.seq() })
    }

    /// Takes the state of a spectator who was there from the start.
    pub fn handle_spectators(&mut self, saved: Option<SavedObserver>) {
        if let (Some(play), Some(saved)) = (&mut self.play, saved) {
            play.watched = play.live.admit(saved);
        }
    }

    /// Stops making batches for spectators if the last one is gone. The room calls it only at a start, before a snapshot and before
    /// the game hibernates, so that a spectator who reloads the page costs nothing.
    pub(super) fn dismiss_spectators(&mut self) {
        let watched = self.clients.iter().any(|client| self.watches(client));
        if let Some(play) = self.play.as_mut().filter(|play| play.watched && !watched) {
            play.watched = false;
            play.live.dismiss(Viewer::Spectator);
        }
    }

    /// Stores the replay of an ended game, with everything face up. The room does not write it step by step: people replay few
    /// games, and writing the replay in one go costs a fraction. If a crash loses the replay, the next room of the table writes it,
    /// and a request before that makes the server compute it.
    pub(super) fn replay_written(&mut self, mut record: GameRecord, batches: Vec<u8>) {
        let address = hash(&[&batches]);
        record.replay = Some(address);
        if let Some(play) = self.play.as_mut().filter(|play| play.record.id == record.id) {
            play.record.replay = record.replay;
        }
        // The row comes first: the store may have deleted the game meanwhile, and a blob needs its game.
        self.pending.add(game_row(&record));
        self.pending.writes.push(Write::GameBlob { game: record.id, hash: address, body: batches });
    }
}
