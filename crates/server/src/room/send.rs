//! What a note brings about outside the room, in the order in which it may: rows, answers, news.

use super::{ClientId, No, Room};
use crate::encode::{self, Unwritable};
use crate::frames::{self, Framed};
use crate::identity::{Member, hash, hex};
use crate::library::address;
use crate::outbox::Outgoing;
use crate::record::GameRecord;
use baize_engine::live::Told;
use baize_engine::view::Viewer;
use baize_protocol::compact;
use baize_protocol::table::{SpectatorInfo, TableInfo};
use baize_protocol::{
    ChatLine, DefinitionLinks, ErrorCode, Fairness, LastSeen, PlayerInfo, Refused, ServerMessage, Sync, TableEvent,
    TableState, TableStatus, VERSION, Vote, You,
};
use baize_store::{Commit, GameRow, StoreError, Write};
use serde::Serialize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Collected while notes are taken up, carried out by [`Room::flush`].
#[derive(Default)]
pub struct Effects {
    pub writes: Vec<Write>,
    /// The table's record is to be written.
    pub record: bool,
    /// Nothing has happened; things are only put away.
    pub at_rest: bool,
    /// Something can't be written down: nothing of this is done.
    failed: Option<Unwritable>,
    answers: Vec<Reply>,
    news: Vec<News>,
}

enum Reply {
    Ack {
        client: ClientId,
        request: String,
        since: Instant,
    },
    Refuse {
        client: ClientId,
        refused: Refused,
        since: Instant,
    },
    /// The whole state, or what followed what the client has.
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
}

enum News {
    Event(TableEvent),
    /// To everyone, each in the words of its view.
    Step(Vec<(Viewer, Framed)>),
    /// The table as it stands when the news are sent.
    Table,
}

impl Effects {
    /// Something to be written.
    pub fn add(&mut self, write: Result<Write, Unwritable>) {
        match write {
            Ok(write) => self.writes.push(write),
            Err(unwritable) => drop(self.failed.get_or_insert(unwritable)),
        }
    }

    pub fn ack(&mut self, client: ClientId, request: String, since: Instant) {
        self.answers.push(Reply::Ack { client, request, since });
    }

    pub fn refuse(&mut self, client: ClientId, refused: Refused, since: Instant) {
        self.answers.push(Reply::Refuse { client, refused, since });
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

    pub fn event(&mut self, event: TableEvent) {
        self.news.push(News::Event(event));
    }

    pub fn step(&mut self, written: Vec<(Viewer, Framed)>) {
        self.news.push(News::Step(written));
    }

    /// The table changed: write it, tell it.
    pub fn table(&mut self) {
        self.record = true;
        if !matches!(self.news.last(), Some(News::Table)) {
            self.news.push(News::Table);
        }
    }
}

impl Room {
    /// Commit, acknowledge, broadcast.
    pub(super) async fn flush(&mut self) -> Result<(), StoreError> {
        self.carry_out().await?;
        while self.has_effects() {
            self.carry_out().await?;
        }
        Ok(())
    }

    async fn carry_out(&mut self) -> Result<(), StoreError> {
        let mut effects = std::mem::take(&mut self.effects);
        if !effects.at_rest && (effects.record || !effects.writes.is_empty()) {
            self.changed_at = self.date();
        }
        if effects.record {
            effects.add(self.record_write());
        }
        if let Some(unwritable) = effects.failed.take() {
            return Err(unwritable.into());
        }
        if !effects.writes.is_empty() {
            let commit = Commit { table: self.table, epoch: self.epoch, writes: effects.writes };
            self.services.store.commit(commit).await?;
        }
        self.services.config.faults.trip("room/answer", &self.record.code);
        if self.has_new_spectators() {
            Box::pin(self.show_spectators()).await?;
        }
        // A client that is sent the whole state now has all of this note's news in it.
        let mut fresh = Vec::new();
        for answer in effects.answers {
            match answer {
                Reply::Ack { client, request, since } => {
                    self.services.metrics.handle.note(since.elapsed().as_micros() as u64);
                    self.send(client, &ServerMessage::Ack { request_id: request });
                }
                Reply::Refuse { client, refused, since } => {
                    self.services.metrics.handle.note(since.elapsed().as_micros() as u64);
                    self.services.metrics.refused.fetch_add(1, Relaxed);
                    self.send(client, &ServerMessage::Error(refused));
                }
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
            }
        }
        let last_table = effects.news.iter().rposition(|news| matches!(news, News::Table));
        for (at, news) in effects.news.into_iter().enumerate() {
            match news {
                News::Event(event) => self.send_all(&ServerMessage::Event { batch: None, event: Some(event) }, &fresh),
                News::Table if Some(at) == last_table => {
                    let event = TableEvent::TableChanged { table: Box::new(self.info()) };
                    self.send_all(&ServerMessage::Event { batch: None, event: Some(event) }, &fresh);
                }
                News::Table => {}
                News::Step(written) => self.send_step(&written, &fresh),
            }
        }
        self.clients.iter().for_each(|client| client.outbox.go());
        self.drop_cut();
        self.unanswered.clear();
        self.flushed = true;
        if !self.ended.is_empty() {
            Box::pin(self.write_replays()).await;
        }
        Ok(())
    }

