//! When a table fails: those who sit at it stay, and the table is opened again from its log.
//!
//! A room fails by a panic or by a commit that comes to nothing. In both cases what is in its memory is not to be trusted. What it
//! has not stored was never acknowledged, so it is as if it had not been: its senders are refused. Their sockets, and what waits in the
//! inbox, are none of the room's memory, and pass on to the room that is opened next.

use super::join::{Client, JoinRequest};
use super::send::text;
use super::{Act, ClientId, No, Note, Room};
use crate::Services;
use crate::encode;
use crate::identity::Member;
use crate::outbox::{Outgoing, Recipient};
use crate::record::{ChatRecord, Record};
use baize_protocol::{Action, ChatKind, ChatLine, ErrorCode, Presence, ServerMessage, TableStatus};
use baize_store::{ChatRow, Commit, StoreError, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// A table that panics twice within so many milliseconds ends.
pub const AGAIN_WITHIN: u64 = 60_000;
/// How long a table that can't be opened again waits before it is tried once more: from the first to the last.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LAST_WAIT: Duration = Duration::from_secs(2);

/// What a table at which nothing can be done any more says.
const VOID: &str = "This table had to end because of a fault in the server. Nothing of this game counts.";

/// Something a client asked for that has no answer yet.
pub struct Unanswered {
    pub client: ClientId,
    pub member: Member,
    pub request: String,
    pub since: Instant,
    /// Of somebody who wants to join: the room may not have them among its clients yet.
    pub joins: Option<Arc<dyn Recipient>>,
}

/// What outlives a room.
pub struct Kept {
    clients: Vec<Client>,
    unanswered: Vec<Unanswered>,
    /// Why the last room ended.
    why: ErrorCode,
    wait: Duration,
}

impl Default for Kept {
    fn default() -> Self {
        Kept { clients: Vec::new(), unanswered: Vec::new(), why: ErrorCode::Storage, wait: FIRST_WAIT }
    }
}

impl Kept {
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty() && self.unanswered.is_empty()
    }

    /// Takes what a failed room leaves behind.
    pub fn take_from(&mut self, room: Room, why: ErrorCode) {
        if room.flushed {
            self.wait = FIRST_WAIT;
        }
        self.why = why;
        self.clients.extend(room.clients.into_iter().filter(|client| !client.cut));
        self.unanswered.extend(room.unanswered);
    }

    /// Everyone has to come back by another way.
    pub fn cut(&mut self, code: ErrorCode) {
        self.refuse(code);
        for client in self.clients.drain(..) {
            client.outbox.put(Outgoing::Close(code));
            client.outbox.go();
        }
    }

    /// Nobody knows yet what was stored: whoever waits is told that it could not be.
    pub fn refuse(&mut self, code: ErrorCode) {
        for asked in self.unanswered.drain(..) {
            let client = self.clients.iter().find(|client| client.id == asked.client);
            if let Some(outbox) = asked.joins.as_ref().or_else(|| client.map(|client| &client.outbox)) {
                refuse(&**outbox, code, asked.request);
            }
        }
    }

    /// Waits before the table is opened once more, and refuses what is asked in the meantime. False: nobody wants it any more.
    pub async fn wait(&mut self, notes: &mut mpsc::Receiver<Note>) -> bool {
        let until = tokio::time::Instant::now() + self.wait;
        self.wait = LAST_WAIT.min(self.wait * 2);
        while let Ok(note) = tokio::time::timeout_at(until, notes.recv()).await {
            match note {
                None | Some(Note::Stop) => {
                    self.cut(ErrorCode::Closing);
                    return false;
                }
                Some(Note::Join(join)) => join.refuse(ErrorCode::Storage),
                Some(Note::Act(act)) => self.turn_away(*act),
                Some(Note::Gone { client }) => self.clients.retain(|other| other.id != client),
                Some(Note::Look { reply, .. }) => drop(reply.send(Err(ErrorCode::Storage))),
                // Orders come again.
                Some(Note::Thought { .. } | Note::Reloaded { .. } | Note::Lost | Note::Obey(_)) => {}
            }
        }
        !self.clients.is_empty()
    }

    fn turn_away(&self, act: Act) {
        if let Some(client) = self.clients.iter().find(|client| client.id == act.client) {
            match act.action {
                Action::Heartbeat => {
                    client.outbox.put(text(&ServerMessage::Ack { request_id: act.request }));
                    client.outbox.go();
                }
                _ => refuse(&*client.outbox, ErrorCode::Storage, act.request),
            }
        }
    }
}

