//! Rows for operators: uploaded packs, orders, reports, deleting tables and forgetting people.

use super::reader::ReadConnection;
use super::write_connection::WriteConnection;
use super::{failed, log_encoding};
use crate::{
    Expiry, Hash, MAX_ORDERS, MAX_REPORTS, MAX_REPORTS_PER_TABLE, MakerRow, OrderRow, PackChoice, PackQuery, PackQuota,
    PackQuotas, PackRow, ReportRow, SOMEBODY, StoreError, TableRow,
};
use rusqlite::{OptionalExtension, Result, Row, params};
use std::collections::HashMap;

const SELECT_PACK: &str = "SELECT id, hash, info, maker, origin, bytes, created_at, used_at FROM packs";

/// Reads a row of [`SELECT_PACK`].
fn pack(row: &Row) -> Result<PackRow> {
    let number = |at| row.get::<_, i64>(at).map(|n| n as u64);
    Ok(PackRow {
        id: row.get(0)?,
        hash: row.get(1)?,
        info: row.get(2)?,
        maker: row.get(3)?,
        origin: row.get(4)?,
        bytes: number(5)?,
        created_at: number(6)?,
        used_at: number(7)?,
    })
}

impl WriteConnection {
    pub fn add_packs(
        &self,
        packs: &[PackRow],
        texts: &[(Hash, Vec<u8>)],
        quotas: &PackQuotas,
    ) -> Result<(), StoreError> {
        let bytes = packs.iter().map(|pack| pack.bytes).sum();
        let added = PackQuota { packs: packs.len() as u64, bytes };
        if !fits(self.pack_usage(None)?, added, quotas.total) {
            return Err(StoreError::Full);
        }
        if let Some(origin) = packs.first().and_then(|pack| pack.origin)
            && !fits(self.pack_usage(Some(&origin))?, added, quotas.origin)
        {
            return Err(StoreError::AddressFull);
        }
        texts.iter().try_for_each(|(hash, text)| self.put_blob(hash, text))?;
        for pack in packs {
            self.require_blob(&pack.hash)?;
            self.statement(
                "INSERT INTO packs (id, hash, info, maker, origin, bytes, created_at, used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                pack.id,
                pack.hash,
                pack.info,
                pack.maker,
                pack.origin,
                pack.bytes as i64,
                pack.created_at as i64,
                pack.used_at as i64
            ])
            .map_err(failed)?;
        }
        Ok(())
    }

    fn pack_usage(&self, origin: Option<&Hash>) -> Result<PackQuota, StoreError> {
        let mut count = match origin {
            None => self.statement(
                "SELECT count(*), coalesce(sum(bytes), 0)
                 FROM (SELECT bytes FROM packs UNION ALL SELECT bytes FROM deleted_packs)",
            )?,
            Some(_) => self.statement(
                "SELECT count(*), coalesce(sum(bytes), 0) FROM (
                   SELECT bytes FROM packs WHERE origin = ?1
                   UNION ALL SELECT bytes FROM deleted_packs WHERE origin = ?1)",
            )?,
        };
        let usage =
            |row: &Row| Ok(PackQuota { packs: row.get::<_, i64>(0)? as u64, bytes: row.get::<_, i64>(1)? as u64 });
        count.query_row(rusqlite::params_from_iter(origin), usage).map_err(failed)
    }

    pub fn touch_packs(&self, ids: &[String], at: u64) -> Result<(), StoreError> {
        let mut touch = self.statement("UPDATE packs SET used_at = ?1 WHERE id = ?2 AND used_at < ?1")?;
        ids.iter().try_for_each(|id| touch.execute(params![at as i64, id]).map(|_| ()).map_err(failed))
    }

    pub fn delete_packs(&self, choice: &PackChoice) -> Result<u64, StoreError> {
        const DELETED: &str = "RETURNING hash, origin, bytes";
        type Deleted = (Hash, Option<Hash>, i64);
        let row = |row: &Row| -> Result<Deleted> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
        let deleted: Result<Vec<Deleted>> = match choice {
            PackChoice::Id(id) => self
                .statement(&format!("DELETE FROM packs WHERE id = ? {DELETED}"))?
                .query_map([id], row)
                .and_then(|rows| rows.collect()),
            PackChoice::Maker(maker) => self
                .statement(&format!("DELETE FROM packs WHERE maker = ? {DELETED}"))?
                .query_map([maker], row)
                .and_then(|rows| rows.collect()),
        };
        let deleted = deleted.map_err(failed)?;
        for (hash, origin, bytes) in &deleted {
            self.delete_text(hash, origin.as_ref(), *bytes)?;
        }
        Ok(deleted.len() as u64)
    }

    /// Deletes the text of a pack that was just deleted. If a table or a game uses it, the text stays and counts for the quotas:
    /// otherwise whoever makes a table with each upload could store any number of packs.
    fn delete_text(&self, hash: &Hash, origin: Option<&Hash>, bytes: i64) -> Result<(), StoreError> {
        const USED: &str = "SELECT 1 WHERE EXISTS (SELECT 1 FROM spoken_of WHERE hash = ?1)
          OR EXISTS (SELECT 1 FROM game_blobs WHERE hash = ?1) OR EXISTS (SELECT 1 FROM tables WHERE NOT counted)";
        const COUNT: &str = "INSERT OR IGNORE INTO deleted_packs (hash, origin, bytes) VALUES (?, ?, ?)";
        const DELETE: &str =
            "DELETE FROM blobs WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM packs WHERE packs.hash = ?1)";
        match self.statement(USED)?.exists([hash]).map_err(failed)? {
            true => self.statement(COUNT)?.execute(params![hash, origin, bytes]),
            false => self.statement(DELETE)?.execute([hash]),
        }
        .map(drop)
        .map_err(failed)
    }

    pub fn put_order(&self, key: &Hash, at: u64, body: &[u8]) -> Result<i64, StoreError> {
        let mut find = self.statement("SELECT id FROM orders WHERE key = ?")?;
        if let Some(id) = find.query_row([key], |row| row.get(0)).optional().map_err(failed)? {
            return Ok(id);
        }
        let waiting: i64 =
            self.statement("SELECT count(*) FROM orders")?.query_row([], |row| row.get(0)).map_err(failed)?;
        if waiting as u64 >= MAX_ORDERS {
            return Err(StoreError::Full);
        }
        self.statement("INSERT INTO orders (key, at, body) VALUES (?, ?, ?) RETURNING id")?
            .query_row(params![key, at as i64, body], |row| row.get(0))
            .map_err(failed)
    }

    pub fn finish_order(&self, id: i64) -> Result<(), StoreError> {
        self.statement("DELETE FROM orders WHERE id = ?")?.execute([id]).map(|_| ()).map_err(failed)
    }

    pub fn add_report(&self, report: &ReportRow) -> Result<(), StoreError> {
        const ADD: &str = "INSERT OR IGNORE INTO reports (key, at, code, kind, reporter, about, name, body)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
        const TRIM_TABLE: &str = "DELETE FROM reports WHERE id IN (SELECT id FROM (
            SELECT id, at, count(*) OVER (PARTITION BY about) AS of_target,
              count(*) OVER (PARTITION BY about, reporter) AS of_reporter
            FROM reports WHERE code = ?1)
          ORDER BY of_target DESC, of_reporter DESC, at, id LIMIT ?2)";
        const TRIM_ALL: &str = "DELETE FROM reports WHERE id IN (SELECT id FROM (
            SELECT id, at, count(*) OVER (PARTITION BY code) AS of_table FROM reports)
          ORDER BY of_table DESC, at, id LIMIT ?)";
        let ReportRow { key, at, table, kind, reporter, about, name, body, .. } = report;
        self.statement(ADD)?
            .execute(params![key, *at as i64, table, kind, reporter, about, name, body])
            .map_err(failed)?;
        // The new report counts as well. It is the newest, so an older one is deleted.
        let mut here = self.statement("SELECT count(*) FROM reports WHERE code = ?")?;
        let here: i64 = here.query_row([table], |row| row.get(0)).map_err(failed)?;
        if here > MAX_REPORTS_PER_TABLE as i64 {
            let excess = here - MAX_REPORTS_PER_TABLE as i64;
            self.statement(TRIM_TABLE)?.execute(params![table, excess]).map_err(failed)?;
        }
        let mut all = self.statement("SELECT count(*) FROM reports")?;
        let all: i64 = all.query_row([], |row| row.get(0)).map_err(failed)?;
        if all > MAX_REPORTS as i64 {
            self.statement(TRIM_ALL)?.execute([all - MAX_REPORTS as i64]).map_err(failed)?;
        }
        Ok(())
    }

    pub fn delete_report(&self, id: i64) -> Result<bool, StoreError> {
        self.statement("DELETE FROM reports WHERE id = ?")?.execute([id]).map(|count| count > 0).map_err(failed)
    }

    /// Runs exclusively, so that the journal has no rows of the table's games.
    pub fn delete_table(&mut self, table: i64, epoch: i64) -> Result<(), StoreError> {
        self.run_exclusively(|connection| {
            connection.check_epoch(table, epoch)?;
            connection.statement("DELETE FROM tables WHERE id = ?")?.execute([table]).map(|_| ()).map_err(failed)
        })
    }

    /// Runs exclusively, so that all rows of the log are in the table `stretches`.
    pub fn rewrite_log(
        &mut self,
        table: i64,
        epoch: i64,
        game: &str,
        inputs: Vec<(u64, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        let inputs: HashMap<u64, Vec<u8>> = inputs.into_iter().collect();
        self.run_exclusively(|connection| {
            connection.check_epoch(table, epoch)?;
            let mut read = connection.statement(
                "SELECT stretches.n, rows FROM stretches JOIN games ON games.n = stretches.game
                 WHERE games.id = ? AND games.table_id = ?",
            )?;
            let segments = read.query_map(params![game, table], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)));
            let segments: Vec<(i64, Vec<u8>)> = segments.map_err(failed)?.collect::<Result<_>>().map_err(failed)?;
            for (n, old) in segments {
                let (mut rest, mut new) = (&old[..], Vec::with_capacity(old.len()));
                while let Some(mut row) = log_encoding::decode_row(&mut rest) {
                    if let Some(input) = inputs.get(&row.seq) {
                        row.input.clone_from(input);
                    }
                    log_encoding::encode_row(&row, &mut new);
                }
                if new != old {
                    let mut write = connection.statement("UPDATE stretches SET rows = ? WHERE n = ?")?;
                    write.execute(params![new, n]).map_err(failed)?;
                }
            }
            Ok(())
        })
    }

    pub fn forget_member(&self, member: &Hash) -> Result<(), StoreError> {
        self.delete_packs(&PackChoice::Maker(*member))?;
        self.statement("DELETE FROM members WHERE member = ?")?.execute([member]).map_err(failed)?;
        self.statement("UPDATE reports SET reporter = NULL WHERE reporter = ?")?.execute([member]).map_err(failed)?;
        self.statement("UPDATE reports SET about = NULL, name = ? WHERE about = ?")?
            .execute(params![SOMEBODY, member])
            .map(|_| ())
            .map_err(failed)
    }

    pub fn expire(&mut self, expiry: Expiry) -> Result<u64, StoreError> {
        const PACKS: &str = "DELETE FROM packs WHERE used_at < ?
          AND NOT EXISTS (SELECT 1 FROM spoken_of WHERE spoken_of.hash = packs.hash)
          AND NOT EXISTS (SELECT 1 FROM game_blobs WHERE game_blobs.hash = packs.hash)";
        const TABLES: &str = "DELETE FROM tables WHERE NOT used AND updated_at < ?";
        // The fence looks up the epoch of a deleted table again, and finds none.
        let unused = self.statement(TABLES)?.execute([expiry.tables as i64]).map_err(failed)?;
        if unused > 0 {
            self.epochs.clear();
        }
        let expired = self.statement(PACKS)?.execute([expiry.packs as i64]).map_err(failed)?;
        self.statement("DELETE FROM reports WHERE at < ?")?.execute([expiry.reports as i64]).map_err(failed)?;
        Ok(expired as u64)
    }

    pub fn shared_value(&self, name: &str, proposed: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.statement("INSERT OR IGNORE INTO shared_values (name, value) VALUES (?, ?)")?
            .execute(params![name, proposed])
            .map_err(failed)?;
        let mut find = self.statement("SELECT value FROM shared_values WHERE name = ?")?;
        find.query_row([name], |row| row.get(0)).map_err(failed)
    }
}

