//! Carries out the effects of a room.

use super::RoomTask;
use super::clients::SentCount;
use crate::bots::BotJob;
use crate::frames;
use crate::inbox::TableMessage;
use crate::log_replay;
use crate::metrics::stamp;
use crate::outgoing::Outgoing;
use baize_room::prepared::PreparedGame;
use baize_room::record::GameRecord;
use baize_room::{ClientId, Effect, Message, SpectatorReplayRequest, Thought, Uncommitted};
use baize_store::{StoreError, Unwritable, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A game that is over and has no replay yet.
type EndedGame = (Arc<PreparedGame>, Box<GameRecord>);

impl RoomTask {
    /// Commit, acknowledge, broadcast; repeated as long as the room has work.
    pub(super) async fn flush(&mut self) -> Result<(), StoreError> {
        loop {
            self.ask_bots();
            let Uncommitted { writes, held_back } = self.room.poll_commit(self.time())?;
            self.inject_faults(&writes)?;
            if !writes.is_empty() {
                self.services.store.commit(self.held.commit(writes)).await?;
            }
            self.services.config.faults.trip("room/answer", self.code());
            if let Some(wanted) = self.room.spectator_replay_request() {
                Box::pin(self.show_spectators(wanted)).await?;
            }
            self.room.handle_committed(self.time(), held_back);
            self.release_refused();
            let ended = self.send();
            self.unanswered.clear();
            self.flushed = true;
            if !ended.is_empty() {
                Box::pin(self.write_replays(ended)).await;
            }
            if !self.room.has_work() {
                return Ok(());
            }
        }
    }

    /// Clients whose joins the room has refused may ask another table as soon as they read the refusal.
    fn release_refused(&self) {
        for asked in self.unanswered.iter().filter(|asked| asked.joins && self.room.client(asked.client).is_none()) {
            if let Some(outbox) = self.clients.get(asked.client) {
                outbox.release();
            }
        }
    }

    /// Sends answers and broadcasts. Their rows are stored by now.
    fn send(&mut self) -> Vec<EndedGame> {
        let metrics = &*self.services.metrics;
        metrics.moves.fetch_add(self.room.take_steps(), Relaxed);
        let (mut ended, mut cut_off, mut some_gone) = (Vec::new(), Vec::<ClientId>::new(), false);
        let mut sent = SentCount::default();
        while let Some(effect) = self.room.poll_effect() {
            match effect {
                Effect::Answer { client, payload, received, refused } => {
                    metrics.handle.note(stamp().saturating_sub(received));
                    metrics.refused.fetch_add(u64::from(refused), Relaxed);
                    if !self.clients.enqueue(client, Outgoing::Text(frames::text(payload.json())), &mut sent) {
                        cut_off.push(client);
                    }
                }
                Effect::Send { clients, payload } => {
                    let frame = frames::text(payload.json());
                    for client in clients {
                        let is_cut_off = cut_off.contains(&client);
                        if !is_cut_off && !self.clients.enqueue(client, Outgoing::Text(frame.clone()), &mut sent) {
                            cut_off.push(client);
                        }
                    }
                }
                Effect::Close { client, code } => {
                    self.clients.enqueue(client, Outgoing::Close(code), &mut sent);
                    some_gone = true;
                }
                Effect::TurnAway { client, payload } => {
                    if let Some(outbox) = self.clients.get(client).cloned() {
                        if self.room.client(client).is_none() {
                            self.turned_away.add_briefly(client, outbox);
                        }
                        some_gone = true;
                    }
                    let outbox = self.clients.get(client).or_else(|| self.turned_away.get(client));
                    if let Some(outbox) = outbox {
                        outbox.enqueue(Outgoing::Text(frames::text(payload.json())));
                    }
                }
                // Nobody waits for this write.
                Effect::UsePacks { ids, at } => drop(self.services.store.touch_packs(ids, at)),
                Effect::UseRules(rules) => self.services.library.pin(&rules),
                Effect::WriteReplay { prepared, record } => ended.push((prepared, record)),
            }
        }
        sent.add_to(metrics);
        self.clients.send_queued();
        self.turned_away.send_queued();
        for client in cut_off {
            self.room.handle(self.time(), Message::Gone { client });
            some_gone = true;
        }
        if some_gone {
            self.clients.retain(|client| self.room.client(client).is_some());
        }
        ended
    }

    /// Bots think while the rest is stored and sent.
    fn ask_bots(&mut self) {
        while let Some(thought) = self.room.poll_thought() {
            let (table, inbox) = (self.code().to_owned(), self.inbox.clone());
            let Thought { seat, decision, .. } = thought;
            let reply = Box::new(move |answer: Option<_>| {
                if let Some(inbox) = inbox.upgrade() {
                    let decided = Message::Decided { seat, decision, answer: answer.map(Box::new) };
                    let _ = inbox.blocking_send(TableMessage::Room(decided));
                }
            });
            self.services.bots.think(BotJob { table, thought, reply });
        }
    }

    /// The first spectator of a running game sees what a spectator sees who has watched from the start.
    async fn show_spectators(&mut self, wanted: SpectatorReplayRequest) -> Result<(), StoreError> {
        let SpectatorReplayRequest { prepared, record, seq } = wanted;
        let saved = log_replay::spectators(&self.services, &prepared, &record, seq).await?;
        self.room.handle_spectators(saved);
        Ok(())
    }

    async fn write_replays(&mut self, ended: Vec<EndedGame>) {
        for (prepared, record) in ended {
            match log_replay::replay(&self.services, &prepared, &record).await {
                Ok(batches) => self.room.handle(self.time(), Message::Replay { record, batches }),
                Err(error) => tracing::error!(game = %record.id, %error, "the replay could not be written"),
            }
        }
    }

    /// Test faults: makes the commit fail as if a row could not be encoded.
    fn inject_faults(&self, writes: &[Write]) -> Result<(), Unwritable> {
        for write in writes {
            let (point, what) = match write {
                Write::Log { .. } => ("encode/log", "a log row"),
                Write::Table { .. } => ("encode/record", "a table's record"),
                _ => continue,
            };
            self.services.config.faults.at(point, self.code()).map_err(|error| Unwritable::new(what, error))?;
        }
        Ok(())
    }
}
