//! A table in use for a month: people come and go, talk, play and start over, and nothing it keeps grows.
//!
//! The room is driven by hand, with a clock of its own and people who have no sockets, so that a month takes seconds.

use super::{Act, ClientId, JoinRequest, Note, Room};
use crate::any_answer::any_answer;
use crate::identity::{self, Member};
use crate::outbox::{Outgoing, Recipient};
use crate::{Clock, Config, Server};
use baize_engine::chance::{Chance, FastChance};
use baize_engine::view::Viewer;
use baize_protocol::{Action, BotLevel, Door, TableStatus, limits};
use baize_store::{CHAT_KEPT, CHAT_TRIM_EVERY, Opened};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Somebody who takes everything and says nothing.
struct Deaf;

impl Recipient for Deaf {
    fn joined(&self) {}

    fn put(&self, _: Outgoing) -> bool {
        true
    }

    fn go(&self) {}
}

/// What the room keeps, in figures.
#[derive(Debug)]
struct Footprint {
    /// Bytes of the record as it is written.
    record: usize,
    /// Entries of all lists and maps in memory.
    entries: usize,
    /// Bytes of the game as it is saved.
    game: usize,
    /// Of the whole process, in kilobytes.
    memory: usize,
}

struct Month {
    room: Room,
    clock: Clock,
    chance: FastChance,
    next: u64,
    /// Everybody who is connected, by socket.
    here: Vec<(ClientId, Member)>,
}

impl Month {
    fn below(&mut self, n: u32) -> u32 {
        self.chance.below(n)
    }

    fn stranger(&mut self) -> Member {
        self.next += 1;
        identity::hash(&[&self.next.to_le_bytes()])
    }

    fn join(&mut self, member: Member, watch: bool) {
        self.next += 1;
        let (client, request) = (self.next, format!("join-{}", self.next));
        let name = Some(format!("Person {}", self.next));
        let (outbox, since) = (Arc::new(Deaf), Instant::now());
        let join = JoinRequest { client, request, member, name, watch, last: None, outbox, since };
        self.room.take(Note::Join(Box::new(join)));
        if self.room.clients.iter().any(|other| other.id == client) {
            self.here.push((client, member));
        }
    }

    fn act(&mut self, client: ClientId, action: Action) {
        self.next += 1;
        let (request, since) = (format!("request-{}", self.next), Instant::now());
        self.room.take(Note::Act(Box::new(Act { client, request, action, since })));
    }

    /// Somebody who is connected.
    fn anybody(&mut self) -> Option<(ClientId, Member)> {
        let n = self.here.len() as u32;
        (n > 0).then(|| self.below(n)).map(|at| self.here[at as usize])
    }

    /// A socket of the lead's.
    fn lead(&self) -> Option<ClientId> {
        self.room.clients.iter().find(|c| c.player.is_some() && c.player == self.room.record.lead).map(|c| c.id)
    }

    fn somebodys_id(&mut self) -> String {
        let mut ids: Vec<String> = self.room.record.players.iter().map(|player| player.id.clone()).collect();
        ids.extend(self.room.clients.iter().map(|client| client.who()));
        let at = self.below(ids.len() as u32) as usize;
        ids.swap_remove(at)
    }

    /// One of the things that people do.
    fn something_happens(&mut self) {
        let somebody = self.anybody();
        let (about, text) = (self.somebodys_id(), format!("something that was said, number {}", self.next));
        match (self.below(40), somebody, self.lead()) {
            (0..=3, ..) => {
                let (member, watch) = (self.stranger(), self.below(2) == 0);
                self.join(member, watch);
            }
            (4, Some((_, member)), _) => self.join(member, false),
            (5, Some((client, _)), _) if self.here.len() > 4 => {
                self.here.retain(|(other, _)| *other != client);
                self.room.take(Note::Gone { client });
            }
            (6, Some((client, _)), _) if self.here.len() > 4 => self.act(client, Action::Leave),
            (7..=9, Some((client, _)), _) => self.act(client, Action::Chat { text }),
            (10, Some((client, _)), _) => self.act(client, Action::React { reaction: limits::REACTIONS[0].into() }),
            (11, Some((client, _)), _) => self.act(client, Action::Away { away: self.next.is_multiple_of(2) }),
            (12, Some((client, _)), _) => self.act(client, Action::VoteRemove { player_id: about, remove: true }),
            (13, Some((client, _)), _) => self.act(client, Action::MoveSeat),
            (14, _, Some(lead)) => self.act(lead, Action::Mute { player_id: about, muted: true }),
            (15, _, Some(lead)) => self.act(lead, Action::KickPlayer { player_id: about }),
            (16, _, Some(lead)) => {
                let door = [Door::Ask, Door::Locked, Door::Open, Door::Open][self.below(4) as usize];
                self.act(lead, Action::SetDoor { door: Door::Open });
                self.act(lead, Action::SetDoor { door });
            }
            (17, _, Some(lead)) => self.act(lead, Action::SetChat { players_only: self.next.is_multiple_of(2) }),
            (18, _, Some(lead)) => self.act(lead, Action::AddBot { level: BotLevel::Easy }),
            (19, _, Some(lead)) => self.act(lead, Action::PassLead { player_id: about }),
            (20, _, Some(lead)) => self.act(lead, Action::EndGame),
            (_, _, Some(lead)) => match self.room.record.status {
                TableStatus::Lobby => self.act(lead, Action::StartGame),
                TableStatus::Ended => self.act(lead, Action::Rematch),
                _ => self.somebody_moves(),
            },
            _ => {}
        }
        // Whoever was sent away is no longer here.
        self.here.retain(|(client, _)| self.room.clients.iter().any(|other| other.id == *client && !other.cut));
    }

