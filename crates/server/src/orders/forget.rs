//! Forgetting somebody at one table: names become "Somebody", lines they wrote are removed, and nothing of their secret is left.
//!
//! What they did in games stays: moves, and words that the rules asked them for and that are on cards now. Without these the
//! game of the others could not be replayed. No name and no secret is beside them any more.

use super::at_rest::{Held, bytes, read, table};
use crate::Services;
use crate::identity::Member;
use baize_protocol::{ChatKind, Presence};
use baize_room::mentions::without_name;
use baize_room::record::{ChatRecord, GameRecord, Logged, Record};
use baize_store::{ChatRow, GameRow, SOMEBODY, StoreError, Write};
use std::collections::BTreeSet;

/// What stands in the place of a line that was removed.
pub const REMOVED: &str = "(removed)";

/// Writes in one commit, and log rows read at once.
const GROUP: usize = 256;
const PAGE: u32 = 512;

/// Everything at one table. The record comes last, and with it the member leaves the table: what is interrupted is done again.
pub async fn at_table(services: &Services, code: &str, held: Held, member: &Member) -> Result<(), StoreError> {
    let store = services.store.as_ref();
    let Some(row) = store.peek(code).await? else { return Ok(()) };
    let mut record = read(&row)?;
    let mut names = scrub_record(&mut record, member);
    scrub_chat(services, held, member, &mut names).await?;
    for game in store.games_of(held.id).await? {
        scrub_game(services, held, &game, member, &names).await?;
    }
    let writes = vec![table(&record, row.updated_at)?, Write::Forget { member: *member }];
    store.commit(held.commit(writes)).await
}

/// Returns the names by which this member is known at the table.
fn scrub_record(record: &mut Record, member: &Member) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for player in record.players.iter_mut().filter(|player| player.member.as_ref() == Some(member)) {
        names.insert(std::mem::replace(&mut player.name, SOMEBODY.to_owned()));
        player.member = None;
        player.nonce = None;
        player.presence = Presence::Left;
    }
    record.banned.retain(|other| other != member);
    record.muted.retain(|other| other != member);
    record.inside.retain(|other| other != member);
    record.left_behind.retain(|(_, other)| other != member);
    record.done.retain(|(_, (other, _))| other != member);
    names.remove(SOMEBODY);
    names
}

async fn scrub_chat(
    services: &Services,
    held: Held,
    member: &Member,
    names: &mut BTreeSet<String>,
) -> Result<(), StoreError> {
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
    let mut writes = Vec::new();
    for (n, mut record) in lines {
        if scrub_line(&mut record, member, names) {
            writes.push(Write::ChatChanged(ChatRow { n, body: bytes(&record)? }));
        }
    }
    for group in writes.chunks(GROUP) {
        services.store.commit(held.commit(group.to_vec())).await?;
    }
    Ok(())
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
    record.about.retain(|(other, _)| other != member);
    let anonymous = names.iter().fold(record.line.text.clone(), |text, name| without_name(&text, name));
    let changed = anonymous != record.line.text;
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
    let theirs: Vec<u8> = record.members.iter().filter(|(_, other)| other == member).map(|(seat, _)| *seat).collect();
    let mut changed = !theirs.is_empty();
    record.members.retain(|(_, other)| other != member);
    for (seat, name) in (0u8..).zip(&mut record.names) {
        if theirs.contains(&seat) || names.contains(name) {
            *name = SOMEBODY.to_owned();
            changed = true;
        }
    }
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