fn refuse(outbox: &dyn Recipient, code: ErrorCode, request: String) {
    outbox.put(text(&ServerMessage::Error(No::from(code).refused(Some(request)))));
    outbox.go();
}

impl Note {
    /// What this is called in the log, and where tests let it go wrong.
    pub fn step(&self) -> &'static str {
        match self {
            Note::Join(_) => "room/join",
            Note::Act(act) => match act.action {
                Action::Move(_) => "room/move",
                Action::Chat { .. } => "room/chat",
                Action::StartGame => "room/start",
                Action::Heartbeat => "room/heartbeat",
                _ => "room/action",
            },
            Note::Gone { .. } => "room/gone",
            Note::Thought { .. } => "room/bot",
            Note::Look { .. } => "room/look",
            Note::Reloaded { .. } => "room/reloaded",
            Note::Lost => "room/lost",
            Note::Obey(_) => "room/obey",
            Note::Stop => "room/stop",
        }
    }
}

impl Room {
    /// Notes who is to be answered, before anything can go wrong.
    pub(super) fn expects_answer(&mut self, note: &Note) {
        let asked = match note {
            Note::Join(join) => {
                let (request, joins) = (join.request.clone(), Some(join.outbox.clone()));
                Unanswered { client: join.client, member: join.member, request, since: join.since, joins }
            }
            Note::Act(act) => {
                let Some(client) = self.clients.iter().find(|client| client.id == act.client) else { return };
                let (member, request) = (client.member, act.request.clone());
                Unanswered { client: act.client, member, request, since: act.since, joins: None }
            }
            _ => return,
        };
        self.unanswered.push(asked);
    }

    /// Those who sat at the table before it was opened again sit here now, and get their answers: what the store has was done,
    /// everything else was not.
    pub(super) fn take_back(&mut self, kept: &mut Kept) {
        for client in kept.clients.drain(..) {
            self.seat_again(client);
        }
        for Unanswered { client, member, request, since, joins } in kept.unanswered.drain(..) {
            let is_here = self.clients.iter().any(|other| other.id == client);
            match (is_here, joins) {
                (true, Some(_)) => self.effects.ack(client, request, since),
                (true, None) => match self.answered.get(&member, &request) {
                    Some(None) => self.effects.ack(client, request, since),
                    Some(Some(refused)) => self.effects.refuse(client, refused, since),
                    None => self.effects.refuse(client, No::from(kept.why).refused(Some(request)), since),
                },
                (false, Some(outbox)) => refuse(&*outbox, kept.why, request),
                (false, None) => {}
            }
        }
    }

    fn seat_again(&mut self, mut client: Client) {
        let mine = client.player.as_ref().and_then(|id| self.record.player(id));
        let is_seated = mine.is_some_and(|p| p.member == Some(client.member) && p.presence != Presence::Left);
        if client.player.is_some() && !is_seated {
            // Sat down a moment ago, and that was not stored: once more from the door.
            let Client { id, member, outbox, name, .. } = client;
            let (request, name, since) = (String::new(), Some(name), Instant::now());
            let back = outbox.clone();
            self.join(JoinRequest { client: id, request, member, name, watch: false, last: None, outbox, since });
            if !self.clients.iter().any(|other| other.id == id) {
                back.put(Outgoing::Close(ErrorCode::Closing));
                back.go();
            }
            return;
        }
        client.cut = false;
        self.next_spectator = self.next_spectator.max(client.spectator);
        let (id, player) = (client.id, client.player.clone());
        self.clients.push(client);
        if let Some(player) = player {
            self.arrived(&player);
        }
        self.effects.state(id, None);
    }
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
