//! Creating, opening and purging tables, and the blobs they reference.

use super::failed;
use super::write_connection::{WriteConnection, add_generation};
use crate::{
    Created, GAMES_KEPT, GAMES_TRIMMED_AT_ONCE, Hash, MemberRow, NewTable, OpenTable, Opened, StoreError, TableRow,
};
use rusqlite::{OptionalExtension, params};

impl WriteConnection {
    pub fn create(&self, table: &NewTable) -> Result<Created, StoreError> {
        let mut find = self.statement("SELECT code FROM tables WHERE key = ?")?;
        let existing: Option<String> = find.query_row([&table.key], |row| row.get(0)).optional().map_err(failed)?;
        if let Some(code) = existing {
            return Ok(Created { code, new: false });
        }
        self.check_table_quotas(table)?;
        self.statement(
            "INSERT INTO tables (code, key, updated_at, record, counted, origin, used) VALUES (?, ?, ?, ?, 1, ?, 0)",
        )?
        .execute(params![table.code, table.key, table.at as i64, table.record, table.origin])
        .map_err(failed)?;
        let id = self.connection.last_insert_rowid();
        for member in &table.members {
            self.add_member(id, member)?;
        }
        for hash in &table.blobs {
            self.require_blob(hash)?;
            self.reference_blob(id, hash)?;
        }
        Ok(Created { code: table.code.clone(), new: true })
    }

    fn check_table_quotas(&self, table: &NewTable) -> Result<(), StoreError> {
        let mut all = self.statement("SELECT count(*) FROM tables")?;
        if all.query_row([], |row| row.get::<_, i64>(0)).map_err(failed)? as u64 >= table.quotas.total {
            return Err(StoreError::Full);
        }
        let Some(origin) = &table.origin else { return Ok(()) };
        let mut here = self.statement("SELECT count(*) FROM tables WHERE origin = ?")?;
        match here.query_row([origin], |row| row.get::<_, i64>(0)).map_err(failed)? as u64 >= table.quotas.origin {
            true => Err(StoreError::AddressFull),
            false => Ok(()),
        }
    }

    pub fn open(&mut self, code: &str) -> Result<Opened, StoreError> {
        let mut take = self
            .statement("UPDATE tables SET epoch = epoch + 1 WHERE code = ? RETURNING id, epoch, record, updated_at")?;
        let open = take.query_row([code], |row| {
            let updated: i64 = row.get(3)?;
            let table_row = TableRow { code: code.to_owned(), record: row.get(2)?, updated_at: updated as u64 };
            let epoch = add_generation(row.get(1)?, self.generation);
            Ok(OpenTable { id: row.get(0)?, epoch, row: table_row })
        });
        let open = open.optional().map_err(failed)?;
        drop(take);
        if let Some(open) = &open {
            self.epochs.remove(&open.id);
        }
        Ok(open.map_or(Opened::Unknown, Opened::Here))
    }

    pub fn add_member(&self, table: i64, row: &MemberRow) -> Result<(), StoreError> {
        // SQLite's max of two values is NULL if one of them is, so a row without a number stays one.
        self.statement(
            "INSERT INTO members (member, table_id, n) VALUES (?, ?, ?)
             ON CONFLICT (member, table_id) DO UPDATE SET n = max(n, excluded.n)",
        )?
        .execute(params![row.member, table, row.n.map(|n| n as i64)])
        .map_err(failed)?;
        if let Some(last) = row.trims_up_to() {
            self.statement("DELETE FROM members WHERE table_id = ? AND n <= ?")?
                .execute(params![table, last as i64])
                .map_err(failed)?;
        }
        Ok(())
    }

    pub fn put_blob(&self, hash: &Hash, body: &[u8]) -> Result<(), StoreError> {
        self.statement("INSERT OR IGNORE INTO blobs (hash, body) VALUES (?, ?)")?
            .execute(params![hash, body])
            .map_err(failed)?;
        Ok(())
    }

    /// Notes that a table references a blob.
    pub fn reference_blob(&self, table: i64, hash: &Hash) -> Result<(), StoreError> {
        self.statement("INSERT OR IGNORE INTO spoken_of (table_id, hash) VALUES (?, ?)")?
            .execute(params![table, hash])
            .map_err(failed)?;
        Ok(())
    }

    /// Notes that a game references a blob.
    pub fn reference_blob_of_game(&self, game: &str, hash: &Hash) -> Result<(), StoreError> {
        const NOTE: &str = "INSERT INTO game_blobs (game, hash) SELECT n, ?2 FROM games WHERE id = ?1
          ON CONFLICT DO NOTHING";
        self.statement(NOTE)?.execute(params![game, hash]).map(drop).map_err(failed)
    }

    /// Deletes the oldest games of a table that has too many, with everything that belongs to them.
    pub fn trim_games(&self, table: i64) -> Result<(), StoreError> {
        // Rows that the journal still has of these games are dropped when it is flushed.
        const TRIM: &str = "DELETE FROM games WHERE n IN (
            SELECT n FROM games WHERE table_id = ?1 AND n < (
              SELECT n FROM games WHERE table_id = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)
            ORDER BY n LIMIT ?3)";
        self.statement(TRIM)?
            .execute(params![table, GAMES_KEPT as i64 - 1, GAMES_TRIMMED_AT_ONCE as i64])
            .map(drop)
            .map_err(failed)
    }

    /// Fails if the blob does not exist.
    pub fn require_blob(&self, hash: &Hash) -> Result<(), StoreError> {
        let exists = self.statement("SELECT 1 FROM blobs WHERE hash = ?")?.exists([hash]).map_err(failed)?;
        if exists { Ok(()) } else { Err(StoreError::Missing) }
    }

    /// Runs exclusively: only with an empty journal does the table `stretches` tell when each running game was last played.
    pub fn purge(&mut self, before: u64) -> Result<u64, StoreError> {
        self.run_exclusively(|connection| connection.delete_old_tables(before))
    }

    fn delete_old_tables(&self, before: u64) -> Result<u64, StoreError> {
        const TABLES: &str = "DELETE FROM tables WHERE updated_at < ?1 AND NOT EXISTS
          (SELECT 1 FROM stretches WHERE game = (SELECT n FROM games WHERE id = tables.running) AND at >= ?1)";
        const BLOBS: &str = "DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM spoken_of)
          AND hash NOT IN (SELECT hash FROM game_blobs) AND hash NOT IN (SELECT hash FROM packs)
          AND NOT EXISTS (SELECT 1 FROM tables WHERE NOT counted)";
        const DELETED_PACKS: &str = "DELETE FROM deleted_packs WHERE hash NOT IN (SELECT hash FROM blobs)";
        let purged = self.statement(TABLES)?.execute([before as i64]).map_err(failed)?;
        self.run(BLOBS)?;
        self.run(DELETED_PACKS)?;
        Ok(purged as u64)
    }
}
