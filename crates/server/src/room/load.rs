//! From the store back into memory: the record, the chat, and the game by its last snapshot and the log after it.

use super::folded::Foldable;
use super::game::{self, ClockState, Play, RunningClock};
use super::{Note, Room};
use crate::record::{GameRecord, Logged, Record};
use crate::{Services, setup};
use baize_packs::{Pack, Trust};
use baize_protocol::{Presence, TableStatus};
use baize_store::{Store, StoreError};
use std::collections::{HashMap, VecDeque};
use std::hash::RandomState;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Log rows read at once.
const PAGE: u32 = 512;
/// Rows before a snapshot that are read for the requests in them.
const REQUESTS: u64 = 128;

impl Room {
    pub(super) async fn load(
        services: &Arc<Services>,
        code: &str,
        inbox: mpsc::WeakSender<Note>,
    ) -> Result<Option<Room>, StoreError> {
        let store = services.store.as_ref();
        let Some(open) = store.open(code).await? else { return Ok(None) };
        let record: Record = serde_json::from_slice(&open.row.record).map_err(damaged)?;
        let rules = services.library.pinned(&record.definition_id, record.pin, store).await?;
        let rules = rules.ok_or_else(|| StoreError::Failed("the table's rules are missing".into()))?;
        let rows = store.chat(open.id, 0, baize_protocol::limits::CHAT_HISTORY as u32).await?;
        let chat: VecDeque<_> = rows.iter().filter_map(|row| serde_json::from_slice(&row.body).ok()).collect();
        let now = services.config.clock.now();
        let mut room = Room {
            services: services.clone(),
            inbox,
            table: open.id,
            epoch: open.epoch,
            rules,
            play: None,
            chat,
            clients: Vec::new(),
            next_spectator: 0,
            effects: Default::default(),
            starting: None,
            return_by: None,
            idle_since: now,
            votes: HashMap::new(),
            seat_codes: Vec::new(),
            answered: HashMap::new(),
            hasher: RandomState::new(),
            fold_at: None,
            record,
        };
        // A crash may have come between a chat line and the next writing of the record.
        room.record.chat = room.record.chat.max(rows.last().map_or(0, |row| row.n));
        for (member, request) in room.record.done.clone() {
            room.remember(member, request, None);
        }
        // The game is named by the record only from its first row on.
        if room.record.status != TableStatus::Lobby
            && let Some(row) = store.game(&room.record.game()).await?
        {
            let record: GameRecord = serde_json::from_slice(&row.record).map_err(damaged)?;
            room.play = Some(room.load_game(store, record).await?);
            let held = std::mem::take(&mut room.record.clocks);
            if let Some(play) = &mut room.play {
                let held = held.into_iter().map(|(input, left)| RunningClock { input, state: ClockState::Held(left) });
                play.clocks = held.collect();
            }
        }
        let persons = room.record.seated().any(|p| p.is_person() && p.presence != Presence::Disconnected);
        room.return_by = persons.then_some(now + services.config.return_within);
        room.follow_clocks();
        room.wake_bots();
        Ok(Some(room))
    }

    async fn load_game(&mut self, store: &dyn Store, record: GameRecord) -> Result<Play, StoreError> {
        let packs = packs_of(store, &record).await?;
        let read: Vec<_> = packs.iter().collect();
        let seats = usize::from(record.seats);
        let staged = self.services.stages.get(&self.rules, &record.options, &record.packs, &read, seats);
        let staged = staged.map_err(|no| StoreError::Failed(no.text.unwrap_or_default()))?;
        let failed = |what: &str| StoreError::Failed(format!("{}: {what}", record.id));
        let snapshot = store.snapshot(&record.id).await?;
        let mut live = match snapshot {
            Some(snapshot) => staged.stage.load(&snapshot.body).map_err(|_| failed("the snapshot is damaged"))?,
            None => staged.stage.table(record.seed),
        };
        // Whose requests were done lately is in rows that a snapshot already has in it.
        let mut read = live.seq().saturating_sub(REQUESTS);
        loop {
            let rows = store.log(&record.id, read, PAGE).await?;
            for row in &rows {
                read = row.seq;
                let logged: Logged = postcard::from_bytes(&row.input).map_err(|_| failed("a row is damaged"))?;
                if let Some((member, request)) = logged.request {
                    self.remember(member, request, None);
                }
                if row.seq <= live.seq() {
                    continue;
                }
                let told = game::apply(&mut live, &logged.step).map_err(|_| failed("a logged step is refused"))?;
                if told.seq != row.seq {
                    return Err(failed("the log has a gap"));
                }
            }
            if rows.len() < PAGE as usize {
                return Ok(Play::new(Foldable::new(staged, live), record));
            }
        }
    }
}

/// The instance a recorded game is played on.
pub async fn make(
    rules: &crate::library::Rules,
    store: &dyn Store,
    record: &GameRecord,
) -> Result<baize_engine::instance::Game, StoreError> {
    let packs = packs_of(store, record).await?;
    setup::instantiate(rules, &record.options, &packs, usize::from(record.seats))
        .map_err(|no| StoreError::Failed(no.text.unwrap_or_default()))
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
