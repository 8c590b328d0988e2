//! When a table fails: those who sit at it stay, and the table is opened again from its log.
//!
//! A room fails by a panic or by a commit that comes to nothing. In both cases what is in its memory is not to be trusted. What it
//! has not stored was never acknowledged, so it is as if it had not been: its senders are refused. Their sockets, and what waits in the
//! inbox, are none of the room's memory, and pass on to the room that is opened next.

use super::RoomTask;
use super::clients::Clients;
use crate::Services;
use crate::inbox::TableMessage;
use crate::outbox::{Outgoing, Recipient};
use baize_protocol::{Action, ChatKind, ChatLine, ErrorCode, ServerMessage, TableStatus};
use baize_room::record::{ChatRecord, Record};
use baize_room::{Act, Client, Message, Unanswered, encode};
use baize_store::{ChatRow, Commit, StoreError, Write};
use std::time::Duration;
use tokio::sync::mpsc;

/// A table that panics twice within so many milliseconds ends.
pub const AGAIN_WITHIN: u64 = 60_000;
/// How long a table that can't be opened again waits before it is tried once more: from the first to the last.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LAST_WAIT: Duration = Duration::from_secs(2);

/// What a table at which nothing can be done any more says.
const VOID: &str = "This table had to end because of a fault in the server. Nothing of this game counts.";

/// What outlives a room: its clients, where they are reached, and what they asked for.
pub struct Survivors {
    clients: Vec<Client>,
    outboxes: Clients,
    unanswered: Vec<Unanswered>,
    /// Why the last room ended.
    why: ErrorCode,
    wait: Duration,
}

impl Default for Survivors {
    fn default() -> Self {
        Survivors {
            clients: Vec::new(),
            outboxes: Clients::default(),
            unanswered: Vec::new(),
            why: ErrorCode::Storage,
            wait: FIRST_WAIT,
        }
    }
}

impl Survivors {
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty() && self.unanswered.is_empty()
    }

    /// Takes what a failed room leaves behind.
    pub fn take_from(&mut self, task: RoomTask, why: ErrorCode) {
        if task.flushed {
            self.wait = FIRST_WAIT;
        }
        self.why = why;
        // A room takes over the survivors of the one before as soon as it is loaded, so there are none left to add to.
        self.clients = task.room.into_clients();
        self.outboxes = task.clients;
        self.unanswered = task.unanswered;
        let (clients, unanswered) = (&self.clients, &self.unanswered);
        let known =
            |id| clients.iter().any(|client| client.id == id) || unanswered.iter().any(|asked| asked.client == id);
        // A client that a panic has made the room forget comes back by itself.
        self.outboxes.close_unless(known, why);
    }

    /// Those who sat at the table before it was opened again sit there now.
    pub fn come_back(&mut self, task: &mut RoomTask) {
        task.clients = std::mem::take(&mut self.outboxes);
        let (clients, unanswered) = (std::mem::take(&mut self.clients), std::mem::take(&mut self.unanswered));
        // Should the room panic on the way, these have to be answered by the one after it.
        task.unanswered = unanswered.clone();
        for asked in unanswered.iter().filter(|asked| asked.joins) {
            if let Some(outbox) =
                task.clients.get(asked.client).filter(|_| !clients.iter().any(|c| c.id == asked.client))
            {
                outbox.release();
            }
        }
        task.room.restore_clients(task.time(), clients, unanswered, self.why);
    }

    /// Everyone has to come back by another way.
    pub fn close(&mut self, code: ErrorCode) {
        self.refuse(code);
        for client in self.clients.drain(..) {
            if let Some(outbox) = self.outboxes.get(client.id) {
                outbox.put(Outgoing::Close(code));
                outbox.go();
            }
        }
        self.outboxes = Clients::default();
    }

    /// Nobody knows yet what was stored: whoever waits is told that it could not be.
    pub fn refuse(&mut self, code: ErrorCode) {
        for asked in self.unanswered.drain(..) {
            if let Some(outbox) = self.outboxes.get(asked.client) {
                if asked.joins {
                    outbox.release();
                }
                refuse(&**outbox, code, asked.request);
            }
        }
        let clients = &self.clients;
        self.outboxes.retain(|id| clients.iter().any(|client| client.id == id));
    }

    /// Waits before the table is opened once more, and refuses what is asked in the meantime. False: nobody wants it any more.
    pub async fn wait(&mut self, messages: &mut mpsc::Receiver<TableMessage>) -> bool {
        let until = tokio::time::Instant::now() + self.wait;
        self.wait = LAST_WAIT.min(self.wait * 2);
        while let Ok(message) = tokio::time::timeout_at(until, messages.recv()).await {
            match message {
                None | Some(TableMessage::Stop) => {
                    self.close(ErrorCode::Closing);
                    return false;
                }
                Some(TableMessage::Join(join)) => join.refuse(ErrorCode::Storage),
                Some(TableMessage::Room(Message::Act(act))) => self.turn_away(*act),
                Some(TableMessage::Room(Message::Gone { client })) => {
                    self.clients.retain(|other| other.id != client);
                    self.outboxes.remove(client);
                }
                Some(TableMessage::Look { reply, .. }) => drop(reply.send(Err(ErrorCode::Storage))),
                // Orders come again.
                Some(
                    TableMessage::Room(_) | TableMessage::Reloaded { .. } | TableMessage::Lost | TableMessage::Obey(_),
                ) => {}
            }
        }
        !self.clients.is_empty()
    }

    fn turn_away(&self, act: Act) {
        if let Some(outbox) = self.outboxes.get(act.client) {
            match act.action {
                Action::Heartbeat => {
                    outbox.put(Outgoing::message(&ServerMessage::Ack { request_id: act.request }));
                    outbox.go();
                }
                _ => refuse(&**outbox, ErrorCode::Storage, act.request),
            }
        }
    }
}

fn refuse(outbox: &dyn Recipient, code: ErrorCode, request: String) {
    outbox.put(Outgoing::refusal(code, Some(request)));
    outbox.go();
}

/// Ends a table that can't be played: its record says so, and its game is never executed again. The log stays as it is, for
/// whoever wants to find out what happened.
pub async fn end_void(services: &Services, code: &str) -> Result<(), StoreError> {
    let store = services.store.as_ref();
    let Some(open) = store.open(code).await?.here() else { return Ok(()) };
    let mut record: Record = serde_json::from_slice(&open.row.record)
        .map_err(|error| StoreError::Failed(format!("a record is damaged: {error}")))?;
    let date = services.config.clock.date();
    record.void = true;
    record.abandoned = true;
    record.status = TableStatus::Ended;
    record.paused = None;
    record.ended_at = Some(date);
    record.votes.clear();
    let last = store.chat(open.id, 0, 1).await?.last().map_or(0, |row| row.n);
    record.chat = record.chat.max(last) + 1;
    let line =
        ChatLine { n: record.chat, at: date, kind: ChatKind::Session, from: None, text: VOID.into(), line: None };
    let body = encode::json("a line of the chat", &ChatRecord { line, request: None, about: Vec::new() })?;
    let table =
        Write::Table { record: encode::json("a table's record", &record)?, at: date, listed: false, running: None };
    let writes = vec![table, Write::Chat(ChatRow { n: record.chat, body })];
    store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await
}
