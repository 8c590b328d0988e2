//! Forgets a member at one table: the name becomes "Somebody", the member's chat lines are removed, and no hash of the
//! secret is left.
//!
//! The member's part in games stays: moves, and words that the rules asked for and that are on cards now. The other
//! players' games could not be replayed without them. They carry no name and no hash.

use super::opened_table::{OpenedTable, encode, read_record, write_record};
use crate::Services;
use crate::identity::Member;
use baize_protocol::{ChatKind, ChatLine};
use baize_room::mentions::without_name;
use baize_room::record::{ChatRecord, GameRecord, LogRecord};
use baize_store::{ChatRow, GameRow, SOMEBODY, StoreError, Write};
use std::collections::BTreeSet;

/// The text of a chat line that was removed.
pub const REMOVED: &str = "(removed)";

/// Writes per commit, and log rows per read.
const WRITES_PER_COMMIT: usize = 256;
const ROWS_PER_READ: u32 = 512;

/// Forgets a member at one table. The record is written last and removes the member from the table, so an interrupted
/// run is repeated. Returns the chat lines whose text has changed.
pub async fn forget_at_table(
    services: &Services,
    code: &str,
    opened: OpenedTable,
    member: &Member,
) -> Result<Vec<ChatLine>, StoreError> {
    let store = services.store.as_ref();
    let Some(row) = store.peek(code).await? else { return Ok(Vec::new()) };
    let mut record = read_record(&row)?;
    let mut names = record.forget(member);
    let lines = scrub_chat(services, opened, member, &mut names).await?;
    for game in store.games_of(opened.id).await? {
        scrub_game(services, opened, &game, member, &names).await?;
    }
    let writes = vec![write_record(&record, row.updated_at)?, Write::Forget { member: *member }];
    store.commit(opened.commit(writes)).await?;
    Ok(lines)
}

async fn scrub_chat(
    services: &Services,
    opened: OpenedTable,
    member: &Member,
    names: &mut BTreeSet<String>,
) -> Result<Vec<ChatLine>, StoreError> {
    let rows = services.store.chat(opened.id, 0, u32::MAX).await?;
    let mut lines: Vec<(u64, ChatRecord)> = Vec::new();
    for row in &rows {
        let line = serde_json::from_slice(&row.body);
        lines.push((row.n, line.map_err(|error| StoreError::Failed(format!("a chat line is damaged: {error}")))?));
    }
    // Collect all names first: old lines, which do not say whom they are about, are found by a name.
    for (_, record) in &lines {
        names.extend(record.about.iter().filter(|(other, _)| other == member).map(|(_, name)| name.clone()));
        if record.request.as_ref().is_some_and(|(other, _)| other == member) {
            names.extend(record.line.from.as_ref().map(|from| from.name.clone()));
        }
    }
    names.remove(SOMEBODY);
    let (mut writes, mut changed) = (Vec::new(), Vec::new());
    for (n, mut record) in lines {
        if scrub_line(&mut record, member, names) {
            writes.push(Write::ChatChanged(ChatRow { n, body: encode(&record)? }));
            changed.push(record.line);
        }
    }
    for group in writes.chunks(WRITES_PER_COMMIT) {
        services.store.commit(opened.commit(group.to_vec())).await?;
    }
    Ok(changed)
}

/// Returns whether the line has changed.
fn scrub_line(record: &mut ChatRecord, member: &Member, names: &BTreeSet<String>) -> bool {
    if record.request.as_ref().is_some_and(|(other, _)| other == member) {
        record.request = None;
        record.line.text = REMOVED.to_owned();
        if let Some(from) = &mut record.line.from {
            from.name = SOMEBODY.to_owned();
        }
        return true;
    }
    if record.line.kind != ChatKind::Session {
        return false;
    }
    let names: Vec<String> = match record.about.is_empty() {
        // An old line that does not say whom it is about, or a line about nobody.
        true => names.iter().cloned().collect(),
        // Another member may have the same name, so only mentions of this member change.
        false => record.about.iter().filter(|(other, _)| other == member).map(|(_, name)| name.clone()).collect(),
    };
    let known = record.about.len();
    record.about.retain(|(other, _)| other != member);
    let anonymous = names.iter().fold(record.line.text.clone(), |text, name| without_name(&text, name));
    let changed = anonymous != record.line.text || record.about.len() != known;
    record.line.text = anonymous;
    changed
}

async fn scrub_game(
    services: &Services,
    opened: OpenedTable,
    game: &str,
    member: &Member,
    names: &BTreeSet<String>,
) -> Result<(), StoreError> {
    let store = services.store.as_ref();
    let Some(row) = store.game(game).await? else { return Ok(()) };
    let mut record: GameRecord = serde_json::from_slice(&row.record)
        .map_err(|error| StoreError::Failed(format!("{game}: a record is damaged: {error}")))?;
    let changed = record.forget(member, names);
    if changed {
        let row = GameRow { id: game.to_owned(), record: encode(&record)? };
        store.commit(opened.commit(vec![Write::Game(row)])).await?;
    }
    scrub_log(services, opened, game, member).await
}

/// Removes the member's request ids from the log, which has them to recognise a repeated request.
async fn scrub_log(services: &Services, opened: OpenedTable, game: &str, member: &Member) -> Result<(), StoreError> {
    let damaged = || StoreError::Failed(format!("{game}: a row is damaged"));
    let (mut after, mut inputs) = (0, Vec::new());
    loop {
        let rows = services.store.log(game, after, ROWS_PER_READ).await?;
        for row in &rows {
            after = row.seq;
            let mut logged: LogRecord = postcard::from_bytes(&row.input).map_err(|_| damaged())?;
            if logged.request.take_if(|(other, _)| other == member).is_some() {
                inputs.push((row.seq, postcard::to_stdvec(&logged).map_err(|_| damaged())?));
            }
        }
        if rows.len() < ROWS_PER_READ as usize {
            break;
        }
    }
    match inputs.is_empty() {
        true => Ok(()),
        false => services.store.rewrite_log(opened.id, opened.epoch, game, inputs).await,
    }
}
