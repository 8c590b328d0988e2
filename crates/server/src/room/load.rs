//! From the store back into memory: the record, the chat, and the game by its last snapshot and the log after it.

use super::folded::Foldable;
use super::game::{self, ClockState, Play, RunningClock};
use super::talk::Kept;
use super::{Note, Room};
use crate::Services;
use crate::encode::Unwritable;
use crate::heavy;
use crate::record::{ChatRecord, ClockLeft, GameRecord, Logged, Player, Record, Request};
use crate::{recount, snapshot};
use baize_engine::live::{LiveTable, Stage};
use baize_engine::table::SEMANTICS;
use baize_engine::view::Viewer;
use baize_packs::{Pack, Trust};
use baize_protocol::{ChatKind, Presence, TableStatus};
use baize_store::{ChatRow, OpenTable, Snapshot, Store, StoreError, Write};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Log rows read at once.
const PAGE: u32 = 512;
/// Rows before a snapshot that are read for the requests in them.
const REQUESTS: u64 = 128;

impl Room {
    pub(super) async fn load(
        services: &Arc<Services>,
        open: OpenTable,
        inbox: mpsc::WeakSender<Note>,
    ) -> Result<Room, LoadError> {
        let store = services.store.as_ref();
        let mut record: Record = serde_json::from_slice(&open.row.record).map_err(damaged)?;
        let recorded = record.pin;
        if record.pin.semantics != SEMANTICS {
            // A log means what it meant only under the semantics it was written by. Where there is none yet, the source is
            // compiled anew.
            if record.status != TableStatus::Lobby {
                return Err(LoadError::Semantics(record.pin.semantics));
            }
            let renewed = services.library.renewed(&record.definition_id, record.pin, store).await?;
            record.pin = renewed.ok_or(LoadError::Semantics(record.pin.semantics))?.pin;
        }
        let rules = services.library.pinned(&record.definition_id, record.pin, store).await?;
        let rules = rules.ok_or_else(|| StoreError::Failed("the table's rules are missing".into()))?;
        let rows = store.chat(open.id, 0, baize_protocol::limits::CHAT_HISTORY as u32).await?;
        let line = |row: &ChatRow| match serde_json::from_slice(&row.body) {
            Ok(line) => Some(line),
            Err(error) => {
                tracing::error!(code = %open.row.code, n = row.n, %error, "a line of the chat is damaged and left out");
                None
            }
        };
        let chat: Vec<ChatRecord> = rows.iter().filter_map(line).collect();
        let (now, date) = (services.config.clock.now(), services.config.clock.date());
        // Somebody who was cut off before a restart has waited for as long as the dates say. A date that has stepped back since
        // makes them wait for the whole time again, and no longer.
        let waited = |player: &Player| now.saturating_sub(date.saturating_sub(player.last_seen));
        let cut_off = record.seated().filter(|player| player.presence == Presence::Disconnected);
        let lost_since = cut_off.map(|player| (player.id.clone(), waited(player))).collect();
        let mut room = Room {
            services: services.clone(),
            inbox,
            table: open.id,
            epoch: open.epoch,
            rules,
            play: None,
            packs: Default::default(),
            chat: VecDeque::new(),
            clients: Vec::new(),
            next_spectator: 0,
            effects: Default::default(),
            ended: Vec::new(),
            unanswered: Vec::new(),
            doing: "room/load",
            flushed: false,
            lost: false,
            orders: Default::default(),
            reporters: Default::default(),
            starting: None,
            return_by: None,
            changed_at: open.row.updated_at,
            idle_since: now,
            lost_since,
            allowances: Default::default(),
            askers: Default::default(),
            answered: Default::default(),
            fold_at: None,
            record,
        };
        if room.record.pin != recorded {
            let blobs = room.rules.blobs()?.into_iter();
            room.effects.writes.extend(blobs.map(|(hash, body)| Write::Blob { hash, body }));
            room.effects.record = true;
        }
        // A crash may have come between a chat line and the next writing of the record.
        room.record.chat = room.record.chat.max(rows.last().map_or(0, |row| row.n));
        // Only so many are remembered for each browser, so they must come in the order in which they were done.
        let mut done: Vec<(u64, Request)> = room.record.done.iter().cloned().collect();
        let last = room.record.chat;
        for ChatRecord { line, request, .. } in chat {
            done.extend(request.map(|request| (line.at, request)));
            // It is not known any more which of them got another text, and who has heard of it.
            let revised = if line.kind == ChatKind::Session { last } else { 0 };
            room.chat.push_back(Kept { line, about: None, revised });
        }
        // The game is named by the record only from its first row on.
        if room.record.status != TableStatus::Lobby
            && !room.record.void
            && let Some(row) = store.game(&room.record.game()).await?
        {
            let record: GameRecord = serde_json::from_slice(&row.record).map_err(damaged)?;
            let (mut play, logged) = room.load_game(store, record, &mut done).await?;
            // An orderly stop knows better than the last row how much time was left; but only if nothing came after it.
            let stopped = room.record.clocks.take().filter(|stopped| stopped.seq == play.live.seq());
            let left = stopped.map_or(logged, |stopped| stopped.left).into_iter();
            play.clocks = left.map(|(input, left)| RunningClock { input, state: ClockState::Held(left) }).collect();
            room.play = Some(play);
        }
        done.sort_by_key(|(at, _)| *at);
        for (_, (member, request)) in done {
            room.remember(member, &request, None);
        }
        let persons = room.record.seated().any(|p| p.is_person() && p.presence != Presence::Disconnected);
        room.return_by = persons.then_some(now + services.config.return_within);
        room.follow_clocks();
        room.wake_bots();
        Ok(room)
    }

