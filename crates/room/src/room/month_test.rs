//! Test: a table in use for a month. People come and go, talk, play and start over, and nothing that the room keeps grows.
//!
//! The test has its own clock and store, so that a month takes seconds.

use super::{Loading, Room, RoomConfig, RoomContext, StoredTable};
use crate::identity::{self, Member};
use crate::log_replay::LogReplay;
use crate::message::{Act, ClientId, Effect, Join, Message, Time};
use crate::random_answer::random_answer;
use crate::record::{NewTableRecord, TableRecord};
use crate::rules::{CurrentFile, Rules};
use crate::setup;
use baize_engine::chance::{Chance, FastChance};
use baize_engine::view::Viewer;
use baize_protocol::table::TableSettings;
use baize_protocol::{Action, BotLevel, Door, ReportTarget, TableStatus, limits};
use baize_rows::{
    CHAT_KEPT, CHAT_TRIM_EVERY, ChatRow, GAMES_KEPT, Hash, LogRow, MEMBERS_KEPT, MEMBERS_TRIM_EVERY, MemberRow, Write,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The members of a table as a store keeps them, by number.
#[derive(Default)]
pub(super) struct StoredMembers(pub BTreeMap<Member, Option<u64>>);

impl StoredMembers {
    pub fn put(&mut self, row: &MemberRow) {
        let n = self.0.entry(row.member).or_insert(row.n);
        *n = n.zip(row.n).map(|(one, other)| one.max(other));
        if let Some(last) = row.trims_up_to() {
            self.0.retain(|_, n| n.is_none_or(|n| n > last));
        }
    }
}

/// The rows that a store would have.
#[derive(Default)]
struct Disk {
    members: StoredMembers,
    chat: BTreeSet<u64>,
    logs: BTreeMap<String, Vec<LogRow>>,
    /// The games with what belongs to each, the oldest first.
    games: Vec<StoredGame>,
    /// Blobs that the table itself references.
    blobs: BTreeSet<Hash>,
    /// How many games the store has deleted.
    games_trimmed: usize,
}

#[derive(Default)]
struct StoredGame {
    id: String,
    has_snapshot: bool,
    blobs: BTreeMap<Hash, usize>,
}

impl Disk {
    fn commit(&mut self, writes: Vec<Write>) {
        for write in writes {
            match write {
                Write::Chat(row) => self.chat_line(&row),
                Write::Game(row) => {
                    if self.games.iter().all(|game| game.id != row.id) {
                        self.games.push(StoredGame { id: row.id, ..Default::default() });
                    }
                }
                Write::GameBlob { game, hash, body } => drop(self.game(&game).blobs.insert(hash, body.len())),
                Write::Snapshot { game, .. } => self.game(&game).has_snapshot = true,
                Write::Blob { hash, .. } => drop(self.blobs.insert(hash)),
                Write::Ended { .. } => {
                    let excess = self.games.len().saturating_sub(GAMES_KEPT as usize);
                    let trimmed: Vec<String> = self.games.drain(..excess).map(|game| game.id).collect();
                    self.games_trimmed += trimmed.len();
                    self.logs.retain(|id, _| !trimmed.contains(id));
                }
                Write::Member(row) => self.members.put(&row),
                Write::Log { game, row } => {
                    let log = self.logs.entry(game).or_default();
                    assert_eq!(row.seq, log.last().map_or(0, |last| last.seq) + 1, "the log has a gap");
                    log.push(row);
                }
                // The record replaces the one before; reports have limits of their own.
                Write::Table { .. } | Write::ChatChanged(_) | Write::Report(_) => {}
                Write::Forget { member } => drop(self.members.0.remove(&member)),
            }
        }
    }

    /// A game of which the store has a row: everything else of a game comes after that.
    fn game(&mut self, id: &str) -> &mut StoredGame {
        self.games.iter_mut().find(|game| game.id == id).unwrap_or_else(|| panic!("{id} has no row"))
    }

    fn chat_line(&mut self, row: &ChatRow) {
        self.chat.insert(row.n);
        if let Some(last) = row.trims_up_to() {
            self.chat.retain(|n| *n > last);
        }
    }
}

/// The size of everything that the room keeps.
#[derive(Debug)]
struct Footprint {
    /// Bytes of the stored record.
    record: usize,
    /// Entries of all lists and maps in memory.
    entries: usize,
    /// Bytes of the saved game.
    game: usize,
    /// Memory of the whole process, in kilobytes.
    memory: usize,
}

struct Month {
    room: Room,
    disk: Disk,
    time: Time,
    chance: FastChance,
    next: u64,
    /// All connected clients.
    here: Vec<(ClientId, Member)>,
    /// The code for another device that a player got last.
    seat_code: Option<String>,
    moved_seats: u32,
    /// The most spectators that there were at the same time.
    most_spectators: usize,
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
        let join = Join { client, request, member, name, watch, last: None, received: 0 };
        self.room.handle(self.time, Message::Join(Box::new(join)));
        if self.room.clients.iter().any(|other| other.id == client) {
            self.here.push((client, member));
        }
    }

    fn act(&mut self, client: ClientId, action: Action) {
        self.next += 1;
        let request = format!("request-{}", self.next);
        self.room.handle(self.time, Message::Act(Box::new(Act { client, request, action, received: 0 })));
    }

    /// A random connected client.
    fn anybody(&mut self) -> Option<(ClientId, Member)> {
        let n = self.here.len() as u32;
        (n > 0).then(|| self.below(n)).map(|at| self.here[at as usize])
    }

    /// A client of the lead.
    fn lead(&self) -> Option<ClientId> {
        self.room.clients.iter().find(|c| c.player.is_some() && c.player == self.room.record.lead).map(|c| c.id)
    }

    /// A player moves to another browser: somebody new, who watches.
    fn a_seat_moves(&mut self, client: ClientId) {
        self.seat_code = None;
        self.act(client, Action::MoveSeat);
        self.flush();
        let device = self.stranger();
        self.join(device, true);
        let device = self.here.iter().find(|(_, member)| *member == device).map(|(client, _)| *client);
        if let (Some(device), Some(code)) = (device, self.seat_code.take()) {
            self.act(device, Action::TakeSeat { code });
            self.moved_seats += u32::from(self.room.client(device).is_some_and(|client| client.player.is_some()));
        }
    }

    /// Somebody new asks to be let in, and the lead answers everybody who asks.
    fn somebody_asks(&mut self, lead: ClientId) {
        self.act(lead, Action::SetDoor { door: Door::Ask });
        let (member, watch) = (self.stranger(), self.below(2) == 0);
        self.join(member, watch);
        for asker_id in self.room.askers.ids() {
            let admit = self.below(2) == 0;
            self.act(lead, Action::AnswerAsker { asker_id, admit });
        }
        self.join(member, watch);
    }

    /// The lead gives the seat of somebody who is absent to somebody who watches.
    fn a_seat_is_handed_on(&mut self, lead: ClientId) {
        let absent = self.room.record.seated().find(|player| player.seat.is_some() && !player.is_active());
        let watching = self.room.clients.iter().find(|client| client.player.is_none() && !client.closed);
        let both = absent.zip(watching).map(|(player, client)| (player.id.clone(), client.public_id()));
        if let Some((player_id, to)) = both {
            self.act(lead, Action::HandSeat { player_id, to });
        }
    }

    /// The lead removes somebody, and takes that back.
    fn a_removal_is_taken_back(&mut self, lead: ClientId, player_id: String) {
        self.act(lead, Action::KickPlayer { player_id: player_id.clone() });
        self.act(lead, Action::UndoKick { player_id });
    }

    fn somebodys_id(&mut self) -> String {
        let mut ids: Vec<String> = self.room.record.players.iter().map(|player| player.id.clone()).collect();
        ids.extend(self.room.clients.iter().map(|client| client.public_id()));
        let at = self.below(ids.len() as u32) as usize;
        ids.swap_remove(at)
    }

    /// Does one random thing that people do.
    fn something_happens(&mut self) {
        let somebody = self.anybody();
        let (about, text) = (self.somebodys_id(), format!("something that was said, number {}", self.next));
        match (self.below(48), somebody, self.lead()) {
            (0..=3, ..) => {
                let (member, watch) = (self.stranger(), self.below(2) == 0);
                self.join(member, watch);
            }
            (4, Some((_, member)), _) => self.join(member, false),
            (5, Some((client, _)), _) if self.here.len() > 4 => {
                self.here.retain(|(other, _)| *other != client);
                self.room.handle(self.time, Message::Gone { client });
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
            (21, Some((client, _)), _) => {
                let about = match self.next.is_multiple_of(2) {
                    true => ReportTarget::Line { n: self.room.record.chat },
                    false => ReportTarget::Name { player_id: about },
                };
                self.act(client, Action::Report { about });
            }
            (22, Some((client, _)), _) => self.act(client, Action::Again { again: true }),
            (23, Some((client, _)), _) => self.a_seat_moves(client),
            (24, _, Some(lead)) => self.a_removal_is_taken_back(lead, about),
            (25, _, Some(lead)) => self.somebody_asks(lead),
            (26, _, Some(lead)) => self.a_seat_is_handed_on(lead),
            (27, _, Some(lead)) => {
                let preset = self.next.is_multiple_of(2).then(|| "quick".to_owned());
                self.act(lead, Action::Configure { settings: TableSettings { preset, ..Default::default() } });
            }
            (28, _, Some(lead)) => self.act(lead, Action::PauseGame),
            (29..=31, _, Some(lead)) => self.act(lead, Action::ResumeGame),
            (32, _, Some(lead)) => self.act(lead, Action::RemoveBot { player_id: about }),
            (_, _, Some(lead)) => match self.room.record.status {
                TableStatus::Lobby => self.act(lead, Action::StartGame),
                TableStatus::Ended => self.act(lead, Action::Rematch),
                _ => self.somebody_moves(),
            },
            _ => {}
        }
        // Clients that the room has closed are gone.
        self.here.retain(|(client, _)| self.room.clients.iter().any(|other| other.id == *client && !other.closed));
    }

    fn somebody_moves(&mut self) {
        let seed = self.next;
        let Some(play) = &self.room.play else { return };
        let answers = self.room.clients.iter().find_map(|client| {
            let Viewer::Seat(seat) = self.room.viewer(client) else { return None };
            Some((client.id, random_answer(play.live.view(Viewer::Seat(seat))?, seed)?))
        });
        if let Some((client, answer)) = answers {
            self.act(client, Action::Move(answer));
        }
    }

    /// Commits, acknowledges, broadcasts.
    fn flush(&mut self) {
        loop {
            while let Some(thought) = self.room.poll_thought() {
                let (seat, decision, answer) = (thought.seat, thought.decision, thought.decide().map(Box::new));
                self.room.handle(self.time, Message::Decided { seat, decision, answer });
            }
            let uncommitted = self.room.poll_commit(self.time).expect("everything can be written");
            self.disk.commit(uncommitted.writes);
            if let Some(wanted) = self.room.spectator_replay_request() {
                let mut replay = LogReplay::for_spectators(&wanted.prepared, &wanted.record, wanted.seq);
                replay.handle_rows(&self.disk.logs[&wanted.record.id]).expect("a log that can be played again");
                self.room.handle_spectators(replay.into_spectators());
            }
            self.room.handle_committed(self.time, uncommitted.held_back);
            while let Some(effect) = self.room.poll_effect() {
                match effect {
                    Effect::WriteReplay { prepared, record } => {
                        let mut replay = LogReplay::for_replay(&prepared, &record);
                        replay.handle_rows(&self.disk.logs[&record.id]).expect("a log that can be played again");
                        let batches = replay.into_batches();
                        self.room.handle(self.time, Message::Replay { record, batches });
                    }
                    Effect::Send { payload, .. } => {
                        let json = std::str::from_utf8(payload.json()).expect("JSON is UTF-8");
                        let told = json.split_once(r#""type":"seatCode","code":""#);
                        if let Some((_, code)) = told {
                            self.seat_code = Some(code.chars().take_while(|c| *c != '"').collect());
                        }
                    }
                    _ => {}
                }
            }
            if !self.room.has_work() {
                break;
            }
        }
        let game = self.room.record.game();
        // Only the rows of the current game are read again.
        self.disk.logs.iter_mut().filter(|(id, _)| **id != game).for_each(|(_, log)| *log = Vec::new());
        self.most_spectators = self.most_spectators.max(self.room.spectator_count());
    }

    /// Strangers sit down in the lobby and leave again, to watch in spite of the bound on spectators.
    fn a_crowd_sits_down_and_leaves(&mut self) {
        let mut crowd = Vec::new();
        for _ in 0..30 {
            let stranger = self.stranger();
            self.join(stranger, false);
            if let Some((client, _)) = self.here.iter().copied().find(|(_, member)| *member == stranger) {
                self.act(client, Action::Leave);
                crowd.push(client);
            }
            self.flush();
        }
        for client in crowd {
            self.here.retain(|(other, _)| *other != client);
            self.room.handle(self.time, Message::Gone { client });
        }
    }

    #[allow(clippy::disallowed_methods)]
    fn footprint(&mut self) -> Footprint {
        self.room.record.tidy();
        // Both are taken apart without `..`: whoever adds a field has to say here how large it can become.
        let Room {
            // Shared by all tables, or of one size.
            context: _,
            time: _,
            entropy: _,
            rules: _,
            file: _,
            steps: _,
            starting: _,
            return_by: _,
            changed_at: _,
            hibernate_at: _,
            idle_since: _,
            last_spectator: _,
            record,
            play,
            packs,
            chat,
            clients,
            pending,
            effects,
            thoughts,
            ended,
            reporters,
            lost_since,
            allowances,
            askers,
            answered,
        } = &self.room;
        let TableRecord {
            // Of one size, or bounded where the record is made and where its settings change.
            code: _,
            definition_id: _,
            title: _,
            pin: _,
            status: _,
            paused: _,
            abandoned: _,
            void: _,
            host: _,
            lead: _,
            number: _,
            next_player: _,
            reserved_spectators: _,
            newcomer_steps: _,
            members_noted: _,
            seed: _,
            table_definition: _,
            created_at: _,
            started_at: _,
            ended_at: _,
            chat: _,
            door: _,
            chat_players_only: _,
            settings,
            players,
            banned,
            starts,
            clocks,
            votes,
            seat_codes,
            muted,
            left_behind,
            kicked,
            inside,
            again,
            done,
        } = record;
        let lists = [players.len(), banned.len(), muted.len(), inside.len(), left_behind.len(), kicked.len()];
        let more = [seat_codes.len(), votes.len(), done.len(), again.len(), starts.known(), settings.options.len()];
        let inner = [
            votes.values().map(Vec::len).sum(),
            clocks.iter().map(|clocks| clocks.left.len()).sum(),
            kicked.iter().map(|kicked| kicked.members.len()).sum(),
            settings.pack_ids.len(),
        ];
        let memory = [answered.len(), allowances.len(), askers.len(), chat.len(), ended.len(), reporters.len()];
        let people = [lost_since.len(), clients.len()];
        let others = [thoughts.len(), effects.len(), packs.iter().count(), pending.writes.len()];
        let game = play.as_ref().map_or([0; 5], |play| play.entries());
        let memory = memory.iter().chain(&people).chain(&others).chain(&game);
        // Only Linux tells a process its memory in this file. There a test that can't read it must fail.
        let pages: usize = match cfg!(target_os = "linux") {
            true => std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').nth(1).unwrap().parse().unwrap(),
            false => 0,
        };
        Footprint {
            record: serde_json::to_vec(record).unwrap().len(),
            entries: lists.iter().chain(&more).chain(&inner).chain(memory).sum(),
            game: play.as_ref().map_or(0, |play| play.live.save().expect("the game can be saved").len()),
            memory: pages * 4,
        }
    }
}

/// Makes a table that nobody has joined yet.
pub(super) fn table(context: RoomContext, host: Member, time: Time) -> Room {
    let source = include_str!("../../../../games/high-low.baize");
    let program = baize_rules::compile(source).0.expect("a game that can be played");
    let rules = Arc::new(Rules::new("high-low", source, program).unwrap());
    let settings = TableSettings { preset: Some("quick".into()), ..Default::default() };
    let settings = setup::settings(&rules, settings, &Default::default(), &Default::default()).unwrap();
    let (code, name, seed, date) = ("abcdefgh".into(), "Ann".into(), [3; 32], time.date);
    let record = TableRecord::new(NewTableRecord { code, rules: &rules, settings, member: host, name, seed, date });
    let stored = StoredTable { record, updated_at: date, chat: Vec::new(), rules };
    Loading::new(Arc::new(context), stored, CurrentFile::default(), [7; 32], time).unwrap().finish()
}

/// GROW-1: thirty days in intervals of ten minutes. Other tests of this program would use memory meanwhile, so the month
/// passes in a process of its own.
#[test]
#[allow(clippy::disallowed_methods)]
fn a_table_in_use_for_a_month_does_not_grow() {
    let mut program = std::process::Command::new(std::env::current_exe().unwrap());
    let name = "room::month_test::a_month_in_a_process_of_its_own";
    let done = program.args(["--ignored", "--exact", name, "--nocapture"]).output().unwrap();
    let (said, wrong) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    println!("{said}{wrong}");
    assert!(done.status.success() && said.contains("1 passed"), "{said}{wrong}");
}

#[test]
#[ignore = "a_table_in_use_for_a_month_does_not_grow runs it"]
fn a_month_in_a_process_of_its_own() {
    let config = RoomConfig { bot_delay: 0, max_spectators: 20, ..Default::default() };
    let time = Time { now: 1_700_000_000_000, date: 1_700_000_000_000 };
    let ann = identity::member("ann-secret-0123456789abcdefghijkl").unwrap();
    let room = table(RoomContext { config, ..Default::default() }, ann, time);
    let (disk, chance) = (Disk::default(), FastChance::new(14));
    let mut month = Month {
        room,
        disk,
        time,
        chance,
        next: 0,
        here: Vec::new(),
        seat_code: None,
        moved_seats: 0,
        most_spectators: 0,
    };
    month.join(ann, false);
    let (mut early, mut most) = (None, 0);
    for step in 0..30 * 24 * 6 {
        month.time = Time { now: month.time.now + 600_000, date: month.time.date + 600_000 };
        for _ in 0..month.below(12) {
            month.something_happens();
        }
        // If nobody leads the table, a new person comes.
        if month.lead().is_none() {
            // A lead may have locked the door before leaving; then nobody could join for the rest of the month.
            month.room.record.door = Door::Open;
            let member = if month.room.record.by_member(&ann).is_some() { ann } else { month.stranger() };
            month.join(member, false);
        }
        if step % 20 == 0 && month.room.record.status == TableStatus::Lobby {
            month.a_crowd_sits_down_and_leaves();
        }
        let stranger = month.stranger();
        month.join(stranger, false);
        if let Some((client, _)) = month.here.iter().copied().find(|(_, member)| *member == stranger) {
            month.act(client, Action::Leave);
            month.here.retain(|(other, _)| *other != client);
            month.room.handle(month.time, Message::Gone { client });
        }
        month.room.handle_timeout(month.time);
        month.flush();
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
    // Lists reach their upper bounds within days and stay there.
    assert!(late.record < 64 * 1024, "{late:?}");
    assert!(late.entries <= 1_400, "{late:?}");
    assert!(late.record * 4 < early.record * 5 && late.entries * 4 < early.entries * 5, "{early:?} {late:?}");
    assert!(late.game < 16 * 1024 && most <= 4 * (8 + 20 + 1), "{late:?} {most}");
    // The room by itself needs no more memory than before; the allocator may take one more region.
    assert!(late.memory < early.memory + 4 * 1024, "{early:?} {late:?}");
    assert!(month.moved_seats > 10, "{} seats have moved to another browser", month.moved_seats);
    let known = month.room.record.players.iter().filter_map(|player| player.name_owner());
    let known = known.chain(month.room.record.banned.clone()).chain(month.room.record.inside.clone());
    let known = known.chain(month.room.record.kicked.iter().flat_map(|kicked| kicked.members.clone()));
    for member in known.chain(month.room.record.muted.clone()) {
        assert!(month.disk.members.0.contains_key(&member), "Forget me would not find the table");
    }
    // The store keeps everybody who played, and a bounded number of others.
    let numbered = month.disk.members.0.values().flatten().count() as u64;
    println!("{numbered} of {} numbered members on disk", month.room.record.members_noted);
    assert!(month.room.record.members_noted > 2 * MEMBERS_KEPT, "too few strangers have come");
    assert!(numbered <= MEMBERS_KEPT + MEMBERS_TRIM_EVERY, "{numbered} numbered members on disk");
    // It keeps a bounded number of games, with all that belongs to them, and nothing of the others.
    let Disk { games, logs, blobs, games_trimmed, .. } = &month.disk;
    println!("{} games on disk, {games_trimmed} trimmed, {} blobs of the table", games.len(), blobs.len());
    assert!(*games_trimmed > 0, "too few games have ended");
    assert!(games.len() as u64 <= GAMES_KEPT + 1 && logs.len() <= games.len(), "{} games on disk", games.len());
    assert!(games.iter().all(|game| game.blobs.len() <= 3), "a definition, a first view and a replay");
    println!("{} snapshots on disk", games.iter().filter(|game| game.has_snapshot).count());
    let bytes: usize = games.iter().flat_map(|game| game.blobs.values()).sum();
    assert!(bytes < GAMES_KEPT as usize * 256 * 1024, "{bytes} bytes of blobs on disk");
    assert!(blobs.len() <= 3, "{} blobs of the table itself", blobs.len());
    let most = month.most_spectators;
    assert!((15..=20).contains(&most), "{most} spectators at the same time");
    let lines = month.disk.chat.len() as u64;
    assert!(lines <= CHAT_KEPT + CHAT_TRIM_EVERY, "{lines} lines on disk");
}
