//! Forgetting somebody at one table: names become "Somebody", lines they wrote are removed, and nothing of their secret is left.
//!
//! What they did in games stays: moves, and words that the rules asked them for and that are on cards now. Without these the
//! game of the others could not be replayed. No name and no secret is beside them any more.

use super::at_rest::{Held, bytes, read, table};
use crate::Services;
use crate::identity::Member;
use baize_protocol::{ChatKind, ChatLine};
use baize_room::mentions::without_name;
use baize_room::record::{ChatRecord, GameRecord, Logged};
use baize_store::{ChatRow, GameRow, SOMEBODY, StoreError, Write};
use std::collections::BTreeSet;

/// What stands in the place of a line that was removed.
pub const REMOVED: &str = "(removed)";

/// Writes in one commit, and log rows read at once.
const GROUP: usize = 256;
const PAGE: u32 = 512;

/// Everything at one table. The record comes last, and with it the member leaves the table: what is interrupted is done again.
/// Returns the lines of the chat that have another text now.
pub async fn at_table(
    services: &Services,
    code: &str,
    held: Held,
    member: &Member,
) -> Result<Vec<ChatLine>, StoreError> {
    let store = services.store.as_ref();
    let Some(row) = store.peek(code).await? else { return Ok(Vec::new()) };
    let mut record = read(&row)?;
    let mut names = record.forget(member);
    let lines = scrub_chat(services, held, member, &mut names).await?;
    for game in store.games_of(held.id).await? {
        scrub_game(services, held, &game, member, &names).await?;
    }
    let writes = vec![table(&record, row.updated_at)?, Write::Forget { member: *member }];
    store.commit(held.commit(writes)).await?;
    Ok(lines)
}

async fn scrub_chat(
    services: &Services,
    held: Held,
    member: &Member,
    names: &mut BTreeSet<String>,
) -> Result<Vec<ChatLine>, StoreError> {
    let rows = services.store.chat(held.id, 0, u32::MAX).await?;
    let mut lines: Vec<(u64, ChatRecord)> = Vec::new();
    for row in &rows {
        let line = serde_json::from_slice(&row.body);
        lines.push((row.n, line.map_err(|error| StoreError::Failed(format!("a chat line is damaged: {error}")))?));
    }
    // All names first: a line from before lines knew whom they are about is found by one of them.
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
            writes.push(Write::ChatChanged(ChatRow { n, body: bytes(&record)? }));
            changed.push(record.line);
        }
    }
    for group in writes.chunks(GROUP) {
        services.store.commit(held.commit(group.to_vec())).await?;
    }
    Ok(changed)
}

/// True: it has changed.
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
        // From before lines knew whom they are about, or about nobody.
        true => names.iter().cloned().collect(),
        // Somebody else may have the same name: only what is about this member changes.
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
    held: Held,
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
        let row = GameRow { id: game.to_owned(), record: bytes(&record)? };
        store.commit(held.commit(vec![Write::Game(row)])).await?;
    }
    scrub_log(services, held, game, member).await
}

/// The log says whose request each move was, so that a repeated one is known.
async fn scrub_log(services: &Services, held: Held, game: &str, member: &Member) -> Result<(), StoreError> {
    let damaged = || StoreError::Failed(format!("{game}: a row is damaged"));
    let (mut after, mut inputs) = (0, Vec::new());
    loop {
        let rows = services.store.log(game, after, PAGE).await?;
        for row in &rows {
            after = row.seq;
            let mut logged: Logged = postcard::from_bytes(&row.input).map_err(|_| damaged())?;
            if logged.request.take_if(|(other, _)| other == member).is_some() {
                inputs.push((row.seq, postcard::to_stdvec(&logged).map_err(|_| damaged())?));
            }
        }
        if rows.len() < PAGE as usize {
            break;
        }
    }
    match inputs.is_empty() {
        true => Ok(()),
        false => services.store.rewrite_log(held.id, held.epoch, game, inputs).await,
    }
}
