//! Rows for operators: uploaded packs, orders, reports, deleting tables and forgetting people.

use super::connection::{Connection, Params, QueryError};
use super::reader::json;
use super::{SELECT_TABLE, hex, text};
use crate::{
    Expiry, Hash, MAX_ORDERS, MakerRow, OrderRow, PackChoice, PackQuery, PackQuotas, PackRow, ReportRow, SOMEBODY,
    StoreError, TableRow,
};
use std::collections::BTreeMap;
use tokio_postgres::Row;

const SELECT_PACK: &str = "SELECT id, hash, info::text, maker, origin, bytes, created_ms, used_ms FROM card_packs";

fn hash(bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(|_| StoreError::Failed("a hash is damaged".into()))
}

fn hash_of(row: &Row, column: usize) -> Result<Option<Hash>, StoreError> {
    row.get::<_, Option<&[u8]>>(column).map(hash).transpose()
}

fn number(row: &Row, column: usize) -> u64 {
    row.get::<_, i64>(column) as u64
}

fn pack(row: &Row) -> Result<PackRow, StoreError> {
    Ok(PackRow {
        id: row.get(0),
        hash: hash(row.get(1))?,
        info: json(row, 2),
        maker: hash_of(row, 3)?,
        origin: hash_of(row, 4)?,
        bytes: number(row, 5),
        created_at: number(row, 6),
        used_at: number(row, 7),
    })
}

/// One statement checks the quotas, stores the texts and adds the packs. Nodes that add packs at the same moment do not see each other's, so together they
/// may exceed the quotas.
pub async fn add_packs(
    connection: &Connection,
    packs: &[PackRow],
    texts: &[(Hash, Vec<u8>)],
    quotas: &PackQuotas,
) -> Result<(), StoreError> {
    const ADD: &str = "WITH asked AS (
        SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[])
          AS pack (id, hash, info, maker, bytes, at)),
      size AS (SELECT count(*) AS packs, coalesce(sum(bytes), 0)::bigint AS bytes FROM asked),
      total AS (SELECT count(*) AS packs, coalesce(sum(bytes), 0)::bigint AS bytes
        FROM (SELECT bytes FROM card_packs UNION ALL SELECT bytes FROM deleted_packs) AS counted),
      here AS (SELECT count(*) AS packs, coalesce(sum(bytes), 0)::bigint AS bytes
        FROM (SELECT bytes FROM card_packs WHERE origin = $7
          UNION ALL SELECT bytes FROM deleted_packs WHERE origin = $7) AS counted),
      room AS (
        SELECT total.packs + size.packs <= $8 AND total.bytes + size.bytes <= $9 AS everywhere,
          $7::bytea IS NULL OR (here.packs + size.packs <= $10 AND here.bytes + size.bytes <= $11) AS from_here
        FROM size, total, here),
      stored AS (
        INSERT INTO blobs (hash, body) SELECT text.hash, text.body
        FROM unnest($12::bytea[], $13::bytea[]) AS text (hash, body), room WHERE everywhere AND from_here
        ON CONFLICT DO NOTHING),
      added AS (
        INSERT INTO card_packs (id, official, hash, info, maker, origin, bytes, created_ms, used_ms)
        SELECT id, false, hash, info::json, maker, $7, bytes, at, at FROM asked, room WHERE everywhere AND from_here)
      SELECT everywhere, from_here FROM room";
    let ids: Vec<_> = packs.iter().map(|pack| pack.id.as_str()).collect();
    let hashes: Vec<_> = packs.iter().map(|pack| pack.hash.as_slice()).collect();
    let infos: Vec<_> = packs.iter().map(|pack| String::from_utf8_lossy(&pack.info)).collect();
    let makers: Vec<_> = packs.iter().map(|pack| pack.maker.as_ref().map(|maker| maker.as_slice())).collect();
    let bytes: Vec<_> = packs.iter().map(|pack| pack.bytes as i64).collect();
    let at: Vec<_> = packs.iter().map(|pack| pack.created_at as i64).collect();
    let origin = packs.first().and_then(|pack| pack.origin);
    let origin = origin.as_ref().map(|origin| origin.as_slice());
    let limit = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let (total, here) = (quotas.total, quotas.origin);
    let limits = [limit(total.packs), limit(total.bytes), limit(here.packs), limit(here.bytes)];
    // Sorted, so that two uploads with the same texts cannot deadlock; each once, because a statement inserts a row only once.
    let texts: BTreeMap<&[u8], &[u8]> = texts.iter().map(|(hash, text)| (hash.as_slice(), text.as_slice())).collect();
    let (text_hashes, bodies): (Vec<&[u8]>, Vec<&[u8]>) = texts.into_iter().unzip();
    let [total_packs, total_bytes, here_packs, here_bytes] = &limits;
    let params: Params = &[
        &ids,
        &hashes,
        &infos,
        &makers,
        &bytes,
        &at,
        &origin,
        total_packs,
        total_bytes,
        here_packs,
        here_bytes,
        &text_hashes,
        &bodies,
    ];
    let rows = match connection.query_once(ADD, params).await {
        Ok(rows) => rows,
        Err(QueryError::Refused(error) | QueryError::Unreachable(error)) => return Err(error),
        Err(QueryError::OutcomeUnknown(_)) => match connection.query_with_retries(ADD, params).await {
            // If all packs exist as wanted, the first attempt has added them.
            Err(StoreError::Taken) => {
                for wanted in packs {
                    if one_pack(connection, &wanted.id).await?.as_ref() != Some(wanted) {
                        return Err(StoreError::Taken);
                    }
                }
                return Ok(());
            }
            done => done?,
        },
    };
    match rows.first().map(|row| (row.get(0), row.get(1))) {
        Some((true, true)) => Ok(()),
        Some((true, false)) => Err(StoreError::AddressFull),
        _ => Err(StoreError::Full),
    }
}

