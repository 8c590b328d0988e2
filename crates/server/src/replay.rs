//! The replay of a finished game, which anyone with its address may read; and the check that the game was dealt fairly.

use crate::Services;
use crate::identity::{hash, hex, unhex};
use crate::log_replay;
use crate::slow_work;
use baize_engine::instance::PackCard;
use baize_engine::instantiate;
use baize_engine::live::LiveTable;
use baize_engine::table::SEMANTICS;
use baize_engine::view::{Batch, View, Viewer};
use baize_narrator::{Narration, Narrator};
use baize_protocol::compact::{TextNumbers, WireBatch};
use baize_protocol::http::Replay;
use baize_room::log_replay::apply;
use baize_room::prepared::PreparedGame;
use baize_room::record::{GameRecord, LogRecord};
use baize_room::rules::address;
use baize_store::StoreError;
use baize_store::Unwritable;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The replay of a finished game. None while the game runs, because the replay shows every hand; and none for a game that faults of
/// the server ended, because playing it again could fail again.
pub async fn read(services: &Services, game: &str) -> Result<Option<Replay>, StoreError> {
    let store = services.store.as_ref();
    let Some(row) = store.game(game).await? else { return Ok(None) };
    let record: GameRecord = serde_json::from_slice(&row.record)
        .map_err(|error| StoreError::Failed(format!("{game}: a record is damaged: {error}")))?;
    if record.ended_at.is_none() || record.void {
        return Ok(None);
    }
    // The replay is read, not executed, so it outlives the engine that made it.
    let (batches, steps) = read_steps(services, &record).await?;
    let missing = |what: &str| StoreError::Failed(format!("{game}: {what} is missing"));
    let source = store.blob(&record.pin.source).await?.ok_or_else(|| missing("the source"))?;
    let first = store.blob(&record.first).await?.ok_or_else(|| missing("the first view"))?;
    let first: View = serde_json::from_slice(&first).map_err(|_| StoreError::Failed("a view is damaged".into()))?;
    let packs = services.packs.of_game(store, &record).await?;
    // One replay is read at a time, so this takes one thread at most.
    let packs = slow_work::run_aside(|| packs.iter().map(baize_packs::to_json).collect());
    let table = store.blob(&record.table_definition).await?.ok_or_else(|| missing("the table's definition"))?;
    let narrations = slow_work::run_aside(|| narrate(&table, &first, &batches));
    let narrations = narrations.map_err(|what| StoreError::Failed(format!("{game}: {what}")))?;
    Ok(Some(Replay {
        game: record.id.clone(),
        definition_id: record.definition_id.clone(),
        game_definition: address(&record.pin.definition),
        table_definition: address(&record.table_definition),
        names: record.names.clone(),
        commitment: hex(&hash(&[&record.seed])),
        seed: hex(&record.seed),
        semantics: record.pin.semantics,
        source: String::from_utf8_lossy(&source).into_owned(),
        options: serde_json::to_value(&record.options).map_err(|e| Unwritable::new("a game's options", e))?,
        packs,
        seats: record.seats,
        steps,
        first,
        batches,
        narrations,
    }))
}

/// Tells all batches in words, as the replay shows them: with everything face up.
fn narrate(table: &[u8], first: &View, batches: &[Batch]) -> Result<Vec<Vec<Narration>>, String> {
    let table = serde_json::from_slice(table).map_err(|error| format!("the table's definition is damaged: {error}"))?;
    let narrator = Narrator { table: &table };
    let mut view = first.clone();
    batches.iter().map(|batch| narrator.follow(&mut view, batch).map_err(|error| error.to_string())).collect()
}

/// The replay's batches, and the logged steps.
async fn read_steps(services: &Services, record: &GameRecord) -> Result<(Vec<Batch>, Vec<Value>), StoreError> {
    let store = services.store.as_ref();
    let damaged = || StoreError::Failed(format!("{}: a row is damaged", record.id));
    // Older programs stored each step's batch in the log.
    let (mut with_steps, mut steps) = (Vec::new(), Vec::new());
    loop {
        let rows = store.log(&record.id, steps.len() as u64, 512).await?;
        for row in &rows {
            if !row.old_batches.is_empty() {
                with_steps.push(serde_json::from_slice(&row.old_batches).map_err(|_| damaged())?);
            }
            let logged = postcard::from_bytes::<LogRecord>(&row.input).map_err(|_| damaged())?;
            steps.push(serde_json::to_value(&logged.step).map_err(|e| Unwritable::new("a step", e))?);
        }
        if rows.len() < 512 {
            break;
        }
    }
    let stored: Vec<WireBatch> = match &record.replay {
        _ if with_steps.len() == steps.len() => with_steps,
        Some(hash) => {
            let body = store.blob(hash).await?.ok_or_else(damaged)?;
            serde_json::from_slice(&body).map_err(|_| damaged())?
        }
        // The game is over, but its room has not written the replay yet.
        None => {
            let prepared = prepare(services, record).await?;
            let body = log_replay::replay(services, &prepared, record).await?;
            serde_json::from_slice(&body).map_err(|_| damaged())?
        }
    };
    let batches =
        stored.iter().map(|batch| batch.read(&TextNumbers::default()).map(|read| read.batch)).collect::<Option<_>>();
    Ok((batches.ok_or_else(damaged)?, steps))
}

