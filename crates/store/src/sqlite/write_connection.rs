//! The writer's connection: its transactions, and the caches that spare it a query for each commit.

use super::checkpoint::checkpoint_fully;
use super::database_file::{DatabaseFile, FileId, FileState, file_id, id_and_length, is_whole};
use super::journal::{Journal, LogTails};
use super::wal::Wal;
use super::{failed, schema, side_connection};
use crate::StoreError;
use rusqlite::{CachedStatement, Connection, OptionalExtension};
use std::collections::HashMap;

/// Upper bound on the entries of each cache.
const MAX_CACHED: usize = 10_000;

/// The connection of the only writer, with what it knows about tables and games it wrote to lately.
pub struct WriteConnection {
    pub connection: Connection,
    file: DatabaseFile,
    /// Id of the open database file.
    pub file_id: FileId,
    /// The length of the database file at the last comparison. `None` after the file was found damaged.
    length: Option<u64>,
    /// How often the database file was replaced while the store was open. It is part of every epoch (see [`add_generation`]), so that
    /// a room that opened its table in another file cannot write to this one.
    pub generation: i64,
    /// Whether a sync has failed, so that nobody knows which commits are on disk. No commit may succeed before a full checkpoint does.
    unsynced: bool,
    wal: Wal,
    pub journal: Journal,
    /// Cache: the epoch of each table.
    pub epochs: HashMap<i64, i64>,
    /// Cache: the end of each game's log.
    pub games: HashMap<String, CachedGame>,
    /// SQLite's `data_version` when the caches were last valid. It changes when another process writes to the file.
    data_version: i64,
}

#[derive(Clone, Copy)]
pub struct CachedGame {
    /// Number of the game's row.
    pub n: i64,
    /// `seq` of the last row of its log.
    pub last_seq: u64,
}

impl WriteConnection {
    pub fn new(
        connection: Connection,
        file: &DatabaseFile,
        tails: LogTails,
        generation: i64,
    ) -> Result<Self, StoreError> {
        let unreadable = |e: std::io::Error| StoreError::Failed(format!("{}: {e}", file.path.display()));
        let (file_id, length) = id_and_length(&file.path).map_err(unreadable)?;
        let mut open = WriteConnection {
            connection,
            file_id,
            length: Some(length),
            file: file.clone(),
            generation,
            unsynced: false,
            wal: Wal::new(file.wal_path()),
            journal: Journal::new(tails),
            epochs: HashMap::new(),
            games: HashMap::new(),
            data_version: 0,
        };
        open.data_version = open.read_data_version()?;
        open.journal.reload(&open.connection)?;
        Ok(open)
    }

    pub fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, StoreError> {
        self.connection.prepare_cached(sql).map_err(failed)
    }

