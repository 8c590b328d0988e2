//! What happened in a table's current game, in words for one member. See [`PlayerLog`].

use crate::Services;
use crate::identity::Member;
use crate::log_replay;
use crate::replay;
use baize_engine::table::SEMANTICS;
use baize_protocol::http::TableLog;
use baize_protocol::{Door, ErrorCode, Presence, TableStatus};
use baize_room::player_log::PlayerLog;
use baize_room::record::{GameRecord, TableRecord};
use baize_store::StoreError;

/// Log rows per read. Each read counts as a look-up, so that reading long games is limited like reading many.
const ROWS_PER_READ: u32 = 512;
/// Upper bound on logs that are read at the same time. Each takes the memory of a running game.
pub const READ_TOGETHER: usize = 4;

/// Why the server tells no log.
pub enum LogRefusal {
    Refused(ErrorCode),
    Failed(StoreError),
}

impl From<StoreError> for LogRefusal {
    fn from(error: StoreError) -> Self {
        LogRefusal::Failed(error)
    }
}

impl From<ErrorCode> for LogRefusal {
    fn from(code: ErrorCode) -> Self {
        LogRefusal::Refused(code)
    }
}

/// The log of the current game as this member can follow it. `charge` is called before each read of the log.
pub async fn read(
    services: &Services,
    code: &str,
    member: &Member,
    before: Option<u64>,
    charge: impl Fn() -> Result<(), ErrorCode>,
) -> Result<TableLog, LogRefusal> {
    let table = read_table(services, code).await?;
    let seat = seat_of(&table, member)?;
    let now = || services.config.clock.date();
    let nothing = || TableLog { game: table.game(), now: now(), steps: Vec::new(), earlier: false };
    if table.status == TableStatus::Lobby || table.void {
        return Ok(nothing());
    }
    if table.pin.semantics != SEMANTICS {
        return Err(ErrorCode::OtherVersion.into());
    }
    let Some(row) = services.store.game(&table.game()).await? else { return Ok(nothing()) };
    let game: GameRecord = serde_json::from_slice(&row.record).map_err(|error| damaged(code, &error))?;
    let _turn = services.player_logs.acquire().await;
    let prepared = replay::prepare(services, &game).await?;
    let log = log_replay::run_aside(services, &game, || PlayerLog::new(&prepared, &game, seat, before)).await;
    let log = play(services, &game, log, charge).await?;
    // Somebody else may have taken the seat while this function read the log. Then the log may show the cards of that person.
    let table_now = read_table(services, code).await?;
    if table_now.game() != table.game() || seat_of(&table_now, member)? != seat {
        return Err(ErrorCode::Busy.into());
    }
    Ok(log.finish(now()))
}

async fn play(
    services: &Services,
    game: &GameRecord,
    mut log: PlayerLog,
    charge: impl Fn() -> Result<(), ErrorCode>,
) -> Result<PlayerLog, LogRefusal> {
    loop {
        charge()?;
        let rows = services.store.log(&game.id, log.seq(), ROWS_PER_READ).await?;
        for chunk in rows.chunks(log_replay::STEPS_PER_TURN) {
            let played = log_replay::run_aside(services, game, || log.handle_rows(chunk)).await;
            played.map_err(StoreError::Failed)?;
            tokio::task::yield_now().await;
        }
        if rows.len() < ROWS_PER_READ as usize || log.is_complete() {
            return Ok(log);
        }
    }
}

async fn read_table(services: &Services, code: &str) -> Result<TableRecord, LogRefusal> {
    let row = services.store.peek(code).await?.ok_or(ErrorCode::NoTable)?;
    Ok(serde_json::from_slice(&row.record).map_err(|error| damaged(code, &error))?)
}

fn damaged(what: &str, error: &serde_json::Error) -> StoreError {
    StoreError::Failed(format!("{what}: a record is damaged: {error}"))
}

/// Returns the seat of a member. None for a spectator, and for somebody who may watch.
fn seat_of(table: &TableRecord, member: &Member) -> Result<Option<u8>, ErrorCode> {
    if table.banned.contains(member) {
        return Err(ErrorCode::Kicked);
    }
    let player = table.by_member(member).filter(|player| player.presence != Presence::Left);
    match table.door {
        _ if player.is_some() || table.inside.contains(member) => Ok(player.and_then(|player| player.seat)),
        Door::Open => Ok(None),
        Door::Ask | Door::Locked => Err(ErrorCode::DoorLocked),
    }
}