/// The game made ready again as it was played.
pub async fn prepare(services: &Services, record: &GameRecord) -> Result<Arc<PreparedGame>, StoreError> {
    let store = services.store.as_ref();
    if record.pin.semantics != SEMANTICS {
        return Err(StoreError::Failed(format!("{}: played under other semantics, and has no replay", record.id)));
    }
    let rules = services.library.pinned(&record.definition_id, record.pin, store).await?;
    let rules = rules.ok_or_else(|| StoreError::Failed("the table's rules are missing".into()))?;
    let packs = services.packs.of_game(store, record).await?;
    let packs: Vec<_> = packs.iter().collect();
    let seats = usize::from(record.seats);
    let _permit = services.slow_work.permit(!packs.is_empty()).await;
    let games = &services.rooms.games;
    let prepared = slow_work::run_aside(|| games.get(&rules, &record.options, &record.packs, &packs, seats));
    prepared.map_err(|no| StoreError::Failed(no.text.unwrap_or_default()))
}

/// Why a replay can't be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// The seed does not match the commitment.
    Commitment,
    /// The game was played under another version of the engine's semantics.
    Semantics(u32),
    /// One part of the replay can't be read; the text names the part.
    Unreadable(&'static str),
    /// The rules refuse a recorded step.
    Refused { seq: u64 },
    /// The steps do not lead to the end of the game, so something was cut off.
    Unfinished,
    /// A recorded batch differs from the one that follows from seed, rules and moves.
    Differs { seq: u64 },
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            VerifyError::Commitment => f.write_str("the seed is not the one committed to before the deal"),
            VerifyError::Semantics(n) => {
                write!(f, "it was played under semantics {n}, which this program does not know")
            }
            VerifyError::Unreadable(what) => write!(f, "its {what} can't be read"),
            VerifyError::Refused { seq } => write!(f, "step {seq} is against the rules"),
            VerifyError::Unfinished => f.write_str("the game does not end: something is missing after its last step"),
            VerifyError::Differs { seq } => write!(f, "step {seq} should have had another result"),
        }
    }
}

impl std::error::Error for VerifyError {}

/// The table that a replay begins with: its rules, options, packs and seats made ready again, and no step played.
pub fn table(replay: &Replay) -> Result<LiveTable, VerifyError> {
    let seed = unhex(&replay.seed).ok_or(VerifyError::Unreadable("seed"))?;
    let program = baize_rules::compile(&replay.source).0.ok_or(VerifyError::Unreadable("source"))?;
    let options: Vec<(String, baize_rules::program::OptionValue)> =
        serde_json::from_value(replay.options.clone()).map_err(|_| VerifyError::Unreadable("options"))?;
    let mut packs = Vec::new();
    for text in &replay.packs {
        let imported = baize_packs::parse_stored(text.as_bytes(), "pack", baize_packs::Trust::Operator);
        packs.extend(imported.map_err(|_| VerifyError::Unreadable("packs"))?.packs);
    }
    let cards: Vec<PackCard> = baize_room::packs::cards(&packs);
    let game = instantiate(Arc::new(program), &options, &cards, usize::from(replay.seats))
        .map_err(|_| VerifyError::Unreadable("options"))?;
    Ok(LiveTable::new(&game, seed))
}

/// Plays a replay again from its seed, rules, packs and moves, and compares every batch.
pub fn verify(replay: &Replay) -> Result<(), VerifyError> {
    let seed = unhex(&replay.seed).ok_or(VerifyError::Unreadable("seed"))?;
    if hex(&hash(&[&seed])) != replay.commitment {
        return Err(VerifyError::Commitment);
    }
    if replay.semantics != SEMANTICS {
        return Err(VerifyError::Semantics(replay.semantics));
    }
    let mut live = table(replay)?.only(&[Viewer::Replay]);
    if live.view(Viewer::Replay) != Some(&replay.first) {
        return Err(VerifyError::Differs { seq: 0 });
    }
    if replay.steps.len() != replay.batches.len() {
        return Err(VerifyError::Unreadable("steps"));
    }
    for (step, batch) in replay.steps.iter().zip(&replay.batches) {
        let step = serde_json::from_value(step.clone()).map_err(|_| VerifyError::Unreadable("steps"))?;
        let batches = apply(&mut live, &step).map_err(|_| VerifyError::Refused { seq: batch.seq })?;
        if batches.of(Viewer::Replay) != Some(batch) {
            return Err(VerifyError::Differs { seq: batch.seq });
        }
    }
    // Every ended game has an outcome, also one that its players gave up.
    match live.outcome() {
        Some(_) => Ok(()),
        None => Err(VerifyError::Unfinished),
    }
}
