//! What an operator works with: packs of strangers, orders, reports, and forgetting.

use super::link::{Link, Params, Trouble};
use super::reader::json;
use super::{TABLE, hex, text};
use crate::{
    Expiry, Hash, MakerRow, ORDERS, OrderRow, PackChoice, PackQuery, PackQuotas, PackRow, ReportRow, SOMEBODY,
    StoreError, TableRow,
};
use tokio_postgres::Row;

const PACK: &str = "SELECT id, hash, info::text, maker, origin, bytes, created_ms, used_ms FROM card_packs";

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

/// One statement counts and adds. Two nodes that add at the same moment do not see each other's packs: the quotas may be exceeded
/// by what each other node adds in that moment.
pub async fn add_packs(link: &Link, packs: &[PackRow], quotas: &PackQuotas) -> Result<(), StoreError> {
    const ADD: &str = "WITH asked AS (
        SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[], $5::bigint[], $6::bigint[])
          AS pack (id, hash, info, maker, bytes, at)),
      size AS (SELECT count(*) AS packs, coalesce(sum(bytes), 0)::bigint AS bytes FROM asked),
      total AS (SELECT count(*) AS packs, coalesce(sum(bytes), 0)::bigint AS bytes FROM card_packs),
      here AS (SELECT count(*) AS packs, coalesce(sum(bytes), 0)::bigint AS bytes FROM card_packs WHERE origin = $7),
      room AS (
        SELECT total.packs + size.packs <= $8 AND total.bytes + size.bytes <= $9 AS everywhere,
          $7::bytea IS NULL OR (here.packs + size.packs <= $10 AND here.bytes + size.bytes <= $11) AS from_here
        FROM size, total, here),
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
    let most = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let (total, here) = (quotas.total, quotas.origin);
    let most = [most(total.packs), most(total.bytes), most(here.packs), most(here.bytes)];
    let params: Params =
        &[&ids, &hashes, &infos, &makers, &bytes, &at, &origin, &most[0], &most[1], &most[2], &most[3]];
    let rows = match link.ask(ADD, params).await {
        Ok(rows) => rows,
        Err(Trouble::Refused(error) | Trouble::Away(error)) => return Err(error),
        Err(Trouble::Unknown(_)) => match link.insist(ADD, params).await {
            // By the attempt before, if they are all there.
            Err(StoreError::Taken) => {
                for wanted in packs {
                    if one_pack(link, &wanted.id).await?.as_ref() != Some(wanted) {
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
        Some((true, false)) => Err(StoreError::FullHere),
        _ => Err(StoreError::Full),
    }
}

pub async fn packs(link: &Link, query: &PackQuery) -> Result<Vec<PackRow>, StoreError> {
    // By the bytes of the ids, whatever language the database sorts in.
    let sql = format!(
        "{PACK} WHERE id COLLATE \"C\" > $1 AND ($2::bytea IS NULL OR maker = $2) ORDER BY id COLLATE \"C\" LIMIT $3"
    );
    let maker = query.maker.as_ref().map(|maker| maker.as_slice());
    let rows = link.insist(&sql, &[&text(&query.after), &maker, &i64::from(query.limit)]).await?;
    rows.iter().map(pack).collect()
}

pub async fn one_pack(link: &Link, id: &str) -> Result<Option<PackRow>, StoreError> {
    let rows = link.insist(&format!("{PACK} WHERE id = $1"), &[&text(id)]).await?;
    rows.first().map(pack).transpose()
}

pub async fn touch_packs(link: &Link, ids: &[String], at: u64) -> Result<(), StoreError> {
    const TOUCH: &str = "UPDATE card_packs SET used_ms = $2 WHERE id = ANY ($1) AND used_ms < $2";
    link.insist(TOUCH, &[&ids, &(at as i64)]).await.map(|_| ())
}

pub async fn delete_packs(link: &Link, choice: &PackChoice) -> Result<u64, StoreError> {
    let deleted = match choice {
        PackChoice::Id(id) => link.insist("DELETE FROM card_packs WHERE id = $1 RETURNING 1", &[&text(id)]).await,
        PackChoice::Maker(maker) => {
            link.insist("DELETE FROM card_packs WHERE maker = $1 RETURNING 1", &[&maker.as_slice()]).await
        }
    };
    deleted.map(|rows| rows.len() as u64)
}

pub async fn put_order(link: &Link, key: &Hash, at: u64, body: &[u8]) -> Result<i64, StoreError> {
    const PUT: &str = "WITH put AS (
        INSERT INTO orders (key, at, body) SELECT $1, $2, $3 WHERE (SELECT count(*) FROM orders) < $4
        ON CONFLICT (key) DO NOTHING RETURNING id)
      SELECT id FROM put UNION ALL SELECT id FROM orders WHERE key = $1";
    let params: Params = &[&key.as_slice(), &(at as i64), &body, &(ORDERS as i64)];
    let mut rows = link.insist(PUT, params).await?;
    if rows.is_empty() {
        // Another may have put the same order in that very moment.
        rows = link.insist("SELECT id FROM orders WHERE key = $1", &[&key.as_slice()]).await?;
    }
    rows.first().map(|row| row.get(0)).ok_or(StoreError::Full)
}

pub async fn orders(link: &Link, limit: u32) -> Result<Vec<OrderRow>, StoreError> {
    let rows = link.insist("SELECT id, at, body FROM orders ORDER BY id LIMIT $1", &[&i64::from(limit)]).await?;
    Ok(rows.iter().map(|row| OrderRow { id: row.get(0), at: number(row, 1), body: row.get(2) }).collect())
}

pub async fn finish_order(link: &Link, id: i64) -> Result<(), StoreError> {
    link.insist("DELETE FROM orders WHERE id = $1", &[&id]).await.map(|_| ())
}

pub async fn reports(link: &Link, after: i64, limit: u32) -> Result<Vec<ReportRow>, StoreError> {
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
    link.insist(ALL, &[&after, &i64::from(limit)]).await?.iter().map(report).collect()
}

pub async fn delete_report(link: &Link, id: i64) -> Result<bool, StoreError> {
    let rows = link.insist("DELETE FROM reports WHERE id = $1 RETURNING 1", &[&id]).await?;
    Ok(!rows.is_empty())
}

pub async fn tables(link: &Link, after: &str, limit: u32) -> Result<Vec<TableRow>, StoreError> {
    let sql = format!("{TABLE} FROM tables WHERE code COLLATE \"C\" > $1 ORDER BY code COLLATE \"C\" LIMIT $2");
    Ok(link.insist(&sql, &[&text(after), &i64::from(limit)]).await?.iter().map(TableRow::from).collect())
}

pub async fn codes_of(link: &Link, member: &Hash, limit: u32) -> Result<Vec<String>, StoreError> {
    const CODES: &str = "SELECT code FROM tables JOIN table_players ON table_id = id WHERE player_id = $1
      ORDER BY id LIMIT $2";
    let rows = link.insist(CODES, &[&hex(member), &i64::from(limit)]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub async fn table_id(link: &Link, code: &str) -> Result<Option<i64>, StoreError> {
    let rows = link.insist("SELECT id FROM tables WHERE code = $1", &[&text(code)]).await?;
    Ok(rows.first().map(|row| row.get(0)))
}

pub async fn games_of(link: &Link, table: i64) -> Result<Vec<String>, StoreError> {
    let rows = link.insist("SELECT id FROM games WHERE table_id = $1 ORDER BY created_at, id", &[&table]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub async fn makers(link: &Link, after: Option<Hash>, limit: u32) -> Result<Vec<MakerRow>, StoreError> {
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
    link.insist(ALL, &[&after, &i64::from(limit)]).await?.iter().map(maker).collect()
}

pub async fn delete_table(link: &Link, table: i64, epoch: i64) -> Result<(), StoreError> {
    // Referred to by nothing that Postgres would follow: the events and the chat are found here.
    const DELETE: &str = "WITH held AS (SELECT table_id FROM rooms WHERE table_id = $1 AND epoch = $2 FOR UPDATE),
      played AS (DELETE FROM games USING held WHERE games.table_id = held.table_id RETURNING games.id),
      log AS (DELETE FROM game_events USING played WHERE game_id = played.id),
      archived AS (DELETE FROM archived_events USING played WHERE game_id = played.id),
      said AS (DELETE FROM chat USING held WHERE chat.table_id = held.table_id),
      gone AS (DELETE FROM tables USING held WHERE tables.id = held.table_id)
      SELECT table_id FROM held";
    let params: Params = &[&table, &epoch];
    match link.ask(DELETE, params).await {
        Ok(rows) if rows.is_empty() => Err(StoreError::Fenced),
        Ok(_) => Ok(()),
        Err(Trouble::Refused(error) | Trouble::Away(error)) => Err(error),
        // An attempt whose outcome is not known may have deleted it.
        Err(Trouble::Unknown(_)) => {
            let rows = link.insist(DELETE, params).await?;
            let there = link.insist("SELECT 1 FROM tables WHERE id = $1", &[&table]).await?;
            if rows.is_empty() && !there.is_empty() { Err(StoreError::Fenced) } else { Ok(()) }
        }
    }
}

pub async fn rewrite_log(
    link: &Link,
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
    let rows = link.insist(REWRITE, &[&table, &epoch, &text(game), &seqs, &bodies]).await?;
    if rows.is_empty() { Err(StoreError::Fenced) } else { Ok(()) }
}

pub async fn forget(link: &Link, member: &Hash) -> Result<(), StoreError> {
    const FORGET: &str = "WITH packs AS (DELETE FROM card_packs WHERE maker = $1),
      places AS (DELETE FROM table_players WHERE player_id = $2),
      said AS (
        UPDATE reports SET reporter = CASE WHEN reporter = $1 THEN NULL ELSE reporter END,
          name = CASE WHEN about = $1 THEN $3 ELSE name END, about = CASE WHEN about = $1 THEN NULL ELSE about END
        WHERE reporter = $1 OR about = $1)
      SELECT 1";
    let player = hex(member);
    link.insist(FORGET, &[&member.as_slice(), &player, &SOMEBODY]).await?;
    // After its places: a statement does not see what its own parts have deleted.
    const PLAYER: &str = "DELETE FROM players WHERE id = $1
      AND NOT EXISTS (SELECT 1 FROM table_players WHERE player_id = $1)";
    link.insist(PLAYER, &[&player]).await.map(|_| ())
}

pub async fn expire(link: &Link, expiry: Expiry) -> Result<u64, StoreError> {
    const EXPIRE: &str = "WITH reports AS (DELETE FROM reports WHERE at < $2)
      DELETE FROM card_packs WHERE used_ms < $1
        AND NOT EXISTS (SELECT 1 FROM spoken_of WHERE spoken_of.hash = card_packs.hash) RETURNING 1";
    let rows = link.insist(EXPIRE, &[&(expiry.packs as i64), &(expiry.reports as i64)]).await?;
    Ok(rows.len() as u64)
}

pub async fn shared_value(link: &Link, name: &str, fresh: &[u8]) -> Result<Vec<u8>, StoreError> {
    const KEEP: &str = "INSERT INTO shared_values (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    link.insist(KEEP, &[&name, &fresh]).await?;
    let rows = link.insist("SELECT value FROM shared_values WHERE name = $1", &[&name]).await?;
    rows.first().map(|row| row.get(0)).ok_or_else(|| StoreError::Failed("a shared value is missing".into()))
}
