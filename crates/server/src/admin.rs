//! Tables, packs, makers and reports for an operator, as JSON, read from a store beside a running server.
//!
//! Nothing here shows a seed, a hand or a log of a running game: of that an operator sees no more than the page of its link
//! shows. A browser is identified by the hash of its secret.
//!
//! Where a row can't be read, its entry has the field `damaged` with the reason: an operator must not take a damaged row
//! for an empty one.

pub use crate::orders::{Order, REASON_CHARS};

use crate::identity::{hex, unhex};
use baize_protocol::TableStatus;
use baize_protocol::http::PackInfo;
use baize_room::record::{ChatRecord, GameRecord, LogRecord, TableRecord};
use baize_store::{Hash, LogRow, MakerRow, PackQuery, PackRow, ReportRow, Store, StoreError, TableRow};
use serde_json::{Value, json};

/// Rows per read.
const PAGE: u32 = 200;

/// A table as an entry of a list.
pub fn table_line(row: &TableRow) -> Value {
    match serde_json::from_slice::<TableRecord>(&row.record) {
        Ok(record) => json!({
            "code": row.code,
            "game": record.title,
            "status": record.status,
            "closed": record.abandoned,
            "players": record.seated().map(|player| player.name.as_str()).collect::<Vec<_>>(),
            "changedAt": row.updated_at,
        }),
        Err(error) => json!({ "code": row.code, "damaged": error.to_string(), "changedAt": row.updated_at }),
    }
}

/// A table with its people, its chat and its games.
pub async fn table(store: &dyn Store, code: &str) -> Result<Option<Value>, StoreError> {
    let (Some(row), Some(id)) = (store.peek(code).await?, store.table_id(code).await?) else { return Ok(None) };
    let mut shown = table_line(&row);
    // The line of a damaged record says so.
    let record: Option<TableRecord> = serde_json::from_slice(&row.record).ok();
    if let Some(record) = record {
        shown["createdAt"] = record.created_at.into();
        shown["packs"] = record.settings.pack_ids.clone().into();
        let people = record.players.iter().map(|player| {
            json!({
                "id": player.id,
                "name": player.name,
                "maker": player.member.as_ref().map(|member| hex(member)),
                "bot": player.bot.is_some(),
                "presence": player.presence,
            })
        });
        shown["people"] = people.collect();
    }
    let mut chat = Vec::new();
    for row in store.chat(id, 0, u32::MAX).await? {
        let line = match serde_json::from_slice::<ChatRecord>(&row.body) {
            Ok(ChatRecord { line, .. }) => line,
            Err(error) => {
                chat.push(json!({ "n": row.n, "damaged": error.to_string() }));
                continue;
            }
        };
        let from = line.from.map(|from| from.name);
        // Earlier versions stored announcements of the rules as lines without a text. The replay shows them.
        if !line.text.is_empty() {
            chat.push(json!({ "n": line.n, "at": line.at, "from": from, "text": line.text }));
        }
    }
    shown["chat"] = chat.into();
    let mut games = Vec::new();
    for id in store.games_of(id).await? {
        let Some(row) = store.game(&id).await? else { continue };
        games.push(match serde_json::from_slice::<GameRecord>(&row.record) {
            Ok(game) => {
                json!({ "id": id, "names": game.names, "startedAt": game.started_at, "endedAt": game.ended_at })
            }
            Err(error) => json!({ "id": id, "damaged": error.to_string() }),
        });
    }
    shown["games"] = games.into();
    Ok(Some(shown))
}

/// Reads the logs of those of a table's games that are over, and calls `show` with one line for each game and one for each step.
/// They have all that is needed to find a fault of the server: the rules, the seed, and every move. Returns the number of games that
/// were shown, and the number of games under way, whose logs would show hands.
pub async fn logs(
    store: &dyn Store,
    code: &str,
    show: &mut dyn FnMut(&Value),
) -> Result<Option<(u32, u32)>, StoreError> {
    let (Some(row), Some(id)) = (store.peek(code).await?, store.table_id(code).await?) else { return Ok(None) };
    let table = serde_json::from_slice::<TableRecord>(&row.record);
    let is_over = table.is_ok_and(|table| table.status == TableStatus::Ended);
    let (mut shown, mut running) = (0, 0);
    for id in store.games_of(id).await? {
        let Some(row) = store.game(&id).await? else { continue };
        let game = serde_json::from_slice::<GameRecord>(&row.record);
        if !is_over && !game.as_ref().is_ok_and(|game| game.ended_at.is_some()) {
            running += 1;
            continue;
        }
        show(&match game {
            Ok(game) => game_line(store, &game).await?,
            Err(error) => json!({ "game": id, "damaged": error.to_string() }),
        });
        let mut after = 0;
        loop {
            let rows = store.log(&id, after, PAGE).await?;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            rows.iter().for_each(|row| show(&step_line(row)));
        }
        shown += 1;
    }
    Ok(Some((shown, running)))
}