pub async fn packs(connection: &Connection, query: &PackQuery) -> Result<Vec<PackRow>, StoreError> {
    // Sorts by the bytes of the ids, whatever collation the database has.
    let sql = format!(
        "{SELECT_PACK} WHERE id COLLATE \"C\" > $1 AND ($2::bytea IS NULL OR maker = $2) ORDER BY id COLLATE \"C\" LIMIT $3"
    );
    let maker = query.maker.as_ref().map(|maker| maker.as_slice());
    let rows = connection.query_with_retries(&sql, &[&text(&query.after), &maker, &i64::from(query.limit)]).await?;
    rows.iter().map(pack).collect()
}

pub async fn one_pack(connection: &Connection, id: &str) -> Result<Option<PackRow>, StoreError> {
    let rows = connection.query_with_retries(&format!("{SELECT_PACK} WHERE id = $1"), &[&text(id)]).await?;
    rows.first().map(pack).transpose()
}

pub async fn touch_packs(connection: &Connection, ids: &[String], at: u64) -> Result<(), StoreError> {
    const TOUCH: &str = "UPDATE card_packs SET used_ms = $2 WHERE id = ANY ($1) AND used_ms < $2";
    connection.query_with_retries(TOUCH, &[&ids, &(at as i64)]).await.map(|_| ())
}

pub async fn delete_packs(connection: &Connection, choice: &PackChoice) -> Result<u64, StoreError> {
    let (id, maker) = match choice {
        PackChoice::Id(id) => (Some(text(id)), None),
        PackChoice::Maker(maker) => (None, Some(maker.as_slice())),
    };
    delete_with_texts(connection, &[&id.as_deref(), &maker]).await
}

/// How often the store tries to delete packs, because a new reference to a text may get in between.
const TRIES: u32 = 5;

