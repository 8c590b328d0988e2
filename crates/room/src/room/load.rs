//! Loads a room from the store: the record, the chat, and the game from its last snapshot and the log after it.

use super::game::{ClockState, RunningClock, RunningGame};
use super::hibernation::HibernatingTable;
use super::talk::RoomChatLine;
use super::{Room, RoomContext};
use crate::entropy::Entropy;
use crate::log_replay::apply;
use crate::message::Time;
use crate::prepared::PreparedGame;
use crate::record::{ChatRecord, ClockLeft, GameRecord, LogRecord, Player, Request, TableRecord};
use crate::rules::{CurrentFile, Rules};
use crate::snapshot;
use baize_engine::live::{GameScene, LiveTable};
use baize_engine::observe::SavedObserver;
use baize_engine::table::SEMANTICS;
use baize_engine::view::Viewer;
use baize_packs::Pack;
use baize_protocol::{ChatKind, Presence, TableStatus};
use baize_rows::{ChatRow, LogRow, Snapshot, Unwritable, Write};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// How many rows before a snapshot the shell reads, so that the room learns which requests were carried out.
const REQUESTS: u64 = 128;

/// The stored rows of a table, without its game.
pub struct StoredTable {
    pub record: TableRecord,
    /// When something last happened at the table.
    pub updated_at: u64,
    /// The last chat lines.
    pub chat: Vec<ChatRow>,
    /// The rules that the record is pinned to. For a lobby that was pinned under other semantics, the shell compiles the source
    /// again.
    pub rules: Arc<Rules>,
}

/// The stored rows of a game, without its log.
pub struct StoredGame {
    pub record: GameRecord,
    /// The packs of the game, in the order of the record.
    pub packs: Vec<Pack>,
    pub snapshot: Option<Snapshot>,
}

