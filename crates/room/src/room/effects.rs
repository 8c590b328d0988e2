//! Commit, acknowledge, broadcast: the room's side. Rows first, then answers, then broadcasts.

use super::Room;
use super::client::Client;
use crate::ActionRefusal;
use crate::encode;
use crate::message::{ClientId, Effect, Recipients, Time};
use crate::payload::Payload;
use crate::record::GameRecord;
use crate::rules::Rules;
use baize_engine::live::StepBatches;
use baize_engine::view::Viewer;
use baize_protocol::compact;
use baize_protocol::{ErrorCode, LastSeen, Refused, ServerMessage, TableEvent, TableStatus, VERSION};
use baize_rows::{GameRow, Unwritable, Write};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;

/// Rows that the shell stores, all or none, and the answers and broadcasts that wait for them.
pub struct Uncommitted {
    pub writes: Vec<Write>,
    pub held_back: HeldBack,
}

/// Answers and broadcasts that wait until their rows are stored. See [`Room::handle_committed`].
pub struct HeldBack {
    answers: Vec<Reply>,
    broadcasts: Vec<Broadcast>,
    uses: Vec<Effect>,
}

/// What the room collects while it handles messages.
#[derive(Default)]
pub struct PendingEffects {
    pub writes: Vec<Write>,
    /// Whether to write the table's record.
    pub record: bool,
    /// Whether nothing has happened: the shell only parks the room.
    pub at_rest: bool,
    /// The first value that cannot be serialised. It makes the whole commit fail.
    failed: Option<Unwritable>,
    answers: Vec<Reply>,
    broadcasts: Vec<Broadcast>,
    /// Packs and rules that the table has begun to use.
    uses: Vec<Effect>,
}

enum Reply {
    Ack {
        client: ClientId,
        request: String,
        received: u64,
    },
    Refuse {
        client: ClientId,
        refused: Refused,
        received: u64,
    },
    /// A refusal for somebody who is not a client of the table.
    TurnAway {
        client: ClientId,
        refused: Refused,
    },
    /// Sends the whole state, or the batches that the client has missed.
    State {
        client: ClientId,
        last: Option<LastSeen>,
    },
    Event {
        client: ClientId,
        event: TableEvent,
    },
    Close {
        client: ClientId,
        code: ErrorCode,
    },
    /// Like `Close`, for somebody who is not a client of the table.
    CloseStranger {
        client: ClientId,
        code: ErrorCode,
    },
}

enum Broadcast {
    Event(TableEvent),
    /// Sends each client the payload of its viewer.
    Step(Vec<(Viewer, Payload)>),
    /// Sends the table's public information, as it is when it is sent.
    Table,
}

impl PendingEffects {
    /// Adds a row.
    pub fn add(&mut self, write: Result<Write, Unwritable>) {
        match write {
            Ok(write) => self.writes.push(write),
            Err(unwritable) => drop(self.failed.get_or_insert(unwritable)),
        }
    }

    pub fn ack(&mut self, client: ClientId, request: String, received: u64) {
        self.answers.push(Reply::Ack { client, request, received });
    }

    pub fn refuse(&mut self, client: ClientId, refused: Refused, received: u64) {
        self.answers.push(Reply::Refuse { client, refused, received });
    }

    pub fn turn_away(&mut self, client: ClientId, refusal: ActionRefusal, request: String) {
        self.answers.push(Reply::TurnAway { client, refused: refusal.refused(Some(request)) });
    }

    pub fn state(&mut self, client: ClientId, last: Option<LastSeen>) {
        self.answers.push(Reply::State { client, last });
    }

    pub fn event_to(&mut self, client: ClientId, event: TableEvent) {
        self.answers.push(Reply::Event { client, event });
    }

    pub fn close(&mut self, client: ClientId, code: ErrorCode) {
        self.answers.push(Reply::Close { client, code });
    }

    /// Whether this client will be closed.
    pub fn closes(&self, id: ClientId) -> bool {
        self.answers.iter().any(|answer| matches!(answer, Reply::Close { client, .. } if *client == id))
    }

    pub fn close_stranger(&mut self, client: ClientId, code: ErrorCode) {
        self.answers.push(Reply::CloseStranger { client, code });
    }

    pub fn event(&mut self, event: TableEvent) {
        self.broadcasts.push(Broadcast::Event(event));
    }

    pub fn step(&mut self, written: Vec<(Viewer, Payload)>) {
        self.broadcasts.push(Broadcast::Step(written));
    }

    /// Writes the table's record and sends the table to everybody.
    pub fn table(&mut self) {
        self.record = true;
        if !matches!(self.broadcasts.last(), Some(Broadcast::Table)) {
            self.broadcasts.push(Broadcast::Table);
        }
    }