/// Deletes the packs with an id or of a maker. The texts that a table or a game uses stay and count for the quotas: otherwise whoever
/// makes a table with each upload could store any number of packs. All other texts are deleted; if a reference to one is added
/// meanwhile, its foreign key makes the whole statement fail.
async fn delete_with_texts(connection: &Connection, id_and_maker: Params<'_>) -> Result<u64, StoreError> {
    const DELETE: &str = "WITH gone AS (
        DELETE FROM card_packs WHERE id = $1::text OR maker = $2::bytea RETURNING id, hash, origin, bytes),
      used AS (
        SELECT DISTINCT ON (gone.hash) gone.hash, gone.origin, gone.bytes FROM gone
        WHERE EXISTS (SELECT FROM spoken_of WHERE spoken_of.hash = gone.hash)
          OR EXISTS (SELECT FROM game_blobs WHERE game_blobs.hash = gone.hash)
          OR EXISTS (SELECT FROM game_definitions WHERE game_definitions.hash = gone.hash)
          OR EXISTS (SELECT FROM tables WHERE NOT counted)),
      counted AS (
        INSERT INTO deleted_packs (hash, origin, bytes) SELECT hash, origin, bytes FROM used ON CONFLICT DO NOTHING),
      texts AS (
        DELETE FROM blobs USING gone WHERE blobs.hash = gone.hash AND NOT EXISTS (SELECT FROM used WHERE used.hash = gone.hash)
          AND NOT EXISTS (SELECT FROM card_packs WHERE card_packs.hash = gone.hash AND card_packs.id NOT IN (SELECT id FROM gone)))
      SELECT 1 FROM gone";
    let mut why = StoreError::Missing;
    for _ in 0..TRIES {
        match connection.query_with_retries(DELETE, id_and_maker).await {
            Ok(rows) => return Ok(rows.len() as u64),
            Err(StoreError::Missing) => why = StoreError::Missing,
            Err(error) => return Err(error),
        }
    }
    Err(why)
}

pub async fn put_order(connection: &Connection, key: &Hash, at: u64, body: &[u8]) -> Result<i64, StoreError> {
    const PUT: &str = "WITH put AS (
        INSERT INTO orders (key, at, body) SELECT $1, $2, $3 WHERE (SELECT count(*) FROM orders) < $4
        ON CONFLICT (key) DO NOTHING RETURNING id)
      SELECT id FROM put UNION ALL SELECT id FROM orders WHERE key = $1";
    let params: Params = &[&key.as_slice(), &(at as i64), &body, &(MAX_ORDERS as i64)];
    let mut rows = connection.query_with_retries(PUT, params).await?;
    if rows.is_empty() {
        // Another node may have put the same order while this statement ran.
        rows = connection.query_with_retries("SELECT id FROM orders WHERE key = $1", &[&key.as_slice()]).await?;
    }
    rows.first().map(|row| row.get(0)).ok_or(StoreError::Full)
}

pub async fn orders(connection: &Connection, limit: u32) -> Result<Vec<OrderRow>, StoreError> {
    let rows = connection
        .query_with_retries("SELECT id, at, body FROM orders ORDER BY id LIMIT $1", &[&i64::from(limit)])
        .await?;
    Ok(rows.iter().map(|row| OrderRow { id: row.get(0), at: number(row, 1), body: row.get(2) }).collect())
}

pub async fn finish_order(connection: &Connection, id: i64) -> Result<(), StoreError> {
    connection.query_with_retries("DELETE FROM orders WHERE id = $1", &[&id]).await.map(|_| ())
}

pub async fn reports(connection: &Connection, after: i64, limit: u32) -> Result<Vec<ReportRow>, StoreError> {
    const ALL: &str = "SELECT id, key, at, code, kind, reporter, about, name, body FROM reports
      WHERE id > $1 ORDER BY id LIMIT $2";
    let report = |row: &Row| {
        Ok(ReportRow {
            id: row.get(0),
            key: hash(row.get(1))?,
            at: number(row, 2),
            table: row.get(3),
            kind: row.get(4),
            reporter: hash_of(row, 5)?,
            about: hash_of(row, 6)?,
            name: row.get(7),
            body: row.get(8),
        })
    };
    connection.query_with_retries(ALL, &[&after, &i64::from(limit)]).await?.iter().map(report).collect()
}

pub async fn delete_report(connection: &Connection, id: i64) -> Result<bool, StoreError> {
    let rows = connection.query_with_retries("DELETE FROM reports WHERE id = $1 RETURNING 1", &[&id]).await?;
    Ok(!rows.is_empty())
}