/// Returns the first line of the log of a game: the rules, the seed and the settings.
async fn game_line(store: &dyn Store, game: &GameRecord) -> Result<Value, StoreError> {
    let source = store.blob(&game.pin.source).await?;
    Ok(json!({
        "game": game.id,
        "definitionId": game.definition_id,
        "semantics": game.pin.semantics,
        "source": source.map(|source| String::from_utf8_lossy(&source).into_owned()),
        "options": game.options,
        "packs": game.packs.iter().map(|pack| hex(pack)).collect::<Vec<_>>(),
        "seats": game.seats,
        "names": game.names,
        "seed": hex(&game.seed),
        "startedAt": game.started_at,
        "endedAt": game.ended_at,
        "void": game.void,
    }))
}

fn step_line(row: &LogRow) -> Value {
    match postcard::from_bytes::<LogRecord>(&row.input) {
        Ok(logged) => json!({ "seq": row.seq, "at": row.at, "step": logged.step, "clocks": logged.clocks }),
        Err(error) => json!({ "seq": row.seq, "at": row.at, "damaged": error.to_string() }),
    }
}

pub fn pack_line(row: &PackRow) -> Value {
    let mut shown = json!({
        "id": row.id,
        "bytes": row.bytes,
        "maker": row.maker.as_ref().map(|maker| hex(maker)),
        "createdAt": row.created_at,
        "usedAt": row.used_at,
    });
    match serde_json::from_slice::<PackInfo>(&row.info) {
        Ok(info) => (shown["name"], shown["cards"]) = (json!(info.name), json!(info.cards)),
        Err(error) => shown["damaged"] = error.to_string().into(),
    }
    shown
}

/// A pack with its cards.
pub async fn pack(store: &dyn Store, id: &str) -> Result<Option<Value>, StoreError> {
    let Some(row) = store.pack(id).await? else { return Ok(None) };
    let mut shown = pack_line(&row);
    match store.blob(&row.hash).await?.as_deref().map(serde_json::from_slice::<Value>) {
        Some(Ok(pack)) => shown["pack"] = pack,
        Some(Err(error)) => shown["damaged"] = error.to_string().into(),
        None => shown["damaged"] = "the cards are missing".into(),
    }
    Ok(Some(shown))
}

pub fn maker_line(row: &MakerRow) -> Value {
    json!({
        "maker": hex(&row.member),
        "tables": row.tables,
        "packs": row.packs,
        "packBytes": row.pack_bytes,
        "reports": row.reports,
    })
}

/// A browser with its tables, its packs, and reports about it.
pub async fn maker(store: &dyn Store, member: &Hash) -> Result<Option<Value>, StoreError> {
    let Some(row) = find_maker(store, |row| row.member == *member).await? else { return Ok(None) };
    let mut shown = maker_line(&row);
    let mut tables = Vec::new();
    for code in store.codes_of(member, u32::MAX >> 1).await? {
        let Some(row) = store.peek(&code).await? else { continue };
        tables.push(match serde_json::from_slice::<TableRecord>(&row.record) {
            Ok(record) => json!({ "code": code, "name": record.by_member(member).map(|player| player.name.as_str()) }),
            Err(error) => json!({ "code": code, "damaged": error.to_string() }),
        });
    }
    let query = PackQuery { maker: Some(*member), after: String::new(), limit: u32::MAX >> 1 };
    let packs: Vec<Value> = store.packs(query).await?.iter().map(pack_line).collect();
    let mut reports = Vec::new();
    let mut after = 0;
    loop {
        let page = store.reports(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        reports.extend(page.iter().filter(|report| report.about == Some(*member)).map(report_line));
    }
    (shown["tables"], shown["packs"], shown["reports"]) = (tables.into(), packs.into(), reports.into());
    Ok(Some(shown))
}

/// The maker whose hash begins with this prefix; an error if there are several.
pub async fn maker_named(store: &dyn Store, prefix: &str) -> Result<Option<Hash>, StoreError> {
    if let Some(member) = unhex(prefix) {
        return Ok(Some(member));
    }
    let mut found: Option<Hash> = None;
    let mut after = None;
    loop {
        let page = store.makers(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = Some(last.member);
        for row in page.iter().filter(|row| hex(&row.member).starts_with(prefix)) {
            if found.replace(row.member).is_some() {
                return Err(StoreError::Failed(format!("several makers begin with {prefix}; write more of it")));
            }
        }
    }
}

async fn find_maker(store: &dyn Store, is: impl Fn(&MakerRow) -> bool) -> Result<Option<MakerRow>, StoreError> {
    let mut after = None;
    loop {
        let page = store.makers(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(None) };
        after = Some(last.member);
        if let Some(found) = page.into_iter().find(&is) {
            return Ok(Some(found));
        }
    }
}

pub fn report_line(row: &ReportRow) -> Value {
    let mut shown = json!({
        "id": row.id,
        "at": row.at,
        "table": row.table,
        "kind": row.kind,
        "name": row.name,
        "about": row.about.as_ref().map(|member| hex(member)),
        "reporter": row.reporter.as_ref().map(|member| hex(member)),
    });
    match serde_json::from_slice::<Value>(&row.body) {
        Ok(body) => {
            for key in ["text", "game", "pack"] {
                shown[key] = body[key].clone();
            }
        }
        Err(error) => shown["damaged"] = error.to_string().into(),
    }
    shown
}