/// Whether the quota `limit` allows `added` beside what is `used`.
fn fits(used: PackQuota, added: PackQuota, limit: PackQuota) -> bool {
    used.packs.saturating_add(added.packs) <= limit.packs && used.bytes.saturating_add(added.bytes) <= limit.bytes
}

impl ReadConnection<'_> {
    pub fn packs(&self, query: &PackQuery) -> Result<Vec<PackRow>> {
        let mut read = match query.maker {
            None => self.connection.prepare_cached(&format!("{SELECT_PACK} WHERE id > ?1 ORDER BY id LIMIT ?2"))?,
            Some(_) => self
                .connection
                .prepare_cached(&format!("{SELECT_PACK} WHERE id > ?1 AND maker = ?3 ORDER BY id LIMIT ?2"))?,
        };
        match query.maker {
            None => read.query_map(params![query.after, query.limit], pack)?.collect(),
            Some(maker) => read.query_map(params![query.after, query.limit, maker], pack)?.collect(),
        }
    }

    pub fn pack(&self, id: &str) -> Result<Option<PackRow>> {
        self.connection.prepare_cached(&format!("{SELECT_PACK} WHERE id = ?"))?.query_row([id], pack).optional()
    }

    pub fn orders(&self, limit: u32) -> Result<Vec<OrderRow>> {
        let mut read = self.connection.prepare_cached("SELECT id, at, body FROM orders ORDER BY id LIMIT ?")?;
        let order = |row: &Row| Ok(OrderRow { id: row.get(0)?, at: row.get::<_, i64>(1)? as u64, body: row.get(2)? });
        read.query_map([limit], order)?.collect()
    }

    pub fn reports(&self, after: i64, limit: u32) -> Result<Vec<ReportRow>> {
        const ALL: &str = "SELECT id, key, at, code, kind, reporter, about, name, body FROM reports
          WHERE id > ? ORDER BY id LIMIT ?";
        let report = |row: &Row| {
            Ok(ReportRow {
                id: row.get(0)?,
                key: row.get(1)?,
                at: row.get::<_, i64>(2)? as u64,
                table: row.get(3)?,
                kind: row.get(4)?,
                reporter: row.get(5)?,
                about: row.get(6)?,
                name: row.get(7)?,
                body: row.get(8)?,
            })
        };
        self.connection.prepare_cached(ALL)?.query_map(params![after, limit], report)?.collect()
    }

    pub fn tables(&self, after: &str, limit: u32) -> Result<Vec<TableRow>> {
        let sql = format!("{} WHERE code > ? ORDER BY code LIMIT ?", super::reader::SELECT_TABLE);
        let mut read = self.connection.prepare_cached(&sql)?;
        read.query_map(params![after, limit], |row| self.table(row))?.collect()
    }

    pub fn codes_of(&self, member: &Hash, limit: u32) -> Result<Vec<String>> {
        const CODES: &str =
            "SELECT code FROM tables JOIN members ON table_id = id WHERE member = ? ORDER BY id LIMIT ?";
        self.connection.prepare_cached(CODES)?.query_map(params![member, limit], |row| row.get(0))?.collect()
    }

    pub fn table_id(&self, code: &str) -> Result<Option<i64>> {
        let mut find = self.connection.prepare_cached("SELECT id FROM tables WHERE code = ?")?;
        find.query_row([code], |row| row.get(0)).optional()
    }

    pub fn games_of(&self, table: i64) -> Result<Vec<String>> {
        let mut read = self.connection.prepare_cached("SELECT id FROM games WHERE table_id = ? ORDER BY n")?;
        read.query_map([table], |row| row.get(0))?.collect()
    }

    pub fn makers(&self, after: Option<Hash>, limit: u32) -> Result<Vec<MakerRow>> {
        const ALL: &str = "WITH known AS (
            SELECT member FROM members UNION SELECT maker FROM packs WHERE maker IS NOT NULL
            UNION SELECT about FROM reports WHERE about IS NOT NULL)
          SELECT member, (SELECT count(*) FROM members WHERE members.member = known.member),
            (SELECT count(*) FROM packs WHERE maker = known.member),
            (SELECT coalesce(sum(bytes), 0) FROM packs WHERE maker = known.member),
            (SELECT count(*) FROM reports WHERE about = known.member)
          FROM known WHERE ?1 IS NULL OR member > ?1 ORDER BY member LIMIT ?2";
        let maker = |row: &Row| {
            let count = |at| row.get::<_, i64>(at).map(|n| n as u64);
            Ok(MakerRow {
                member: row.get(0)?,
                tables: count(1)?,
                packs: count(2)?,
                pack_bytes: count(3)?,
                reports: count(4)?,
            })
        };
        self.connection.prepare_cached(ALL)?.query_map(params![after, limit], maker)?.collect()
    }
}
