//! Keeps the clients of a table whose room has failed, until the table is opened again from its log.
//!
//! A room fails by a panic or by a failed commit, and then its memory can't be trusted. Requests that it has not stored
//! were never acknowledged, so they are refused. The clients' sockets and the messages in the inbox are not part of the
//! room, and the next room takes them over.

use super::RoomTask;
use super::clients::Clients;
use crate::Services;
use crate::inbox::TableMessage;
use crate::orders::opened_table::end_game_of;
use crate::outbox::Recipient;
use crate::outgoing::Outgoing;
use baize_protocol::{Action, ChatKind, ChatLine, ErrorCode, ServerMessage, TableStatus};
use baize_room::record::{ChatRecord, TableRecord};
use baize_room::{Act, Client, Message, Unanswered, encode};
use baize_store::{ChatRow, Commit, StoreError, Write};
use std::time::Duration;
use tokio::sync::mpsc;

/// A table that panics twice within this many milliseconds ends.
pub const PANICS_WITHIN: u64 = 60_000;
/// How long a table waits before it is opened again: the first time, and at most. The wait doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LAST_WAIT: Duration = Duration::from_secs(2);

/// The chat line of a table that ended because of a fault.
const VOID_TEXT: &str = "This table had to end because of a fault in the server. Nothing of this game counts.";

/// What outlives a room: its clients, their outboxes, and their unanswered requests.
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

    /// Takes clients, outboxes and requests out of a failed room.
    pub fn take_from(&mut self, task: RoomTask, why: ErrorCode) {
        if task.flushed {
            self.wait = FIRST_WAIT;
        }
        self.why = why;
        // The failed room has taken over all earlier survivors, so there are none to keep.
        self.clients = task.room.into_clients();
        self.outboxes = task.clients;
        self.unanswered = task.unanswered;
        let (clients, unanswered) = (&self.clients, &self.unanswered);
        let known =
            |id| clients.iter().any(|client| client.id == id) || unanswered.iter().any(|asked| asked.client == id);
        // These clients were lost in a panic; they reconnect.
        self.outboxes.close_unless(known, why);
    }

    /// Hands the survivors over to the next room.
    pub fn hand_over_to(&mut self, task: &mut RoomTask) {
        task.clients = std::mem::take(&mut self.outboxes);
        let (clients, unanswered) = (std::mem::take(&mut self.clients), std::mem::take(&mut self.unanswered));
        // If this room panics before it answers them, the next one has to.
        task.unanswered = unanswered.clone();
        task.room.restore_clients(task.time(), clients, unanswered, self.why);
    }

    /// Refuses all requests and closes all clients, which then reconnect.
    pub fn close(&mut self, code: ErrorCode) {
        self.refuse(code);
        for client in self.clients.drain(..) {
            if let Some(outbox) = self.outboxes.get(client.id) {
                outbox.enqueue(Outgoing::Close(code));
                outbox.send_queued();
            }
        }
        self.outboxes = Clients::default();
    }

    /// Refuses all requests: whether they were stored is unknown.
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

    /// Waits before the table is opened again, and refuses all messages meanwhile. Returns false if nobody waits for
    /// the table.
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
                Some(TableMessage::Room(Message::Act(act))) => self.refuse_action(*act),
                Some(TableMessage::Room(Message::Gone { client })) => {
                    self.clients.retain(|other| other.id != client);
                    self.outboxes.remove(client);
                }
                Some(TableMessage::Look { reply, .. }) => drop(reply.send(Err(ErrorCode::Storage))),
                // Orders stay in the store and come again.
                Some(
                    TableMessage::Room(_) | TableMessage::Reloaded { .. } | TableMessage::Lost | TableMessage::Order(_),
                ) => {}
            }
        }
        !self.clients.is_empty()
    }

    fn refuse_action(&self, act: Act) {
        if let Some(outbox) = self.outboxes.get(act.client) {
            match act.action {
                Action::Heartbeat => {
                    outbox.enqueue(Outgoing::message(&ServerMessage::Ack { request_id: act.request }));
                    outbox.send_queued();
                }
                _ => refuse(&**outbox, ErrorCode::Storage, act.request),
            }
        }
    }
}

fn refuse(outbox: &dyn Recipient, code: ErrorCode, request: String) {
    outbox.enqueue(Outgoing::refusal(code, Some(request)));
    outbox.send_queued();
}

/// Ends a table that can't be played: its record says so, and its game is never executed again. The log stays, so that
/// somebody can find the fault.
pub async fn end_void(services: &Services, code: &str) -> Result<(), StoreError> {
    let store = services.store.as_ref();
    let Some(open) = store.open(code).await?.opened_here() else { return Ok(()) };
    let mut record: TableRecord = serde_json::from_slice(&open.row.record)
        .map_err(|error| StoreError::Failed(format!("a record is damaged: {error}")))?;
    let date = services.config.clock.date();
    record.void = true;
    record.abandoned = true;
    record.status = TableStatus::Ended;
    record.paused = None;
    record.ended_at.get_or_insert(date);
    record.votes.clear();
    let last = store.chat(open.id, 0, 1).await?.last().map_or(0, |row| row.n);
    record.chat = record.chat.max(last) + 1;
    let line = ChatLine { n: record.chat, at: date, kind: ChatKind::Session, from: None, text: VOID_TEXT.into() };
    let body = encode::json("a line of the chat", &ChatRecord { line, request: None, about: Vec::new() })?;
    let table =
        Write::Table { record: encode::json("a table's record", &record)?, at: date, listed: false, running: None };
    let mut writes = vec![table, Write::Chat(ChatRow { n: record.chat, body })];
    writes.extend(end_game_of(store, &record, date).await?);
    store.commit(Commit { table: open.id, epoch: open.epoch, writes }).await
}
