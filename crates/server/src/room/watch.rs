//! Looking on from outside: spectators, and the replay when all is over.
//!
//! A step is told to spectators only while there are any. See [`recount`].

use super::Room;
use super::join::Client;
use super::send::game_row;
use crate::identity::hash;
use crate::recount;
use baize_engine::view::Viewer;
use baize_store::{StoreError, Write};

impl Room {
    fn watches(&self, client: &Client) -> bool {
        !client.cut && self.viewer(client) == Viewer::Spectator
    }

    /// Somebody has come to watch a game that nobody watched.
    pub(super) fn has_new_spectators(&self) -> bool {
        let unwatched = self.play.as_ref().is_some_and(|play| !play.watched);
        unwatched && self.clients.iter().any(|client| self.watches(client))
    }

    /// They see what one sees who has been here from the start. Everything up to here is in the log.
    pub(super) async fn show_spectators(&mut self) -> Result<(), StoreError> {
        let Some(play) = &self.play else { return Ok(()) };
        let store = self.services.store.clone();
        let staged = play.live.staged().clone();
        let watching = recount::spectators(store.as_ref(), &staged, &play.record, play.live.seq()).await?;
        if let (Some(play), Some(watching)) = (&mut self.play, watching) {
            play.watched = play.live.admit(watching);
        }
        Ok(())
    }

    /// The last one has gone, perhaps. Asked now and then and not each time: who comes back soon costs nothing.
    pub(super) fn dismiss_spectators(&mut self) {
        let watched = self.clients.iter().any(|client| self.watches(client));
        if let Some(play) = self.play.as_mut().filter(|play| play.watched && !watched) {
            play.watched = false;
            play.live.dismiss(Viewer::Spectator);
        }
    }

    /// What games that are over were like, with everything face up. Not written with each step: few games are ever looked at again, and
    /// in one go it is a fraction of the work. If this comes to nothing, the next one to open the table tries again, and
    /// who asks for the replay before that waits for it.
    pub(super) async fn write_replays(&mut self) {
        let store = self.services.store.clone();
        for (staged, mut record) in std::mem::take(&mut self.ended) {
            let told = match recount::replay(store.as_ref(), &staged, &record).await {
                Ok(told) => told,
                Err(error) => {
                    tracing::error!(game = %record.id, %error, "the replay could not be written");
                    continue;
                }
            };
            let address = hash(&[&told]);
            record.told = Some(address);
            if let Some(play) = self.play.as_mut().filter(|play| play.record.id == record.id) {
                play.record.told = record.told;
            }
            self.effects.writes.push(Write::Blob { hash: address, body: told });
            self.effects.add(game_row(&record));
        }
    }
}