    pub fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.statement(sql)?.execute([]).map(|_| ()).map_err(failed)
    }

    fn read_data_version(&self) -> Result<i64, StoreError> {
        self.statement("PRAGMA data_version")?.query_row([], |row| row.get(0)).map_err(failed)
    }

    /// Compares the files at the paths with the open files.
    pub fn file_state(&mut self) -> FileState {
        match id_and_length(&self.file.path) {
            Err(_) => FileState::Missing,
            Ok((id, _)) if id != self.file_id => FileState::Replaced,
            // The file grows by checkpoints and shrinks only if somebody vacuums it.
            Ok((_, length))
                if self.length.is_none_or(|before| length < before) && !is_whole(&self.file.path, length) =>
            {
                self.length = None;
                FileState::Damaged
            }
            // Somebody has copied a whole database over the damaged one.
            Ok(_) if self.length.is_none() => FileState::Replaced,
            Ok((_, length)) => {
                self.length = Some(length);
                self.wal_state()
            }
        }
    }

    fn wal_state(&self) -> FileState {
        match (self.wal.file_id(), file_id(&self.wal.path).ok()) {
            (Some(open), there) if there != Some(open) => FileState::WalReplaced,
            _ => FileState::Unchanged,
        }
    }

    pub fn missing_file(&self) -> StoreError {
        StoreError::Failed(format!("{}: the file is gone", self.file.path.display()))
    }

    pub fn damaged_file(&self) -> StoreError {
        StoreError::Failed(format!("{}: a part of the file is gone", self.file.path.display()))
    }

    /// Closes the connection to a file that was replaced, and returns the id of its WAL.
    pub fn abandon(self) -> Option<FileId> {
        let wal = self.wal.file_id();
        side_connection::abandon(self.connection);
        wal
    }

    /// Writes to the file without changing anything, if the last commit failed: this shows whether the next one could succeed.
    pub fn probe(&self, last_commit_failed: bool) -> Result<(), StoreError> {
        match last_commit_failed {
            true => schema::rewrite_version(&self.connection),
            false => Ok(()),
        }
    }

    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.file.faults.at("store/write", "").map_err(|error| StoreError::Failed(error.to_string()))?;
        if self.unsynced {
            checkpoint_fully(&self.connection)?;
            self.unsynced = false;
        }
        self.run("BEGIN IMMEDIATE")?;
        let validated = self.validate_caches();
        match validated {
            Ok(()) => self.wal.preallocate(),
            Err(_) => drop(self.run("ROLLBACK")),
        }
        validated
    }

    /// Clears the caches if another process has written to the file. The caller holds a transaction, so nobody writes until its end.
    fn validate_caches(&mut self) -> Result<(), StoreError> {
        let data_version = self.read_data_version()?;
        if data_version != self.data_version {
            self.clear_caches();
            self.journal.reload(&self.connection)?;
            self.data_version = data_version;
        }
        Ok(())
    }

    fn clear_caches(&mut self) {
        self.epochs.clear();
        self.games.clear();
    }

    pub fn commit_group(&mut self) -> Result<(), StoreError> {
        let faults = self.file.faults.at("store/commit", "").map_err(|error| StoreError::Failed(error.to_string()));
        let written =
            faults.and_then(|()| self.journal.write_group(&self.connection)).and_then(|()| self.run("COMMIT"));
        if written.is_err() {
            let _ = self.run("ROLLBACK");
            self.journal.discard_group();
            self.clear_caches();
            return written;
        }
        let synced = self.wal.sync(&self.file.faults);
        match synced {
            Ok(()) => self.journal.keep_group(),
            // The commit may be on disk or not, so readers get what the file has. A second sync would prove nothing: after a failed
            // sync the system may mark the page as clean. So `begin` makes a full checkpoint, which writes everything to the database
            // file, before the next transaction.
            Err(_) => {
                self.unsynced = true;
                self.clear_caches();
                let _ = self.journal.reload(&self.connection);
            }
        }
        synced
    }

    /// Moves the rows of the journal into the games' logs, if the journal has at least `min_rows`. If that fails, the next call tries
    /// again. There is no sync: if a power cut undoes the move, the rows are still in the journal.
    pub fn flush_journal(&mut self, min_rows: usize) {
        if self.journal.count() < min_rows.max(1) {
            return;
        }
        let moved = self.begin().and_then(|()| self.journal.write_segments(&self.connection));
        match moved.and_then(|()| self.run("COMMIT")) {
            Ok(()) => self.journal.clear(),
            Err(_) => drop(self.run("ROLLBACK")),
        }
        if self.epochs.len() > MAX_CACHED || self.games.len() > MAX_CACHED {
            self.clear_caches();
        }
    }

    /// Runs `change` in a transaction of its own with an empty journal, so that `change` finds every row of a log in the table
    /// `stretches`.
    pub fn run_exclusively<T>(
        &mut self,
        change: impl FnOnce(&mut WriteConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.flush_journal(1);
        if self.journal.count() > 0 {
            return Err(StoreError::Failed("rows could not be put in their places".into()));
        }
        self.begin()?;
        let changed = change(self).and_then(|value| self.run("COMMIT").map(|()| value));
        if changed.is_err() {
            let _ = self.run("ROLLBACK");
        }
        self.clear_caches();
        let value = changed?;
        self.wal.sync(&self.file.faults).inspect_err(|_| self.unsynced = true).map(|()| value)
    }

    /// The fence: fails unless `epoch` is the one that the last opening of the table returned.
    pub fn check_epoch(&mut self, table: i64, epoch: i64) -> Result<(), StoreError> {
        let current = match self.epochs.get(&table) {
            Some(current) => *current,
            None => {
                let mut find = self.statement("SELECT epoch FROM tables WHERE id = ?")?;
                let current = find.query_row([table], |row| row.get(0)).optional().map_err(failed)?;
                drop(find);
                let current = current.ok_or(StoreError::Fenced)?;
                self.epochs.insert(table, current);
                current
            }
        };
        if add_generation(current, self.generation) == epoch { Ok(()) } else { Err(StoreError::Fenced) }
    }
}

/// The epoch that callers see: the one in the database, with the connection's generation in its upper bits.
pub fn add_generation(epoch: i64, generation: i64) -> i64 {
    epoch.wrapping_add(generation << 40)
}
