//! SQLite's write-ahead log (WAL): the file to which SQLite writes a commit first.

use super::database_file::{FileId, file_id_of};
use crate::{Faults, StoreError};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// The length to which the store preallocates the WAL. Between two checkpoints the writer writes less than that.
const PREALLOCATED: u64 = 8 << 20;

/// A handle of our own to the WAL, with which the writer syncs it. SQLite would sync with `fsync`, which also waits for the file's
/// modification time to reach the disk; `fdatasync` does not.
pub struct Wal {
    pub path: PathBuf,
    /// The open file. The first transaction opens it, because only then the file exists for certain.
    open: Option<OpenWal>,
}

struct OpenWal {
    file: File,
    /// It never changes while the file is open, so nobody has to ask the system for it again.
    id: FileId,
}

impl Wal {
    pub fn new(path: PathBuf) -> Self {
        Wal { path, open: None }
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
        if self.open.is_none()
            && let Ok(mut open) = self.open()
        {
            let end = open.file.seek(SeekFrom::End(0)).unwrap_or(PREALLOCATED);
            let _ = std::io::copy(&mut std::io::repeat(0).take(PREALLOCATED.saturating_sub(end)), &mut open.file);
            self.open = Some(open);
        }
    }

    fn open(&self) -> std::io::Result<OpenWal> {
        let file = File::options().write(true).open(&self.path)?;
        let id = file_id_of(&file.metadata()?);
        Ok(OpenWal { file, id })
    }

    /// Id of the open file.
    pub fn file_id(&self) -> Option<FileId> {
        self.open.as_ref().map(|open| open.id)
    }

    pub fn sync(&mut self, faults: &Faults) -> Result<(), StoreError> {
        faults.at("store/sync", "").map_err(|error| StoreError::Failed(error.to_string()))?;
        let failed = |error: std::io::Error| StoreError::Failed(format!("{}: {error}", self.path.display()));
        let open = match &self.open {
            Some(open) => open,
            None => &*self.open.insert(self.open().map_err(failed)?),
        };
        open.file.sync_data().map_err(failed)
    }
}