    pub fn use_packs(&mut self, ids: Vec<String>, at: u64) {
        if !ids.is_empty() {
            self.uses.push(Effect::UsePacks { ids, at });
        }
    }

    pub fn use_rules(&mut self, rules: Arc<Rules>) {
        self.uses.push(Effect::UseRules(rules));
    }

    pub fn is_empty(&self) -> bool {
        !self.record
            && self.failed.is_none()
            && self.writes.is_empty()
            && self.answers.is_empty()
            && self.broadcasts.is_empty()
            && self.uses.is_empty()
    }
}

impl Room {
    /// Whether anything waits for the next [`Room::poll_commit`].
    pub fn has_work(&self) -> bool {
        !self.pending.is_empty() || !self.ended.is_empty()
    }

    /// The rows of everything that has happened since the last commit; there may be none.
    pub fn poll_commit(&mut self, time: Time) -> Result<Uncommitted, Unwritable> {
        self.time = time;
        let mut pending = std::mem::take(&mut self.pending);
        if !pending.at_rest && (pending.record || !pending.writes.is_empty()) {
            self.changed_at = self.date();
        }
        if pending.record {
            pending.add(self.record_write());
        }
        let PendingEffects { writes, failed, answers, broadcasts, uses, .. } = pending;
        match failed {
            Some(unwritable) => Err(unwritable),
            None => Ok(Uncommitted { writes, held_back: HeldBack { answers, broadcasts, uses } }),
        }
    }