pub async fn tables(connection: &Connection, after: &str, limit: u32) -> Result<Vec<TableRow>, StoreError> {
    let sql = format!("{SELECT_TABLE} FROM tables WHERE code COLLATE \"C\" > $1 ORDER BY code COLLATE \"C\" LIMIT $2");
    Ok(connection
        .query_with_retries(&sql, &[&text(after), &i64::from(limit)])
        .await?
        .iter()
        .map(TableRow::from)
        .collect())
}

pub async fn codes_of(connection: &Connection, member: &Hash, limit: u32) -> Result<Vec<String>, StoreError> {
    const CODES: &str = "SELECT code FROM tables JOIN table_players ON table_id = id WHERE player_id = $1
      ORDER BY id LIMIT $2";
    let rows = connection.query_with_retries(CODES, &[&hex(member), &i64::from(limit)]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub async fn table_id(connection: &Connection, code: &str) -> Result<Option<i64>, StoreError> {
    let rows = connection.query_with_retries("SELECT id FROM tables WHERE code = $1", &[&text(code)]).await?;
    Ok(rows.first().map(|row| row.get(0)))
}

pub async fn games_of(connection: &Connection, table: i64) -> Result<Vec<String>, StoreError> {
    let rows = connection
        .query_with_retries("SELECT id FROM games WHERE table_id = $1 ORDER BY created_at, id", &[&table])
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub async fn makers(connection: &Connection, after: Option<Hash>, limit: u32) -> Result<Vec<MakerRow>, StoreError> {
    const ALL: &str = "WITH known AS (
        SELECT decode(player_id, 'hex') AS member FROM table_players
        UNION SELECT maker FROM card_packs WHERE maker IS NOT NULL
        UNION SELECT about FROM reports WHERE about IS NOT NULL)
      SELECT member, (SELECT count(*) FROM table_players WHERE player_id = encode(known.member, 'hex')),
        (SELECT count(*) FROM card_packs WHERE maker = known.member),
        (SELECT coalesce(sum(bytes), 0)::bigint FROM card_packs WHERE maker = known.member),
        (SELECT count(*) FROM reports WHERE about = known.member)
      FROM known WHERE $1::bytea IS NULL OR member > $1 ORDER BY member LIMIT $2";
    let after = after.as_ref().map(|after| after.as_slice());
    let maker = |row: &Row| {
        Ok(MakerRow {
            member: hash(row.get(0))?,
            tables: number(row, 1),
            packs: number(row, 2),
            pack_bytes: number(row, 3),
            reports: number(row, 4),
        })
    };
    connection.query_with_retries(ALL, &[&after, &i64::from(limit)]).await?.iter().map(maker).collect()
}

pub async fn delete_table(connection: &Connection, table: i64, epoch: i64) -> Result<(), StoreError> {
    // Events and chat have no foreign keys, so a cascade does not delete them.
    const DELETE: &str = "WITH held AS (SELECT table_id FROM rooms WHERE table_id = $1 AND epoch = $2 FOR UPDATE),
      played AS (DELETE FROM games USING held WHERE games.table_id = held.table_id RETURNING games.id),
      log AS (DELETE FROM game_events USING played WHERE game_id = played.id),
      archived AS (DELETE FROM archived_events USING played WHERE game_id = played.id),
      said AS (DELETE FROM chat USING held WHERE chat.table_id = held.table_id),
      gone AS (DELETE FROM tables USING held WHERE tables.id = held.table_id)
      SELECT table_id FROM held";
    let params: Params = &[&table, &epoch];
    match connection.query_once(DELETE, params).await {
        Ok(rows) if rows.is_empty() => Err(StoreError::Fenced),
        Ok(_) => Ok(()),
        Err(QueryError::Refused(error) | QueryError::Unreachable(error)) => Err(error),
        // The first attempt may have deleted the table; then the second one finds nothing.
        Err(QueryError::OutcomeUnknown(_)) => {
            let rows = connection.query_with_retries(DELETE, params).await?;
            let there = connection.query_with_retries("SELECT 1 FROM tables WHERE id = $1", &[&table]).await?;
            if rows.is_empty() && !there.is_empty() { Err(StoreError::Fenced) } else { Ok(()) }
        }
    }
}

pub async fn rewrite_log(
    connection: &Connection,
    table: i64,
    epoch: i64,
    game: &str,
    inputs: &[(u64, Vec<u8>)],
) -> Result<(), StoreError> {
    const REWRITE: &str = "WITH held AS (
        SELECT games.id FROM rooms JOIN games ON games.table_id = rooms.table_id
        WHERE rooms.table_id = $1 AND rooms.epoch = $2 AND games.id = $3),
      changed AS (SELECT held.id, w.seq, w.input FROM held, unnest($4::bigint[], $5::bytea[]) AS w (seq, input)),
      log AS (UPDATE game_events SET input = changed.input FROM changed
        WHERE game_id = changed.id AND game_events.seq = changed.seq),
      archived AS (UPDATE archived_events SET input = changed.input FROM changed
        WHERE game_id = changed.id AND archived_events.seq = changed.seq)
      SELECT id FROM held";
    let seqs: Vec<i64> = inputs.iter().map(|(seq, _)| *seq as i64).collect();
    let bodies: Vec<&[u8]> = inputs.iter().map(|(_, input)| input.as_slice()).collect();
    let rows = connection.query_with_retries(REWRITE, &[&table, &epoch, &text(game), &seqs, &bodies]).await?;
    if rows.is_empty() { Err(StoreError::Fenced) } else { Ok(()) }
}

pub async fn forget(connection: &Connection, member: &Hash) -> Result<(), StoreError> {
    const FORGET: &str = "WITH places AS (DELETE FROM table_players WHERE player_id = $2),
      said AS (
        UPDATE reports SET reporter = CASE WHEN reporter = $1 THEN NULL ELSE reporter END,
          name = CASE WHEN about = $1 THEN $3 ELSE name END, about = CASE WHEN about = $1 THEN NULL ELSE about END
        WHERE reporter = $1 OR about = $1)
      SELECT 1";
    let player = hex(member);
    delete_packs(connection, &PackChoice::Maker(*member)).await?;
    connection.query_with_retries(FORGET, &[&member.as_slice(), &player, &SOMEBODY]).await?;
    // A second statement, because the first does not see that its own parts have deleted the player's places at tables.
    const PLAYER: &str = "DELETE FROM players WHERE id = $1
      AND NOT EXISTS (SELECT 1 FROM table_players WHERE player_id = $1)";
    connection.query_with_retries(PLAYER, &[&player]).await.map(|_| ())
}

pub async fn expire(connection: &Connection, expiry: Expiry) -> Result<u64, StoreError> {
    // A running room of an unused table has lost its row in `rooms`, so the fence stops it.
    const EXPIRE: &str = "WITH reports AS (DELETE FROM reports WHERE at < $2),
      unused AS (DELETE FROM tables WHERE NOT used AND updated_at < $3)
      DELETE FROM card_packs WHERE used_ms < $1
        AND NOT EXISTS (SELECT 1 FROM spoken_of WHERE spoken_of.hash = card_packs.hash)
        AND NOT EXISTS (SELECT 1 FROM game_blobs WHERE game_blobs.hash = card_packs.hash) RETURNING 1";
    let before = [expiry.packs as i64, expiry.reports as i64, expiry.tables as i64];
    let rows = connection.query_with_retries(EXPIRE, &[&before[0], &before[1], &before[2]]).await?;
    Ok(rows.len() as u64)
}

pub async fn shared_value(connection: &Connection, name: &str, proposed: &[u8]) -> Result<Vec<u8>, StoreError> {
    const KEEP: &str = "INSERT INTO shared_values (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    connection.query_with_retries(KEEP, &[&name, &proposed]).await?;
    let rows = connection.query_with_retries("SELECT value FROM shared_values WHERE name = $1", &[&name]).await?;
    rows.first().map(|row| row.get(0)).ok_or_else(|| StoreError::Failed("a shared value is missing".into()))
}
