//! Making tables, and taking them over.

use super::link::{Link, Params, Trouble};
use super::{Shared, TABLE, hex, text};
use crate::{Created, NewTable, OpenTable, Opened, StoreError, TableRow};
use std::collections::BTreeMap;

/// How often creation is begun again because somebody else was making the same table.
const TRIES: u32 = 20;

/// One statement makes the table with all that belongs to it, or finds the one there is.
pub async fn create(link: &Link, table: &NewTable) -> Result<Created, StoreError> {
    const CREATE: &str = "WITH made AS (
        INSERT INTO tables (code, key, updated_at, record, counted) VALUES ($1, $2, $3, $4::text::json, true)
        ON CONFLICT (key) DO NOTHING RETURNING id),
      room AS (INSERT INTO rooms (table_id) SELECT id FROM made),
      people AS (
        INSERT INTO players (id, display_name) SELECT * FROM unnest($5::text[], $6::text[])
        ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name),
      members AS (
        INSERT INTO table_players (player_id, table_id) SELECT player, made.id FROM made, unnest($5::text[]) AS player),
      spoken AS (
        INSERT INTO spoken_of (table_id, hash) SELECT made.id, hash FROM made, unnest($7::bytea[]) AS hash
        ON CONFLICT DO NOTHING)
      SELECT $1, true FROM made UNION ALL SELECT code, false FROM tables WHERE key = $2";
    const FIND: &str = "SELECT code, false FROM tables WHERE key = $1";
    let members: BTreeMap<String, String> =
        table.members.iter().map(|member| (hex(&member.member), text(&member.name).into_owned())).collect();
    let (players, names): (Vec<_>, Vec<_>) = members.into_iter().unzip();
    let blobs: Vec<&[u8]> = table.blobs.iter().map(|hash| &hash[..]).collect();
    let (key, at, record) = (&table.key[..], table.at as i64, String::from_utf8_lossy(&table.record));
    let mut unknown = false;
    let mut why = "others were always quicker".to_owned();
    for _ in 0..TRIES {
        let params: Params = &[&table.code, &key, &at, &record, &players, &names, &blobs];
        let found = match link.ask(CREATE, params).await {
            // Nobody's: another was making it at the same time, and has made it now.
            Ok(rows) if rows.is_empty() => continue,
            Ok(rows) => rows,
            Err(Trouble::Unknown(lost)) => {
                (unknown, why) = (true, lost);
                continue;
            }
            // By another table's code; or by this one's, if another has just made the same.
            Err(Trouble::Refused(StoreError::Taken)) => link.insist(FIND, &[&key]).await?,
            Err(Trouble::Refused(error) | Trouble::Away(error)) => return Err(error),
        };
        let Some(row) = found.first() else { return Err(StoreError::Taken) };
        let (code, new): (String, bool) = (row.get(0), row.get(1));
        // One found after an attempt whose outcome is not known was made by that attempt, or by an earlier request: the code tells.
        let new = new || unknown && code == table.code;
        return Ok(Created { code, new });
    }
    Err(StoreError::Failed(why))
}

pub async fn open(shared: &Shared, code: &str) -> Result<Opened, StoreError> {
    // A lease that ends later than any lease can was written before the database's clock stepped back. Its owner either renews it
    // within a moment or is gone.
    const TAKE: &str = "UPDATE rooms SET owner = $2, epoch = epoch + 1, commits = 0,
        lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond'
      FROM tables WHERE tables.code = $1 AND rooms.table_id = tables.id
        AND (owner IS NULL OR owner = $2 OR lease_until <= clock_timestamp()
          OR lease_until > clock_timestamp() + greatest(interval '1 minute', 10 * $3::float8 * interval '1 millisecond'))
      RETURNING epoch";
    // A statement of its own, after the other: what that one saw is from before it waited for whoever was writing.
    let read = format!(
        "{TABLE}, id, owner, ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::bigint
         FROM tables JOIN rooms ON table_id = id WHERE code = $1"
    );
    let (code, lease) = (text(code), shared.lease.as_millis() as f64);
    loop {
        let taken = shared.link.insist(TAKE, &[&code, &shared.node, &lease]).await?;
        let rows = shared.link.insist(&read, &[&code]).await?;
        let Some(row) = rows.first() else { return Ok(Opened::Unknown) };
        let (id, owner, left): (i64, Option<String>, i64) = (row.get(3), row.get(4), row.get(5));
        if let Some(taken) = taken.first() {
            let (epoch, row) = (taken.get(0), TableRow::from(row));
            shared.leases().opened(id, &row.code, epoch);
            return Ok(Opened::Here(OpenTable { id, epoch, row }));
        }
        if let Some(node) = owner.filter(|owner| *owner != shared.node && left > 0) {
            return Ok(Opened::Elsewhere { node, left: left as u64 });
        }
        // It was let go of in between.
    }
}