/// Why a table can't be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// Something in the store cannot be read or is inconsistent.
    Damaged(String),
    /// The log was written under other semantics than this program's.
    Semantics(u32),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LoadError::Damaged(why) => f.write_str(why),
            LoadError::Semantics(version) => write!(f, "the table was played under semantics {version}"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<Unwritable> for LoadError {
    fn from(unwritable: Unwritable) -> Self {
        LoadError::Damaged(unwritable.to_string())
    }
}

/// A room that is being loaded.
///
/// The shell reads the table's row and calls [`Loading::new`]. If there is a [`wanted_game`](Loading::wanted_game), it reads
/// that game and calls [`handle_game`](Loading::handle_game), then [`handle_rows`](Loading::handle_rows) with the log after
/// [`wanted_rows`](Loading::wanted_rows), page by page, until there is no more. Then [`finish`](Loading::finish) gives the room.
pub struct Loading {
    room: Room,
    /// Requests that were carried out, with their times.
    done: Vec<(u64, Request)>,
    game: Option<LoadingGame>,
}

struct LoadingGame {
    prepared: Arc<PreparedGame>,
    record: GameRecord,
    live: LiveTable,
    /// `seq` of the last row that was handed in.
    read: u64,
    has_replay: bool,
    /// Clocks after the last row.
    clocks: Vec<ClockLeft>,
}

impl Loading {
    /// `seed` is 32 random bytes that nobody else knows.
    pub fn new(
        context: Arc<RoomContext>,
        stored: StoredTable,
        file: CurrentFile,
        seed: [u8; 32],
        time: Time,
    ) -> Result<Self, LoadError> {
        let StoredTable { mut record, updated_at, chat: rows, rules } = stored;
        // A log can only be executed under the semantics it was written with.
        if record.pin.semantics != SEMANTICS && record.status != TableStatus::Lobby {
            return Err(LoadError::Semantics(record.pin.semantics));
        }
        let renewed = record.pin != rules.pin;
        record.pin = rules.pin;
        let line = |row: &ChatRow| match serde_json::from_slice(&row.body) {
            Ok(line) => Some(line),
            Err(error) => {
                tracing::error!(code = %record.code, n = row.n, %error, "a line of the chat is damaged and left out");
                None
            }
        };
        let chat: Vec<ChatRecord> = rows.iter().filter_map(line).collect();
        let Time { now, date } = time;
        record.resume_kicks(now);
        // A player who was disconnected before the restart has already waited, judging by the dates. If the date has stepped
        // back since, the player waits the whole time again, and not longer.
        let waited = |player: &Player| now.saturating_sub(date.saturating_sub(player.last_seen));
        let cut_off = record.seated().filter(|player| player.presence == Presence::Disconnected);
        let lost_since = cut_off.map(|player| (player.id.clone(), waited(player))).collect();
        let mut room = Room {
            context,
            time,
            entropy: Entropy::new(seed),
            rules,
            file,
            play: None,
            packs: Default::default(),
            chat: VecDeque::new(),
            clients: Vec::new(),
            pending: Default::default(),
            effects: VecDeque::new(),
            thoughts: Vec::new(),
            steps: 0,
            ended: Vec::new(),
            reporters: Default::default(),
            starting: None,
            return_by: None,
            changed_at: updated_at,
            idle_since: now,
            last_spectator: record.reserved_spectators,
            lost_since,
            allowances: Default::default(),
            askers: Default::default(),
            answered: Default::default(),
            hibernate_at: None,
            record,
        };
        if renewed {
            let blobs = room.rules.blobs()?.into_iter();
            room.pending.writes.extend(blobs.map(|(hash, body)| Write::Blob { hash, body }));
            room.pending.record = true;
        }
        // A crash may have happened between a chat line and the next writing of the record.
        room.record.chat = room.record.chat.max(rows.last().map_or(0, |row| row.n));
        // Only a few answers of each browser are kept, so they must be added in the order in which they were given.
        let mut done: Vec<(u64, Request)> = room.record.done.iter().cloned().collect();
        let last = room.record.chat;
        // Earlier versions stored announcements of the rules as lines without a text.
        let chat = chat.into_iter().filter(|record| !record.line.text.is_empty());
        for ChatRecord { line, request, .. } in chat {
            let author = request.as_ref().map(|(member, _)| *member);
            done.extend(request.map(|request| (line.at, request)));
            // The store does not tell which session lines have changed and who got the change, so all of them count as changed.
            let revised = if line.kind == ChatKind::Session { last } else { 0 };
            room.chat.push_back(RoomChatLine { line, author, topic: None, revised });
        }
        Ok(Loading { room, done, game: None })
    }

    /// The id of the game that the shell reads, if the store has it. The record has the id before the game's first row exists.
    pub fn wanted_game(&self) -> Option<String> {
        let record = &self.room.record;
        (record.status != TableStatus::Lobby && !record.void).then(|| record.game())
    }

    /// Prepares the game, which may take long if its packs are large.
    pub fn handle_game(&mut self, game: StoredGame) -> Result<(), LoadError> {
        let StoredGame { record, packs, snapshot } = game;
        if record.pin.semantics != SEMANTICS {
            return Err(LoadError::Semantics(record.pin.semantics));
        }
        let packs: Vec<_> = packs.iter().collect();
        let (games, seats) = (&self.room.context.games, usize::from(record.seats));
        let prepared = games.get(&self.room.rules, &record.options, &record.packs, &packs, seats);
        let prepared = prepared.map_err(|refusal| LoadError::Damaged(refusal.into_text()))?;
        // Everything in a snapshot follows from the log, so an unusable snapshot only costs time.
        let usable = snapshot.and_then(|snapshot| match from_snapshot(&prepared.scene, &snapshot) {
            Ok(live) => Some(live),
            Err(error) => {
                tracing::error!(game = %record.id, seq = snapshot.seq, error, "the game is played again from its log");
                None
            }
        });
        let mut live = usable.unwrap_or_else(|| prepared.scene.table(record.seed));
        // Spectators who come get their own replay of the log.
        live.dismiss(Viewer::Spectator);
        live.dismiss(Viewer::Replay);
        let has_replay = record.replay.is_some();
        // Rows before the snapshot are read for their requests only.
        let read = live.seq().saturating_sub(REQUESTS);
        self.game = Some(LoadingGame { prepared, record, live, read, has_replay, clocks: Vec::new() });
        Ok(())
    }

    /// The shell reads the log after this row.
    pub fn wanted_rows(&self) -> u64 {
        self.game.as_ref().map_or(0, |game| game.read)
    }

    /// Takes the next rows of the log, in order.
    pub fn handle_rows(&mut self, rows: &[LogRow]) -> Result<(), LoadError> {
        let Some(game) = &mut self.game else { return Ok(()) };
        let LoadingGame { record, live, .. } = game;
        let failed = |what: &str| LoadError::Damaged(format!("{}: {what}", record.id));
        for row in rows {
            game.read = row.seq;
            let logged: LogRecord = postcard::from_bytes(&row.input).map_err(|_| failed("a row is damaged"))?;
            self.done.extend(logged.request.map(|request| (row.at, request)));
            game.clocks = logged.clocks;
            game.has_replay |= !row.old_batches.is_empty();
            if row.seq <= live.seq() {
                continue;
            }
            let batches = apply(live, &logged.step).map_err(|_| failed("a logged step is refused"))?;
            if batches.seq != row.seq {
                return Err(failed("the log has a gap"));
            }
        }
        Ok(())
    }

    /// The loaded game: its prepared game, its record and its last step.
    pub fn loaded_game(&self) -> Option<(&Arc<PreparedGame>, &GameRecord, u64)> {
        self.game.as_ref().map(|game| (&game.prepared, &game.record, game.live.seq()))
    }

    /// For tests: replaces the loaded table with the one that `other` makes of it. `watching` is the state of a spectator who has
    /// watched from the start.
    pub fn replace_table(&mut self, watching: Option<SavedObserver>, other: impl FnOnce(LiveTable) -> LiveTable) {
        if let Some(mut game) = self.game.take() {
            if let Some(watching) = watching {
                game.live.admit(watching);
            }
            game.live = other(game.live);
            self.game = Some(game);
        }
    }

    /// Makes the room. The shell calls it when it has handed in everything.
    pub fn finish(self) -> Room {
        let Loading { mut room, mut done, game } = self;
        if let Some(LoadingGame { prepared, record, live, has_replay, clocks, .. }) = game {
            if record.ended_at.is_some() && !has_replay {
                room.ended.push((prepared.clone(), record.clone()));
            }
            // An orderly stop noted the remaining times later than the last row did, unless a step came after it.
            let stopped = room.record.clocks.take().filter(|stopped| stopped.seq == live.seq());
            let left = stopped.map_or(clocks, |stopped| stopped.left).into_iter();
            let mut play = RunningGame::new(HibernatingTable::new(prepared, live), record);
            play.clocks = left.map(|(input, left)| RunningClock { input, state: ClockState::Held(left) }).collect();
            room.play = Some(play);
        }
        done.sort_by_key(|(at, _)| *at);
        for (_, (member, request)) in done {
            room.remember(member, &request, None);
        }
        let persons = room.record.seated().any(|p| p.is_person() && p.presence != Presence::Disconnected);
        room.return_by = persons.then_some(room.now() + room.context.config.return_within);
        room.follow_clocks();
        room.wake_bots();
        room
    }
}

/// Loads the game from a snapshot.
fn from_snapshot(scene: &GameScene, kept: &Snapshot) -> Result<LiveTable, String> {
    let saved = snapshot::unseal(&kept.body).map_err(|unusable| unusable.to_string())?;
    let live = scene.load(saved).map_err(|error| format!("the snapshot can't be loaded: {error:?}"))?;
    match live.seq() == kept.seq {
        true => Ok(live),
        false => Err(format!("the snapshot is of step {}", live.seq())),
    }
}
