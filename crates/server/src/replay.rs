//! A finished game, as anyone with its address may see it; and the check that it was dealt fairly.

use crate::Services;
use crate::identity::{hash, hex, unhex};
use crate::log_replay;
use crate::packs;
use baize_engine::instance::{PackCard, instantiate};
use baize_engine::live::LiveTable;
use baize_engine::table::SEMANTICS;
use baize_engine::view::{Batch, Viewer};
use baize_protocol::compact::{Texts, WireBatch};
use baize_protocol::http::Replay;
use baize_room::log_replay::apply;
use baize_room::prepared::PreparedGame;
use baize_room::record::{GameRecord, Logged};
use baize_room::rules::address;
use baize_store::StoreError;
use baize_store::Unwritable;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The replay of a game that is over; none while it is not, whatever the reason to ask.
pub async fn read(services: &Services, game: &str) -> Result<Option<Replay>, StoreError> {
    let store = services.store.as_ref();
    let Some(row) = store.game(game).await? else { return Ok(None) };
    let Ok(record) = serde_json::from_slice::<GameRecord>(&row.record) else { return Ok(None) };
    if record.ended_at.is_none() {
        return Ok(None);
    }
    // All of it is read and nothing executed: a replay outlives the engine that made it.
    let (batches, steps) = logged(services, &record).await?;
    let source = store.blob(&record.pin.source).await?.unwrap_or_default();
    let first = store.blob(&record.first).await?.unwrap_or_default();
    let first = serde_json::from_slice(&first).map_err(|_| StoreError::Failed("a view is damaged".into()))?;
    let packs = packs::of_game(store, &record).await?;
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
        packs: packs.iter().map(baize_packs::to_json).collect(),
        seats: record.seats,
        steps,
        first,
        batches,
    }))
}

/// What was told and what was put in, step by step.
async fn logged(services: &Services, record: &GameRecord) -> Result<(Vec<Batch>, Vec<Value>), StoreError> {
    let store = services.store.as_ref();
    let damaged = || StoreError::Failed(format!("{}: a row is damaged", record.id));
    // Older programs wrote down with each step what was told.
    let (mut with_steps, mut steps) = (Vec::new(), Vec::new());
    loop {
        let rows = store.log(&record.id, steps.len() as u64, 512).await?;
        for row in &rows {
            if !row.told.is_empty() {
                with_steps.push(serde_json::from_slice(&row.told).map_err(|_| damaged())?);
            }
            let logged = postcard::from_bytes::<Logged>(&row.input).map_err(|_| damaged())?;
            steps.push(serde_json::to_value(&logged.step).map_err(|e| Unwritable::new("a step", e))?);
        }
        if rows.len() < 512 {
            break;
        }
    }
    let told: Vec<WireBatch> = match &record.told {
        _ if with_steps.len() == steps.len() => with_steps,
        Some(hash) => {
            let body = store.blob(hash).await?.ok_or_else(damaged)?;
            serde_json::from_slice(&body).map_err(|_| damaged())?
        }
        // It is over, but its table has not come to write the replay.
        None => {
            let prepared = prepared(services, record).await?;
            let body = log_replay::replay(store, &prepared, record).await?;
            serde_json::from_slice(&body).map_err(|_| damaged())?
        }
    };
    let batches = told.iter().map(|told| told.read(&Texts::default()).map(|read| read.batch)).collect::<Option<_>>();
    Ok((batches.ok_or_else(damaged)?, steps))
}

/// What a game was played by, made ready again.
async fn prepared(services: &Services, record: &GameRecord) -> Result<Arc<PreparedGame>, StoreError> {
    let store = services.store.as_ref();
    if record.pin.semantics != SEMANTICS {
        return Err(StoreError::Failed(format!("{}: played under other semantics, and has no replay", record.id)));
    }
    let rules = services.library.pinned(&record.definition_id, record.pin, store).await?;
    let rules = rules.ok_or_else(|| StoreError::Failed("the table's rules are missing".into()))?;
    let packs = packs::of_game(store, record).await?;
    let packs: Vec<_> = packs.iter().collect();
    let seats = usize::from(record.seats);
    let prepared = services.rooms.games.get(&rules, &record.options, &record.packs, &packs, seats);
    prepared.map_err(|no| StoreError::Failed(no.text.unwrap_or_default()))
}

/// Why a replay does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// The seed is not the one committed to.
    Commitment,
    /// It was played under other semantics than this program's.
    Semantics(u32),
    /// Something in it can't be read: what.
    Unreadable(&'static str),
    /// A recorded step is not possible.
    Refused { seq: u64 },
    /// Its steps do not lead to an end, and there is no replay of a game that is not over: something was cut off.
    Unfinished,
    /// What was told is not what follows from seed, rules and moves.
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

/// The table a replay begins with, before anything has happened: its rules, options, packs and seats made ready again.
pub fn table(replay: &Replay) -> Result<LiveTable, VerifyError> {
    let seed = unhex(&replay.seed).ok_or(VerifyError::Unreadable("seed"))?;
    let program = baize_rules::compile(&replay.source).0.ok_or(VerifyError::Unreadable("source"))?;
    let options: Vec<(String, baize_rules::program::OptionValue)> =
        serde_json::from_value(replay.options.clone()).map_err(|_| VerifyError::Unreadable("options"))?;
    let mut packs = Vec::new();
    for text in &replay.packs {
        let imported = baize_packs::parse(text.as_bytes(), "pack", baize_packs::Trust::Operator);
        packs.extend(imported.map_err(|_| VerifyError::Unreadable("packs"))?.packs);
    }
    let cards: Vec<PackCard> = baize_room::packs::cards(&packs);
    let game = instantiate(Arc::new(program), &options, &cards, usize::from(replay.seats))
        .map_err(|_| VerifyError::Unreadable("options"))?;
    Ok(LiveTable::new(&game, seed))
}

/// Plays a replay again from its seed, rules, packs and moves, and compares every shuffle, roll and event.
pub fn verify(replay: &Replay) -> Result<(), VerifyError> {
    let seed = unhex(&replay.seed).ok_or(VerifyError::Unreadable("seed"))?;
    if hex(&hash(&[&seed])) != replay.commitment {
        return Err(VerifyError::Commitment);
    }
    if replay.semantics != SEMANTICS {
        return Err(VerifyError::Semantics(replay.semantics));
    }
    let mut live = table(replay)?.only(Viewer::Replay);
    if live.view(Viewer::Replay) != Some(&replay.first) {
        return Err(VerifyError::Differs { seq: 0 });
    }
    if replay.steps.len() != replay.batches.len() {
        return Err(VerifyError::Unreadable("steps"));
    }
    for (step, batch) in replay.steps.iter().zip(&replay.batches) {
        let step = serde_json::from_value(step.clone()).map_err(|_| VerifyError::Unreadable("steps"))?;
        let told = apply(&mut live, &step).map_err(|_| VerifyError::Refused { seq: batch.seq })?;
        if told.of(Viewer::Replay) != Some(batch) {
            return Err(VerifyError::Differs { seq: batch.seq });
        }
    }
    // However a game ends, by its rules or because people give it up, it has an outcome then.
    match live.outcome() {
        Some(_) => Ok(()),
        None => Err(VerifyError::Unfinished),
    }
}
