//! Creating and opening tables.

use super::connection::{Connection, Params, QueryError};
use super::{SELECT_TABLE, Shared, hex, text};
use crate::{Created, NewTable, OpenTable, Opened, StoreError, TableRow};
use std::collections::BTreeMap;

/// How often `create` tries again because another node is creating the same table, or because an outcome is unknown.
const TRIES: u32 = 20;

/// One statement creates the table with its members and references, or finds the table with the same key.
pub async fn create(connection: &Connection, table: &NewTable) -> Result<Created, StoreError> {
    // The count of all tables is left out where no quota asks for it.
    const CREATE: &str = "WITH quota AS (
        SELECT $9::bigint = 9223372036854775807 OR (SELECT count(*) FROM tables) < $9 AS everywhere,
          $8::bytea IS NULL OR (SELECT count(*) FROM tables WHERE origin = $8) < $10::bigint AS from_here),
      made AS (
        INSERT INTO tables (code, key, updated_at, record, counted, origin, used)
        SELECT $1::text, $2::bytea, $3::bigint, $4::text::json, true, $8::bytea, false FROM quota WHERE everywhere AND from_here
        ON CONFLICT (key) DO NOTHING RETURNING id),
      room AS (INSERT INTO rooms (table_id) SELECT id FROM made),
      people AS (
        INSERT INTO players (id, display_name) SELECT * FROM unnest($5::text[], $6::text[])
        ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name WHERE excluded.display_name <> ''),
      members AS (
        INSERT INTO table_players (player_id, table_id) SELECT player, made.id FROM made, unnest($5::text[]) AS player),
      spoken AS (
        INSERT INTO spoken_of (table_id, hash) SELECT made.id, hash FROM made, unnest($7::bytea[]) AS hash
        ON CONFLICT DO NOTHING)
      SELECT $1, true, everywhere, from_here FROM made, quota
      UNION ALL SELECT code, false, true, true FROM tables WHERE key = $2
      UNION ALL SELECT NULL::text, false, everywhere, from_here FROM quota
        WHERE NOT (everywhere AND from_here) AND NOT EXISTS (SELECT FROM tables WHERE key = $2)";
    const FIND: &str = "SELECT code, false, true, true FROM tables WHERE key = $1";
    let members: BTreeMap<String, String> =
        table.members.iter().map(|member| (hex(&member.member), text(&member.name).into_owned())).collect();
    let (players, names): (Vec<_>, Vec<_>) = members.into_iter().unzip();
    let blobs: Vec<&[u8]> = table.blobs.iter().map(|hash| &hash[..]).collect();
    let (key, at, record) = (&table.key[..], table.at as i64, String::from_utf8_lossy(&table.record));
    let origin = table.origin.as_ref().map(|origin| origin.as_slice());
    let limit = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let (total, here) = (limit(table.quotas.total), limit(table.quotas.origin));
    let mut unknown = false;
    let mut why = "others were always quicker".to_owned();
    for _ in 0..TRIES {
        let params: Params = &[&table.code, &key, &at, &record, &players, &names, &blobs, &origin, &total, &here];
        let found = match connection.query_once(CREATE, params).await {
            // The statement neither created nor found the table: another node was creating it at the same time. The next attempt finds it.
            Ok(rows) if rows.is_empty() => continue,
            Ok(rows) => rows,
            Err(QueryError::OutcomeUnknown(lost)) => {
                (unknown, why) = (true, lost);
                continue;
            }
            // Another table has the code, or another node has just created this table.
            Err(QueryError::Refused(StoreError::Taken)) => connection.query_with_retries(FIND, &[&key]).await?,
            Err(QueryError::Refused(error) | QueryError::Unreachable(error)) => return Err(error),
        };
        let Some(row) = found.first() else { return Err(StoreError::Taken) };
        let (code, new): (Option<String>, bool) = (row.get(0), row.get(1));
        let (everywhere, from_here): (bool, bool) = (row.get(2), row.get(3));
        let code = match (code, everywhere, from_here) {
            (Some(code), ..) => code,
            (None, true, false) => return Err(StoreError::AddressFull),
            (None, ..) => return Err(StoreError::Full),
        };
        // After an attempt with an unknown outcome, the code tells whether that attempt created the table or an earlier request did.
        let new = new || unknown && code == table.code;
        return Ok(Created { code, new });
    }
    Err(StoreError::Failed(why))
}

pub async fn open(shared: &Shared, code: &str) -> Result<Opened, StoreError> {
    // The last condition: a lease that ends later than any lease can was written before the database's clock stepped back. If its owner
    // still lives, it renews the lease soon.
    const TAKE: &str = "UPDATE rooms SET owner = $2, epoch = epoch + 1, commits = 0,
        lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond'
      FROM tables WHERE tables.code = $1 AND rooms.table_id = tables.id
        AND (owner IS NULL OR owner = $2 OR lease_until <= clock_timestamp()
          OR lease_until > clock_timestamp() + greatest(interval '1 minute', 10 * $3::float8 * interval '1 millisecond'))
      RETURNING epoch";
    // The table's row is read by a second statement: the first one's snapshot may be older than the commit for whose lock it waited.
    let read = format!(
        "{SELECT_TABLE}, id, owner, ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::bigint
         FROM tables JOIN rooms ON table_id = id WHERE code = $1"
    );
    let (code, lease) = (text(code), shared.lease.as_millis() as f64);
    loop {
        let taken = shared.short_writes.query_with_retries(TAKE, &[&code, &shared.node, &lease]).await?;
        let rows = shared.short_writes.query_with_retries(&read, &[&code]).await?;
        let Some(row) = rows.first() else { return Ok(Opened::Unknown) };
        let (id, owner, left): (i64, Option<String>, i64) = (row.get(3), row.get(4), row.get(5));
        if let Some(taken) = taken.first() {
            let (epoch, row) = (taken.get(0), TableRow::from(row));
            shared.leases().add(id, &row.code, epoch);
            return Ok(Opened::Here(OpenTable { id, epoch, row }));
        }
        if let Some(node) = owner.filter(|owner| *owner != shared.node && left > 0) {
            return Ok(Opened::Elsewhere { node, left: left as u64 });
        }
        // The table was released between the two statements: try again.
    }
}
