//! A finished game, as anyone with its address may see it; and the check that it was dealt fairly.

use crate::Services;
use crate::identity::{hash, hex, unhex};
use crate::library::address;
use crate::record::{GameRecord, Logged};
use crate::room::apply;
use baize_engine::instance::{PackCard, instantiate};
use baize_engine::live::LiveTable;
use baize_engine::view::Viewer;
use baize_protocol::compact::{Texts, WireBatch};
use baize_protocol::http::Replay;
use baize_store::StoreError;
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
    let source = store.blob(&record.pin.source).await?.unwrap_or_default();
    let first = store.blob(&record.first).await?.unwrap_or_default();
    let first = serde_json::from_slice(&first).map_err(|_| StoreError::Failed("a view is damaged".into()))?;
    let (mut batches, mut steps) = (Vec::new(), Vec::new());
    loop {
        let rows = store.log(game, batches.len() as u64, 512).await?;
        for row in &rows {
            let damaged = |_| StoreError::Failed("a row is damaged".into());
            let told: WireBatch = serde_json::from_slice(&row.told).map_err(damaged)?;
            let read = told.read(&Texts::default());
            batches.push(read.ok_or_else(|| StoreError::Failed("a row is damaged".into()))?.batch);
            let damaged = |_| StoreError::Failed("a row is damaged".into());
            let logged = postcard::from_bytes::<Logged>(&row.input).map_err(damaged)?;
            steps.push(serde_json::to_value(&logged.step).unwrap_or_default());
        }
        if rows.len() < 512 {
            break;
        }
    }
    let packs = crate::room::packs_of(store, &record).await?;
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
        options: serde_json::to_value(&record.options).unwrap_or_default(),
        packs: packs.iter().map(baize_packs::to_json).collect(),
        seats: record.seats,
        steps,
        first,
        batches,
    }))
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
    let cards: Vec<PackCard> = crate::shelf::cards(&packs);
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
    if replay.semantics != baize_engine::table::SEMANTICS {
        return Err(VerifyError::Semantics(replay.semantics));
    }
    let mut live = table(replay)?;
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
    Ok(())
}
