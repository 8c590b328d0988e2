//! SQLite's write-ahead log (WAL): the file that has a commit on disk first.

use super::database_file::{FileId, file_id_of};
use crate::{Faults, StoreError};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Length that the WAL gets at once. Between two checkpoints less than that is written to it.
const PREALLOCATED: u64 = 8 << 20;

/// A handle of our own to the WAL, with which the writer syncs it. SQLite would sync with `fsync`, which also waits for the file's
/// modification time to reach the disk; `fdatasync` does not.
pub struct Wal {
    pub path: PathBuf,
    /// Opened in the first transaction, because only then the file exists for certain.
    file: Option<File>,
}

impl Wal {
    pub fn new(path: PathBuf) -> Self {
        Wal { path, file: None }
    }

    /// Fills the WAL with zeros up to [`PREALLOCATED`] bytes.
    ///
    /// A commit that makes a file longer waits until the file system has written its journal, and with it every other change on that
    /// disk. Space that is only reserved (`fallocate`) does not help: the file system still notes each first write to it. SQLite reads
    /// a WAL only as far as its checksums are right, so zeros at the end do no harm.
    ///
    /// The caller holds a transaction, so that nobody else makes the file longer at the same time. If there is no space, commits take
    /// longer and nothing else happens.
    pub fn preallocate(&mut self) {
        if self.file.is_none()
            && let Ok(mut file) = self.open()
        {
            let end = file.seek(SeekFrom::End(0)).unwrap_or(PREALLOCATED);
            let _ = std::io::copy(&mut std::io::repeat(0).take(PREALLOCATED.saturating_sub(end)), &mut file);
            self.file = Some(file);
        }
    }

    fn open(&self) -> std::io::Result<File> {
        File::options().write(true).open(&self.path)
    }

    /// Id of the open file.
    pub fn file_id(&self) -> Option<FileId> {
        self.file.as_ref().and_then(|file| file.metadata().ok()).map(|metadata| file_id_of(&metadata))
    }

    pub fn sync(&mut self, faults: &Faults) -> Result<(), StoreError> {
        faults.at("store/sync", "").map_err(|error| StoreError::Failed(error.to_string()))?;
        let failed = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", self.path.display()));
        let file = match &self.file {
            Some(file) => file,
            None => &*self.file.insert(self.open().map_err(failed)?),
        };
        file.sync_data().map_err(failed)
    }
}