    /// Whether carrying things out has brought about more: somebody was cut off.
    pub(super) fn has_effects(&self) -> bool {
        let effects = &self.effects;
        effects.record
            || effects.failed.is_some()
            || !effects.writes.is_empty()
            || !effects.answers.is_empty()
            || !effects.news.is_empty()
    }

    pub(super) fn record_write(&mut self) -> Result<Write, Unwritable> {
        self.record.tidy();
        let fault = self.services.config.faults.at("encode/record", &self.record.code);
        fault.map_err(|error| Unwritable::new("a table's record", error))?;
        Ok(Write::Table {
            record: encode::json("a table's record", &self.record)?,
            at: self.changed_at,
            listed: self.record.status != TableStatus::Ended && !self.record.abandoned,
            running: self.record.running(),
        })
    }

    fn send(&mut self, client: ClientId, message: &ServerMessage) {
        let text = text(message);
        if let Some(client) = self.clients.iter_mut().find(|c| c.id == client) {
            client.put(text, &self.services.metrics);
        }
    }

    fn send_all(&mut self, message: &ServerMessage, except: &[ClientId]) {
        let text = text(message);
        for client in self.clients.iter_mut().filter(|client| !except.contains(&client.id)) {
            client.put(text.clone(), &self.services.metrics);
        }
    }

    /// One message per viewer, however many sockets look through its eyes; also for players who are not there just now and may
    /// come back for it. Written as soon as it has happened, while all of it is at hand, and sent when it is on disk.
    pub(super) fn write_step(&mut self, told: &Told, clocks: &[(u32, u64)]) -> Vec<(Viewer, Framed)> {
        let Some(play) = &mut self.play else { return Vec::new() };
        let persons = self.record.seated().filter(|player| player.is_person());
        let seats = persons.filter_map(|player| player.seat.map(Viewer::Seat));
        let viewers = seats.chain([Viewer::Spectator]);
        let mut written = Vec::with_capacity(self.clients.len());
        let mut text = Vec::with_capacity(512);
        for viewer in viewers {
            let Some(batch) = told.of(viewer) else { continue };
            text.clear();
            text.extend_from_slice(b"{\"type\":\"event\",\"b\":");
            compact::write(batch, clocks, &play.live.staged().texts, &mut text);
            text.push(b'}');
            written.push((viewer, frames::text(&text)));
        }
        play.keep(told.seq, written.clone());
        written
    }

    fn send_step(&mut self, written: &[(Viewer, Framed)], except: &[ClientId]) {
        for at in 0..self.clients.len() {
            let viewer = self.viewer(&self.clients[at]);
            let told = written.iter().find(|(to, _)| *to == viewer);
            if let Some((_, frame)) = told.filter(|_| !except.contains(&self.clients[at].id)) {
                self.clients[at].put(Outgoing::Text(frame.clone()), &self.services.metrics);
            }
        }
    }

    pub(super) fn cut(&mut self, client: ClientId, code: ErrorCode) {
        if let Some(client) = self.clients.iter_mut().find(|c| c.id == client) {
            client.put(Outgoing::Close(code), &self.services.metrics);
            client.cut = true;
        }
    }

    fn state(&self, client: ClientId, last: Option<&LastSeen>) -> Option<TableState> {
        let client = self.clients.iter().find(|c| c.id == client)?;
        let seen = last.map_or(0, |last| last.chat);
        let seat = client.player.as_ref().and_then(|id| self.record.player(id)).and_then(|player| player.seat);
        Some(TableState {
            you: You { id: client.who(), seat, watching_because: client.watching_because },
            table: self.info(),
            chat: self.lines_after(seen),
            sync: self.sync(self.viewer(client), last),
        })
    }