    /// The game, and the clocks as they were after the last step; adds whose requests were done.
    async fn load_game(
        &mut self,
        store: &dyn Store,
        record: GameRecord,
        done: &mut Vec<(u64, Request)>,
    ) -> Result<(Play, Vec<ClockLeft>), LoadError> {
        if record.pin.semantics != SEMANTICS {
            return Err(LoadError::Semantics(record.pin.semantics));
        }
        let packs = packs_of(store, &record).await?;
        let read: Vec<_> = packs.iter().collect();
        let seats = usize::from(record.seats);
        let staged = {
            let _turn = match record.packs.is_empty() {
                true => None,
                false => self.services.heavy.turn().await,
            };
            heavy::aside(|| self.services.stages.get(&self.rules, &record.options, &record.packs, &read, seats))
        };
        let staged = staged.map_err(|no| StoreError::Failed(no.text.unwrap_or_default()))?;
        let failed = |what: &str| StoreError::Failed(format!("{}: {what}", record.id));
        let snapshot = store.snapshot(&record.id).await?;
        // Everything in a snapshot follows from the log: one that can't be used costs time, and nothing else.
        let usable = snapshot.and_then(|snapshot| match from_snapshot(&staged.stage, &snapshot) {
            Ok(live) => Some(live),
            Err(error) => {
                tracing::error!(game = %record.id, seq = snapshot.seq, error, "the game is played again from its log");
                None
            }
        });
        let mut live = usable.unwrap_or_else(|| staged.stage.table(record.seed));
        // Those who come to watch will be seen to.
        live.dismiss(Viewer::Spectator);
        live.dismiss(Viewer::Replay);
        let mut has_replay = record.told.is_some();
        let mut clocks = Vec::new();
        // Whose requests were done lately is in rows that a snapshot already has in it.
        let mut read = live.seq().saturating_sub(REQUESTS);
        loop {
            let rows = store.log(&record.id, read, PAGE).await?;
            for row in &rows {
                read = row.seq;
                let logged: Logged = postcard::from_bytes(&row.input).map_err(|_| failed("a row is damaged"))?;
                done.extend(logged.request.map(|request| (row.at, request)));
                clocks = logged.clocks;
                has_replay |= !row.told.is_empty();
                if row.seq <= live.seq() {
                    continue;
                }
                let told = game::apply(&mut live, &logged.step).map_err(|_| failed("a logged step is refused"))?;
                if told.seq != row.seq {
                    return Err(failed("the log has a gap").into());
                }
            }
            if rows.len() < PAGE as usize {
                if let Some(other) = &self.services.config.on_load {
                    if let Some(watching) = recount::spectators(store, &staged, &record, live.seq()).await? {
                        live.admit(watching);
                    }
                    live = other.0(live);
                }
                if record.ended_at.is_some() && !has_replay {
                    self.ended.push((staged.clone(), record.clone()));
                }
                return Ok((Play::new(Foldable::new(staged, live), record), clocks));
            }
        }
    }
}

/// The game as it was saved.
fn from_snapshot(stage: &Stage, kept: &Snapshot) -> Result<LiveTable, String> {
    let saved = snapshot::unseal(&kept.body).map_err(|unusable| unusable.to_string())?;
    let live = stage.load(saved).map_err(|error| format!("the snapshot can't be loaded: {error:?}"))?;
    match live.seq() == kept.seq {
        true => Ok(live),
        false => Err(format!("the snapshot is of step {}", live.seq())),
    }
}

/// Why a table can't be opened.
#[derive(Debug)]
pub enum LoadError {
    Store(StoreError),
    /// Its log was written under other semantics than this program's.
    Semantics(u32),
}

impl From<StoreError> for LoadError {
    fn from(error: StoreError) -> Self {
        LoadError::Store(error)
    }
}

impl From<Unwritable> for LoadError {
    fn from(unwritable: Unwritable) -> Self {
        LoadError::Store(unwritable.into())
    }
}

/// The packs a recorded game is played with.
pub async fn packs_of(store: &dyn Store, record: &GameRecord) -> Result<Vec<Pack>, StoreError> {
    let mut packs = Vec::new();
    for hash in &record.packs {
        let text = store.blob(hash).await?.ok_or_else(|| StoreError::Failed("a pack is missing".into()))?;
        let imported = baize_packs::parse(&text, "pack", Trust::Operator);
        packs.extend(imported.map_err(|_| StoreError::Failed("a pack is damaged".into()))?.packs);
    }
    Ok(packs)
}

fn damaged(error: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("a record is damaged: {error}"))
}