    /// Releases the answers, then the broadcasts. The shell calls it when the rows are stored.
    pub fn handle_committed(&mut self, time: Time, held_back: HeldBack) {
        self.time = time;
        let HeldBack { answers, broadcasts, uses } = held_back;
        // Reserves memory for all effects at once: a broadcast is one message for each client.
        self.effects.reserve(answers.len() + broadcasts.len() * self.clients.len() + uses.len());
        // A client that gets the whole state now needs none of these broadcasts: the state includes them.
        let mut fresh = Vec::new();
        // Clients are closed last, so that whoever is closed because of an own action still hears that it was done.
        let (closing, answers): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| matches!(answer, Reply::Close { .. }));
        for answer in answers.into_iter().chain(closing) {
            self.release_answer(answer, &mut fresh);
        }
        let last_table = broadcasts.iter().rposition(|broadcasts| matches!(broadcasts, Broadcast::Table));
        for (at, broadcasts) in broadcasts.into_iter().enumerate() {
            match broadcasts {
                Broadcast::Event(event) => self.send_all(event, &fresh),
                Broadcast::Table if Some(at) == last_table => {
                    let table = Box::new(self.info());
                    self.send_all(TableEvent::TableChanged { table }, &fresh);
                }
                Broadcast::Table => {}
                Broadcast::Step(written) => self.send_step(&written, &fresh),
            }
        }
        self.effects.extend(uses);
        self.remove_closed_clients();
        for (prepared, record) in std::mem::take(&mut self.ended) {
            self.effects.push_back(Effect::WriteReplay { prepared, record: Box::new(record) });
        }
    }

    pub fn poll_effect(&mut self) -> Option<Effect> {
        let effect = self.effects.pop_front();
        if effect.is_none() {
            // The queue of an idle room keeps no memory.
            self.effects = VecDeque::new();
        }
        effect
    }

    fn release_answer(&mut self, answer: Reply, fresh: &mut Vec<ClientId>) {
        match answer {
            Reply::Ack { client, request, received } => {
                self.answer(client, &ServerMessage::Ack { request_id: request }, received, false);
            }
            Reply::Refuse { client, refused, received } => {
                self.answer(client, &ServerMessage::Error(refused), received, true);
            }
            Reply::TurnAway { client, refused } => match encode_message(&ServerMessage::Error(refused)) {
                Some(payload) => self.effects.push_back(Effect::TurnAway { client, payload }),
                None => self.effects.push_back(Effect::Close { client, code: ErrorCode::Fault }),
            },
            Reply::State { client, last } => {
                if let Some(state) = self.state(client, last.as_ref()) {
                    self.send(client, &ServerMessage::State { v: VERSION, state: Box::new(state) });
                    fresh.push(client);
                }
            }
            Reply::Event { client, event } => {
                self.send(client, &ServerMessage::Event { batch: None, event: Some(event) });
            }
            Reply::Close { client, code } => self.cut(client, code),
            Reply::CloseStranger { client, code } => self.effects.push_back(Effect::Close { client, code }),
        }
    }

    fn record_write(&mut self) -> Result<Write, Unwritable> {
        self.record.tidy();
        self.record.stop_kicks(self.time.now);
        Ok(Write::Table {
            record: encode::json("a table's record", &self.record)?,
            at: self.changed_at,
            listed: self.record.status != TableStatus::Ended && !self.record.abandoned,
            running: self.record.running(),
        })
    }

    fn listens(&self, id: ClientId) -> bool {
        self.clients.iter().any(|client| client.id == id && !client.closed)
    }

    fn answer(&mut self, client: ClientId, message: &ServerMessage, received: u64, refused: bool) {
        if !self.listens(client) {
            return;
        }
        match encode_message(message) {
            Some(payload) => self.effects.push_back(Effect::Answer { client, payload, received, refused }),
            None => self.cut(client, ErrorCode::Fault),
        }
    }

    fn send(&mut self, client: ClientId, message: &ServerMessage) {
        if !self.listens(client) {
            return;
        }
        match encode_message(message) {
            Some(payload) => {
                self.effects.push_back(Effect::Send { clients: Recipients::from_slice(&[client]), payload })
            }
            None => self.cut(client, ErrorCode::Fault),
        }
    }

    fn send_all(&mut self, event: TableEvent, except: &[ClientId]) {
        let wanted = |client: &&Client| !client.closed && !except.contains(&client.id);
        let clients: Recipients = self.clients.iter().filter(wanted).map(|client| client.id).collect();
        if clients.is_empty() {
            return;
        }
        match encode_message(&ServerMessage::Event { batch: None, event: Some(event) }) {
            Some(payload) => self.effects.push_back(Effect::Send { clients, payload }),
            None => clients.into_iter().for_each(|client| self.cut(client, ErrorCode::Fault)),
        }
    }

    /// Makes one message per viewer, however many clients have that viewer; also for players who are disconnected and may come
    /// back for it. It encodes each message at once, while the step's data are at hand; the room sends them when the step is stored.
    pub(super) fn write_step(&mut self, batches: &StepBatches, clocks: &[(u32, u64)]) -> Vec<(Viewer, Payload)> {
        let Some(play) = &mut self.play else { return Vec::new() };
        let persons = self.record.seated().filter(|player| player.is_person());
        let viewers = persons.filter_map(|player| player.seat.map(Viewer::Seat)).chain([Viewer::Spectator]);
        let mut written = Vec::new();
        let mut text = Vec::with_capacity(512);
        let prepared = play.live.prepared();
        for viewer in viewers {
            let (Some(step), Some(view)) = (batches.step_of(viewer), play.live.view(viewer)) else { continue };
            let narrations = prepared.narrator().narrate(view, &step.batch, &step.replaced);
            text.clear();
            text.extend_from_slice(b"{\"type\":\"event\",\"b\":");
            compact::write(&step.batch, &narrations, clocks, &prepared.texts, &mut text);
            text.push(b'}');
            written.push((viewer, Payload::from_json(&text)));
        }
        play.keep(batches.seq, written.clone());
        written
    }

    fn send_step(&mut self, written: &[(Viewer, Payload)], except: &[ClientId]) {
        let wanted = |client: &&Client| !client.closed && !except.contains(&client.id);
        // Looked up once for each client: a player is found by comparing ids.
        let viewers: SmallVec<[(Viewer, ClientId); 8]> =
            self.clients.iter().filter(wanted).map(|client| (self.viewer(client), client.id)).collect();
        for (viewer, payload) in written {
            let clients: Recipients = viewers.iter().filter(|(sees, _)| sees == viewer).map(|(_, id)| *id).collect();
            if !clients.is_empty() {
                self.effects.push_back(Effect::Send { clients, payload: payload.clone() });
            }
        }
    }

    /// Closes a client; the room sends it nothing more.
    fn cut(&mut self, client: ClientId, code: ErrorCode) {
        if let Some(client) = self.clients.iter_mut().find(|other| other.id == client && !other.closed) {
            client.closed = true;
            self.effects.push_back(Effect::Close { client: client.id, code });
        }
    }
}

/// Encodes a message; `None` if it cannot be serialised. The room then closes its recipients, and they get the whole state when
/// they come back.
fn encode_message(message: &ServerMessage) -> Option<Payload> {
    Payload::new(message).inspect_err(|error| tracing::error!(%error, "a client is closed")).ok()
}

pub fn game_row(record: &GameRecord) -> Result<Write, Unwritable> {
    let row = GameRow { id: record.id.clone(), record: encode::json("a game's record", record)? };
    Ok(Write::Game(row))
}