    /// Lines this client does not have, or has in an older form.
    fn lines_after(&self, seen: u64) -> Vec<ChatLine> {
        let news = |kept: &&super::talk::Kept| kept.line.n > seen || (kept.revised > 0 && kept.revised >= seen);
        self.chat.iter().filter(news).map(|kept| kept.line.clone()).collect()
    }

    fn sync(&self, viewer: Viewer, last: Option<&LastSeen>) -> Option<Sync> {
        let play = self.play.as_ref()?;
        let eyes = |last: &LastSeen| last.seat.map_or(Viewer::Spectator, Viewer::Seat);
        let follows = |last: &&LastSeen| last.game == self.record.game() && eyes(last) == viewer;
        let missed = last.filter(follows).and_then(|last| play.since(viewer, last.seq));
        match missed {
            Some(batches) => Some(Sync::Batches(batches)),
            None => Some(Sync::View(Box::new(play.live.view(viewer)?.clone()))),
        }
    }

    pub(super) fn info(&self) -> TableInfo {
        let record = &self.record;
        let over = record.status == TableStatus::Ended;
        let lobby = record.status == TableStatus::Lobby;
        TableInfo {
            code: record.code.clone(),
            definition_id: record.definition_id.clone(),
            title: record.title.clone(),
            game: record.game(),
            status: record.status,
            paused: record.paused,
            abandoned: record.abandoned,
            settings: record.settings.clone(),
            players: record.players.iter().map(|player| player_info(player, self.muted(player.member))).collect(),
            spectators: self.spectators(),
            door: record.door,
            chat_players_only: record.chat_players_only,
            host: record.host.clone(),
            lead: record.lead.clone(),
            votes: self.open_votes(),
            cannot_start: if lobby { self.cannot_start() } else { None },
            starting: self.starting.is_some(),
            new_rules: self.newer_rules().is_some(),
            problems: self.problems(),
            created_at: record.created_at,
            started_at: record.started_at,
            ended_at: record.ended_at,
            fairness: Fairness { commitment: Some(hex(&hash(&[&record.seed]))), seed: over.then(|| hex(&record.seed)) },
            definitions: DefinitionLinks {
                game: address(&record.pin.definition),
                table: record.table_definition.as_ref().map(address),
            },
            clocks: self.play.as_ref().map(|play| play.clocks_left(self.now())).unwrap_or_default(),
        }
    }

    fn spectators(&self) -> Vec<SpectatorInfo> {
        let mut listed: Vec<SpectatorInfo> = Vec::new();
        for client in self.clients.iter().filter(|client| client.player.is_none() && !client.cut) {
            if !listed.iter().any(|other| other.id == client.who()) {
                let muted = self.muted(Some(client.member));
                listed.push(SpectatorInfo { id: client.who(), name: client.name.clone(), muted });
            }
        }
        listed
    }

    fn open_votes(&self) -> Vec<Vote> {
        let needed = self.votes_needed();
        let votes =
            self.record.votes.iter().map(|(player, by)| Vote { player_id: player.clone(), by: by.clone(), needed });
        votes.collect()
    }

    /// One of those who watch.
    pub(super) fn spectator_info(&self, client: &super::join::Client) -> SpectatorInfo {
        SpectatorInfo { id: client.who(), name: client.name.clone(), muted: self.muted(Some(client.member)) }
    }

    fn muted(&self, member: Option<Member>) -> bool {
        member.is_some_and(|member| self.record.muted.contains(&member))
    }
}

impl super::join::JoinRequest {
    pub fn refuse(self, code: ErrorCode) {
        let refused = No::from(code).refused(Some(self.request));
        self.outbox.put(text(&ServerMessage::Error(refused)));
        self.outbox.go();
    }
}

/// A message to any number of clients. Who should get one that can't be written is hung up on, and gets the whole state when it comes back.
pub fn text(message: &impl Serialize) -> Outgoing {
    match encode::json("a message", message) {
        Ok(json) => Outgoing::Text(frames::text(&json)),
        Err(error) => {
            tracing::error!(%error, "a client is hung up on");
            Outgoing::Close(ErrorCode::Fault)
        }
    }
}

/// A game's record, to be written.
pub fn game_row(record: &GameRecord) -> Result<Write, Unwritable> {
    let row = GameRow { id: record.id.clone(), record: encode::json("a game's record", record)? };
    Ok(Write::Game(row))
}

pub fn player_info(player: &crate::record::Player, muted: bool) -> PlayerInfo {
    PlayerInfo {
        id: player.id.clone(),
        name: player.name.clone(),
        seat: player.seat,
        bot: player.bot,
        presence: player.presence,
        joined_at: player.joined_at,
        last_seen: player.last_seen,
        muted,
    }
}
