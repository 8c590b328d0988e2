//! Creating, opening and purging tables, and the blobs they reference.

use super::failed;
use super::write_connection::{WriteConnection, add_generation};
use crate::{Created, Hash, MemberRow, NewTable, OpenTable, Opened, StoreError, TableRow};
use rusqlite::{OptionalExtension, params};

impl WriteConnection {
    pub fn create(&self, table: &NewTable) -> Result<Created, StoreError> {
        let mut find = self.statement("SELECT code FROM tables WHERE key = ?")?;
        let existing: Option<String> = find.query_row([&table.key], |row| row.get(0)).optional().map_err(failed)?;
        if let Some(code) = existing {
            return Ok(Created { code, new: false });
        }
        self.statement("INSERT INTO tables (code, key, updated_at, record, counted) VALUES (?, ?, ?, ?, 1)")?
            .execute(params![table.code, table.key, table.at as i64, table.record])
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
          AND hash NOT IN (SELECT hash FROM packs) AND NOT EXISTS (SELECT 1 FROM tables WHERE NOT counted)";
        let purged = self.statement(TABLES)?.execute([before as i64]).map_err(failed)?;
        self.run(BLOBS)?;
        Ok(purged as u64)
    }
}