    fn somebody_moves(&mut self) {
        let seed = self.next;
        let Some(play) = &self.room.play else { return };
        let answers = self.room.clients.iter().find_map(|client| {
            let Viewer::Seat(seat) = self.room.viewer(client) else { return None };
            Some((client.id, any_answer(play.live.view(Viewer::Seat(seat))?, seed)?))
        });
        if let Some((client, answer)) = answers {
            self.act(client, Action::Move(answer));
        }
    }

    fn footprint(&mut self) -> Footprint {
        let room = &mut self.room;
        room.record.tidy();
        let record = &room.record;
        let lists = [record.players.len(), record.banned.len(), record.muted.len(), record.inside.len()];
        let more = [record.left_behind.len(), record.seat_codes.len(), record.votes.len(), record.done.len()];
        let memory = [room.answered.len(), room.allowances.len(), room.askers.len(), room.chat.len(), room.ended.len()];
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages: usize = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
        Footprint {
            record: serde_json::to_vec(record).unwrap().len(),
            entries: lists.iter().chain(&more).chain(&memory).sum(),
            game: room.play.as_ref().map_or(0, |play| play.live.save().expect("the game can be saved").len()),
            memory: pages * 4,
        }
    }
}

/// A table made by one `POST`, and its room, which no socket reaches.
async fn table(config: Config) -> Room {
    let server = Server::bind(config).await.unwrap();
    let (address, services) = (server.address().unwrap(), server.services.clone());
    let serving = tokio::spawn(server.serve(std::future::pending()));
    let body = r#"{"id":"0123456789abcdefg","game":"high-low","name":"Ann","settings":{"preset":"quick"}}"#;
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = "POST /api/tables HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json";
    let secret = "ann-secret-0123456789abcdefghijkl";
    let length = body.len();
    let text = format!(
        "{head}\r\nHost: {address}\r\nAuthorization: Bearer {secret}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    serving.abort();
    let json = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
    let code = serde_json::from_str::<serde_json::Value>(json).unwrap()["code"].as_str().unwrap().to_owned();
    let Opened::Here(open) = services.store.open(&code).await.unwrap() else { panic!("the table is not here") };
    let (inbox, notes) = tokio::sync::mpsc::channel(1);
    let room = Room::load(&services, open, inbox.downgrade()).await;
    drop(notes);
    room.expect("a table that can be loaded")
}

/// GROW-1: thirty days in steps of ten minutes.
#[tokio::test]
async fn a_table_in_use_for_a_month_stays_as_small_as_after_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let clock = Clock::driven(1_700_000_000_000);
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), folder.path().to_owned(), games);
    config.clock = clock.clone();
    config.bot_delay = 0;
    config.max_spectators = 20;
    let room = table(config).await;
    let mut month = Month { room, clock, chance: FastChance::new(14), next: 0, here: Vec::new() };
    let ann = identity::member("ann-secret-0123456789abcdefghijkl").unwrap();
    month.join(ann, false);
    let (mut early, mut most) = (None, 0);
    for step in 0..30 * 24 * 6 {
        month.clock.advance(600_000);
        for _ in 0..month.below(12) {
            month.something_happens();
        }
        // The table is never without somebody who runs it for long.
        if month.lead().is_none() {
            // A lead may have locked the door before leaving; then nobody new could come for the rest of the month.
            month.room.record.door = Door::Open;
            let member = if month.room.record.by_member(&ann).is_some() { ann } else { month.stranger() };
            month.join(member, false);
        }
        month.room.tick();
        month.room.flush().await.unwrap();
        most = most.max(month.room.clients.len());
        if step == 15 * 24 * 6 {
            early = Some(month.footprint());
        }
    }
    let (early, late) = (early.unwrap(), month.footprint());
    println!(
        "after 15 days {early:?}\nafter 30 days {late:?}, {} games, {} lines",
        month.room.record.number, month.room.record.chat
    );
    assert!(month.room.record.number > 50 && month.room.record.chat > 3 * CHAT_KEPT, "too little has happened");
    // Lists fill up to their bounds within days and stay there.
    assert!(late.record < 64 * 1024, "{late:?}");
    assert!(late.entries <= 1_400, "{late:?}");
    assert!(late.record * 4 < early.record * 5 && late.entries * 4 < early.entries * 5, "{early:?} {late:?}");
    assert!(late.game < 16 * 1024 && most <= 4 * (8 + 20 + 1), "{late:?} {most}");
    assert!(late.memory < early.memory + 64 * 1024, "{early:?} {late:?}");
    let store = month.room.services.store.clone();
    let lines = store.chat(month.room.table, 0, 1 << 20).await.unwrap().len() as u64;
    assert!(lines <= CHAT_KEPT + CHAT_TRIM_EVERY, "{lines} lines on disk");
}
